//! etcd: leases and how late they end, a lock whose waiters queue by create revision, the tokens
//! that can be taken from it, and what a restart and a restored snapshot do to both.

mod lease;
mod queue;
mod restart;
mod token;

use super::gateway::{Answer, Gateway, base64};
use super::server::{Folder, Server, free_port, need};
use super::writer::{Recorder, until};
use crate::shell::Outcome;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A member, of a cluster that may consist of it alone.
struct Node {
    name: &'static str,
    folder: Folder,
    port: u16,
    peers: u16,
}

impl Node {
    fn new(name: &'static str) -> Outcome<Self> {
        Ok(Self { name, folder: Folder::new()?, port: free_port()?, peers: free_port()? })
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Where it talks with other members.
    fn peers(&self) -> String {
        format!("http://127.0.0.1:{}", self.peers)
    }

    /// Its name and place, as a cluster lists them.
    fn listed(&self) -> String {
        format!("{}={}", self.name, self.peers())
    }

    /// Starts it as the only member.
    fn start(&self) -> Outcome<Server> {
        self.start_with(&self.data())
    }

    /// The same with the data of this folder.
    fn start_with(&self, data: &Path) -> Outcome<Server> {
        let server = self.spawn(data, &self.listed())?;
        self.await_leader()?;
        Ok(server)
    }

    /// Starts it as a member of this cluster.
    fn spawn(&self, data: &Path, cluster: &str) -> Outcome<Server> {
        let client = format!("http://127.0.0.1:{}", self.port);
        let peers = self.peers();
        let mut command = Command::new("etcd");
        command.arg("--data-dir").arg(data).args(["--name", self.name]);
        command.args(["--listen-client-urls", &client, "--advertise-client-urls", &client]);
        command.args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers]);
        command.args(["--initial-cluster", cluster]);
        Server::start("etcd", self.port, &mut command)
    }

    /// Waits until it knows a leader. Returns its own id and the leader's.
    fn await_leader(&self) -> Outcome<(String, String)> {
        let (_, ids) = until("etcd has a leader", Duration::from_secs(60), || {
            let Ok(status) = self.gateway().call("/v3/maintenance/status", "{}") else {
                return Ok(None);
            };
            let id = |name| status.field(name).filter(|id| *id != "0").map(str::to_owned);
            Ok(id("member_id").zip(id("leader")))
        })?;
        Ok(ids)
    }

    fn version(&self) -> Outcome<String> {
        let status = self.gateway().call("/v3/maintenance/status", "{}")?;
        Ok(status.field("version").unwrap_or("unknown").to_owned())
    }

    fn gateway(&self) -> Gateway {
        Gateway::new(self.port)
    }
}

/// A server for the commands of the page, its version and its folder.
pub(super) fn for_commands() -> Outcome<(Server, String, Folder)> {
    let node = Node::new("only")?;
    let server = node.start()?;
    let version = node.version()?;
    Ok((server, version, node.folder))
}

/// Drives etcd and writes down what it does.
pub(crate) fn drive(recorder: &mut Recorder) -> Outcome {
    need("etcd", &["etcd-server"])?;
    need("etcdctl", &["etcd-client"])?;
    let node = Node::new("only")?;
    let server = node.start()?;
    let gateway = node.gateway();
    recorder.head("version", &node.version()?);
    let settings =
        "one member, heartbeat 100 ms, election timeout 1000 ms; others where a part says so";
    recorder.head("settings", settings);
    lease::expiry(recorder, gateway)?;
    lease::renewal(recorder, gateway)?;
    lease::kept_alive(recorder, gateway)?;
    queue::predecessors(recorder, gateway)?;
    queue::acquiring_twice(recorder, gateway)?;
    queue::release(recorder, gateway)?;
    token::gaps(recorder, gateway)?;
    token::of_the_lease(recorder, gateway)?;
    token::transaction(recorder, gateway)?;
    server.end("TERM")?;
    restart::killed(recorder, &Node::new("only")?)?;
    restart::members(recorder, &[Node::new("one")?, Node::new("two")?, Node::new("three")?])?;
    restart::snapshot(recorder, &Node::new("only")?)
}

/// A lease, as it was granted.
struct Lease {
    id: i64,
    ttl: i64,
    /// The store's revision when it was granted.
    revision: i64,
}

impl Lease {
    fn grant(gateway: Gateway, seconds: u32) -> Outcome<Self> {
        let answer = gateway.call("/v3/lease/grant", &format!("{{\"TTL\":{seconds}}}"))?;
        let (id, ttl) = (answer.number("ID")?, answer.number("TTL")?);
        if id == 0 {
            return Err(format!("no lease: {}", answer.0));
        }
        Ok(Self { id, ttl, revision: answer.number("revision")? })
    }

    /// The time to live after a renewal, or 0 if there is nothing to renew.
    fn renew(&self, gateway: Gateway) -> Outcome<i64> {
        gateway.call("/v3/lease/keepalive", &format!("{{\"ID\":{}}}", self.id))?.number("TTL")
    }

    /// Ends it; its keys go with it.
    fn revoke(&self, gateway: Gateway) -> Outcome<Answer> {
        gateway.call("/v3/lease/revoke", &format!("{{\"ID\":{}}}", self.id))
    }
}

/// A transaction: compares, and what is done if they all hold.
fn transact(gateway: Gateway, compare: &str, success: &str) -> Outcome<Answer> {
    let body = format!("{{\"compare\":[{compare}],\"success\":[{success}]}}");
    let answer = gateway.call("/v3/kv/txn", &body)?;
    if answer.field("error").is_some() { Err(answer.0) } else { Ok(answer) }
}

/// A comparison of a key's create revision; 0: there is no such key.
fn created_at(key: &str, revision: i64) -> String {
    format!(
        "{{\"key\":\"{}\",\"target\":\"CREATE\",\"result\":\"EQUAL\",\
         \"create_revision\":\"{revision}\"}}",
        base64(key)
    )
}

/// A put within a transaction, under a lease if it is not 0.
fn put_of(key: &str, value: &str, lease: i64) -> String {
    let (key, value) = (base64(key), base64(value));
    format!("{{\"request_put\":{{\"key\":\"{key}\",\"value\":\"{value}\",\"lease\":\"{lease}\"}}}}")
}

fn put(gateway: Gateway, key: &str, value: &str, lease: i64) -> Outcome<i64> {
    let (key, value) = (base64(key), base64(value));
    let body = format!("{{\"key\":\"{key}\",\"value\":\"{value}\",\"lease\":\"{lease}\"}}");
    let answer = gateway.call("/v3/kv/put", &body)?;
    if answer.field("error").is_some() { Err(answer.0) } else { answer.number("revision") }
}

fn delete(gateway: Gateway, key: &str) -> Outcome<i64> {
    let body = format!("{{\"key\":\"{}\"}}", base64(key));
    gateway.call("/v3/kv/deleterange", &body)?.number("deleted")
}

fn get(gateway: Gateway, key: &str) -> Outcome<Answer> {
    gateway.call("/v3/kv/range", &format!("{{\"key\":\"{}\"}}", base64(key)))
}

/// Whether the key is there.
fn is_there(gateway: Gateway, key: &str) -> Outcome<bool> {
    Ok(get(gateway, key)?.number("count")? > 0)
}

/// The keys below `lock/` that are among these, in the order of their create revisions.
fn queue<'a>(gateway: Gateway, names: &[&'a str]) -> Outcome<Vec<&'a str>> {
    let (from, to) = (base64("lock/"), base64("lock0"));
    let body = format!(
        "{{\"key\":\"{from}\",\"range_end\":\"{to}\",\"sort_target\":\"CREATE\",\
         \"sort_order\":\"ASCEND\"}}"
    );
    Ok(gateway.call("/v3/kv/range", &body)?.keys(names))
}

/// The lock recipe's first step: the client's own key, created once. Returns its create revision.
fn join(gateway: Gateway, key: &str, lease: i64) -> Outcome<i64> {
    transact(gateway, &created_at(key, 0), &put_of(key, "", lease))?;
    get(gateway, key)?.number("create_revision")
}

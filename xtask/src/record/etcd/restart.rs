//! What a restart does to leases, and a restored snapshot to revisions.

use super::super::writer::{Moment, Recorder, pass, until};
use super::{Lease, Node, join, lease::gone, put};
use crate::shell::Outcome;
use std::process::Command;
use std::time::Duration;

/// How long an election may take.
const LIMIT: Duration = Duration::from_secs(30);

/// How much of its lease the holder has used up when the server is killed, in milliseconds.
const USED: u64 = 3500;

pub(super) fn killed(recorder: &mut Recorder, node: &Node) -> Outcome {
    recorder.part(
        "restart",
        "A lease of 5 s has run for 3.5 s; the server is killed and started again, and is elected: \
         the lease begins anew. after-grant: from the grant to the key's end; after-start: from \
         before the start; after-leader: from the first answer that names a leader.",
    );
    let server = node.start()?;
    let gateway = node.gateway();
    let (granted, lease) = Moment::of(|| Lease::grant(gateway, 5))?;
    let token = join(gateway, "lock/A", lease.id)?;
    recorder.saw(&format!("joined key=lock/A ttl={}s token={token}", lease.ttl));
    pass(USED);
    server.crash();
    recorder.saw("killed");
    let started = Moment::now();
    let server = node.start()?;
    let elected = Moment::now();
    recorder.saw(&format!("restarted used={}", elected.after(granted)));
    let gone = gone(gateway, "lock/A")?;
    recorder.saw(&format!(
        "expired ttl={}s after-grant={} after-start={} after-leader={}",
        lease.ttl,
        gone.after(granted),
        gone.after(started),
        gone.after(elected)
    ));
    let token = join(gateway, "lock/A", 0)?;
    recorder.saw(&format!("joined key=lock/A token={token}"));
    server.end("TERM")
}

pub(super) fn members(recorder: &mut Recorder, nodes: &[Node]) -> Outcome {
    recorder.part(
        "members",
        "Three members. Leases are granted through one after the other, first to last and last to \
         first: their ids begin with the member's. Then a lease of 5 s has run for 3.5 s and the \
         leader is killed: the lease begins anew with the next one. after-kill: from the kill to \
         the key's end; after-leader: from the first answer that names another leader.",
    );
    let cluster = nodes.iter().map(Node::listed).collect::<Vec<_>>().join(",");
    let mut servers =
        nodes.iter().map(|node| node.spawn(&node.data(), &cluster)).collect::<Outcome<Vec<_>>>()?;
    for node in nodes {
        node.await_leader()?;
    }
    for node in nodes.iter().chain(nodes.iter().rev()) {
        let lease = Lease::grant(node.gateway(), 60)?;
        let (name, revision, id) = (node.name, lease.revision, lease.id);
        recorder.saw(&format!("granted member={name} lease-revision={revision} lease-id={id}"));
    }
    let (_, leader) = nodes[0].await_leader()?;
    let leads = |node: &Node| node.await_leader().is_ok_and(|(id, leader)| id == leader);
    let at = nodes.iter().position(leads).ok_or("no member leads")?;
    let follower = &nodes[(at + 1) % nodes.len()];
    let gateway = follower.gateway();
    let (granted, lease) = Moment::of(|| Lease::grant(gateway, 5))?;
    let token = join(gateway, "lock/A", lease.id)?;
    recorder.saw(&format!("joined key=lock/A ttl={}s token={token}", lease.ttl));
    pass(USED);
    servers.remove(at).crash();
    let killed = Moment::now();
    recorder.saw(&format!("killed leader={} used={}", nodes[at].name, killed.after(granted)));
    let (elected, ()) = until("another member leads", LIMIT, || {
        Ok((follower.await_leader()?.1 != leader).then_some(()))
    })?;
    recorder.saw(&format!("elected after-kill={}", elected.after(killed)));
    let gone = gone(gateway, "lock/A")?;
    recorder.saw(&format!(
        "expired ttl={}s after-grant={} after-kill={} after-leader={}",
        lease.ttl,
        gone.after(granted),
        gone.after(killed),
        gone.after(elected)
    ));
    let token = join(gateway, "lock/A", 0)?;
    recorder.saw(&format!("joined key=lock/A token={token}"));
    Ok(())
}

pub(super) fn snapshot(recorder: &mut Recorder, node: &Node) -> Outcome {
    recorder.part(
        "snapshot",
        "A snapshot is taken while A holds; B and C hold after it; then the snapshot is restored. \
         Revisions have gone back: A's key is there again, and after its end D and E get the \
         tokens of B and C.",
    );
    let server = node.start()?;
    let gateway = node.gateway();
    put(gateway, "elsewhere/0", "x", 0)?;
    let a = Lease::grant(gateway, 60)?;
    let token = join(gateway, "lock/A", a.id)?;
    recorder.saw(&format!("joined who=A key=lock/A token={token}"));
    let file = node.folder.file("snapshot");
    let endpoint = format!("http://127.0.0.1:{}", node.port);
    quietly(etcdctl().args(["--endpoints", &endpoint, "snapshot", "save", &file]))?;
    recorder.saw("snapshot-saved");
    a.revoke(gateway)?;
    for who in ["B", "C"] {
        let lease = Lease::grant(gateway, 60)?;
        let token = join(gateway, "lock/B", lease.id)?;
        recorder.saw(&format!("joined who={who} key=lock/B token={token}"));
        lease.revoke(gateway)?;
    }
    server.end("TERM")?;
    let restored = node.folder.path().join("restored");
    let mut restore = etcdctl();
    restore.args(["snapshot", "restore", &file, "--name", node.name]);
    restore.arg("--data-dir").arg(&restored).args(["--initial-cluster", &node.listed()]);
    quietly(restore.args(["--initial-advertise-peer-urls", &node.peers()]))?;
    let server = node.start_with(&restored)?;
    recorder.saw("snapshot-restored");
    let token = super::get(gateway, "lock/A")?.number("create_revision")?;
    recorder.saw(&format!("found key=lock/A token={token}"));
    a.revoke(gateway)?;
    for who in ["D", "E"] {
        let lease = Lease::grant(gateway, 60)?;
        let token = join(gateway, "lock/B", lease.id)?;
        recorder.saw(&format!("joined who={who} key=lock/B token={token}"));
        lease.revoke(gateway)?;
    }
    server.end("TERM")
}

/// Runs a program whose log is only of interest if it fails.
fn quietly(command: &mut Command) -> Outcome {
    let output = command.output().map_err(|error| format!("cannot start etcdctl: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("etcdctl has failed: {said}")) }
}

fn etcdctl() -> Command {
    let mut command = Command::new("etcdctl");
    command.env("ETCDCTL_API", "3");
    command
}

//! Redis: `SET key value NX PX ttl` as a lock, a counter beside it as the source of tokens, release
//! and renewal with and without a look at the owner, loss by a crash and by a failover.

use super::resp::{Client, Reply};
use super::server::{Folder, Server, free_port, need};
use super::writer::{Moment, Recorder, pass, until, yes};
use crate::shell::Outcome;
use std::process::Command;
use std::time::Duration;

/// Takes the lock and, in the same script, a token: nobody can come between the two.
const ACQUIRE: &str = "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) \
     then return redis.call('INCR', KEYS[2]) else return 0 end";
/// Renews if the value is still ours.
const RENEW: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] \
     then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) else return 0 end";
/// Releases if the value is still ours.
const RELEASE: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] \
     then return redis.call('DEL', KEYS[1]) else return 0 end";

const LIMIT: Duration = Duration::from_secs(10);

/// A server with a folder of its own, and what it is started with.
struct Node {
    folder: Folder,
    port: u16,
    options: Vec<&'static str>,
}

impl Node {
    fn new(options: &[&'static str]) -> Outcome<Self> {
        Ok(Self { folder: Folder::new()?, port: free_port()?, options: options.to_vec() })
    }

    fn start(&self) -> Outcome<Server> {
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--port", &self.port.to_string(), "--save", ""]);
        command.arg("--dir").arg(self.folder.path()).args(&self.options);
        Server::start("redis-server", self.port, &mut command)
    }
}

/// A server for the commands of the page, its version and its folder. Alone in a cluster, it has
/// all slots.
pub(super) fn for_commands(in_cluster: bool) -> Outcome<(Server, String, Folder)> {
    let yes = if in_cluster { "yes" } else { "no" };
    let node = Node::new(&["--appendonly", "no", "--cluster-enabled", yes])?;
    let server = node.start()?;
    let mut client = Client::new(server.port())?;
    if in_cluster {
        client.call(&["CLUSTER", "ADDSLOTSRANGE", "0", "16383"])?;
        until("the cluster is up", LIMIT, || {
            let info = client.call(&["CLUSTER", "INFO"])?.to_string();
            Ok(info.contains("cluster_state:ok").then_some(()))
        })?;
    }
    Ok((server, version(&mut client)?, node.folder))
}

fn version(client: &mut Client) -> Outcome<String> {
    let info = client.call(&["INFO", "server"])?.to_string();
    let version = info.lines().find_map(|line| line.strip_prefix("redis_version:"));
    Ok(version.unwrap_or("unknown").trim().to_owned())
}

/// Drives Redis and writes down what it does.
pub(crate) fn drive(recorder: &mut Recorder) -> Outcome {
    need("redis-server", &["redis-server"])?;
    let node = Node::new(&["--appendonly", "no"])?;
    let server = node.start()?;
    let mut client = Client::new(server.port())?;
    head(recorder, &mut client)?;
    acquire(recorder, &mut client)?;
    expiry(recorder, &mut client)?;
    deadline(recorder, &mut client)?;
    notice(recorder, &mut client, &server)?;
    renewal(recorder, &mut client)?;
    release(recorder, &mut client)?;
    tokens(recorder, &mut client)?;
    drop(client);
    server.end("TERM")?;
    crash(recorder, "crash-in-memory", &["--appendonly", "no"])?;
    crash(recorder, "crash-on-disk", &["--appendonly", "yes", "--appendfsync", "always"])?;
    failover(recorder)
}

fn head(recorder: &mut Recorder, client: &mut Client) -> Outcome {
    recorder.head("version", &version(client)?);
    let hz = client.call(&["CONFIG", "GET", "hz"])?;
    let settings = format!(
        "{}, one node, in memory; others where a part says so",
        hz.to_string().replace(',', " ")
    );
    recorder.head("settings", &settings);
    Ok(())
}

/// `SET key who NX PX ttl`, and when it was answered.
fn take(client: &mut Client, key: &str, who: &str, ttl: u64) -> Outcome<(Moment, Reply)> {
    Moment::of(|| client.call(&["SET", key, who, "NX", "PX", &ttl.to_string()]))
}

/// The acquiring script: the token, or 0.
fn take_token(client: &mut Client, who: &str, ttl: u64) -> Outcome<Reply> {
    client.call(&["EVAL", ACQUIRE, "2", "lock", "lock:token", who, &ttl.to_string()])
}

fn acquire(recorder: &mut Recorder, client: &mut Client) -> Outcome {
    recorder.part("acquire", "SET lock WHO NX PX 60000, by A, by B, and by A once more.");
    for who in ["A", "B", "A"] {
        let (_, reply) = take(client, "lock", who, 60_000)?;
        recorder.saw(&format!("set-nx who={who} reply={reply}"));
    }
    client.call(&["DEL", "lock"])?;
    Ok(())
}

fn expiry(recorder: &mut Recorder, client: &mut Client) -> Outcome {
    recorder.part(
        "expiry",
        "A takes the lock; B asks for it every few milliseconds until it gets it. \
         after: from A's grant to B's.",
    );
    for ttl in [300, 1000] {
        let (granted, reply) = take(client, "lock", "A", ttl)?;
        recorder.saw(&format!("set-nx who=A ttl={ttl}ms reply={reply}"));
        let mut refused = 0;
        let (free, reply) = until("the key has expired", LIMIT, || {
            let (_, reply) = take(client, "lock", "B", 60_000)?;
            refused += u32::from(reply == Reply::Nil);
            Ok(Some(reply).filter(|reply| *reply != Reply::Nil))
        })?;
        let after = free.after(granted);
        recorder.saw(&format!(
            "set-nx who=B reply={reply} refused-before={refused} ttl={ttl}ms after={after}"
        ));
        client.call(&["DEL", "lock"])?;
    }
    Ok(())
}

fn deadline(recorder: &mut Recorder, client: &mut Client) -> Outcome {
    recorder.part(
        "deadline",
        "The server keeps the end of a lock as a time of its wall clock: PEXPIRETIME less the TIME \
         before and after the SET.",
    );
    let now = |client: &mut Client| -> Outcome<i64> {
        let Reply::List(parts) = client.call(&["TIME"])? else {
            return Err("TIME has two parts".to_owned());
        };
        Ok(parts[0].number()? * 1000 + parts[1].number()? / 1000)
    };
    let before = now(client)?;
    take(client, "lock", "A", 5000)?;
    let after = now(client)?;
    let end = client.call(&["PEXPIRETIME", "lock"])?.number()?;
    recorder.saw(&format!("deadline ttl=5000ms ahead={}..{}ms", end - after, end - before));
    client.call(&["DEL", "lock"])?;
    Ok(())
}

fn notice(recorder: &mut Recorder, client: &mut Client, server: &Server) -> Outcome {
    recorder.part(
        "notice",
        "Nobody asks for the key; a subscriber is told that it has expired, once the server's own \
         search for expired keys has found it. after: from the grant to the notice, at most.",
    );
    client.call(&["CONFIG", "SET", "notify-keyspace-events", "Ex"])?;
    let mut subscriber = Client::new(server.port())?;
    subscriber.call(&["SUBSCRIBE", "__keyevent@0__:expired"])?;
    for ttl in [300, 1000] {
        let (granted, _) = take(client, "lock", "A", ttl)?;
        let (told, _) = Moment::of(|| subscriber.reply())?;
        recorder.saw(&format!("told key=lock ttl={ttl}ms after={}", told.after(granted)));
    }
    Ok(())
}

fn renewal(recorder: &mut Recorder, client: &mut Client) -> Outcome {
    recorder.part(
        "renewal",
        "Renewal by a script that looks at the owner, and by PEXPIRE alone, which does not. \
         A's lock expires on the way.",
    );
    let renew =
        |client: &mut Client, who: &str| client.call(&["EVAL", RENEW, "1", "lock", who, "300"]);
    let (_, _) = take(client, "lock", "A", 300)?;
    pass(150);
    let (renewed, reply) = Moment::of(|| renew(client, "A"))?;
    recorder.saw(&format!("renew who=A owner-check=yes held-by=A reply={reply}"));
    let reply = renew(client, "B")?;
    recorder.saw(&format!("renew who=B owner-check=yes held-by=A reply={reply}"));
    let (gone, ()) = until("the key has expired", LIMIT, || {
        Ok(Some(()).filter(|()| client.call(&["GET", "lock"]) == Ok(Reply::Nil)))
    })?;
    recorder.saw(&format!("expired who=A ttl=300ms after={}", gone.after(renewed)));
    let reply = renew(client, "A")?;
    recorder.saw(&format!("renew who=A owner-check=yes held-by=nobody reply={reply}"));
    let reply = client.call(&["PEXPIRE", "lock", "300"])?;
    recorder.saw(&format!("renew who=A owner-check=no held-by=nobody reply={reply}"));
    take(client, "lock", "B", 300)?;
    let reply = renew(client, "A")?;
    recorder.saw(&format!("renew who=A owner-check=yes held-by=B reply={reply}"));
    let reply = client.call(&["PEXPIRE", "lock", "60000"])?;
    recorder.saw(&format!("renew who=A owner-check=no held-by=B reply={reply}"));
    let left = client.call(&["PTTL", "lock"])?.number()?;
    let longer = yes(left > 300);
    recorder.saw(&format!("extended key=lock held-by=B by=A longer={longer}"));
    client.call(&["DEL", "lock"])?;
    Ok(())
}

fn release(recorder: &mut Recorder, client: &mut Client) -> Outcome {
    recorder.part(
        "release",
        "A's lock expires, B takes it, and A releases late: by a script that looks at the owner, \
         and by DEL alone. Then C asks.",
    );
    for checked in [true, false] {
        take(client, "lock", "A", 50)?;
        pass(100);
        take(client, "lock", "B", 60_000)?;
        let reply = if checked {
            client.call(&["EVAL", RELEASE, "1", "lock", "A"])?
        } else {
            client.call(&["DEL", "lock"])?
        };
        let check = yes(checked);
        recorder.saw(&format!("release who=A owner-check={check} held-by=B reply={reply}"));
        let holder = client.call(&["GET", "lock"])?;
        recorder.saw(&format!("holder key=lock value={holder}"));
        let (_, reply) = take(client, "lock", "C", 60_000)?;
        recorder.saw(&format!("set-nx who=C believed-by=B reply={reply}"));
        let reply = client.call(&["EVAL", RELEASE, "1", "lock", "B"])?;
        recorder.saw(&format!("release who=B owner-check=yes reply={reply}"));
        client.call(&["DEL", "lock"])?;
    }
    Ok(())
}

fn tokens(recorder: &mut Recorder, client: &mut Client) -> Outcome {
    recorder.part(
        "tokens",
        "SET NX and INCR in one script, for one holder after the other. The counter does not \
         expire. A refused attempt takes no token.",
    );
    client.call(&["SET", "lock:token", "32"])?;
    for who in ["A", "B", "C", "A"] {
        let token = take_token(client, who, 60_000)?;
        recorder.saw(&format!("acquire who={who} token={token}"));
        client.call(&["INCR", "unrelated"])?;
        let refused = take_token(client, "D", 60_000)?;
        recorder.saw(&format!("acquire who=D token={refused}"));
        client.call(&["EVAL", RELEASE, "1", "lock", who])?;
    }
    client.call(&["DEL", "lock", "lock:token"])?;
    Ok(())
}

/// The server is killed while A holds the lock, and started again.
fn crash(recorder: &mut Recorder, part: &str, options: &[&'static str]) -> Outcome {
    recorder.part(
        part,
        &format!(
            "{}: the server is killed and started again while A holds the lock. \
          Then B asks.",
            options.join(" ")
        ),
    );
    let node = Node::new(options)?;
    let server = node.start()?;
    let mut client = Client::new(server.port())?;
    let token = take_token(&mut client, "A", 60_000)?;
    recorder.saw(&format!("acquire who=A token={token}"));
    server.crash();
    let server = node.start()?;
    let mut client = Client::new(server.port())?;
    recorder.saw("restarted");
    let loaded = || client.call(&["GET", "lock"]).map(|reply| Some(reply).filter(is_no_error));
    let (_, holder) = until("the server has loaded its data", LIMIT, loaded)?;
    recorder.saw(&format!("holder key=lock value={holder}"));
    let token = take_token(&mut client, "B", 60_000)?;
    recorder.saw(&format!("acquire who=B token={token}"));
    server.end("TERM")
}

fn is_no_error(reply: &Reply) -> bool {
    !matches!(reply, Reply::Error(_))
}

/// A replica that has not heard of the newest grant is promoted.
fn failover(recorder: &mut Recorder) -> Outcome {
    recorder.part(
        "failover",
        "A primary and a replica. A's first grant is replicated, the second is not, because the \
         replica is cut off before it; then the replica is promoted. WAIT tells how many replicas \
         have it.",
    );
    let (first, second) =
        (Node::new(&["--appendonly", "no"])?, Node::new(&["--appendonly", "no"])?);
    let (primary, replica) = (first.start()?, second.start()?);
    let (mut old, mut new) = (Client::new(primary.port())?, Client::new(replica.port())?);
    new.call(&["REPLICAOF", "127.0.0.1", &primary.port().to_string()])?;
    until("the replica follows", Duration::from_secs(30), || {
        let info = new.call(&["INFO", "replication"])?.to_string();
        Ok(Some(()).filter(|()| info.contains("master_link_status:up")))
    })?;
    let token = take_token(&mut old, "A", 60_000)?;
    let copies = old.call(&["WAIT", "1", "5000"])?;
    recorder.saw(&format!("acquire who=A at=primary token={token} copies={copies}"));
    let held = new.call(&["GET", "lock"])?;
    recorder.saw(&format!("holder at=replica value={held}"));
    let reply = old.call(&["EVAL", RELEASE, "1", "lock", "A"])?;
    let copies = old.call(&["WAIT", "1", "5000"])?;
    recorder.saw(&format!("release who=A at=primary reply={reply} copies={copies}"));
    // Nobody listens there: the replica keeps what it has, as behind a cut link.
    new.call(&["REPLICAOF", "127.0.0.1", &free_port()?.to_string()])?;
    recorder.saw("cut between=primary,replica");
    let token = take_token(&mut old, "A", 60_000)?;
    let copies = old.call(&["WAIT", "1", "200"])?;
    recorder.saw(&format!("acquire who=A at=primary token={token} copies={copies}"));
    let reply = new.call(&["REPLICAOF", "NO", "ONE"])?;
    recorder.saw(&format!("promoted at=replica reply={reply}"));
    let token = take_token(&mut new, "B", 60_000)?;
    recorder.saw(&format!("acquire who=B at=replica token={token}"));
    for (at, client) in [("primary", &mut old), ("replica", &mut new)] {
        let (holder, token) =
            (client.call(&["GET", "lock"])?, client.call(&["GET", "lock:token"])?);
        recorder.saw(&format!("holder at={at} value={holder} token={token}"));
    }
    replica.end("TERM")?;
    primary.end("TERM")
}

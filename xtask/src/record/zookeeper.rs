//! ZooKeeper: sessions and their rounding, a queue of ephemeral sequential nodes in which each
//! watches its predecessor, the sequence number and the zxid as tokens, and a restart.

mod queue;
mod restart;
mod session;
mod token;
mod wrap;

use super::jute::{Client, Code, Mode, Stat};
use super::server::{Folder, Server, connect, free_port, need};
use super::writer::{Recorder, until};
use crate::shell::{Outcome, write};
use std::io::{Read, Write};
use std::process::Command;
use std::time::Duration;

/// Where Debian puts the server, with the names of what it needs inside.
pub(super) const JAR: &str = "/usr/share/java/zookeeper.jar";

const MAIN: &str = "org.apache.zookeeper.server.quorum.QuorumPeerMain";

/// Long enough that a client which does nothing for a while does not lose its session.
const LONG: i32 = 100_000;

/// A server's folder, port and configuration.
struct Node {
    folder: Folder,
    port: u16,
}

impl Node {
    /// A server that runs alone.
    fn alone(tick: u32) -> Outcome<Self> {
        Self::new(tick, "")
    }

    /// A server that takes part in a quorum, of which it is the only member: it is elected.
    fn quorum(tick: u32) -> Outcome<Self> {
        let (peers, election) = (free_port()?, free_port()?);
        let quorum = format!(
            "standaloneEnabled=false\nreconfigEnabled=false\ninitLimit=10\nsyncLimit=5\n\
             server.1=127.0.0.1:{peers}:{election}\n"
        );
        Self::new(tick, &quorum)
    }

    fn new(tick: u32, more: &str) -> Outcome<Self> {
        let node = Self { folder: Folder::new()?, port: free_port()? };
        let configuration = format!(
            "tickTime={tick}\ndataDir={}\nclientPort={}\nclientPortAddress=127.0.0.1\n\
             admin.enableServer=false\n{more}",
            node.folder.path().display(),
            node.port
        );
        write(&node.folder.path().join("zoo.cfg"), &configuration)?;
        write(&node.folder.path().join("myid"), "1\n")?;
        Ok(node)
    }

    /// Starts it and waits until it lets a session in.
    fn start(&self) -> Outcome<Server> {
        self.start_with(&[])
    }

    /// The same with options of the Java machine.
    fn start_with(&self, options: &[&str]) -> Outcome<Server> {
        let mut command = Command::new("java");
        command.args(["-Xmx256m", "-Dzookeeper.jmx.log4j.disable=true"]).args(options);
        command.args(["-cp", JAR, MAIN]);
        command.arg(self.folder.file("zoo.cfg")).current_dir(self.folder.path());
        let server = Server::start("zookeeper", self.port, &mut command)?;
        until("ZooKeeper lets a session in", Duration::from_secs(60), || {
            Ok(Client::new(self.port, LONG).ok())
        })?
        .1
        .close()?;
        Ok(server)
    }
}

/// A server for the commands of the page, its version and its folder.
pub(super) fn for_commands() -> Outcome<(Server, String, Folder)> {
    let node = Node::alone(2000)?;
    let server = node.start()?;
    let version = version(node.port)?;
    Ok((server, version, node.folder))
}

/// Drives ZooKeeper and writes down what it does.
pub(crate) fn drive(recorder: &mut Recorder) -> Outcome {
    need("java", &["default-jre-headless"])?;
    need(JAR, &["zookeeper"])?;
    let node = Node::alone(500)?;
    let server = node.start()?;
    recorder.head("version", &version(node.port)?);
    recorder.head("settings", "one server, alone, tickTime 500 ms; others where a part says so");
    session::timeouts(recorder, node.port, 500)?;
    session::kept_alive(recorder, node.port)?;
    session::connection(recorder, node.port)?;
    queue::predecessors(recorder, node.port)?;
    queue::orphan(recorder, node.port)?;
    queue::release(recorder, node.port)?;
    token::sequence(recorder, node.port)?;
    token::parent_removed(recorder, node.port)?;
    server.end("TERM")?;
    wrap::drive(recorder)?;
    let slow = Node::alone(2000)?;
    let server = slow.start()?;
    session::timeouts(recorder, slow.port, 2000)?;
    server.end("TERM")?;
    restart::drive(recorder, "restart-alone", "A server that runs alone", &Node::alone(500)?)?;
    restart::drive(
        recorder,
        "restart-elected",
        "A server that is the only member of a quorum and is elected",
        &Node::quorum(500)?,
    )
}

/// What the server says of itself when it is sent the word `srvr`.
fn version(port: u16) -> Outcome<String> {
    let mut stream = connect(port)?;
    let mut text = String::new();
    let asked = stream.write_all(b"srvr").and_then(|()| stream.read_to_string(&mut text));
    asked.map_err(|error| format!("ZooKeeper does not tell its version: {error}"))?;
    let version = text.split_once("version: ").map_or("unknown", |(_, rest)| rest);
    Ok(version.split(['-', ',']).next().unwrap_or_default().to_owned())
}

/// Creates a node that must not be there yet.
fn must(client: &mut Client, path: &str, mode: Mode) -> Outcome<(String, Stat)> {
    client.create(path, mode)?.map_err(|code: Code| format!("create {path}: {code}"))
}

/// A node's sequence number: the digits at the end of its path, with their sign.
fn sequence_of(path: &str) -> String {
    let number = path.split_once("lock-").and_then(|(_, number)| number.parse::<i64>().ok());
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

/// A node's tokens, as fields.
fn tokens(path: &str, stat: Stat) -> String {
    let (epoch, counter) = (stat.epoch(), stat.counter());
    let sequence = sequence_of(path);
    format!("sequence={sequence} zxid={} epoch={epoch} counter={counter}", stat.created)
}

//! A restart of the server: which tokens go on, and how long the sessions live that it finds again.

use super::super::jute::{Client, Mode};
use super::super::writer::{Moment, Recorder, pass, until};
use super::{LONG, Node, must, tokens};
use crate::shell::Outcome;
use std::time::Duration;

/// What the session asks for.
const TIMEOUT: i32 = 4000;

/// How long it has been silent when the server is killed.
const SILENT: u64 = 2500;

pub(super) fn drive(recorder: &mut Recorder, part: &str, about: &str, node: &Node) -> Outcome {
    recorder.part(
        part,
        &format!(
            "{about}. A session of {TIMEOUT} ms holds a node and is silent for {SILENT} ms; the \
             server is killed and started again. The session begins a full timeout anew. \
             after-restart: from before the start to the node's end; after-hello: from the first \
             answer."
        ),
    );
    let server = node.start()?;
    let mut maker = Client::new(node.port, LONG)?;
    must(&mut maker, "/restart", Mode::Plain)?;
    let mut holder = Client::new(node.port, TIMEOUT)?;
    for _ in 0..3 {
        let (path, stat) = must(&mut holder, "/restart/lock-", Mode::EphemeralSequential)?;
        recorder.saw(&format!("created {}", tokens(&path, stat)));
    }
    let heard = Moment::now();
    let session = holder.session.clone();
    let granted = session.timeout;
    pass(SILENT);
    server.crash();
    recorder.saw("killed");
    let started = Moment::now();
    let server = node.start()?;
    let hello = Moment::now();
    recorder.saw(&format!("restarted silent={}", hello.after(heard)));
    let mut maker = Client::new(node.port, LONG)?;
    let (gone, ()) = until("the session has expired", Duration::from_secs(30), || {
        Ok(maker.children("/restart")?.is_empty().then_some(()))
    })?;
    recorder.saw(&format!(
        "expired tick=500ms granted={granted}ms after-restart={} after-hello={}",
        gone.after(started),
        gone.after(hello)
    ));
    let (path, stat) = must(&mut maker, "/restart/lock-", Mode::Sequential)?;
    recorder.saw(&format!("created {}", tokens(&path, stat)));
    maker.close()?;
    server.end("TERM")
}

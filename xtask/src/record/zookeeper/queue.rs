//! The lock's queue: who is first, who is woken by whose end, what a reply that was lost leaves
//! behind, and who may release.

use super::super::jute::{Client, Mode};
use super::super::writer::{Recorder, pass, until, yes};
use super::{LONG, must, sequence_of, tokens};
use crate::shell::Outcome;
use std::time::Duration;

/// How long a watch is given to fire.
const WAIT: Duration = Duration::from_millis(200);

/// A client in the queue.
struct Waiter {
    who: &'static str,
    client: Client,
    path: String,
}

impl Waiter {
    fn join(who: &'static str, port: u16, timeout: i32, parent: &str) -> Outcome<(Self, String)> {
        let mut client = Client::new(port, timeout)?;
        let prefix = format!("{parent}/lock-");
        let (path, stat) = must(&mut client, &prefix, Mode::EphemeralSequential)?;
        let tokens = tokens(&path, stat);
        Ok((Self { who, client, path }, tokens))
    }

    /// The recipe's step: the holder is who is first; anybody else watches the one before.
    fn look(&mut self, parent: &str) -> Outcome<String> {
        let names = self.client.children(parent)?;
        let own = self.path.rsplit('/').next().unwrap_or_default();
        let place = names.iter().position(|name| name == own).ok_or("its node is gone")?;
        let who = self.who;
        let Some(before) = place.checked_sub(1).map(|place| &names[place]) else {
            return Ok(format!("look who={who} place=0 holder=yes"));
        };
        let there = self.client.exists(&format!("{parent}/{before}"), true)?.is_some();
        let (watches, there) = (sequence_of(before), yes(there));
        Ok(format!("look who={who} place={place} holder=no watches={watches} there={there}"))
    }
}

/// Writes down who was woken and who was not.
fn woken(recorder: &mut Recorder, waiters: &mut [Waiter], dead: &str) -> Outcome {
    for waiter in waiters.iter_mut().filter(|waiter| waiter.who != dead) {
        let fired = waiter.client.fired(WAIT)?;
        let who = waiter.who;
        recorder.saw(&match fired.first() {
            Some((_, path)) => format!("woken who={who} by={}", sequence_of(path)),
            None => format!("not-woken who={who}"),
        });
    }
    Ok(())
}

pub(super) fn predecessors(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "queue",
        "A, B, C and D queue up; each watches the node before its own. B goes silent in the queue \
         and its session (1000 ms) expires while A holds; then A releases; then C's session is \
         closed.",
    );
    let mut maker = Client::new(port, LONG)?;
    must(&mut maker, "/queue", Mode::Plain)?;
    let mut waiters = Vec::new();
    for who in ["A", "B", "C", "D"] {
        let timeout = if who == "B" { 1000 } else { LONG };
        let (waiter, tokens) = Waiter::join(who, port, timeout, "/queue")?;
        recorder.saw(&format!("joined who={who} {tokens}"));
        waiters.push(waiter);
    }
    for waiter in &mut waiters {
        let line = waiter.look("/queue")?;
        recorder.saw(&line);
    }
    let b = waiters[1].path.clone();
    until("B's session has expired", Duration::from_secs(10), || {
        Ok(maker.exists(&b, false)?.is_none().then_some(()))
    })?;
    recorder.saw("expired who=B");
    woken(recorder, &mut waiters, "B")?;
    let line = waiters[2].look("/queue")?;
    recorder.saw(&line);
    let a = waiters[0].path.clone();
    let reply = waiters[0].client.delete(&a)?;
    recorder.saw(&format!("released who=A reply={reply}"));
    woken(recorder, &mut waiters, "B")?;
    let line = waiters[2].look("/queue")?;
    recorder.saw(&line);
    let c = waiters.remove(2);
    c.client.close()?;
    recorder.saw("closed who=C");
    woken(recorder, &mut waiters, "B")?;
    let line = waiters[2].look("/queue")?;
    recorder.saw(&line);
    maker.close()
}

pub(super) fn orphan(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "orphan",
        "A asks to create its node, and its connection is lost before the answer. It comes back in \
         the same session and asks again: it queues behind its own first node.",
    );
    let mut maker = Client::new(port, LONG)?;
    must(&mut maker, "/orphan", Mode::Plain)?;
    let mut client = Client::new(port, LONG)?;
    client.create_unheard("/orphan/lock-", Mode::EphemeralSequential)?;
    pass(200);
    let session = client.session.clone();
    drop(client);
    recorder.saw("connection-lost who=A");
    let mut client = Client::resume(port, &session)?;
    let (path, stat) = must(&mut client, "/orphan/lock-", Mode::EphemeralSequential)?;
    recorder.saw(&format!("joined who=A {}", tokens(&path, stat)));
    for name in maker.children("/orphan")? {
        let path = format!("/orphan/{name}");
        let stat = maker.exists(&path, false)?.ok_or("a child is gone")?;
        let mine = if stat.owner == session.id { "A" } else { "another" };
        recorder.saw(&format!("node owner={mine} {}", tokens(&path, stat)));
    }
    let mut waiter = Waiter { who: "A", client, path };
    let line = waiter.look("/orphan")?;
    recorder.saw(&line);
    waiter.client.close()?;
    let left = maker.children("/orphan")?.len();
    recorder.saw(&format!("closed who=A nodes-left={left}"));
    maker.close()
}

pub(super) fn release(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "release",
        "The server does not look at the owner of a node: B deletes A's, and becomes the first.",
    );
    let mut maker = Client::new(port, LONG)?;
    must(&mut maker, "/release", Mode::Plain)?;
    let (a, tokens_a) = Waiter::join("A", port, LONG, "/release")?;
    let (mut b, tokens_b) = Waiter::join("B", port, LONG, "/release")?;
    recorder.saw(&format!("joined who=A {tokens_a}"));
    recorder.saw(&format!("joined who=B {tokens_b}"));
    let line = b.look("/release")?;
    recorder.saw(&line);
    let reply = b.client.delete(&a.path)?;
    recorder.saw(&format!("released who=B of=A owner-check=no reply={reply}"));
    let line = b.look("/release")?;
    recorder.saw(&line);
    b.client.close()?;
    a.client.close()?;
    maker.close()
}

//! The lock's queue: who is first by create revision, who is woken by whose end, what acquiring
//! twice gives, and who may release.

use super::super::gateway::{Answer, Gateway};
use super::super::writer::{Moment, Recorder, pass, yes};
use super::{Lease, created_at, delete, get, is_there, join, lease::gone, queue, transact};
use crate::shell::Outcome;
use std::sync::mpsc::Receiver;

/// Each client's key, in the order in which they queue.
const KEYS: [&str; 4] = ["lock/A", "lock/B", "lock/C", "lock/D"];

/// How long a watch is given to tell something.
const WAIT: u64 = 300;

/// A client in the queue.
struct Waiter {
    key: &'static str,
    lease: Lease,
    watch: Option<Receiver<(Moment, Answer)>>,
}

impl Waiter {
    fn join(
        recorder: &mut Recorder,
        gateway: Gateway,
        key: &'static str,
        ttl: u32,
    ) -> Outcome<Self> {
        let lease = Lease::grant(gateway, ttl)?;
        let token = join(gateway, key, lease.id)?;
        recorder.saw(&format!("joined key={key} ttl={}s token={token}", lease.ttl));
        Ok(Self { key, lease, watch: None })
    }

    /// The recipe's step: the holder is who is first; anybody else watches the one before.
    fn look(&mut self, recorder: &mut Recorder, gateway: Gateway) -> Outcome {
        let names = queue(gateway, &KEYS)?;
        let key = self.key;
        let place = names.iter().position(|name| *name == key).ok_or("its key is gone")?;
        self.watch = None;
        let Some(before) = place.checked_sub(1).map(|place| names[place]) else {
            recorder.saw(&format!("look key={key} place=0 holder=yes"));
            return Ok(());
        };
        self.watch = Some(gateway.watch(before)?);
        recorder.saw(&format!("look key={key} place={place} holder=no watches={before}"));
        Ok(())
    }
}

/// Writes down whose watch has told the end of a key, and whose has not.
fn woken(recorder: &mut Recorder, waiters: &[Waiter], but: &[&str]) {
    pass(WAIT);
    for waiter in waiters.iter().filter(|waiter| !but.contains(&waiter.key)) {
        let events: Vec<_> = waiter.watch.iter().flat_map(Receiver::try_iter).collect();
        let end = events.iter().find(|(_, event)| event.0.contains("DELETE"));
        let by = end.and_then(|(_, event)| event.keys(&KEYS).first().copied());
        let key = waiter.key;
        recorder.saw(&match by {
            Some(by) => format!("woken key={key} by={by}"),
            None => format!("not-woken key={key}"),
        });
    }
}

pub(super) fn predecessors(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "queue",
        "A, B, C and D queue up, each with a lease; the token is the key's create revision, fixed \
         when it joins. Each watches the key before its own. B's lease (2 s) ends in the queue \
         while A holds; then A releases; then C's lease is revoked.",
    );
    let mut waiters = Vec::new();
    for key in KEYS {
        let ttl = if key == "lock/B" { 2 } else { 60 };
        waiters.push(Waiter::join(recorder, gateway, key, ttl)?);
    }
    for waiter in &mut waiters {
        waiter.look(recorder, gateway)?;
    }
    gone(gateway, "lock/B")?;
    recorder.saw("expired key=lock/B");
    woken(recorder, &waiters, &["lock/B"]);
    waiters[2].look(recorder, gateway)?;
    recorder.saw(&format!("released key=lock/A deleted={}", delete(gateway, "lock/A")?));
    woken(recorder, &waiters, &["lock/A", "lock/B"]);
    waiters[2].look(recorder, gateway)?;
    waiters[2].lease.revoke(gateway)?;
    recorder.saw("revoked key=lock/C");
    woken(recorder, &waiters, &["lock/A", "lock/B", "lock/C"]);
    waiters[3].look(recorder, gateway)?;
    for waiter in waiters {
        waiter.lease.revoke(gateway)?;
    }
    Ok(())
}

pub(super) fn acquiring_twice(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "acquiring-twice",
        "A joins again with the same key, as after a lost reply: the key is there, and its create \
         revision is the token that it was. After the key's end it is a later one.",
    );
    let lease = Lease::grant(gateway, 60)?;
    for _ in 0..2 {
        let token = join(gateway, "lock/A", lease.id)?;
        recorder.saw(&format!("joined key=lock/A token={token}"));
    }
    recorder.saw(&format!("released key=lock/A deleted={}", delete(gateway, "lock/A")?));
    let token = join(gateway, "lock/A", lease.id)?;
    recorder.saw(&format!("joined key=lock/A token={token}"));
    lease.revoke(gateway)?;
    Ok(())
}

pub(super) fn release(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "release",
        "All clients use one key, lock/A. A's lease ends, B creates the key anew, and A releases \
         late: in a transaction that compares the create revision with A's token, and without.",
    );
    for checked in [true, false] {
        let (a, b) = (Lease::grant(gateway, 60)?, Lease::grant(gateway, 60)?);
        let token = join(gateway, "lock/A", a.id)?;
        recorder.saw(&format!("joined who=A key=lock/A token={token}"));
        a.revoke(gateway)?;
        let newer = join(gateway, "lock/A", b.id)?;
        recorder.saw(&format!("joined who=B key=lock/A token={newer}"));
        let deletion =
            format!("{{\"request_delete_range\":{{\"key\":\"{}\"}}}}", super::base64("lock/A"));
        let compare = if checked { created_at("lock/A", token) } else { String::new() };
        let succeeded = transact(gateway, &compare, &deletion)?.is("succeeded");
        let there = is_there(gateway, "lock/A")?;
        recorder.saw(&format!(
            "released who=A owner-check={} succeeded={} held-by-B={}",
            yes(checked),
            yes(succeeded),
            yes(there && get(gateway, "lock/A")?.number("lease")? == b.id)
        ));
        b.revoke(gateway)?;
    }
    Ok(())
}

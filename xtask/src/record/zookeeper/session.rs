//! Sessions: the timeout that the server grants, how late it judges, what keeps a session alive,
//! and what its client learns of its end.

use super::super::jute::{Client, Mode, Session};
use super::super::writer::{Moment, Recorder, pass, until, yes};
use super::{LONG, must};
use crate::shell::Outcome;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(60);

/// What sessions ask for.
const REQUESTED: [i32; 4] = [1000, 2500, 6000, 100_000];

/// A client that has gone silent, and what an observer sees of its node.
struct Silent {
    client: Client,
    requested: i32,
    path: String,
    /// When the server last heard of it.
    heard: Moment,
    /// The last time at which the node was still there, and the first at which it was gone.
    seen: Instant,
    gone: Option<Moment>,
}

pub(super) fn timeouts(recorder: &mut Recorder, port: u16, tick: u32) -> Outcome {
    recorder.part(
        &format!("sessions-tick-{tick}"),
        &format!(
            "tickTime {tick} ms. Each session creates an ephemeral node and goes silent, with its \
             connection open. after: from the server's last word of it to the node's end. Then the \
             client comes back with the session's id and password."
        ),
    );
    let mut observer = Client::new(port, LONG)?;
    let mut silent = Vec::new();
    for requested in REQUESTED {
        let mut client = Client::new(port, requested)?;
        let path = format!("/silent-{requested}");
        let (heard, _) = Moment::of(|| must(&mut client, &path, Mode::Ephemeral))?;
        let granted = client.session.timeout;
        recorder.saw(&format!("session tick={tick}ms requested={requested}ms granted={granted}ms"));
        silent.push(Silent { client, requested, path, heard, seen: Instant::now(), gone: None });
    }
    let started = Instant::now();
    while silent.iter().any(|one| one.gone.is_none()) {
        if started.elapsed() > LIMIT {
            return Err(format!("a session has not expired after {} s", LIMIT.as_secs()));
        }
        for one in silent.iter_mut().filter(|one| one.gone.is_none()) {
            watch(recorder, &mut observer, one, tick)?;
        }
        pass(5);
    }
    for mut one in silent {
        let closed = yes(one.client.is_closed());
        let back = Client::resume(port, &one.client.session)?;
        let requested = one.requested;
        let word = fate(&back.session, &one.client.session);
        recorder.saw(&format!(
            "reconnect requested={requested}ms connection-closed-by-server={closed} session={word}"
        ));
    }
    observer.close()
}

/// Looks once whether the silent one's node is still there.
fn watch(recorder: &mut Recorder, observer: &mut Client, one: &mut Silent, tick: u32) -> Outcome {
    let asked = Instant::now();
    if observer.exists(&one.path, false)?.is_some() {
        one.seen = asked;
        return Ok(());
    }
    let gone = Moment::between(one.seen, Instant::now());
    recorder.saw(&format!(
        "expired tick={tick}ms requested={}ms granted={}ms after={}",
        one.requested,
        one.client.session.timeout,
        gone.after(one.heard)
    ));
    one.gone = Some(gone);
    Ok(())
}

fn fate(now: &Session, before: &Session) -> &'static str {
    if now.timeout == 0 {
        "expired"
    } else if now.id == before.id {
        "same"
    } else {
        "another"
    }
}

pub(super) fn kept_alive(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "kept-alive",
        "A session of 1000 ms pings every 333 ms for 3 s and then goes silent.",
    );
    let mut observer = Client::new(port, LONG)?;
    let mut client = Client::new(port, 1000)?;
    must(&mut client, "/kept", Mode::Ephemeral)?;
    let started = Instant::now();
    let mut pings = 0;
    let mut last = Moment::now();
    while started.elapsed() < Duration::from_secs(3) {
        pass(333);
        last = Moment::of(|| client.ping())?.0;
        pings += 1;
    }
    let alive = yes(observer.exists("/kept", false)?.is_some());
    let granted = client.session.timeout;
    recorder.saw(&format!("pinged granted={granted}ms pings={pings} alive={alive}"));
    let (gone, ()) = until("the session has expired", LIMIT, || {
        Ok(observer.exists("/kept", false)?.is_none().then_some(()))
    })?;
    let after = gone.after(last);
    recorder.saw(&format!("expired tick=500ms requested=1000ms granted={granted}ms after={after}"));
    observer.close()
}

pub(super) fn connection(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "connection",
        "A connection that is lost does not end its session: A comes back in time. A session that \
         is closed by its client ends at once. after: from the close to the node's end.",
    );
    let mut observer = Client::new(port, LONG)?;
    let mut client = Client::new(port, 2500)?;
    must(&mut client, "/connection", Mode::Ephemeral)?;
    let session = client.session.clone();
    drop(client);
    recorder.saw("connection-lost who=A");
    pass(1000);
    let alive = yes(observer.exists("/connection", false)?.is_some());
    let client = Client::resume(port, &session)?;
    let word = fate(&client.session, &session);
    recorder.saw(&format!("reconnect who=A session={word} node-alive={alive}"));
    let (closed, ()) = Moment::of(|| client.close())?;
    let (gone, ()) = until("the node is gone", LIMIT, || {
        Ok(observer.exists("/connection", false)?.is_none().then_some(()))
    })?;
    recorder.saw(&format!("closed who=A after={}", gone.after(closed)));
    let back = Client::resume(port, &session)?;
    recorder.saw(&format!("reconnect who=A session={}", fate(&back.session, &session)));
    observer.close()
}

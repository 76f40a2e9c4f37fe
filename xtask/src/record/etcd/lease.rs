//! Leases: the time to live that is granted, when a lease ends and its key goes, and renewal.

use super::super::gateway::Gateway;
use super::super::writer::{Moment, Recorder, pass, until, yes};
use super::{Lease, is_there, put};
use crate::shell::Outcome;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(20);

/// Waits until a key is gone.
pub(super) fn gone(gateway: Gateway, key: &str) -> Outcome<Moment> {
    let probe = || Ok((!is_there(gateway, key)?).then_some(()));
    until("the lease has ended", LIMIT, probe).map(|(gone, ())| gone)
}

pub(super) fn expiry(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "expiry",
        "A lease of whole seconds, with a key; nothing renews it. after: from the grant to the \
         key's end, seen by reading it every few milliseconds; told: to the event of a watch, at \
         most. Three of each, because a lease is late by a different share each time.",
    );
    for seconds in [1, 2, 5] {
        // The server looks every 500 ms: each of them begins at another time between its looks.
        for between in [60, 210, 360] {
            let watch = gateway.watch("lock/A")?;
            let (granted, lease) = Moment::of(|| Lease::grant(gateway, seconds))?;
            put(gateway, "lock/A", "", lease.id)?;
            let ttl = lease.ttl;
            recorder.saw(&format!("granted requested={seconds}s ttl={ttl}s"));
            let gone = gone(gateway, "lock/A")?;
            // The first event is the key's creation, the second its end.
            let event = || watch.recv_timeout(LIMIT).map_err(|_| "the watch tells nothing");
            event()?;
            let told = event()?;
            let told =
                if told.1.0.contains("DELETE") { told.0.after(granted) } else { "none".to_owned() };
            let after = gone.after(granted);
            recorder
                .saw(&format!("expired requested={seconds}s ttl={ttl}s after={after} told={told}"));
            pass(between);
        }
    }
    Ok(())
}

pub(super) fn renewal(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "renewal",
        "A renewal answers with the time to live; after the lease's end, with 0, and revives \
         nothing. due: its time is over, and the server has not ended it yet. Then a renewal waits \
         for the end and is refused.",
    );
    let lease = Lease::grant(gateway, 2)?;
    put(gateway, "lock/A", "", lease.id)?;
    pass(1500);
    let (renewed, ttl) = Moment::of(|| lease.renew(gateway))?;
    recorder.saw(&format!("renew who=A lease=held ttl={ttl}s"));
    let gone = gone(gateway, "lock/A")?;
    recorder.saw(&format!("expired ttl={}s after={}", lease.ttl, gone.after(renewed)));
    let ttl = lease.renew(gateway)?;
    recorder.saw(&format!("renew who=A lease=ended ttl={ttl}s"));
    due(recorder, gateway)?;
    let there = yes(is_there(gateway, "lock/A")?);
    recorder.saw(&format!("key name=lock/A there={there}"));
    let refused = put(gateway, "lock/A", "", lease.id).is_err();
    recorder.saw(&format!("put key=lock/A lease=ended refused={}", yes(refused)));
    Ok(())
}

/// A renewal in the short while in which a lease is over and the server has not ended it.
fn due(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    for shift in [0, 110, 220, 330, 440] {
        pass(shift);
        let lease = Lease::grant(gateway, 2)?;
        put(gateway, "lock/due", "", lease.id)?;
        pass(2005);
        if !is_there(gateway, "lock/due")? {
            // The server has just looked.
            continue;
        }
        let ttl = lease.renew(gateway)?;
        let after = yes(is_there(gateway, "lock/due")?);
        recorder.saw(&format!("renew who=A lease=due key-before=yes ttl={ttl}s key-after={after}"));
        return Ok(());
    }
    Err("no lease was met between its time and its end".to_owned())
}

pub(super) fn kept_alive(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "kept-alive",
        "A lease of 2 s is renewed every third of it for 5 s, and then no more; after: from the \
         last renewal to the key's end. Then a lease is revoked: its key goes at once.",
    );
    let lease = Lease::grant(gateway, 2)?;
    put(gateway, "lock/A", "", lease.id)?;
    let started = Instant::now();
    let (mut renewals, mut last) = (0, Moment::now());
    while started.elapsed() < Duration::from_secs(5) {
        pass(667);
        last = Moment::of(|| lease.renew(gateway))?.0;
        renewals += 1;
    }
    let there = yes(is_there(gateway, "lock/A")?);
    recorder.saw(&format!("renewed ttl={}s renewals={renewals} alive={there}", lease.ttl));
    let after = gone(gateway, "lock/A")?.after(last);
    recorder.saw(&format!("expired ttl={}s after={after}", lease.ttl));
    let lease = Lease::grant(gateway, 60)?;
    put(gateway, "lock/A", "", lease.id)?;
    let (revoked, _) = Moment::of(|| lease.revoke(gateway))?;
    let after = gone(gateway, "lock/A")?.after(revoked);
    recorder.saw(&format!("revoked ttl={}s after={after}", lease.ttl));
    Ok(())
}

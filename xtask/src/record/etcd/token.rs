//! Tokens: the key's create revision and its gaps, what of a lease is no token, and the check in
//! the store's own transaction.

use super::super::gateway::Gateway;
use super::super::writer::{Recorder, yes};
use super::{Lease, created_at, delete, get, join, put, put_of, transact};
use crate::shell::Outcome;

pub(super) fn gaps(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "tokens",
        "One lock is taken and released again and again. writes: how many other writes to the \
         store came between, each of which takes a revision, as the release does.",
    );
    let lease = Lease::grant(gateway, 60)?;
    for writes in [0, 0, 1, 5, 0] {
        for n in 0..writes {
            put(gateway, &format!("elsewhere/{n}"), "x", 0)?;
        }
        let token = join(gateway, "lock/A", lease.id)?;
        recorder.saw(&format!("joined key=lock/A writes={writes} token={token}"));
        delete(gateway, "lock/A")?;
    }
    lease.revoke(gateway)?;
    Ok(())
}

pub(super) fn of_the_lease(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "lease-as-token",
        "B opens its session first, C and D then without a write between, then A, which takes the \
         lock before B does. lease-revision: the store's revision when the lease was granted. It \
         repeats, and it is lower for the later holder, because a grant of a lease takes no \
         revision. The ids grow in the order of the grants, not of the holders; a client may also \
         choose one.",
    );
    let mut sessions = Vec::new();
    for who in ["B", "C", "D"] {
        sessions.push((who, Lease::grant(gateway, 60)?));
    }
    put(gateway, "elsewhere/0", "x", 0)?;
    sessions.push(("A", Lease::grant(gateway, 60)?));
    for who in ["A", "B", "C", "D"] {
        let found = sessions.iter().find(|(name, _)| *name == who);
        let (_, lease) = found.ok_or("every client has a session")?;
        let token = join(gateway, "lock/A", lease.id)?;
        let (revision, id) = (lease.revision, lease.id);
        recorder.saw(&format!(
            "holder who={who} token={token} lease-revision={revision} lease-id={id}"
        ));
        delete(gateway, "lock/A")?;
    }
    let answer = gateway.call("/v3/lease/grant", "{\"TTL\":60,\"ID\":7}")?;
    recorder.saw(&format!("granted chosen=yes lease-id={}", answer.number("ID")?));
    for (_, lease) in sessions {
        lease.revoke(gateway)?;
    }
    Ok(())
}

pub(super) fn transaction(recorder: &mut Recorder, gateway: Gateway) -> Outcome {
    recorder.part(
        "transaction",
        "The resource is a key of the same store. A write is a transaction that compares the lock \
         key's create revision with the writer's token. A's lease ends between its two writes.",
    );
    let (a, b) = (Lease::grant(gateway, 60)?, Lease::grant(gateway, 60)?);
    let write = |recorder: &mut Recorder, who: &str, token: i64| -> Outcome {
        let compare = created_at("lock/A", token);
        let answer = transact(gateway, &compare, &put_of("resource", who, 0))?;
        let succeeded = yes(answer.is("succeeded"));
        recorder.saw(&format!("write who={who} token={token} succeeded={succeeded}"));
        Ok(())
    };
    let older = join(gateway, "lock/A", a.id)?;
    recorder.saw(&format!("joined who=A key=lock/A token={older}"));
    write(recorder, "A", older)?;
    a.revoke(gateway)?;
    recorder.saw("revoked who=A");
    // Nobody holds it: there the check is stricter than one that compares with the highest seen.
    write(recorder, "A", older)?;
    let newer = join(gateway, "lock/A", b.id)?;
    recorder.saw(&format!("joined who=B key=lock/A token={newer}"));
    write(recorder, "A", older)?;
    write(recorder, "B", newer)?;
    let version = get(gateway, "resource")?.number("version")?;
    recorder.saw(&format!("resource writes-accepted={version}"));
    b.revoke(gateway)?;
    Ok(())
}

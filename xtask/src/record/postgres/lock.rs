//! A row as a lock: its lease by the database's clock, what a transaction's start does to it, a row
//! lock that an open transaction keeps, and a lock that lives with its session.

use super::super::pg::Session;
use super::super::writer::{Moment, Recorder, pass, until, yes};
use crate::shell::Outcome;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);

pub(super) fn drive(recorder: &mut Recorder, port: u16) -> Outcome {
    lease(recorder, port)?;
    release(recorder, port)?;
    clocks(recorder, port)?;
    open_transaction(recorder, port)?;
    session_lock(recorder, port)
}

/// Takes the row if nobody has it or its time is over, and a token in the same statement.
fn acquire(who: &str, ttl: u64, clock: &str) -> String {
    format!(
        "UPDATE locks SET holder = '{who}', token = token + 1, \
         ends = {clock} + interval '{ttl} milliseconds' \
         WHERE name = 'job' AND (holder IS NULL OR ends <= {clock}) RETURNING token"
    )
}

const CLOCK: &str = "clock_timestamp()";

/// Renews while it is ours and has not expired.
fn renew(who: &str, ttl: u64) -> String {
    format!(
        "UPDATE locks SET ends = {CLOCK} + interval '{ttl} milliseconds' \
         WHERE name = 'job' AND holder = '{who}' AND ends > {CLOCK}"
    )
}

fn reset(session: &mut Session) -> Outcome {
    session.must("TRUNCATE locks")?;
    session.must("INSERT INTO locks VALUES ('job', NULL, 32, NULL)")?;
    Ok(())
}

fn holder(session: &mut Session) -> Outcome<String> {
    let row = session.must("SELECT holder, token FROM locks WHERE name = 'job'")?.row();
    let (holder, token) = row.split_once(',').unwrap_or((&row, "none"));
    Ok(format!("who={holder} token={token}"))
}

fn lease(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "lease",
        "UPDATE locks SET holder, token = token + 1, ends = clock_timestamp() + TTL \
         WHERE holder IS NULL OR ends <= clock_timestamp() RETURNING token. A takes it, B asks \
         every few milliseconds until it gets it; then A renews late. \
         after: from A's grant to B's.",
    );
    let (mut a, mut b) = (Session::new(port)?, Session::new(port)?);
    for ttl in [300, 1000] {
        reset(&mut a)?;
        let (granted, answer) = Moment::of(|| a.must(&acquire("A", ttl, CLOCK)))?;
        recorder.saw(&format!("acquire who=A ttl={ttl}ms token={}", answer.row()));
        let mut refused = 0;
        let (free, answer) = until("the lease has ended", LIMIT, || {
            let answer = b.must(&acquire("B", ttl, CLOCK))?;
            refused += u32::from(answer.rows.is_empty());
            Ok(Some(answer).filter(|answer| !answer.rows.is_empty()))
        })?;
        recorder.saw(&format!(
            "acquire who=B ttl={ttl}ms token={} refused-before={refused} after={}",
            answer.row(),
            free.after(granted)
        ));
        recorder
            .saw(&format!("renew who=A held-by=B rows={}", a.must(&renew("A", ttl))?.changed()));
        recorder
            .saw(&format!("renew who=B held-by=B rows={}", b.must(&renew("B", ttl))?.changed()));
        pass(ttl + 50);
        let late = b.must(&renew("B", ttl))?;
        recorder.saw(&format!("renew who=B held-by=nobody rows={}", late.changed()));
    }
    Ok(())
}

fn release(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "release",
        "A's lease ends, B takes the row, and A releases late: with the owner in the WHERE, and \
         without. Then C asks.",
    );
    let mut session = Session::new(port)?;
    for checked in [true, false] {
        reset(&mut session)?;
        session.must(&acquire("A", 50, CLOCK))?;
        pass(100);
        session.must(&acquire("B", 60_000, CLOCK))?;
        let owner = if checked { " AND holder = 'A'" } else { "" };
        let statement = format!("UPDATE locks SET holder = NULL WHERE name = 'job'{owner}");
        let rows = session.must(&statement)?.changed();
        let check = yes(checked);
        recorder.saw(&format!("release who=A owner-check={check} held-by=B rows={rows}"));
        recorder.saw(&format!("holder {}", holder(&mut session)?));
        let token = session.must(&acquire("C", 60_000, CLOCK))?.row();
        recorder.saw(&format!("acquire who=C believed-by=B token={token}"));
    }
    Ok(())
}

fn clocks(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "clocks",
        "now() is the time at which the transaction began, clock_timestamp() is the time. A \
         transaction is begun and 400 ms pass; age: clock_timestamp() less now() in it. Then it \
         asks for a lease of A that has ended meanwhile, and takes one itself; left: how long \
         that one then still runs.",
    );
    let (mut a, mut b) = (Session::new(port)?, Session::new(port)?);
    let age = "SELECT extract(milliseconds FROM clock_timestamp() - now())::int";
    reset(&mut a)?;
    a.must(&acquire("A", 200, CLOCK))?;
    b.must("BEGIN")?;
    b.must("SELECT now()")?;
    pass(400);
    recorder.saw(&format!("transaction who=B age={}ms", b.must(age)?.row()));
    for (clock, word) in [("now()", "now"), (CLOCK, "clock-timestamp")] {
        let token = b.must(&acquire("B", 1000, clock))?.row();
        recorder.saw(&format!("acquire who=B clock={word} ended=A token={token}"));
    }
    b.must("ROLLBACK")?;
    for (clock, word) in [("now()", "now"), (CLOCK, "clock-timestamp")] {
        reset(&mut a)?;
        b.must("BEGIN")?;
        b.must("SELECT now()")?;
        pass(400);
        let token = b.must(&acquire("B", 1000, clock))?.row();
        b.must("COMMIT")?;
        let left =
            "SELECT ceil(extract(epoch FROM ends - clock_timestamp()) * 1000)::int FROM locks";
        let left = a.must(left)?.row();
        recorder.saw(&format!("acquire who=B clock={word} ttl=1000ms token={token} left={left}ms"));
    }
    Ok(())
}

fn open_transaction(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "open-transaction",
        "A takes the lease for 200 ms and pauses inside the transaction. The lease is over, but B \
         cannot even ask: it waits for A's row lock. 55P03: lock_timeout, 57014: \
         statement_timeout, each set to 500 ms. It ends when A's session ends.",
    );
    let (mut a, mut b) = (Session::new(port)?, Session::new(port)?);
    reset(&mut b)?;
    a.must("BEGIN")?;
    let answer = a.must(&acquire("A", 200, CLOCK))?;
    recorder.saw(&format!("acquire who=A ttl=200ms token={} transaction=open", answer.row()));
    for setting in ["lock_timeout", "statement_timeout"] {
        b.must(&format!("SET {setting} = 500"))?;
        let asked = Moment::now();
        let answer = b.run(&acquire("B", 60_000, CLOCK))?;
        let word = setting.replace('_', "-");
        recorder.saw(&format!(
            "acquire who=B {word}=500ms reply={answer} waited={}",
            Moment::now().after(asked)
        ));
        b.must(&format!("SET {setting} = 0"))?;
    }
    b.begin(&acquire("B", 60_000, CLOCK))?;
    pass(200);
    // The connection is gone without a COMMIT: the server undoes what the transaction did.
    let closed = Moment::now();
    drop(a);
    recorder.saw("closed who=A transaction=open");
    let answer = b.answer()?;
    let after = Moment::now().after(closed);
    recorder.saw(&format!("acquire who=B token={} after-close={after}", answer.row()));
    recorder.saw(&format!("holder {}", holder(&mut b)?));
    Ok(())
}

fn session_lock(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "session-lock",
        "pg_try_advisory_lock(7) lives with its session: no time to live and no token. It is free \
         when the session has ended. A may take it twice, and must then release it twice.",
    );
    let (mut a, mut b) = (Session::new(port)?, Session::new(port)?);
    let take = "SELECT pg_try_advisory_lock(7)";
    let free = "SELECT pg_advisory_unlock(7)";
    for (who, word, statement) in [
        ("A", "acquire", take),
        ("B", "acquire", take),
        ("B", "release", free),
        ("A", "acquire", take),
        ("A", "release", free),
        ("B", "acquire", take),
    ] {
        let session = if who == "A" { &mut a } else { &mut b };
        recorder.saw(&format!("{word} who={who} reply={}", session.run(statement)?.row()));
    }
    let closed = Moment::now();
    drop(a);
    recorder.saw("closed who=A");
    let (free, answer) = until("the lock is free", LIMIT, || {
        Ok(Some(b.must(take)?.row()).filter(|answer| answer == "t"))
    })?;
    let after = free.after(closed);
    recorder.saw(&format!("acquire who=B reply={answer} after-close={after}"));
    Ok(())
}

//! The conditional update as a fence: rows changed in every order of two tokens, in the form of a
//! claim (`fence < t`) and of a write (`fence = t`), and from two transactions at once.

use super::super::pg::{Answer, Session};
use super::super::writer::{Recorder, pass, yes};
use crate::shell::Outcome;

pub(super) fn drive(recorder: &mut Recorder, port: u16) -> Outcome {
    let mut session = Session::new(port)?;
    orders(recorder, &mut session)?;
    claim_and_write(recorder, &mut session)?;
    zero_rows(recorder, &mut session)?;
    concurrent(recorder, port)?;
    select_then_update(recorder, port)
}

/// The fence's forms, as SQL and as a word of the recording.
const FORMS: [(&str, &str); 3] = [("<", "lower"), ("<=", "lower-or-equal"), ("=", "equal")];

/// One row, job 7, whose fence is `fence`.
fn reset(session: &mut Session, fence: &str) -> Outcome {
    session.must("TRUNCATE jobs")?;
    session.must(&format!("INSERT INTO jobs VALUES (7, 'start', {fence})"))?;
    Ok(())
}

fn update(who: &str, token: u32, form: &str) -> String {
    format!(
        "UPDATE jobs SET value = '{who}', fence = {token} WHERE id = 7 AND fence {form} {token}"
    )
}

fn job(session: &mut Session) -> Outcome<String> {
    let row = session.must("SELECT value, fence FROM jobs WHERE id = 7")?.row();
    let (value, fence) = row.split_once(',').unwrap_or((&row, "none"));
    Ok(format!("value={value} fence={fence}"))
}

/// What an update came to, as fields.
fn changed(answer: &Answer) -> String {
    format!("rows={}", answer.changed())
}

fn orders(recorder: &mut Recorder, session: &mut Session) -> Outcome {
    recorder.part(
        "orders",
        "UPDATE jobs SET value = WHO, fence = T WHERE id = 7 AND fence FORM T, one after the \
         other, in every order of the tokens of A (33) and B (34), from fence 0; null is a fence \
         that was never set.",
    );
    for (form, word) in FORMS {
        for order in [[33, 34], [34, 33], [33, 33], [34, 34]] {
            reset(session, "0")?;
            recorder.saw(&format!("row id=7 {}", job(session)?));
            for token in order {
                let who = if token == 33 { "A" } else { "B" };
                let answer = session.must(&update(who, token, form))?;
                recorder.saw(&format!(
                    "update who={who} token={token} form={word} {}",
                    changed(&answer)
                ));
            }
            recorder.saw(&format!("row id=7 {}", job(session)?));
        }
        reset(session, "null")?;
        recorder.saw(&format!("row id=7 {}", job(session)?));
        let answer = session.must(&update("A", 33, form))?;
        recorder.saw(&format!("update who=A token=33 form={word} {}", changed(&answer)));
        recorder.saw(&format!("row id=7 {}", job(session)?));
    }
    Ok(())
}

fn claim_and_write(recorder: &mut Recorder, session: &mut Session) -> Outcome {
    recorder.part(
        "claim-and-write",
        "Each holder claims the row once with fence < T and then writes with fence = T. B claims \
         between A's writes.",
    );
    reset(session, "0")?;
    recorder.saw(&format!("row id=7 {}", job(session)?));
    let steps = [("A", 33, "<"), ("A", 33, "="), ("B", 34, "<"), ("A", 33, "="), ("A", 33, "<")];
    for (who, token, form) in steps.into_iter().chain([("B", 34, "="), ("B", 34, "=")]) {
        let answer = session.must(&update(who, token, form))?;
        let word = FORMS.iter().find(|(sign, _)| *sign == form).map_or("", |(_, word)| *word);
        let step = if form == "<" { "claim" } else { "write" };
        recorder.saw(&format!("{step} who={who} token={token} form={word} {}", changed(&answer)));
    }
    recorder.saw(&format!("row id=7 {}", job(session)?));
    Ok(())
}

fn zero_rows(recorder: &mut Recorder, session: &mut Session) -> Outcome {
    recorder.part(
        "zero-rows",
        "The three meanings of no row: the token is stale; the same update was applied before and \
         its reply was lost; there is no such row. Reading the row back tells them apart.",
    );
    reset(session, "34")?;
    let stale = session.must(&update("A", 33, "<"))?;
    recorder.saw(&format!("update case=stale who=A token=33 form=lower {}", changed(&stale)));
    recorder.saw(&format!("row id=7 {}", job(session)?));
    reset(session, "0")?;
    // The client never learns of this answer: that it asks again is all that follows.
    session.must(&update("A", 33, "<"))?;
    let again = session.must(&update("A", 33, "<"))?;
    recorder.saw(&format!("update case=lost-reply who=A token=33 form=lower {}", changed(&again)));
    recorder.saw(&format!("row id=7 {}", job(session)?));
    session.must("TRUNCATE jobs")?;
    let missing = session.must(&update("A", 33, "<"))?;
    recorder
        .saw(&format!("update case=missing-row who=A token=33 form=lower {}", changed(&missing)));
    recorder.saw(&format!("row id=7 {}", job(session)?));
    Ok(())
}

/// How long a statement is given to show that it waits.
const WAITS: u64 = 200;

/// The second of two transactions at once: whether it waited for the first one's end.
struct Second {
    waited: bool,
    answer: Answer,
}

/// The first transaction updates and stays open, the second one updates, the first one ends. In
/// stricter levels the second has its snapshot before the first one's end.
fn collide(
    port: u16,
    level: &str,
    (first, second): (&str, &str),
    end: &str,
) -> Outcome<(Answer, Second, Answer)> {
    let (mut one, mut two, mut eye) =
        (Session::new(port)?, Session::new(port)?, Session::new(port)?);
    let begin = format!("BEGIN ISOLATION LEVEL {level}");
    one.must(&begin)?;
    two.must(&begin)?;
    two.must("SELECT count(*) FROM jobs")?;
    let first = one.run(first)?;
    two.begin(second)?;
    pass(WAITS);
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    let waited = eye.must(waits)?.row() == "1";
    one.run(end)?;
    let answer = two.answer()?;
    let committed = two.run("COMMIT")?;
    Ok((first, Second { waited, answer }, committed))
}

fn concurrent(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "concurrent",
        "Two transactions at once. The first updates and stays open, the second updates, then the \
         first one ends. waits: the second waits for that end; then it looks at its WHERE again. \
         40001 is a serialization failure.",
    );
    let mut session = Session::new(port)?;
    let levels = [("READ COMMITTED", "read-committed"), ("REPEATABLE READ", "repeatable-read")];
    for (level, level_word) in levels {
        for (form, word) in [("<", "lower"), ("<=", "lower-or-equal")] {
            for order in [[33, 34], [34, 33], [33, 33]] {
                for end in ["COMMIT", "ROLLBACK"] {
                    reset(&mut session, "0")?;
                    let who = |token| if token == 33 { "A" } else { "B" };
                    let statements = order.map(|token| update(who(token), token, form));
                    let pair = (statements[0].as_str(), statements[1].as_str());
                    let (first, second, ended) = collide(port, level, pair, end)?;
                    recorder.saw(&format!(
                        "pair level={level_word} form={word} first={} second={} first-rows={} \
                         first-end={} waits={} second-rows={} second-end={ended}",
                        order[0],
                        order[1],
                        first.changed(),
                        end.to_ascii_lowercase(),
                        yes(second.waited),
                        second.answer.changed(),
                    ));
                    recorder.saw(&format!("row id=7 {}", job(&mut session)?));
                }
            }
        }
    }
    Ok(())
}

fn select_then_update(recorder: &mut Recorder, port: u16) -> Outcome {
    recorder.part(
        "select-then-update",
        "No fence: each transaction first reads the fence, compares it itself, and then updates \
         WHERE id = 7. Both read before either writes; B (34) writes first, then A (33). With \
         SELECT ... FOR UPDATE the second one waits already at its read.",
    );
    let (mut a, mut b) = (Session::new(port)?, Session::new(port)?);
    reset(&mut a, "0")?;
    let fence = "SELECT fence FROM jobs WHERE id = 7";
    for (who, session) in [("A", &mut a), ("B", &mut b)] {
        session.must("BEGIN")?;
        recorder.saw(&format!("read who={who} fence={}", session.must(fence)?.row()));
    }
    for (who, token, session) in [("B", 34, &mut b), ("A", 33, &mut a)] {
        let update = format!("UPDATE jobs SET value = '{who}', fence = {token} WHERE id = 7");
        let answer = session.must(&update)?;
        session.must("COMMIT")?;
        recorder.saw(&format!("update who={who} token={token} form=none {}", changed(&answer)));
    }
    recorder.saw(&format!("row id=7 {}", job(&mut a)?));
    reset(&mut a, "0")?;
    let locking = format!("{fence} FOR UPDATE");
    b.must("BEGIN")?;
    recorder.saw(&format!("read-for-update who=B fence={}", b.must(&locking)?.row()));
    a.must("BEGIN")?;
    a.begin(&locking)?;
    let answer = b.must("UPDATE jobs SET value = 'B', fence = 34 WHERE id = 7")?;
    b.must("COMMIT")?;
    recorder.saw(&format!("update who=B token=34 form=none {}", changed(&answer)));
    recorder.saw(&format!("read-for-update who=A fence={}", a.answer()?.row()));
    a.must("ROLLBACK")?;
    recorder.saw(&format!("row id=7 {}", job(&mut a)?));
    Ok(())
}

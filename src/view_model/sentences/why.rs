//! Why it happened: one caption for the event at the playhead, made from the log's causes and from
//! what each write was judged to be. It draws conclusions from nothing else.

use crate::sim::fact::Fact;
use crate::sim::log::LogEntry;
use crate::sim::scenario::Change;
use crate::sim::time::SimTime;

use crate::view_model::facts::harm;
use crate::view_model::facts::{Teller, listed};
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels::run_label_capital;
use crate::view_model::runs::moment::{Moment, RunNo};

/// The caption of a moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    /// When it happened.
    pub at: SimTime,
    /// What happened and why, in whole sentences.
    pub text: String,
}

/// Which moment the caption speaks of, when `position` moments lie at the playhead or before: the
/// one that matters most among those of the last instant. `None` before the first.
pub fn spoken_of(runs: &Runs, position: u32) -> Option<u32> {
    let last = position.checked_sub(1)?;
    let at = runs.moments.get(last)?.at;
    let first = runs.moments.n_before(at);
    // The later one wins where two matter alike: it is what the instant came to.
    (first..=last).max_by_key(|&index| weight_of(runs, index))
}

fn weight_of(runs: &Runs, index: u32) -> u8 {
    let Some(moment) = runs.moments.get(index) else {
        return 0;
    };
    let entries = runs.entries_of(&moment).into_iter().flatten();
    entries.map(|entry| listed(&entry.fact).weight).max().unwrap_or(0)
}

/// The caption of the moment at `index`.
pub fn why(runs: &Runs, index: u32) -> Option<Why> {
    let moment = runs.moments.get(index)?;
    // What a write came to is in its reason; two answers would be told twice.
    let (reason, is_told) = reason(runs, &moment);
    let what = super::describe::moment(runs, &moment).join(". ");
    let text = match (is_told, reason.is_empty()) {
        (true, _) => reason,
        (false, true) => what,
        (false, false) => format!("{what}. {reason}"),
    };
    Some(Why { at: moment.at, text })
}

/// Why it happened, and whether that says what happened as well.
fn reason(runs: &Runs, moment: &Moment) -> (String, bool) {
    let tell = |run: RunNo, entry: &LogEntry| {
        let recording = runs.run(run).expect("a moment names shown runs only");
        let teller = Teller { recording, words: runs.words_in(run) };
        (teller.why(entry), teller.why_says_what(entry))
    };
    match runs.entries_of(moment) {
        [Some(one), Some(two)] if runs.differs(moment) => (both(runs, one, two), true),
        [None, Some(two)] => tell(RunNo::Two, two),
        // What both runs share is told by Run 2, which checks tokens where the two differ in that.
        [Some(_), Some(two)] => tell(RunNo::Two, two),
        [Some(one), None] => tell(RunNo::One, one),
        [None, None] => (String::new(), false),
    }
}

/// Two answers to one question: the refusal is explained, otherwise the worse one; the other is
/// told in a sentence.
fn both(runs: &Runs, one: &LogEntry, two: &LogEntry) -> String {
    let rank = |run: RunNo, entry: &LogEntry| {
        let refused = matches!(entry.fact, Fact::Store(_, fact) if fact.refused().is_some());
        let judged = runs.run(run).and_then(|r| Some((r, r.write(entry.seq)?)));
        (refused, judged.map(|(_, judged)| harm::of_write(judged)))
    };
    let explained =
        if rank(RunNo::One, one) > rank(RunNo::Two, two) { RunNo::One } else { RunNo::Two };
    let (main, other, other_run) = match explained {
        RunNo::One => (one, two, RunNo::Two),
        RunNo::Two => (two, one, RunNo::One),
    };
    let teller = |run: RunNo| Teller {
        recording: runs.run(run).expect("both runs are shown"),
        words: runs.words_in(run),
    };
    let label = match (runs.compare.as_slice(), other_run) {
        ([Change::Fencing(_)], RunNo::One) => "Without the fence".to_owned(),
        ([Change::Fencing(_)], RunNo::Two) => "With the fence".to_owned(),
        _ => format!("{}:", run_label_capital(runs, other_run)),
    };
    let told = teller(other_run).in_the_other_run(other);
    format!("{} {label} {told}", teller(explained).why(main))
}

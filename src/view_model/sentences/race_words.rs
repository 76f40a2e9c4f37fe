//! The race in words and zones: for each run, which values of the main quantity come to what, what
//! the present one comes to and how far that is known, and one sentence about what happened. Made
//! from the ranges that were found and from the runs; it decides nothing.

use super::range_words::{self, RunRanges, round_above, round_below};
use super::verdict::{Pattern, Tone};
use crate::explore::{Range, Ranges};
use crate::sim::fact::Fact;
use crate::sim::id::ClientId;
use crate::sim::property::{PropertyId, VerdictKind};
use crate::sim::recording::Recording;
use crate::sim::scenario::{
    CannotFence, Change, FaultKind, Quantity, Resource, ScenarioFile, ScenarioSpec,
};
use crate::sim::time::SimDuration;
use crate::view_model::controls::amount;
use crate::view_model::facts::Teller;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::runs::{FencingMode, Runs};
use crate::view_model::systems;
use crate::view_model::words::outcome_words::{OutcomeWords, short, words};
use crate::view_model::words::wording::{self, duration};

/// How far the search for ranges is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// What was found is of what is shown.
    Over,
    /// What was found is of a set-up that was changed since.
    UnderWay,
    /// The runs are too long to be made again and again.
    TooLong,
}

/// Values of the main quantity that come to one outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zone {
    /// The least.
    pub from: SimDuration,
    /// The greatest.
    pub to: SimDuration,
    /// What it looks like.
    pub pattern: Pattern,
}

/// One run of the race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strip {
    /// Which: `no fence`, `with a fence`, or what this run has that the other has not.
    pub name: String,
    /// What values come to, from low to high; empty where there is no such run.
    pub zones: Vec<Zone>,
    /// What the present value comes to; `None`: there is no such run.
    pub outcome: Option<(Pattern, Tone, String)>,
    /// For which values that is known, or why it is not: `above 10.3 s`, `no fence possible`.
    pub place: String,
}

/// The race: always two strips, so that nothing moves when a run comes or goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceText {
    /// The strips, Run 1's first.
    pub strips: [Strip; 2],
    /// The present value with what it comes to, to be spoken: ` No fence: corrupted. …`.
    pub spoken: String,
    /// What happened, in a sentence or two.
    pub sentence: String,
    /// All ranges and how far was searched.
    pub ranges: String,
    /// The values on both sides of each edge, from low to high.
    pub edges: Vec<SimDuration>,
}

/// The race of the runs that are shown.
pub fn race(file: &ScenarioFile, runs: &Runs, found: &[RunRanges], search: Search) -> RaceText {
    let about = range_words::about(file);
    let strips = RunNo::ALL.map(|run| match runs.run(run) {
        Some(recording) => strip(file, runs, (run, recording), found, search),
        None => no_strip(file, runs),
    });
    let clauses = match search {
        Search::Over => range_words::sentences(runs, found, about),
        Search::UnderWay | Search::TooLong => Vec::new(),
    };
    let ranges = match search {
        Search::Over => clauses.into_iter().map(|clause| clause.text).collect::<Vec<_>>().join(" "),
        Search::UnderWay => "The ranges are being searched.".to_owned(),
        Search::TooLong => {
            "This run is too long: where its outcome changes is not searched.".to_owned()
        }
    };
    let spoken = strips.iter().filter_map(|strip| {
        let (_, _, word) = strip.outcome.as_ref()?;
        Some(format!(" {}: {word}.", wording::capital(&strip.name)))
    });
    let spoken = spoken.collect();
    let edges = match search {
        Search::Over => edges(found),
        Search::UnderWay | Search::TooLong => Vec::new(),
    };
    RaceText { spoken, sentence: sentence(file, runs), ranges, edges, strips }
}

fn edges(found: &[RunRanges]) -> Vec<SimDuration> {
    let pairs = found.iter().flat_map(|run| {
        let all = &run.ranges.all;
        all.iter().zip(all.iter().skip(1))
    });
    let mut edges: Vec<_> = pairs.flat_map(|(below, above)| [below.to, above.from]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Whether the two runs differ in their fence alone, or one is shown.
fn is_about_the_fence(runs: &Runs) -> bool {
    matches!(runs.compare.as_slice(), [] | [Change::Fencing(_)])
}

fn name(runs: &Runs, run: RunNo, recording: &Recording) -> String {
    match is_about_the_fence(runs) {
        true if recording.scenario().storage().fencing => "with a fence".to_owned(),
        true => "no fence".to_owned(),
        false => labels::run_label(runs, run),
    }
}

fn strip(
    file: &ScenarioFile,
    runs: &Runs,
    (run, recording): (RunNo, &Recording),
    found: &[RunRanges],
    search: Search,
) -> Strip {
    let present = file.main_quantity().value(recording.scenario().spec());
    let found = found.iter().find(|ranges| ranges.run == run);
    let found = found.map(|found| found.knowing(runs, present).ranges);
    let verdict = recording.verdict();
    let OutcomeWords { tone, pattern, .. } = words(verdict.kind, verdict.by_luck);
    let ranges = found.unwrap_or_default();
    let zone = |range: &Range| {
        let pattern = words(range.outcome.kind, range.outcome.by_luck).pattern;
        Zone { from: range.from, to: range.to, pattern }
    };
    let zones = match search {
        Search::Over | Search::UnderWay => ranges.all.iter().map(zone).collect(),
        Search::TooLong => Vec::new(),
    };
    let place = match (search, present) {
        (Search::UnderWay, _) => "here; searching …".to_owned(),
        (Search::TooLong, _) => "here; too long to search".to_owned(),
        (Search::Over, None) => "in this run".to_owned(),
        (Search::Over, Some(_)) if ranges.is_cut => "here; not all searched".to_owned(),
        (Search::Over, Some(present)) => {
            let what = range_words::about(file).what;
            let found = ranges.range_of(present).filter(|_| ranges.is_complete_at(present));
            let sampled = "here; others sampled";
            found.map_or(sampled.to_owned(), |range| known(&ranges, range, what))
        }
    };
    let outcome = Some((pattern, tone, short(verdict.kind, verdict.by_luck)));
    Strip { name: name(runs, run, recording), zones, outcome, place }
}

/// The second strip where one run is shown.
fn no_strip(file: &ScenarioFile, runs: &Runs) -> Strip {
    let has_fence = runs.run_1.scenario().storage().fencing;
    let cannot = runs.run_1.scenario().cannot_fence().is_some();
    let name = if has_fence { "no fence" } else { "with a fence" };
    let place = match (cannot, FencingMode::of(file)) {
        (true, _) => "no fence possible",
        (false, FencingMode::Off | FencingMode::On | FencingMode::Both) => "not compared",
    };
    Strip { name: name.to_owned(), zones: Vec::new(), outcome: None, place: place.to_owned() }
}

/// What is longer than this, in characters, is left out of a reading, which has one line.
const SHORT_WHAT: usize = 8;

/// For which values around the present one the outcome is known, as far as that is complete: `above
/// 10.3 s`, `up to 10 min`, `8.1 s to 10.3 s`.
fn known(ranges: &Ranges, range: &Range, what: &str) -> String {
    let (from, to) = ranges.complete.unwrap_or((range.from, range.to));
    let begins = ranges.all.first().is_some_and(|first| first.from == range.from);
    let ends = ranges.all.last().is_some_and(|last| last.to == range.to);
    // What is said to be complete ends at numbers that are read at a glance, a little inside.
    let lower = match begins {
        _ if from > range.from => Some((round_above(from), true)),
        true => None,
        false => Some((range.from, false)),
    };
    let is_all = to >= range.to;
    let upper = match ends {
        _ if !is_all => Some(round_below(to)),
        true if ranges.goes_on => None,
        true => (lower.is_none()).then_some(ranges.searched_to),
        false => Some(range.to),
    };
    match (lower, upper) {
        (None, None) if what.chars().count() > SHORT_WHAT => "at every value".to_owned(),
        (None, None) => format!("whatever the {what}"),
        (None, Some(_)) if is_all && !ends && is_short(range.to) => range_words::upper(range),
        (None, Some(to)) => format!("up to {}", duration(below(to))),
        (Some((from, true)), None) => format!("from {}", duration(from)),
        (Some((from, false)), None) if is_short(from) => range_words::lower(range).0,
        (Some((from, false)), None) => format!("above {}", duration(above(from))),
        (Some(_), Some(_)) if range.from == range.to => {
            format!("at {}", range_words::exact(range.from))
        }
        (Some((from, _)), Some(to)) if above(from) >= below(to) => "here alone".to_owned(),
        (Some((from, _)), Some(to)) => {
            let micro = SimDuration::from_micros(1);
            // Just above a round number is told by that.
            let just_below = from.minus(micro);
            let is_round = just_below.micros().is_multiple_of(glance(just_below));
            let from = if is_round { just_below } else { above(from) };
            between(&duration(from), &duration(below(to)))
        }
    }
}

/// `8.1 to 10.3 s`: a unit that both have is said once.
fn between(from: &str, to: &str) -> String {
    let simple = |text: &str| text.matches(' ').count() == 1;
    let shared = from.split_once(' ').zip(to.split_once(' ')).filter(|(one, two)| one.1 == two.1);
    let from = match shared {
        Some(((number, _), _)) if simple(from) => number,
        Some(_) | None => from,
    };
    format!("{from} to {to}")
}

/// What is told at a glance has so many digits: hundredths from a second on, else milliseconds.
fn glance(value: SimDuration) -> u64 {
    if value.micros() >= 1_000_000 { 10_000 } else { 1_000 }
}

/// Whether an end, or the value beside it, is told in full.
fn is_short(value: SimDuration) -> bool {
    let micro = SimDuration::from_micros(1);
    let is_even = |value: SimDuration| value.micros().is_multiple_of(glance(value));
    is_even(value) || is_even(value + micro) || is_even(value.minus(micro))
}

/// A little inside of a range, so that what is said of it stays so.
fn above(value: SimDuration) -> SimDuration {
    let unit = glance(value);
    SimDuration::from_micros(value.micros().div_ceil(unit) * unit)
}

fn below(value: SimDuration) -> SimDuration {
    let unit = glance(value);
    SimDuration::from_micros(value.micros() / unit * unit)
}

/// What happened: `Paused for 15.0 s, A writes late and replaces B's value. With a fence the
/// storage refuses that write.`
fn sentence(file: &ScenarioFile, runs: &Runs) -> String {
    let spec = runs.run_1.scenario().spec();
    let quantity = file.main_quantity();
    let (who, clause) = came_to(runs, &runs.run_1);
    let opening = quantity
        .value(spec)
        .map_or("Here".to_owned(), |value| opening(runs, quantity, spec, value, who));
    let first = format!("{opening} {clause}.");
    let second = match &runs.run_2 {
        Some(run_2) => Some(second(runs, run_2, &clause)),
        None => no_fence(file, runs),
    };
    [first].into_iter().chain(second).collect::<Vec<_>>().join(" ")
}

/// How the main quantity stands, as the beginning of a sentence; `who`: whom its clause is about.
fn opening(
    runs: &Runs,
    quantity: Quantity,
    spec: &ScenarioSpec,
    value: SimDuration,
    who: Option<ClientId>,
) -> String {
    let length = duration(value);
    let (Quantity::FaultLength(id) | Quantity::FaultStart(id)) = quantity else {
        return of_setting(quantity, &length);
    };
    let fault = spec.faults.iter().find(|fault| fault.id == id);
    let Some(fault) = fault.filter(|fault| fault.enabled) else {
        return "Without the fault".to_owned();
    };
    if matches!(quantity, Quantity::FaultStart(_)) {
        return format!("{} {length}:", amount::name(&runs.words, quantity, spec));
    }
    match &fault.kind {
        FaultKind::Pause { client, .. } if who == Some(*client) => format!("Paused for {length},"),
        FaultKind::Pause { .. } => format!("With a pause of {length}"),
        FaultKind::Delay { .. } => format!("With a delay of {length}"),
        FaultKind::Cut { .. } => format!("With a cut of {length}"),
        FaultKind::Crash { .. } => format!("With a restart after {length}"),
        FaultKind::ClockJump { .. } => format!("With a clock step of {length}"),
        FaultKind::ServiceRestart { .. } => {
            format!("With {} away for {length}", runs.words.the_service())
        }
        FaultKind::Failover { .. } => format!("With another node serving after {length}"),
        FaultKind::Duplicate { .. } => format!("With a duplicate {length} later"),
        FaultKind::Lose { .. }
        | FaultKind::ClockRate { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. } => "With the fault".to_owned(),
    }
}

fn of_setting(quantity: Quantity, length: &str) -> String {
    match quantity {
        Quantity::Ttl => format!("With a time to live of {length}"),
        Quantity::Renew => format!("With a renewal every {length}"),
        Quantity::Work => format!("With {length} of work"),
        Quantity::Latency => format!("With messages that take {length}"),
        Quantity::LockDelay => format!("With a lock-delay of {length}"),
        Quantity::Grace => format!("With a grace of {length}"),
        Quantity::DeadlineMargin => format!("With a margin of {length}"),
        Quantity::CheckGap => format!("With {length} between check and write"),
        Quantity::StartsAfter => format!("With {length} before the work begins"),
        Quantity::MinHold => format!("With a least hold of {length}"),
        Quantity::RenewCap => format!("With renewal for {length} at most"),
        Quantity::FaultStart(_) | Quantity::FaultLength(_) => String::new(),
    }
}

/// What a run came to, as a clause, and whom that is about.
fn came_to(runs: &Runs, recording: &Recording) -> (Option<ClientId>, String) {
    let verdict = recording.verdict();
    let costs = recording.costs();
    let teller = Teller { recording, words: &runs.words };
    let first = verdict.first.and_then(|seq| recording.log().get(seq));
    if let Some((client, did)) = first.and_then(|entry| teller.did_harm(entry)) {
        return (Some(client), did);
    }
    let clause = match (verdict.kind, verdict.because) {
        (VerdictKind::WastedWork, _) => "one piece of work is done twice",
        (VerdictKind::NoWorkFinished, _) => "no work is finished",
        (VerdictKind::HalfWritten, _) => "half a unit of work is left",
        (VerdictKind::Corrupted | VerdictKind::Unavailable, Some(property)) => broken(property),
        (VerdictKind::Corrupted, None) => "the state is wrong",
        (VerdictKind::Unavailable, None) => "nobody can get the lock",
        (VerdictKind::Safe, _) if verdict.by_luck && costs.harmless_late > 0 => {
            "something late is taken and by luck does no harm"
        }
        (VerdictKind::Safe, _) if verdict.by_luck => {
            "the work of two holders overlaps and by luck does no harm"
        }
        (VerdictKind::Safe | VerdictKind::SafeSoFar, _) if costs.refused_stale > 0 => {
            let writes = match costs.refused_stale {
                1 => "a late write".to_owned(),
                more => format!("{more} late writes"),
            };
            return (None, format!("the storage refuses {writes}"));
        }
        (VerdictKind::Safe, _) => "nothing bad happens",
        (VerdictKind::SafeSoFar, _) => "nothing bad happens so far",
    };
    (None, clause.to_owned())
}

fn broken(property: PropertyId) -> &'static str {
    match property {
        PropertyId::NoLostUpdate => "no order of the work explains the values",
        PropertyId::NoOlderOverNewer => "an older holder's value replaces a newer one's",
        PropertyId::NoOwnOlderStep => "an older step of a client replaces its newer one",
        PropertyId::NoItemLost => "an item is done, and nobody did its work",
        PropertyId::NoHalfUnit => "half a unit of work is built on",
        PropertyId::NoExternalEffectTwice => "the outside acts twice or out of order",
        PropertyId::RightfulHolderNeverRefused => "the rightful holder is refused",
        PropertyId::SomebodyCanAlwaysGetTheLock => "nobody can get the lock",
        PropertyId::OneLeaseAtATime
        | PropertyId::OneBelieverAtATime
        | PropertyId::TokensNeverGoBack
        | PropertyId::NoWriteAfterItsLeaseEnded
        | PropertyId::NoOlderWriteOnceTheNextHolderHasBegun => "the state is wrong",
    }
}

/// What the other run comes to, beside the first one's clause.
fn second(runs: &Runs, run_2: &Recording, first: &str) -> String {
    let by_fence = is_about_the_fence(runs);
    let label = match by_fence {
        true => "With a fence".to_owned(),
        false => format!("{}:", labels::run_label_capital(runs, RunNo::Two)),
    };
    let (_, clause) = came_to(runs, run_2);
    let is_good = matches!(run_2.verdict().kind, VerdictKind::Safe | VerdictKind::SafeSoFar);
    match refuses_it(runs, run_2) {
        true if is_good => format!("{label} the storage refuses that write."),
        true => format!("{label} the storage refuses that write, and {clause}."),
        false if clause == first => match by_fence {
            true => "With a fence, too.".to_owned(),
            false => format!("{label} the same."),
        },
        false => format!("{label} {clause}."),
    }
}

/// Whether the other run's storage refuses the write that decided the first run.
fn refuses_it(runs: &Runs, run_2: &Recording) -> bool {
    let first = runs.run_1.verdict().first.and_then(|seq| runs.run_1.log().get(seq));
    let write = first.and_then(|entry| match entry.fact {
        Fact::Store(_, fact) => fact.applied().map(|written| written.write),
        Fact::Message(..) | Fact::Service(..) | Fact::Client(..) | Fact::Fault(..) => None,
    });
    let teller = Teller { recording: run_2, words: &runs.words_2 };
    write.is_some_and(|write| teller.has_refused(write))
}

/// Why a fence that was asked for is none.
fn no_fence(file: &ScenarioFile, runs: &Runs) -> Option<String> {
    let why = runs.run_1.scenario().cannot_fence()?;
    if FencingMode::of(file) == FencingMode::Off {
        return None;
    }
    Some(match why {
        CannotFence::NoToken => {
            let name = systems::takes(runs.run_1.scenario().spec());
            format!("{name} gives a fence nothing to compare.")
        }
        CannotFence::Resource(Resource::ExternalCall) => {
            "No fence reaches an external call.".to_owned()
        }
        CannotFence::Resource(_) => "This store compares nothing.".to_owned(),
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

//! Where it breaks, in words: the ranges of the scenario's main quantity in each shown
//! run. The search for them is `explore`'s; when it runs is the page's.

use crate::explore::{Outcome, Range, RangeSearch, Ranges};
use crate::sim::Recording;
use crate::sim::property::VerdictKind;
use crate::sim::scenario::{Change, Quantity, ScenarioFile, ScenarioSpec};
use crate::sim::time::SimDuration;

use super::verdict::Tone;
use crate::view_model::controls::amount;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::words::outcome_words::{is_safe, words};
use crate::view_model::words::wording::{self, duration};

/// The ranges of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunRanges {
    /// Which run.
    pub run: RunNo,
    /// What was found.
    pub ranges: Ranges,
}

impl RunRanges {
    /// What a search that is over has found.
    pub fn of(run: RunNo, search: &RangeSearch) -> Self {
        Self { run, ranges: search.ranges().clone() }
    }
}

/// A piece of the sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// A whole sentence, or a part of one up to its comma.
    pub text: String,
    /// How loud.
    pub tone: Tone,
}

/// Ranges that are told one by one; of more, the rest is counted.
const TOLD: usize = 4;

/// What is said where some clients have their own of a quantity.
const BUT_FOR: &str = ", but for clients with one of their own";

/// What the ranges are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About<'a> {
    /// The quantity, as a noun.
    pub what: &'a str,
    /// Its present value.
    pub present: Option<SimDuration>,
    /// What it is when it grows: long, late, far.
    pub grown: &'static str,
    /// Clients differ in it: what is told is told of one value for all.
    pub is_for_all: bool,
    /// Some clients have their own of it, whatever it is.
    pub is_of_some: bool,
}

/// What a file's ranges are about: its main quantity.
pub fn about(file: &ScenarioFile) -> About<'static> {
    About::of(file.main_quantity(), &file.scenario)
}

impl About<'static> {
    /// A quantity of a scenario.
    pub fn of(quantity: Quantity, spec: &ScenarioSpec) -> Self {
        Self {
            what: amount::noun(quantity, spec),
            present: quantity.present(spec),
            grown: amount::grown(quantity, spec),
            is_for_all: quantity.differing(spec).is_some(),
            is_of_some: quantity.leaves_some_alone(spec),
        }
    }
}

/// The ranges as sentences: “Late but harmless from 8.1 s, up to 10.3 s. Corrupts without a
/// fence above 10.3 s, up to 10 min, the end of the search. With a fence: no pause up to 78 s does,
/// and none was found in 22 more runs up to 10 min. Searched up to 10 min; above 78 s that is a
/// sample of 44 runs.”
pub fn sentences(runs: &Runs, found: &[RunRanges], about: About<'_>) -> Vec<Clause> {
    let found: Vec<_> = found.iter().map(|it| it.knowing(runs, about.present)).collect();
    let Some(first) = found.first() else {
        return Vec::new();
    };
    let mut clauses = if found.len() > 1
        && found[1..].iter().all(|other| other.ranges.all == first.ranges.all)
    {
        let mut clauses = told(first, about, "");
        let label = labels::run_label_capital(runs, RunNo::Two);
        clauses.push(Clause { text: format!("{label}: the same."), tone: Tone::Plain });
        clauses
    } else {
        // A fence ends a sentence as an adverb does; of other differences nobody knows.
        let by_fence = matches!(runs.compare.as_slice(), [Change::Fencing(_)]);
        let mut clauses = match (runs.run_2.is_some(), by_fence) {
            (false, _) => told(first, about, ""),
            (true, true) => told(first, about, " without a fence"),
            (true, false) => labelled(told(first, about, ""), &labels::run_label(runs, first.run)),
        };
        for other in &found[1..] {
            let label = match by_fence {
                true => "With a fence".to_owned(),
                false => labels::run_label_capital(runs, other.run),
            };
            clauses.extend(told_after(first, other, about, &label));
        }
        clauses
    };
    if about.is_for_all {
        let text = format!("With the same {} for all clients:", about.what);
        clauses.insert(0, Clause { text, tone: Tone::Plain });
    }
    if about.is_of_some {
        let text = format!("By the {}{BUT_FOR}:", about.what);
        clauses.insert(0, Clause { text, tone: Tone::Plain });
    }
    let ranges: Vec<_> = found.iter().map(|run| &run.ranges).collect();
    clauses.extend(extent(&ranges).map(|text| Clause { text, tone: Tone::Plain }));
    clauses
}

impl RunRanges {
    /// The same, where the run that is shown is known to be one more.
    pub(super) fn knowing(&self, runs: &Runs, present: Option<SimDuration>) -> Self {
        let recording = match self.run {
            RunNo::One => Some(&runs.run_1),
            RunNo::Two => runs.run_2.as_ref(),
        };
        let ranges = self.ranges.clone();
        let ranges = match (present, recording) {
            (Some(value), Some(recording)) => ranges.knowing(value, Outcome::of(recording)),
            _ => ranges,
        };
        Self { run: self.run, ranges }
    }
}

/// “Not idempotent: late but harmless from 8.1 s, corrupts above 8.9 s.”: sentences that a label
/// opens which none of them could end with.
fn labelled(clauses: Vec<Clause>, label: &str) -> Vec<Clause> {
    let n_clauses = clauses.len();
    let labelled = clauses.into_iter().enumerate().map(|(index, clause)| {
        let text = wording::small(&clause.text);
        let text = match index {
            0 => format!("{}: {text}", wording::capital(label)),
            _ => text,
        };
        let goes_on = index + 1 < n_clauses;
        let text = if goes_on { format!("{};", text.trim_end_matches('.')) } else { text };
        Clause { text, ..clause }
    });
    labelled.collect()
}

/// What is told of: all that is not plainly safe, the range of the present value first; and of many
/// what is only counted. Each verdict is in what is told, however many ranges come before it.
fn told_of<'a>(
    ranges: &'a Ranges,
    about: About<'_>,
    test: impl Fn(Outcome) -> bool,
) -> (Vec<&'a Range>, Vec<&'a Range>) {
    let mut all: Vec<_> = ranges.all.iter().filter(|range| test(range.outcome)).collect();
    let is_here =
        |range: &&Range| about.present.is_some_and(|here| (range.from..=range.to).contains(&here));
    all.sort_by_key(|range| !is_here(range));
    let is_first =
        |place: usize| !all[..place].iter().any(|earlier| earlier.outcome == all[place].outcome);
    let firsts: Vec<_> = (0..all.len()).map(is_first).collect();
    let mut others = TOLD.saturating_sub(firsts.iter().filter(|is_first| **is_first).count());
    let (mut told, mut rest) = (Vec::new(), Vec::new());
    for (range, is_first) in all.into_iter().zip(firsts) {
        let has_room = is_first || others > 0;
        others = if is_first { others } else { others.saturating_sub(1) };
        if has_room { told.push(range) } else { rest.push(range) }
    }
    (told, rest)
}

/// `in 25 ranges more: late but harmless in 20, finishes no work in 5`: what they come to.
fn more(rest: &[&Range]) -> Option<String> {
    let mut counts: Vec<(Outcome, u64)> = Vec::new();
    for range in rest {
        match counts.iter_mut().find(|(outcome, _)| *outcome == range.outcome) {
            Some((_, count)) => *count += 1,
            None => counts.push((range.outcome, 1)),
        }
    }
    let does = |outcome: Outcome| wording::small(verb(outcome));
    let ranges = wording::plural(u64::try_from(rest.len()).ok()?, "range", "ranges");
    match counts.as_slice() {
        [] => None,
        [(outcome, _)] => Some(format!("in {ranges} more: {}", does(*outcome))),
        several => {
            let each = several.iter().map(|(outcome, n)| format!("{} in {n}", does(*outcome)));
            let each: Vec<_> = each.collect();
            Some(format!("in {ranges} more: {}", each.join(", ")))
        }
    }
}

/// Every range of one run that is not plainly safe; without any, that there is none.
fn told(run: &RunRanges, about: About<'_>, suffix: &str) -> Vec<Clause> {
    let ranges = &run.ranges;
    let is_told = |outcome: Outcome| is_harm(outcome) || outcome.by_luck;
    let (all, rest) = told_of(ranges, about, is_told);
    let mut clauses = Vec::new();
    for range in all {
        // Without a fence or with it makes no difference to what is safe.
        let suffix = if is_safe(range.outcome.kind) { "" } else { suffix };
        let place = place(ranges, range, about);
        let text = format!("{}{suffix} {place}.", verb(range.outcome));
        clauses.push(Clause { text, tone: tone(range.outcome) });
    }
    if let Some(more) = more(&rest) {
        let tone = rest.iter().map(|range| tone(range.outcome)).max();
        let text = format!("And {more}.");
        clauses.push(Clause { text, tone: tone.unwrap_or(Tone::Plain).max(Tone::Warning) });
    }
    if clauses.is_empty() && !ranges.all.is_empty() {
        let text = format!("{} does harm{suffix}.", none(ranges, about));
        let text = match beyond(ranges) {
            Some(beyond) => format!("{}, and {beyond}.", text.trim_end_matches('.')),
            None => text,
        };
        clauses.push(Clause { text: wording::capital(&text), tone: Tone::Plain });
    }
    clauses
}

/// The second run, told in view of the first: only its harm.
fn told_after(first: &RunRanges, other: &RunRanges, about: About<'_>, label: &str) -> Vec<Clause> {
    let ranges = &other.ranges;
    let (harm, rest) = told_of(ranges, about, is_harm);
    if ranges.all.is_empty() {
        return Vec::new();
    }
    if harm.is_empty() {
        let first_harms = first.ranges.all.iter().any(|range| is_harm(range.outcome));
        let does = if first_harms { "does" } else { "does harm, either" };
        let beyond = beyond(ranges).map(|text| format!(", and {text}")).unwrap_or_default();
        let text = format!("{label}: {} {does}{beyond}.", none(ranges, about));
        return vec![Clause { text, tone: Tone::Plain }];
    }
    let texts: Vec<String> = harm
        .iter()
        .map(|range| {
            let place = place(ranges, range, about);
            format!("{} {place}", wording::small(verb(range.outcome)))
        })
        .collect();
    let more = more(&rest).map(|more| format!("; and {more}")).unwrap_or_default();
    let tone =
        harm.iter().chain(&rest).map(|range| tone(range.outcome)).max().unwrap_or(Tone::Plain);
    vec![Clause { text: format!("{label}: {}{more}.", texts.join("; ")), tone }]
}

fn is_harm(outcome: Outcome) -> bool {
    !is_safe(outcome.kind)
}

fn verb(outcome: Outcome) -> &'static str {
    words(outcome.kind, outcome.by_luck).verb
}

fn tone(outcome: Outcome) -> Tone {
    // What is late but harmless is told like what is safe.
    words(outcome.kind, false).tone
}

/// `no pause up to 10 min`: as far as that is complete; nothing more than that is said to be so.
pub fn none(ranges: &Ranges, about: About<'_>) -> String {
    let (what, most) = (about.what, ranges.searched_to);
    match ranges.complete {
        _ if ranges.goes_on && ranges.are_complete() => {
            format!("no {what}, however {},", about.grown)
        }
        _ if ranges.are_complete() => format!("no {what} up to {}", duration(most)),
        Some((from, to)) if Some(from) == ranges.all.first().map(|range| range.from) => {
            format!("no {what} up to {}", duration(round_below(to)))
        }
        Some((from, to)) if round_above(from) < round_below(to) => {
            let (from, to) = (duration(round_above(from)), duration(round_below(to)));
            format!("no {what} from {from} up to {to}")
        }
        Some(_) | None => {
            format!(
                "no {what} of the {} that were tried, up to {},",
                ranges.n_samples,
                duration(most)
            )
        }
    }
}

/// Whether enough is complete to be told when its ends are rounded inwards.
fn tells_complete(ranges: &Ranges) -> bool {
    let least = ranges.all.first().map(|range| range.from);
    ranges
        .complete
        .is_some_and(|(from, to)| least == Some(from) || round_above(from) < round_below(to))
}

/// `none was found in 35 runs beyond, up to 10 min`, where that is not complete.
pub fn beyond(ranges: &Ranges) -> Option<String> {
    let most = duration(ranges.searched_to);
    let runs = wording::plural(u64::from(ranges.n_samples), "more run", "more runs");
    let found = format!("none was found in {runs} up to {most}");
    let is_more = !ranges.are_complete() && !ranges.is_cut && tells_complete(ranges);
    is_more.then_some(found)
}

/// How far was searched, and how: `Searched up to 10 min; above 118 s that is a sample of 35 runs.`
pub fn extent(all: &[&Ranges]) -> Option<String> {
    let first = all.first().filter(|first| !first.all.is_empty())?;
    if all.iter().any(|ranges| ranges.is_cut) {
        return Some("The search was stopped before its end.".to_owned());
    }
    let mut text = format!("Searched up to {}", duration(first.searched_to));
    let least = first.all.first().map(|range| range.from).unwrap_or_default();
    let n_samples: u32 = all.iter().map(|ranges| ranges.n_samples).sum();
    let runs = wording::plural(u64::from(n_samples), "run", "runs");
    let complete: Option<Vec<_>> = all.iter().map(|ranges| ranges.complete).collect();
    let from = complete.iter().flatten().map(|(from, _)| *from).max();
    let to = complete.iter().flatten().map(|(_, to)| *to).min();
    let sampled = match (from, to) {
        _ if all.iter().all(|ranges| ranges.are_complete()) => String::new(),
        // A stretch that is gone when its ends are rounded inwards is not told.
        (Some(from), Some(to)) if round_above(from) < round_below(to) => {
            let below = (from > least).then(|| format!("below {}", duration(round_above(from))));
            let above =
                (to < first.searched_to).then(|| format!("above {}", duration(round_below(to))));
            let places: Vec<_> = below.into_iter().chain(above).collect();
            format!("; {} that is a sample of {runs}", places.join(" and "))
        }
        _ => format!(", by a sample of {runs}"),
    };
    let goes_on = all.iter().all(|ranges| ranges.goes_on && ranges.are_complete());
    let micro = SimDuration::from_micros(1);
    let is_coarse = all.iter().any(|ranges| ranges.fineness > micro);
    let is_of_seed = all.iter().any(|ranges| ranges.is_of_seed);
    text.push_str(&sampled);
    text.push_str(if is_coarse { ", to 1 ms" } else { "" });
    text.push_str(if is_of_seed { ", with this seed" } else { "" });
    let is_all = goes_on && !is_coarse && !is_of_seed;
    (!is_all).then(|| format!("{text}."))
}

/// A length to the last microsecond.
pub(super) fn exact(value: SimDuration) -> String {
    if is_round(value) { duration(value) } else { value.to_string() }
}

/// Down to a number that is read at a glance: what is said to be complete is a little less.
pub(super) fn round_below(value: SimDuration) -> SimDuration {
    let unit = unit_of(value);
    SimDuration::from_micros(value.micros() / unit * unit)
}

pub(super) fn round_above(value: SimDuration) -> SimDuration {
    let unit = unit_of(value);
    SimDuration::from_micros(value.micros().div_ceil(unit) * unit)
}

fn unit_of(value: SimDuration) -> u64 {
    match value.micros() {
        10_000_000.. => 1_000_000,
        1_000_000.. => 100_000,
        10_000.. => 1_000,
        _ => 1,
    }
}

/// `above 8.3 s, up to 10.5 s`: each end says whether it belongs.
pub fn place(ranges: &Ranges, range: &Range, about: About<'_>) -> String {
    let what = about.what;
    let begins = ranges.all.first().is_some_and(|first| first.from == range.from);
    let ends = ranges.all.last().is_some_and(|last| last.to == range.to);
    let end = duration(ranges.searched_to);
    match (begins, ends) {
        (true, true) if ranges.goes_on => format!("whatever the {what}"),
        (true, true) if ranges.are_complete() => format!("whatever the {what}, up to {end}"),
        // Between two that were tried another verdict may lie.
        (true, true) => format!("for every {what} that was tried, up to {end}"),
        (true, false) => upper(range),
        (false, true) if ranges.goes_on => match lower(range) {
            (from, true) => format!("{from}, and above"),
            (above, false) => format!("everywhere {above}"),
        },
        (false, true) => format!("{}, up to {end}, the end of the search", lower(range).0),
        (false, false) if range.from == range.to => format!("at {}", exact(range.from)),
        (false, false) => format!("{}, {}", lower(range).0, upper(range)),
    }
}

/// `from 8.1 s` or `above 10.3 s`: whichever side of the end is the rounder number; and whether the
/// end belongs.
pub(super) fn lower(range: &Range) -> (String, bool) {
    if is_round(range.from) || range.from.is_zero() {
        (format!("from {}", exact(range.from)), true)
    } else {
        (format!("above {}", exact(range.from.minus(SimDuration::from_micros(1)))), false)
    }
}

/// `up to 200 ms` or `below 11.0 s`.
pub(super) fn upper(range: &Range) -> String {
    let first_beyond = range.to + SimDuration::from_micros(1);
    if is_round(first_beyond) {
        format!("below {}", exact(first_beyond))
    } else {
        format!("up to {}", exact(range.to))
    }
}

pub(super) fn is_round(value: SimDuration) -> bool {
    value.micros().is_multiple_of(1_000)
}

/// What would break a run that is safe at the present value, the nearest first: `By the pause:
/// corrupts above 10.3 s, up to …`.
pub fn nearest_harm(run: &RunRanges, about: About<'_>) -> Option<String> {
    let value = about.present?;
    let ranges = &run.ranges;
    if ranges.outcome_at(value).is_none_or(is_harm) {
        return None;
    }
    let harm = || ranges.all.iter().filter(|range| is_harm(range.outcome));
    let above = harm().find(|range| range.from > value);
    let nearest = above.or(harm().rfind(|range| range.to < value))?;
    let does = wording::small(verb(nearest.outcome));
    let but_for = if about.is_of_some { BUT_FOR } else { "" };
    Some(format!("By the {}{but_for}: {does} {}", about.what, place(ranges, nearest, about)))
}

/// Where it breaks, in a cell of a table: `pause above 8.3 s, up to 10.5 s`; else how far that is
/// known: `no pause up to 118 s; none was found in 35 more runs up to 10 min`.
pub fn cell(ranges: &Ranges, about: About<'_>) -> String {
    let (harm, rest) = told_of(ranges, about, is_harm);
    if harm.is_empty() {
        if ranges.is_cut || ranges.all.is_empty() {
            return "not searched to its end".to_owned();
        }
        let none = none(ranges, about);
        return match beyond(ranges) {
            Some(beyond) => format!("{none}; {beyond}"),
            None => none.trim_end_matches(',').to_owned(),
        };
    }
    let told = harm.iter().map(|range| {
        let place = place(ranges, range, about);
        let does = match range.outcome.kind {
            VerdictKind::Corrupted => String::new(),
            _ => format!("{} ", wording::small(verb(range.outcome))),
        };
        format!("{does}{place}")
    });
    let told: Vec<_> = told.collect();
    let more = more(&rest).map(|more| format!("; and {more}")).unwrap_or_default();
    let cut = if ranges.is_cut { "; not searched to its end" } else { "" };
    format!("{} {}{more}{cut}", about.what, told.join("; "))
}

/// The main quantity's ranges of a run as lines for a terminal, the first with its name: `By the
/// pause, 15.0 s here:`. A thorough search takes its time.
pub fn lines(recording: &Recording, file: &ScenarioFile, is_thorough: bool) -> Vec<String> {
    let scenario = recording.scenario();
    let quantity = file.main_quantity();
    let about = About::of(quantity, scenario.spec());
    let search = RangeSearch::new(scenario, quantity);
    let search = if is_thorough { search.thorough() } else { search }.finish();
    let ranges = search.ranges().clone();
    let ranges = match about.present {
        Some(value) => ranges.knowing(value, Outcome::of(recording)),
        None => ranges,
    };
    let run = RunRanges { run: RunNo::One, ranges };
    let what = about.what;
    let here = match (about.present, quantity.differing(scenario.spec())) {
        (Some(value), _) => format!(", {} here", duration(value)),
        (None, Some(values)) => {
            let values: Vec<_> = values.into_iter().map(duration).collect();
            format!(", the same for all clients ({} here)", values.join(", "))
        }
        (None, None) => String::new(),
    };
    let clauses = told(&run, about, "").into_iter().map(|clause| clause.text);
    let found = clauses.chain(extent(&[&run.ranges])).map(|line| format!("  {line}"));
    let but_for = if about.is_of_some { BUT_FOR } else { "" };
    std::iter::once(format!("By the {what}{here}{but_for}:")).chain(found).collect()
}

#[cfg(test)]
mod tests;

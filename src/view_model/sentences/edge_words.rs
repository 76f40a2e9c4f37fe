//! Where it breaks, in words and as marks: the edges of the scenario's main quantity in each shown
//! run. The search for them is `explore`'s; when it runs is the page's.

use crate::explore::{Edge, EdgeSearch, Outcome};
use crate::sim::property::VerdictKind;
use crate::sim::scenario::Change;
use crate::sim::time::SimDuration;

use super::verdict::Tone;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::words::outcome_words::{is_safe, words};
use crate::view_model::words::wording::{self, duration};

/// The edges of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunEdges {
    /// Which run.
    pub run: RunNo,
    /// From low to high.
    pub edges: Vec<Edge>,
    /// The outcome at the least value.
    pub at_least: Option<Outcome>,
}

impl RunEdges {
    /// What a search that is over has found.
    pub fn of(run: RunNo, search: &EdgeSearch) -> Self {
        Self { run, edges: search.edges().to_vec(), at_least: search.at_least() }
    }

    /// The outcome at a value.
    fn outcome_at(&self, value: SimDuration) -> Option<Outcome> {
        let below = self.edges.iter().rev().find(|edge| edge.last_below < value);
        below.map(|edge| edge.above).or(self.at_least)
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

/// The least value that the sentence speaks of as the range's end.
const UP_TO: &str = "up to 10 min";

/// The edges as sentences: “Late but harmless from 8.1 s. Corrupts above 10.3 s without a fence.
/// With a fence: no pause up to 10 min does.”
pub fn sentences(runs: &Runs, found: &[RunEdges], what: &str) -> Vec<Clause> {
    let Some(first) = found.first() else {
        return Vec::new();
    };
    let is_alike =
        |other: &RunEdges| (&other.edges, other.at_least) == (&first.edges, first.at_least);
    if found.len() > 1 && found[1..].iter().all(is_alike) {
        let mut clauses = told(first, what, "");
        let label = labels::run_label_capital(runs, RunNo::Two);
        clauses.push(Clause { text: format!("{label}: the same."), tone: Tone::Plain });
        return clauses;
    }
    let label = label(runs, first.run);
    let mut clauses = match label.starts_with("with") {
        true => told(first, what, &format!(" {label}")),
        false => labelled(told(first, what, ""), &label),
    };
    for other in &found[1..] {
        let label = match runs.compare.as_slice() {
            [Change::Fencing(_)] => "With a fence".to_owned(),
            _ => labels::run_label_capital(runs, other.run),
        };
        clauses.extend(told_after(first, other, what, &label));
    }
    clauses
}

/// What tells the first run from the other; nothing where there is one.
fn label(runs: &Runs, run: RunNo) -> String {
    match (runs.run_2.is_some(), runs.compare.as_slice()) {
        (false, _) => String::new(),
        (true, [Change::Fencing(_)]) => "without a fence".to_owned(),
        (true, _) => labels::run_label(runs, run),
    }
}

/// “Not idempotent: late but harmless from 8.1 s, corrupts above 8.9 s.”: sentences that a label
/// opens which none of them could end with.
fn labelled(clauses: Vec<Clause>, label: &str) -> Vec<Clause> {
    if label.is_empty() {
        return clauses;
    }
    let n_clauses = clauses.len();
    let labelled = clauses.into_iter().enumerate().map(|(index, clause)| {
        let text = wording::small(&clause.text);
        let text = match index {
            0 => format!("{}: {text}", wording::capital(label)),
            _ => text,
        };
        let goes_on = index + 1 < n_clauses;
        let text = if goes_on { format!("{},", text.trim_end_matches('.')) } else { text };
        Clause { text, ..clause }
    });
    labelled.collect()
}

/// Every edge of one run; without any, what it always comes to.
fn told(run: &RunEdges, what: &str, suffix: &str) -> Vec<Clause> {
    if run.edges.is_empty() {
        return always(run.at_least, what, suffix).into_iter().collect();
    }
    let start = run.edges.first().filter(|edge| is_harm(edge.below));
    let start = start.map(|edge| Clause {
        text: format!("{} {}{suffix}.", verb(edge.below), place_below(edge)),
        tone: tone(edge.below),
    });
    let rest = run.edges.iter().map(|edge| clause(edge, suffix));
    start.into_iter().chain(rest).collect()
}

fn always(outcome: Option<Outcome>, what: &str, suffix: &str) -> Option<Clause> {
    let outcome = outcome?;
    let text = if is_safe(outcome.kind) {
        format!("No {what} {UP_TO} does harm{suffix}.")
    } else {
        format!("{} whatever the {what}{suffix}.", verb(outcome))
    };
    Some(Clause { text, tone: tone(outcome) })
}

fn clause(edge: &Edge, suffix: &str) -> Clause {
    // Without a fence or with it makes no difference to what is safe.
    let suffix = if is_safe(edge.above.kind) { "" } else { suffix };
    Clause {
        text: format!("{} {}{suffix}.", verb(edge.above), place(edge)),
        tone: tone(edge.above),
    }
}

/// The second run, told in view of the first: only its harm.
fn told_after(first: &RunEdges, other: &RunEdges, what: &str, label: &str) -> Vec<Clause> {
    let harm: Vec<&Edge> = other.edges.iter().filter(|edge| is_harm(edge.above)).collect();
    let harmed_from_start = other.at_least.is_some_and(is_harm);
    if harm.is_empty() && !harmed_from_start {
        let first_harms = first.edges.iter().any(|edge| is_harm(edge.above))
            || first.at_least.is_some_and(is_harm);
        let does = if first_harms { "does" } else { "does harm, either" };
        let text = format!("{label}: no {what} {UP_TO} {does}.");
        let tone = Tone::Plain;
        return vec![Clause { text, tone }];
    }
    let start = other.at_least.filter(|_| harmed_from_start);
    let start = start.map(|outcome| (format!("{} from the start", verb(outcome)), tone(outcome)));
    let rest =
        harm.iter().map(|edge| (format!("{} {}", verb(edge.above), place(edge)), tone(edge.above)));
    let parts: Vec<(String, Tone)> = start.into_iter().chain(rest).collect();
    let texts: Vec<String> = parts.iter().map(|(text, _)| text.to_ascii_lowercase()).collect();
    vec![Clause {
        text: format!("{label}: {}.", texts.join(", ")),
        tone: parts.iter().map(|(_, tone)| *tone).max().unwrap_or(Tone::Plain),
    }]
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

/// `from 8.1 s` or `above 10.3 s`: whichever side of the edge is the rounder number.
fn place(edge: &Edge) -> String {
    let first = edge.first_above();
    if first.micros().is_multiple_of(1_000) {
        format!("from {}", duration(first))
    } else {
        format!("above {}", duration(edge.last_below))
    }
}

/// `below 11.0 s` or `up to 200 ms`: the side below an edge.
fn place_below(edge: &Edge) -> String {
    let first = edge.first_above();
    if first.micros().is_multiple_of(1_000) {
        format!("below {}", duration(first))
    } else {
        format!("up to {}", duration(edge.last_below))
    }
}

/// Marks for a slider: each value at which a run's outcome changes, in the louder tone where two
/// runs change at one value.
pub fn marks(found: &[RunEdges]) -> Vec<(SimDuration, Tone)> {
    let edges = found.iter().flat_map(|run| &run.edges);
    let mark = |edge: &Edge| {
        let by_luck = edge.above.by_luck && edge.above.kind == VerdictKind::Safe;
        let tone = tone(edge.above);
        let tone = if by_luck { Tone::Warning } else { tone };
        (edge.last_below, tone)
    };
    let mut marks: Vec<_> = edges.map(mark).collect();
    marks.sort_unstable();
    // Sorted by tone within a value: the last of equals is the loudest.
    marks.reverse();
    marks.dedup_by_key(|(value, _)| *value);
    marks.reverse();
    marks
}

/// What would break a run that is safe at `value`, nearest first: `Corrupts above 10.3 s`.
pub fn nearest_harm(run: &RunEdges, value: SimDuration) -> Option<String> {
    if run.outcome_at(value).is_none_or(is_harm) {
        return None;
    }
    let above = run.edges.iter().find(|edge| edge.last_below >= value && is_harm(edge.above));
    let below = run.edges.iter().rev().find(|edge| edge.last_below < value && is_harm(edge.below));
    let above = above.map(|edge| format!("{} {}", verb(edge.above), place(edge)));
    let below =
        below.map(|edge| format!("{} up to {}", verb(edge.below), duration(edge.last_below)));
    above.or(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::scenario::Quantity;

    fn found(runs: &Runs, quantity: Quantity) -> Vec<RunEdges> {
        let search = |(run, recording): (RunNo, &crate::sim::Recording)| {
            let search = EdgeSearch::new(recording.scenario(), quantity).finish();
            RunEdges::of(run, &search)
        };
        runs.shown().map(search).collect()
    }

    #[test]
    fn the_paused_holder_says_where_it_breaks() {
        let file = GALLERY[0].file();
        let runs = Runs::of(&file).expect("the gallery is valid");
        let quantity = file.view.main.expect("it names its main quantity");
        let found = found(&runs, quantity);
        let texts: Vec<_> =
            sentences(&runs, &found, "pause").into_iter().map(|clause| clause.text).collect();
        assert_eq!(
            texts.join(" "),
            "Late but harmless from 8.1 s. Corrupts above 10.3 s without a fence. \
             With a fence: no pause up to 10 min does."
        );
        let seconds = SimDuration::from_millis;
        let tones: Vec<_> = marks(&found).into_iter().map(|(_, tone)| tone).collect();
        assert_eq!(tones, [Tone::Warning, Tone::Damage]);
        let near = nearest_harm(&found[0], seconds(5_000));
        assert_eq!(near.as_deref(), Some("Corrupts above 10.3 s"));
        assert_eq!(nearest_harm(&found[0], seconds(15_000)), None);
        assert_eq!(nearest_harm(&found[1], seconds(15_000)), None);
    }

    #[test]
    fn a_label_that_ends_no_sentence_opens_it() {
        let told = |id: &str, what: &str| {
            let file = crate::scenarios::GalleryEntry::find(id).expect(id).file();
            let runs = Runs::of(&file).expect("the gallery is valid");
            let quantity = file.view.main.expect("it names its main quantity");
            let found = found(&runs, quantity);
            let clauses = sentences(&runs, &found, what);
            clauses.into_iter().map(|clause| clause.text).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            told("efficiency", "pause"),
            "Not idempotent: late but harmless from 8.1 s, corrupts above 8.93 s. \
             Idempotent: wastes work above 8.93 s."
        );
        assert_eq!(
            told("lost-reply", "length of the work"),
            "No length of the work up to 10 min does harm. Refuses lower or equal: the same."
        );
    }
}

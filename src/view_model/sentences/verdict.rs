//! What a run came to, in words: its verdict, its properties, its costs. It judges nothing; the
//! simulation has.

use crate::sim::id::EntrySeq;
use crate::sim::property::{
    Costs, Decides, NotJudged, PropertyId, PropertyReport, PropertyState, Verdict, VerdictKind,
    not_judged,
};
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;

use crate::view_model::facts::Teller;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::words::names::Words;
use crate::view_model::words::outcome_words::{OutcomeWords, is_safe, told, words};
pub use crate::view_model::words::outcome_words::{Pattern, Tone};
use crate::view_model::words::wording::{duration, plural, time};

/// A verdict in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerdictText {
    /// Which.
    pub kind: VerdictKind,
    /// Begins with its name.
    pub text: String,
    /// What it cost, in a few words; empty if nothing.
    pub costs: String,
    /// How loud.
    pub tone: Tone,
    /// The pattern by which it is told apart without reading.
    pub pattern: Pattern,
    /// When it came about.
    pub at: Option<SimTime>,
}

/// The verdict of a run.
pub fn verdict(verdict: &Verdict, costs: &Costs) -> VerdictText {
    let OutcomeWords { tone, pattern, .. } = words(verdict.kind, verdict.by_luck);
    let text = told(verdict.kind, verdict.by_luck, verdict.at);
    let costs = short_costs(costs);
    VerdictText { kind: verdict.kind, text, costs, tone, pattern, at: verdict.at }
}

/// What a kind of verdict is called.
pub fn kind_name(kind: VerdictKind) -> &'static str {
    words(kind, false).name
}

/// The verdict of a shown run.
pub fn of_run(runs: &Runs, run: RunNo) -> Option<VerdictText> {
    let recording = runs.run(run)?;
    Some(verdict(recording.verdict(), recording.costs()))
}

/// What stands before [`beside_safe`].
pub const NOT_JUDGED: &str = "Not judged";

/// Beside a safe verdict: what it does not speak of in this scenario. Nothing beside another.
pub fn beside_safe(recording: &Recording) -> Vec<&'static str> {
    if !is_safe(recording.verdict().kind) {
        return Vec::new();
    }
    not_judged(recording.scenario()).into_iter().map(left_out).collect()
}

fn left_out(item: NotJudged) -> &'static str {
    match item {
        NotJudged::Others => "what others read or write in the storage, without the lock",
        NotJudged::WorkElsewhere => "what work does elsewhere before it writes",
        NotJudged::AfterActs => "what follows from an act outside",
        NotJudged::HalfPieces => "half a piece of work: each of its writes is a unit by itself",
        NotJudged::SameJob => {
            "whether a client that starts again does the same job again: it counts as another"
        }
    }
}

fn short_costs(costs: &Costs) -> String {
    let counts = [
        (costs.refused_stale, "stale write refused", "stale writes refused"),
        (costs.refused_rightful, "rightful write refused", "rightful writes refused"),
        (costs.redeliveries, "delivery beyond the first", "deliveries beyond the first"),
        (costs.harmless_late, "late write did no harm", "late writes did no harm"),
    ];
    let told = counts.into_iter().filter(|(count, ..)| *count > 0);
    let told: Vec<_> = told.map(|(count, one, many)| plural(u64::from(count), one, many)).collect();
    told.join(", ")
}

/// A property's state in one run, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyCell {
    /// `holds`, `broken at 17.1 s`, `does not apply`, `undecided`.
    pub text: String,
    /// How loud.
    pub tone: Tone,
    /// When it broke first: a place to go to.
    pub at: Option<SimTime>,
    /// The entry that broke it.
    pub first: Option<EntrySeq>,
}

/// A property in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyRow {
    /// Which.
    pub id: PropertyId,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// Its state in each shown run.
    pub cells: Vec<PropertyCell>,
}

/// All properties with their states in each shown run.
pub fn properties(runs: &Runs) -> Vec<PropertyRow> {
    let row = |id: PropertyId| {
        let reports = runs.shown().filter_map(|(_, recording)| {
            let report = recording.properties().iter().find(|report| report.id == id)?;
            Some(property(&runs.words, recording, report))
        });
        PropertyRow { id, meaning: meaning(id), cells: reports.collect() }
    };
    PropertyId::ALL.into_iter().map(row).collect()
}

/// A property's state in a run, in words.
pub fn property(words: &Words, recording: &Recording, report: &PropertyReport) -> PropertyCell {
    let cell = state(report);
    match cell.first.and_then(|first| accident(words, recording, first)) {
        Some(accident) => PropertyCell { text: format!("{}: {accident}", cell.text), ..cell },
        None => cell,
    }
}

/// For what somebody waits in vain, where that is what broke a property.
fn accident(words: &Words, recording: &Recording, first: EntrySeq) -> Option<String> {
    let entry = recording.log().get(first)?;
    let client = entry.fact.strands()?;
    let what = Teller { words, recording }.what(entry);
    let client = words.short(client);
    Some(format!("{what} at {}, and since then {client} waits in vain", time(entry.at)))
}

fn state(report: &PropertyReport) -> PropertyCell {
    let quiet = |text: &str| PropertyCell {
        text: text.to_owned(),
        tone: Tone::Plain,
        at: None,
        first: None,
    };
    match report.state {
        PropertyState::Holds => quiet("holds"),
        PropertyState::DoesNotApply => quiet("does not apply"),
        PropertyState::Undecided => quiet("undecided at the end"),
        PropertyState::Broken { at, first, times, lasted } => {
            let when = time(at);
            let begin = match lasted {
                Some(lasted) => format!("broken from {when}, for {}", duration(lasted)),
                None => format!("broken at {when}"),
            };
            let often = match times {
                0 | 1 => String::new(),
                times => format!(", {times} times"),
            };
            let damage = report.id.decides() == Decides::Damage;
            PropertyCell {
                text: format!("{begin}{often}"),
                tone: if damage { Tone::Damage } else { Tone::Warning },
                at: Some(at),
                first,
            }
        }
    }
}

/// What a property means.
pub fn meaning(id: PropertyId) -> &'static str {
    match id {
        PropertyId::OneLeaseAtATime => {
            "The service grants the lock to nobody while another client's time to live runs."
        }
        PropertyId::OneBelieverAtATime => {
            "At most one client believes that it holds the lock. No lease and no fence can \
            promise it: a paused client cannot know."
        }
        PropertyId::TokensNeverGoBack => {
            "Once a storage has accepted a write of a newer grant, it accepts none of an older one."
        }
        PropertyId::NoWriteAfterItsLeaseEnded => {
            "No write is accepted whose lease has ended. A fence cannot promise it before the \
            next holder's first write."
        }
        PropertyId::NoOlderWriteOnceTheNextHolderHasBegun => {
            "Once a holder has read or written, no write of an older grant is accepted by any \
            storage."
        }
        PropertyId::NoLostUpdate => {
            "Some order of the units of work gives every read that was used its version, and the \
            storages theirs. Plain overwrites of one storage promise no more than their order."
        }
        PropertyId::NoOlderOverNewer => {
            "No unit of an older holder replaces what a newer one has written, unless it has read \
            it."
        }
        PropertyId::NoOwnOlderStep => {
            "No step of a client comes after its own newer one, as a packet from before a timeout \
            can."
        }
        PropertyId::NoHalfUnit => {
            "No part of a unit of work whose rest never comes is built on, and none is left at \
            the end."
        }
        PropertyId::NoItemLost => {
            "An item of a queue counts as done only if the last write of some delivery was \
            accepted. One that is dead is not lost: it stands apart."
        }
        PropertyId::RightfulHolderNeverRefused => {
            "The storage refuses nothing from the one who holds the lease."
        }
        PropertyId::SomebodyCanAlwaysGetTheLock => {
            "When a holder is gone for good, somebody who asks is granted the lock in time; and \
            nobody waits in vain for a free lock because a message was lost, or a place in the \
            queue."
        }
        PropertyId::NoExternalEffectTwice => {
            "A piece of work acts on the outside world at most once, and updates at most once; \
            and the outside sees no older holder after a newer one."
        }
    }
}

/// One line of the costs, with its value in each shown run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CostRow {
    /// What.
    pub name: &'static str,
    /// How much, in each shown run.
    pub values: Vec<String>,
}

type CostValue = fn(&Costs) -> String;

/// What stands beside every verdict, so that to refuse everything never looks good.
const BESIDE: [(&str, CostValue); 5] = [
    (UNITS, |c| format!("{} of {}", c.units_done, c.units_begun)),
    ("Rightful writes refused", |c| c.refused_rightful.to_string()),
    ("Held without work while others waited", |c| duration(c.held_without_work)),
    ("Nobody worked although somebody wanted to", |c| duration(c.idle_though_wanted)),
    ("Longest wait for the lock", |c| duration(c.longest_wait)),
];

const REDELIVERIES: &str = "Deliveries beyond the first";
const UNITS: &str = "Units of work done, of those begun";

/// The costs that stand beside the verdict of a run: each with how much.
pub fn beside(costs: &Costs) -> impl Iterator<Item = (&'static str, String)> {
    BESIDE.into_iter().map(|(name, value)| (name, value(costs)))
}

/// The costs of each shown run.
pub fn costs(runs: &Runs) -> Vec<CostRow> {
    let [units, rightful, held, idle, wait] = BESIDE;
    let has_item = runs.shown().any(|(_, run)| run.scenario().rules().item.is_some());
    let lines: [(&'static str, CostValue); 11] = [
        units,
        ("Stale or late writes refused", |c| c.refused_stale.to_string()),
        rightful,
        ("Late writes and acts that did no harm", |c| c.harmless_late.to_string()),
        (REDELIVERIES, |c| c.redeliveries.to_string()),
        ("Work done for nothing", |c| duration(c.wasted_work)),
        ("Nobody held the lock although somebody wanted it", |c| duration(c.unheld_though_wanted)),
        held,
        idle,
        wait,
        ("Belief without a lease", |c| duration(c.false_belief)),
    ];
    lines
        .into_iter()
        .filter(|(name, _)| has_item || *name != REDELIVERIES)
        .map(|(name, value)| CostRow {
            name,
            values: runs.shown().map(|(_, run)| value(run.costs())).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::scenario::Change;
    use crate::sim::time::SimDuration;

    fn text(kind: VerdictKind, at: Option<u64>, by_luck: bool) -> String {
        let judged =
            Verdict { kind, at: at.map(SimTime::from_millis), first: None, because: None, by_luck };
        verdict(&judged, &Costs::default()).text
    }

    #[test]
    fn verdicts_begin_with_their_word() {
        assert_eq!(text(VerdictKind::Corrupted, Some(17_100), false), "Corrupted at 17.1 s");
        assert_eq!(text(VerdictKind::Safe, None, false), "Safe in this run");
        assert_eq!(text(VerdictKind::Safe, None, true), "Safe by luck");
        assert_eq!(text(VerdictKind::SafeSoFar, None, false), "Safe so far");
        assert_eq!(text(VerdictKind::Unavailable, None, false), "Unavailable");
        assert_eq!(text(VerdictKind::WastedWork, Some(5_000), false), "Wasted work at 5.0 s");
    }

    #[test]
    fn what_is_not_judged_stands_beside_a_safe_verdict_alone() {
        let base = GALLERY[0].file().base().expect("the gallery's scenarios are valid");
        let beside = |changes: &[Change]| {
            let recording = Recording::of(&base.with(changes).expect("it can be changed"));
            (recording.verdict().kind, beside_safe(&recording).join("; "))
        };
        assert_eq!(beside(&[]), (VerdictKind::Corrupted, String::new()));
        let fenced = "what others read or write in the storage, without the lock; what work does \
            elsewhere before it writes";
        assert_eq!(beside(&[Change::Fencing(true)]), (VerdictKind::Safe, fenced.to_owned()));
    }

    #[test]
    fn only_damage_is_red() {
        let broken = |id| {
            state(&PropertyReport {
                id,
                state: PropertyState::Broken {
                    at: SimTime::from_millis(10_300),
                    first: None,
                    times: 1,
                    lasted: Some(SimDuration::from_millis(6_900)),
                },
            })
        };
        let zombie = broken(PropertyId::OneBelieverAtATime);
        assert_eq!(zombie.text, "broken from 10.3 s, for 6.9 s");
        assert_eq!(zombie.tone, Tone::Warning);
        assert_eq!(broken(PropertyId::NoOlderOverNewer).tone, Tone::Damage);
    }

    #[test]
    fn costs_are_told_in_a_few_words() {
        let costs = Costs { refused_stale: 1, harmless_late: 2, ..Costs::default() };
        assert_eq!(short_costs(&costs), "1 stale write refused, 2 late writes did no harm");
    }
}

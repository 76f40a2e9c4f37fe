//! A run's history in words: its units of work, and the order that explains them or the circle that
//! forbids one; as text and as JSON for the command line. It judges nothing; the simulation has.

use serde::Serialize;

use crate::sim::fact::Refusal;
use crate::sim::history::{
    CycleName, Damage, DamageForm, Edge, Fate, Moment, Read, Reason, Unit, UnitEnd, UnitNo, Write,
};
use crate::sim::id::{GrantNo, NodeId, StoreId, Version};
use crate::sim::plain_text::with_escapes;
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{plural, time};

/// A unit in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnitWords {
    /// Its number, as the edges name it.
    pub no: u32,
    /// Whose, which piece and step.
    pub name: String,
    /// The tokens of the grants under which it read, wrote and acted.
    pub under: Vec<String>,
    /// When it began.
    pub began: String,
    /// What it read.
    pub read: Vec<String>,
    /// What it did outside and wrote, with what became of it.
    pub wrote: Vec<String>,
    /// How many of these it did outside: they come first.
    #[serde(skip)]
    pub n_acts: usize,
    /// What its client was told.
    pub told: Vec<String>,
    /// How it ended.
    pub end: String,
    /// The moment to go to: its last effect, or when it ended or began.
    #[serde(skip)]
    pub at: SimTime,
    /// Its first grant.
    #[serde(skip)]
    pub grant: Option<GrantNo>,
    /// What it is in a list.
    #[serde(skip)]
    pub kind: UnitKind,
}

/// What a unit is in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnitKind {
    /// It did damage.
    Damage,
    /// A store refused something of it, and it had no effect.
    Refused,
    /// It had an effect.
    Effect,
    /// It changed nothing.
    Nothing,
}

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Words.
    Text(String),
    /// A unit, by its name.
    Unit {
        /// Its name.
        name: String,
        /// The moment to go to.
        at: SimTime,
    },
}

/// A sentence that names units.
pub type Sentence = Vec<Part>;

/// A sentence as text: a name has commas of its own, so it stands in brackets.
fn plain(sentence: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Unit { name, .. } => format!("({name})"),
    };
    sentence.iter().map(part).collect()
}

/// So many units of a run, the first ones.
pub fn first_units(words: &Words, recording: &Recording, most: usize) -> Vec<UnitWords> {
    let units = (0..).zip(recording.history().units()).take(most);
    units.map(|(no, unit)| unit_words(words, recording, UnitNo(no), unit)).collect()
}

/// What the history comes to, in a few words, and whether it is damage.
pub fn heading(recording: &Recording) -> (&'static str, bool) {
    let damages = recording.history().damages();
    let is_harmed = !damages.all.is_empty();
    let told = match damages.explained.order.len() {
        _ if damages.all.iter().any(|damage| damage.cycle.is_some()) => "No order fits",
        _ if is_harmed => "An order fits, and there is damage",
        0 => "Nothing was written and nothing done outside",
        1 => "Yes: as if only one of them ran",
        _ => "Yes: as if one ran after the other",
    };
    (told, is_harmed)
}

/// Whether an order explains the run, with its reasons, a sentence each. Of a long order so many
/// units are named.
pub fn order(words: &Words, recording: &Recording, most: usize) -> Vec<Sentence> {
    let text = |text: &str| vec![Part::Text(text.to_owned())];
    let damages = recording.history().damages();
    let cycle = damages.all.iter().find_map(|damage| damage.cycle.as_ref());
    if let Some(cycle) = cycle {
        let mut lines = vec![text("No order fits: each of these must come before the next.")];
        lines.extend(cycle.0.iter().map(|edge| edge_words(words, recording, *edge)));
        return lines;
    }
    let order = &damages.explained.order;
    if order.is_empty() {
        return vec![text("Nothing was written and nothing done outside.")];
    }
    let mut line = text("As if one after the other: ");
    for (place, unit) in order.iter().take(most).enumerate() {
        if place > 0 {
            line.push(Part::Text(", ".to_owned()));
        }
        line.push(part(words, recording, *unit));
    }
    let n_more = order.len().saturating_sub(most);
    line.push(Part::Text(match n_more {
        0 => ".".to_owned(),
        _ => format!(" and {n_more} more."),
    }));
    let mut lines = vec![line];
    let left_out = recording.history().units().len() - order.len();
    if left_out > 0 {
        let units = plural(left_out as u64, "unit changed", "units changed");
        let them = if left_out == 1 { "it" } else { "them" };
        lines.push(text(&format!("{units} nothing, and no order needs {them}.")));
    }
    lines
}

/// Each form of damage with its first event, a sentence each.
pub fn damages(words: &Words, recording: &Recording) -> Vec<Sentence> {
    let mut told: Vec<DamageForm> = Vec::new();
    let mut lines = Vec::new();
    for damage in &recording.history().damages().all {
        if !told.contains(&damage.form) {
            told.push(damage.form);
            lines.push(damage_words(words, recording, damage));
        }
    }
    lines
}

/// What the order and the damage come to, as lines of text.
fn lines(sentences: &[Sentence]) -> Vec<String> {
    sentences.iter().map(|sentence| plain(sentence)).collect()
}

/// The history as text, with so many units at most.
pub fn text(words: &Words, recording: &Recording, most: usize) -> String {
    let mut text = String::new();
    for unit in first_units(words, recording, most) {
        let under = match unit.under.is_empty() {
            true => String::new(),
            false => format!(" under {}", unit.under.join(", ")),
        };
        text += &format!("{} {}{under}, from {}: {}\n", unit.no, unit.name, unit.began, unit.end);
        let (acted, wrote) = unit.wrote.split_at(unit.n_acts);
        let read = unit.read.iter().map(|part| format!("{:<6}{part}", "read"));
        let wrote = wrote.iter().map(|part| format!("{:<6}{part}", "wrote"));
        let told = unit.told.iter().map(|part| format!("{:<6}{part}", "told"));
        for line in read.chain(acted.iter().cloned()).chain(wrote).chain(told) {
            text += &format!("    {line}\n");
        }
    }
    let left = recording.history().units().len().saturating_sub(most);
    if left > 0 {
        text += &format!("{left} more units are left out\n");
    }
    for line in order(words, recording, most).iter().chain(&damages(words, recording)) {
        text += &plain(line);
        text.push('\n');
    }
    text
}

/// The history as JSON: one unit a line, then the order and the damage.
pub fn json_lines(words: &Words, recording: &Recording) -> String {
    #[derive(Serialize)]
    struct Came {
        order: Vec<String>,
        damage: Vec<String>,
    }
    let line = |json: serde_json::Result<String>| {
        with_escapes(&json.expect("plain data always serialises")) + "\n"
    };
    let units = first_units(words, recording, usize::MAX);
    let mut text: String = units.iter().map(|unit| line(serde_json::to_string(unit))).collect();
    let came = Came {
        order: lines(&order(words, recording, usize::MAX)),
        damage: lines(&damages(words, recording)),
    };
    text += &line(serde_json::to_string(&came));
    text
}

/// A store inside of a sentence.
fn store_name(words: &Words, store: StoreId) -> String {
    words.given(NodeId::Store(store)).map_or_else(|| store.to_string(), str::to_owned)
}

fn part(words: &Words, recording: &Recording, unit: UnitNo) -> Part {
    let unit = recording.history().unit(unit);
    Part::Unit { name: name(words, unit), at: moment_of(unit).at }
}

/// A unit's name: whose, which piece and step.
pub fn name(words: &Words, unit: &Unit) -> String {
    let client = words.short(unit.write.client);
    let piece = match unit.write.work {
        0 => "a piece that it had not learnt".to_owned(),
        work => format!("piece {work}"),
    };
    let step = match (unit.is_whole, unit.write.step) {
        (true, _) | (false, 1) => String::new(),
        (false, step) => format!(", step {step}"),
    };
    format!("{client}, {piece}{step}")
}

fn unit_words(words: &Words, recording: &Recording, no: UnitNo, unit: &Unit) -> UnitWords {
    let reads = unit.reads.iter().map(|read| read.under);
    let writes = unit.writes.iter().map(|write| write.under);
    let acts = unit.acts.iter().map(|act| act.under);
    let mut grants = Vec::new();
    for grant in reads.chain(writes).chain(acts).flatten() {
        if let Err(place) = grants.binary_search(&grant) {
            grants.insert(place, grant);
        }
    }
    let tokens = grants.into_iter().filter_map(|grant| recording.grant(grant));
    let told = unit.writes.iter().filter_map(|write| {
        let (accepted, at) = write.told?;
        let what = if accepted { "accepted" } else { "refused" };
        Some(format!("{what} at {}", time(at.at)))
    });
    let acted = unit.acts.iter().map(|act| match act.done {
        Some(at) if act.is_known => format!("the outside knew it at {}", time(at.at)),
        Some(at) => format!("acted outside at {}", time(at.at)),
        None => "an act that did not arrive".to_owned(),
    });
    UnitWords {
        no: no.number(),
        name: name(words, unit),
        under: tokens.map(|record| record.token.to_string()).collect(),
        began: time(unit.began.at),
        read: unit.reads.iter().map(|read| read_words(words, read)).collect(),
        n_acts: unit.acts.len(),
        wrote: acted.chain(unit.writes.iter().map(|write| write_words(words, write))).collect(),
        told: told.collect(),
        end: end_words(unit.end, unit.ended),
        at: moment_of(unit).at,
        grant: first_grant(unit),
        kind: kind(recording, no, unit),
    }
}

/// The grant under which a unit first read, wrote or acted.
pub fn first_grant(unit: &Unit) -> Option<GrantNo> {
    let reads = unit.reads.iter().map(|read| read.under);
    let all = reads.chain(unit.writes.iter().map(|write| write.under));
    all.chain(unit.acts.iter().map(|act| act.under)).flatten().min()
}

fn kind(recording: &Recording, no: UnitNo, unit: &Unit) -> UnitKind {
    let is_refused = |write: &Write| matches!(write.fate, Fate::Refused(_));
    if recording.history().damages().all.iter().any(|damage| damage.unit == no) {
        UnitKind::Damage
    } else if unit.has_effect() {
        UnitKind::Effect
    } else if unit.end == UnitEnd::Refused || unit.writes.iter().any(is_refused) {
        UnitKind::Refused
    } else {
        UnitKind::Nothing
    }
}

/// Where to see it: its last effect, or when it ended or began.
pub fn moment_of(unit: &Unit) -> Moment {
    let installed = |write: &&Write| matches!(write.fate, Fate::Installed { .. });
    let written = unit.writes.iter().filter(installed).filter_map(|write| write.settled);
    let acted = unit.acts.iter().filter_map(|act| act.done);
    written.chain(acted).max().or(unit.ended).unwrap_or(unit.began)
}

fn read_words(words: &Words, read: &Read) -> String {
    let store = store_name(words, read.store);
    let used = if read.is_used { "used" } else { "only looked at" };
    match read.served {
        Some((version, at)) => {
            format!("{store}: version {} at {}, {used}", version.n_writes(), time(at.at))
        }
        None => format!("{store}: not served"),
    }
}

fn write_words(words: &Words, write: &Write) -> String {
    let store = store_name(words, write.store);
    let at = write.settled.map(|at| format!(" at {}", time(at.at))).unwrap_or_default();
    let again = if write.is_again { ", arrived again" } else { "" };
    let fate = match write.fate {
        Fate::Installed { version, base: None } => format!("version {}{at}", version.n_writes()),
        Fate::Installed { version, base: Some(base) } => {
            format!("version {}{at}, built on {}", version.n_writes(), base.n_writes())
        }
        Fate::AlreadyApplied => format!("applied before, so nothing{at}"),
        Fate::Refused(why) => format!("refused{at}: {}", refusal(why)),
        Fate::PutOff => format!("put off{at}"),
        Fate::Lost => format!("lost{at}"),
        Fate::UnderWay => "under way at the end".to_owned(),
    };
    format!("{store}: {fate}{again}")
}

fn refusal(why: Refusal) -> &'static str {
    match why {
        Refusal::Token => "its token",
        Refusal::Version => "another version",
        Refusal::TooLate => "too late",
        Refusal::Missing => "nothing to update",
        Refusal::Gap => "a write before it is missing",
        Refusal::NotHeld => "the lock is not held under its token",
    }
}

fn end_words(end: UnitEnd, at: Option<Moment>) -> String {
    let at = at.map(|at| format!(" at {}", time(at.at))).unwrap_or_default();
    let what = match end {
        UnitEnd::Done => "done",
        UnitEnd::GivenUp => "given up",
        UnitEnd::Refused => "refused",
        UnitEnd::Crashed => "lost in a crash",
        UnitEnd::WaitsForGood => "waits for good",
        UnitEnd::UnderWay => "under way at the end",
    };
    format!("{what}{at}")
}

/// Why one unit comes before another, in a sentence.
fn edge_words(words: &Words, recording: &Recording, edge: Edge) -> Sentence {
    let (from, to) = (part(words, recording, edge.from), part(words, recording, edge.to));
    let of = |store: StoreId, version: Version| {
        format!("version {} of {}", version.n_writes(), store_name(words, store))
    };
    let (first, did, then, last) = match edge.reason {
        Reason::Replaced(store, version) => {
            (to, format!(" replaced {}, which ", of(store, version)), from, " had made.")
        }
        Reason::Read(store, version) => {
            (to, format!(" read {}, which ", of(store, version)), from, " had made.")
        }
        Reason::ReadBefore(store, version) => {
            (from, format!(" read {}, which ", of(store, version)), to, " then replaced.")
        }
        Reason::SameClient => (from, " came first, and then ".to_owned(), to, ", of one client."),
    };
    let why = Part::Text(format!("{}: ", edge.reason.short()));
    vec![why, first, Part::Text(did), then, Part::Text(last.to_owned())]
}

fn damage_words(words: &Words, recording: &Recording, damage: &Damage) -> Sentence {
    let unit = part(words, recording, damage.unit);
    let other = damage.other.map(|other| part(words, recording, other));
    let version = damage.version.map(Version::n_writes).unwrap_or_default();
    let text = |text: &str| Part::Text(text.to_owned());
    let begin = Part::Text(format!("Damage at {}: ", time(damage.at.at)));
    // Whose it is, what that did, to whom, and what is left to say.
    let (first, did, then, last) = match damage.form {
        DamageForm::NoOrder(name) => {
            let by = format!("no order explains it ({}), by ", cycle_words(name));
            return vec![begin, Part::Text(by), unit, text(".")];
        }
        DamageForm::HalfStands => {
            return vec![begin, text("half of "), unit, text(" stands, and the rest never will.")];
        }
        DamageForm::OwnOlderStep => {
            return vec![begin, unit, text(" came after its client's newer step.")];
        }
        DamageForm::OlderOverNewer => (
            unit,
            format!(", of the older holder, replaced version {version} unseen, which "),
            other,
            ", of the newer one, had made.",
        ),
        DamageForm::HalfRead => {
            let half = format!(" was built on version {version}, half of ");
            let Some(reader) = other else {
                return vec![begin, unit, text(" is half of a unit, and was built on.")];
            };
            (reader, half, Some(unit), ".")
        }
        DamageForm::ActedTwice if damage.other == Some(damage.unit) => {
            return vec![begin, unit, text(" acted outside a second time.")];
        }
        DamageForm::UpdatedTwice if damage.other == Some(damage.unit) => {
            return vec![
                begin,
                unit,
                text(" updated once more, on a version that has its update."),
            ];
        }
        DamageForm::ActedTwice => (unit, " acted outside again, after ".to_owned(), other, "."),
        DamageForm::UpdatedTwice => {
            (unit, " updated again, on a version that has the update of ".to_owned(), other, ".")
        }
        DamageForm::ActedOutOfOrder => (
            unit,
            ", of the older holder, acted outside after ".to_owned(),
            other,
            ", of the newer one.",
        ),
    };
    let mut sentence = vec![begin, first, Part::Text(did)];
    sentence.extend(then);
    sentence.push(text(last));
    sentence
}

/// The field's name of a cycle.
pub fn cycle_words(name: CycleName) -> &'static str {
    match name {
        CycleName::DirtyWrite => "a dirty write, G0",
        CycleName::LostUpdate => "a lost update",
        CycleName::IntermediateRead => "an intermediate read, G1b",
        CycleName::CircularInformationFlow => "circular information flow, G1c",
        CycleName::ReadSkew => "read skew, G-single",
        CycleName::WriteSkew => "write skew, G2-item",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::Change;
    use crate::sim::scenario::Operation;

    fn text_with(changes: &[Change]) -> String {
        let scenario = GALLERY[0].file().base().expect("valid").with(changes).expect("it fits");
        text(&Words::default(), &Recording::of(&scenario), usize::MAX)
    }

    #[test]
    fn a_lost_update_is_told_as_a_circle() {
        let told = text_with(&[Change::Operation(Operation::ReadModifyWrite)]);
        assert!(told.starts_with("1 A, piece 1 under 33, from 0.3 s: done at "), "{told}");
        assert!(told.contains("    read  storage: version 0 at 0.4 s, used\n"), "{told}");
        assert!(told.contains(", built on 0\n"), "{told}");
        assert!(told.contains("No order fits"), "{told}");
        let read_before =
            "rw: (A, piece 1) read version 0 of storage, which (B, piece 1) then replaced.";
        assert!(told.contains(read_before), "{told}");
        assert!(told.contains("no order explains it (a lost update), by (A, piece 1)."), "{told}");
    }

    #[test]
    fn who_changed_nothing_is_left_out_of_the_order() {
        let told = text_with(&[Change::Fencing(true)]);
        assert!(told.contains("storage: refused at 17.1 s: its token\n"), "{told}");
        assert!(told.contains("As if one after the other: (B, piece 1).\n"), "{told}");
        assert!(told.contains("1 unit changed nothing"), "{told}");
        assert!(!told.contains("Damage"), "{told}");
    }
}

//! A run's history in words: its units of work, and the order that explains them or the circle that
//! forbids one; as text and as JSON for the command line. It judges nothing; the simulation has.

use serde::Serialize;

use crate::sim::fact::Refusal;
use crate::sim::history::{
    CycleName, Damage, DamageForm, Edge, Fate, Moment, Read, Reason, Unit, UnitEnd, UnitNo, Write,
};
use crate::sim::id::{NodeId, StoreId, Version};
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
    /// What it wrote and did outside, with what became of it.
    pub wrote: Vec<String>,
    /// What its client was told.
    pub told: Vec<String>,
    /// How it ended.
    pub end: String,
    /// The moment to go to: its last effect, or when it ended or began.
    #[serde(skip)]
    pub at: SimTime,
}

/// All units of a run.
pub fn units(words: &Words, recording: &Recording) -> Vec<UnitWords> {
    let units = recording.history().units().iter();
    (0..).zip(units).map(|(no, unit)| unit_words(words, recording, UnitNo(no), unit)).collect()
}

/// Whether an order explains the run, with its reasons, a sentence each.
pub fn order(words: &Words, recording: &Recording) -> Vec<String> {
    let damages = recording.history().damages();
    let cycle = damages.all.iter().find_map(|damage| damage.cycle.as_ref());
    if let Some(cycle) = cycle {
        let mut lines = vec!["No order fits: each of these must come before the next.".to_owned()];
        lines.extend(cycle.0.iter().map(|edge| edge_words(words, recording, *edge)));
        return lines;
    }
    let order = &damages.explained.order;
    if order.is_empty() {
        return vec!["Nothing was written and nothing done outside.".to_owned()];
    }
    let names: Vec<_> = order.iter().map(|unit| name_of(words, recording, *unit)).collect();
    let mut lines = vec![format!("As if one after the other: {}.", names.join("; "))];
    let left_out = recording.history().units().len() - order.len();
    if left_out > 0 {
        let units = plural(left_out as u64, "unit changed", "units changed");
        let them = if left_out == 1 { "it" } else { "them" };
        lines.push(format!("{units} nothing, and no order needs {them}."));
    }
    lines
}

/// Each form of damage with its first event, a sentence each.
pub fn damages(words: &Words, recording: &Recording) -> Vec<String> {
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

/// The history as text.
pub fn text(words: &Words, recording: &Recording) -> String {
    let mut text = String::new();
    for unit in units(words, recording) {
        let under = match unit.under.is_empty() {
            true => String::new(),
            false => format!(" under {}", unit.under.join(", ")),
        };
        text += &format!("{} {}{under}, from {}: {}\n", unit.no, unit.name, unit.began, unit.end);
        for (what, parts) in [("read", unit.read), ("wrote", unit.wrote), ("told", unit.told)] {
            for part in parts {
                text += &format!("    {what:<6}{part}\n");
            }
        }
    }
    for line in order(words, recording).into_iter().chain(damages(words, recording)) {
        text += &line;
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
    let units = units(words, recording);
    let mut text: String = units.iter().map(|unit| line(serde_json::to_string(unit))).collect();
    let came = Came { order: order(words, recording), damage: damages(words, recording) };
    text += &line(serde_json::to_string(&came));
    text
}

/// A store inside of a sentence.
fn store_name(words: &Words, store: StoreId) -> String {
    words.given(NodeId::Store(store)).map_or_else(|| store.to_string(), str::to_owned)
}

fn name_of(words: &Words, recording: &Recording, unit: UnitNo) -> String {
    name(words, recording.history().unit(unit))
}

fn name(words: &Words, unit: &Unit) -> String {
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
    let mut grants: Vec<_> = reads.chain(writes).chain(acts).flatten().collect();
    grants.sort_unstable();
    grants.dedup();
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
        no: no.0,
        name: name(words, unit),
        under: tokens.map(|record| record.token.to_string()).collect(),
        began: time(unit.began.at),
        read: unit.reads.iter().map(|read| read_words(words, read)).collect(),
        wrote: acted.chain(unit.writes.iter().map(|write| write_words(words, write))).collect(),
        told: told.collect(),
        end: end_words(unit.end, unit.ended),
        at: moment_of(unit).at,
    }
}

fn moment_of(unit: &Unit) -> Moment {
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
fn edge_words(words: &Words, recording: &Recording, edge: Edge) -> String {
    let (from, to) = (name_of(words, recording, edge.from), name_of(words, recording, edge.to));
    let of = |store: StoreId, version: Version| {
        format!("version {} of {}", version.n_writes(), store_name(words, store))
    };
    let why = match edge.reason {
        Reason::Replaced(store, version) => {
            format!("({to}) replaced {}, which ({from}) had made", of(store, version))
        }
        Reason::Read(store, version) => {
            format!("({to}) read {}, which ({from}) had made", of(store, version))
        }
        Reason::ReadBefore(store, version) => {
            format!("({from}) read {}, which ({to}) then replaced", of(store, version))
        }
        Reason::SameClient => format!("one client did ({from}), and then ({to})"),
    };
    format!("{}: {why}.", edge.reason.short())
}

fn damage_words(words: &Words, recording: &Recording, damage: &Damage) -> String {
    let unit = name_of(words, recording, damage.unit);
    let other = damage.other.map(|other| name_of(words, recording, other)).unwrap_or_default();
    let version = damage.version.map(Version::n_writes).unwrap_or_default();
    let what = match damage.form {
        DamageForm::NoOrder(name) => {
            format!("no order explains it ({}), by ({unit})", cycle_words(name))
        }
        DamageForm::OlderOverNewer => format!(
            "the older holder's ({unit}) replaced version {version}, which the newer one's \
             ({other}) had made, unseen"
        ),
        DamageForm::OwnOlderStep => format!("({unit}) came after its client's newer step"),
        DamageForm::HalfRead => {
            format!("({other}) was built on version {version}, half of ({unit})")
        }
        DamageForm::HalfStands => format!("half of ({unit}) stands, and the rest never will"),
        DamageForm::ActedTwice => format!("({unit}) acted outside again, after ({other})"),
        DamageForm::UpdatedTwice => {
            format!("({unit}) updated again, on a version that has the update of ({other})")
        }
        DamageForm::ActedOutOfOrder => {
            format!("the older holder's ({unit}) acted outside after the newer one's ({other})")
        }
    };
    format!("Damage at {}: {what}.", time(damage.at.at))
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
        text(&Words::default(), &Recording::of(&scenario))
    }

    #[test]
    fn a_lost_update_is_told_as_a_circle() {
        let told = text_with(&[Change::Operation(Operation::ReadModifyWrite)]);
        assert!(told.starts_with("0 A, piece 1 under 33, from 0.3 s: done at "), "{told}");
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
        assert!(told.contains("As if one after the other: B, piece 1.\n"), "{told}");
        assert!(told.contains("1 unit changed nothing"), "{told}");
        assert!(!told.contains("Damage"), "{told}");
    }
}

//! What happened, in a few words: the lines of the event list, of the playhead's value text and of
//! the live region. Why it happened is said in `why`, what it comes to in `verdict`.

use crate::sim::fact::{Fact, Said, Written};
use crate::sim::id::NodeId;
use crate::sim::log::LogEntry;
use crate::sim::property::WriteStatus;
use crate::view_model::runs::labels;

use crate::view_model::facts::{MomentKind, Standing, Teller};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::{Moment, RunNo};

/// The lines of a moment: one, or one for each run where they differ (“No fence: …”).
pub fn moment(runs: &Runs, moment: &Moment) -> Vec<String> {
    let entries = runs.entries_of(moment);
    if !runs.differs(moment) {
        let entry = entries.into_iter().flatten().next();
        let run = if entries[0].is_some() { RunNo::One } else { RunNo::Two };
        return entry.map(|entry| event(entry, runs, run)).into_iter().collect();
    }
    let both = entries.iter().flatten().count() == 2;
    let alike = matches!(entries, [Some(one), Some(two)] if one.fact == two.fact);
    let lines = RunNo::ALL.into_iter().zip(entries);
    lines
        .filter_map(|(run, entry)| {
            let label = labels::run_label_capital(runs, run);
            let entry = entry?;
            let text = if both { predicate(entry, runs, run, alike) } else { None };
            Some(format!("{label}: {}", text.unwrap_or_else(|| event(entry, runs, run))))
        })
        .collect()
}

/// The name of a kind of moment, on its filter.
pub fn kind(kind: MomentKind) -> &'static str {
    match kind {
        MomentKind::Lease => "Lease",
        MomentKind::Belief => "Belief",
        MomentKind::Work => "Work",
        MomentKind::Write => "Writes",
        MomentKind::Renewal => "Renewals",
        MomentKind::Fault => "Faults",
    }
}

/// Whom an event is about: the client whose lease, belief, work or write it is.
pub fn actor(entry: &LogEntry) -> NodeId {
    match (entry.fact.about().client, entry.fact.lost()) {
        (Some(client), _) => NodeId::Client(client),
        (None, Some(lost)) => lost.from,
        (None, None) => entry.node(),
    }
}

/// An answer without its subject, where both runs' answers stand one under the other. `alike`: both
/// accept, and differ in whether the write was rightful.
fn predicate(entry: &LogEntry, runs: &Runs, run: RunNo, alike: bool) -> Option<String> {
    let (Fact::Store(_, fact), Some(recording)) = (entry.fact, runs.run(run)) else {
        return None;
    };
    let teller = Teller { recording, words: runs.words_in(run) };
    let (Written { write, token, .. }, said) = fact.written()?;
    Some(match said {
        Said::Applied { .. } => {
            let rightful = recording.write(entry.seq)?.status == WriteStatus::Rightful;
            let Standing { status, more } = teller.standing(entry);
            let status = if alike && rightful { "rightful " } else { status };
            let more = if alike { "" } else { more };
            let (client, token) = (runs.words.short(write.client), teller.write_token(token));
            format!("accepts {client}'s {status}write{token}{more}")
        }
        Said::Refused { .. } => {
            format!("refuses it, {}{}", teller.refusal(entry), teller.standing(entry).more)
        }
        Said::Known => "ignores it, applied before".to_owned(),
    })
}

/// One event of a run in a few words, without a full stop; nothing of a run that is not shown.
pub fn event(entry: &LogEntry, runs: &Runs, run: RunNo) -> String {
    runs.run(run).map_or(String::new(), |recording| {
        Teller { recording, words: runs.words_in(run) }.what(entry)
    })
}

#[cfg(test)]
mod tests {
    use crate::scenarios::GALLERY;
    use crate::sim::fact::{Fact, StoreFact};
    use crate::sim::id::{ClientId, FaultId, NodeId, StoreId};
    use crate::sim::message::MessageKind;
    use crate::sim::scenario::{Fault, FaultKind, FenceRule, MessageAddress};
    use crate::sim::{Change, SimDuration};
    use crate::view_model::runs::Runs;
    use crate::view_model::runs::moment::RunNo;
    use crate::view_model::sentences::describe;

    /// The answers to A's writes in *The paused holder* with these changes.
    fn answers(changes: &[Change]) -> Vec<String> {
        let mut file = GALLERY[0].file();
        let base = file.base().expect("the gallery is valid");
        file.scenario = base.with(changes).expect("the changes fit").spec().clone();
        file.compare = Vec::new();
        let runs = Runs::of(&file).expect("it was just checked");
        let recording = runs.run(RunNo::One).expect("it is the one that is shown");
        let is_answer = |fact: &Fact| {
            let Fact::Store(
                _,
                StoreFact::WriteAccepted { write, .. } | StoreFact::WriteRefused { write, .. },
            ) = fact
            else {
                return false;
            };
            write.client == ClientId(0)
        };
        let entries = recording.entries().iter().filter(|entry| is_answer(&entry.fact));
        entries.map(|entry| describe::event(entry, &runs, RunNo::One)).collect()
    }

    #[test]
    fn every_write_says_what_it_was() {
        let pause = |millis| {
            let length = SimDuration::from_millis(millis);
            Change::FaultLength { id: FaultId(1), length }
        };
        let fence = || Change::Fencing(true);
        assert_eq!(answers(&[pause(1_000)]), ["Storage accepts A's write 33"]);
        assert_eq!(answers(&[pause(9_000)]), ["Storage accepts A's late write 33"]);
        assert_eq!(answers(&[]), ["Storage accepts A's stale write 33"]);
        assert_eq!(answers(&[fence()]), ["Storage refuses A's stale write, 33 < 34"]);
        let strict = [fence(), Change::Rule(FenceRule::RejectLowerOrEqual), pause(1_000)];
        let twice = [&strict[..], &[Change::WritesPerGrant(2)]].concat();
        let second = "Storage refuses A's write, 33 = 33, although rightful";
        assert_eq!(answers(&twice), ["Storage accepts A's write 33", second]);
        let kind = FaultKind::Duplicate {
            message: MessageAddress {
                from: NodeId::Client(ClientId(0)),
                to: NodeId::Store(StoreId(0)),
                kind: MessageKind::Write,
                nth: 1,
            },
            after: SimDuration::from_millis(500),
        };
        let copy = Fault { id: FaultId(2), label: String::new(), enabled: true, kind };
        let copied = [&strict[..], &[Change::AddFault(copy.clone())]].concat();
        let before = "Storage refuses A's write, 33 = 33, applied before";
        assert_eq!(answers(&copied), ["Storage accepts A's write 33", before]);
        let again = "Storage accepts A's write 33, a second time";
        let unfenced = [pause(1_000), Change::AddFault(copy)];
        assert_eq!(answers(&unfenced), ["Storage accepts A's write 33", again]);
    }
}

//! What an accepted write did to the data: nothing, nothing by luck, or damage. Read from the
//! simulation's judgement and the entries that it names; all that is drawn is coloured by it.

use crate::sim::fact::Fact;
use crate::sim::id::{ClientId, EntrySeq};
use crate::sim::log::LogEntry;
use crate::sim::property::{PropertyId, PropertyState, WriteJudgement, WriteStatus};
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;

/// What a write did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Harm {
    /// Nothing: it was rightful, or refused.
    None,
    /// It was accepted after its lease had ended, and did no harm.
    Late,
    /// It was accepted and broke a property that makes a run corrupted.
    Damage,
}

/// Entries that are looked at for a newer holder's first read: more than happen between the end of
/// a lease and a late write in any run that a reader can follow.
const MAX_LOOK_BACK: usize = 1_000;

/// What a write did.
pub fn of_write(judgement: &WriteJudgement) -> Harm {
    if !judgement.accepted {
        return Harm::None;
    }
    match judgement.status {
        _ if judgement.harmful => Harm::Damage,
        WriteStatus::Rightful => Harm::None,
        WriteStatus::Late | WriteStatus::Stale => Harm::Late,
    }
}

/// Whether the outside acted here for a piece of work for which it had acted before.
pub fn is_second_effect(recording: &Recording, entry: &LogEntry) -> bool {
    let piece_of = |fact: &Fact| match fact {
        Fact::Store(_, fact) => fact.act().filter(|act| !act.again).map(|act| act.write.piece()),
        _ => None,
    };
    let Some(piece) = piece_of(&entry.fact) else {
        return false;
    };
    let twice =
        recording.properties().iter().find(|report| report.id == PropertyId::NoExternalEffectTwice);
    // Where it is not broken no log is searched.
    let Some(PropertyState::Broken { .. }) = twice.map(|report| report.state) else {
        return false;
    };
    let before = &recording.entries()[..entry.seq.index()];
    before.iter().any(|earlier| piece_of(&earlier.fact) == Some(piece))
}

/// The newer holder that had read before this late write arrived, and when: what it builds lacks
/// this write.
pub fn newer_reader(
    recording: &Recording,
    judgement: &WriteJudgement,
) -> Option<(ClientId, SimTime)> {
    let answer = recording.log().get(judgement.entry)?;
    let own = answer.fact.about().grant?;
    let from = judgement.grant_ended.unwrap_or(EntrySeq(0)).index();
    let until = judgement.entry.index();
    let from = from.max(until.saturating_sub(MAX_LOOK_BACK));
    let between = &recording.entries()[from..until];
    between.iter().find_map(|entry| match entry.fact {
        Fact::Store(_, fact) => {
            let read = fact.read().filter(|read| read.grant > own);
            read.map(|read| (read.client, entry.at))
        }
        _ => None,
    })
}

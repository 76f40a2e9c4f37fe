//! An index of the grants of a run: when each was made and when it ended.

use crate::sim::fact::LeaseEnd;
use crate::sim::id::{ClientId, EntrySeq, FencingToken, GrantNo};
use crate::sim::time::SimTime;

/// One grant of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GrantRecord {
    /// Its number.
    pub grant: GrantNo,
    /// Whose it was.
    pub client: ClientId,
    /// Its token.
    pub token: FencingToken,
    /// When it was made.
    pub at: SimTime,
    /// The entry that made it.
    pub entry: EntrySeq,
    /// When it ended, how, and the entry that ended it; `None` while it lasts.
    pub ended: Option<(SimTime, LeaseEnd, EntrySeq)>,
}

impl GrantRecord {
    /// Whether nobody ever held it: its client had counted a majority that never stood at one time.
    pub fn is_over_when_made(&self) -> bool {
        self.ended.is_some_and(|(_, _, entry)| entry == self.entry)
    }
}

//! “No item lost”: an item of a queue is done only if some delivery's last write was accepted. One
//! that is settled before its work is lost when that work can no longer come. A dead item is not
//! lost: it stands apart.

use super::report::PropertyState;
use super::{End, Seen};
use crate::sim::fact::Fact;
use crate::sim::history::{History, Moment, UnitEnd};
use crate::sim::id::ClientId;
use crate::sim::scenario::{Scenario, SettleAt};
use crate::sim::world::Phase;

#[derive(Clone, Debug)]
pub(super) struct ItemLost {
    /// Whether there is an item, and when it is settled.
    settle_at: Option<SettleAt>,
    /// When it was done, and who said so.
    done: Option<(Moment, ClientId)>,
    /// When who said so last did something that ends its work: it gave it up, or died.
    ended: Option<Moment>,
}

impl ItemLost {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let settle_at = scenario.rules().item.map(|item| item.settle_at);
        Self { settle_at, done: None, ended: None }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>) {
        let (at, entry) = (seen.entry.at, seen.entry.seq);
        let moment = Moment { entry, at };
        if let Fact::Service(_, fact) = seen.entry.fact
            && let Some(Some(by)) = fact.closes_item()
        {
            self.done = Some((moment, by));
        }
        let Some((_, by)) = self.done else {
            return;
        };
        let ends = match seen.entry.fact {
            Fact::Client(client, fact) => fact.gives_up().is_some() && client == by,
            Fact::Fault(_, fact) => fact.kills() == Some(by),
            Fact::Message(..) | Fact::Service(..) | Fact::Store(..) => false,
        };
        if ends {
            self.ended = Some(moment);
        }
    }

    /// When it was lost, if it was.
    fn lost(&self, history: &History, end: &End<'_>) -> Result<Option<Moment>, StillOpen> {
        let Some((done, by)) = self.done.filter(|_| history.n_done() == 0) else {
            return Ok(None);
        };
        // Who said so before its work may still do it; and so may whoever is at it.
        let works = history.units().iter().any(|unit| unit.end == UnitEnd::UnderWay);
        let client = &end.world.clients[by.index()];
        let is_dead = client.crashed.is_some() || client.worker_crashed.is_some();
        let is_about_to = self.settle_at == Some(SettleAt::Begin)
            && self.ended.is_none()
            && !is_dead
            && matches!(client.phase, Phase::Releasing | Phase::Sealing | Phase::Reading);
        if works || is_about_to {
            return Err(StillOpen);
        }
        let units = history.units().iter().filter_map(|unit| unit.ended);
        Ok(units.chain(self.ended).filter(|last| *last > done).max().or(Some(done)))
    }

    pub(super) fn state(&self, history: &History, end: &End<'_>) -> PropertyState {
        if self.settle_at.is_none() {
            return PropertyState::DoesNotApply;
        }
        match self.lost(history, end) {
            Ok(None) => PropertyState::Holds,
            Ok(Some(Moment { entry, at })) => {
                PropertyState::Broken { at, first: Some(entry), times: 1, lasted: None }
            }
            Err(StillOpen) => PropertyState::Undecided,
        }
    }
}

/// The run ended before it was decided.
struct StillOpen;

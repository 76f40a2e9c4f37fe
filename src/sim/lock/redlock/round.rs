//! One question put to all nodes: who was asked, who said yes, and what that comes to.

use super::{AskOrder, WaitsFor, majority_of};
use crate::sim::clock::Now;
use crate::sim::id::{FencingToken, GrantNo, LockNodeId, RequestNo};
use crate::sim::time::LocalTime;

/// A question under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Round {
    pub(super) request: RequestNo,
    /// The value that it is about.
    pub(super) value: FencingToken,
    /// When the first node was asked.
    pub(super) sent: Now,
    /// Until when the nodes that are asked may answer.
    pub(super) until: LocalTime,
    /// Which nodes said yes and which no, a bit each.
    yes: u16,
    no: u16,
    /// How many were asked.
    pub(super) n_asked: u8,
    n_nodes: u8,
    waits_for: WaitsFor,
    /// The grant that they spoke of, for the record.
    pub(super) grant: GrantNo,
}

impl Round {
    pub(super) fn new(
        (request, value): (RequestNo, FencingToken),
        sent: Now,
        until: LocalTime,
        n_nodes: u8,
        order: AskOrder,
        waits_for: WaitsFor,
    ) -> Self {
        let n_asked = if order == AskOrder::AtOnce { n_nodes } else { 1 };
        let grant = GrantNo::UNKNOWN;
        Self { request, value, sent, until, yes: 0, no: 0, n_asked, n_nodes, waits_for, grant }
    }

    /// Takes an answer in; the first one of each node counts. A node that is asked later answers
    /// later.
    pub(super) fn answer(&mut self, node: LockNodeId, yes: bool) {
        let bit = 1 << node.0;
        if (self.yes | self.no) & bit == 0 {
            *(if yes { &mut self.yes } else { &mut self.no }) |= bit;
        }
    }

    /// Those that are asked and have not answered are taken for a no.
    pub(super) fn give_up(&mut self) {
        let asked = (1_u16 << self.n_asked) - 1;
        self.no |= asked & !self.yes;
    }

    /// Whether the node that was asked last is done with, and another one comes next.
    pub(super) fn is_next_due(&self) -> bool {
        let last = 1_u16 << (self.n_asked - 1);
        self.n_asked < self.n_nodes && (self.yes | self.no) & last != 0
    }

    /// What it comes to; `None`: not decided yet.
    pub(super) fn outcome(&self) -> Option<bool> {
        let majority = u32::from(majority_of(self.n_nodes));
        let (yes, no) = (self.yes.count_ones(), self.no.count_ones());
        let n_nodes = u32::from(self.n_nodes);
        let all = yes + no == n_nodes;
        if yes >= majority {
            return (all || self.waits_for == WaitsFor::Majority).then_some(true);
        }
        (n_nodes - no < majority).then_some(false)
    }
}

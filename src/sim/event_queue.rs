//! What is still to happen, in the order of a run: by time; at one instant faults, then expiries,
//! then arrivals, then timers, then worker steps; then by the order in which it was scheduled.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::effect::TimerKind;
use super::fact::Loss;
use super::id::{ClientId, EntrySeq, LockNodeId};
use super::message::Message;
use super::time::SimTime;

/// Something that will happen unless it is out of date by then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Due {
    /// The fault at this place of the scenario's list begins.
    FaultBegins(u16),
    /// The pause that this fault began is over.
    PauseEnds(u16),
    /// The link that this fault cut is back.
    LinkReturns(u16),
    /// The lock service that this fault stopped is back.
    ServiceReturns(u16),
    /// The client that this fault crashed starts again.
    Restart(u16),
    /// The lock node's timer; out of date unless the generation is the node's last.
    Expiry(LockNodeId, u32),
    /// A message lands, unless it was lost on its way; the entry is that of its sending.
    Arrival(Message, EntrySeq, Option<Loss>),
    /// A write that has passed its check is applied; the place in the engine's list of them.
    Apply(u32),
    /// One of the client's timers; out of date unless the generation is the timer's last.
    Timer(ClientId, TimerKind, u32),
    /// The worker's next step; out of date unless the generation is the client's last.
    WorkerStep(ClientId, u32),
}

impl Due {
    /// The order of kinds at one instant; `docs/model.md`, “Ties”.
    pub fn rank(&self) -> u8 {
        match self {
            Self::FaultBegins(_)
            | Self::PauseEnds(_)
            | Self::LinkReturns(_)
            | Self::ServiceReturns(_)
            | Self::Restart(_) => 0,
            Self::Expiry(..) => 1,
            Self::Arrival(..) | Self::Apply(_) => 2,
            Self::Timer(..) => 3,
            Self::WorkerStep(..) => 4,
        }
    }
}

/// Something due, with its place in the order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScheduledEvent {
    /// When.
    pub due: SimTime,
    /// The rank of its kind and, below it, the number under which it was scheduled.
    order: u64,
    /// What.
    pub what: Due,
}

impl ScheduledEvent {
    /// The number under which it was scheduled.
    pub fn seq(&self) -> u64 {
        self.order & SEQ_MASK
    }

    /// Whether it comes first where both are due at one instant.
    pub fn goes_before(&self, other: &Self) -> bool {
        self.order < other.order
    }
}

/// Ranks stand above the lower 56 bits, which no run's count of scheduled events reaches.
const SEQ_MASK: u64 = (1 << 56) - 1;

impl Ord for ScheduledEvent {
    /// Reversed, because `BinaryHeap` gives its greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        // By the plain numbers: what the heap compares for its own purposes is no condition of the
        // run's course.
        (other.due.micros(), other.order).cmp(&(self.due.micros(), self.order))
    }
}

impl PartialOrd for ScheduledEvent {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The queue.
#[derive(Clone, Debug, Default)]
pub struct EventQueue {
    heap: BinaryHeap<ScheduledEvent>,
    n_scheduled: u64,
}

impl EventQueue {
    /// Adds something; of two at one instant and of one kind, the one added first comes first.
    pub fn push(&mut self, due: SimTime, what: Due) {
        let order = (u64::from(what.rank()) << 56) | self.n_scheduled;
        self.n_scheduled += 1;
        self.heap.push(ScheduledEvent { due, order, what });
    }

    /// Takes the next one.
    pub fn pop(&mut self) -> Option<ScheduledEvent> {
        self.heap.pop()
    }

    /// When the next one is due.
    pub fn next_due(&self) -> Option<SimTime> {
        self.heap.peek().map(|event| event.due)
    }

    /// How many events were ever added.
    pub fn n_scheduled(&self) -> u64 {
        self.n_scheduled
    }

    /// All that is scheduled, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = &ScheduledEvent> {
        self.heap.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::id::{MessageNo, NodeId, RequestNo};
    use crate::sim::message::{Request, SpecialRequest};

    fn arrival(no: u32) -> Due {
        let node = NodeId::Lock(LockNodeId(0));
        let body = Request::from(SpecialRequest::KeepAlive { request: RequestNo(no) }).into();
        Due::Arrival(Message { no: MessageNo(no), from: node, to: node, body }, EntrySeq(0), None)
    }

    #[test]
    fn at_one_instant_faults_expiries_arrivals_timers_and_steps_follow_in_this_order() {
        let at = SimTime::from_millis(10_200);
        let in_order = [
            Due::FaultBegins(3),
            Due::PauseEnds(1),
            Due::Restart(2),
            Due::Expiry(LockNodeId(0), 7),
            arrival(1),
            arrival(2),
            Due::Timer(ClientId(1), TimerKind::Main, 0),
            Due::WorkerStep(ClientId(0), 0),
            Due::WorkerStep(ClientId(1), 0),
        ];
        let mut queue = EventQueue::default();
        queue.push(at + crate::sim::SimDuration::from_micros(1), Due::FaultBegins(0));
        // Later kinds first; inside a kind the order of scheduling counts.
        for rank in (0..=4).rev() {
            in_order.iter().filter(|due| due.rank() == rank).for_each(|&due| queue.push(at, due));
        }
        let popped: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|event| event.what).collect();
        assert_eq!(popped[..9], in_order);
        assert_eq!(popped[9], Due::FaultBegins(0));
    }
}

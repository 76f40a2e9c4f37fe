//! What a state machine wants done: the protocols here are sans-IO, they never send, wait or log by
//! themselves. Only the engine carries effects out, in the order given.

use super::fact::{OwnFact, ServiceFact};
use super::id::{ClientId, GrantNo, NodeId};
use super::lock::Applied;
use super::message::{Body, OneWay};
use super::time::{LocalTime, SimDuration};

/// One thing to be done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Record a fact at this node.
    Fact(OwnFact),
    /// Send a message.
    Send(NodeId, Body),
    /// Wake this node when its own clock shows this; replaces the same timer if it was set before.
    Timer(TimerKind, LocalTime),
    /// That timer no more.
    NoTimer(TimerKind),
    /// Let the worker take its next step after this long; it has at most one step pending.
    Step(SimDuration),
    /// It has no step pending any more.
    NoStep,
    /// Record a fact that several nodes find when they apply the same entry of a log, once.
    FactOnce(Applied, ServiceFact),
}

/// The timers of a node; each is set at most once at a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TimerKind {
    /// A lock node's expiries; a client's renewal.
    Main,
    /// A client's own deadline.
    Deadline,
    /// When a worker that has lost the lock stops.
    Stop,
    /// When a worker gives the lock back although it is still at work.
    EarlyRelease,
    /// When the lock's library in a client gives up what its worker waits for.
    Library,
    /// When it gives up a renewal.
    LibraryRenewal,
    /// When a client learns that its connection is dead, whose other end closed nothing.
    Connection,
}

impl TimerKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Main,
        Self::Deadline,
        Self::Stop,
        Self::EarlyRelease,
        Self::Library,
        Self::LibraryRenewal,
        Self::Connection,
    ];
}

/// The effects of one input, in order. One list is reused for a whole run.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    list: Vec<Effect>,
    /// Grants made in this run by systems whose nodes do not count them alone.
    n_grants: u32,
}

impl Effects {
    /// Records a fact.
    pub fn fact(&mut self, fact: impl Into<OwnFact>) {
        self.list.push(Effect::Fact(fact.into()));
    }

    /// Records a fact of a replicated log, unless another node found it before.
    pub fn fact_once(&mut self, applied: Applied, fact: ServiceFact) {
        self.list.push(Effect::FactOnce(applied, fact));
    }

    /// Sends a message to whom its direction allows.
    pub fn send<M: OneWay>(&mut self, to: M::To, message: M) {
        self.list.push(Effect::Send(to.into(), message.into()));
    }

    /// Closes the connection to a client.
    pub fn disconnect(&mut self, client: ClientId) {
        self.list.push(Effect::Send(client.into(), Body::Disconnected));
    }

    /// Sets one of the node's timers.
    pub fn timer(&mut self, kind: TimerKind, at: LocalTime) {
        self.list.push(Effect::Timer(kind, at));
    }

    /// Takes one of the node's timers back.
    pub fn no_timer(&mut self, kind: TimerKind) {
        self.list.push(Effect::NoTimer(kind));
    }

    /// Takes the worker's pending step back.
    pub fn no_step(&mut self) {
        self.list.push(Effect::NoStep);
    }

    /// Schedules the worker's next step.
    pub fn step(&mut self, after: SimDuration) {
        self.list.push(Effect::Step(after));
    }

    /// The number of a grant that is made now, for the record. Only for systems of which no single
    /// node makes every grant; nobody decides by it.
    pub fn new_grant(&mut self) -> GrantNo {
        self.n_grants += 1;
        GrantNo(self.n_grants)
    }

    /// How many grants were made, for the engine, which may number some itself.
    pub(super) fn n_grants(&mut self) -> &mut u32 {
        &mut self.n_grants
    }

    /// The effects so far.
    pub fn list(&self) -> &[Effect] {
        &self.list
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}

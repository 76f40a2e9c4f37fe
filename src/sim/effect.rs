//! What a state machine wants done: the protocols here are sans-IO, they never send, wait or log by
//! themselves. Only the engine carries effects out, in the order given.

use super::event::Event;
use super::id::NodeId;
use super::message::Body;
use super::time::{LocalTime, SimDuration};

/// One thing to be done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Record a fact at this node.
    Fact(Event),
    /// Send a message.
    Send(NodeId, Body),
    /// Wake this node when its own clock shows this; replaces the timer set before.
    Timer(LocalTime),
    /// No timer any more.
    NoTimer,
    /// Let the worker take its next step after this long; it has at most one step pending.
    Step(SimDuration),
}

/// The effects of one input, in order. One list is reused for a whole run.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    list: Vec<Effect>,
}

impl Effects {
    /// Records a fact.
    pub fn fact(&mut self, event: Event) {
        self.list.push(Effect::Fact(event));
    }

    /// Sends a message.
    pub fn send(&mut self, to: NodeId, body: Body) {
        self.list.push(Effect::Send(to, body));
    }

    /// Sets the node's timer.
    pub fn timer(&mut self, at: LocalTime) {
        self.list.push(Effect::Timer(at));
    }

    /// Takes the node's timer back.
    pub fn no_timer(&mut self) {
        self.list.push(Effect::NoTimer);
    }

    /// Schedules the worker's next step.
    pub fn step(&mut self, after: SimDuration) {
        self.list.push(Effect::Step(after));
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

//! The messages of a run, by sender and receiver, in the order sent. Which of them are routine is a
//! matter of their kind; whether one was late is a matter of the scenario's travel time.

use std::collections::BTreeMap;

use crate::sim::fact::{Fact, MessageFact};
use crate::sim::id::{MessageNo, NodeId};
use crate::sim::message::MessageKind;
use crate::sim::recording::Recording;
use crate::sim::time::{SimDuration, SimTime};

use super::facts::message_row;
use super::merge::Instant;

/// A message under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flight {
    /// When it was sent.
    pub sent: SimTime,
    /// When it arrived, or would have.
    pub arrives: SimTime,
    /// What it says.
    pub kind: MessageKind,
    /// How it is drawn.
    pub fate: Fate,
}

/// What became of a message, as far as its drawing goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fate {
    /// An answer that says what everybody expected.
    Quiet,
    /// The usual.
    Arrived,
    /// It travelled longer than the others.
    Delayed,
    /// Nobody was there to take it.
    Lost,
}

impl Fate {
    /// All of them, in the order in which they are drawn.
    pub const ALL: [Self; 4] = [Self::Quiet, Self::Arrived, Self::Delayed, Self::Lost];
}

/// The messages from one node to another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// In the order sent.
    pub flights: Vec<Flight>,
    /// Those of them that were delayed or lost, once more: they are drawn whatever crowd they are
    /// in, and found without looking at all of it.
    pub remarkable: Vec<Flight>,
    /// The longest flight among them, by which those are found that are still under way.
    pub longest: SimDuration,
}

/// All messages, by sender and receiver.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flights {
    /// The routes.
    pub routes: BTreeMap<(NodeId, NodeId), Route>,
}

impl Instant for Flight {
    fn at(&self) -> SimTime {
        self.sent
    }
}

impl Flights {
    /// The messages of a run.
    pub fn of(run: &Recording) -> Self {
        let usual = run.scenario().spec().latency;
        let mut flights = Self::default();
        // Where each message stands: its place in its route, by its number.
        let mut places: Vec<(MessageNo, NodeId, NodeId, usize)> = Vec::new();
        for entry in run.entries() {
            let Fact::Message(node, fact) = entry.fact else {
                continue;
            };
            match (node, fact) {
                // Between two nodes of the service, which share a lane, there is nothing to draw.
                (NodeId::Lock(_), MessageFact::Sent { to: NodeId::Lock(_), .. }) => {}
                (from, MessageFact::Sent { message, to, kind, arrives, .. }) => {
                    let route = flights.routes.entry((from, to)).or_default();
                    let took = arrives.since(entry.at);
                    route.longest = route.longest.max(took);
                    places.push((message, from, to, route.flights.len()));
                    route.flights.push(Flight {
                        sent: entry.at,
                        arrives,
                        kind,
                        fate: fate(kind, took > usual),
                    });
                }
                (_, MessageFact::Lost { message, .. }) => {
                    let place = places.binary_search_by_key(&message, |place| place.0);
                    if let Ok(place) = place {
                        let (_, from, to, index) = places[place];
                        if let Some(route) = flights.routes.get_mut(&(from, to)) {
                            route.flights[index].fate = Fate::Lost;
                        }
                    }
                }
                (_, MessageFact::Received { .. }) => {}
            }
        }
        for route in flights.routes.values_mut() {
            let remarkable = route.flights.iter().filter(|flight| flight.is_remarkable());
            route.remarkable = remarkable.copied().collect();
        }
        flights
    }
}

impl Flight {
    fn is_remarkable(&self) -> bool {
        match self.fate {
            Fate::Delayed | Fate::Lost => true,
            Fate::Quiet | Fate::Arrived => false,
        }
    }
}

fn fate(kind: MessageKind, late: bool) -> Fate {
    match message_row::row(kind).is_quiet {
        _ if late => Fate::Delayed,
        true => Fate::Quiet,
        false => Fate::Arrived,
    }
}

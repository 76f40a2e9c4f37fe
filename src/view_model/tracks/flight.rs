//! The messages of a run, by sender and receiver, in the order sent. Which of them are routine is a
//! matter of their kind; whether one was late is a matter of the scenario's travel time.

use std::collections::BTreeMap;

use crate::sim::fact::{Fact, Sending};
use crate::sim::id::{MessageNo, NodeId};
use crate::sim::message::MessageKind;
use crate::sim::recording::Recording;
use crate::sim::time::{SimDuration, SimTime};

use crate::view_model::drawing::merge::Instant;
use crate::view_model::words::message_row;

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

/// The messages as the fold meets them: how many each list will hold, and which were lost.
#[derive(Default)]
pub(super) struct Counted {
    n_sent: BTreeMap<(NodeId, NodeId), usize>,
    lost: Vec<MessageNo>,
}

impl Counted {
    /// Takes an entry in, if it is a message's.
    pub(super) fn note(&mut self, fact: &Fact) {
        if let Some(Sending { from, to, .. }) = fact.sending()
            && is_drawn(from, to)
        {
            *self.n_sent.entry((from, to)).or_default() += 1;
        } else if let Some(lost) = fact.lost() {
            self.lost.push(lost.message);
        }
    }

    /// The messages of the run that was folded. It is looked through once more, so that each list
    /// is made once and of its size: lists that grow by copies leave a hole in memory for each.
    pub(super) fn flights(mut self, run: &Recording) -> Flights {
        let usual = run.scenario().spec().latency;
        self.lost.sort_unstable();
        let route = |n| Route { flights: Vec::with_capacity(n), ..Route::default() };
        let routes = self.n_sent.into_iter().map(|(ends, n)| (ends, route(n)));
        let mut flights = Flights { routes: routes.collect() };
        for entry in run.entries() {
            let Some(Sending { message, from, to, kind, arrives, .. }) = entry.fact.sending()
            else {
                continue;
            };
            let Some(route) = flights.routes.get_mut(&(from, to)) else {
                continue;
            };
            let took = arrives.since(entry.at);
            let fate = match self.lost.binary_search(&message) {
                Ok(_) => Fate::Lost,
                Err(_) => fate(kind, took > usual),
            };
            route.longest = route.longest.max(took);
            route.flights.push(Flight { sent: entry.at, arrives, kind, fate });
        }
        for route in flights.routes.values_mut() {
            let remarkable = route.flights.iter().filter(|flight| flight.is_remarkable());
            route.remarkable = Vec::with_capacity(remarkable.clone().count());
            route.remarkable.extend(remarkable);
        }
        flights
    }
}

/// Between two nodes of the service, which share a lane, there is nothing to draw.
fn is_drawn(from: NodeId, to: NodeId) -> bool {
    !matches!((from, to), (NodeId::Lock(_), NodeId::Lock(_)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::log::LogEntry;
    use crate::view_model::tracks::RunTracks;

    /// The log's entries of this kind, by sender and receiver.
    fn count(run: &Recording, of: impl Fn(&LogEntry) -> Option<(NodeId, NodeId)>) -> usize {
        run.entries().iter().filter_map(of).filter(|ends| is_drawn(ends.0, ends.1)).count()
    }

    #[test]
    fn every_message_is_there_once_and_each_list_has_its_size() {
        for entry in GALLERY {
            let run = Recording::of(&entry.file().base().expect(entry.id));
            let flights = RunTracks::of(&run).flights;
            let routes = flights.routes.values();
            for list in routes.clone().flat_map(|route| [&route.flights, &route.remarkable]) {
                assert_eq!(list.capacity(), list.len(), "{}", entry.id);
            }
            let sent = count(&run, |entry| entry.fact.sending().map(|it| (it.from, it.to)));
            let lost = count(&run, |entry| entry.fact.lost().map(|it| (it.from, it.to)));
            let all: Vec<_> = routes.flat_map(|route| &route.flights).collect();
            assert_eq!(all.len(), sent, "{}", entry.id);
            let is_lost = |flight: &&&Flight| flight.fate == Fate::Lost;
            assert_eq!(all.iter().filter(is_lost).count(), lost, "{}", entry.id);
        }
    }
}

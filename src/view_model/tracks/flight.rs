//! The messages of a run, by sender and receiver, in the order sent. Which of them are routine is a
//! matter of their kind; whether one was late is a matter of the scenario's travel time.

use std::collections::BTreeMap;
use std::num::NonZeroI32;

use crate::sim::fact::{Fact, Sending};
use crate::sim::id::{ClientId, FencingToken, MessageNo, NodeId, StoreId};
use crate::sim::message::MessageKind;
use crate::sim::recording::Recording;
use crate::sim::time::{SimDuration, SimTime};

use crate::view_model::drawing::merge::Instant;
use crate::view_model::facts::routine::Routine;
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
    /// Whether it tells something: all else goes to and fro, and is no arrow.
    pub tells: bool,
    /// The token that it carries, if it does and an arrow has room for it.
    pub token: Option<ShortToken>,
}

/// A token that can be written beside an arrow. In four bytes, because there are as many flights as
/// messages: longer ones, as etcd can have, are told in the list of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShortToken(NonZeroI32);

impl ShortToken {
    fn of(token: FencingToken) -> Option<Self> {
        // One higher where it is not negative, so that nothing is left for `None`.
        let token = i32::try_from(token.0).ok()?;
        let moved = if token < 0 { token } else { token.checked_add(1)? };
        NonZeroI32::new(moved).map(Self)
    }

    /// The token.
    pub fn token(self) -> FencingToken {
        let moved = i64::from(self.0.get());
        FencingToken(if moved < 0 { moved } else { moved - 1 })
    }
}

/// What became of a message, as far as its drawing goes, in the order in which it is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fate {
    /// The usual.
    Arrived,
    /// It travelled longer than the others.
    Delayed,
    /// Nobody was there to take it.
    Lost,
}

/// The messages from one node to another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// In the order sent.
    pub flights: Vec<Flight>,
    /// The places of those that tell something: they are found without looking at all others.
    telling: Vec<u32>,
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

/// Whether a store's answer to a client's message at an instant is what the run comes to.
type Decided<'a> = &'a dyn Fn(ClientId, StoreId, SimTime) -> bool;

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
    /// `decided`: whether a store turned a client's message away there, or it did damage.
    pub(super) fn flights(mut self, run: &Recording, decided: Decided<'_>) -> Flights {
        let usual = run.scenario().spec().latency;
        let routine = Routine::of(run);
        self.lost.sort_unstable();
        let route = |n| Route { flights: Vec::with_capacity(n), ..Route::default() };
        let routes = self.n_sent.into_iter().map(|(ends, n)| (ends, route(n)));
        let mut flights = Flights { routes: routes.collect() };
        for entry in run.entries() {
            let Some(Sending { message, from, to, kind, token, arrives }) = entry.fact.sending()
            else {
                continue;
            };
            let Some(route) = flights.routes.get_mut(&(from, to)) else {
                continue;
            };
            let took = arrives.since(entry.at);
            let fate = match self.lost.binary_search(&message) {
                Ok(_) => Fate::Lost,
                Err(_) if took > usual => Fate::Delayed,
                Err(_) => Fate::Arrived,
            };
            route.longest = route.longest.max(took);
            let tells = match fate {
                Fate::Arrived => routine.tells(entry.seq),
                Fate::Delayed => true,
                Fate::Lost => routine.tells_lost(message),
            };
            let tells = tells || message_row::tells(kind);
            let token = token.and_then(ShortToken::of);
            route.flights.push(Flight { sent: entry.at, arrives, kind, fate, tells, token });
        }
        for (ends, route) in &mut flights.routes {
            route.thin(|flight| decides(*ends, flight, decided));
            route.retell();
        }
        flights
    }
}

impl Flights {
    /// When a client asked for the lock again, and was told nothing new; what it asks of several
    /// nodes at once is one question.
    pub fn polls(&self, client: ClientId) -> Vec<SimTime> {
        self.routine(client, |it| it.kind.wants_the_lock())
    }

    /// When a client sent something else into a silence.
    pub fn lost(&self, client: ClientId) -> Vec<SimTime> {
        self.routine(client, |it| it.fate == Fate::Lost && !it.kind.wants_the_lock())
    }

    /// When a client sent what is no arrow; what it sends to several nodes at once is one.
    fn routine(&self, client: ClientId, is_it: impl Fn(&Flight) -> bool + Copy) -> Vec<SimTime> {
        let client = NodeId::Client(client);
        let routes = self.routes.iter().filter(|((from, _), _)| *from == client);
        let flights = routes.flat_map(|(_, route)| &route.flights);
        let all = flights.filter(|it| !it.tells && is_it(it));
        let mut sent = Vec::with_capacity(all.clone().count());
        sent.extend(all.map(|flight| flight.sent));
        sent.sort_unstable();
        sent.dedup();
        sent
    }
}

/// Between two nodes of the service, which share a lane, there is nothing to draw.
fn is_drawn(from: NodeId, to: NodeId) -> bool {
    !matches!((from, to), (NodeId::Lock(_), NodeId::Lock(_)))
}

/// A holder that does more of one kind than so many times does it again and again.
const MOST_SINGLE: usize = 4;

/// Whether a message gives the lock or turns somebody away, or a store's answer to it is what the
/// run comes to.
fn decides((from, to): (NodeId, NodeId), flight: &Flight, decided: Decided<'_>) -> bool {
    let (NodeId::Client(client), NodeId::Store(store)) = (from, to) else {
        return flight.kind.gives_the_lock() || message_row::turns_away(flight.kind);
    };
    decided(client, store, flight.arrives)
}

impl Route {
    /// Of what is done again and again only the first and the last tell, and what decides: the
    /// others are marks in a storage's lane, or the ends of leases.
    fn thin(&mut self, decides: impl Fn(&Flight) -> bool) {
        let thins = |it: &Flight| {
            it.tells && it.fate == Fate::Arrived && !it.kind.wants_the_lock() && !decides(it)
        };
        let mut places: BTreeMap<MessageKind, Vec<usize>> = BTreeMap::new();
        for (place, _) in self.flights.iter().enumerate().filter(|(_, flight)| thins(flight)) {
            places.entry(self.flights[place].kind).or_default().push(place);
        }
        for many in places.into_values().filter(|places| places.len() > MOST_SINGLE) {
            for place in &many[1..many.len() - 1] {
                self.flights[*place].tells = false;
            }
        }
    }

    /// Forgets what arrives after `now`.
    pub fn known_at(&mut self, now: SimTime) {
        self.flights.retain(|flight| flight.arrives <= now);
        self.retell();
    }

    fn retell(&mut self) {
        let tells = |flight: &&Flight| flight.tells;
        self.telling = Vec::with_capacity(self.flights.iter().filter(tells).count());
        let places = (0..).zip(&self.flights).filter(|(_, flight)| flight.tells);
        self.telling.extend(places.map(|(place, _)| place));
    }

    /// Those that tell something and are under way between two instants.
    pub fn telling(
        &self,
        from: SimTime,
        to: SimTime,
    ) -> impl ExactSizeIterator<Item = &Flight> + Clone {
        let flight = |place: u32| &self.flights[place as usize];
        let sent_before = |at: SimTime| {
            self.telling.partition_point(move |&place| flight(place).sent + self.longest < at)
        };
        let first = sent_before(from);
        let last = self.telling.partition_point(|&place| flight(place).sent <= to).max(first);
        self.telling[first..last].iter().map(move |&place| flight(place))
    }
}

impl Flight {
    /// Whether it was delayed or lost: it is drawn in whatever crowd it is.
    pub fn is_remarkable(&self) -> bool {
        match self.fate {
            Fate::Delayed | Fate::Lost => true,
            Fate::Arrived => false,
        }
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
    fn a_token_keeps_its_value_in_four_bytes() {
        for token in [0, 33, -1, -2_147_483_648, 2_147_483_646] {
            let token = FencingToken(token);
            assert_eq!(ShortToken::of(token).map(ShortToken::token), Some(token));
        }
        assert_eq!(ShortToken::of(FencingToken(1 << 53)), None);
        assert_eq!(size_of::<Flight>(), 24);
    }

    #[test]
    fn every_message_is_there_once_and_each_list_has_its_size() {
        for entry in GALLERY {
            let run = Recording::of(&entry.file().base().expect(entry.id));
            let flights = RunTracks::of(&run).flights;
            let routes = flights.routes.values();
            for route in routes.clone() {
                assert_eq!(route.flights.capacity(), route.flights.len(), "{}", entry.id);
                assert_eq!(route.telling.capacity(), route.telling.len(), "{}", entry.id);
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

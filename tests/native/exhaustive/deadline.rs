//! A client's own deadline against the service's clock: two clocks that tick together and run, tick
//! by tick, at any rate within a bound. Messages take any number of ticks, overtake one another and
//! may never land; nobody pauses, so a timer fires at the first tick at which it is due.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use fenceline::sim::client::{Client, ClientInput};
use fenceline::sim::clock::Now;
use fenceline::sim::effect::{Effect, Effects, TimerKind};
use fenceline::sim::fact::{ClientFact, OwnFact, ServiceFact};
use fenceline::sim::id::{ClientId, GrantNo, LockNodeId, NodeId, RequestNo};
use fenceline::sim::lock::{LockNode, NodeInput, SystemSettings};
use fenceline::sim::message::{Body, MessageKind, Request};
use fenceline::sim::scenario::{
    ClientSettings, ClientSpec, Deadline, LeaseSpec, Length, LockSystem, NamedStep, Renew,
    StorageSettings,
};
use fenceline::sim::{LocalTime, Scenario, ScenarioSpec, SimDuration, SimTime};
use stateright::{Model, Property};

use super::{EXPLORED, Explored, broken_in, explore, holds_in};

const STOPS_IN_TIME: &str = "it believes only while the service names it";

/// What a slow clock and a fast one show more after a tick of 1 ms: a fifth less, a fifth more.
const TICKS: [SimDuration; 2] = [SimDuration::from_micros(800), SimDuration::from_micros(1_200)];
const RATE_ERROR_PPM: u32 = 200_000;
/// A fast clock shows this after three ticks; a slow one then shows two thirds of it, which is just
/// what the rule leaves to the client.
const TTL: SimDuration = SimDuration::from_micros(3_600);

/// The model. Its last client is the one that is watched. Another one may have the lock at first,
/// for a tick or two; it is told nothing and says nothing more.
#[derive(Clone)]
struct Watch {
    scenario: Scenario,
    /// How many ticks.
    ticks: u8,
    /// How many answers to a renewal may land twice.
    duplicates: u8,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Slot {
    client: Client,
    timers: [Option<LocalTime>; TimerKind::ALL.len()],
    has_step: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Flight {
    from: NodeId,
    to: NodeId,
    body: Body,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    service: LockNode,
    service_clock: LocalTime,
    service_timer: Option<LocalTime>,
    client: Slot,
    /// The clock of the client that is watched.
    client_clock: LocalTime,
    in_flight: Vec<Flight>,
    /// What the service names, and what the watched client believes.
    named: Option<GrantNo>,
    believed: Option<GrantNo>,
    ticks_left: u8,
    duplicates_left: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    /// Time passes: so much on the client's clock, so much on the service's.
    Tick(SimDuration, SimDuration),
    Deliver(Flight),
    /// It lands and will land again.
    DeliverAndKeep(Flight),
    /// The client asks for the lock.
    Ask,
}

impl Watch {
    fn watched(&self) -> ClientId {
        ClientId(self.scenario.n_clients() - 1)
    }

    fn tell_client(&self, state: &mut State, input: ClientInput) {
        let now = Now { monotonic: state.client_clock, wall: state.client_clock };
        let (slot, mut effects) = (&mut state.client, Effects::default());
        slot.client.handle(now, input, &mut effects);
        for effect in effects.list() {
            match *effect {
                Effect::Fact(OwnFact::Client(ClientFact::BeliefStarted { grant, .. })) => {
                    state.believed = Some(grant);
                }
                Effect::Fact(OwnFact::Client(ClientFact::BeliefEnded { .. })) => {
                    state.believed = None;
                }
                Effect::Fact(_) | Effect::FactOnce(..) => {}
                Effect::Send(to, body) => {
                    state.in_flight.push(Flight { from: NodeId::Client(self.watched()), to, body });
                }
                Effect::Timer(kind, at) => slot.timers[kind as usize] = Some(at),
                Effect::NoTimer(kind) => slot.timers[kind as usize] = None,
                Effect::Step(_) => slot.has_step = true,
                Effect::NoStep => slot.has_step = false,
            }
        }
    }

    fn tell_service(&self, state: &mut State, input: NodeInput) {
        let mut effects = Effects::default();
        state.service.handle(state.service_clock, input, &mut effects);
        for effect in effects.list() {
            match *effect {
                Effect::Fact(OwnFact::Service(ServiceFact::Granted { grant, .. })) => {
                    state.named = Some(grant);
                }
                Effect::Fact(OwnFact::Service(ServiceFact::LeaseEnded { .. })) => {
                    state.named = None;
                }
                Effect::Send(to, body) if to == NodeId::Client(self.watched()) => {
                    let from = NodeId::Lock(LockNodeId(0));
                    state.in_flight.push(Flight { from, to, body });
                }
                Effect::Timer(_, at) => state.service_timer = Some(at),
                Effect::NoTimer(_) => state.service_timer = None,
                Effect::Send(..)
                | Effect::Fact(_)
                | Effect::FactOnce(..)
                | Effect::Step(_)
                | Effect::NoStep => {}
            }
        }
    }

    fn deliver(&self, state: &mut State, flight: Flight) {
        match flight.to {
            NodeId::Client(_) => {
                let input = ClientInput::of(flight.from, flight.body).expect("it is an answer");
                self.tell_client(state, input);
            }
            NodeId::Lock(_) => {
                let input = NodeInput::of(flight.from, flight.body).expect("it is a request");
                self.tell_service(state, input);
            }
            NodeId::Store(_) => {}
        }
    }

    /// All that is due at this tick: the lease's end first, as in the engine.
    fn fire(&self, state: &mut State) {
        if state.service_timer.take_if(|at| *at <= state.service_clock).is_some() {
            self.tell_service(state, NodeInput::Timer);
        }
        for kind in TimerKind::ALL {
            let clock = state.client_clock;
            let timer = &mut state.client.timers[kind as usize];
            if timer.take_if(|at| *at <= clock).is_some() {
                self.tell_client(state, ClientInput::Timer(kind));
            }
        }
    }
}

impl Model for Watch {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let client = Slot {
            client: Client::new(&self.scenario, self.watched()),
            timers: [None; TimerKind::ALL.len()],
            has_step: true,
        };
        let mut state = State {
            service: LockNode::new(&self.scenario, LockNodeId(0)),
            service_clock: LocalTime::default(),
            service_timer: None,
            client,
            client_clock: LocalTime::default(),
            in_flight: Vec::new(),
            named: None,
            believed: None,
            ticks_left: self.ticks,
            duplicates_left: self.duplicates,
        };
        for index in 0..self.watched().0 {
            let asks = Request::Acquire {
                request: RequestNo(0),
                stamp: LocalTime::default(),
                unchanged: None,
            };
            self.tell_service(&mut state, NodeInput::Request(ClientId(index), asks));
        }
        vec![state]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.ticks_left > 0 {
            for client in TICKS {
                actions.extend(TICKS.map(|service| Action::Tick(client, service)));
            }
        }
        for flight in &state.in_flight {
            actions.push(Action::Deliver(*flight));
            let is_answer = flight.body.kind() == MessageKind::Renewed;
            if state.duplicates_left > 0 && is_answer {
                actions.push(Action::DeliverAndKeep(*flight));
            }
        }
        // What a worker does with the lock is no matter here.
        let next = state.client.client.pending_steps().next();
        if state.client.has_step && next == Some(NamedStep::BeforeAcquire) {
            actions.push(Action::Ask);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Tick(client, service) => {
                state.ticks_left -= 1;
                state.client_clock = state.client_clock + client;
                state.service_clock = state.service_clock + service;
                self.fire(&mut state);
            }
            Action::Deliver(flight) => {
                state.in_flight.retain(|other| *other != flight);
                self.deliver(&mut state, flight);
            }
            Action::DeliverAndKeep(flight) => {
                state.duplicates_left -= 1;
                self.deliver(&mut state, flight);
            }
            Action::Ask => {
                state.client.has_step = false;
                self.tell_client(&mut state, ClientInput::WorkerStep);
            }
        }
        state.in_flight.sort_by_cached_key(|flight| {
            let mut hasher = DefaultHasher::new();
            flight.hash(&mut hasher);
            hasher.finish()
        });
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(STOPS_IN_TIME, |_, state: &State| {
                state.believed.is_none() || state.believed == state.named
            }),
            Property::always(EXPLORED, |_, _| true),
        ]
    }
}

/// A holder that renews in the middle of a lease, and counts its deadline from the send.
fn settings() -> ClientSettings {
    ClientSettings {
        deadline: Deadline::FromSend,
        deadline_rate_error_ppm: RATE_ERROR_PPM,
        renew: Renew::Every(SimDuration::from_micros(1_600)),
        ..ClientSettings::default()
    }
}

/// `before`: whether another client has the lock at first.
fn check(settings: ClientSettings, before: bool, ticks: u8, duplicates: u8) -> Explored {
    let watched = ClientSpec::asking_at(SimTime::ZERO);
    let other = ClientSpec { ttl: Some(SimDuration::from_millis(1)), ..watched.clone() };
    let spec = ScenarioSpec {
        seed: 1,
        length: Length::Auto,
        lock: LockSystem::LeaseServer,
        product: None,
        systems: SystemSettings::default(),
        lease: LeaseSpec { ttl: TTL, ..LeaseSpec::default() },
        latency: SimDuration::ZERO,
        storage: StorageSettings::default(),
        defaults: settings,
        clients: if before { vec![other, watched] } else { vec![watched] },
        faults: Vec::new(),
    };
    let scenario = Scenario::new(spec).expect("within the limits");
    explore(Watch { scenario, ticks, duplicates }, STOPS_IN_TIME)
}

#[test]
fn a_deadline_counted_from_the_send_with_bounded_drift_always_stops_in_time() {
    assert_eq!(check(settings(), false, 6, 0), holds_in(148_749));
}

#[test]
fn nor_does_an_answer_that_lands_twice_or_late_move_it() {
    assert_eq!(check(settings(), false, 5, 1), holds_in(51_447));
}

#[test]
fn a_waiter_counts_from_a_renewal_of_its_own() {
    assert_eq!(check(settings(), true, 5, 0), holds_in(164_504));
}

#[test]
fn a_waiter_with_a_session_counts_from_its_last_sign_of_life() {
    let session = true;
    let settings = ClientSettings { session, ..settings() };
    assert_eq!(check(settings, true, 4, 0), holds_in(302_902));
}

#[test]
fn a_deadline_counted_from_the_receipt_does_not() {
    let deadline = Deadline::FromReceipt;
    let settings = ClientSettings { deadline, ..settings() };
    assert_eq!(check(settings, false, 6, 0), broken_in(52_750, 10));
}

#[test]
fn nor_does_one_that_forgets_that_clocks_drift() {
    let deadline_rate_error_ppm = 0;
    let settings = ClientSettings { deadline_rate_error_ppm, ..settings() };
    assert_eq!(check(settings, false, 6, 0), broken_in(105_134, 15));
}

#[test]
fn nor_does_a_client_without_one() {
    let deadline = Deadline::Off;
    let settings = ClientSettings { deadline, ..settings() };
    assert_eq!(check(settings, false, 6, 0), broken_in(88_658, 13));
}

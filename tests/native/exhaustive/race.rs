//! Clients, a lock service and stores in any order. Time is left out: nothing but the lock service
//! compares a clock here, and its clock leaps to the lease's end whenever the checker lets it end.
//! So a lease may end at once or never, a pause lasts as long as the checker leaves a worker's step
//! untaken, and a message that stays under way is a delayed or a lost one.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use fenceline::sim::client::{Client, ClientInput};
use fenceline::sim::clock::Now;
use fenceline::sim::effect::{Effect, Effects, TimerKind};
use fenceline::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use fenceline::sim::lock::{LockNode, NodeInput, SystemSettings};
use fenceline::sim::message::{Body, MessageKind};
use fenceline::sim::scenario::{
    ClientSettings, ClientSpec, LeaseSpec, Length, LockSystem, StorageSettings,
};
use fenceline::sim::storage::{ArrivedWrite, Handled, Store, StoreInput};
use fenceline::sim::{LocalTime, Scenario, ScenarioSpec, SimDuration, SimTime};
use stateright::{Model, Property};

use super::EXPLORED;
use super::ledger::Ledger;
use super::units::Units;

pub(super) const WENT_BACK: &str = "accepted writes never go back in grant order";
pub(super) const OLDER_WRITE: &str = "no older write once the next holder has begun";
pub(super) const NO_DAMAGE: &str = "no damage of forms 1 and 2";
pub(super) const LOST_UPDATE: &str = "no update is lost at any one store";
pub(super) const OLDER_OVER_NEWER: &str = "no older holder replaces a newer one's value unseen";

/// How often what is not the ordinary course of things may happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Bounds {
    /// Grants in all.
    pub(super) grants: u32,
    /// A lease ends without its holder's doing.
    pub(super) expiries: u8,
    /// A write arrives and stays under way, to arrive again.
    pub(super) duplicates: u8,
    /// A client loses all it knew and starts again.
    pub(super) crashes: u8,
    /// A worker waits no longer for an answer.
    pub(super) timeouts: u8,
    /// A store stops and comes back.
    pub(super) store_restarts: u8,
    /// A renewer's tick comes.
    pub(super) renewals: u8,
}

/// The model.
#[derive(Clone)]
pub(super) struct Race {
    scenario: Scenario,
    bounds: Bounds,
    /// Whether units of work are followed; it takes more states.
    follows_units: bool,
}

/// What determines a race.
pub(super) struct Set {
    pub(super) n_clients: usize,
    pub(super) clients: ClientSettings,
    pub(super) lease: LeaseSpec,
    pub(super) storage: StorageSettings,
    pub(super) bounds: Bounds,
    pub(super) follows_units: bool,
}

impl Race {
    pub(super) fn new(set: Set) -> Self {
        let client = ClientSpec::asking_at(SimTime::ZERO);
        let spec = ScenarioSpec {
            seed: 1,
            length: Length::Auto,
            lock: LockSystem::LeaseServer,
            product: None,
            lease: set.lease,
            systems: SystemSettings::default(),
            latency: SimDuration::ZERO,
            storage: set.storage,
            defaults: set.clients,
            clients: vec![client; set.n_clients],
            faults: Vec::new(),
        };
        Self {
            scenario: Scenario::new(spec).expect("the models stay within the limits"),
            bounds: set.bounds,
            follows_units: set.follows_units,
        }
    }

    fn carry_out(&self, state: &mut State, node: NodeId, effects: &Effects) {
        for effect in effects.list() {
            match (*effect, node) {
                (Effect::Fact(event), NodeId::Lock(_)) => state.ledger.granted(&event),
                (Effect::Fact(event), NodeId::Store(store)) => state.ledger.stored(store, &event),
                (Effect::Fact(event), NodeId::Client(client)) => {
                    state.follow(|units| units.stated(client, &event));
                }
                (Effect::Send(to, body), _) => {
                    if let NodeId::Client(client) = node {
                        state.follow(|units| units.sends(client, to, &body));
                    }
                    state.in_flight.push(Flight { from: node, to, body });
                }
                (Effect::Step(_), NodeId::Client(client)) => state.set_step(client, true),
                (Effect::NoStep, NodeId::Client(client)) => state.set_step(client, false),
                (Effect::Timer(TimerKind::Main, at), NodeId::Lock(_)) => state.ends_at = Some(at),
                (Effect::NoTimer(TimerKind::Main), NodeId::Lock(_)) => state.ends_at = None,
                // Without a bound on renewals there are none: a lease may end at once or never all
                // the same.
                (Effect::Timer(TimerKind::Main, _), NodeId::Client(client)) => {
                    state.clients[client.index()].is_ticking = self.bounds.renewals > 0;
                }
                (Effect::NoTimer(TimerKind::Main), NodeId::Client(client)) => {
                    state.clients[client.index()].is_ticking = false;
                }
                _ => {}
            }
        }
    }

    fn tell_client(&self, state: &mut State, client: ClientId, input: ClientInput) {
        let mut effects = Effects::default();
        state.clients[client.index()].client.handle(Now::default(), input, &mut effects);
        self.carry_out(state, NodeId::Client(client), &effects);
    }

    fn tell_service(&self, state: &mut State, input: NodeInput) {
        let mut effects = Effects::default();
        state.service.handle(state.now, input, &mut effects);
        self.carry_out(state, NodeId::Lock(LockNodeId(0)), &effects);
    }

    fn deliver(&self, state: &mut State, flight: Flight) {
        let Flight { from, to, body } = flight;
        match to {
            NodeId::Client(client) => {
                state.follow(|units| units.handles(client, from, &body));
                let input = ClientInput::of(from, body).expect("it is an answer");
                self.tell_client(state, client, input);
            }
            NodeId::Lock(_) => {
                let input = NodeInput::of(from, body).expect("it is a request");
                self.tell_service(state, input);
            }
            NodeId::Store(store) => {
                let mut effects = Effects::default();
                let there = &mut state.stores[usize::from(store.0)];
                let input = StoreInput::of(from, body).expect("it is a request");
                if let Handled::Passed(write) = there.handle(Now::default(), input, &mut effects) {
                    if self.scenario.spec().storage.check_gap.is_zero() {
                        there.apply(write, &mut effects);
                    } else {
                        state.passed.push((store, write));
                    }
                }
                self.carry_out(state, to, &effects);
            }
        }
    }

    fn crash(&self, state: &mut State, client: ClientId) {
        let mut effects = Effects::default();
        state.clients[client.index()].client.crash(&mut effects);
        state.set_step(client, false);
        state.clients[client.index()].is_ticking = false;
        self.carry_out(state, NodeId::Client(client), &effects);
        self.tell_client(state, client, ClientInput::Start(SimDuration::ZERO));
    }
}

/// A message under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Flight {
    from: NodeId,
    to: NodeId,
    body: Body,
}

/// A client, and whether its worker has a step pending and its renewer a tick.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Slot {
    client: Client,
    has_step: bool,
    is_ticking: bool,
}

/// Everything that is so.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    service: LockNode,
    /// The service's clock, and what its timer is set to.
    now: LocalTime,
    ends_at: Option<LocalTime>,
    clients: Vec<Slot>,
    stores: Vec<Store>,
    /// Sorted: which of two messages was sent first is no difference between states.
    in_flight: Vec<Flight>,
    /// Writes between their check and their application.
    passed: Vec<(StoreId, ArrivedWrite)>,
    ledger: Ledger,
    /// What is left of the bounds.
    left: Bounds,
}

impl State {
    fn set_step(&mut self, client: ClientId, has_step: bool) {
        self.clients[client.index()].has_step = has_step;
    }

    fn follow(&mut self, what: impl FnOnce(&mut Units)) {
        if let Some(units) = &mut self.ledger.units {
            what(units);
        }
    }

    fn has(&self, damage: fn(&Units) -> bool) -> bool {
        self.ledger.units.as_ref().is_some_and(damage)
    }

    fn in_order(mut self) -> Self {
        self.in_flight.sort_by_cached_key(fingerprint);
        self.passed.sort_by_cached_key(fingerprint);
        self
    }
}

fn fingerprint(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What may happen next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// A message lands.
    Deliver(Flight),
    /// A write lands and will land again.
    DeliverAndKeep(Flight),
    /// A write that has passed its check is applied.
    Apply(StoreId, ArrivedWrite),
    /// A worker takes its pending step.
    Step(ClientId),
    /// The service's time has come.
    Expire,
    /// A client loses all it knew and starts again.
    Crash(ClientId),
    /// A store stops and comes back.
    RestartStore(StoreId),
    /// A renewer's tick comes.
    Renew(ClientId),
}

impl Model for Race {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let scenario = &self.scenario;
        let storage = &scenario.spec().storage;
        let slot = |index| Slot {
            client: Client::new(scenario, ClientId(index)),
            has_step: false,
            is_ticking: false,
        };
        let mut state = State {
            service: LockNode::new(scenario, LockNodeId(0)),
            now: LocalTime::default(),
            ends_at: None,
            clients: (0..scenario.n_clients()).map(slot).collect(),
            stores: (0..storage.stores).map(|index| Store::new(storage, StoreId(index))).collect(),
            in_flight: Vec::new(),
            passed: Vec::new(),
            ledger: Ledger::new(usize::from(storage.stores), self.follows_units),
            left: self.bounds,
        };
        for index in 0..scenario.n_clients() {
            let start = ClientInput::Start(SimDuration::ZERO);
            self.tell_client(&mut state, ClientId(index), start);
        }
        vec![state.in_order()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        for flight in &state.in_flight {
            actions.push(Action::Deliver(*flight));
            if state.left.duplicates > 0 && flight.body.kind() == MessageKind::Write {
                actions.push(Action::DeliverAndKeep(*flight));
            }
        }
        let applies = state.passed.iter();
        actions.extend(applies.map(|&(store, write)| Action::Apply(store, write)));
        for (slot, index) in state.clients.iter().zip(0..) {
            // A step of a worker that awaits an answer is its patience's end.
            let awaits = slot.client.pending_steps().next().is_none();
            if slot.has_step && (!awaits || state.left.timeouts > 0) {
                actions.push(Action::Step(ClientId(index)));
            }
            if slot.is_ticking && state.left.renewals > 0 {
                actions.push(Action::Renew(ClientId(index)));
            }
            if state.left.crashes > 0 {
                actions.push(Action::Crash(ClientId(index)));
            }
        }
        if state.ends_at.is_some() && state.left.expiries > 0 {
            actions.push(Action::Expire);
        }
        if state.left.store_restarts > 0 {
            let stores = (0..self.scenario.spec().storage.stores).map(StoreId);
            actions.extend(stores.map(Action::RestartStore));
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Deliver(flight) => {
                state.in_flight.retain(|other| *other != flight);
                self.deliver(&mut state, flight);
            }
            Action::DeliverAndKeep(flight) => {
                state.left.duplicates -= 1;
                self.deliver(&mut state, flight);
            }
            Action::Apply(store, write) => {
                state.passed.retain(|other| *other != (store, write));
                let mut effects = Effects::default();
                state.stores[usize::from(store.0)].apply(write, &mut effects);
                self.carry_out(&mut state, NodeId::Store(store), &effects);
            }
            Action::Step(client) => {
                let slot = &mut state.clients[client.index()];
                slot.has_step = false;
                if slot.client.pending_steps().next().is_none() {
                    state.left.timeouts -= 1;
                }
                self.tell_client(&mut state, client, ClientInput::WorkerStep);
            }
            Action::Expire => {
                state.left.expiries -= 1;
                state.now = state.ends_at.take()?;
                self.tell_service(&mut state, NodeInput::Timer);
            }
            Action::Renew(client) => {
                state.left.renewals -= 1;
                state.clients[client.index()].is_ticking = false;
                self.tell_client(&mut state, client, ClientInput::Timer(TimerKind::Main));
            }
            Action::Crash(client) => {
                state.left.crashes -= 1;
                self.crash(&mut state, client);
            }
            Action::RestartStore(store) => {
                state.left.store_restarts -= 1;
                state.stores[usize::from(store.0)].restart();
            }
        }
        Some(state.in_order())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(WENT_BACK, |_, state: &State| !state.ledger.went_back),
            Property::always(OLDER_WRITE, |_, state: &State| !state.ledger.older_write),
            Property::always(NO_DAMAGE, |_, state: &State| {
                !state.has(Units::has_no_order) && !state.has(Units::older_replaced_newer)
            }),
            Property::always(LOST_UPDATE, |_, state: &State| {
                !state.has(Units::has_no_order_at_a_store)
            }),
            Property::always(OLDER_OVER_NEWER, |_, state: &State| {
                !state.has(Units::older_replaced_newer)
            }),
            Property::always(EXPLORED, |_, _| true),
        ]
    }

    fn within_boundary(&self, state: &State) -> bool {
        state.ledger.n_grants <= self.bounds.grants
    }
}

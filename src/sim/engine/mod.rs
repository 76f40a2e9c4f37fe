//! The engine: it alone orders events, knows simulated time, delays what meets a pause, and writes
//! the log. What a node does is decided in `sim::lock`, `sim::client` and `sim::storage`.

mod colocated;
mod course;
mod deliver;
mod faults;
mod fork;
mod length;
mod pauses;

use super::client::Client;
use super::clock::{ClockKind, ClockModel};
use super::effect::{Effects, TimerKind};
use crate::sim::fact::Fact;

use super::event_queue::{Due, EventQueue, ScheduledEvent};
use super::id::{ClientId, EntrySeq, FaultId, LockNodeId, MessageNo, NodeId, StoreId};
use super::limits;
use super::lock::{LockNode, Observer};
use super::log::EventLog;
use super::property::Judge;
use super::recording::{Recording, RunEnd};
use super::scenario::{Loses, NamedStep, Scenario};
use super::storage::{ArrivedWrite, Store};
use super::time::{SimDuration, SimTime};
use super::world::World;
use faults::{ActiveCut, ActivePause, MessageFaults};

/// Runs `scenario` to its end.
pub(super) fn record(scenario: &Scenario) -> Recording {
    let mut simulation = Simulation::new(scenario);
    while simulation.run(u32::MAX) == Progress::Running {}
    simulation.finish()
}

/// Whether a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There is more to do.
    Running,
    /// It reached its length or a limit.
    Finished,
}

/// A run under way: a stepper, so that slicing and cancelling need no second path.
#[derive(Clone, Debug)]
pub struct Simulation {
    scenario: Scenario,
    now: SimTime,
    queue: EventQueue,
    nodes: Vec<NodeSlot>,
    clients: Vec<ClientSlot>,
    stores: Vec<StoreSlot>,
    /// The lock node that clients find when they look for the service.
    serving: LockNodeId,
    /// Pauses that hold a client now.
    pauses: Vec<ActivePause>,
    /// Links that carry nothing now.
    cuts: Vec<ActiveCut>,
    message_faults: MessageFaults,
    /// Faults that have begun, and until when what has struck lasts, with what follows.
    begun: Vec<FaultId>,
    faults_last_until: SimTime,
    /// Writes that have passed their check and are applied later.
    applies: Vec<PendingApply>,
    /// Whose requests found no process to connect to, where the lock lives with a connection.
    refused_connections: Vec<ClientId>,
    n_messages: u32,
    effects: Effects,
    /// Counts what no node can, and numbers what it finds.
    observer: Observer,
    n_grants: u32,

    log: EventLog,
    world: World,
    snapshots: Vec<World>,
    judge: Judge,

    /// For the run's course: the last event that happened, and how many had been scheduled by then.
    last: Option<(ScheduledEvent, u64)>,
    ends_at: SimTime,
    /// Beyond this an automatic length is not extended.
    ends_at_latest: SimTime,
    n_steps: u32,
    end: Option<RunEnd>,
}

/// A lock node with what the engine keeps for it.
#[derive(Clone, Debug)]
struct NodeSlot {
    node: LockNode,
    clock: ClockModel,
    /// Which of its clocks it judges by.
    judges_by: ClockKind,
    timer: Timer,
    /// It is stopped.
    is_down: bool,
    /// When the last of the faults that stop it is over, and what these make it forget.
    stopped: (SimTime, Loses),
}

/// A store with what the engine keeps for it.
#[derive(Clone, Debug)]
struct StoreSlot {
    store: Store,
    clock: ClockModel,
}

/// A write between its check and its application.
#[derive(Clone, Copy, Debug)]
struct PendingApply {
    store: StoreId,
    write: ArrivedWrite,
    cause: EntrySeq,
}

/// A client with what the engine keeps for it.
#[derive(Clone, Debug)]
struct ClientSlot {
    client: Client,
    clock: ClockModel,
    is_dead: bool,
    timers: [Timer; TimerKind::ALL.len()],
    /// The worker's pending step.
    step: Timer,
    /// Time that computing work still needed when its worker was paused.
    remaining: Option<SimDuration>,
    /// What came due while the part that it concerns stood still.
    backlog: Vec<Waiting>,
    /// How often each named step was reached.
    reached: [u32; NamedStep::ALL.len()],
}

/// Something that came due while the part that it concerns stood still.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    event: ScheduledEvent,
    /// The named steps that it is were counted: it was the step itself that met a pause.
    is_counted: bool,
}

/// At most one thing that is due; setting it again makes what was scheduled before out of date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Timer {
    generation: u32,
    /// What the node's own clock will show; for the re-keying when that clock stops or goes on.
    local: Option<super::time::LocalTime>,
    due: Option<SimTime>,
    /// The entry after which it was set.
    cause: Option<EntrySeq>,
}

impl Timer {
    fn set(&mut self, now: SimTime, due: Option<SimTime>, cause: Option<EntrySeq>) -> u32 {
        self.was_not_due(now);
        self.generation += 1;
        self.due = due;
        self.cause = cause;
        self.generation
    }
}

impl Simulation {
    /// A run of `scenario` that has not begun.
    pub fn new(scenario: &Scenario) -> Self {
        let rules = scenario.rules();
        let node = |index| NodeSlot {
            node: LockNode::new(scenario, LockNodeId(index)),
            clock: ClockModel::with_rate(faults::rate_of(
                scenario,
                NodeId::Lock(LockNodeId(index)),
            )),
            judges_by: rules.clock,
            timer: Timer::default(),
            is_down: false,
            stopped: (SimTime::ZERO, Loses::Nothing),
        };
        let store = |index| StoreSlot {
            store: Store::new(scenario.storage(), StoreId(index)).checking(scenario.store_check()),
            clock: ClockModel::with_rate(faults::rate_of(scenario, NodeId::Store(StoreId(index)))),
        };
        let client = |index| ClientSlot {
            client: Client::new(scenario, ClientId(index)),
            clock: ClockModel::with_rate(faults::rate_of(
                scenario,
                NodeId::Client(ClientId(index)),
            )),
            is_dead: false,
            timers: [Timer::default(); TimerKind::ALL.len()],
            step: Timer::default(),
            remaining: None,
            backlog: Vec::new(),
            reached: [0; NamedStep::ALL.len()],
        };
        let (ends_at, ends_at_latest) = length::at_the_start(scenario);
        let mut simulation = Self {
            now: SimTime::ZERO,
            queue: EventQueue::default(),
            nodes: (0..rules.n_nodes).map(node).collect(),
            clients: (0..scenario.n_clients()).map(client).collect(),
            stores: (0..scenario.storage().stores).map(store).collect(),
            serving: LockNodeId(0),
            pauses: Vec::new(),
            cuts: Vec::new(),
            message_faults: MessageFaults::new(scenario),
            begun: Vec::new(),
            faults_last_until: SimTime::ZERO,
            applies: Vec::new(),
            refused_connections: Vec::new(),
            n_messages: 0,
            effects: Effects::default(),
            observer: Observer::new(scenario),
            n_grants: 0,
            log: EventLog::default(),
            world: World::new(scenario),
            snapshots: Vec::new(),
            judge: Judge::new(scenario),
            last: None,
            ends_at,
            ends_at_latest,
            n_steps: 0,
            end: None,
            scenario: scenario.clone(),
        };
        simulation.snapshots.push(simulation.world.clone());
        simulation.schedule_faults();
        simulation.start_nodes();
        simulation.start_clients();
        simulation
    }

    /// The same, lasting at least until `end`: a run without a fault is compared with the run that
    /// had it, which may have lasted longer.
    #[must_use]
    pub fn lasting_until(mut self, end: SimTime) -> Self {
        self.ends_at = self.ends_at.max(end);
        self.ends_at_latest = self.ends_at_latest.max(end);
        self
    }

    /// The time reached.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// When the run will end, as far as is known now.
    pub fn ends_at(&self) -> SimTime {
        self.ends_at
    }

    /// Entries in the log so far.
    pub fn n_entries(&self) -> u32 {
        self.log.n_entries()
    }

    /// Steps taken so far.
    pub fn n_steps(&self) -> u32 {
        self.n_steps
    }

    /// Takes up to `budget` steps.
    pub fn run(&mut self, budget: u32) -> Progress {
        for _ in 0..budget {
            if self.end.is_some() {
                return Progress::Finished;
            }
            self.step();
        }
        if self.end.is_some() { Progress::Finished } else { Progress::Running }
    }

    /// Ends the run where it is and judges it.
    pub fn finish(mut self) -> Recording {
        self.log.close();
        let run_end = self.end.unwrap_or(RunEnd::Limit);
        let ends_at = match run_end {
            RunEnd::Complete => self.ends_at,
            RunEnd::Limit => self.now,
        };
        let writes_in_flight = length::writes_in_flight(&self.queue);
        let (report, history) = self.judge.finish(ends_at, &self.world, &writes_in_flight);
        let judged = (report, history);
        Recording::new(self.scenario, self.log, self.snapshots, judged, ends_at, run_end)
    }

    fn step(&mut self) {
        self.n_steps += 1;
        if self.n_steps >= limits::MAX_STEPS || self.log.n_entries() >= limits::MAX_EVENTS {
            self.end = Some(RunEnd::Limit);
            return;
        }
        match self.queue.next_due() {
            // By the plain numbers: an event that is out of date is no condition of the course.
            Some(due) if due.micros() <= self.ends_at.micros() => {
                if let Some(event) = self.queue.pop() {
                    self.comes_next(event);
                    self.now = due;
                    self.happen(event);
                }
            }
            _ => self.extend_or_end(),
        }
    }

    fn happen(&mut self, event: ScheduledEvent) {
        match event.what {
            Due::FaultBegins(fault) => self.fault_begins(fault),
            Due::PauseEnds(fault) => self.pause_ends(fault),
            Due::Restart(fault) => self.restart(fault),
            Due::Expiry(node, generation) => self.expiry(node, generation, event.what),
            Due::LinkReturns(fault) => self.link_returns(fault),
            Due::ServiceReturns(fault) => self.service_returns(fault),
            Due::Arrival(message, sent, lost) => self.arrive(event, &message, sent, lost),
            Due::Apply(index) => self.apply_write(index),
            Due::Timer(client, ..) | Due::WorkerStep(client, _) => self.at_client(client, event),
        }
    }

    fn expiry(&mut self, node: LockNodeId, generation: u32, what: Due) {
        let slot = &self.nodes[usize::from(node.0)];
        if slot.timer.generation != generation || slot.is_down {
            return;
        }
        if let Some(until) = self.stands_still_until(NodeId::Lock(node)) {
            self.queue.push(until, what);
            return;
        }
        let slot = &mut self.nodes[usize::from(node.0)];
        let cause = slot.timer.cause;
        slot.timer.set(self.now, None, None);
        self.at_node(node, super::lock::NodeInput::Timer, cause);
    }

    /// Writes an entry; everything that follows the log is told in the same breath.
    fn record(&mut self, fact: Fact, cause: Option<EntrySeq>) -> EntrySeq {
        let seq = self.log.push(self.now, fact, cause);
        let entry = &self.log.entries()[seq.index()];
        self.judge.observe(entry, &self.world);
        self.world.apply(entry);
        if (seq.0 + 1).is_multiple_of(limits::SNAPSHOT_EVERY) {
            self.snapshots.push(self.world.clone());
        }
        seq
    }

    fn next_message(&mut self) -> MessageNo {
        let no = MessageNo(self.n_messages);
        self.n_messages += 1;
        no
    }
}

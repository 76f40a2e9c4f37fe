//! A transactional producer of Kafka. There is no lock before it: whoever initialises its
//! transactional id last owns that, under a higher producer epoch, and a transaction that is open
//! then is aborted. Its lease is the transaction, which the coordinator aborts when its time is
//! over; giving it back is the commit.
//!
//! Sources, of Apache Kafka: `TransactionCoordinator` (an open transaction is fenced first, under
//! an epoch that nobody is given, and the producer is told `CONCURRENT_TRANSACTIONS` and asks
//! again), `TransactionMetadata` (an epoch of 32766 is exhausted: a new producer id),
//! `TransactionStateManager` (`transaction.timeout.ms` from the transaction's start, by the wall
//! clock, looked at every 10 s; at most 15 min), `TransactionMarkerChannelManager`, KIP-98,
//! KIP-360, KIP-890.

use super::telling::Telling;
use super::{LAST_EPOCH, ProducerEpoch};
use crate::sim::clock::ClockKind;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::{Grant, LeaseEnd, ServiceFact};
use crate::sim::form::choices;
use crate::sim::id::{ClientId, FencingToken, GrantNo, RequestNo};
use crate::sim::limits;
use crate::sim::lock::rules::{Lateness, Reentry, StoreCheck, TtlRule};
use crate::sim::lock::settings::own_settings;
use crate::sim::lock::{Halves, LockNode, NodeInput, Rules, SystemInfo, TokenWorth, by_library};
use crate::sim::message::{Answer, Request, ServiceToStore, StoreToService};
use crate::sim::scenario::{
    ClientSettings, Deadline, ExpiryJudge, LockSystem, Loses, Renew, Scenario, ScenarioSpec,
    TokenSource, Wait,
};
use crate::sim::time::{LocalTime, SimDuration};

pub(in crate::sim::lock) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::KafkaProducer,
    name: "Kafka producer",
    service: "Kafka",
    token: "Producer id and epoch: whoever initialises the transactional id last has the highest. \
            It can fence, if that id is always the same",
    fixes: super::SETTLED,
    fixed: "Kafka settles this itself",
    own: KafkaProducerSettings::OWN,
    rules,
    shape,
    halves: Halves {
        node: |scenario, _| LockNode::KafkaProducer(Node::new(scenario)),
        ..Halves::TABLE
    },
};

own_settings! {
    /// What of a Kafka producer its user can set.
    pub struct KafkaProducerSettings in kafka_producer {
        /// What the producers call themselves. Default: all by one name.
        pub transactional_id: TransactionalId = TransactionalId::Stable,
            neutral TransactionalId::Stable;
        /// Which protocol of transactions they follow. Default: the second (KIP-890, Kafka 4.0).
        pub version: TransactionVersion = TransactionVersion::Two, neutral TransactionVersion::Two;
        /// How often the coordinator looks for transactions whose time is over. Default 10 s
        /// (`transaction.abort.timed.out.transaction.cleanup.interval.ms`).
        pub looks_every: SimDuration = SimDuration::from_secs(10),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// How long after it was told to wait a producer initialises again. Default 100 ms
        /// (`retry.backoff.ms`).
        pub retry_backoff: SimDuration = SimDuration::from_millis(100),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
    }
}

choices! {
    /// What producers give as `transactional.id`.
    #[derive(Copy)]
    pub enum TransactionalId = Stable {
        /// The same, for whoever does this work.
        Stable,
        /// Another one each time: every producer has an id of its own, and fences nobody.
        Random,
    }
}

choices! {
    /// The protocols of transactions.
    #[derive(Copy)]
    pub enum TransactionVersion = Two {
        /// A marker carries its transaction's epoch: a broker refuses a lower one.
        One,
        /// Each transaction ends under an epoch that is one higher: a broker refuses a lower or
        /// equal marker, unless it has written that one.
        Two,
    }
}

/// `transaction.max.timeout.ms`.
const LONGEST_TRANSACTION: SimDuration = SimDuration::from_secs(15 * 60);

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.kafka_producer;
    let millisecond = SimDuration::from_millis(1);
    let worth = match settings.transactional_id {
        TransactionalId::Stable => TokenWorth::Ordered,
        TransactionalId::Random => TokenWorth::Unordered,
    };
    Rules {
        ttl: TtlRule { least: millisecond, most: Some(LONGEST_TRANSACTION), unit: millisecond },
        lateness: Lateness::Scans { every: settings.looks_every, commit: SimDuration::ZERO },
        worth,
        token_source: TokenSource::Counter,
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Wall,
        connection_bound: false,
        two_steps: false,
        waiter_check: false,
        has_queue: false,
        knows_its_holder: false,
        overwrites: true,
        // It asks once more while the transaction before is aborted.
        asking: spec.latency.times(2) + settings.retry_backoff,
        holds_values: false,
        reentry: Reentry::Never,
        answers_stores: false,
        store_check: StoreCheck::ProducerEpoch {
            strict_markers: settings.version == TransactionVersion::Two,
        },
        ..Rules::of_lease_server(spec)
    }
}

/// A transaction is not renewed, and a producer counts no time of its own.
fn shape(spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    let every = spec.systems.kafka_producer.retry_backoff;
    by_library(settings, false, Wait::Poll { every, jitter: SimDuration::ZERO });
    settings.renew = Renew::Off;
    settings.deadline = Deadline::Off;
}

/// The transaction coordinator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    settings: KafkaProducerSettings,
    /// Per client, `transaction.timeout.ms`.
    timeouts: Vec<Option<SimDuration>>,
    first: ProducerEpoch,
    /// What is known of each transactional id; where it is stable, of the one.
    ids: Vec<Transactional>,
    next_producer: i64,
    n_grants: u32,
    telling: Telling,
    timer: Option<LocalTime>,
}

/// What the coordinator keeps of a transactional id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Transactional {
    /// The epoch that counts now.
    current: ProducerEpoch,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum State {
    /// No transaction is open.
    Empty,
    /// One is.
    Ongoing(Transaction),
    /// It was ended, and not all brokers have written so.
    Ending,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Transaction {
    grant: GrantNo,
    client: ClientId,
    /// When its time is over.
    expires: Option<LocalTime>,
}

impl Node {
    pub(in crate::sim::lock) fn new(scenario: &Scenario) -> Self {
        let first = ProducerEpoch::of(scenario.spec().lease.first_token);
        // An epoch has 15 bits, and the last one is not handed out.
        let first = ProducerEpoch { epoch: first.epoch.min(LAST_EPOCH - 1), ..first };
        let mut node = Self {
            settings: scenario.spec().systems.kafka_producer.clone(),
            timeouts: scenario.clients().iter().map(|client| client.ttl).collect(),
            first,
            ids: Vec::new(),
            next_producer: 0,
            n_grants: 0,
            telling: Telling::new(scenario),
            timer: None,
        };
        node.begin_anew();
        node
    }

    /// Nobody has initialised yet.
    fn begin_anew(&mut self) {
        let before = ProducerEpoch { epoch: self.first.epoch - 1, ..self.first };
        self.next_producer = self.first.id.saturating_add(1);
        self.ids.clear();
        if self.settings.transactional_id == TransactionalId::Stable {
            self.ids.push(Transactional { current: before, state: State::Empty });
        } else {
            self.next_producer = self.first.id;
        }
    }

    pub(in crate::sim::lock) fn handle(
        &mut self,
        now: LocalTime,
        input: NodeInput,
        effects: &mut Effects,
    ) {
        match input {
            NodeInput::Restart(loses) => {
                self.timer = None;
                self.forget(loses, effects);
            }
            NodeInput::Timer => self.timer = None,
            NodeInput::Start
            | NodeInput::TakesOver { .. }
            | NodeInput::Request(..)
            | NodeInput::Disconnected(_)
            | NodeInput::Peer(..)
            | NodeInput::Store(..) => {}
        }
        self.pass_time(now, effects);
        match input {
            NodeInput::Request(client, request) => self.serve(now, client, request, effects),
            NodeInput::Store(store, StoreToService::Noted { token }) => {
                self.telling.noted(store, token);
            }
            // It knows of no lock's holder that a store could ask for.
            NodeInput::Store(_, StoreToService::Check { .. })
            | NodeInput::Restart(_)
            | NodeInput::Timer
            | NodeInput::Start
            | NodeInput::TakesOver { .. }
            | NodeInput::Disconnected(_)
            | NodeInput::Peer(..) => {}
        }
        self.complete();
        self.telling.send(now, effects);
        self.set_timer(effects);
    }

    fn serve(&mut self, now: LocalTime, client: ClientId, request: Request, effects: &mut Effects) {
        match request {
            Request::Acquire { request, .. } => self.initialise(now, client, request, effects),
            Request::Release { request, token } => {
                self.commit(now, client, request, token, effects);
            }
            Request::Renew { request, token, .. } => {
                effects.fact(ServiceFact::RenewRefused { client, token });
                effects.send(client, Answer::RenewRefused { request, token });
            }
            Request::Check { request, token } => {
                let valid = self.open(token).is_some();
                let producer = ProducerEpoch::of(token).id;
                let same = |id: &&Transactional| {
                    self.settings.transactional_id == TransactionalId::Stable
                        || id.current.id == producer
                };
                let current = self.ids.iter().find(same).map(|id| id.current.token());
                effects.checked(client, request, token, (valid, current));
            }
            // A producer asks a coordinator for nothing else.
            Request::Special(_) => {}
        }
    }

    /// The place of the id whose open transaction has this epoch.
    fn open(&self, token: FencingToken) -> Option<usize> {
        let is_open = |id: &Transactional| {
            id.current.token() == token && matches!(id.state, State::Ongoing(_))
        };
        self.ids.iter().position(is_open)
    }

    /// `InitProducerId`.
    fn initialise(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        let place = match self.settings.transactional_id {
            TransactionalId::Stable => 0,
            TransactionalId::Random => {
                let current = ProducerEpoch { id: self.new_producer(), epoch: -1 };
                self.ids.push(Transactional { current, state: State::Empty });
                self.ids.len() - 1
            }
        };
        if let State::Ongoing(_) = self.ids[place].state {
            self.abort(now, place, LeaseEnd::TakenOver, effects);
        }
        if self.ids[place].state != State::Empty {
            // `CONCURRENT_TRANSACTIONS`: it asks again.
            effects.taken(client, request, None);
            return;
        }
        let old = self.ids[place].current;
        let current = match old.epoch >= LAST_EPOCH - 1 {
            true => ProducerEpoch { id: self.new_producer(), epoch: 0 },
            false => old.raised(),
        };
        self.n_grants += 1;
        let (grant, token) = (GrantNo(self.n_grants), current.token());
        let ttl = self.timeouts[client.index()];
        let expires = ttl.map(|ttl| now + ttl);
        let state = State::Ongoing(Transaction { grant, client, expires });
        self.ids[place] = Transactional { current, state };
        effects.fact(Grant { no: grant, client, token }.made(ttl));
        effects.send(client, Answer::Granted { request, token, grant, ttl });
    }

    fn new_producer(&mut self) -> i64 {
        let id = self.next_producer;
        self.next_producer = id.saturating_add(1);
        id
    }

    /// An open transaction ends without its producer, and the epoch is raised to fence that.
    fn abort(&mut self, now: LocalTime, place: usize, how: LeaseEnd, effects: &mut Effects) {
        let id = &mut self.ids[place];
        let State::Ongoing(Transaction { grant, client, .. }) = id.state else {
            return;
        };
        let token = id.current.token();
        effects.fact(Grant { no: grant, client, token }.ended(how));
        id.current = id.current.raised();
        id.state = State::Ending;
        let token = id.current.token();
        effects.fact(ServiceFact::EpochRaised { client, token });
        self.telling.tell(now, token, ServiceToStore::Marker { token, commits: false });
    }

    /// `EndTxn`.
    fn commit(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        effects: &mut Effects,
    ) {
        let open = self.open(token).map(|place| &mut self.ids[place]);
        let Some((id, transaction)) = open.and_then(|id| match id.state {
            State::Ongoing(transaction) => Some((id, transaction)),
            State::Empty | State::Ending => None,
        }) else {
            effects.fact(ServiceFact::ReleaseRefused { client, token });
            effects.send(client, Answer::ReleaseRefused { request });
            return;
        };
        let Transaction { grant: no, client: holder, .. } = transaction;
        effects.fact(Grant { no, client: holder, token }.ended(LeaseEnd::Released));
        effects.send(client, Answer::Released { request });
        if self.settings.version == TransactionVersion::Two {
            id.current = id.current.raised();
        }
        id.state = State::Ending;
        let token = id.current.token();
        self.telling.tell(now, token, ServiceToStore::Marker { token, commits: true });
    }

    /// Aborts what has taken too long, when it looks.
    fn pass_time(&mut self, now: LocalTime, effects: &mut Effects) {
        for place in 0..self.ids.len() {
            if self.ends(&self.ids[place]).is_some_and(|end| end <= now) {
                self.abort(now, place, LeaseEnd::Expired, effects);
            }
        }
    }

    /// When it will find that a transaction's time is over.
    fn ends(&self, id: &Transactional) -> Option<LocalTime> {
        match id.state {
            State::Ongoing(transaction) => {
                transaction.expires.map(|at| at.rounded_up_to(self.settings.looks_every))
            }
            State::Empty | State::Ending => None,
        }
    }

    /// What all brokers have written is over.
    fn complete(&mut self) {
        for id in &mut self.ids {
            if id.state == State::Ending && !self.telling.is_open(id.current.token()) {
                id.state = State::Empty;
            }
        }
    }

    /// Its log is lost, wholly or but for the epochs.
    fn forget(&mut self, loses: Loses, effects: &mut Effects) {
        if loses == Loses::Nothing {
            return;
        }
        for id in &mut self.ids {
            if let State::Ongoing(Transaction { grant, client, .. }) = id.state {
                let token = id.current.token();
                effects.fact(Grant { no: grant, client, token }.ended(LeaseEnd::Forgotten));
            }
            id.state = State::Empty;
        }
        self.telling.forget();
        match loses {
            Loses::Nothing | Loses::Leases => {}
            Loses::Everything | Loses::SinceSnapshot => self.begin_anew(),
        }
    }

    fn set_timer(&mut self, effects: &mut Effects) {
        let ends = self.ids.iter().filter_map(|id| self.ends(id)).min();
        let next = ends.into_iter().chain(self.telling.next()).min();
        if next != self.timer {
            match next {
                Some(at) => effects.timer(TimerKind::Main, at),
                None => effects.no_timer(TimerKind::Main),
            }
            self.timer = next;
        }
    }
}

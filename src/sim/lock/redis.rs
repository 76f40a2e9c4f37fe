//! Redis with `SET key value NX PX ttl`: one node, or one and a replica that is told of each change
//! later. A lock is a key with a time to live; its value is a random string, by which its
//! holder knows it again. The replica neither ends a key nor hands one out before it is promoted.
//!
//! Sources: redis.io, "Distributed Locks with Redis" (`SET NX PX`, release by a script that
//! compares the value, why failover breaks it), "Redis replication" (asynchronous by default;
//! expiry reaches replicas as an instant and as `DEL`), `src/expire.c` and `src/db.c`
//! (`keyIsExpired` compares the wall clock with an absolute time); Redisson's `RedissonLock` (30 s
//! watchdog, renewed at a third).

use crate::sim::form::choices;
use std::collections::VecDeque;

use super::lease_table::{Copied, LeaseTable};
use super::rules::Lateness;
use super::{Fixed, Halves, LockNode, NodeInput, Reentry, Rules, SystemInfo, TokenWorth, TtlRule};
use crate::sim::clock::ClockKind;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::id::LockNodeId;
use crate::sim::lock::settings::own_settings;
use crate::sim::message::Peer;
use crate::sim::scenario::{ExpiryJudge, LockSystem, Loses, Scenario, ScenarioSpec, TokenSource};
use crate::sim::time::{LocalTime, SimDuration};

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Redis,
    name: "Redis",
    service: "Redis",
    token: "None with SET alone: it cannot fence. A counter by INCR can, until a failover loses it",
    fixes: &[
        Fixed::TokenSource,
        Fixed::MinHold,
        Fixed::Cap,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::LockDelay,
        Fixed::Grace,
        Fixed::Item,
        Fixed::Ends,
        Fixed::Late,
        Fixed::ConnectionBound,
        Fixed::Session,
        Fixed::WaiterCheck,
        Fixed::HandOff,
    ],
    fixed: "Redis settles this itself",
    own: RedisSettings::OWN,
    rules,
    shape: |_, _, settings| settings.session = false,
    halves: Halves {
        node: |scenario, id| LockNode::Redis(Node::new(scenario, id)),
        ..Halves::TABLE
    },
};

own_settings! {
    /// What of Redis its user can set.
    pub struct RedisSettings in redis {
        /// What is sent as token. Default: nothing but the key's random value.
        pub token: RedisToken = RedisToken::Value, neutral RedisToken::Value;
        /// Whether there is a replica, which a failover promotes. Default: no.
        pub replica: bool = false, none "a number of nodes";
        /// How long the primary keeps a change before it tells the replica; the message's own time
        /// comes on top. Default 0: at once.
        pub lag: SimDuration = SimDuration::ZERO, none "a quantity";
    }
}

choices! {
    /// What a client of Redis sends as its token.
    #[derive(Copy)]
    pub enum RedisToken = Value {
        /// The key's value, a random string: nothing that a storage could compare. Shown as digits.
        Value,
        /// A counter that the script which sets the key increments. It lives in Redis like the key.
        Counter,
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.redis;
    let (token_source, worth, reentry) = match settings.token {
        RedisToken::Value => (TokenSource::LeaseId, TokenWorth::Nothing, Reentry::KeepsToken),
        RedisToken::Counter => (TokenSource::Counter, TokenWorth::Ordered, Reentry::AsAsked),
    };
    Rules {
        // `PX` takes whole milliseconds.
        ttl: TtlRule {
            least: SimDuration::from_millis(1),
            most: None,
            unit: SimDuration::from_millis(1),
        },
        lateness: Lateness::OnTime,
        worth,
        token_source,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Wall,
        connection_bound: false,
        waiter_check: false,
        has_queue: false,
        knows_its_holder: false,
        has_standby: settings.replica,
        // Of a primary and its copy the stores know one only.
        answers_stores: !settings.replica,
        reentry,
        n_nodes: 1 + u8::from(settings.replica),
        ..Rules::of_lease_server(spec)
    }
}

/// A Redis server.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    table: LeaseTable,
    role: Role,
    lag: SimDuration,
    /// Changes that the replica was not told of yet, with when they are sent.
    backlog: VecDeque<(LocalTime, Copied)>,
    /// What the replica was, or will be, told last.
    told: Option<Copied>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    /// It serves; `replica`: whom it tells.
    Primary { replica: Option<LockNodeId> },
    /// It is told, and does nothing by itself.
    Replica,
}

impl Node {
    pub(super) fn new(scenario: &Scenario, id: LockNodeId) -> Self {
        let settings = &scenario.spec().systems.redis;
        let replica = settings.replica.then_some(LockNodeId(1));
        let role = if id == LockNodeId(0) { Role::Primary { replica } } else { Role::Replica };
        let table = LeaseTable::new(scenario).at(id);
        let told = Some(table.copied());
        Self { table, role, lag: settings.lag, backlog: VecDeque::new(), told }
    }

    pub(super) fn handle(&mut self, now: LocalTime, input: NodeInput, effects: &mut Effects) {
        match (self.role, input) {
            (Role::Replica, NodeInput::Peer(_, Peer::Copy(told))) => {
                self.table.copy(told, effects);
            }
            (Role::Replica, NodeInput::Restart(loses)) => {
                if loses != Loses::Nothing {
                    self.table.copy(Copied { held: None, ..self.table.copied() }, effects);
                }
            }
            (Role::Replica, NodeInput::TakesOver { .. }) => {
                self.role = Role::Primary { replica: None };
                self.table.handle(now, input, effects);
            }
            // A replica that clients ask serves nothing, and its keys end when it is told.
            (
                Role::Replica,
                NodeInput::Start
                | NodeInput::Request(..)
                | NodeInput::Disconnected(_)
                | NodeInput::Peer(_, Peer::Raft(_))
                | NodeInput::Store(..)
                | NodeInput::Timer,
            ) => {}
            (Role::Primary { replica }, _) => {
                if let NodeInput::Restart(_) = input {
                    // What was not sent is gone with the process; a replica that connects again is
                    // told everything.
                    self.backlog.clear();
                    self.told = None;
                }
                // A message of the old primary finds a new one: it is no replica any more.
                if !matches!(input, NodeInput::Peer(..)) {
                    self.table.handle(now, input, effects);
                }
                if let Some(replica) = replica {
                    self.replicate(now, replica, effects);
                }
            }
        }
    }

    /// Tells the replica what has changed, when its time has come.
    fn replicate(&mut self, now: LocalTime, replica: LockNodeId, effects: &mut Effects) {
        let state = self.table.copied();
        if self.told != Some(state) {
            self.told = Some(state);
            self.backlog.push_back((now + self.lag, state));
        }
        while let Some((_, state)) = self.backlog.pop_front_if(|(due, _)| *due <= now) {
            effects.send(replica, Peer::Copy(state));
        }
        // The one timer is for what comes first; the table sets its own again when it fires.
        if let Some((due, _)) = self.backlog.front() {
            let first = self.table.timer_is().map_or(*due, |at| at.min(*due));
            effects.timer(TimerKind::Main, first);
        }
    }
}

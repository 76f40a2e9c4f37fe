//! `ZooKeeper`, with the lock of its recipes: each client makes an ephemeral sequential node below
//! the lock's own, whose name comes first holds the lock, and each watches the one before it.
//!
//! Sources: `ExpiryQueue.roundToNextInterval` and `SessionTrackerImpl` (ticks), `ZooKeeperServer`
//! (2 to 20 ticks, 2 s), `ClientCnxn.SendThread` (ping at half of the read timeout, which is two
//! thirds of the session, at least every 10 s; disconnected after the read timeout),
//! `PrepRequestProcessor` (the parent's count of children names a node, `%010d` of an `int`),
//! `ZxidUtils` (epoch and counter), `Leader` (a used up counter forces an election),
//! `ContainerManager` (empty containers go, looked for every 60 s), the recipe for locks.

use super::lease_table::LeaseTable;
use super::rules::{Anew, Lateness, NameOrder, NodeRules, TtlRule};
use super::single_node::ClientHalf;
use super::{
    Fixed, Halves, LockClient, LockNode, NodeInput, Reentry, Rules, SystemInfo, TokenWorth,
    by_library,
};
use crate::sim::clock::ClockKind;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::ServiceFact;
use crate::sim::form::choices;
use crate::sim::id::{ClientId, FencingToken};
use crate::sim::limits;
use crate::sim::lock::settings::own_settings;
use crate::sim::scenario::{
    ClientSettings, Deadline, ExpiryJudge, HandOff, LockSystem, Ratio, Renew, Scenario,
    ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::{LocalTime, SimDuration};

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::ZooKeeper,
    name: "ZooKeeper",
    service: "ZooKeeper",
    token: "The node's sequence number, or its zxid: both can fence, until the number ends",
    fixes: &[
        Fixed::TokenSource,
        Fixed::MinHold,
        Fixed::Cap,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::OwnerCheck,
        Fixed::LockDelay,
        Fixed::Grace,
        Fixed::Item,
        Fixed::Ends,
        Fixed::Late,
        Fixed::ConnectionBound,
        Fixed::TwoSteps,
        Fixed::Wait,
        Fixed::Session,
        Fixed::WaiterCheck,
        Fixed::HandOff,
        Fixed::Identity,
        Fixed::Renew,
    ],
    fixed: "ZooKeeper settles this itself",
    own: ZooKeeperSettings::OWN,
    rules,
    shape,
    halves: Halves {
        node: |scenario, _| LockNode::ZooKeeper(Node::new(scenario)),
        client: |scenario, id| {
            let half = ClientHalf::of(scenario, id);
            LockClient::SingleNode(client_half(scenario.spec(), half))
        },
        ..Halves::TABLE
    },
};

/// Twenty ticks are the longest session.
const LONGEST_TICK: SimDuration = SimDuration::from_micros(limits::MAX_DURATION.micros() / 20);

own_settings! {
    /// What a `ZooKeeper` server or its user can set.
    pub struct ZooKeeperSettings in zookeeper {
        /// Which number is sent as token. Default: the sequence number.
        pub token: ZooKeeperToken = ZooKeeperToken::Sequence, neutral ZooKeeperToken::Sequence;
        /// The unit of all its times (`tickTime`). Default 2 s.
        pub tick: SimDuration = SimDuration::from_secs(2), in limits::MIN_INTERVAL, LONGEST_TICK,
            none "a quantity";
        /// By what a client orders the nodes that it lists. Default: their numbers.
        pub order: NameOrder = NameOrder::Number, neutral NameOrder::Number;
        /// Whether a client finds its own node again when the answer to its making was lost
        /// (Curator's protection, a GUID in the name). Default yes.
        pub guid: bool = true, neutral true;
        /// Whether others make nodes below the same parent, so that numbers have gaps. Default no.
        pub shared_parent: bool = false, neutral false;
        /// What comes after the number 2147483647. Default: the same again, as recorded.
        pub at_the_end: AtTheEnd = AtTheEnd::StandsStill, neutral AtTheEnd::StandsStill;
        /// Whether the parent is a container, which goes when it is empty. Default no.
        pub container: bool = false, neutral false;
        /// How often empty containers are looked for. Default 60 s.
        pub container_check: SimDuration = SimDuration::from_secs(60),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// How long it is without a leader when a counter was used up. Default 200 ms, its own
        /// figure.
        pub election: SimDuration = SimDuration::from_millis(200), none "a quantity";
        /// What a holder does when it loses the connection. Default: holds on.
        pub on_disconnect: OnDisconnect = OnDisconnect::HoldsOn, neutral OnDisconnect::HoldsOn;
    }
}

choices! {
    /// Which of its numbers a client sends as its token.
    #[derive(Copy)]
    pub enum ZooKeeperToken = Sequence {
        /// The number in the node's name: 32 bits with a sign.
        Sequence,
        /// The node's creation zxid: the leader's epoch above, a counter below.
        Zxid,
    }
}

choices! {
    /// What comes after the last sequence number.
    #[derive(Copy)]
    pub enum AtTheEnd = StandsStill {
        /// The last again: nobody can join while a node with it is there, and then tokens repeat.
        /// What a server does that makes one node after the other.
        StandsStill,
        /// −2147483648, as the manual says and as creations that overlap can have it.
        Wraps,
    }
}

choices! {
    /// What a holder does that has lost the connection, and cannot know whether its session lives.
    #[derive(Copy)]
    pub enum OnDisconnect = HoldsOn {
        /// It goes on until it is told that the session is over, which is when it reaches a server.
        HoldsOn,
        /// It stops believing, as Curator's leader latch does.
        LetsGo,
    }
}

/// A client pings at least this often, however long its session (`MAX_SEND_PING_INTERVAL`).
const MOST_BETWEEN_PINGS: SimDuration = SimDuration::from_secs(10);

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.zookeeper;
    let token_is_name = settings.token == ZooKeeperToken::Sequence;
    let (token_source, first) = match settings.token {
        ZooKeeperToken::Sequence => (TokenSource::Sequence32, spec.lease.first_token),
        ZooKeeperToken::Zxid => (TokenSource::EpochAndCounter, FencingToken(0)),
    };
    Rules {
        ttl: TtlRule {
            least: settings.tick.times(2),
            most: Some(settings.tick.times(20)),
            unit: SimDuration::from_millis(1),
        },
        lateness: Lateness::Buckets(settings.tick),
        // A new leader tracks every session anew.
        refreshes_by: Some(SimDuration::ZERO),
        worth: TokenWorth::Ordered,
        token_source,
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Monotonic,
        connection_bound: false,
        two_steps: false,
        hand_off: HandOff::InOrder,
        waiter_check: true,
        // Every change of the tree and every session counts.
        others_write: !token_is_name,
        nodes: Some(NodeRules {
            first,
            order: settings.order,
            token_is_name,
            finds_own: settings.guid,
            others_create: settings.shared_parent,
            stands_still: settings.at_the_end == AtTheEnd::StandsStill,
        }),
        removed_when_empty: settings.container.then_some(settings.container_check),
        anew: Anew::NamesRestart,
        closes_connections: true,
        reentry: Reentry::KeepsToken,
        ..Rules::of_lease_server(spec)
    }
}

/// Its client pings by itself, and counts a connection as lost after two thirds of the session
/// without a word.
fn shape(spec: &ScenarioSpec, ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    by_library(settings, true, Wait::Queue);
    let third = Ratio::THIRD.of(ttl.unwrap_or_default());
    settings.renew = Renew::Every(third.min(MOST_BETWEEN_PINGS));
    if spec.systems.zookeeper.on_disconnect == OnDisconnect::LetsGo {
        settings.deadline = Deadline::FromReceipt;
        settings.deadline_margin = third;
        settings.deadline_rate_error_ppm = 0;
    }
}

pub(super) fn client_half(spec: &ScenarioSpec, half: ClientHalf) -> ClientHalf {
    let lets_go = spec.systems.zookeeper.on_disconnect == OnDisconnect::LetsGo;
    half.hearing_disconnects(lets_go)
}

/// The leader.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    table: LeaseTable,
    /// Who has a connection: has asked for something.
    connected: Vec<bool>,
    election: SimDuration,
    /// There is no leader until then.
    electing_until: Option<LocalTime>,
}

impl Node {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            table: LeaseTable::new(scenario),
            connected: vec![false; scenario.clients().len()],
            election: scenario.spec().systems.zookeeper.election,
            electing_until: None,
        }
    }

    pub(super) fn handle(&mut self, now: LocalTime, input: NodeInput, effects: &mut Effects) {
        match input {
            NodeInput::Restart(_) => self.electing_until = None,
            NodeInput::Request(client, _) | NodeInput::Disconnected(client) => {
                self.connected[client.index()] = true;
            }
            NodeInput::Start
            | NodeInput::Peer(..)
            | NodeInput::Store(..)
            | NodeInput::Timer
            | NodeInput::TakesOver { .. } => {}
        }
        if let Some(until) = self.electing_until {
            if now < until {
                if let NodeInput::Request(client, _) | NodeInput::Disconnected(client) = input {
                    effects.fact(ServiceFact::Unserved { client });
                }
                return;
            }
            self.electing_until = None;
            self.table.new_leader(now, effects);
        }
        self.table.handle(now, input, effects);
        if self.table.has_used_up_its_counter() {
            self.elect(now, effects);
        }
    }

    /// The counter of the zxid is used up: the leader steps down, and its connections with it. The
    /// new epoch is drawn already.
    fn elect(&mut self, now: LocalTime, effects: &mut Effects) {
        let lasts = self.election;
        effects.fact(ServiceFact::Election { lasts });
        let clients = (0..).map(ClientId).zip(&self.connected);
        for (client, _) in clients.filter(|(_, connected)| **connected) {
            effects.disconnect(client);
        }
        self.electing_until = Some(now + lasts);
        effects.timer(TimerKind::Main, now + lasts);
    }
}

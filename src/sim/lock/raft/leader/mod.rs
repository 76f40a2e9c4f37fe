//! A Raft leader: leadership is the lock, the term its token. Each client runs in one process with
//! a node, so that whatever stops the one stops the other. A node asks for votes while its client
//! wants the lock; the others only vote.

pub(in crate::sim::lock) mod client;
pub(in crate::sim::lock) mod office;

use super::core::{Core, Out, Role, Setup};
use crate::sim::clock::ClockKind;
use crate::sim::effect::{Effects, TimerKind};
use crate::sim::fact::{LeaseEnd, RaftFact, ServiceFact};
use crate::sim::form::choices;
use crate::sim::id::{ClientId, FencingToken, GrantNo, LockNodeId, RequestNo};
use crate::sim::limits;
use crate::sim::lock::settings::own_settings;
use crate::sim::lock::{
    Fixed, Halves, LockClient, LockNode, NodeInput, Observer, Reentry, Rules, SystemInfo,
    TokenWorth, TtlRule, by_library,
};
use crate::sim::message::{Answer, Peer, Request};
use crate::sim::scenario::{
    ClientSettings, Deadline, ExpiryJudge, LockSystem, Loses, RenewFailure, Scenario, ScenarioSpec,
    TokenSource, Wait,
};
use crate::sim::time::{LocalTime, SimDuration};
use client::OwnNode;
use office::Office;

pub(in crate::sim::lock) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::RaftLeader,
    name: "Raft leader",
    service: "Raft",
    token: "The term: it grows with every election, with gaps where votes split. It can fence",
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
        Fixed::Identity,
        Fixed::Renew,
        Fixed::Deadline,
    ],
    fixed: "Leadership settles this itself",
    own: RaftLeaderSettings::OWN,
    rules,
    shape,
    halves: Halves {
        node: |scenario, id| LockNode::RaftLeader(Box::new(Node::new(scenario, id))),
        client: |_, id| LockClient::OwnNode(OwnNode::new(id)),
        observer: |_| Observer::Office(Office::default()),
    },
};

own_settings! {
    /// What only a Raft leader has.
    pub struct RaftLeaderSettings in raft_leader {
        /// Number of nodes, 1 to 9; at least as many as clients. Default 5.
        pub nodes: u8 = 5, in 1, limits::MAX_LOCK_NODES, none "a number of nodes";
        /// How often a leader says that it lives. Default 200 ms: a round trip.
        pub heartbeat: SimDuration = SimDuration::from_millis(200),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// The least time without a leader until a node asks for votes; at most twice that. Default
        /// 2 s: ten round trips.
        pub election_timeout: SimDuration = SimDuration::from_secs(2),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
        /// Whether a node that hears a leader votes for nobody else meanwhile. Default on.
        pub sticky: bool = true, neutral true;
        /// How a leader answers whether it still leads. Default: it asks a majority.
        pub reads: Reads = Reads::Index, neutral Reads::Index;
        /// How much of the election timeout a leader's lease leaves unused, for clocks that do not
        /// run alike. Default 100 ms.
        pub lease_margin: SimDuration = SimDuration::from_millis(100), none "a quantity";
    }
}

choices! {
    /// How a leader answers whether it still leads.
    #[derive(Copy)]
    pub enum Reads = Index {
        /// As it believes: a leader that was deposed and has not heard so says yes.
        Plain,
        /// Yes, if a majority has answered a heartbeat that was *sent* less than an election
        /// timeout ago, less the margin; otherwise it asks.
        Lease,
        /// It asks a majority first.
        Index,
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let RaftLeaderSettings { nodes, election_timeout, .. } = spec.systems.raft_leader;
    let n_clients = u8::try_from(spec.clients.len()).unwrap_or(u8::MAX);
    Rules {
        // What a majority that hears a leader leaves to it.
        ttl: TtlRule {
            least: election_timeout,
            most: Some(election_timeout),
            unit: SimDuration::from_micros(1),
        },
        worth: TokenWorth::Ordered,
        token_source: TokenSource::Counter,
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Monotonic,
        connection_bound: false,
        two_steps: false,
        waiter_check: true,
        // An election takes up to two timeouts, and votes may split twice.
        asking: election_timeout.times(6) + spec.latency.times(4),
        n_nodes: nodes.max(n_clients),
        is_colocated: true,
        answers_stores: false,
        reentry: Reentry::Never,
        ..Rules::of_lease_server(spec)
    }
}

fn shape(_spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    by_library(settings, false, Wait::Queue);
    settings.renew_failure = RenewFailure::TriesAgain;
    // It has no time of its own: its node hears of a new leader, or does not.
    settings.deadline = Deadline::Off;
}

/// A node and what its client wants of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    core: Core,
    client: Option<ClientId>,
    settings: RaftLeaderSettings,
    /// The client's request for office.
    wanted: Option<RequestNo>,
    /// Its questions whether it still leads that wait for a majority: since when.
    reads: Vec<(RequestNo, FencingToken, LocalTime)>,
    timer: Option<LocalTime>,
}

impl Node {
    pub(in crate::sim::lock) fn new(scenario: &Scenario, id: LockNodeId) -> Self {
        let settings = scenario.spec().systems.raft_leader.clone();
        let setup = Setup {
            id: id.0,
            n_nodes: scenario.rules().n_nodes,
            seed: scenario.spec().seed,
            election_timeout: settings.election_timeout,
            heartbeat: settings.heartbeat,
            sticky: settings.sticky,
            // A leader that is cut off believes on: that is what is shown.
            check_quorum: false,
        };
        let client = ClientId(id.0);
        Self {
            core: Core::new(setup, false),
            client: (id.0 < scenario.n_clients()).then_some(client),
            settings,
            wanted: None,
            reads: Vec::new(),
            timer: None,
        }
    }

    pub(in crate::sim::lock) fn handle(
        &mut self,
        now: LocalTime,
        input: NodeInput,
        effects: &mut Effects,
    ) {
        let mut out = Out::default();
        match input {
            NodeInput::Restart(loses) => {
                self.timer = None;
                self.reads.clear();
                if loses != Loses::Nothing {
                    self.wanted = None;
                    self.core.set_campaigns(now, false);
                }
                self.core.restart(now, loses == Loses::Everything, &mut out);
            }
            NodeInput::Timer => {
                self.timer = None;
                self.core.tick(now, &mut out);
            }
            NodeInput::Peer(from, Peer::Raft(message)) => {
                self.core.receive(now, from.0, message, &mut out);
            }
            NodeInput::Request(client, request) if self.client == Some(client) => {
                self.serve(now, client, request, &mut out, effects);
            }
            NodeInput::Start
            | NodeInput::TakesOver { .. }
            | NodeInput::Request(..)
            | NodeInput::Disconnected(_)
            | NodeInput::Peer(_, Peer::Copy(_))
            | NodeInput::Store(..) => {}
        }
        while self.core.take_committed().is_some() {}
        self.carry_out(now, out, effects);
        self.answer_reads(now, effects);
        self.set_timer(effects);
    }

    fn serve(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: Request,
        out: &mut Out,
        effects: &mut Effects,
    ) {
        match request {
            Request::Acquire { request, .. } => {
                let is_new = self.wanted.replace(request) != Some(request);
                self.core.set_campaigns(now, true);
                if self.core.role() == Role::Leader {
                    self.tell(client, effects);
                } else if is_new {
                    effects.fact(ServiceFact::Queued { client, ahead: 0 });
                    effects.send(client, Answer::Queued { request });
                }
            }
            Request::Release { request, token } => {
                let leads = self.leads_in(token);
                self.wanted = None;
                self.core.set_campaigns(now, false);
                if leads {
                    let how = LeaseEnd::Released;
                    effects.fact(RaftFact::Deposed { client, token, how });
                    self.core.resign(now, out);
                    out.deposed = None;
                }
                effects.send(client, Answer::Released { request });
            }
            Request::Check { request, token } => {
                let leased = self.core.leads_from().is_some_and(|from| {
                    let lease = self.settings.election_timeout.minus(self.settings.lease_margin);
                    from + lease > now
                });
                let leads = self.leads_in(token);
                match self.settings.reads {
                    Reads::Plain => self.answer(client, request, token, leads, effects),
                    Reads::Lease if leads && leased => {
                        self.answer(client, request, token, true, effects);
                    }
                    Reads::Lease | Reads::Index if leads => {
                        self.reads.push((request, token, now));
                        self.core.send_heartbeats(now, out);
                    }
                    Reads::Lease | Reads::Index => {
                        self.answer(client, request, token, false, effects);
                    }
                }
            }
            // Its client asks for nothing else (`OwnNode`).
            Request::Renew { .. } | Request::Special(_) => {}
        }
    }

    fn leads_in(&self, token: FencingToken) -> bool {
        self.core.role() == Role::Leader && self.core.term() == token.0
    }

    fn answer(
        &self,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        valid: bool,
        effects: &mut Effects,
    ) {
        let current = valid.then_some(FencingToken(self.core.term()));
        effects.checked(client, request, token, (valid, current));
    }

    /// Questions are answered when a majority has answered what was sent after them, or when the
    /// term is over.
    fn answer_reads(&mut self, _now: LocalTime, effects: &mut Effects) {
        let Some(client) = self.client else {
            return;
        };
        for (request, token, asked) in std::mem::take(&mut self.reads) {
            let heard = self.core.leads_from().is_some_and(|from| from >= asked);
            match (self.leads_in(token), heard) {
                (true, false) => self.reads.push((request, token, asked)),
                (leads, _) => self.answer(client, request, token, leads, effects),
            }
        }
    }

    fn tell(&self, client: ClientId, effects: &mut Effects) {
        if let Some(request) = self.wanted {
            let (token, grant) = (FencingToken(self.core.term()), GrantNo::UNKNOWN);
            let ttl = Some(self.settings.election_timeout);
            effects.send(client, Answer::Granted { request, token, grant, ttl });
        }
    }

    fn carry_out(&mut self, now: LocalTime, out: Out, effects: &mut Effects) {
        if let (Some(client), Some(term)) = (self.client, out.deposed) {
            let (token, how) = (FencingToken(term), LeaseEnd::TakenOver);
            effects.fact(RaftFact::Deposed { client, token, how });
            let request = RequestNo(0);
            effects.send(client, Answer::RenewRefused { request, token });
            // It has what it wanted, and lost it: its client asks again if it still wants it.
            self.wanted = None;
            self.core.set_campaigns(now, false);
        }
        let token = FencingToken(self.core.term());
        if out.campaigns {
            effects.fact(RaftFact::Campaigns { term: token });
        }
        if let (Some(client), true) = (self.client, out.is_elected) {
            effects.fact(RaftFact::Elected { client, token });
            self.tell(client, effects);
        }
        if let (Some(client), true) = (self.client, out.leads_on && !out.is_elected)
            && let Some(from) = self.core.leads_from()
        {
            let ttl = (from + self.settings.election_timeout).since(now);
            effects.fact(RaftFact::LeadsOn { client, token, ttl });
        }
        for (to, message) in out.messages {
            effects.send(LockNodeId(to), Peer::Raft(message));
        }
    }

    fn set_timer(&mut self, effects: &mut Effects) {
        let next = self.core.wakes();
        if next != self.timer {
            match next {
                Some(at) => effects.timer(TimerKind::Main, at),
                None => effects.no_timer(TimerKind::Main),
            }
            self.timer = next;
        }
    }
}

//! The schedules of recordings, run by the simulation. What the real server answered is asked of
//! the model's own node, line by line and at the recorded times; it has to say the same.

mod etcd;
mod postgres;
mod redis;
mod software;
mod zookeeper;

use std::collections::VecDeque;

use fenceline::scenarios::GALLERY;
use fenceline::sim::effect::{Effect, Effects, TimerKind};
use fenceline::sim::id::{ClientId, FaultId, LockNodeId, NodeId, RequestNo};
use fenceline::sim::lock::{LockNode, NodeInput, SystemSettings};
use fenceline::sim::message::{Answer, Body, Peer, Request};
use fenceline::sim::scenario::{ClientSpec, LockSystem, Loses};
use fenceline::sim::{Change, FencingToken, LocalTime, Scenario, SimDuration, SimTime};

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);
const C: ClientId = ClientId(2);
const D: ClientId = ClientId(3);

fn ms(millis: u64) -> SimDuration {
    SimDuration::from_millis(millis)
}

/// Who is meant by a name of a recording.
fn client(name: &str) -> ClientId {
    let place = ["A", "B", "C", "D"].iter().position(|known| *known == name);
    ClientId(place.and_then(|place| place.try_into().ok()).expect("A to D are recorded"))
}

/// A scenario of `system` with four clients and no fault.
fn scenario(system: LockSystem, set: impl Fn(&mut SystemSettings), more: &[Change]) -> Scenario {
    let base = GALLERY[0].file().base().expect("the gallery's scenarios are valid");
    let mut settings = base.spec().systems.clone();
    set(&mut settings);
    let joins = Change::AddClient(ClientSpec::asking_at(SimTime::from_millis(1_000)));
    let lock = [
        Change::RemoveFault(FaultId(1)),
        Change::Lock(system),
        Change::Systems(settings),
        joins.clone(),
        joins,
    ];
    base.with(&[&lock, more].concat()).expect("the changes fit the scenario")
}

/// The lock service of a scenario, without the rest of it: it is asked directly, at given times,
/// and nothing takes time between its nodes.
struct Service {
    nodes: Vec<LockNode>,
    timers: Vec<Option<LocalTime>>,
    effects: Effects,
    now: LocalTime,
    n_requests: u32,
    /// Whether what the nodes tell one another is lost.
    is_cut: bool,
    n_copies: u32,
    said: Vec<(ClientId, Answer)>,
}

impl Service {
    fn of(scenario: &Scenario, n_nodes: u8) -> Self {
        Self {
            nodes: (0..n_nodes).map(|no| LockNode::new(scenario, LockNodeId(no))).collect(),
            timers: (0..n_nodes).map(|_| None).collect(),
            effects: Effects::default(),
            now: LocalTime::from_micros(0),
            n_requests: 0,
            is_cut: false,
            n_copies: 0,
            said: Vec::new(),
        }
    }

    fn input(&mut self, node: usize, input: NodeInput) {
        let mut inputs = VecDeque::from([(node, input)]);
        while let Some((node, input)) = inputs.pop_front() {
            self.effects.clear();
            self.nodes[node].handle(self.now, input, &mut self.effects);
            for effect in self.effects.list() {
                match effect {
                    Effect::Timer(TimerKind::Main, at) => self.timers[node] = Some(*at),
                    Effect::NoTimer(TimerKind::Main) => self.timers[node] = None,
                    Effect::Send(NodeId::Client(client), Body::Answer(answer)) => {
                        self.said.push((*client, *answer));
                    }
                    Effect::Send(NodeId::Lock(to), Body::Peer(told)) if !self.is_cut => {
                        let from = LockNodeId(u8::try_from(node).expect("nodes are few"));
                        self.n_copies += u32::from(matches!(told, Peer::Copy(_)));
                        inputs.push_back((usize::from(to.0), NodeInput::Peer(from, *told)));
                    }
                    Effect::Send(..) | Effect::Fact(_) => {}
                    other => panic!("a lock node asks for {other:?}"),
                }
            }
        }
    }

    /// Lets time pass until its clock shows this.
    fn until(&mut self, millis: u64) {
        let then = LocalTime::from_micros(i64::try_from(millis * 1_000).expect("it is soon"));
        assert!(self.now <= then, "time does not go back");
        loop {
            let due = (0..self.nodes.len()).filter_map(|node| Some((self.timers[node]?, node)));
            let Some((at, node)) = due.min().filter(|(at, _)| *at <= then) else {
                break;
            };
            self.now = self.now.max(at);
            self.timers[node] = None;
            self.input(node, NodeInput::Timer);
        }
        self.now = then;
    }

    fn after(&mut self, millis: u64) {
        self.until(self.now() + millis);
    }

    /// What its clock shows, in milliseconds.
    fn now(&self) -> u64 {
        u64::try_from(self.now.micros() / 1_000).expect("it begins at 0")
    }

    /// What the node says to a client's request; `None`: nothing.
    fn ask(
        &mut self,
        node: usize,
        client: ClientId,
        request: impl FnOnce(RequestNo) -> Request,
    ) -> Option<Answer> {
        self.n_requests += 1;
        let request = request(RequestNo(self.n_requests));
        self.said.clear();
        self.input(node, NodeInput::Request(client, request));
        self.said_to(client)
    }

    /// What was said last to this client since the last request.
    fn said_to(&self, client: ClientId) -> Option<Answer> {
        self.said.iter().rev().find(|(to, _)| *to == client).map(|(_, answer)| *answer)
    }

    /// The token under which a client has the lock now that it has asked for it, if it has.
    fn acquire_at(&mut self, node: usize, client: ClientId) -> Option<FencingToken> {
        let stamp = self.now;
        let said =
            self.ask(node, client, |request| Request::Acquire { request, stamp, unchanged: None });
        granted(said)
    }

    fn acquire(&mut self, client: ClientId) -> Option<FencingToken> {
        self.acquire_at(0, client)
    }

    fn renews(&mut self, client: ClientId, token: FencingToken) -> bool {
        let stamp = self.now;
        let said = self.ask(0, client, |request| Request::Renew { request, token, stamp });
        matches!(said, Some(Answer::Renewed { .. }))
    }

    fn releases(&mut self, client: ClientId, token: FencingToken) -> bool {
        self.ask(0, client, |request| Request::Release { request, token });
        // It can be granted to the same one at once.
        let released =
            |(to, answer): &(_, _)| *to == client && matches!(answer, Answer::Released { .. });
        self.said.iter().any(released)
    }

    fn restart(&mut self, loses: Loses) {
        self.timers[0] = None;
        self.input(0, NodeInput::Restart(loses));
    }

    /// Asks every millisecond until the client has the lock: its token, and how long that took.
    fn acquire_in_the_end(&mut self, client: ClientId) -> (FencingToken, u64) {
        let began = self.now();
        loop {
            if let Some(token) = self.acquire(client) {
                return (token, self.now() - began);
            }
            assert!(self.now() - began < 200_000, "nobody else holds it for ever");
            self.after(1);
        }
    }
}

/// The token of a grant.
fn granted(said: Option<Answer>) -> Option<FencingToken> {
    match said {
        Some(Answer::Granted { token, .. }) => Some(token),
        _ => None,
    }
}

/// The shortest and the longest.
fn range(lengths: &[u64]) -> (u64, u64) {
    let least = lengths.iter().min().expect("there are some");
    (*least, *lengths.iter().max().expect("there are some"))
}

//! A node of the service: Raft's core, and a lease table to which it applies what a majority has.
//! The leader judges by its own clock that a lease is over and proposes its end. Every node knows
//! what it has answered, so that a command that is sent again is answered as before.

use super::super::core::{Core, Out, Role, Setup};
use super::super::{Command, Entry, What};
use super::RaftLeaseSettings;
use super::history::Applied;
use crate::sim::effect::{Effect, Effects, TimerKind};
use crate::sim::fact::{OwnFact, RaftFact, ServiceFact};
use crate::sim::id::{ClientId, FencingToken, GrantNo, LockNodeId, NodeId, RequestNo};
use crate::sim::lock::{Intent, LeaseTable, NodeInput, Outcome};
use crate::sim::message::{Answer, Body, Peer, Request, SpecialRequest};
use crate::sim::scenario::{Loses, Scenario};
use crate::sim::time::LocalTime;

/// A node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    core: Core,
    machine: Machine,
    /// As it was made: what a node has that has lost its disk.
    empty: Machine,
    /// As leader: the change of the lease's time after which it has proposed its end.
    proposed: Option<u32>,
    timer: Option<LocalTime>,
}

/// What the commands are applied to: the same at every node that has applied as many.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Machine {
    table: LeaseTable,
    /// Per client and kind of request, the last one that was answered, with the answer.
    answers: Vec<[Option<(RequestNo, Answer)>; 4]>,
    /// The entry that last set the time of the lease.
    time_set_by: u32,
    /// The term of the last entry.
    term: i64,
}

/// What a request comes to, with its number: a command, or `Nothing` for the question whether a
/// waiter's place stands.
fn what_of(request: Request) -> Option<(What, RequestNo, FencingToken)> {
    match request {
        Request::Acquire { request, .. } => Some((What::Acquire, request, FencingToken(0))),
        Request::Renew { request, token, .. } => Some((What::Renew, request, token)),
        Request::Release { request, token } => Some((What::Release, request, token)),
        Request::Check { request, token } => Some((What::Check, request, token)),
        Request::Special(SpecialRequest::KeepAlive { request }) => {
            Some((What::Nothing, request, FencingToken(0)))
        }
        // Its client asks for nothing else (`ClientHalf`).
        Request::Special(_) => None,
    }
}

impl Node {
    pub(in crate::sim::lock) fn new(scenario: &Scenario, id: LockNodeId) -> Self {
        let RaftLeaseSettings { heartbeat, election_timeout, sticky, check_quorum, .. } =
            scenario.spec().systems.raft_lease;
        let core = Core::established(Setup {
            id: id.0,
            n_nodes: scenario.rules().n_nodes,
            seed: scenario.spec().seed,
            election_timeout,
            heartbeat,
            sticky,
            check_quorum,
        });
        let machine = Machine {
            table: LeaseTable::new(scenario),
            answers: vec![[None; 4]; scenario.clients().len()],
            time_set_by: 0,
            term: core.term(),
        };
        Self { core, empty: machine.clone(), machine, proposed: None, timer: None }
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
                (self.timer, self.proposed) = (None, None);
                self.core.restart(now, loses == Loses::Everything, &mut out);
                if loses == Loses::Everything {
                    self.machine = Machine { term: 0, ..self.empty.clone() };
                }
            }
            NodeInput::Timer => {
                self.timer = None;
                self.core.tick(now, &mut out);
            }
            NodeInput::Peer(from, Peer::Raft(message)) => {
                self.core.receive(now, from.0, message, &mut out);
            }
            NodeInput::Request(client, request) => {
                self.serve(now, client, request, &mut out, effects);
            }
            NodeInput::Start
            | NodeInput::TakesOver { .. }
            | NodeInput::Disconnected(_)
            | NodeInput::Peer(_, Peer::Copy(_))
            | NodeInput::Store(..) => {}
        }
        self.carry_out(now, out, effects);
        if let Some(command) = self.due_end(now) {
            let mut out = Out::default();
            self.proposed = Some(self.machine.time_set_by);
            self.core.propose(now, command, &mut out);
            self.carry_out(now, out, effects);
        }
        self.set_timer(effects);
    }

    /// Whether it leads and has applied an entry of its own term: only then does it know all that
    /// was agreed on before.
    fn is_ready(&self) -> bool {
        self.core.role() == Role::Leader && self.machine.term == self.core.term()
    }

    fn serve(
        &mut self,
        now: LocalTime,
        client: ClientId,
        request: Request,
        out: &mut Out,
        effects: &mut Effects,
    ) {
        let Some((what, request, token)) = what_of(request) else {
            return;
        };
        if self.core.role() != Role::Leader {
            let leader = self.core.leader().map(LockNodeId);
            if leader.is_none() {
                effects.fact(ServiceFact::Unserved { client });
            }
            let renews = what == What::Renew;
            effects.send(client, Answer::NotLeader { request, leader, renews });
        } else if what != What::Nothing {
            let command = Command { what, client, request, token };
            self.core.propose(now, command, out);
        } else if self.is_ready() && self.core.has_a_majority(now) {
            // A waiter asks whether its place stands.
            let answer = match self.machine.table.is_queued(client) {
                true => Answer::Alive { request },
                false => Answer::SessionOver { request },
            };
            effects.send(client, answer);
        }
    }

    fn carry_out(&mut self, now: LocalTime, out: Out, effects: &mut Effects) {
        if let Some(term) = out.deposed {
            let term = FencingToken(term);
            effects.fact(RaftFact::LeadsNoMore { term });
            self.proposed = None;
        }
        let term = FencingToken(self.core.term());
        if out.campaigns {
            effects.fact(RaftFact::Campaigns { term });
        }
        if out.is_elected {
            effects.fact(RaftFact::Leads { term });
        }
        for (to, message) in out.messages {
            effects.send(LockNodeId(to), Peer::Raft(message));
        }
        while let Some((index, entry)) = self.core.take_committed() {
            let leads = self.core.role() == Role::Leader;
            self.machine.apply(now, (index, entry), leads, effects);
        }
    }

    /// The end of a lease whose time is over by the leader's clock, once for each time it was set.
    fn due_end(&self, now: LocalTime) -> Option<Command> {
        let (client, token, until) = self.machine.table.held_until()?;
        let since = self.machine.time_set_by;
        let due = self.is_ready() && until <= now && self.proposed != Some(since);
        let what = What::Expire { since };
        due.then_some(Command { what, client, request: RequestNo(0), token })
    }

    fn set_timer(&mut self, effects: &mut Effects) {
        let asks = self.is_ready() && self.proposed != Some(self.machine.time_set_by);
        let until = self.machine.table.held_until().filter(|_| asks).map(|(.., until)| until);
        let next = self.core.wakes().into_iter().chain(until).min();
        if next != self.timer {
            match next {
                Some(at) => effects.timer(TimerKind::Main, at),
                None => effects.no_timer(TimerKind::Main),
            }
            self.timer = next;
        }
    }
}

impl Machine {
    fn apply(
        &mut self,
        now: LocalTime,
        (index, entry): (u32, Entry),
        leads: bool,
        effects: &mut Effects,
    ) {
        let mut own = Effects::default();
        let Command { what, client, request, token } = entry.command;
        self.term = entry.term;
        let intent = match what {
            What::Nothing => {
                self.time_set_by = index;
                self.table.new_leader(now, &mut own);
                None
            }
            What::Expire { since } => {
                if since == self.time_set_by {
                    self.table.end_as_agreed(now, &mut own);
                }
                None
            }
            What::Acquire => Some((Place::Acquire, Intent::Acquire)),
            What::Renew => Some((Place::Renew, Intent::Renew(token))),
            What::Release => Some((Place::Release, Intent::Release(token))),
            What::Check => Some((Place::Check, Intent::Check(token))),
        };
        if let Some((place, intent)) = intent {
            self.answer(now, client, place, (request, intent), &mut own);
        }
        let mut nth = 0;
        for effect in own.list() {
            match *effect {
                Effect::Fact(OwnFact::Service(fact)) => {
                    if fact.sets_time() {
                        self.time_set_by = index;
                    }
                    effects.fact_once(Applied { index, nth, entry }, fact);
                    nth += 1;
                }
                Effect::Send(NodeId::Client(client), Body::Answer(answer)) => {
                    let answer = self.remember(client, answer);
                    if leads {
                        effects.send(client, answer);
                    }
                }
                // A table that is told what to end needs no timer, tells what a service does, and
                // answers clients alone.
                Effect::Fact(OwnFact::Client(_) | OwnFact::Store(_))
                | Effect::Send(..)
                | Effect::FactOnce(..)
                | Effect::Timer(..)
                | Effect::NoTimer(_)
                | Effect::Step(_)
                | Effect::NoStep => {}
            }
        }
    }

    /// A command is carried out once. Sent again, it is answered as before.
    fn answer(
        &mut self,
        now: LocalTime,
        client: ClientId,
        place: Place,
        (request, intent): (RequestNo, Intent),
        own: &mut Effects,
    ) {
        let before = self.answers[client.index()][place as usize];
        match before.filter(|(answered, _)| *answered >= request) {
            // An older one, that its sender has given up.
            Some((answered, _)) if answered > request => {}
            None | Some((_, Answer::Queued { .. })) => {
                let request = intent.request(request, LocalTime::default());
                self.table.handle(now, NodeInput::Request(client, request), own);
            }
            Some((_, Answer::Granted { request, token, grant, .. })) => {
                let Some(left) = self.table.left_of(now, client, token) else {
                    own.taken(client, request, None);
                    return;
                };
                own.fact(ServiceFact::GrantedAgain { grant, client, token });
                own.send(client, Answer::Granted { request, token, grant, ttl: Some(left) });
            }
            Some((_, answer)) => own.send(client, answer),
        }
    }

    fn remember(&mut self, client: ClientId, mut answer: Answer) -> Answer {
        if let Answer::Granted { grant, .. } = &mut answer {
            // The record numbers it.
            *grant = GrantNo::UNKNOWN;
        }
        if let Some(place) = Place::of(answer) {
            self.answers[client.index()][place as usize] = Some((answer.request(), answer));
        }
        answer
    }
}

/// Where the last answer to a client is kept, for each kind of request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Acquire,
    Renew,
    Release,
    Check,
}

impl Place {
    fn of(answer: Answer) -> Option<Self> {
        match Outcome::of(answer)? {
            Outcome::Granted { .. } | Outcome::Queued | Outcome::Taken => Some(Self::Acquire),
            Outcome::Renewed { .. } | Outcome::RenewRefused { .. } => Some(Self::Renew),
            Outcome::ReleaseAnswered { .. } => Some(Self::Release),
            Outcome::Checked { .. } => Some(Self::Check),
            Outcome::Alive(_)
            | Outcome::SessionOver
            | Outcome::NothingLeft
            | Outcome::Reentered(_)
            | Outcome::Disconnected => None,
        }
    }
}

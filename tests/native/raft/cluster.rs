//! A group of Raft nodes and the links between them, for any implementation: messages wait until
//! they are delivered, and none passes between two sides. It knows nothing of how a node decides.

use std::collections::VecDeque;

/// An entry of a log: the term, and what was proposed; 0: a new leader's first entry.
pub(super) type Entry = (u64, u64);

/// What of a node is compared. A candidate that a majority has refused may give up at once or wait
/// for its next timeout: whether one asks for votes is not compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub(super) leads: bool,
    pub(super) term: u64,
    pub(super) leader: Option<u8>,
    pub(super) log: Vec<Entry>,
    pub(super) commit: u64,
}

/// A node.
pub(super) trait Member {
    type Message: Clone;

    /// One of `n`, which has heard nothing so far.
    fn new(id: u8, n: u8) -> Self;
    /// A tick of its clock.
    fn tick(&mut self);
    /// An election timeout passes by its clock, and it does nothing; a leader hears nobody.
    fn waits(&mut self);
    /// Its time without a leader is over.
    fn times_out(&mut self);
    /// As leader, it says that it lives.
    fn beats(&mut self);
    /// As leader, it appends this.
    fn proposes(&mut self, what: u64);
    /// It stops, and starts with what is on its disk.
    fn restarts(&mut self);
    fn receives(&mut self, from: u8, message: Self::Message);
    /// What it has to send.
    fn sends(&mut self) -> Vec<(u8, Self::Message)>;
    fn seen(&self) -> Seen;
}

/// A message under way: from whom, to whom, and what it says.
type Flying<M> = (u8, u8, <M as Member>::Message);

/// A group.
pub(super) struct Cluster<M: Member> {
    pub(super) members: Vec<M>,
    flying: VecDeque<Flying<M>>,
    /// On which side each is.
    sides: Vec<bool>,
}

/// What happens in a schedule that lets all messages land after each step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Nobody hears anything for an election timeout.
    Silence,
    /// A node's time without a leader is over.
    TimesOut(u8),
    /// Every node that leads appends this.
    Propose(u64),
    /// The nodes whose bit is set are parted from the others; 0: nobody is.
    Part(u8),
    Restart(u8),
}

/// What happens in a schedule that lands messages as it likes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wild {
    Tick(u8),
    /// The n-th message under way lands.
    Land(u8),
    /// It is lost.
    Lose(u8),
    /// It lands and will land again.
    Twice(u8),
    Propose(u64),
    Part(u8),
    Restart(u8),
}

/// More messages than any schedule here needs to settle.
const ENDLESS: usize = 20_000;

impl<M: Member> Cluster<M> {
    pub(super) fn new(n: u8) -> Self {
        let members = (0..n).map(|id| M::new(id, n)).collect();
        Self { members, flying: VecDeque::new(), sides: vec![false; usize::from(n)] }
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        self.members.iter().map(Member::seen).collect()
    }

    /// Takes a step, and lets everything land.
    pub(super) fn take(&mut self, step: Step) {
        let n = self.members.len();
        match step {
            Step::Silence => self.members.iter_mut().for_each(Member::waits),
            Step::TimesOut(id) => {
                let id = usize::from(id) % n;
                if self.may_lead(id) {
                    self.members[id].times_out();
                }
            }
            Step::Propose(what) => self.members.iter_mut().for_each(|one| one.proposes(what)),
            Step::Part(sides) => self.part(sides),
            Step::Restart(id) => self.members[usize::from(id) % n].restarts(),
        }
        self.settle();
        (0..n).for_each(|id| self.hear_of_newer_terms(id));
        // A follower that was away is brought up to date by what the next heartbeats find out, and
        // learns by the one after that what is committed.
        for _ in 0..4 {
            for id in 0..n {
                self.members[id].beats();
                self.settle();
            }
        }
    }

    /// Whether nobody on its side is in a newer term than it would ask for votes in: elected there,
    /// it would be deposed by the first answer, or by the second.
    fn may_lead(&self, id: usize) -> bool {
        let term = self.members[id].seen().term + 1;
        let same_side = self.members.iter().zip(&self.sides);
        let mut same_side = same_side.filter(|(_, side)| **side == self.sides[id]);
        same_side.all(|(one, _)| one.seen().term <= term)
    }

    /// A leader whose term is over hears so first: what it would send to the others meanwhile,
    /// heartbeats with entries or without, is lost.
    fn hear_of_newer_terms(&mut self, id: usize) {
        let term = self.members[id].seen().term;
        self.members[id].beats();
        self.collect();
        let is_newer: Vec<_> = self.members.iter().map(|one| one.seen().term > term).collect();
        self.flying.retain(|(_, to, _)| is_newer[usize::from(*to)]);
        self.settle();
    }

    /// Takes a step; what is sent waits.
    pub(super) fn take_wild(&mut self, step: Wild) {
        let n = self.members.len();
        let one = |id: u8| usize::from(id) % n;
        match step {
            Wild::Tick(id) => self.members[one(id)].tick(),
            Wild::Land(nth) => {
                self.pick(nth).into_iter().for_each(|message| self.land(message));
            }
            Wild::Lose(nth) => {
                self.pick(nth);
            }
            Wild::Twice(nth) => {
                if let Some(message) = self.pick(nth) {
                    self.flying.push_back(message.clone());
                    self.land(message);
                }
            }
            Wild::Propose(what) => self.members.iter_mut().for_each(|one| one.proposes(what)),
            Wild::Part(sides) => self.part(sides),
            Wild::Restart(id) => self.members[one(id)].restarts(),
        }
        self.collect();
    }

    fn pick(&mut self, nth: u8) -> Option<Flying<M>> {
        let place = usize::from(nth) % self.flying.len().max(1);
        self.flying.remove(place)
    }

    fn part(&mut self, sides: u8) {
        for (id, side) in self.sides.iter_mut().enumerate() {
            *side = sides >> id & 1 == 1;
        }
    }

    fn collect(&mut self) {
        for (from, member) in (0..).zip(&mut self.members) {
            let sent = member.sends().into_iter().map(|(to, message)| (from, to, message));
            self.flying.extend(sent);
        }
    }

    fn land(&mut self, (from, to, message): Flying<M>) {
        if self.sides[usize::from(from)] == self.sides[usize::from(to)] {
            self.members[usize::from(to)].receives(from, message);
        }
    }

    fn settle(&mut self) {
        self.collect();
        for _ in 0..ENDLESS {
            let Some(message) = self.flying.pop_front() else {
                return;
            };
            self.land(message);
            self.collect();
        }
        panic!("it does not settle");
    }
}

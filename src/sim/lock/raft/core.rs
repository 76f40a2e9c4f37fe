//! Raft: elections with random timeouts, terms, votes, a replicated log, commit by majority
//! (D. Ongaro and J. Ousterhout 2014, figure 2; Ongaro's thesis, 3.4, 3.6, 4.2.3, 6.4). One
//! node's half. It knows its own clock and what arrives, and nothing of what its log is for.
//!
//! One entry travels in a message, because messages here are small and copied; a real leader sends
//! several.

use super::{Command, Entry, RaftMessage};
use crate::sim::id::{LockNodeId, NodeId};
use crate::sim::limits::MAX_LOCK_NODES;
use crate::sim::prng::{Purpose, random, random_up_to};
use crate::sim::time::{LocalTime, SimDuration};

/// What a node does in its term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// It follows a leader, or waits for one.
    Follower,
    /// It asks for votes.
    Candidate,
    /// A majority voted for it.
    Leader,
}

/// What becomes of an input: messages to other nodes, and a change of role.
#[derive(Debug, Default)]
pub struct Out {
    /// To whom, and what.
    pub messages: Vec<(u8, RaftMessage)>,
    /// It asks for votes in a new term.
    pub campaigns: bool,
    /// It was elected.
    pub is_elected: bool,
    /// It led in this term and no longer does.
    pub deposed: Option<i64>,
    /// A majority has answered heartbeats that were sent later than before.
    pub leads_on: bool,
}

/// How nodes keep time, and which of them they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Which node.
    pub id: u8,
    /// Of how many.
    pub n_nodes: u8,
    /// Key of its random timeouts.
    pub seed: u32,
    /// The least time without a leader until it asks for votes; at most twice that.
    pub election_timeout: SimDuration,
    /// How often a leader says that it lives.
    pub heartbeat: SimDuration,
    /// Whether a node that hears a leader votes for nobody else meanwhile (thesis, 4.2.3).
    pub sticky: bool,
    /// Whether a leader that a majority has not answered for an election timeout gives up (thesis,
    /// 6.2).
    pub check_quorum: bool,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Core {
    setup: Setup,
    /// Kept on disk: term, vote and log.
    term: i64,
    voted_for: Option<u8>,
    log: Vec<Entry>,

    role: Role,
    leader: Option<u8>,
    votes: u16,
    commit: u32,
    applied: u32,
    /// Whether it asks for votes at all when no leader is heard.
    campaigns: bool,
    /// When it last heard a leader, or started.
    heard: Option<LocalTime>,
    /// When it asks for votes, or, as leader, sends its next heartbeat.
    wakes: LocalTime,
    n_timeouts: u32,
    /// As leader, per node: the next entry to send, the last one that it has, and when the last
    /// message was sent that it has answered.
    next: [u32; MAX_LOCK_NODES],
    matched: [u32; MAX_LOCK_NODES],
    answered: [Option<LocalTime>; MAX_LOCK_NODES],
    leads_from: Option<LocalTime>,
    /// When it was elected.
    elected: LocalTime,
}

impl Core {
    /// A node that starts for the first time.
    pub fn new(setup: Setup, campaigns: bool) -> Self {
        let mut core = Self {
            setup,
            term: 0,
            voted_for: None,
            log: Vec::new(),
            role: Role::Follower,
            leader: None,
            votes: 0,
            commit: 0,
            applied: 0,
            campaigns,
            heard: None,
            wakes: LocalTime::default(),
            n_timeouts: 0,
            next: [1; MAX_LOCK_NODES],
            matched: [0; MAX_LOCK_NODES],
            answered: [None; MAX_LOCK_NODES],
            leads_from: None,
            elected: LocalTime::default(),
        };
        core.wakes = core.next_timeout(LocalTime::default());
        core
    }

    /// A node of a group that has been up before time 0: the first node leads in term 1, and all
    /// have its first entry.
    pub fn established(setup: Setup) -> Self {
        let mut core = Self::new(setup, true);
        (core.term, core.voted_for, core.leader) = (1, Some(0), Some(0));
        core.log.push(Entry { term: 1, command: Command::NOTHING });
        (core.commit, core.applied) = (1, 1);
        let start = LocalTime::default();
        if setup.id == 0 {
            core.role = Role::Leader;
            (core.next, core.matched) = ([2; MAX_LOCK_NODES], [1; MAX_LOCK_NODES]);
            (core.answered, core.leads_from) = ([Some(start); MAX_LOCK_NODES], Some(start));
            core.wakes = start + setup.heartbeat;
        } else {
            core.heard = Some(start);
        }
        core
    }

    /// Its role.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Its term.
    pub fn term(&self) -> i64 {
        self.term
    }

    /// Whom it takes for the leader.
    pub fn leader(&self) -> Option<u8> {
        self.leader
    }

    /// Up to which entry a majority has its log, as far as it knows.
    pub fn commit(&self) -> u32 {
        self.commit
    }

    /// Its log, committed or not.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// When it wants to be woken; `None`: never.
    pub fn wakes(&self) -> Option<LocalTime> {
        (self.role != Role::Follower || self.campaigns).then_some(self.wakes)
    }

    /// As leader: the latest instant of which it knows that a majority heard it send then.
    pub fn leads_from(&self) -> Option<LocalTime> {
        self.leads_from.filter(|_| self.role == Role::Leader)
    }

    /// As leader: whether a majority has answered what it sent less than an election timeout ago,
    /// or it was elected since then.
    pub fn has_a_majority(&self, now: LocalTime) -> bool {
        let from = self.leads_from.map_or(self.elected, |from| from.max(self.elected));
        self.role == Role::Leader && from + self.setup.election_timeout > now
    }

    /// It asks for votes from now on when no leader is heard, or no longer does.
    pub fn set_campaigns(&mut self, now: LocalTime, campaigns: bool) {
        if campaigns && !self.campaigns {
            self.wakes = self.next_timeout(now);
        }
        self.campaigns = campaigns;
    }

    /// It starts again: what is on disk is there, unless it is lost.
    pub fn restart(&mut self, now: LocalTime, loses_disk: bool, out: &mut Out) {
        self.step_down(out);
        if loses_disk {
            (self.term, self.voted_for) = (0, None);
            self.log.clear();
            (self.commit, self.applied) = (0, 0);
        }
        self.leader = None;
        // What it promised before, it does not know: it votes for nobody until that is over.
        self.heard = Some(now);
        self.wakes = self.next_timeout(now);
    }

    /// The leader gives its office up.
    pub fn resign(&mut self, now: LocalTime, out: &mut Out) {
        self.step_down(out);
        self.leader = None;
        self.wakes = self.next_timeout(now);
    }

    /// Time has passed.
    pub fn tick(&mut self, now: LocalTime, out: &mut Out) {
        if self.wakes().is_none_or(|wakes| wakes > now) {
            return;
        }
        if self.role == Role::Leader && self.setup.check_quorum && !self.has_a_majority(now) {
            self.resign(now, out);
        } else if self.role == Role::Leader {
            self.send_heartbeats(now, out);
        } else {
            self.campaign(now, out);
        }
    }

    /// The leader appends a command to its log. Tells whether it is the leader.
    pub fn propose(&mut self, now: LocalTime, command: Command, out: &mut Out) -> bool {
        if self.role != Role::Leader {
            return false;
        }
        self.log.push(Entry { term: self.term, command });
        self.matched[usize::from(self.setup.id)] = self.last_index();
        self.send_heartbeats(now, out);
        self.advance_commit();
        true
    }

    /// The next entry that a majority has and this node has not applied.
    pub fn take_committed(&mut self) -> Option<(u32, Entry)> {
        if self.applied >= self.commit {
            return None;
        }
        self.applied += 1;
        Some((self.applied, self.log[self.applied as usize - 1]))
    }

    /// The leader asks everybody whether it still leads.
    pub fn send_heartbeats(&mut self, now: LocalTime, out: &mut Out) {
        self.wakes = now + self.setup.heartbeat;
        for node in self.others() {
            self.send_append(now, node, out);
        }
        self.note_answers(now, out);
    }

    /// A message of another node arrives.
    pub fn receive(&mut self, now: LocalTime, from: u8, message: RaftMessage, out: &mut Out) {
        let term = message.term();
        let asks_for_votes = matches!(message, RaftMessage::AskVote { .. });
        if asks_for_votes && self.setup.sticky && self.hears_a_leader(now) {
            return;
        }
        if term > self.term {
            // First, because what is over is the office in the old term.
            self.step_down(out);
            (self.term, self.voted_for) = (term, None);
            self.leader = None;
        }
        match message {
            RaftMessage::AskVote { last_index, last_term, .. } => {
                let up_to_date = (last_term, last_index) >= (self.last_term(), self.last_index());
                let free = self.voted_for.is_none_or(|other| other == from);
                let granted = term == self.term && free && up_to_date;
                if granted {
                    self.voted_for = Some(from);
                    self.wakes = self.next_timeout(now);
                }
                out.messages.push((from, RaftMessage::Vote { term: self.term, granted }));
            }
            RaftMessage::Vote { granted, .. } => {
                if granted && self.role == Role::Candidate && term == self.term {
                    self.votes |= 1 << from;
                    self.count_votes(now, out);
                }
            }
            RaftMessage::Append { .. } => self.append(now, from, message, out),
            RaftMessage::Appended { has, ok, sent, .. } => {
                if self.role == Role::Leader && term == self.term {
                    self.appended(now, from, (ok, has, sent), out);
                }
            }
        }
    }

    fn hears_a_leader(&self, now: LocalTime) -> bool {
        let until = |heard: LocalTime| heard + self.setup.election_timeout;
        self.role == Role::Leader || self.heard.is_some_and(|heard| until(heard) > now)
    }

    fn campaign(&mut self, now: LocalTime, out: &mut Out) {
        self.role = Role::Candidate;
        self.term += 1;
        self.voted_for = Some(self.setup.id);
        self.leader = None;
        self.votes = 1 << self.setup.id;
        self.wakes = self.next_timeout(now);
        out.campaigns = true;
        let ask = RaftMessage::AskVote {
            term: self.term,
            last_index: self.last_index(),
            last_term: self.last_term(),
        };
        out.messages.extend(self.others().map(|node| (node, ask)));
        self.count_votes(now, out);
    }

    fn count_votes(&mut self, now: LocalTime, out: &mut Out) {
        if self.votes.count_ones() < self.majority() {
            return;
        }
        self.role = Role::Leader;
        self.leader = Some(self.setup.id);
        self.next = [self.last_index() + 1; MAX_LOCK_NODES];
        self.matched = [0; MAX_LOCK_NODES];
        self.answered = [None; MAX_LOCK_NODES];
        (self.leads_from, self.elected) = (None, now);
        out.is_elected = true;
        // An entry of its own term: only with it can it commit what older terms left (5.4.2).
        self.propose(now, Command::NOTHING, out);
    }

    fn step_down(&mut self, out: &mut Out) {
        if self.role == Role::Leader {
            out.deposed = Some(self.term);
        }
        self.role = Role::Follower;
        self.leads_from = None;
    }

    fn append(&mut self, now: LocalTime, from: u8, message: RaftMessage, out: &mut Out) {
        let RaftMessage::Append { term, before, before_term, entry, commit, sent } = message else {
            return;
        };
        let answer = |term, ok, has| RaftMessage::Appended { term, ok, has, sent };
        if term < self.term {
            out.messages.push((from, answer(self.term, false, 0)));
            return;
        }
        self.step_down(out);
        self.leader = Some(from);
        self.heard = Some(now);
        self.wakes = self.next_timeout(now);
        if before > self.last_index() || self.term_at(before) != before_term {
            let has = before.saturating_sub(1).min(self.last_index());
            out.messages.push((from, answer(self.term, false, has)));
            return;
        }
        let mut has = before;
        if let Some(entry) = entry {
            has = before + 1;
            if self.term_at(has) != entry.term {
                self.log.truncate(before as usize);
                self.log.push(entry);
            }
        }
        self.commit = self.commit.max(commit.min(has));
        out.messages.push((from, answer(self.term, true, has)));
    }

    fn appended(
        &mut self,
        now: LocalTime,
        from: u8,
        (ok, has, sent): (bool, u32, LocalTime),
        out: &mut Out,
    ) {
        let node = usize::from(from);
        self.answered[node] = self.answered[node].max(Some(sent));
        // One that has less than it said has lost its disk.
        let matched = self.matched[node];
        self.matched[node] = if ok { matched.max(has) } else { matched.min(has) };
        let next = self.matched[node].max(has) + 1;
        let goes_on = next != self.next[node] || !ok;
        self.next[node] = next;
        self.advance_commit();
        if goes_on && next <= self.last_index() {
            self.send_append(now, from, out);
        }
        self.note_answers(now, out);
    }

    fn send_append(&self, now: LocalTime, to: u8, out: &mut Out) {
        let next = self.next[usize::from(to)];
        let append = RaftMessage::Append {
            term: self.term,
            before: next - 1,
            before_term: self.term_at(next - 1),
            entry: self.log.get(next as usize - 1).copied(),
            commit: self.commit,
            sent: now,
        };
        out.messages.push((to, append));
    }

    /// The last entry that a majority has, if it is of the present term.
    fn advance_commit(&mut self) {
        let mut has: Vec<_> = self.matched[..usize::from(self.setup.n_nodes)].to_vec();
        has.sort_unstable_by(|a, b| b.cmp(a));
        let index = has[self.majority() as usize - 1];
        if index > self.commit && self.term_at(index) == self.term {
            self.commit = index;
        }
    }

    fn note_answers(&mut self, now: LocalTime, out: &mut Out) {
        let nodes = 0..self.setup.n_nodes;
        let sent = |node| match node == self.setup.id {
            true => Some(now),
            false => self.answered[usize::from(node)],
        };
        let mut all: Vec<_> = nodes.map(sent).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let from = all[self.majority() as usize - 1];
        if from > self.leads_from {
            self.leads_from = from;
            out.leads_on = true;
        }
    }

    fn next_timeout(&mut self, now: LocalTime) -> LocalTime {
        let node = NodeId::Lock(LockNodeId(self.setup.id));
        let number = random(self.setup.seed, node, Purpose::Election, self.n_timeouts);
        self.n_timeouts += 1;
        let least = self.setup.election_timeout;
        now + least + random_up_to(least, number)
    }

    fn others(&self) -> impl Iterator<Item = u8> + use<> {
        let id = self.setup.id;
        (0..self.setup.n_nodes).filter(move |node| *node != id)
    }

    fn majority(&self) -> u32 {
        u32::from(self.setup.n_nodes / 2 + 1)
    }

    fn last_index(&self) -> u32 {
        u32::try_from(self.log.len()).expect("a run's steps fit 32 bits")
    }

    fn last_term(&self) -> i64 {
        self.term_at(self.last_index())
    }

    /// The term of an entry; of none, 0.
    fn term_at(&self, index: u32) -> i64 {
        let place = (index as usize).checked_sub(1);
        place.and_then(|place| self.log.get(place)).map_or(0, |entry| entry.term)
    }
}

//! The crate `raft`, the port of etcd's Raft that TiKV runs, as a member of a group: the real code
//! with its own logical clock and its own log in memory.

use fenceline::sim::prng::{Purpose, random};
use raft::eraftpb::{Entry, Message};
use raft::storage::MemStorage;
use raft::{Config, RawNode, Ready, StateRole};
use slog::{Discard, Logger, o};

use super::cluster::{Member, Seen};

const ELECTION_TICKS: usize = 10;

/// A node. `BY_HAND`: it asks for votes only when it is told that its time is over.
pub(super) struct Theirs<const BY_HAND: bool> {
    node: RawNode<MemStorage>,
    id: u8,
    disk: MemStorage,
    out: Vec<Message>,
}

/// Their ids begin at 1.
fn id_of(id: u8) -> u64 {
    u64::from(id) + 1
}

fn start<const BY_HAND: bool>(id: u8, disk: MemStorage) -> RawNode<MemStorage> {
    let who = fenceline::sim::id::NodeId::Lock(fenceline::sim::id::LockNodeId(id));
    let spread = usize::try_from(random(7, who, Purpose::Election, 0) % 10).expect("below ten");
    // Its timeouts are drawn at random, which a test must not be: from a range of one.
    let least = if BY_HAND { 1_000_000 } else { ELECTION_TICKS + spread };
    let config = Config {
        id: id_of(id),
        election_tick: ELECTION_TICKS,
        heartbeat_tick: 1,
        min_election_tick: least,
        max_election_tick: least + 1,
        // A node that hears a leader votes for nobody else, and one that is behind is told so.
        check_quorum: true,
        max_inflight_msgs: 256,
        ..Config::default()
    };
    RawNode::new(&config, disk, &Logger::root(Discard, o!())).expect("the settings are valid")
}

impl<const BY_HAND: bool> Theirs<BY_HAND> {
    /// Carries out what the node asks for, as its documentation says.
    fn carry_out(&mut self) {
        while self.node.has_ready() {
            let mut ready: Ready = self.node.ready();
            self.out.extend(ready.take_messages());
            self.disk.wl().append(ready.entries()).expect("the log has no gap");
            if let Some(hard_state) = ready.hs() {
                self.disk.wl().set_hardstate(hard_state.clone());
            }
            self.out.extend(ready.take_persisted_messages());
            let mut light = self.node.advance(ready);
            if let Some(commit) = light.commit_index() {
                self.disk.wl().mut_hard_state().set_commit(commit);
            }
            self.out.extend(light.take_messages());
            self.node.advance_apply();
        }
    }

    fn leads(&self) -> bool {
        self.node.raft.state == StateRole::Leader
    }
}

impl<const BY_HAND: bool> Member for Theirs<BY_HAND> {
    type Message = Message;

    fn new(id: u8, n: u8) -> Self {
        let voters: Vec<_> = (0..n).map(id_of).collect();
        let disk = MemStorage::new_with_conf_state((voters, Vec::new()));
        Self { node: start::<BY_HAND>(id, disk.clone()), id, disk, out: Vec::new() }
    }

    fn tick(&mut self) {
        self.node.tick();
        self.carry_out();
    }

    fn waits(&mut self) {
        // A leader's own ticks would make it look for its majority.
        if !self.leads() {
            (0..ELECTION_TICKS).for_each(|_| self.tick());
        }
    }

    fn times_out(&mut self) {
        self.node.campaign().expect("a node may always ask for votes");
        self.carry_out();
    }

    fn beats(&mut self) {
        self.node.ping();
        self.carry_out();
    }

    fn proposes(&mut self, what: u64) {
        if self.leads() {
            self.node.propose(Vec::new(), what.to_be_bytes().to_vec()).expect("it leads");
            self.carry_out();
        }
    }

    fn restarts(&mut self) {
        self.out.clear();
        self.node = start::<BY_HAND>(self.id, self.disk.clone());
    }

    fn receives(&mut self, _from: u8, message: Message) {
        // It says why it does not take a message; such a message is as good as lost.
        let _ = self.node.step(message);
        self.carry_out();
    }

    fn sends(&mut self) -> Vec<(u8, Message)> {
        let to = |message: &Message| u8::try_from(message.to - 1).expect("few nodes");
        std::mem::take(&mut self.out).into_iter().map(|message| (to(&message), message)).collect()
    }

    fn seen(&self) -> Seen {
        let raft = &self.node.raft;
        let entries = raft.raft_log.all_entries();
        let what = |entry: &Entry| {
            let data: Result<[u8; 8], _> = entry.data.as_ref().try_into();
            (entry.term, data.map_or(0, u64::from_be_bytes))
        };
        Seen {
            leads: self.leads(),
            term: raft.term,
            leader: raft.leader_id.checked_sub(1).map(|id| u8::try_from(id).expect("few nodes")),
            log: entries.iter().map(what).collect(),
            commit: raft.raft_log.committed,
        }
    }
}

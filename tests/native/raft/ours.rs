//! The simulation's own core as a member of a group, with a clock of its own.

use fenceline::sim::id::{ClientId, FencingToken, RequestNo};
use fenceline::sim::lock::RaftMessage;
use fenceline::sim::lock::raft::core::{Core, Out, Role, Setup};
use fenceline::sim::lock::raft::{Command, What};
use fenceline::sim::{LocalTime, SimDuration};

use super::cluster::{Member, Seen};

const TICK: SimDuration = SimDuration::from_millis(100);
const ELECTION_TIMEOUT: SimDuration = SimDuration::from_millis(1_000);

/// A node. Without a look for its quorum it is one of a schedule that says who times out.
pub(super) struct Ours<const CHECKS_QUORUM: bool> {
    core: Core,
    now: LocalTime,
    out: Out,
}

impl<const CHECKS_QUORUM: bool> Member for Ours<CHECKS_QUORUM> {
    type Message = RaftMessage;

    fn new(id: u8, n: u8) -> Self {
        let setup = Setup {
            id,
            n_nodes: n,
            seed: 7,
            election_timeout: ELECTION_TIMEOUT,
            heartbeat: TICK,
            sticky: true,
            check_quorum: CHECKS_QUORUM,
        };
        Self { core: Core::new(setup, true), now: LocalTime::default(), out: Out::default() }
    }

    fn tick(&mut self) {
        self.now = self.now + TICK;
        self.core.tick(self.now, &mut self.out);
    }

    fn waits(&mut self) {
        self.now = self.now + ELECTION_TIMEOUT;
    }

    fn times_out(&mut self) {
        if self.core.role() != Role::Leader {
            self.now = self.now.max(self.core.wakes().expect("it always campaigns"));
            self.core.tick(self.now, &mut self.out);
        }
    }

    fn beats(&mut self) {
        if self.core.role() == Role::Leader {
            self.core.send_heartbeats(self.now, &mut self.out);
        }
    }

    fn proposes(&mut self, what: u64) {
        let request = RequestNo(u32::try_from(what).expect("few are proposed"));
        let (client, token) = (ClientId(0), FencingToken(0));
        let command = Command { what: What::Acquire, client, request, token };
        self.core.propose(self.now, command, &mut self.out);
    }

    fn restarts(&mut self) {
        self.out = Out::default();
        self.core.restart(self.now, false, &mut self.out);
        // It votes for nobody for an election timeout, because it does not know whom it had heard.
        // The other implementation does; that time passes here.
        self.now = self.now + ELECTION_TIMEOUT;
    }

    fn receives(&mut self, from: u8, message: RaftMessage) {
        // The paper answers a request for a vote of an older term, and the asker learns the newer
        // one; the other implementation says nothing.
        let asks = matches!(message, RaftMessage::AskVote { .. });
        if !CHECKS_QUORUM && asks && message.term() < self.core.term() {
            return;
        }
        self.core.receive(self.now, from, message, &mut self.out);
        while self.core.take_committed().is_some() {}
    }

    fn sends(&mut self) -> Vec<(u8, RaftMessage)> {
        std::mem::take(&mut self.out).messages
    }

    fn seen(&self) -> Seen {
        let entries = self.core.log().iter();
        let entry = |entry: &fenceline::sim::lock::raft::Entry| {
            let term = u64::try_from(entry.term).expect("terms are not negative");
            (term, u64::from(entry.command.request.0))
        };
        Seen {
            leads: self.core.role() == Role::Leader,
            term: u64::try_from(self.core.term()).expect("terms are not negative"),
            leader: self.core.leader(),
            log: entries.map(entry).collect(),
            commit: u64::from(self.core.commit()),
        }
    }
}

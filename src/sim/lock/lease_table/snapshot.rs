//! What a restart has lost: all, the leases alone, or what has changed since a snapshot, which the
//! service takes at fixed times on its own clock.

use std::collections::VecDeque;

use super::{Lease, LeaseTable, Waiter, ended};
use crate::sim::course;
use crate::sim::effect::Effects;
use crate::sim::fact::{LeaseEnd, ServiceFact};
use crate::sim::lock::tokens::Tokens;
use crate::sim::scenario::Loses;
use crate::sim::time::{LocalTime, SimDuration};

/// What stands in the last snapshot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Snapshot {
    /// The how many-th it is; 0: the empty store of the beginning.
    no: u64,
    tokens: Tokens,
    holder: Option<Lease>,
    queue: VecDeque<Waiter>,
}

impl Snapshot {
    pub(super) fn of_the_beginning(tokens: Tokens) -> Self {
        Self { no: 0, tokens, holder: None, queue: VecDeque::new() }
    }
}

impl LeaseTable {
    /// Whether a snapshot was due since the last one. Nothing changes between two inputs, so it
    /// holds the state before this one.
    pub(super) fn take_snapshot(&mut self, now: LocalTime) {
        let Some(every) = self.rules.snapshot_every else {
            return;
        };
        let no = snapshots_by(now, every);
        if no > self.snapshot.no {
            let (tokens, queue) = (self.tokens.clone(), self.queue.clone());
            self.snapshot = Snapshot { no, tokens, holder: self.holder, queue };
        }
    }

    /// What a restart has lost is gone; nobody is told.
    pub(super) fn forget(&mut self, now: LocalTime, loses: Loses, effects: &mut Effects) {
        if let Some(every) = self.rules.snapshot_every {
            // None was taken while the service was away.
            self.snapshot.no = snapshots_by(now, every).max(self.snapshot.no);
        }
        let (holder, queue) = match loses {
            Loses::Nothing => return,
            Loses::Leases | Loses::Everything => (None, VecDeque::new()),
            Loses::SinceSnapshot => (self.snapshot.holder, self.snapshot.queue.clone()),
        };
        self.put_back(holder, queue, effects);
        self.sessions.fill(None);
        (self.blocked_until, self.kept_until) = (None, None);
        match loses {
            Loses::Nothing | Loses::Leases => {}
            Loses::Everything => self.tokens.reset(),
            Loses::SinceSnapshot => {
                self.tokens = self.snapshot.tokens.clone();
                self.tokens.skip(self.rules.restore_skips);
            }
        }
        self.grant_next(now, effects);
    }

    /// This is what stands there now: who held the lock or waited when it was saved does so again,
    /// whatever has become of it since.
    fn put_back(&mut self, holder: Option<Lease>, queue: VecDeque<Waiter>, effects: &mut Effects) {
        let is_another = |lease: Lease| holder.is_none_or(|holder| holder.grant != lease.grant);
        if let Some(lease) = self.holder.take_if(|lease| is_another(*lease)) {
            effects.fact(ended(&lease, LeaseEnd::Forgotten));
        }
        let is_kept = |waiter: &Waiter| {
            let mut saved = queue.iter();
            saved.any(|saved| (saved.client, saved.token) == (waiter.client, waiter.token))
        };
        for waiter in self.queue.iter().filter(|waiter| !is_kept(waiter)) {
            effects.fact(ServiceFact::WaiterLeft { client: waiter.client });
        }
        self.queue.retain(is_kept);
        for (place, saved) in queue.into_iter().enumerate() {
            if self.queue.get(place).is_none_or(|waiter| waiter.client != saved.client) {
                let ahead = u8::try_from(place).expect("at most 8 clients wait");
                effects.fact(ServiceFact::Queued { client: saved.client, ahead });
                self.queue.insert(place, saved);
            }
        }
        if let (None, Some(lease)) = (self.holder, holder) {
            let Lease { grant, client, token, .. } = lease;
            let ttl = self.known(client).ttl;
            effects.fact(ServiceFact::TookOver { grant, client, token, ttl });
            self.holder = Some(lease);
        }
    }
}

fn snapshots_by(now: LocalTime, every: SimDuration) -> u64 {
    let every = i64::try_from(every.micros().max(1)).unwrap_or(i64::MAX);
    let no = now.micros().div_euclid(every);
    // The mark before is on its side: at a mark that snapshot is taken.
    course::is_placed(now.micros() + 1, every, i128::from(no) + 1);
    u64::try_from(no).unwrap_or_default()
}

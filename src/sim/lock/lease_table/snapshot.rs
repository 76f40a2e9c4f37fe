//! What a restart has lost: all, the leases alone, or what has changed since a snapshot, which the
//! service takes at fixed times on its own clock.

use super::{LeaseTable, ended};
use crate::sim::effect::Effects;
use crate::sim::event::{Event, LeaseEnd};
use crate::sim::id::{ClientId, FencingToken};
use crate::sim::lock::tokens::Tokens;
use crate::sim::scenario::Loses;
use crate::sim::time::{LocalTime, SimDuration};

/// What stands in the last snapshot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Snapshot {
    /// The how many-th it is; 0: the empty store of the beginning.
    no: u64,
    tokens: Tokens,
    n_grants: u32,
    /// Who waited, and under which token.
    queue: Vec<(ClientId, Option<FencingToken>)>,
}

impl Snapshot {
    pub(super) fn of_the_beginning(tokens: Tokens) -> Self {
        Self { no: 0, tokens, n_grants: 0, queue: Vec::new() }
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
            let queue = self.queue.iter().map(|waiter| (waiter.client, waiter.token)).collect();
            let (tokens, n_grants) = (self.tokens.clone(), self.n_grants);
            self.snapshot = Snapshot { no, tokens, n_grants, queue };
        }
    }

    /// What a restart has lost is gone; nobody is told.
    pub(super) fn forget(&mut self, now: LocalTime, loses: Loses, effects: &mut Effects) {
        if let Some(every) = self.rules.snapshot_every {
            // None was taken while the service was away.
            self.snapshot.no = snapshots_by(now, every).max(self.snapshot.no);
        }
        let since_snapshot = match loses {
            Loses::Nothing => return,
            Loses::Leases | Loses::Everything => false,
            Loses::SinceSnapshot => true,
        };
        let snapshot = &self.snapshot;
        let stays = |grant: u32| since_snapshot && grant <= snapshot.n_grants;
        if let Some(lease) = self.holder.take_if(|lease| !stays(lease.grant.0)) {
            effects.fact(ended(&lease, LeaseEnd::Forgotten));
        }
        self.queue.retain(|waiter| {
            let stays = since_snapshot && snapshot.queue.contains(&(waiter.client, waiter.token));
            if !stays {
                effects.fact(Event::WaiterLeft { client: waiter.client });
            }
            stays
        });
        self.sessions.fill(None);
        self.blocked_until = None;
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
}

fn snapshots_by(now: LocalTime, every: SimDuration) -> u64 {
    u64::try_from(now.micros()).unwrap_or_default() / every.micros().max(1)
}

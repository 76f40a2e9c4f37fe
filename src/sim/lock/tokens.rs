//! Where tokens come from: sources that grow with every grant, and sources that do not, for which a
//! fence is worth nothing.

use super::Rules;
use crate::sim::id::{FencingToken, LockNodeId, NodeId};
use crate::sim::prng::{Purpose, random};
use crate::sim::scenario::TokenSource;

/// Hands tokens out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tokens {
    source: TokenSource,
    first: FencingToken,
    next: FencingToken,
    seed: u32,
    /// Who draws the random ones.
    node: NodeId,
    n_drawn: u32,
    /// Others draw in between.
    others: bool,
    /// Others change the store whose revisions are drawn.
    others_revise: bool,
    /// The lower half was used up, and the upper one grew for it.
    is_used_up: bool,
    /// A number of 32 bits stays at the last one.
    stands_still: bool,
}

/// Where the upper half of a number of epoch and counter begins.
const COUNTER_BITS: u32 = 32;

impl Tokens {
    pub(super) fn new(rules: &Rules, seed: u32) -> Self {
        let first = rules.first_token;
        let (source, others) = (rules.token_source, rules.others_write);
        let others_revise = rules.others_revise;
        let node = NodeId::Lock(LockNodeId(0));
        Self {
            source,
            first,
            next: first,
            seed,
            node,
            n_drawn: 0,
            others,
            others_revise,
            is_used_up: false,
            stands_still: false,
        }
    }

    /// The numbers that nodes are named by.
    pub(super) fn of_names(
        first: FencingToken,
        others: bool,
        stands_still: bool,
        seed: u32,
    ) -> Self {
        let node = NodeId::Lock(LockNodeId(0));
        Self {
            source: TokenSource::Sequence32,
            first,
            next: first,
            seed,
            node,
            n_drawn: 0,
            others,
            others_revise: false,
            is_used_up: false,
            stands_still,
        }
    }

    /// Whether the next number is the last one, and will be for ever.
    pub(super) fn is_at_its_end(&self) -> bool {
        self.stands_still && self.next.0 == i64::from(i32::MAX)
    }

    /// The same at another node of the service, so that two do not draw the same numbers.
    pub(super) fn at(self, id: LockNodeId) -> Self {
        Self { node: NodeId::Lock(id), ..self }
    }

    /// What a counter hands out next.
    pub(super) fn upcoming(&self) -> FencingToken {
        self.next
    }

    /// The counter goes on from here.
    pub(super) fn go_on_from(&mut self, next: FencingToken) {
        self.next = next;
    }

    /// Whether a token is fixed when a client asks, and not when it is granted.
    pub(super) fn are_fixed_at_enqueue(&self) -> bool {
        self.source == TokenSource::RevisionAtEnqueue
    }

    /// The next token.
    pub(super) fn draw(&mut self) -> FencingToken {
        let number = random(self.seed, self.node, Purpose::Token, self.n_drawn);
        self.n_drawn += 1;
        let token = self.next;
        let grown = |by: i64| FencingToken(token.0.saturating_add(by));
        match self.source {
            TokenSource::Counter => self.next = grown(1),
            // Other keys of the same store change in between: up to three revisions here.
            TokenSource::Revision
            | TokenSource::RevisionAtEnqueue
            | TokenSource::RevisionOfSession => {
                let others = if self.others_revise { (number % 4).cast_signed() } else { 0 };
                self.next = grown(1 + others);
            }
            TokenSource::Sequence32 => {
                let others = if self.others { i32::from(number.to_le_bytes()[0] % 4) } else { 0 };
                let now = i32::try_from(token.0).unwrap_or(i32::MAX);
                let next = match self.stands_still {
                    true => now.saturating_add(1 + others),
                    false => now.wrapping_add(1 + others),
                };
                self.next = FencingToken(i64::from(next));
            }
            TokenSource::EpochAndCounter => {
                let others = if self.others { (number % 4).cast_signed() } else { 0 };
                self.next = grown(1 + others);
                if self.next.0 >> COUNTER_BITS != token.0 >> COUNTER_BITS {
                    self.next = token;
                    self.new_epoch();
                    self.is_used_up = true;
                }
            }
            TokenSource::LeaseId => {
                return FencingToken(((number >> 8) % 65_536).cast_signed() + 1);
            }
            TokenSource::Constant => {}
        }
        token
    }

    /// The store's revision when a session is made. That itself changes nothing in the store, so
    /// two sessions can have the same; others write meanwhile.
    pub(super) fn session_revision(&mut self) -> FencingToken {
        let number = random(self.seed, self.node, Purpose::Token, self.n_drawn);
        self.n_drawn += 1;
        let revision = self.next;
        self.skip(if self.others_revise { (number % 4).cast_signed() } else { 0 });
        revision
    }

    /// A new leader, or another instance: the upper half grows, the lower one begins anew.
    pub(super) fn new_epoch(&mut self) {
        let epoch = (self.next.0 >> COUNTER_BITS).saturating_add(1);
        self.next = FencingToken((epoch << COUNTER_BITS) + 1);
    }

    /// A new leader: where tokens have an epoch, it grows.
    pub(super) fn new_leader(&mut self) {
        if self.source == TokenSource::EpochAndCounter {
            self.new_epoch();
        }
    }

    /// Whether the lower half was used up since this was last asked.
    pub(super) fn take_used_up(&mut self) -> bool {
        std::mem::take(&mut self.is_used_up)
    }

    /// So many numbers are never handed out.
    pub(super) fn skip(&mut self, numbers: i64) {
        self.next = FencingToken(self.next.0.saturating_add(numbers));
    }

    /// The counter is lost: the first token comes again.
    pub(super) fn reset(&mut self) {
        self.next = self.first;
    }
}

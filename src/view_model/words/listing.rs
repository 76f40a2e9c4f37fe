//! How a fact stands in the event list: under which filter, with which mark, and how much it
//! matters beside what happens at the same instant.

/// What a fact is about, for filters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MomentKind {
    /// Asking, waiting, grants, their ends.
    Lease,
    /// A client begins or ceases to believe that it holds the lock.
    Belief,
    /// Work begins or ends, reads, checks.
    Work,
    /// Writes and seals, and what the storage says to them.
    Write,
    /// Routine renewals: asked for and given. A refused one is about the lease.
    Renewal,
    /// Pauses, crashes, lost messages.
    Fault,
}

impl MomentKind {
    /// All of them, in the order in which filters show them.
    pub const ALL: [Self; 6] =
        [Self::Lease, Self::Belief, Self::Work, Self::Write, Self::Renewal, Self::Fault];
}

/// What is drawn in front of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A grant.
    Grant,
    /// Asking, waiting.
    Wait,
    /// A lease ends.
    LeaseEnd,
    /// A belief begins or ends.
    Belief,
    /// Work, reads, checks.
    Work,
    /// A write is on its way.
    Sent,
    /// A write or a seal was accepted.
    Accepted,
    /// A late write was accepted, or a rightful one refused.
    Warning,
    /// The fence refused a write.
    Refused,
    /// A stale write was accepted.
    Damage,
    /// A renewal.
    Renewal,
    /// A pause begins.
    Pause,
    /// It ends.
    Wake,
    /// A crash, a lost message.
    Crash,
}

/// How a fact stands in the event list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The filter that it falls under; `None`: it is not listed, because its consequence is, or
    /// because nobody would miss it.
    pub kind: Option<MomentKind>,
    /// What is drawn in front of it, before it is judged.
    pub mark: Mark,
    /// How much it matters when several things happen at one instant.
    pub weight: u8,
}

impl Listing {
    /// A fact that is listed.
    pub(in crate::view_model) const fn of(kind: MomentKind, mark: Mark, weight: u8) -> Self {
        Self { kind: Some(kind), mark, weight }
    }

    /// A fact that is not listed.
    pub(in crate::view_model) const fn unlisted(mark: Mark, weight: u8) -> Self {
        Self { kind: None, mark, weight }
    }
}

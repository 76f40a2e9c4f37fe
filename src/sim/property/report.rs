//! The results of judging a run: plain data for tests, panels and the command line.

use crate::sim::form::choices;
use crate::sim::id::EntrySeq;
use crate::sim::time::{SimDuration, SimTime};

choices! {
    /// The properties, in the order in which they are shown. Definitions: `docs/model.md`,
    /// “Properties”.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum PropertyId {
        /// No grant is made while another client's promise runs.
        OneLeaseAtATime,
        /// At most one client believes.
        OneBelieverAtATime,
        /// Per store, accepted writes never go back in grant order.
        TokensNeverGoBack,
        /// No late or stale write is accepted.
        NoWriteAfterItsLeaseEnded,
        /// Once a holder was served a read or a write, no write of an older grant is accepted.
        NoOlderWriteOnceTheNextHolderHasBegun,
        /// Some order of the units explains what was read and what is there.
        NoLostUpdate,
        /// No older holder's unit replaces a newer one's value unseen.
        NoOlderOverNewer,
        /// No client's older step replaces its newer one.
        NoOwnOlderStep,
        /// No half of a unit is built on, and none stands at the end.
        NoHalfUnit,
        /// An item of a queue is done only if some delivery's last write was accepted.
        NoItemLost,
        /// No rightful write, seal or read is refused.
        RightfulHolderNeverRefused,
        /// Once a holder is gone for good, somebody who asks is granted in time.
        SomebodyCanAlwaysGetTheLock,
        /// A piece of work acts on the outside at most once, and updates at most once; and the
        /// outside sees no older holder after a newer one.
        NoExternalEffectTwice,
    }
}

/// What breaking a property makes of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decides {
    /// The data are damaged.
    Damage,
    /// Somebody is not served who ought to be.
    Availability,
    /// It explains a verdict, and makes none.
    Nothing,
}

impl PropertyId {
    /// All of them, in order.
    pub const ALL: [Self; 13] = [
        Self::OneLeaseAtATime,
        Self::OneBelieverAtATime,
        Self::TokensNeverGoBack,
        Self::NoWriteAfterItsLeaseEnded,
        Self::NoOlderWriteOnceTheNextHolderHasBegun,
        Self::NoLostUpdate,
        Self::NoOlderOverNewer,
        Self::NoOwnOlderStep,
        Self::NoHalfUnit,
        Self::NoItemLost,
        Self::RightfulHolderNeverRefused,
        Self::SomebodyCanAlwaysGetTheLock,
        Self::NoExternalEffectTwice,
    ];

    /// What breaking it makes of a run: every place that asks which properties decide asks here.
    pub fn decides(self) -> Decides {
        match self {
            Self::NoLostUpdate
            | Self::NoOlderOverNewer
            | Self::NoOwnOlderStep
            | Self::NoHalfUnit
            | Self::NoItemLost
            | Self::NoExternalEffectTwice => Decides::Damage,
            Self::SomebodyCanAlwaysGetTheLock | Self::RightfulHolderNeverRefused => {
                Decides::Availability
            }
            Self::OneLeaseAtATime
            | Self::OneBelieverAtATime
            | Self::TokensNeverGoBack
            | Self::NoWriteAfterItsLeaseEnded
            | Self::NoOlderWriteOnceTheNextHolderHasBegun => Decides::Nothing,
        }
    }

    /// The name that people read.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneLeaseAtATime => "One lease at a time",
            Self::OneBelieverAtATime => "One believer at a time",
            Self::TokensNeverGoBack => "Tokens never go back",
            Self::NoWriteAfterItsLeaseEnded => "No write after its lease ended",
            Self::NoOlderWriteOnceTheNextHolderHasBegun => {
                "No older write once the next holder has begun"
            }
            Self::NoLostUpdate => "No lost update",
            Self::NoOlderOverNewer => "No older over newer",
            Self::NoOwnOlderStep => "No own older step",
            Self::NoHalfUnit => "No half unit",
            Self::NoItemLost => "No item lost",
            Self::RightfulHolderNeverRefused => "Rightful holder never refused",
            Self::SomebodyCanAlwaysGetTheLock => "Somebody can always get the lock",
            Self::NoExternalEffectTwice => "No external effect twice",
        }
    }
}

/// What became of a property in a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PropertyState {
    /// Nothing in this run breaks it.
    Holds,
    /// It is broken.
    Broken {
        /// When first.
        at: SimTime,
        /// The entry that broke it first; where it broke by nothing happening in time, the accident
        /// for which nothing did, if there was one.
        first: Option<EntrySeq>,
        /// How many times.
        times: u32,
        /// For how long in all, where it is a state and not an instant.
        lasted: Option<SimDuration>,
    },
    /// The scenario has nothing that it speaks of.
    DoesNotApply,
    /// The run ended before it was decided.
    Undecided,
}

/// A property and what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PropertyReport {
    /// The property.
    pub id: PropertyId,
    /// What became of it.
    pub state: PropertyState,
}

choices! {
    /// The verdicts, from best to worst.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum VerdictKind {
        /// Nothing bad happened in this run.
        Safe,
        /// Nothing bad so far; a deciding property is undecided.
        SafeSoFar,
        /// One piece of work was done twice; the state is right.
        WastedWork,
        /// No unit of work was finished, although there was time for two.
        NoWorkFinished,
        /// Nobody could get the lock, or the rightful holder was refused and never served.
        Unavailable,
        /// Half a unit of work stands at the end; nobody has built on it.
        HalfWritten,
        /// The state is wrong.
        Corrupted,
    }
}

/// The verdict of a run, with its first event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict {
    /// The worst that applies.
    pub kind: VerdictKind,
    /// When it first came about; none for “safe”.
    pub at: Option<SimTime>,
    /// The entry that brought it about, if one did.
    pub first: Option<EntrySeq>,
    /// The property that decided.
    pub because: Option<PropertyId>,
    /// Safe, but something late was accepted or done outside and happened to do no harm, or units
    /// of two holders overlapped.
    pub by_luck: bool,
}

/// What a run cost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Costs {
    /// Late or stale writes that were refused.
    pub refused_stale: u32,
    /// Rightful writes that were refused.
    pub refused_rightful: u32,
    /// Late or stale writes that were accepted, and late acts outside, that did no harm.
    pub harmless_late: u32,
    /// Units of work that were begun.
    pub units_begun: u32,
    /// Those of them of which all is written, or for which the outside acted.
    pub units_done: u32,
    /// Time of work whose write was refused, abandoned or lost in a crash.
    pub wasted_work: SimDuration,
    /// Time during which nobody held the lock although somebody wanted it.
    pub unheld_though_wanted: SimDuration,
    /// Time of belief without a lease, added over clients.
    pub false_belief: SimDuration,
    /// Time during which the lock was held by somebody whose work was over, while others waited.
    pub held_without_work: SimDuration,
    /// Time during which nobody worked although somebody wanted to.
    pub idle_though_wanted: SimDuration,
    /// Deliveries of an item beyond the first.
    pub redeliveries: u32,
    /// The longest time from a client's first request for the lock to its grant, or to the end.
    pub longest_wait: SimDuration,
}

/// What a write was on arrival.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WriteStatus {
    /// Its grant had not ended.
    Rightful,
    /// Its grant had ended; this store had accepted nothing of a newer one.
    Late,
    /// Its grant had ended, and this store had accepted something of a newer one.
    Stale,
}

/// The judgement of one write, with the entries that its sentence needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WriteJudgement {
    /// The entry of the answer: `WriteAccepted`, `WriteRefused` or `DuplicateIgnored`.
    pub entry: EntrySeq,
    /// What the write was on arrival.
    pub status: WriteStatus,
    /// Whether it was applied.
    pub accepted: bool,
    /// Whether an accepted update was lost by it.
    pub lost_update: bool,
    /// It was a retry or a duplicate: this very write was applied before, under the same grant, or
    /// the store knows its piece of work and has ignored it.
    pub seen_before: bool,
    /// It was applied, and broke a property that makes a run corrupted.
    pub harmful: bool,
    /// The entry that ended the write's grant, if it had ended.
    pub grant_ended: Option<EntrySeq>,
    /// The entry that set the highest token that this store had seen before.
    pub highest_set: Option<EntrySeq>,
    /// The accepted write whose value it replaced or would have replaced.
    pub over: Option<EntrySeq>,
    /// The last pause of the writer that began before the write was sent and lasted into or past
    /// the end of its grant.
    pub pause: Option<EntrySeq>,
}

/// Everything that judging a run gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The properties, in [`PropertyId::ALL`]'s order.
    pub properties: Vec<PropertyReport>,
    /// The verdict over them.
    pub verdict: Verdict,
    /// What the run cost.
    pub costs: Costs,
    /// Every write's judgement, in log order.
    pub writes: Vec<WriteJudgement>,
    /// Every grant, in the order made.
    pub grants: Vec<super::grants::GrantRecord>,
}

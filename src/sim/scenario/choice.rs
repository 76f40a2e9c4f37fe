//! What the settings of clients, leases and stores choose among, as a scenario file writes it.
//! Plain data: what a choice does is decided in `sim::client`, `sim::lock` and `sim::storage`.

use std::fmt;
use std::str::FromStr;

use crate::sim::course;
use crate::sim::form::choices;
use crate::sim::limits;
use crate::sim::plain_text::quoted;
use crate::sim::time::SimDuration;

/// A share of a duration, such as `1/3`. Kept as a fraction, so that a third of 10 s is exact to
/// the microsecond (3.333333 s, rounded down).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    /// Parts taken; 1 to 1000.
    pub numerator: u16,
    /// Parts in the whole; 1 to 1000.
    pub denominator: u16,
}

impl Ratio {
    /// A third: what etcd, ZooKeeper and Redisson use.
    pub const THIRD: Self = Self { numerator: 1, denominator: 3 };

    /// This share of `whole`, rounded down to a microsecond.
    pub fn of(self, whole: SimDuration) -> SimDuration {
        let product = u128::from(whole.micros()) * u128::from(self.numerator);
        let divisor = u32::from(self.denominator);
        course::rounds(i128::try_from(product).unwrap_or(i128::MAX), divisor);
        let share = product / u128::from(self.denominator.max(1));
        SimDuration::from_micros(u64::try_from(share).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl FromStr for Ratio {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let part = |text: &str| text.trim().parse::<u16>().ok().filter(|n| (1..=1000).contains(n));
        let parts = text.split_once('/').map(|(up, down)| (part(up), part(down)));
        if let Some((Some(numerator), Some(denominator))) = parts {
            return Ok(Self { numerator, denominator });
        }
        let quoted = quoted(text);
        Err(format!("“{quoted}” is not a share: write two numbers from 1 to 1000, such as 1/3"))
    }
}

choices! {
    /// When a holder renews its lease.
    #[derive(Copy)]
    pub enum Renew {
        /// Never: the lease lasts one time to live.
        Off,
        /// At a share of the time to live, so that a longer lease is renewed less often.
        Share(Ratio),
        /// At a fixed interval, whatever the time to live.
        Every(SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION),
    }
}

impl Renew {
    /// The interval under a time to live; `None` when there is nothing to renew.
    pub fn interval(self, ttl: Option<SimDuration>) -> Option<SimDuration> {
        let ttl = ttl?;
        match self {
            Self::Off => None,
            // A thousandth of a short lease would tick more often than anything that repeats may.
            Self::Share(share) => Some(share.of(ttl).max(limits::MIN_INTERVAL)),
            Self::Every(interval) => Some(interval),
        }
    }
}

choices! {
    /// What a renewer does when a renewal fails.
    #[derive(Copy)]
    pub enum RenewFailure = TriesAgain {
        /// It tries again at every tick until it is refused.
        TriesAgain,
        /// It tries again as soon as the request timeout has passed without an answer, where that
        /// is before the next tick, and otherwise as above.
        TriesSooner,
        /// It stops for good when a renewal is still unanswered at the next tick; nobody is told.
        GivesUp,
        /// When it is refused it acquires anew and goes on as if nothing had been.
        Reacquires,
    }
}

choices! {
    /// How long after its grant a client renews its lease at all, by its own clock.
    #[derive(Copy)]
    pub enum RenewCap = Off {
        /// Without end.
        Off,
        /// So long after it has handled the grant it sends no renewal any more, and tells nobody.
        After(SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION),
    }
}

choices! {
    /// How long after its grant a lease may be renewed, by the service's clock.
    #[derive(Copy)]
    pub enum LeaseCap = Off {
        /// Without end.
        Off,
        /// A renewal that would pass this time is refused, and the end stays.
        RefusedAfter(SimDuration, in limits::MIN_TTL, limits::MAX_DURATION),
        /// A renewal that would pass this time is given what is left of it.
        CutAfter(SimDuration, in limits::MIN_TTL, limits::MAX_DURATION),
    }
}

choices! {
    /// Who renews a lease.
    #[derive(Copy)]
    pub enum RenewedBy = Renewer {
        /// A renewer of its own, whatever the worker is at.
        Renewer,
        /// The worker: once as each step of its work begins, and never meanwhile.
        Worker,
    }
}

choices! {
    /// Whether a renewer goes on while its worker takes no step.
    #[derive(Copy)]
    pub enum Progress = Off {
        /// It does.
        Off,
        /// Without a step for so long it renews nothing, until there is one.
        StopsAfter(SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION),
        /// Without a step for so long it gives the lock back.
        LeavesAfter(SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION),
    }
}

choices! {
    /// From when a client counts its own deadline.
    #[derive(Copy)]
    pub enum Deadline = Off {
        /// It has none: it believes until it is told.
        Off,
        /// From when it sent the request that succeeded: where clocks agree, no later than the
        /// service.
        FromSend,
        /// From when it handled the answer: too late by the answer's flight.
        FromReceipt,
    }
}

choices! {
    /// What a worker does once its client has learned that the lock is lost.
    #[derive(Copy)]
    pub enum OnLoss = GoesOn {
        /// Goes on with what it is at.
        GoesOn,
        /// Stops this long after.
        StopsAfter(SimDuration),
        /// Ends at once and for good.
        Dies,
    }
}

choices! {
    /// What a write does to the value.
    #[derive(Copy)]
    pub enum Operation = Overwrite {
        /// Replaces the value, whatever it was.
        Overwrite,
        /// Reads the value first and writes one that is built on it.
        ReadModifyWrite,
        /// Acts on the outside (a payment, a mail), which no fence reaches, and then writes.
        ExternalEffect,
    }
}

choices! {
    /// Whose piece of work a worker does.
    #[derive(Copy)]
    pub enum Piece = Own {
        /// Each client has its own.
        Own,
        /// All share one list of work; a holder looks at the first store which piece is next.
        Shared,
    }
}

choices! {
    /// How work passes its time.
    #[derive(Copy)]
    pub enum WorkKind = Waiting {
        /// It elapses during a pause, as waiting for another machine does.
        Waiting,
        /// A pause adds its own length, as it does to computing.
        Computing,
    }
}

choices! {
    /// What a worker does right before each write to learn whether it still holds the lease.
    #[derive(Copy)]
    pub enum Check = Off {
        /// Nothing: it believes.
        Off,
        /// Looks at its own belief and deadline.
        OwnBelief,
        /// Asks the lock service and waits for the answer.
        AsksService,
    }
}

choices! {
    /// Whether a worker starts another piece of work after the first.
    #[derive(Copy)]
    pub enum Repeat = Off {
        /// One piece of work, then it is done.
        Off,
        /// The next piece begins after this rest: under the same grant if the worker still believes
        /// in it, otherwise with a new acquire.
        After(SimDuration),
    }
}

choices! {
    /// How a client waits for a lock that is taken.
    #[derive(Copy)]
    pub enum Wait = Queue {
        /// In the service's queue, until it is told.
        Queue,
        /// It asks again.
        Poll {
            /// At least this long after the refusal is handled.
            every: SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION;
            /// And at most this much longer, at random. Default 0.
            jitter: SimDuration = SimDuration::ZERO;
        },
    }
}

choices! {
    /// By what name the service knows a client.
    #[derive(Copy)]
    pub enum Identity = Unique {
        /// By its grant: a new acquisition is a new owner.
        Unique,
        /// By a name that others bear too (a host name, a process number used again).
        Shared,
    }
}

choices! {
    /// What the service answers when code that holds the lock takes it once more inside.
    #[derive(Copy)]
    pub enum Reenters = Off {
        /// No code does.
        Off,
        /// The token that it has.
        SameToken,
        /// A new one (Redisson's `RFencedLock`).
        NewToken,
    }
}

choices! {
    /// What a worker does when its release is refused.
    #[derive(Copy)]
    pub enum RefusedRelease = GoesOn {
        /// Goes on: the lock is not its own any more, which is what it wanted.
        GoesOn,
        /// Sends it again after this long, until it is accepted.
        SentAgain(SimDuration, in limits::MIN_INTERVAL, limits::MAX_DURATION),
    }
}

choices! {
    /// What a worker does whose write a compare-and-set refused.
    #[derive(Copy)]
    pub enum OnConflict = GivesUp {
        /// It takes the lock for lost and gives its piece of work up.
        GivesUp,
        /// It reads again, does its work again and writes again, as often as it may retry.
        Retries,
    }
}

choices! {
    /// What is one unit, which must be there as a whole or not at all.
    #[derive(Copy)]
    pub enum Whole = Step {
        /// One step: its reads, its act and its writes to all stores.
        Step,
        /// A whole piece of work, with all its steps.
        Piece,
    }
}

choices! {
    /// Which tokens a store refuses once it has seen `highest`; `docs/model.md`, “The fence”.
    #[derive(Copy)]
    pub enum FenceRule = RejectLower {
        /// Refuses a token lower than the highest seen (Chubby, Raft, HDFS).
        RejectLower,
        /// Refuses a token lower than or equal to the highest seen (the SQL conditional update).
        RejectLowerOrEqual,
        /// Refuses every token but the current one (etcd inside one transaction).
        MustMatch,
        /// Compares no token: refuses a write that was not built on the value's present version
        /// (compare-and-set).
        DataVersion,
        /// Compares no token: refuses a write after the time that its sender gave it, by the
        /// store's own clock.
        TimeFence,
        /// The value lies in the lock service itself: a write is applied in one transaction that
        /// compares its token with that of the lock's present holder (etcd's `If`, `Then`).
        SameTransaction,
        /// Compares nothing itself: it asks the lock service whether the token is that of the
        /// lock's holder, and applies the write when the answer says so (Chubby's
        /// `CheckSequencer`).
        AsksService,
    }
}

choices! {
    /// Where tokens come from.
    #[derive(Copy)]
    pub enum TokenSource = Counter {
        /// A counter that grows by one with every grant.
        Counter,
        /// A revision that the whole store shares: it grows with every grant, with gaps.
        Revision,
        /// A revision fixed when the client asked, so that the order is that of asking.
        RevisionAtEnqueue,
        /// A counter of 32 bits that wraps to a negative number after 2147483647.
        Sequence32,
        /// An id without any order, such as etcd's lease id.
        LeaseId,
        /// The same number for every grant.
        Constant,
        /// A revision as it was when the client's session was made: it can repeat, and be older
        /// than that of an earlier grant.
        RevisionOfSession,
        /// A number whose upper 32 bits grow with every leader, and whose lower ones count under
        /// it.
        EpochAndCounter,
    }
}

choices! {
    /// Who of those that wait is granted a lock that has come free.
    #[derive(Copy)]
    pub enum HandOff = InOrder {
        /// Whoever has waited longest.
        InOrder,
        /// Anybody, at random.
        Random,
    }
}

choices! {
    /// Who judges that a lease is over.
    #[derive(Copy)]
    pub enum ExpiryJudge = Service {
        /// The service, by its own clock.
        Service,
        /// Whoever asks, by its own wall clock, against a time that the holder wrote by its own.
        HoldersTimestamp,
        /// Whoever asks, by its own monotonic clock, once it has seen the lock's record unchanged
        /// for a whole time to live (client-go, the DynamoDB lock client).
        Observers,
    }
}

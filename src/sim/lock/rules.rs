//! What a lock system does with a lease, told in one set of rules: each system makes its own from
//! the scenario's settings, keeping those that it has and fixing those that it does not leave to
//! anybody. Who runs or judges a lease reads the rules, never the settings.

use super::info;
use crate::sim::clock::ClockKind;
use crate::sim::form::choices;
use crate::sim::id::FencingToken;
use crate::sim::scenario::{
    ClientSettings, Ends, ExpiryJudge, Fixed, HandOff, Identity, Late, LeaseCap, LeaseSpec, Ratio,
    Reenters, ScenarioSpec, SettleAt, SettleCheck, SettleRefusal, TokenSource, Wait,
};
use crate::sim::time::{LocalTime, SimDuration};

/// What a token of a system is worth to a storage that compares it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenWorth {
    /// It grows with every grant, as far as the source keeps its word.
    Ordered,
    /// A number without order: comparing it says nothing about who came later.
    Unordered,
    /// The system hands out nothing that a storage could compare.
    Nothing,
}

/// What a system makes of the time to live that a client asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TtlRule {
    /// Shorter ones become this.
    pub least: SimDuration,
    /// Longer ones become this; `None`: as long as asked for.
    pub most: Option<SimDuration>,
    /// It is a whole number of these, rounded up.
    pub unit: SimDuration,
}

impl TtlRule {
    /// As asked for.
    pub const AS_ASKED: Self =
        Self { least: SimDuration::ZERO, most: None, unit: SimDuration::from_micros(1) };

    /// What a client gets that asks for `asked`.
    pub fn grants(self, asked: SimDuration) -> SimDuration {
        let long_enough = asked.rounded_up_to(self.unit).max(self.least);
        self.most.map_or(long_enough, |most| long_enough.min(most))
    }
}

/// How late a system is in ending a lease whose time is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lateness {
    /// Not at all.
    OnTime,
    /// It looks from time to time, on its own clock, and what it finds must then go through a
    /// majority. Meanwhile renewals are refused and the lease still stands.
    Scans {
        /// How often it looks.
        every: SimDuration,
        /// How long the end of a lease takes to be agreed on.
        commit: SimDuration,
    },
    /// Sessions end in buckets: at the next multiple of this *after* their time, and can be renewed
    /// until then.
    Buckets(SimDuration),
    /// It waits for another whole time to live, and renewals are taken until then.
    Twice,
    /// Its leader finds that the time is over, and the lease stands until a majority has it that it
    /// is to end.
    Agreed {
        /// How long that takes where nothing is wrong.
        commit: SimDuration,
    },
    /// As the scenario says, and not on time: the lease is over and stands until somebody acts on
    /// its end. Meanwhile what its holder asks is taken, or refused.
    Acts {
        /// When somebody does.
        ends: Ends,
        /// What its holder is told meanwhile.
        late: Late,
    },
}

/// When a client's library renews.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Schedule {
    /// At an interval, as the client's settings say.
    Interval,
    /// At two marks of the lease, each counted from when the request was sent that gave it. An
    /// unanswered renewal is tried again when half of what is left until the second mark has
    /// passed, then half of what is left of the lease.
    Marks {
        /// The first mark, as a share of the lease.
        t1: Ratio,
        /// The second one.
        t2: Ratio,
        /// The least that it waits before it tries again; it never waits past the second mark.
        least: SimDuration,
    },
    /// At once when it has the lock, and then so long after each answer. A renewal that fails, even
    /// one that is refused, is tried again until the client's own deadline.
    Retries {
        /// How long after an answer, or after a try that failed.
        every: SimDuration,
        /// How long it waits for an answer before that counts as failed.
        timeout: SimDuration,
        /// How long it tries before it gives the lock up.
        deadline: SimDuration,
    },
}

/// By what the stores check a write, where the resource does not say otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoreCheck {
    /// As their settings say.
    AsSet,
    /// By the leader epoch that the service told them last: a lower one is refused, a higher one is
    /// not known yet.
    LeaderEpoch,
    /// By the highest producer epoch that they have seen of the same producer id, and by the number
    /// of the write under it.
    ProducerEpoch {
        /// Whether the word that a transaction is over must carry a higher epoch than its writes.
        strict_markers: bool,
    },
}

choices! {
    /// By what waiters' nodes are ordered.
    #[derive(Copy)]
    pub enum NameOrder = Number {
        /// By their numbers.
        Number,
        /// By their names, as text: right until the number wraps.
        Text,
    }
}

/// Where waiters have nodes whose names order them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeRules {
    /// The first number.
    pub first: FencingToken,
    /// By what they are ordered.
    pub order: NameOrder,
    /// Whether the number is the token, too.
    pub token_is_name: bool,
    /// Whether a client that asks again finds the node that it has.
    pub finds_own: bool,
    /// Whether others make nodes under the same parent.
    pub others_create: bool,
    /// Whether the number after the last is again the last, and not the least.
    pub stands_still: bool,
}

/// What begins anew when the lock's own node was removed and is made again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Anew {
    /// The numbers in names, at 0.
    NamesRestart,
    /// The tokens.
    TokensRestart,
    /// The lower half of the tokens, under a higher upper half.
    NextInstance,
}

/// What a system makes of a client that takes the lock a second time while it holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reentry {
    /// Its clients never do.
    Never,
    /// It is told its own grant: the token is the lock's, or the session's.
    KeepsToken,
    /// As the client asks: the token comes from a counter of its own.
    AsAsked,
}

impl Reentry {
    /// What a client gets that asks for `asked`.
    pub fn answers(self, asked: Reenters) -> Reenters {
        match (self, asked) {
            (_, Reenters::Off) | (Self::Never, _) => Reenters::Off,
            (Self::KeepsToken, _) => Reenters::SameToken,
            (Self::AsAsked, asked) => asked,
        }
    }
}

/// How an item of a queue is settled that the lock stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ItemRules {
    /// When a worker settles its delivery.
    pub settle_at: SettleAt,
    /// Whose settling is taken.
    pub check: SettleCheck,
    /// What is told where it is not.
    pub refusal: SettleRefusal,
    /// After how many deliveries it is dead; `None`: never.
    pub max_deliveries: Option<u32>,
}

/// The rules that a lock system follows in one scenario.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Whether its locks have a time to live.
    pub has_ttl: bool,
    /// What it makes of the one that is asked for.
    pub ttl: TtlRule,
    /// How late it ends a lease.
    pub lateness: Lateness,
    /// Whether a change of its leader, or a restart that loses nothing, gives every lease its whole
    /// time again; how much more than that.
    pub refreshes_by: Option<SimDuration>,
    /// What its tokens are worth.
    pub worth: TokenWorth,
    /// Where they come from.
    pub token_source: TokenSource,
    /// The first one.
    pub first_token: FencingToken,
    /// Whether release and renewal are refused to all but the holder.
    pub owner_check: bool,
    /// After a holder failed, how long nobody is granted.
    pub lock_delay: SimDuration,
    /// How much later than the time to live it ends a lease.
    pub grace: SimDuration,
    /// How long after its grant a lease may be renewed.
    pub cap: LeaseCap,
    /// How long after its grant a lock that was given back is free, at the soonest.
    pub min_hold: SimDuration,
    /// Who judges that a lease is over.
    pub expiry: ExpiryJudge,
    /// Which of its clocks it judges by.
    pub clock: ClockKind,
    /// Whether the lease ends with the client's connection.
    pub connection_bound: bool,
    /// Whether the time to live is set in a second request.
    pub two_steps: bool,
    /// Whether a waiter's own session is looked at before it is granted.
    pub waiter_check: bool,
    /// Whether it keeps a queue. Without one everybody asks again, whatever the client's wait says.
    pub has_queue: bool,
    /// Whether a holder that asks again is told its own grant; otherwise it is refused like anybody
    /// else until that is over.
    pub knows_its_holder: bool,
    /// Whether who asks takes the lock whatever stands there, because it has looked before.
    pub overwrites: bool,
    /// How long a connection that holds the lock may say nothing before the service cuts it.
    pub cuts_idle_after: Option<SimDuration>,
    /// Whether the loss of the holder's connection undoes the step of the counter as well.
    pub rolls_back: bool,
    /// Whether its last node is a copy of the first that lags behind and takes its place in a
    /// failover, with what it has by then.
    pub has_standby: bool,
    /// How long two tries to get the lock may take beyond a message to and fro, where a client asks
    /// several nodes and some do not answer: one that fails as the lock comes free, and the next.
    pub asking: SimDuration,
    /// Who of those that wait is granted next.
    pub hand_off: HandOff,
    /// Number of its nodes.
    pub n_nodes: u8,
    /// Whether each client runs in one process with the node of its number: they stand still, die
    /// and start again together, and no message between them takes time.
    pub is_colocated: bool,
    /// Whether a value can lie in the service itself and be written in one transaction with a look
    /// at the lock.
    pub holds_values: bool,
    /// Whether it tells a store whether a token is that of the lock's holder.
    pub answers_stores: bool,
    /// How often a snapshot is taken that a restart can go back to; `None`: never, and the only one
    /// is the empty store of the beginning.
    pub snapshot_every: Option<SimDuration>,
    /// How many tokens are skipped when a snapshot is restored.
    pub restore_skips: i64,
    /// Whether others draw numbers from the same source in between.
    pub others_write: bool,
    /// Whether they do so where the numbers are revisions of a store.
    pub others_revise: bool,
    /// Whether the end of a lease, or of a place in the queue, takes a number as well: a key is
    /// deleted.
    pub ends_take_numbers: bool,
    /// Whether a new leader raises the upper half of tokens that have one.
    pub leader_raises_epoch: bool,
    /// The names of waiters' nodes, where they have some.
    pub nodes: Option<NodeRules>,
    /// The lock's own node is removed at the next multiple of this when nobody is there.
    pub removed_when_empty: Option<SimDuration>,
    /// What then begins anew.
    pub anew: Anew,
    /// Whether the tokens begin anew when a holder failed.
    pub failure_removes: bool,
    /// Whether clients are told when the service goes away.
    pub closes_connections: bool,
    /// How long a client whose own deadline has passed waits to hear of the service before it gives
    /// its session up; meanwhile it does nothing. `None`: it gives up at once.
    pub client_grace: Option<SimDuration>,
    /// When a client's library renews.
    pub schedule: Schedule,
    /// What it makes of a holder that takes the lock again.
    pub reentry: Reentry,
    /// By what the stores check a write.
    pub store_check: StoreCheck,
    /// How long after a store did not know its epoch a client writes again.
    pub write_again_after: SimDuration,
    /// How the item is settled that it stands for; `None`: it stands for no item.
    pub item: Option<ItemRules>,
}

impl Rules {
    /// Those of a lease server that leaves every setting to the scenario.
    pub(super) fn of_lease_server(spec: &ScenarioSpec) -> Self {
        let LeaseSpec { ttl: _, first_token, token_source, owner_check, .. } = spec.lease;
        let LeaseSpec { lock_delay, grace, expiry, clock, .. } = spec.lease;
        let LeaseSpec { connection_bound, two_steps, waiter_check, hand_off, .. } = spec.lease;
        let worth = match token_source {
            // Fixed in the order of asking, and granted in another one.
            TokenSource::RevisionAtEnqueue if hand_off == HandOff::Random => TokenWorth::Unordered,
            TokenSource::Counter
            | TokenSource::Revision
            | TokenSource::RevisionAtEnqueue
            | TokenSource::Sequence32
            | TokenSource::EpochAndCounter => TokenWorth::Ordered,
            TokenSource::LeaseId | TokenSource::Constant | TokenSource::RevisionOfSession => {
                TokenWorth::Unordered
            }
        };
        let fixes = |setting| info(spec.lock).fixes.contains(&setting);
        Self {
            has_ttl: true,
            ttl: TtlRule::AS_ASKED,
            lateness: Lateness::OnTime,
            refreshes_by: None,
            worth,
            token_source,
            first_token,
            owner_check,
            lock_delay,
            grace,
            cap: if fixes(Fixed::Cap) || expiry != ExpiryJudge::Service {
                LeaseCap::Off
            } else {
                spec.lease.cap
            },
            min_hold: if fixes(Fixed::MinHold) { SimDuration::ZERO } else { spec.lease.min_hold },
            expiry,
            clock,
            connection_bound,
            two_steps,
            waiter_check,
            has_queue: true,
            knows_its_holder: true,
            overwrites: false,
            cuts_idle_after: None,
            rolls_back: false,
            has_standby: false,
            asking: SimDuration::ZERO,
            hand_off,
            n_nodes: 1,
            is_colocated: false,
            holds_values: true,
            answers_stores: true,
            snapshot_every: None,
            restore_skips: 0,
            others_write: false,
            others_revise: true,
            ends_take_numbers: false,
            leader_raises_epoch: true,
            nodes: None,
            removed_when_empty: None,
            anew: Anew::NamesRestart,
            failure_removes: false,
            closes_connections: false,
            client_grace: None,
            schedule: Schedule::Interval,
            reentry: Reentry::AsAsked,
            store_check: StoreCheck::AsSet,
            write_again_after: SimDuration::ZERO,
            item: None,
        }
    }

    /// Whether who waits like this is told at once that the lock is taken, and asks again.
    pub fn polls(&self, wait: Wait) -> bool {
        let no_queue = matches!(wait, Wait::Poll { .. }) || !self.has_queue;
        // The service watches no record: where askers judge there is no queue either.
        no_queue || self.expiry != ExpiryJudge::Service
    }

    /// Until when a lease of `ttl` can be renewed whose time is over at `until`.
    pub(super) fn renewable_until(&self, until: LocalTime, ttl: Option<SimDuration>) -> LocalTime {
        match self.lateness {
            Lateness::OnTime
            | Lateness::Scans { .. }
            | Lateness::Acts { late: Late::Refused, .. } => until,
            Lateness::Acts { late: Late::Accepted, .. } => NEVER,
            Lateness::Buckets(_) | Lateness::Twice | Lateness::Agreed { .. } => {
                self.stands_until(until, ttl)
            }
        }
    }

    /// When a lease of `ttl` is ended whose time is over at `until`.
    pub(super) fn stands_until(&self, until: LocalTime, ttl: Option<SimDuration>) -> LocalTime {
        match self.lateness {
            Lateness::OnTime => until,
            Lateness::Scans { every, commit } => until.rounded_up_to(every) + commit,
            Lateness::Buckets(tick) => (until + SimDuration::from_micros(1)).rounded_up_to(tick),
            Lateness::Twice => until + ttl.unwrap_or_default(),
            Lateness::Agreed { .. } => NEVER,
            Lateness::Acts { ends, .. } => {
                // Its last sign of life.
                let from = LocalTime::from_micros(
                    until.micros() - lasting(ttl.unwrap_or_default() + self.grace),
                );
                ends.acts_at(until, from).unwrap_or(NEVER)
            }
        }
    }

    /// When somebody acts on the end of a lease, if that is not when its time is over.
    pub fn acts(&self) -> Option<Ends> {
        let Lateness::Acts { ends, .. } = self.lateness else {
            return None;
        };
        Some(ends)
    }

    /// Whether a holder is refused whose lease is over and has not ended.
    pub fn refuses_late(&self) -> bool {
        matches!(self.lateness, Lateness::Acts { late: Late::Refused, .. })
    }

    /// The same where the lock stands for an item, if the scenario says so.
    pub(super) fn for_an_item_as_set(self, spec: &ScenarioSpec) -> Self {
        if !spec.lease.item {
            return self;
        }
        let LeaseSpec { settle_at, settle_check, settle_refusal, max_deliveries, .. } = spec.lease;
        let (check, refusal) = (settle_check, settle_refusal);
        let max_deliveries = Some(max_deliveries).filter(|most| *most > 0);
        let item = Some(ItemRules { settle_at, check, refusal, max_deliveries });
        // Who asks again asks for another delivery.
        Self { item, knows_its_holder: false, ..self }
    }

    /// The same where the end of a lease is acted on as the scenario says.
    pub(super) fn ending_as_set(self, spec: &ScenarioSpec) -> Self {
        let LeaseSpec { ends, late, .. } = spec.lease;
        if ends == Ends::OnTime || !self.has_ttl {
            return self;
        }
        let has_queue = self.has_queue && ends != Ends::WhenTaken;
        Self { lateness: Lateness::Acts { ends, late }, has_queue, ..self }
    }

    /// How much later than its time a lease of at most `longest` may end, at most.
    pub fn most_late(&self, longest: Option<SimDuration>) -> SimDuration {
        let late = match self.lateness {
            Lateness::OnTime => SimDuration::ZERO,
            Lateness::Scans { every, commit } => every + commit,
            Lateness::Buckets(tick) => tick,
            Lateness::Twice => longest.unwrap_or_default(),
            Lateness::Agreed { commit } => commit,
            Lateness::Acts { ends: Ends::AtSweep { every, .. }, .. } => every,
            Lateness::Acts { ends: Ends::SecondLook { every }, .. } => every.times(2),
            // Whoever asks ends it; how long nobody does is counted as a poll.
            Lateness::Acts { ends: Ends::OnTime | Ends::WhenTaken, .. } => SimDuration::ZERO,
        };
        late + self.grace
    }
}

/// An instant that no run reaches.
const NEVER: LocalTime = LocalTime::from_micros(i64::MAX);

/// A length as a difference between two readings of a clock.
fn lasting(length: SimDuration) -> i64 {
    i64::try_from(length.micros()).unwrap_or(i64::MAX)
}

impl Ends {
    /// When the end of a lease is acted on whose time is over at `until` and whose holder was last
    /// heard at `from`; `None`: not before somebody asks for it.
    pub(super) fn acts_at(self, until: LocalTime, from: LocalTime) -> Option<LocalTime> {
        match self {
            Self::OnTime => Some(until),
            Self::AtSweep { every, phase } => {
                let phase = LocalTime::from_micros(lasting(phase));
                // None before the first.
                let since = until.max(phase).micros() - phase.micros();
                let look = LocalTime::from_micros(since).rounded_up_to(every);
                Some(LocalTime::from_micros(look.micros() + phase.micros()))
            }
            Self::SecondLook { every } => {
                let marked = (from + SimDuration::from_micros(1)).rounded_up_to(every);
                Some((marked + every).max(until.rounded_up_to(every)))
            }
            Self::WhenTaken => None,
        }
    }
}

/// What a client has of a library that leaves it no choice: whether a session, how it waits, and a
/// name of its own.
pub(super) fn by_library(settings: &mut ClientSettings, session: bool, wait: Wait) {
    settings.session = session;
    settings.wait = wait;
    settings.identity = Identity::Unique;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ttl_is_rounded_up_and_kept_within_bounds() {
        let secs = SimDuration::from_secs;
        let rule = TtlRule { least: secs(2), most: Some(secs(20)), unit: secs(1) };
        let asked = |millis| rule.grants(SimDuration::from_millis(millis));
        assert_eq!(asked(100), secs(2));
        assert_eq!(asked(2_001), secs(3));
        assert_eq!(asked(3_000), secs(3));
        assert_eq!(asked(100_000), secs(20));
        assert_eq!(TtlRule::AS_ASKED.grants(secs(7)), secs(7));
    }

    #[test]
    fn a_bucket_ends_after_the_time_and_a_scan_at_or_after_it() {
        let at = |millis: i64| LocalTime::from_micros(millis * 1_000);
        let tick = SimDuration::from_millis(500);
        assert_eq!(at(1_000).rounded_up_to(tick), at(1_000));
        assert_eq!(at(1_001).rounded_up_to(tick), at(1_500));
        assert_eq!((at(1_000) + SimDuration::from_micros(1)).rounded_up_to(tick), at(1_500));
    }

    #[test]
    fn a_sweep_ends_at_its_first_look_and_a_second_look_marks_first() {
        let at = |secs: i64| LocalTime::from_micros(secs * 1_000_000);
        let secs = SimDuration::from_secs;
        let sweep = Ends::AtSweep { every: secs(10), phase: secs(3) };
        for (until, ends) in [(1, 3), (3, 3), (4, 13), (13, 13), (14, 23)] {
            assert_eq!(sweep.acts_at(at(until), at(0)), Some(at(ends)), "over at {until} s");
        }
        let second = Ends::SecondLook { every: secs(10) };
        // Heard at 1 s or right at a look: marked at the next one, over or not.
        for (from, until, ends) in [(1, 4, 20), (1, 15, 20), (1, 31, 40), (10, 15, 30)] {
            assert_eq!(second.acts_at(at(until), at(from)), Some(at(ends)), "{from} to {until} s");
        }
        assert_eq!(Ends::WhenTaken.acts_at(at(1), at(0)), None);
    }
}

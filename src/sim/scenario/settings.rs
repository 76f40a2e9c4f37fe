//! The settings of runs, leases, clients and stores: one row each, from which everything follows
//! that only repeats it (`declare.rs`). What a setting does is decided in `sim::client`,
//! `sim::lock` and `sim::storage`; how a control shows it, in `view_model`.
//!
//! Neutral is the value with which a setting causes nothing: the documented one of a renewal or a
//! token, “off” of what can be off. A quantity (a length, a count) has none, unless its zero takes
//! the thing itself away (no retry, check and write in one step); nor has what describes the work
//! or what is protected. That the fence is absent, everywhere or at some stores, is a cause of its
//! own (`explore::causes`).

use super::choice::{
    Check, Deadline, ExpiryJudge, FenceRule, HandOff, Identity, LeaseCap, OnConflict, OnLoss,
    Operation, Piece, Progress, Ratio, Reenters, RefusedRelease, Renew, RenewCap, RenewFailure,
    RenewedBy, Repeat, TokenSource, Wait, Whole, WorkKind,
};
use super::declare::{all_in, get_in, rows, set_in, settings};
use super::fault::Fault;
use super::quantity::{Dragged, fault_kind};
use super::resource::Resource;
use super::settling::{Ends, Late, SettleAt, SettleCheck, SettleRefusal};
use super::spec::{Length, LockSystem};
use super::unchecked::Unchecked;
use crate::sim::clock::ClockKind;
use crate::sim::form::{End, choices, fields};
use crate::sim::id::{ClientId, FaultId, FencingToken, StoreId};
use crate::sim::limits;
use crate::sim::lock::SystemSettings;
use crate::sim::time::{SimDuration, SimTime};

settings! {
    clients {
        /// When its renewer renews. Default: a third of the time to live.
        renew: Renew = Renew::Share(Ratio::THIRD)
            => Renew, drag Renew, fix Renew, neutral Renew::Share(Ratio::THIRD);
        /// What its renewer does when that fails. Default: tries again.
        renew_failure: RenewFailure = RenewFailure::TriesAgain
            => RenewFailure, neutral RenewFailure::TriesAgain;
        /// How long after its grant it renews at all. Default: without end.
        renew_cap: RenewCap = RenewCap::Off, unless RenewCap::Off
            => RenewCap, drag RenewCap, neutral RenewCap::Off;
        /// Who renews. Default: a renewer of its own.
        renewed_by: RenewedBy = RenewedBy::Renewer, unless RenewedBy::Renewer
            => RenewedBy, neutral RenewedBy::Renewer;
        /// Whether its renewer goes on while its worker takes no step. Default: it does.
        progress: Progress = Progress::Off, unless Progress::Off
            => Progress, neutral Progress::Off;
        /// Its own deadline. Default: none.
        deadline: Deadline = Deadline::Off => Deadline, fix Deadline, neutral Deadline::Off;
        /// How much earlier than computed the deadline lies. Default 0.
        deadline_margin: SimDuration = SimDuration::ZERO => DeadlineMargin, drag DeadlineMargin;
        /// The largest error of any clock's rate that the deadline allows for, in parts per
        /// million.
        deadline_rate_error_ppm: u32 = 0, in 0, limits::MAX_RATE_ERROR_PPM => DeadlineRateError;
        /// What its worker does once the client knows that the lock is lost. Default: goes on.
        on_loss: OnLoss = OnLoss::GoesOn => OnLoss, neutral OnLoss::GoesOn;
        /// What its writes do. Default: overwrite.
        operation: Operation = Operation::Overwrite => Operation, fix Operation;
        /// Whose work it does. Default: its own.
        piece: Piece = Piece::Own => Piece;
        /// How long a piece of work takes before each write. Default 2 s.
        work: SimDuration = SimDuration::from_secs(2) => Work, drag Work;
        /// How long the lease runs before the work begins: a message that was fetched ahead waits
        /// in a buffer, a task is due later. Default 0.
        starts_after: SimDuration = SimDuration::ZERO, unless SimDuration::ZERO
            => StartsAfter, drag StartsAfter, neutral SimDuration::ZERO;
        /// Whether its renewer renews while the work has not begun. Default yes.
        renews_waiting: bool = true, unless true => RenewsWaiting, neutral true;
        /// How the work passes its time. Default: waiting.
        work_kind: WorkKind = WorkKind::Waiting => WorkKind;
        /// What must be there as a whole or not at all. Default: each step.
        whole: Whole = Whole::Step => Whole;
        /// Writes made under one grant for one piece of work, each after its own work. Default 1.
        writes_per_grant: u32 = 1, in 1, limits::MAX_WRITES_PER_GRANT => WritesPerGrant;
        /// The check right before each write. Default: none.
        check: Check = Check::Off => Check, neutral Check::Off;
        /// Whether it asks for the current token before each write and sends that instead of its
        /// own.
        rereads_token: bool = false => RereadsToken, neutral false;
        /// Whether the lease is released when the piece of work is done. Default: no, the worker
        /// stays on as idle holder.
        release: bool = false => Release;
        /// Whether another piece of work follows. Default: no.
        repeat: Repeat = Repeat::Off => Repeat;
        /// How it waits for the lock. Default: in the queue.
        wait: Wait = Wait::Queue => Wait, fix Wait, neutral Wait::Queue;
        /// Whether it has a session of its own from when it asks, which it must renew while it
        /// waits.
        session: bool = false => Session, fix Session, neutral false;
        /// By what name the service knows it. Default: by its grant.
        identity: Identity = Identity::Unique => Identity, fix Identity, neutral Identity::Unique;
        /// What it does when a compare-and-set refuses its write. Default: gives up.
        on_conflict: OnConflict = OnConflict::GivesUp => OnConflict, neutral OnConflict::GivesUp;
        /// How often it tries again, where no answer comes in time or a compare-and-set refuses its
        /// write, before it gives the piece of work up. Default 0.
        retries: u32 = 0, in 0, limits::MAX_RETRIES => Retries, neutral 0;
        /// Whether its code takes the lock a second time inside, and what it is then told. Default:
        /// it does not.
        reenters: Reenters = Reenters::Off => Reenters, neutral Reenters::Off;
        /// What its worker does when its release is refused. Default: goes on.
        refused_release: RefusedRelease = RefusedRelease::GoesOn
            => RefusedRelease, neutral RefusedRelease::GoesOn;
    }
    // A client cannot override “none” with a value and back in one field, so these are given for
    // all clients alone.
    clients_alike {
        /// Releases this long after a piece of work began, whether it is done or not.
        release_early: Option<SimDuration> = None => ReleaseEarly, neutral None;
        /// How long its worker waits for an answer. Default: without end.
        timeout: Option<SimDuration> = None, in limits::MIN_INTERVAL, limits::MAX_DURATION
            => Timeout, neutral None;
    }
    lease {
        /// Time to live, 1 ms to 24 h. Default 10 s. A plain lock ignores it.
        ttl: SimDuration = SimDuration::from_secs(10), in limits::MIN_TTL, limits::MAX_DURATION
            => Ttl, drag Ttl;
        /// The first token handed out. Default 33, as in the example that everybody quotes.
        first_token: FencingToken = FencingToken(33) => FirstToken;
        /// Where tokens come from. Default: a counter.
        token_source: TokenSource = TokenSource::Counter
            => TokenSource, fix TokenSource, neutral TokenSource::Counter;
        /// Whether release and renew are refused to all but the holder. Default on.
        owner_check: bool = true => OwnerCheck, fix OwnerCheck, neutral true;
        /// After a holder failed, how long nobody is granted. Default 0; never after a clean
        /// release.
        lock_delay: SimDuration = SimDuration::ZERO => LockDelay, drag LockDelay, fix LockDelay;
        /// How much later than the time to live the service ends a lease. Default 0.
        grace: SimDuration = SimDuration::ZERO => Grace, drag Grace, fix Grace;
        /// How long after its grant a lease may be renewed. Default: without end.
        cap: LeaseCap = LeaseCap::Off, unless LeaseCap::Off => Cap, fix Cap, neutral LeaseCap::Off;
        /// How long a lock stays taken after its grant, even if it is given back sooner (ShedLock's
        /// `lockAtLeastFor`). Default 0.
        min_hold: SimDuration = SimDuration::ZERO, unless SimDuration::ZERO
            => MinHold, drag MinHold, fix MinHold, neutral SimDuration::ZERO;
        /// Who judges that a lease is over. Default: the service.
        expiry: ExpiryJudge = ExpiryJudge::Service
            => Expiry, fix Expiry, neutral ExpiryJudge::Service;
        /// Which of the service's clocks it judges by. Default: monotonic.
        clock: ClockKind = ClockKind::Monotonic
            => ServiceClock, fix Clock, neutral ClockKind::Monotonic;
        /// Whether the lock stands for one item of a queue: a grant is a delivery of it, and a
        /// release settles it. Default: no.
        item: bool = false, unless false => Item, fix Item;
        /// When a worker settles its delivery of an item. Default: when its work is done.
        settle_at: SettleAt = SettleAt::End, unless SettleAt::End
            => SettleAt, neutral SettleAt::End;
        /// Whose settling of an item is taken. Default: the newest delivery's.
        settle_check: SettleCheck = SettleCheck::Handle, unless SettleCheck::Handle
            => SettleCheck, neutral SettleCheck::Handle;
        /// What a worker is told whose settling is not taken. Default: that.
        settle_refusal: SettleRefusal = SettleRefusal::Told, unless SettleRefusal::Told
            => SettleRefusal, neutral SettleRefusal::Told;
        /// After how many deliveries an item is dead. Default 0: never.
        max_deliveries: u32 = 0, in 0, limits::MAX_DELIVERIES, unless 0
            => MaxDeliveries, neutral 0;
        /// When the service acts on the end of a lease whose time is over. Default: at once.
        ends: Ends = Ends::OnTime, unless Ends::OnTime => Ends, fix Ends, neutral Ends::OnTime;
        /// What a holder is told whose lease is over and has not ended. Default: it is taken.
        late: Late = Late::Accepted, unless Late::Accepted
            => Late, fix Late, neutral Late::Accepted;
        /// Whether the lease lives with the client's connection and ends when that is lost.
        connection_bound: bool = false => ConnectionBound, fix ConnectionBound, neutral false;
        /// Whether a client takes the lock first and sets its time to live in a second request.
        two_steps: bool = false => TwoSteps, fix TwoSteps, neutral false;
        /// Whether a waiter's own session is looked at before it is granted. Default yes.
        waiter_check: bool = true => WaiterCheck, fix WaiterCheck, neutral true;
        /// Who of those that wait is granted next. Default: in order.
        hand_off: HandOff = HandOff::InOrder => HandOff, fix HandOff, neutral HandOff::InOrder;
    }
    storage {
        /// Whether tokens are checked. Off: they are recorded, not checked.
        fencing: bool = true => Fencing, fix Fencing;
        /// Which tokens are refused.
        rule: FenceRule = FenceRule::RejectLower => Rule, fix Rule;
        /// Whether a new holder raises the fence at every store before it reads or writes.
        seal: bool = false => Seal, fix Seal, neutral false;
        /// Number of stores, 1 to 4. Every write goes to each of them in turn.
        stores: u8 = 1, in 1, limits::MAX_STORES => Stores;
        /// Which of them cannot check: how many, the last ones, or a list. Default: none.
        unchecked_stores: Unchecked = Unchecked::NONE => UncheckedStores, fix UncheckedStores;
        /// Whether a write is known by its piece of work and step, so that a second one is ignored.
        idempotent: bool = false => Idempotent, neutral false;
        /// How long after the check a write is applied. Default 0: in one atomic step.
        check_gap: SimDuration = SimDuration::ZERO
            => CheckGap, drag CheckGap, fix CheckGap, neutral SimDuration::ZERO;
        /// Whether the highest token survives a store's restart. Default yes.
        durable: bool = true => Durable, fix Durable, neutral true;
        /// What is protected: it settles some of these settings. Default: a generic store.
        resource: Resource = Resource::Generic => Resource;
        /// Of a SQL row: whether it is not there, so that every statement changes no row.
        missing_row: bool = false => MissingRow, neutral false;
    }
    run {
        /// Key of all random numbers. Default 1.
        seed: u32 = 1 => Seed;
        /// How long the run lasts. Default: automatic.
        length: Length = Length::Auto => Length;
        /// One-way travel time of every message. Default 100 ms.
        latency: SimDuration = SimDuration::from_millis(100) => Latency, drag Latency;
    }
    changes {
        /// Another lock system; the lease's settings and the faults stay, the product's name goes.
        Lock(LockSystem),
        /// The name of the product whose settings these are; none: nobody's.
        Product(Option<String>, in 1, limits::MAX_PRODUCT_CHARS),
        /// The settings that only one lock system has.
        Systems(SystemSettings),
        /// One client's own time to live; none: the scenario's.
        ClientTtl {
            /// Who.
            client: ClientId;
            /// How long.
            ttl: Option<SimDuration> = None, in limits::MIN_TTL, limits::MAX_DURATION;
        },
        /// When one client's session is made; none: when it asks.
        SessionAt {
            /// Who.
            client: ClientId;
            /// When.
            at: Option<SimTime> = None;
        },
        /// When a client first asks.
        AsksAt {
            /// Who.
            client: ClientId;
            /// When.
            at: SimTime;
        },
        /// One client more, after the last.
        AddClient(ClientSpec),
        /// The last client leaves, and its faults with it.
        RemoveLastClient,
        /// One fault more. Its id must be new.
        AddFault(Fault),
        /// A fault with the same id takes its place.
        ReplaceFault(Fault),
        /// A fault leaves.
        RemoveFault(FaultId),
        /// A fault is switched on or off.
        EnableFault {
            /// Which.
            id: FaultId;
            /// On or off.
            enabled: bool;
        },
        /// A fault begins at another time; a pause at a named step becomes one at a time.
        FaultStart {
            /// Which.
            id: FaultId;
            /// When.
            at: SimTime;
        },
        /// A fault lasts another time.
        FaultLength {
            /// Which.
            id: FaultId;
            /// How long.
            length: SimDuration;
        },
    }
}

impl ClientSpec {
    /// A client that follows the defaults.
    pub fn asking_at(asks_at: SimTime) -> Self {
        Self { asks_at, ..Self::default() }
    }
}

impl StorageSettings {
    /// Whether this store checks what arrives.
    pub fn checks(&self, store: StoreId) -> bool {
        self.fencing && !self.unchecked_stores.has(store, self.stores)
    }

    /// Whether an accepted write leaves its own token as the fence, even a lower one: it was
    /// checked before, in a step of its own.
    pub fn overwrites_fence(&self) -> bool {
        self.fencing && !self.check_gap.is_zero()
    }
}

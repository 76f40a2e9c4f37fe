//! The controls of what clients do: their work, their renewals and deadlines, how they wait.

use crate::sim::id::ClientId;
use crate::sim::limits;
use crate::sim::lock::Fixed;
use crate::sim::scenario::{
    Change, Check, Deadline, HandOff, Identity, OnConflict, OnLoss, Operation, Piece, Progress,
    Quantity, Reenters, RefusedRelease, RenewCap, RenewFailure, RenewedBy, Repeat, ScenarioSpec,
    Wait, Whole, WorkKind,
};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::controls::amount::idle;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{self, choice};

use crate::view_model::controls::{Control, ToChange, to};

/// What a new delay, poll or time-out begins with.
const SECOND: SimDuration = SimDuration::from_secs(1);
/// What a new cap begins with: that of several queues.
const MINUTES: SimDuration = SimDuration::from_secs(300);
const ZERO: SimDuration = SimDuration::ZERO;

/// The work.
pub(super) fn work(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let defaults = &spec.defaults;
    let mut all: Vec<_> = Control::quantity(words, Quantity::Work, spec).into_iter().collect();
    all.extend(starts_after(words, spec));
    all.extend(what_work_is(spec));
    all.extend(how_it_writes(spec));
    all.extend(refused_release(spec));
    all.push(
        Control::optional(
            "Releases early, after",
            None,
            (defaults.release_early, "off"),
            ZERO,
            to!(ReleaseEarly, None),
        )
        .also("unlock before the end"),
    );
    all
}

/// How long the lease runs before the work begins.
fn starts_after(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let renews = spec.defaults.renews_waiting;
    let waits = Control::quantity(words, Quantity::StartsAfter, spec);
    let waits = waits.map(|it| {
        it.hinted("The lease runs meanwhile: fetched ahead, or due later")
            .also("prefetch, buffer, ETA, countdown")
    });
    let renewed = Control::switch(
        "Renewed while it waits",
        idle::renews_waiting(spec),
        renews,
        Change::RenewsWaiting(!renews),
    );
    waits.into_iter().chain([renewed]).collect()
}

/// What a worker does once the client knows that the lock is lost.
fn on_loss(spec: &ScenarioSpec) -> Vec<Control> {
    let defaults = &spec.defaults;
    let stops = match defaults.on_loss {
        OnLoss::StopsAfter(delay) => Some(delay),
        OnLoss::GoesOn | OnLoss::Dies => None,
    };
    let on_losses = [OnLoss::GoesOn, OnLoss::StopsAfter(stops.unwrap_or(SECOND)), OnLoss::Dies];
    let stops_after = stops.map(|delay| {
        let to = ToChange::new(Change::OnLoss(OnLoss::StopsAfter(delay)), |change, delay| {
            *change = Change::OnLoss(OnLoss::StopsAfter(delay));
        });
        Control::length("Stops after", None, delay, ZERO, to)
    });
    let mut all = vec![
        Control::choice(
            "When the lock is lost",
            None,
            defaults.on_loss,
            &on_losses,
            choice::on_loss,
            Change::OnLoss,
        )
        .also("the worker is told, cancelled, fail-fast"),
    ];
    all.extend(stops_after);
    all
}

/// Whose work it is, what of it counts as one, and what its writes rest on.
fn how_it_writes(spec: &ScenarioSpec) -> [Control; 6] {
    let defaults = &spec.defaults;
    [
        Control::choice(
            "Piece of work",
            None,
            defaults.piece,
            &[Piece::Own, Piece::Shared],
            choice::piece,
            Change::Piece,
        )
        .also("whose job, shared, twice"),
        Control::choice(
            "What must be whole",
            idle::whole(spec),
            defaults.whole,
            &[Whole::Step, Whole::Piece],
            choice::whole,
            Change::Whole,
        )
        .hinted("What is there in part, and never will be whole, is damage")
        .also("atomic, half written"),
        Control::switch(
            "Work is idempotent",
            None,
            spec.storage.idempotent,
            Change::Idempotent(!spec.storage.idempotent),
        )
        .hinted("A piece of work is known by its id, and done once")
        .also("a write that comes twice, deduplication"),
        Control::choice(
            "Looked at before a write",
            None,
            defaults.check,
            &[Check::Off, Check::OwnBelief, Check::AsksService],
            choice::check,
            Change::Check,
        )
        .also("check the lease, isHeld"),
        Control::switch(
            "Reads the token again",
            None,
            defaults.rereads_token,
            Change::RereadsToken(!defaults.rereads_token),
        )
        .hinted("It asks for the current token before each write, and sends that"),
        Control::choice(
            "Takes it twice",
            idle::reenters(spec),
            defaults.reenters,
            &[Reenters::Off, Reenters::SameToken, Reenters::NewToken],
            choice::reenters,
            Change::Reenters,
        )
        .hinted("Code inside takes the lock again that its caller holds")
        .also("reentrant, nested"),
    ]
}

/// How the work passes its time, what it writes and how often, and what comes after it.
fn what_work_is(spec: &ScenarioSpec) -> Vec<Control> {
    let defaults = &spec.defaults;
    let kinds = [WorkKind::Waiting, WorkKind::Computing];
    let operations = [Operation::Overwrite, Operation::ReadModifyWrite, Operation::ExternalEffect];
    let writes = ToChange::new(Change::WritesPerGrant(1), |change, count: i64| {
        *change = Change::WritesPerGrant(u32::try_from(count).unwrap_or(1));
    });
    let most_writes = i64::from(limits::MAX_WRITES_PER_GRANT);
    let rest = match defaults.repeat {
        Repeat::Off => None,
        Repeat::After(rest) => Some(rest),
    };
    let turned = if rest.is_some() { Repeat::Off } else { Repeat::After(SECOND) };
    let mut all = vec![
        Control::choice(
            "Work is",
            None,
            defaults.work_kind,
            &kinds,
            wording::work_kind,
            Change::WorkKind,
        )
        .hinted(match defaults.work_kind {
            WorkKind::Waiting => "It elapses during a pause",
            WorkKind::Computing => "A pause adds its own length",
        })
        .also("CPU, waiting, a pause adds to it"),
        Control::choice(
            "Operation",
            idle::fixed(spec, Fixed::Operation),
            defaults.operation,
            &operations,
            wording::operation,
            Change::Operation,
        )
        .also("a write, read-modify-write, side effect"),
        Control::count(
            "Writes per grant",
            None,
            i64::from(defaults.writes_per_grant),
            (1, most_writes),
            writes,
        ),
        Control::switch(
            "Release when done",
            None,
            defaults.release,
            Change::Release(!defaults.release),
        )
        .also("unlock, lets go"),
        Control::switch("Repeat", None, rest.is_some(), Change::Repeat(turned)).also("loop, again"),
    ];
    all.extend(rest.map(|rest| {
        let to = ToChange::new(Change::Repeat(Repeat::After(rest)), |change, rest| {
            *change = Change::Repeat(Repeat::After(rest));
        });
        Control::length("Rest between", None, rest, ZERO, to)
    }));
    all
}

/// What a worker does whose release is refused, and after how long.
fn refused_release(spec: &ScenarioSpec) -> Vec<Control> {
    let chosen = spec.defaults.refused_release;
    let idle = idle::refused_release(spec);
    let after = match chosen {
        RefusedRelease::SentAgain(after) => Some(after),
        RefusedRelease::GoesOn => None,
    };
    let again = RefusedRelease::SentAgain(after.unwrap_or(SECOND));
    let mut all = vec![Control::choice(
        "A refused release",
        idle,
        chosen,
        &[RefusedRelease::GoesOn, again],
        choice::refused_release,
        Change::RefusedRelease,
    )];
    all.extend(after.map(|after| {
        let to = ToChange::new(Change::RefusedRelease(again), |change, after| {
            *change = Change::RefusedRelease(RefusedRelease::SentAgain(after));
        });
        Control::length("Sends it again after", idle, after, limits::MIN_INTERVAL, to)
    }));
    all
}

/// Waiting.
pub(super) fn waiters(spec: &ScenarioSpec) -> Vec<Control> {
    let defaults = &spec.defaults;
    let (every, jitter) = match defaults.wait {
        Wait::Queue => (SECOND, ZERO),
        Wait::Poll { every, jitter } => (every, jitter),
    };
    let polls = Wait::Poll { every, jitter };
    let set_every = ToChange::new(Change::Wait(polls), |change, value| {
        if let Change::Wait(Wait::Poll { every, .. }) = change {
            *every = value;
        }
    });
    let set_jitter = ToChange::new(Change::Wait(polls), |change, value| {
        if let Change::Wait(Wait::Poll { jitter, .. }) = change {
            *jitter = value;
        }
    });
    let no_polls = idle::polls(spec);
    let mut all = vec![
        Control::choice(
            "A waiter waits",
            idle::wait(spec),
            defaults.wait,
            &[Wait::Queue, polls],
            choice::wait,
            Change::Wait,
        )
        .also("queue, poll, spin"),
        Control::choice(
            "Next is",
            idle::hand_off(spec),
            spec.lease.hand_off,
            &[HandOff::InOrder, HandOff::Random],
            choice::hand_off,
            Change::HandOff,
        )
        .hinted("Who is granted a lock that comes free")
        .also("fair, hand-off, order"),
        Control::length("Asks again every", no_polls, every, limits::MIN_INTERVAL, set_every)
            .also("poll, interval, backoff, retry"),
        Control::length("Jitter", no_polls, jitter, ZERO, set_jitter).also("poll, random, backoff"),
        Control::switch(
            "A waiter has a session",
            idle::session(spec),
            defaults.session,
            Change::Session(!defaults.session),
        )
        .hinted("Of its own, from when it asks: it must renew it while it waits")
        .also("keep-alive, heartbeat"),
        Control::switch(
            "A waiter's session is checked",
            idle::waiter_check(spec),
            spec.lease.waiter_check,
            Change::WaiterCheck(!spec.lease.waiter_check),
        )
        .hinted("Before it is granted"),
    ];
    all.extend(tries_again(spec));
    all.push(known_by(spec));
    all
}

/// By what the service knows a client.
fn known_by(spec: &ScenarioSpec) -> Control {
    Control::choice(
        "The service knows a client",
        idle::fixed(spec, Fixed::Identity),
        spec.defaults.identity,
        &[Identity::Unique, Identity::Shared],
        choice::identity,
        Change::Identity,
    )
    .also("known by, owner, identity, thread id")
}

/// Renewals, deadlines, and what comes of a lost lock.
pub(super) fn renewal(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let defaults = &spec.defaults;
    let rate = ToChange::new(Change::DeadlineRateError(0), |change, ppm: i64| {
        *change = Change::DeadlineRateError(u32::try_from(ppm).unwrap_or_default());
    });
    let renew = Control::quantity(words, Quantity::Renew, spec);
    let mut all: Vec<_> =
        renew.into_iter().map(|it| it.also("heartbeat, keep-alive, watchdog, extend")).collect();
    all.extend(what_bounds_renewal(words, spec));
    all.extend([
        renew_failure(spec).also("lost renewal, network error"),
        deadline(spec).also("stops believing, expiry"),
        Control::length(
            "Deadline margin",
            idle::deadline_part(spec),
            defaults.deadline_margin,
            ZERO,
            to!(DeadlineMargin, ZERO),
        )
        .also("safety, stops earlier by"),
        Control::count(
            "Clock error allowed (ppm)",
            idle::deadline_part(spec),
            i64::from(defaults.deadline_rate_error_ppm),
            (0, i64::from(limits::MAX_RATE_ERROR_PPM)),
            rate,
        )
        .hinted("The deadline comes so much earlier, for clocks that run at different rates")
        .also("drift, skew"),
    ]);
    all.extend(on_loss(spec));
    all
}

/// Who renews, for how long, and whether its worker must get on.
fn what_bounds_renewal(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let defaults = &spec.defaults;
    let idle = idle::renewal(spec);
    let cap = match defaults.renew_cap {
        RenewCap::Off => MINUTES,
        RenewCap::After(cap) => cap,
    };
    let caps = [RenewCap::Off, RenewCap::After(cap)];
    let is_capped = defaults.renew_cap != RenewCap::Off;
    let most = Control::quantity(words, Quantity::RenewCap, spec).filter(|_| is_capped);
    let by = [RenewedBy::Renewer, RenewedBy::Worker];
    let mut all = vec![
        Control::choice(
            "Renewed by",
            idle,
            defaults.renewed_by,
            &by,
            choice::renewed_by,
            Change::RenewedBy,
        )
        .also("touch, heartbeat call"),
        Control::choice(
            "It renews",
            idle,
            defaults.renew_cap,
            &caps,
            choice::renew_cap,
            Change::RenewCap,
        )
        .hinted("Then it stops and tells nobody")
        .also("MaxAutoLockRenewalDuration, MaxExtension, cap"),
    ];
    all.extend(most);
    all.extend(progress(spec));
    all
}

/// What a renewer does while its worker takes no step, and after how long.
fn progress(spec: &ScenarioSpec) -> Vec<Control> {
    let chosen = spec.defaults.progress;
    let idle = idle::progress(spec);
    let after = match chosen {
        Progress::Off => None,
        Progress::StopsAfter(after) | Progress::LeavesAfter(after) => Some(after),
    };
    let some = after.unwrap_or(MINUTES);
    let all = [Progress::Off, Progress::StopsAfter(some), Progress::LeavesAfter(some)];
    let mut all = vec![
        Control::choice(
            "A worker gets stuck",
            idle,
            chosen,
            &all,
            choice::progress,
            Change::Progress,
        )
        .hinted("Whether its renewer goes on while it takes no step")
        .also("max.poll.interval.ms, progress, health check"),
    ];
    all.extend(after.map(|after| {
        let to = ToChange::new(Change::Progress(chosen), |change, length| {
            if let Change::Progress(Progress::StopsAfter(it) | Progress::LeavesAfter(it)) = change {
                *it = length;
            }
        });
        Control::length("Stuck after", idle, after, limits::MIN_INTERVAL, to)
    }));
    all
}

/// What travels, and what chance has to do with it.
pub(super) fn messages(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let seed = ToChange::new(Change::Seed(0), |change, value: i64| {
        *change = Change::Seed(u32::try_from(value).unwrap_or_default());
    });
    let latency = Control::quantity(words, Quantity::Latency, spec);
    let mut all: Vec<_> =
        latency.into_iter().map(|it| it.also("network, delay, round trip")).collect();
    all.extend([
        Control::optional(
            "Waits for an answer",
            None,
            (spec.defaults.timeout, "without end"),
            limits::MIN_INTERVAL,
            to!(Timeout, None),
        )
        .also("request time-out"),
        Control::count("Seed", None, i64::from(spec.seed), (0, i64::from(u32::MAX)), seed)
            .hinted("Of everything that is left to chance: the same seed, the same run")
            .also("random, chance"),
    ]);
    all
}

/// Who there is.
pub(super) fn clients(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let mut all = vec![Control::clients(spec).also("another client, how many")];
    all.extend((0..spec.clients.len()).filter_map(|nth| asks_at(words, spec, nth)));
    all.extend((0..spec.clients.len()).filter_map(|index| own_ttl(words, spec, index)));
    all
}

/// What a worker does that is refused, and how often it tries again.
fn tries_again(spec: &ScenarioSpec) -> [Control; 2] {
    let defaults = &spec.defaults;
    let retries = ToChange::new(Change::Retries(0), |change, count: i64| {
        *change = Change::Retries(u32::try_from(count).unwrap_or_default());
    });
    [
        Control::choice(
            "A refused compare-and-set",
            idle::on_conflict(spec),
            defaults.on_conflict,
            &[OnConflict::GivesUp, OnConflict::Retries],
            choice::on_conflict,
            Change::OnConflict,
        )
        .also("conflict, optimistic"),
        Control::count(
            "Retries",
            idle::retries(spec),
            i64::from(defaults.retries),
            (0, i64::from(limits::MAX_RETRIES)),
            retries,
        )
        .also("tries, attempts, gives up"),
    ]
}

/// What a renewer does when a renewal fails, with a hint where that rests on a time-out.
fn renew_failure(spec: &ScenarioSpec) -> Control {
    let failures = [
        RenewFailure::TriesAgain,
        RenewFailure::TriesSooner,
        RenewFailure::GivesUp,
        RenewFailure::Reacquires,
    ];
    let defaults = &spec.defaults;
    let control = Control::choice(
        "When a renewal fails",
        idle::renewal(spec),
        defaults.renew_failure,
        &failures,
        choice::renew_failure,
        Change::RenewFailure,
    );
    match (defaults.renew_failure, defaults.timeout) {
        (RenewFailure::TriesSooner, None) => {
            control.hinted("Without a time-out it tries again at the next tick")
        }
        (
            RenewFailure::TriesAgain
            | RenewFailure::TriesSooner
            | RenewFailure::GivesUp
            | RenewFailure::Reacquires,
            _,
        ) => control,
    }
}

/// The client's own deadline, with a hint where it is counted from the wrong moment.
fn deadline(spec: &ScenarioSpec) -> Control {
    let defaults = &spec.defaults;
    let deadlines = [Deadline::Off, Deadline::FromSend, Deadline::FromReceipt];
    let deadline = Control::choice(
        "Local deadline",
        idle::without_ttl(spec).or(idle::fixed(spec, Fixed::Deadline)),
        defaults.deadline,
        &deadlines,
        choice::deadline,
        Change::Deadline,
    );
    match defaults.deadline {
        Deadline::FromReceipt => deadline.hinted("Too late by the answer's flight"),
        Deadline::Off | Deadline::FromSend => deadline,
    }
}

/// When a client first asks.
fn asks_at(words: &Words, spec: &ScenarioSpec, index: usize) -> Option<Control> {
    let client = ClientId(u8::try_from(index).ok()?);
    let at = spec.clients.get(index)?.asks_at;
    let to = ToChange::new(Change::AsksAt { client, at }, |change, after| {
        if let Change::AsksAt { at, .. } = change {
            *at = SimTime::ZERO + after;
        }
    })
    .keyed("asks_at");
    Some(Control::length(
        &format!("{} asks at", words.client(client)),
        None,
        at.since_start(),
        ZERO,
        to,
    ))
}

/// A client's own time to live.
fn own_ttl(words: &Words, spec: &ScenarioSpec, index: usize) -> Option<Control> {
    let client = ClientId(u8::try_from(index).ok()?);
    let own = spec.clients.get(index)?.ttl;
    let to = ToChange::new(Change::ClientTtl { client, ttl: None }, |change, value| {
        if let Change::ClientTtl { ttl, .. } = change {
            *ttl = value;
        }
    })
    .keyed("ttl");
    let label = format!("{}'s own time to live", words.client(client));
    let idle = idle::without_ttl(spec);
    let shown = (own, "as all");
    Some(Control::optional(&label, idle, shown, limits::MIN_TTL, to))
}

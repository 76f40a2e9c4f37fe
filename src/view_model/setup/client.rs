//! The controls of what clients do: their work, their renewals and deadlines, how they wait.

use crate::sim::id::ClientId;
use crate::sim::limits;
use crate::sim::lock::Fixed;
use crate::sim::scenario::{
    Change, Check, Deadline, HandOff, Identity, OnLoss, Operation, Piece, Reenters, RefusedRelease,
    RenewFailure, Repeat, ScenarioSpec, Wait, WorkKind,
};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::controls::amount::idle;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{self, choice};

use crate::view_model::controls::{Control, ToChange, to};

/// What a new delay, poll or time-out begins with.
const SECOND: SimDuration = SimDuration::from_secs(1);
const ZERO: SimDuration = SimDuration::ZERO;

/// The work.
pub fn work(spec: &ScenarioSpec) -> Vec<Control> {
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
    let mut all = what_work_is(spec);
    all.extend([
        Control::choice(
            "Piece of work",
            None,
            defaults.piece,
            &[Piece::Own, Piece::Shared],
            choice::piece,
            Change::Piece,
        ),
        Control::switch(
            "Work is idempotent",
            None,
            spec.storage.idempotent,
            Change::Idempotent(!spec.storage.idempotent),
        )
        .hinted("A piece of work is known by its id, and done once"),
        Control::choice(
            "Looked at before a write",
            None,
            defaults.check,
            &[Check::Off, Check::OwnBelief, Check::AsksService],
            choice::check,
            Change::Check,
        ),
        Control::choice(
            "When the lock is lost, the worker",
            None,
            defaults.on_loss,
            &on_losses,
            choice::on_loss,
            Change::OnLoss,
        ),
    ]);
    all.extend(stops_after);
    all.extend(refused_release(spec));
    all.push(Control::optional(
        "Releases early, after",
        None,
        (defaults.release_early, "off"),
        ZERO,
        to!(ReleaseEarly, None),
    ));
    all
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
        }),
        Control::choice(
            "Operation",
            idle::fixed(spec, Fixed::Operation),
            defaults.operation,
            &operations,
            wording::operation,
            Change::Operation,
        ),
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
        ),
        Control::switch("Repeat", None, rest.is_some(), Change::Repeat(turned)),
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
        "A worker whose release is refused",
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
pub fn waiters(spec: &ScenarioSpec) -> Vec<Control> {
    let defaults = &spec.defaults;
    let (every, jitter) = match defaults.wait {
        Wait::Queue => (SECOND, ZERO),
        Wait::Poll { every, jitter } => (every, jitter),
    };
    let polls = Wait::Poll { every, jitter };
    let mut all = vec![Control::choice(
        "A waiter waits",
        idle::wait(spec),
        defaults.wait,
        &[Wait::Queue, polls],
        choice::wait,
        Change::Wait,
    )];
    if defaults.wait == polls {
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
        let least = limits::MIN_INTERVAL;
        all.push(Control::length("Asks again every", None, every, least, set_every));
        all.push(Control::length("Jitter", None, jitter, ZERO, set_jitter));
    }
    all.push(Control::switch(
        "A waiter has a session of its own",
        idle::session(spec),
        defaults.session,
        Change::Session(!defaults.session),
    ));
    all.push(Control::switch(
        "A waiter's session is checked before its grant",
        idle::waiter_check(spec),
        spec.lease.waiter_check,
        Change::WaiterCheck(!spec.lease.waiter_check),
    ));
    all.push(Control::choice(
        "A lock that comes free goes to",
        idle::hand_off(spec),
        spec.lease.hand_off,
        &[HandOff::InOrder, HandOff::Random],
        choice::hand_off,
        Change::HandOff,
    ));
    all
}

/// The clients: renewals, deadlines, names, answers that do not come.
pub fn clients(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let defaults = &spec.defaults;
    let rate = ToChange::new(Change::DeadlineRateError(0), |change, ppm: i64| {
        *change = Change::DeadlineRateError(u32::try_from(ppm).unwrap_or_default());
    });
    let retries = ToChange::new(Change::Retries(0), |change, count: i64| {
        *change = Change::Retries(u32::try_from(count).unwrap_or_default());
    });
    let mut all: Vec<Control> =
        (0..spec.clients.len()).filter_map(|nth| asks_at(words, spec, nth)).collect();
    all.extend([
        renew_failure(spec),
        deadline(spec),
        Control::length(
            "Deadline margin",
            idle::deadline_part(spec),
            defaults.deadline_margin,
            ZERO,
            to!(DeadlineMargin, ZERO),
        ),
        Control::count(
            "Clock rate error allowed for (ppm)",
            idle::deadline_part(spec),
            i64::from(defaults.deadline_rate_error_ppm),
            (0, i64::from(limits::MAX_RATE_ERROR_PPM)),
            rate,
        ),
        Control::choice(
            "The service knows a client",
            idle::fixed(spec, Fixed::Identity),
            defaults.identity,
            &[Identity::Unique, Identity::Shared],
            choice::identity,
            Change::Identity,
        ),
        Control::choice(
            "Code inside that takes the lock again",
            idle::reenters(spec),
            defaults.reenters,
            &[Reenters::Off, Reenters::SameToken, Reenters::NewToken],
            choice::reenters,
            Change::Reenters,
        ),
        Control::switch(
            "Reads the current token anew before each write",
            None,
            defaults.rereads_token,
            Change::RereadsToken(!defaults.rereads_token),
        ),
        Control::optional(
            "Waits for an answer",
            None,
            (defaults.timeout, "without end"),
            limits::MIN_INTERVAL,
            to!(Timeout, None),
        ),
        Control::count(
            "Retries",
            idle::retries(spec),
            i64::from(defaults.retries),
            (0, i64::from(limits::MAX_RETRIES)),
            retries,
        ),
    ]);
    all.extend((0..spec.clients.len()).filter_map(|index| own_ttl(words, spec, index)));
    all
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
        "When a renewal fails, the renewer",
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
    });
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
    });
    let label = format!("{}'s own time to live", words.client(client));
    let idle = idle::without_ttl(spec);
    let shown = (own, "as all");
    Some(Control::optional(&label, idle, shown, limits::MIN_TTL, to))
}

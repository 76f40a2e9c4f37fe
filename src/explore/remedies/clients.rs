//! What puts a client's own mistake right: how it renews, when it stops, when it gives the lock
//! back, what it does without an answer.

use super::NotTried;
use super::setup::{Offer, Setup, on, unless};
use crate::explore::budget::Budget;
use crate::sim::fact::{Fact, LeaseEnd};
use crate::sim::id::ClientId;
use crate::sim::lock::TokenWorth;
use crate::sim::property::VerdictKind;
use crate::sim::scenario::{
    Check, Client, ClientSettings, CrashScope, Deadline, FaultKind, Fixed, OnLoss, Operation,
    PauseScope, Piece, Progress, Ratio, Reenters, Renew, RenewCap, RenewFailure, RenewedBy, Repeat,
    Setting, TokenSource, Wait,
};
use crate::sim::{Change, Scenario, SimDuration, limits};

/// What is counted as no answer: Redisson's `timeout`.
const REQUEST_TIMEOUT: SimDuration = SimDuration::from_secs(3);
/// So often, so that a minute without an answer is got over: our number,
/// and far more than Redisson's.
const REQUEST_RETRIES: u32 = 20;
/// How long after a piece of work that came to nothing the next one begins, and how often a client
/// asks that waits.
const REST: SimDuration = SimDuration::from_secs(1);
/// What Redlock's documentation allows for clocks that do not run alike.
const DRIFT_PPM: u32 = 10_000;

const EVERY_THIRD: Change = Change::Renew(Renew::Share(Ratio::THIRD));
const STOPS_AT_ONCE: Change = Change::OnLoss(OnLoss::StopsAfter(SimDuration::ZERO));

fn renews(settings: &ClientSettings) -> bool {
    settings.renew != Renew::Off
}

/// Whether a worker ends as soon as its client knows of the loss.
fn ends_at_once(settings: &ClientSettings) -> bool {
    match settings.on_loss {
        OnLoss::GoesOn => false,
        OnLoss::StopsAfter(length) => length.is_zero(),
        OnLoss::Dies => true,
    }
}

/// Whether anything but a refused write can tell a client that its lease is over.
fn is_told(settings: &ClientSettings) -> bool {
    renews(settings) || settings.deadline != Deadline::Off || settings.check != Check::Off
}

pub(super) fn renewal_on(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Renew)?;
    setup.ttl()?;
    unless(setup.all(renews), [EVERY_THIRD])
}

pub(super) fn renews_every_third(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Renew)?;
    let is_late = setup.scenario.clients().iter().any(Client::renews_late);
    on(is_late, [EVERY_THIRD])
}

pub(super) fn more_renewal(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Renew)?;
    setup.ttl()?;
    let clients = setup.scenario.clients().iter();
    // For all of them, and so twice as often as the one that renews most often.
    let often = clients.filter_map(|client| {
        let renew = client.settings.renew;
        Some((renew.interval(client.ttl)?, renew))
    });
    let twice = often.min_by_key(|(every, _)| *every).and_then(|(_, renew)| twice_as_often(renew));
    twice.map(|renew| vec![Change::Renew(renew)]).ok_or(NotTried::NothingCallsForIt)
}

fn twice_as_often(renew: Renew) -> Option<Renew> {
    match renew {
        Renew::Off => None,
        Renew::Share(Ratio { numerator, denominator }) => {
            let denominator = denominator.saturating_mul(2).min(1_000);
            Some(Renew::Share(Ratio { numerator, denominator }))
        }
        Renew::Every(interval) => {
            let half = SimDuration::from_micros(interval.micros() / 2);
            Some(Renew::Every(half.max(limits::MIN_INTERVAL)))
        }
    }
}

pub(super) fn renewer_tries_again(setup: &Setup<'_>) -> Offer {
    let gives_up = |settings: &ClientSettings| settings.renew_failure == RenewFailure::GivesUp;
    on(setup.any(|it| renews(it) && gives_up(it)), [Change::RenewFailure(RenewFailure::TriesAgain)])
}

pub(super) fn renewer_takes_nothing_anew(setup: &Setup<'_>) -> Offer {
    let reacquires = setup.any(|it| renews(it) && it.renew_failure == RenewFailure::Reacquires);
    on(reacquires, [Change::RenewFailure(RenewFailure::TriesAgain)])
}

pub(super) fn renewer_apart(setup: &Setup<'_>) -> Offer {
    setup.without_faults(|kind| matches!(kind, FaultKind::Pause { scope: PauseScope::Renewer, .. }))
}

/// What stops the worker stops its renewer, too.
pub(super) fn renewal_by_the_worker(setup: &Setup<'_>) -> Offer {
    setup.ttl()?;
    if setup.all(|settings| !renews(settings)) {
        return Err(NotTried::NothingCallsForIt);
    }
    setup.with_faults(|kind| {
        let mut whole = kind.clone();
        match &mut whole {
            FaultKind::Pause { scope: scope @ PauseScope::Worker, .. } => {
                *scope = PauseScope::Client;
            }
            FaultKind::Crash { scope: scope @ CrashScope::Worker, .. } => {
                *scope = CrashScope::Client;
            }
            _ => return None,
        }
        Some(whole)
    })
}

/// A renewer that waits for its worker's next step, twice as long as a step takes; offered where
/// something strikes a worker alone.
pub(super) fn renewal_tied_to_progress(setup: &Setup<'_>) -> Offer {
    setup.ttl()?;
    let is_open = |it: &ClientSettings| renews(it) && it.renewed_by == RenewedBy::Renewer;
    let alone = setup.has_fault(|kind| match kind {
        FaultKind::Pause { scope, .. } => *scope == PauseScope::Worker,
        FaultKind::Crash { scope, .. } => *scope == CrashScope::Worker,
        _ => false,
    });
    let longest = setup.scenario.clients().iter().map(|it| it.settings.work).max();
    let after = longest.unwrap_or_default().times(2).max(REST).min(limits::MAX_DURATION);
    let has_it = setup.any(|it| it.progress != Progress::Off);
    on(alone && setup.any(is_open) && !has_it, [Change::Progress(Progress::StopsAfter(after))])
}

pub(super) fn renewer_of_its_own(setup: &Setup<'_>) -> Offer {
    setup.ttl()?;
    on(setup.any(renews), setup.neutral(Setting::RenewedBy)?)
}

/// A cap of twice the longest time from a grant to the end of the work, as the settings say.
pub(super) fn cap_above_work(setup: &Setup<'_>) -> Offer {
    setup.ttl()?;
    let has_cap = setup.any(|it| renews(it) && it.renew_cap != RenewCap::Off);
    let handled = |client: &Client| {
        let settings = &client.settings;
        settings.starts_after + settings.work.times(settings.writes_per_grant.into())
    };
    let longest = setup.scenario.clients().iter().map(handled).max().unwrap_or_default();
    let cap = longest.times(2).clamp(limits::MIN_INTERVAL, limits::MAX_DURATION);
    let is_below = |it: &ClientSettings| match it.renew_cap {
        RenewCap::Off => false,
        RenewCap::After(after) => after < cap,
    };
    on(has_cap && setup.any(is_below), [Change::RenewCap(RenewCap::After(cap))])
}

pub(super) fn nothing_fetched_ahead(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::StartsAfter)
}

pub(super) fn renews_before_the_work(setup: &Setup<'_>) -> Offer {
    let waits = setup.any(|it| renews(it) && !it.starts_after.is_zero());
    on(waits, setup.neutral(Setting::RenewsWaiting)?)
}

/// Where nobody renews, the worker ends itself a tenth of the limit before it, whatever it is at
/// (Laravel's `--timeout` below its `retry_after`).
pub(super) fn kill_below_the_limit(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Deadline)?;
    let ttl = setup.ttl()?;
    if setup.any(renews) {
        return Err(NotTried::NothingCallsForIt);
    }
    let margin = SimDuration::from_micros(ttl.micros() / 10);
    let has_it =
        |it: &ClientSettings| it.deadline == Deadline::FromSend && it.on_loss == OnLoss::Dies;
    unless(
        setup.all(has_it),
        [
            Change::Deadline(Deadline::FromSend),
            Change::DeadlineMargin(margin),
            Change::OnLoss(OnLoss::Dies),
        ],
    )
}

/// The smallest time to live that covers the work where nothing renews: so long a client needs the
/// lock, and no microsecond less; in whole milliseconds.
pub(super) fn ttl_covers_work(setup: &Setup<'_>) -> Offer {
    setup.ttl()?;
    if setup.all(renews) {
        return Err(NotTried::NothingCallsForIt);
    }
    let needed = setup.needed.ok_or(NotTried::NeverDone)?;
    let covers = SimDuration::from_millis(needed.micros() / 1_000 + 1);
    Ok(setup.scenario.leases_of_at_least(covers))
}

pub(super) fn stop_on_loss(setup: &Setup<'_>) -> Offer {
    if setup.all(|settings| !is_told(settings)) {
        return Err(NotTried::NothingTells);
    }
    unless(setup.all(ends_at_once), [STOPS_AT_ONCE])
}

pub(super) fn exit_on_loss(setup: &Setup<'_>) -> Offer {
    if setup.all(|settings| !is_told(settings)) {
        return Err(NotTried::NothingTells);
    }
    Ok(vec![Change::OnLoss(OnLoss::Dies)])
}

pub(super) fn deadline_from_send(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Deadline)?;
    setup.ttl()?;
    let is_late = setup.any(|settings| settings.deadline == Deadline::FromReceipt);
    on(is_late, [Change::Deadline(Deadline::FromSend)])
}

/// One margin is for all: a third of the longest lease, so that each client has a third of its own
/// to spare at least.
pub(super) fn deadline_to_spare(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Deadline)?;
    let longest = setup.scenario.longest_ttl().ok_or(NotTried::NoTimeToLive)?;
    let third = Ratio::THIRD.of(longest);
    let has_one = setup.any(|settings| settings.deadline != Deadline::Off);
    let mut clients = setup.scenario.clients().iter();
    let spares = |client: &Client| {
        let settings = &client.settings;
        let has_third = |ttl| settings.deadline_margin >= Ratio::THIRD.of(ttl);
        client.ttl.is_some_and(has_third) && ends_at_once(settings)
    };
    if has_one && clients.clone().all(spares) {
        return Err(NotTried::AlreadyOn);
    }
    // Nothing would be left of such a lease.
    if has_one && clients.any(|client| client.ttl.is_some_and(|ttl| ttl <= third)) {
        return Err(NotTried::LeasesDiffer);
    }
    let mut changes = own_deadline(setup);
    changes.push(Change::DeadlineMargin(third));
    on(has_one, changes)
}

pub(super) fn allow_for_clocks(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Deadline)?;
    setup.ttl()?;
    let rate = |kind: &FaultKind| match kind {
        FaultKind::ClockRate { ppm, .. } => ppm.unsigned_abs(),
        _ => 0,
    };
    let faults = setup.spec().faults.iter().filter(|fault| fault.enabled);
    let worst = faults.map(|fault| rate(&fault.kind)).max().unwrap_or_default();
    let allowed = worst.clamp(DRIFT_PPM, limits::MAX_RATE_ERROR_PPM);
    let falls_short = |settings: &ClientSettings| {
        settings.deadline != Deadline::Off && settings.deadline_rate_error_ppm < worst
    };
    on(setup.any(falls_short), [Change::DeadlineRateError(allowed)])
}

/// A deadline of the client's own, counted from the send, at which its worker stops.
fn own_deadline(setup: &Setup<'_>) -> Vec<Change> {
    std::iter::once(Change::Deadline(Deadline::FromSend)).chain(stops_at_once(setup)).collect()
}

/// The change with which a worker stops when its lease is lost, if some does not.
pub(super) fn stops_at_once(setup: &Setup<'_>) -> Option<Change> {
    (!setup.all(ends_at_once)).then_some(STOPS_AT_ONCE)
}

pub(super) fn asks_before_it_writes(settings: &ClientSettings) -> bool {
    settings.check == Check::AsksService
}

pub(super) fn local_deadline(setup: &Setup<'_>) -> Offer {
    setup.ttl()?;
    setup.open(Fixed::Deadline)?;
    Ok(own_deadline(setup))
}

pub(super) fn local_deadline_checked(setup: &Setup<'_>) -> Offer {
    setup.ttl()?;
    let mut changes = vec![Change::Check(Check::OwnBelief)];
    if setup.open(Fixed::Deadline).is_ok() {
        changes.extend(own_deadline(setup));
    } else if setup.all(|settings| settings.deadline == Deadline::Off) {
        return Err(NotTried::SettledBySystem);
    }
    Ok(changes)
}

pub(super) fn check_before_write(setup: &Setup<'_>) -> Offer {
    on(setup.scenario.n_clients() > 0, [Change::Check(Check::AsksService)])
}

pub(super) fn release_after_work(setup: &Setup<'_>) -> Offer {
    let mut changes = setup.neutral(Setting::ReleaseEarly)?;
    changes.push(Change::Release(true));
    Ok(changes)
}

/// Where the lock was kept by somebody whose work was over, or nobody got it.
pub(super) fn release_when_done(setup: &Setup<'_>) -> Offer {
    let is_kept = !setup.run.costs().held_without_work.is_zero();
    let in_vain = setup.run.verdict().kind == VerdictKind::Unavailable;
    on(is_kept || in_vain, [Change::Release(true)])
}

pub(super) fn refused_release_is_an_answer(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::RefusedRelease)
}

/// Whether a fault can lose a request or an answer.
fn loses_messages(kind: &FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Lose { .. }
            | FaultKind::Cut { held: false, .. }
            | FaultKind::ServiceRestart { .. }
            | FaultKind::Failover { .. }
    )
}

pub(super) fn request_timeout(setup: &Setup<'_>) -> Offer {
    let waits_for_ever = setup.any(|settings| settings.timeout.is_none());
    on(waits_for_ever && setup.has_fault(loses_messages), asks_again())
}

/// Where a place in the queue is all that a client waits for, and the word of it can be lost.
pub(super) fn ask_again_while_waiting(setup: &Setup<'_>) -> Offer {
    setup.open(Fixed::Wait)?;
    let in_vain = setup.run.verdict().kind == VerdictKind::Unavailable;
    let mut changes = asks_again();
    changes.push(Change::Wait(Wait::Poll { every: REST, jitter: SimDuration::ZERO }));
    let has_queue = setup.scenario.rules().has_queue;
    on(in_vain && has_queue && setup.has_fault(loses_messages), changes)
}

fn asks_again() -> Vec<Change> {
    vec![Change::Timeout(Some(REQUEST_TIMEOUT)), Change::Retries(REQUEST_RETRIES)]
}

/// Where all work came to nothing.
pub(super) fn begins_again(setup: &Setup<'_>) -> Offer {
    let in_vain = setup.run.verdict().kind == VerdictKind::NoWorkFinished;
    let once = setup.any(|settings| settings.repeat == Repeat::Off);
    on(in_vain && once, [Change::Repeat(Repeat::After(REST))])
}

pub(super) fn sends_the_granted_token(setup: &Setup<'_>) -> Offer {
    setup.neutral(Setting::RereadsToken)
}

pub(super) fn unique_names(setup: &Setup<'_>) -> Offer {
    let mut changes = setup.neutral(Setting::Identity)?;
    // One value for all is no name of its own either.
    if setup.scenario.rules().token_source == TokenSource::Constant {
        changes.push(Change::TokenSource(TokenSource::Counter));
    }
    Ok(changes)
}

pub(super) fn same_token_inside(setup: &Setup<'_>) -> Offer {
    // The neutral value is that no code takes the lock twice; what can be done is less than that.
    let same = Change::Reenters(Reenters::SameToken);
    setup.neutral(Setting::Reenters)?;
    let compares = setup.scenario.rules().worth == TokenWorth::Ordered;
    on(compares, [same])
}

/// Whether a client makes several writes under one grant, or goes on with its next piece of work
/// under it.
pub(super) fn writes_several(settings: &ClientSettings) -> bool {
    settings.writes_per_grant > 1 || goes_on(settings)
}

fn goes_on(settings: &ClientSettings) -> bool {
    settings.repeat != Repeat::Off && !settings.release
}

/// Whether a client's work can be done a second time, by itself or by another.
pub(super) fn can_be_done_twice(settings: &ClientSettings) -> bool {
    settings.operation == Operation::ExternalEffect
        || settings.piece == Piece::Shared
        || settings.timeout.is_some()
}

/// How long a client that does not renew has the lock before its last write or act is there, at
/// most: seen in a run without faults and with a lease that is long enough. Where nobody checks who
/// releases, its release must be there too: later it would give back another's lock. `None`: there
/// is no such client, its lock has no lease, or it goes on for ever.
pub(super) fn longest_need(scenario: &Scenario, budget: &mut Budget) -> Option<SimDuration> {
    let is_without = |settings: &ClientSettings| !renews(settings);
    let without = |client: ClientId| is_without(&scenario.clients()[client.index()].settings);
    let mut settings = scenario.clients().iter().map(|client| &client.settings);
    scenario.ttl()?;
    if !settings.clone().any(is_without) || settings.any(|it| is_without(it) && goes_on(it)) {
        return None;
    }
    let mut changes = vec![Change::Ttl(long_enough(scenario))];
    let faults = scenario.spec().faults.iter();
    changes.extend(faults.map(|fault| Change::EnableFault { id: fault.id, enabled: false }));
    let recording = budget.run(&scenario.with(&changes).ok()?)?;
    // An ack that comes too late counts for nothing.
    let counts_release = !scenario.rules().owner_check || scenario.rules().item.is_some();
    let mut needed = SimDuration::ZERO;
    for entry in recording.entries() {
        let acted = matches!(entry.fact, Fact::Store(_, fact) if fact.act().is_some());
        let ended = if let Fact::Service(_, fact) = entry.fact { fact.ended() } else { None };
        let is_back =
            ended.is_some_and(|(_, how)| matches!(how, LeaseEnd::Released | LeaseEnd::Settled(_)));
        let is_done = acted
            || recording.write(entry.seq).is_some_and(|write| write.accepted)
            || (counts_release && is_back);
        let about = entry.fact.about();
        if let (true, Some(client), Some(grant)) = (is_done, about.client, about.grant)
            && without(client)
            && let Some(record) = recording.grant(grant)
        {
            needed = needed.max(entry.at.since(record.at));
        }
    }
    (!needed.is_zero()).then_some(needed)
}

/// A time to live that covers every client's work: each of its steps with a message to and fro.
fn long_enough(scenario: &Scenario) -> SimDuration {
    let stores = u64::from(scenario.storage().stores);
    let trip = scenario.spec().latency.times(2) + scenario.storage().check_gap;
    let whole = |settings: &ClientSettings| {
        // Ask, seal, and for each write: read, look, check, act, write.
        let per_write = settings.work + trip.times(2 * stores + 4);
        per_write.times(u64::from(settings.writes_per_grant)) + trip.times(stores + 2)
    };
    let longest = scenario.clients().iter().map(|client| whole(&client.settings)).max();
    let margin = scenario.clients().iter().map(|client| client.settings.deadline_margin).max();
    (longest.unwrap_or_default().times(2) + margin.unwrap_or_default())
        .clamp(limits::MIN_TTL, limits::MAX_DURATION)
}

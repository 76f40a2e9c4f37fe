//! The names of what can be chosen for a lease, its clients and its stores, and what a set-up has
//! of each where two runs differ in it.

use super::{duration, operation, plural, renew, work_kind};
use crate::sim::clock::ClockKind;
use crate::sim::scenario::{
    Change, Check, Deadline, Ends, ExpiryJudge, FenceRule, HandOff, Identity, Late, LeaseCap,
    Loses, OnConflict, OnLoss, PauseKind, Piece, Progress, Reenters, RefusedRelease, Renew,
    RenewCap, RenewFailure, RenewedBy, Repeat, ScenarioSpec, SettleAt, SettleCheck, SettleRefusal,
    StorageSettings, TokenSource, Unchecked, Wait, Whole, resource_info,
};

/// Where tokens come from.
pub fn token_source(source: TokenSource) -> &'static str {
    match source {
        TokenSource::Counter => "A counter",
        TokenSource::Revision => "A revision, with gaps",
        TokenSource::RevisionAtEnqueue => "A revision, fixed on asking",
        TokenSource::Sequence32 => "A 32-bit sequence that wraps",
        TokenSource::LeaseId => "A lease id, without order",
        TokenSource::Constant => "The same number every time",
        TokenSource::RevisionOfSession => "Revision when the session was made",
        TokenSource::EpochAndCounter => "Epoch and counter",
    }
}

/// Who judges that a lease is over.
pub fn judge(judge: ExpiryJudge) -> &'static str {
    match judge {
        ExpiryJudge::Service => "The service",
        ExpiryJudge::HoldersTimestamp => "Whoever asks, by the holder's time",
        ExpiryJudge::Observers => "Whoever asks, once it has watched for a lease",
    }
}

/// When somebody acts on the end of a lease.
pub fn ends(ends: Ends) -> &'static str {
    match ends {
        Ends::OnTime => "When its time is over",
        Ends::AtSweep { .. } => "At the next look",
        Ends::SecondLook { .. } => "At the second look",
        Ends::WhenTaken => "When somebody takes it",
    }
}

/// What a holder is told whose lease is over and has not ended.
pub fn late(late: Late) -> &'static str {
    match late {
        Late::Accepted => "Taken, as before",
        Late::Refused => "Refused",
    }
}

/// When a worker settles its delivery.
pub fn settle_at(at: SettleAt) -> &'static str {
    match at {
        SettleAt::End => "When the work is done",
        SettleAt::Begin => "Before the work",
    }
}

/// Whose settling is taken.
pub fn settle_check(check: SettleCheck) -> &'static str {
    match check {
        SettleCheck::Handle => "The newest delivery's",
        SettleCheck::State => "Anybody's, while it is held",
        SettleCheck::Item => "Anybody's",
    }
}

/// What is told where a settling is not taken.
pub fn settle_refusal(refusal: SettleRefusal) -> &'static str {
    match refusal {
        SettleRefusal::Told => "Told so",
        SettleRefusal::Silent => "Answered as if it were",
    }
}

/// A clock of a node.
pub fn clock(clock: ClockKind) -> &'static str {
    match clock {
        ClockKind::Monotonic => "Monotonic",
        ClockKind::Wall => "Wall clock",
    }
}

/// What a renewer does when a renewal fails.
pub fn renew_failure(failure: RenewFailure) -> &'static str {
    match failure {
        RenewFailure::TriesAgain => "Tries again",
        RenewFailure::TriesSooner => "Tries again after the time-out",
        RenewFailure::GivesUp => "Gives up, tells nobody",
        RenewFailure::Reacquires => "Acquires anew",
    }
}

/// From when a client counts its own deadline.
pub fn deadline(deadline: Deadline) -> &'static str {
    match deadline {
        Deadline::Off => "Off",
        Deadline::FromSend => "From sending",
        Deadline::FromReceipt => "From the answer",
    }
}

/// What a worker does once the lock is lost.
pub fn on_loss(on_loss: OnLoss) -> &'static str {
    match on_loss {
        OnLoss::GoesOn => "Goes on",
        OnLoss::StopsAfter(_) => "Stops after a delay",
        OnLoss::Dies => "Ends itself",
    }
}

/// What code is told that takes the lock again inside.
pub fn reenters(reenters: Reenters) -> &'static str {
    match reenters {
        Reenters::Off => "Never happens",
        Reenters::SameToken => "Gets the same token",
        Reenters::NewToken => "Gets a new token",
    }
}

/// What a worker does that a compare-and-set refused.
pub fn on_conflict(on_conflict: OnConflict) -> &'static str {
    match on_conflict {
        OnConflict::GivesUp => "Gives up",
        OnConflict::Retries => "Reads and works again",
    }
}

/// What is one unit.
pub fn whole(whole: Whole) -> &'static str {
    match whole {
        Whole::Step => "Each step",
        Whole::Piece => "The whole piece",
    }
}

/// What a worker does whose release is refused.
pub fn refused_release(refused: RefusedRelease) -> &'static str {
    match refused {
        RefusedRelease::GoesOn => "Goes on",
        RefusedRelease::SentAgain(_) => "Sends it again, for ever",
    }
}

/// Whose piece of work a worker does.
pub fn piece(piece: Piece) -> &'static str {
    match piece {
        Piece::Own => "Each client its own",
        Piece::Shared => "One for all",
    }
}

/// What is looked at right before a write.
pub fn check(check: Check) -> &'static str {
    match check {
        Check::Off => "Nothing",
        Check::OwnBelief => "Own belief and deadline",
        Check::AsksService => "The service's answer",
    }
}

/// How a client waits.
pub fn wait(wait: Wait) -> &'static str {
    match wait {
        Wait::Queue => "In the queue",
        Wait::Poll { .. } => "Asks again",
    }
}

/// Who of those that wait is granted next.
pub fn hand_off(hand_off: HandOff) -> &'static str {
    match hand_off {
        HandOff::InOrder => "Whoever has waited longest",
        HandOff::Random => "Anybody, at random",
    }
}

/// By what name the service knows a client.
pub fn identity(identity: Identity) -> &'static str {
    match identity {
        Identity::Unique => "By its grant",
        Identity::Shared => "By a name that others bear",
    }
}

/// How long a client renews.
pub fn renew_cap(cap: RenewCap) -> &'static str {
    match cap {
        RenewCap::Off => "Without end",
        RenewCap::After(_) => "For a limited time",
    }
}

/// How long a service lets a lease be renewed.
pub fn lease_cap(cap: LeaseCap) -> &'static str {
    match cap {
        LeaseCap::Off => "Without end",
        LeaseCap::RefusedAfter(_) => "To a limit, then refused",
        LeaseCap::CutAfter(_) => "To a limit, then cut",
    }
}

/// Who renews.
pub fn renewed_by(by: RenewedBy) -> &'static str {
    match by {
        RenewedBy::Renewer => "A renewer of its own",
        RenewedBy::Worker => "The worker, at each step",
    }
}

/// What a renewer does while its worker takes no step.
pub fn progress(progress: Progress) -> &'static str {
    match progress {
        Progress::Off => "Renews on",
        Progress::StopsAfter(_) => "Stops renewing",
        Progress::LeavesAfter(_) => "Gives the lock back",
    }
}

/// What a service no longer knows after a restart.
pub fn loses(loses: Loses) -> &'static str {
    match loses {
        Loses::Nothing => "Nothing",
        Loses::Leases => "Leases and queue",
        Loses::Everything => "Leases, queue and counter",
        Loses::SinceSnapshot => "What has changed since the snapshot",
    }
}

/// What a pause does to the clocks.
pub fn pause_kind(kind: PauseKind) -> &'static str {
    match kind {
        PauseKind::Process => "Keeps running (process stopped)",
        PauseKind::Suspend => "Stands still (machine suspended)",
    }
}

/// What a set-up has of the setting that a change sets. Each of these knows the settings of one
/// part of a scenario; a test asks them about all.
pub(in crate::view_model) fn of_setting(change: &Change, spec: &ScenarioSpec) -> String {
    let words = [of_lease, of_storage, of_belief, of_work].map(|words| words(change, spec));
    words.into_iter().flatten().next().unwrap_or_default()
}

fn with(on: bool, what: &str) -> String {
    format!("{} {what}", if on { "with" } else { "without" })
}

/// Of the lease, and of the run itself.
#[expect(clippy::wildcard_enum_match_arm, reason = "`of_setting` asks all of these")]
fn of_lease(change: &Change, spec: &ScenarioSpec) -> Option<String> {
    let lease = &spec.lease;
    Some(match change {
        Change::Ttl(_) => format!("TTL {}", duration(lease.ttl)),
        Change::FirstToken(_) => format!("first token {}", lease.first_token),
        Change::OwnerCheck(_) => with(lease.owner_check, "owner check"),
        Change::TokenSource(_) => token_source(lease.token_source).to_ascii_lowercase(),
        Change::LockDelay(_) => format!("lock-delay {}", duration(lease.lock_delay)),
        Change::Grace(_) => format!("grace {}", duration(lease.grace)),
        Change::Cap(_) => match lease.cap {
            LeaseCap::Off => "no cap of leases".to_owned(),
            LeaseCap::RefusedAfter(cap) | LeaseCap::CutAfter(cap) => {
                format!("leases last {} at most", duration(cap))
            }
        },
        Change::MinHold(_) => format!("held at least {}", duration(lease.min_hold)),
        Change::Expiry(_) => match lease.expiry {
            ExpiryJudge::Service => "service judges expiry".to_owned(),
            ExpiryJudge::HoldersTimestamp => "askers judge expiry".to_owned(),
            ExpiryJudge::Observers => "observers judge expiry".to_owned(),
        },
        Change::Item(_) if lease.item => "an item of a queue".to_owned(),
        Change::Item(_) => "no item of a queue".to_owned(),
        Change::SettleAt(_) => quoted("settles", settle_at(lease.settle_at)),
        Change::SettleCheck(_) => quoted("settling taken", settle_check(lease.settle_check)),
        Change::SettleRefusal(_) => {
            quoted("a refused settling is", settle_refusal(lease.settle_refusal))
        }
        Change::MaxDeliveries(_) => match lease.max_deliveries {
            0 => "deliveries without end".to_owned(),
            most => format!("at most {}", plural(u64::from(most), "delivery", "deliveries")),
        },
        Change::Ends(_) => quoted("lease ends", ends(lease.ends)),
        Change::Late(_) => quoted("late holder", late(lease.late)),
        Change::ServiceClock(_) => format!("service: {}", clock(lease.clock).to_ascii_lowercase()),
        Change::ConnectionBound(_) => with(lease.connection_bound, "bound connection"),
        Change::TwoSteps(_) if lease.two_steps => "acquire in two steps".to_owned(),
        Change::TwoSteps(_) => "acquire in one step".to_owned(),
        Change::WaiterCheck(_) => with(lease.waiter_check, "waiter check"),
        Change::HandOff(_) => match lease.hand_off {
            HandOff::InOrder => "hand-off in order".to_owned(),
            HandOff::Random => "hand-off at random".to_owned(),
        },
        Change::Latency(_) => format!("message {}", duration(spec.latency)),
        Change::Seed(_) => format!("seed {}", spec.seed),
        Change::Length(_) => "another length".to_owned(),
        _ => return None,
    })
}

/// Of the stores.
#[expect(clippy::wildcard_enum_match_arm, reason = "`of_setting` asks all of these")]
fn of_storage(change: &Change, spec: &ScenarioSpec) -> Option<String> {
    let storage = &spec.storage;
    Some(match change {
        Change::Fencing(_) if storage.fencing => "with a fence".to_owned(),
        Change::Fencing(_) => "no fence".to_owned(),
        Change::Seal(_) => with(storage.seal, "seal"),
        Change::Rule(_) => format!("refuses {}", rule(storage.rule).to_ascii_lowercase()),
        Change::Stores(_) => plural(u64::from(storage.stores), "store", "stores"),
        Change::UncheckedStores(_) => unchecked(storage),
        Change::Idempotent(_) if storage.idempotent => "idempotent".to_owned(),
        Change::Idempotent(_) => "not idempotent".to_owned(),
        Change::CheckGap(_) => format!("check gap {}", duration(storage.check_gap)),
        Change::Resource(_) => resource_info(storage.resource).name.to_owned(),
        Change::MissingRow(_) => with(!storage.missing_row, "the row"),
        Change::Durable(_) => with(storage.durable, "durable fence"),
        _ => return None,
    })
}

/// Which stores cannot check.
fn unchecked(storage: &StorageSettings) -> String {
    let stores: Vec<String> =
        storage.unchecked_stores.of(storage.stores).map(|store| store.to_string()).collect();
    match (&stores[..], &storage.unchecked_stores) {
        ([], _) => "every store checks".to_owned(),
        (stores, Unchecked::Last(_)) => {
            plural(stores.len() as u64, "unchecked store", "unchecked stores")
        }
        (stores, Unchecked::These(_)) => format!("unchecked: {}", stores.join(", ")),
    }
}

/// Of clients: how they wait, believe and renew.
#[expect(clippy::wildcard_enum_match_arm, reason = "`of_setting` asks all of these")]
fn of_belief(change: &Change, spec: &ScenarioSpec) -> Option<String> {
    let defaults = &spec.defaults;
    Some(match change {
        Change::Renew(_) => match defaults.renew {
            Renew::Off => "without renewal".to_owned(),
            some => format!("renews every {}", renew(some)),
        },
        Change::RenewCap(_) => match defaults.renew_cap {
            RenewCap::Off => "renews without end".to_owned(),
            RenewCap::After(cap) => format!("renews for {}", duration(cap)),
        },
        Change::RenewedBy(_) => quoted("renewed by", renewed_by(defaults.renewed_by)),
        Change::Progress(_) => quoted("without progress", progress(defaults.progress)),
        Change::RenewFailure(_) => quoted("renewer", renew_failure(defaults.renew_failure)),
        Change::Deadline(_) => match defaults.deadline {
            Deadline::Off => "without deadline".to_owned(),
            from => format!("deadline {}", deadline(from).to_ascii_lowercase()),
        },
        Change::DeadlineMargin(_) => format!("margin {}", duration(defaults.deadline_margin)),
        Change::DeadlineRateError(_) => {
            format!("rate error {} ppm", defaults.deadline_rate_error_ppm)
        }
        Change::OnLoss(_) => quoted("on loss", on_loss(defaults.on_loss)),
        Change::Wait(_) => quoted("waits", wait(defaults.wait)),
        Change::Session(_) => with(defaults.session, "waiter's session"),
        Change::Identity(_) => quoted("known", identity(defaults.identity)),
        Change::Timeout(_) => match defaults.timeout {
            Some(timeout) => format!("time-out {}", duration(timeout)),
            None => "without time-out".to_owned(),
        },
        Change::OnConflict(_) => match defaults.on_conflict {
            OnConflict::GivesUp => "a refused compare-and-set ends it".to_owned(),
            OnConflict::Retries => "a refused compare-and-set is tried again".to_owned(),
        },
        Change::Retries(_) => plural(u64::from(defaults.retries), "retry", "retries"),
        _ => return None,
    })
}

/// Of clients: their work.
#[expect(clippy::wildcard_enum_match_arm, reason = "`of_setting` asks all of these")]
fn of_work(change: &Change, spec: &ScenarioSpec) -> Option<String> {
    let defaults = &spec.defaults;
    Some(match change {
        Change::Work(_) => format!("work {}", duration(defaults.work)),
        Change::StartsAfter(_) => format!("begins after {}", duration(defaults.starts_after)),
        Change::RenewsWaiting(_) => match defaults.renews_waiting {
            true => "renews before it begins".to_owned(),
            false => "renews from when it begins".to_owned(),
        },
        Change::Whole(_) => match defaults.whole {
            Whole::Step => "each step is one unit".to_owned(),
            Whole::Piece => "a piece is one unit".to_owned(),
        },
        Change::WorkKind(_) => {
            format!("work is {}", work_kind(defaults.work_kind).to_ascii_lowercase())
        }
        Change::Operation(_) => operation(defaults.operation).to_ascii_lowercase(),
        Change::WritesPerGrant(_) => format!("{} writes per grant", defaults.writes_per_grant),
        Change::Piece(_) => quoted("work", piece(defaults.piece)),
        Change::Check(_) if defaults.check == Check::OwnBelief => "checks its belief".to_owned(),
        Change::Check(_) => with(defaults.check == Check::AsksService, "check"),
        Change::RereadsToken(_) => match defaults.rereads_token {
            true => "current token".to_owned(),
            false => "own token".to_owned(),
        },
        Change::Release(_) => with(defaults.release, "release"),
        Change::ReleaseEarly(_) => match defaults.release_early {
            Some(after) => format!("releases after {}", duration(after)),
            None => "no early release".to_owned(),
        },
        Change::Repeat(_) => with(defaults.repeat != Repeat::Off, "repetition"),
        Change::Reenters(_) => match defaults.reenters {
            Reenters::Off => "lock taken once".to_owned(),
            Reenters::SameToken => "taken again: same token".to_owned(),
            Reenters::NewToken => "taken again: new token".to_owned(),
        },
        Change::RefusedRelease(_) => match defaults.refused_release {
            RefusedRelease::GoesOn => "a refused release ends it".to_owned(),
            RefusedRelease::SentAgain(_) => "a refused release is sent again".to_owned(),
        },
        _ => return None,
    })
}

fn quoted(what: &str, name: &str) -> String {
    format!("{what}: {}", name.to_ascii_lowercase())
}

/// The name of a fence rule.
pub fn rule(rule: FenceRule) -> &'static str {
    match rule {
        FenceRule::RejectLower => "Lower than the highest seen",
        FenceRule::RejectLowerOrEqual => "Lower or equal",
        FenceRule::MustMatch => "Different from the current one",
        FenceRule::DataVersion => "Not looked at: other data version",
        FenceRule::TimeFence => "Not looked at: past its time",
        FenceRule::SameTransaction => "Not the lock's, in one transaction",
        FenceRule::AsksService => "Not the lock's, as its service says",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::scenario::Setting;

    #[test]
    fn there_are_words_for_every_setting() {
        for entry in GALLERY {
            let spec = entry.file().scenario;
            for setting in Setting::ALL {
                let words = of_setting(&setting.of(&spec), &spec);
                assert!(!words.is_empty(), "{}: {setting:?}", entry.id);
            }
        }
    }
}

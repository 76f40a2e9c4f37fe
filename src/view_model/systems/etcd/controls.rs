//! etcd's own controls.

use crate::sim::id::ClientId;
use crate::sim::limits;
use crate::sim::lock::{EtcdSettings, EtcdToken};
use crate::sim::scenario::{Change, FaultKind, Loses, ScenarioSpec};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::controls::amount::idle::{Idle, when};
use crate::view_model::controls::field;
use crate::view_model::controls::{Control, ToChange};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::duration;

const ZERO: SimDuration = SimDuration::ZERO;

fn token(token: EtcdToken) -> &'static str {
    match token {
        EtcdToken::CreateRevision => "The key's create revision",
        EtcdToken::LeaseId => "The lease's id",
        EtcdToken::LeaseRevision => "The lease's creation revision",
    }
}

pub(super) fn controls(words: &Words, spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.etcd;
    let to_token = field!(spec, etcd.token);
    let tokens = [EtcdToken::CreateRevision, EtcdToken::LeaseId, EtcdToken::LeaseRevision];
    let choice =
        Control::choice("Clients send as token", None, settings.token, &tokens, token, to_token);
    let choice = match settings.token {
        EtcdToken::CreateRevision => choice,
        EtcdToken::LeaseId => {
            choice.hinted("It has no order: the storage cannot tell who is newer")
        }
        EtcdToken::LeaseRevision => {
            choice.hinted("A session can be older than its grant: the order is not that of grants")
        }
    };
    let mut all = vec![
        choice,
        Control::turn(
            "Others write to the store",
            None,
            settings.shared_store,
            &field!(spec, etcd.shared_store),
        )
        .hinted("Each write takes a revision, as the making and the end of a key do: gaps"),
        Control::length("Looks for ended leases every", None, settings.scan, ZERO, {
            field!(spec, etcd.scan)
        })
        .hinted("A lease stands until the leader's next look, 500 ms in etcd"),
        Control::length("A revoke takes", None, settings.commit, ZERO, field!(spec, etcd.commit))
            .hinted("It goes through Raft: until then the lease stands"),
        Control::length("A new leader adds", None, settings.election_timeout, ZERO, {
            field!(spec, etcd.election_timeout)
        })
        .hinted("To every lease, whose time it begins anew"),
        Control::optional(
            "A snapshot is saved every",
            snapshot_idle(spec),
            (settings.snapshot_every, "never"),
            limits::MIN_INTERVAL,
            field!(spec, etcd.snapshot_every),
        ),
        Control::turn(
            "A restore skips revisions",
            snapshot_idle(spec),
            settings.bump_revision,
            &field!(spec, etcd.bump_revision),
        )
        .hinted("--bump-revision: no token is handed out a second time"),
    ];
    all.extend((0..spec.clients.len()).filter_map(|index| session_at(words, spec, index)));
    all
}

fn snapshot_idle(spec: &ScenarioSpec) -> Idle {
    let restores = |kind: &FaultKind| {
        matches!(kind, FaultKind::ServiceRestart { loses: Loses::SinceSnapshot, .. })
    };
    let never = !spec.faults.iter().any(|fault| restores(&fault.kind));
    when(never, "no restore", "Nothing is restored from a snapshot in this set-up")
}

/// When a client's session is made.
fn session_at(words: &Words, spec: &ScenarioSpec, index: usize) -> Option<Control> {
    let client = ClientId(u8::try_from(index).ok()?);
    let at = spec.clients.get(index)?.session_at;
    let base = Change::SessionAt { client, at: None };
    let to = ToChange::new(base, |change, value: Option<SimDuration>| {
        if let Change::SessionAt { at, .. } = change {
            *at = value.map(|after| SimTime::ZERO + after);
        }
    })
    .keyed("session_at");
    let label = format!("{} makes its session at", words.client(client));
    let shown = (at.map(SimTime::since_start), "when it asks");
    Some(Control::optional(&label, None, shown, ZERO, to))
}

pub(super) fn setting(settings: &EtcdSettings) -> Vec<String> {
    let usual = EtcdSettings::default();
    let mut parts = Vec::new();
    if settings.token != usual.token {
        parts.push(format!("token: {}", token(settings.token).to_ascii_lowercase()));
    }
    if !settings.shared_store {
        parts.push("nobody else writes".to_owned());
    }
    if settings.scan != usual.scan {
        parts.push(format!("scan {}", duration(settings.scan)));
    }
    if settings.commit != usual.commit {
        parts.push(format!("revoke {}", duration(settings.commit)));
    }
    if settings.election_timeout != usual.election_timeout {
        parts.push(format!("election {}", duration(settings.election_timeout)));
    }
    if let Some(every) = settings.snapshot_every {
        parts.push(format!("snapshot every {}", duration(every)));
    }
    if settings.bump_revision {
        parts.push("restore skips revisions".to_owned());
    }
    parts
}

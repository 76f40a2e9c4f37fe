//! etcd's own controls.

use super::field;
use crate::sim::lock::{EtcdSettings, EtcdToken};
use crate::sim::scenario::ScenarioSpec;
use crate::sim::time::SimDuration;
use crate::view_model::control::Control;
use crate::view_model::wording::duration;

const ZERO: SimDuration = SimDuration::ZERO;

fn token(token: EtcdToken) -> &'static str {
    match token {
        EtcdToken::CreateRevision => "The key's create revision",
        EtcdToken::LeaseId => "The lease's id",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.etcd;
    let to_token = field!(spec, etcd.token);
    let tokens = [EtcdToken::CreateRevision, EtcdToken::LeaseId];
    let choice = Control::choice("Clients send as token", None, settings.token, &tokens, token, {
        |chosen| to_token.of(chosen)
    });
    let choice = match settings.token {
        EtcdToken::CreateRevision => choice,
        EtcdToken::LeaseId => {
            choice.hinted("It has no order: the storage cannot tell who is newer")
        }
    };
    vec![
        choice,
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
    ]
}

pub(super) fn setting(settings: &EtcdSettings) -> Vec<String> {
    let usual = EtcdSettings::default();
    let mut parts = Vec::new();
    if settings.token != usual.token {
        parts.push(format!("token: {}", token(settings.token).to_lowercase()));
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
    parts
}

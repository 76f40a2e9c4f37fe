//! Consul's own controls.

use crate::sim::lock::{Behavior, ConsulSettings, ConsulToken};
use crate::sim::scenario::ScenarioSpec;
use crate::sim::time::SimDuration;
use crate::view_model::controls::Control;
use crate::view_model::controls::field;
use crate::view_model::words::wording::duration;

fn token(token: ConsulToken) -> &'static str {
    match token {
        ConsulToken::LockIndex => "The key's lock index",
        ConsulToken::ModifyIndex => "The key's modify index",
    }
}

fn behavior(behavior: Behavior) -> &'static str {
    match behavior {
        Behavior::Release => "Is released",
        Behavior::Delete => "Is deleted",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.consul;
    let to_token = field!(spec, consul.token);
    let tokens = [ConsulToken::LockIndex, ConsulToken::ModifyIndex];
    let to_behavior = field!(spec, consul.behavior);
    let behaviors = [Behavior::Release, Behavior::Delete];
    let key = Control::choice(
        "The key of an invalidated session",
        None,
        settings.behavior,
        &behaviors,
        behavior,
        to_behavior,
    );
    let key = match settings.behavior {
        Behavior::Release => key,
        Behavior::Delete => key.hinted("Its lock index goes with it, and begins anew"),
    };
    vec![
        Control::choice("Clients send as token", None, settings.token, &tokens, token, to_token),
        Control::length(
            "Consul's lock-delay",
            None,
            settings.lock_delay,
            SimDuration::ZERO,
            field!(spec, consul.lock_delay),
        )
        .hinted("After a session was invalidated, never after a release; at most 60 s"),
        key,
    ]
}

pub(super) fn setting(settings: &ConsulSettings) -> Vec<String> {
    let usual = ConsulSettings::default();
    let mut parts = Vec::new();
    if settings.token != usual.token {
        parts.push(format!("token: {}", token(settings.token).to_ascii_lowercase()));
    }
    if settings.lock_delay != usual.lock_delay {
        parts.push(format!("lock-delay {}", duration(settings.lock_delay)));
    }
    if settings.behavior != usual.behavior {
        parts.push("key deleted".to_owned());
    }
    parts
}

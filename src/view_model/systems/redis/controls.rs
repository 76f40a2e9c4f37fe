//! Redis' own controls.

use crate::sim::lock::{RedisSettings, RedisToken};
use crate::sim::scenario::ScenarioSpec;
use crate::sim::time::SimDuration;
use crate::view_model::controls::Control;
use crate::view_model::controls::amount::idle::when;
use crate::view_model::controls::field;
use crate::view_model::words::wording::duration;

fn token(token: RedisToken) -> &'static str {
    match token {
        RedisToken::Value => "The key's random value",
        RedisToken::Counter => "A counter by INCR",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.redis;
    let to_token = field!(spec, redis.token);
    let tokens = [RedisToken::Value, RedisToken::Counter];
    let choice =
        Control::choice("Clients send as token", None, settings.token, &tokens, token, to_token);
    let hint = match settings.token {
        RedisToken::Value => "It says who, not who is newer: the storage has nothing to compare",
        RedisToken::Counter => "It lives in Redis like the key: what a failover loses comes again",
    };
    let alone = when(!settings.replica, "no replica", "There is no replica in this set-up");
    let zero = SimDuration::ZERO;
    vec![
        choice.hinted(hint),
        Control::turn("A replica", None, settings.replica, &field!(spec, redis.replica))
            .hinted("A failover promotes it, with what it has been told"),
        Control::length("The replica is told after", alone, settings.lag, zero, {
            field!(spec, redis.lag)
        })
        .hinted("Asynchronous: the client's answer does not wait for it"),
    ]
}

pub(super) fn setting(settings: &RedisSettings) -> Vec<String> {
    let usual = RedisSettings::default();
    let mut parts = Vec::new();
    if settings.token != usual.token {
        parts.push(format!("token: {}", token(settings.token)));
    }
    if settings.replica {
        parts.push(format!("replica, told after {}", duration(settings.lag)));
    }
    parts
}

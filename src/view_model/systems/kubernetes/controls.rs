//! client-go's own controls.

use crate::sim::limits::MIN_INTERVAL;
use crate::sim::lock::{KubernetesSettings, KubernetesToken};
use crate::sim::scenario::ScenarioSpec;
use crate::view_model::controls::Control;
use crate::view_model::controls::field;
use crate::view_model::words::wording::duration;

fn token(token: KubernetesToken) -> &'static str {
    match token {
        KubernetesToken::Holder => "The holder's name",
        KubernetesToken::Transitions => "leaseTransitions",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.kubernetes;
    let to_token = field!(spec, kubernetes.token);
    let tokens = [KubernetesToken::Holder, KubernetesToken::Transitions];
    let choice =
        Control::choice("Clients send as token", None, settings.token, &tokens, token, to_token);
    let hint = match settings.token {
        KubernetesToken::Holder => "A name says who, not who is newer: nothing to compare",
        KubernetesToken::Transitions => {
            "One more with every leader; it works where a storage checks"
        }
    };
    let stops_after = settings.renew_deadline + settings.retry_period;
    let deadline_hint = match stops_after < spec.lease.ttl {
        true => "From the answer the retry period, then this long: then a leader steps down",
        false => "No margin: with the retry period it is as long as the lease",
    };
    let length = |label, now, to| Control::length(label, None, now, MIN_INTERVAL, to);
    vec![
        choice.hinted(hint),
        length("Renew deadline", settings.renew_deadline, field!(spec, kubernetes.renew_deadline))
            .hinted(deadline_hint),
        length("Retry period", settings.retry_period, field!(spec, kubernetes.retry_period))
            .hinted(
                "A leader renews so long after each answer; candidates wait up to 2.2 times it",
            ),
        length("Request timeout", settings.request_timeout, {
            field!(spec, kubernetes.request_timeout)
        })
        .hinted("A renewal without an answer is tried again after it"),
    ]
}

pub(super) fn setting(settings: &KubernetesSettings) -> Vec<String> {
    let usual = KubernetesSettings::default();
    let mut parts = Vec::new();
    if settings.token != usual.token {
        parts.push(format!("token: {}", token(settings.token)));
    }
    let lengths = [
        ("renew deadline", settings.renew_deadline, usual.renew_deadline),
        ("retry period", settings.retry_period, usual.retry_period),
        ("request timeout", settings.request_timeout, usual.request_timeout),
    ];
    for (name, now, usual) in lengths {
        if now != usual {
            parts.push(format!("{name} {}", duration(now)));
        }
    }
    parts
}

//! The controls of a Kafka partition's leader.

use super::field;
use crate::sim::limits::MIN_INTERVAL;
use crate::sim::lock::KafkaLeaderSettings;
use crate::sim::scenario::ScenarioSpec;
use crate::sim::time::SimDuration;
use crate::view_model::controls::Control;
use crate::view_model::words::wording::duration;

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.kafka_leader;
    let length = |label, now, least, to| Control::length(label, None, now, least, to);
    let heartbeat = field!(spec, kafka_leader.heartbeat);
    let looks_every = field!(spec, kafka_leader.looks_every);
    let lag = field!(spec, kafka_leader.metadata_lag);
    let backoff = field!(spec, kafka_leader.retry_backoff);
    vec![
        length("Heartbeat", settings.heartbeat, MIN_INTERVAL, heartbeat)
            .hinted("broker.heartbeat.interval.ms; the session is the time to live"),
        length("The controller looks every", settings.looks_every, MIN_INTERVAL, looks_every)
            .hinted("For sessions that are over: an eighth of the session in Kafka"),
        length(
            "The storage hears of a leader after",
            settings.metadata_lag,
            SimDuration::ZERO,
            lag,
        )
        .hinted("Until then it takes the epoch before, and does not know the new one"),
        length("An unknown epoch is tried again after", settings.retry_backoff, MIN_INTERVAL, {
            backoff
        })
        .hinted("retry.backoff.ms"),
    ]
}

pub(super) fn setting(settings: &KafkaLeaderSettings) -> Vec<String> {
    let usual = KafkaLeaderSettings::default();
    let lengths = [
        ("heartbeat", settings.heartbeat, usual.heartbeat),
        ("controller looks every", settings.looks_every, usual.looks_every),
        ("metadata lag", settings.metadata_lag, usual.metadata_lag),
        ("retry backoff", settings.retry_backoff, usual.retry_backoff),
    ];
    let others = lengths.into_iter().filter(|(_, now, usual)| now != usual);
    others.map(|(name, now, _)| format!("{name} {}", duration(now))).collect()
}

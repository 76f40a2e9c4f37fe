//! The controls of a Kafka producer.

use crate::sim::limits::MIN_INTERVAL;
use crate::sim::lock::{KafkaProducerSettings, TransactionVersion, TransactionalId};
use crate::sim::scenario::ScenarioSpec;
use crate::view_model::controls::Control;
use crate::view_model::controls::field;
use crate::view_model::words::wording::duration;

fn id(id: TransactionalId) -> &'static str {
    match id {
        TransactionalId::Stable => "The same for all",
        TransactionalId::Random => "Random",
    }
}

fn version(version: TransactionVersion) -> &'static str {
    match version {
        TransactionVersion::One => "Version 1",
        TransactionVersion::Two => "Version 2",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.kafka_producer;
    let to_id = field!(spec, kafka_producer.transactional_id);
    let ids = [TransactionalId::Stable, TransactionalId::Random];
    let id_hint = match settings.transactional_id {
        TransactionalId::Stable => "Whoever initialises it last fences the others",
        TransactionalId::Random => "Each producer has an epoch of its own: nobody is fenced",
    };
    let to_version = field!(spec, kafka_producer.version);
    let versions = [TransactionVersion::One, TransactionVersion::Two];
    let version_hint = match settings.version {
        TransactionVersion::One => "A marker carries its transaction's epoch",
        TransactionVersion::Two => "Each transaction ends under an epoch that is one higher",
    };
    let looks_every = field!(spec, kafka_producer.looks_every);
    let backoff = field!(spec, kafka_producer.retry_backoff);
    vec![
        Control::choice("transactional.id", None, settings.transactional_id, &ids, id, to_id)
            .hinted(id_hint),
        Control::choice("Transactions", None, settings.version, &versions, version, to_version)
            .hinted(version_hint),
        Control::length("The coordinator looks every", None, settings.looks_every, MIN_INTERVAL, {
            looks_every
        })
        .hinted("For transactions whose time is over, 10 s in Kafka"),
        Control::length(
            "A producer asks again after",
            None,
            settings.retry_backoff,
            MIN_INTERVAL,
            backoff,
        )
        .hinted("While the transaction before its own is aborted; retry.backoff.ms"),
    ]
}

pub(super) fn setting(settings: &KafkaProducerSettings) -> Vec<String> {
    let usual = KafkaProducerSettings::default();
    let mut parts = Vec::new();
    if settings.transactional_id != usual.transactional_id {
        parts.push("random transactional id".to_owned());
    }
    if settings.version != usual.version {
        parts.push("transactions version 1".to_owned());
    }
    if settings.looks_every != usual.looks_every {
        parts.push(format!("coordinator looks every {}", duration(settings.looks_every)));
    }
    if settings.retry_backoff != usual.retry_backoff {
        parts.push(format!("retry backoff {}", duration(settings.retry_backoff)));
    }
    parts
}

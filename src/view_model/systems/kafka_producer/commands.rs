//! A transactional producer, by Kafka's Java client. Sources: `KafkaProducer` (`initTransactions`,
//! `commitTransaction`), `transaction.timeout.ms` of 60 s, `kafka-transactions.sh`.

use crate::sim::lock::kafka::ProducerEpoch;
use crate::sim::lock::{KafkaProducerSettings, TransactionalId};
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::{origin, transaction};

pub(super) const PRACTICE: Practice = Practice {
    seen: "The client keeps it to itself; kafka-transactions.sh describe shows it",
    token: |_| None,
    defaults,
    whose: "Kafka's",
    takes: "Kafka",
    counter: None,
    commands,
    transaction: transaction::ones_own,
    origin: |_| [origin::KAFKA_PRODUCER; 3],
};

/// `transaction.timeout.ms`; a transaction is committed when its work is done.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.kafka_producer = KafkaProducerSettings::default();
    vec![Change::Ttl(SimDuration::from_secs(60)), Change::Release(true), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let id = match live.scenario.spec().systems.kafka_producer.transactional_id {
        TransactionalId::Stable => "job-7",
        TransactionalId::Random => "$random",
    };
    let timeout = live.ttl_millis();
    let wait = ("CONCURRENT_TRANSACTIONS", "it asks again");
    [
        (
            format!(
                "transactional.id={id}, transaction.timeout.ms={timeout}\n\
                 producer.initTransactions(); producer.beginTransaction()"
            ),
            live.of_asking(
                |token, _| {
                    let ProducerEpoch { id, epoch } = ProducerEpoch::of(token);
                    format!("producerId {id}, epoch {epoch}")
                },
                wait,
                wait,
            ),
        ),
        (
            "# nothing renews a transaction: its time is counted from its start".to_owned(),
            live.of_keeping(
                live.renewed,
                ("", "nothing was renewed"),
                ("INVALID_PRODUCER_EPOCH", "fenced"),
            ),
        ),
        (
            "producer.commitTransaction()".to_owned(),
            live.of_keeping(
                live.released,
                ("", "committed"),
                ("ProducerFencedException", "fenced"),
            ),
        ),
    ]
}

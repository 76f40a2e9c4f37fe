//! The leader of a Kafka partition, by the requests between brokers and by its tools. Sources: its
//! documentation on operations (`kafka-metadata-shell.sh`, graceful shutdown), the protocol's
//! messages (`BrokerHeartbeatRequest`, `PartitionChangeRecord`, `FetchRequest`'s
//! `CurrentLeaderEpoch`), `broker.session.timeout.ms` of 9 s.

use crate::sim::lock::KafkaLeaderSettings;
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::{origin, transaction};
use crate::view_model::words::wording::duration;

pub(super) const PRACTICE: Practice = Practice {
    seen: "In the metadata log, and in each request between brokers: currentLeaderEpoch",
    token: |_| None,
    defaults,
    whose: "Kafka's",
    takes: "The controller",
    counter: None,
    commands,
    transaction: transaction::ones_own,
    // Its tool and its shutdown are told elsewhere than its requests.
    origin: |_| [origin::KAFKA_OPERATIONS, origin::KAFKA_PROTOCOL, origin::KAFKA_OPERATIONS],
};

/// `broker.session.timeout.ms`.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.kafka_leader = KafkaLeaderSettings::default();
    vec![Change::Ttl(SimDuration::from_secs(9)), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let every = duration(live.scenario.spec().systems.kafka_leader.heartbeat);
    [
        (
            "kafka-metadata-shell.sh --snapshot $log cat /image/topics/byName/jobs/7  \
             # the partition's registration"
                .to_owned(),
            live.of_asking(
                |epoch, client| format!("leader={client}, leaderEpoch={epoch}"),
                ("", "a follower"),
                ("", "a follower"),
            ),
        ),
        (
            format!("BrokerHeartbeat(brokerId, brokerEpoch)  # every {every}"),
            live.of_keeping(
                live.renewed,
                ("isFenced: false", "its session lives"),
                ("isFenced: true", "its session is over"),
            ),
        ),
        (
            "kill $broker  # controlled shutdown: wantShutDown: true".to_owned(),
            live.of_keeping(live.released, ("", "another leads"), ("", "it led no more")),
        ),
    ]
}

//! Chubby, by the calls of its client library. Source: M. Burrows 2006, 2.4 (sequencers:
//! `GetSequencer`, `CheckSequencer`), 2.6 (the calls), 2.8 (leases of 12 s).

use crate::sim::lock::{ChubbySettings, Sequencer};
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::{origin, transaction};

pub(super) const PRACTICE: Practice = Practice {
    seen: "GetSequencer() returns name, mode and lock generation; the file's instance is added \
           here",
    token,
    defaults,
    whose: "Chubby's",
    takes: "Chubby",
    counter: None,
    commands,
    transaction: transaction::ones_own,
    origin: |_| [origin::CHUBBY; 3],
};

fn token(spec: &ScenarioSpec) -> Option<&'static str> {
    match spec.systems.chubby.sequencer {
        Sequencer::InstanceAndGeneration => None,
        Sequencer::Generation => {
            Some("The sequencer's lock generation alone: it can fence while the lock's file stands")
        }
    }
}

/// A lock-delay has no default: its user sets one, of up to a minute.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.chubby = ChubbySettings::default();
    vec![Change::Ttl(SimDuration::from_secs(12)), Change::Systems(systems)]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let delay = live.scenario.rules().lock_delay;
    let settings = &live.scenario.spec().systems.chubby;
    [
        (
            format!(
                "h = Open(\"/ls/cell/job-7\", lock_delay = {delay})\nAcquire(h)\nGetSequencer(h)"
            ),
            live.of_asking(
                |token, _| match settings.sequencer {
                    Sequencer::InstanceAndGeneration => format!(
                        "job-7, exclusive, generation {} (instance {})",
                        token.0 & 0xffff_ffff,
                        token.0 >> 32
                    ),
                    Sequencer::Generation => format!("job-7, exclusive, generation {token}"),
                },
                ("", "Acquire blocks"),
                ("", "Acquire blocks"),
            ),
        ),
        (
            "KeepAlive()  # the library's own; the master answers near the lease's end".to_owned(),
            live.of_keeping(live.renewed, ("", "another lease"), ("", "the session has expired")),
        ),
        (
            "Release(h)".to_owned(),
            live.of_keeping(
                live.released,
                ("", "free, without a lock-delay"),
                ("", "not its lock"),
            ),
        ),
    ]
}

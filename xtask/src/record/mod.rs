//! `cargo xtask record SYSTEM`: drives a real lock service on this machine, or software that keeps
//! its jobs or locks in one, and writes down what it does, as tests/recordings/SYSTEM.txt;
//! `cargo xtask record commands` has the page's own commands typed, for tests/recordings/commands.
//! Tests read these files, never a server. It knows nothing of the simulation: what it writes is
//! evidence to hold the simulation to. tests/recordings/README.md says how to read a recording.

mod commands;
mod etcd;
mod gateway;
mod jute;
mod pg;
mod postgres;
mod redis;
mod resp;
mod server;
mod software;
mod writer;
mod zookeeper;

use crate::shell::{Outcome, say, write};
use std::path::Path;
use std::time::Instant;
use writer::Recorder;

/// A system that can be recorded.
struct System {
    name: &'static str,
    /// Starts, drives and stops it. What it started is stopped when it returns, also by an error.
    drive: fn(&mut Recorder) -> Outcome,
}

const SYSTEMS: [System; 14] = [
    System { name: "redis", drive: redis::drive },
    System { name: "postgres", drive: postgres::drive },
    System { name: "etcd", drive: etcd::drive },
    System { name: "zookeeper", drive: zookeeper::drive },
    System { name: "bullmq", drive: software::bullmq },
    System { name: "celery", drive: software::celery },
    System { name: "delayed-job", drive: software::delayed_job },
    System { name: "laravel", drive: software::laravel },
    System { name: "node-redlock", drive: software::node_redlock },
    System { name: "pg-boss", drive: software::pg_boss },
    System { name: "quartz", drive: software::quartz },
    System { name: "rabbitmq", drive: software::rabbitmq },
    System { name: "redis-py", drive: software::redis_py },
    System { name: "sidekiq", drive: software::sidekiq },
];

/// Records the system that the options name, or all.
pub(crate) fn record(options: &[&str]) -> Outcome {
    if let ["commands", names @ ..] = options {
        return commands::record(names);
    }
    for system in chosen(options)? {
        say(&format!("Recording {} (a minute or two)", system.name));
        let started = Instant::now();
        let mut recorder = Recorder::new(system.name);
        (system.drive)(&mut recorder)
            .map_err(|error| format!("{error}\nNothing is written; it came to\n{recorder}"))?;
        let path = format!("tests/recordings/{}.txt", system.name);
        write(Path::new(&path), &recorder.to_string())?;
        say(&format!("{path} is written, after {} s", started.elapsed().as_secs()));
    }
    if let ["all"] = options { commands::record(&[]) } else { Ok(()) }
}

fn chosen(options: &[&str]) -> Outcome<Vec<&'static System>> {
    let names = || SYSTEMS.iter().map(|system| system.name).collect::<Vec<_>>().join(", ");
    match options {
        ["all"] => Ok(SYSTEMS.iter().collect()),
        [name] => match SYSTEMS.iter().find(|system| system.name == *name) {
            Some(system) => Ok(vec![system]),
            None => {
                Err(format!("there is no system `{name}`; there are {}, commands and all", names()))
            }
        },
        _ => Err(format!("record takes the name of one system: {}, commands or all", names())),
    }
}

#[cfg(test)]
mod tests {
    use super::{SYSTEMS, chosen};

    #[test]
    fn one_system_or_all_of_them() {
        assert!(chosen(&["all"]).is_ok_and(|all| all.len() == SYSTEMS.len()));
        assert!(chosen(&["redis"]).is_ok_and(|one| one.len() == 1 && one[0].name == "redis"));
        let unknown = chosen(&["cassandra"]).err();
        assert!(unknown.is_some_and(|text| text.contains("cassandra") && text.contains("redis")));
        assert!(chosen(&[]).is_err());
    }
}

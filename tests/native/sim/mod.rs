//! The simulation, from outside: exact logs, edges, ties, faults, properties, determinism.

mod changes;
mod clients;
mod course;
mod determinism;
mod ends;
mod faults;
mod fence;
mod files;
mod first_scenario;
mod fork;
mod history;
mod leases;
mod limits;
mod not_judged;
pub mod random;
mod reentry;
mod regressions;
mod regressions_random;
mod renewal;
mod resources;
mod seek;
mod settling;
mod silence;
mod systems;
mod unreadable;
mod waiting;

use fenceline::scenarios::GALLERY;
use fenceline::sim::fact::Fact;
use fenceline::sim::id::{ClientId, FaultId};
use fenceline::sim::property::{PropertyId, PropertyState, VerdictKind};
use fenceline::sim::scenario::{CrashScope, Fault, FaultKind, PauseKind, PauseScope, Start};
use fenceline::sim::{Change, LogEntry, Recording, Scenario, SimDuration, SimTime};

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

/// *The paused holder*, without a fence.
fn paused_holder() -> Scenario {
    GALLERY[0].file().base().expect("the gallery's scenarios are valid")
}

/// *The paused holder* with these changes.
fn with(changes: &[Change]) -> Scenario {
    paused_holder().with(changes).expect("the changes fit the scenario")
}

/// Its run.
fn run(changes: &[Change]) -> Recording {
    Recording::of(&with(changes))
}

fn ms(millis: u64) -> SimDuration {
    SimDuration::from_millis(millis)
}

fn at(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

/// The pause of client A takes this long.
fn pause_for(millis: u64) -> Change {
    Change::FaultLength { id: FaultId(1), length: ms(millis) }
}

fn no_fault() -> Change {
    Change::RemoveFault(FaultId(1))
}

fn pause(id: u16, client: ClientId, scope: PauseScope, start: Start, millis: u64) -> Change {
    let kind = PauseKind::Process;
    let kind = FaultKind::Pause { client, scope, kind, start, length: ms(millis) };
    Change::AddFault(fault(id, kind))
}

fn crash(id: u16, client: ClientId, millis: u64, restart_after: Option<u64>) -> Change {
    let restart_after = restart_after.map(ms);
    Change::AddFault(fault(
        id,
        FaultKind::Crash { client, scope: CrashScope::Client, at: at(millis), restart_after },
    ))
}

fn fault(id: u16, kind: FaultKind) -> Fault {
    Fault { id: FaultId(id), label: String::new(), enabled: true, kind }
}

/// The lines of the log whose text holds `part`, without numbers and causes.
fn lines(recording: &Recording, part: &str) -> Vec<String> {
    let text = |entry: &LogEntry| format!("{} {} {}", entry.at, entry.node(), entry.fact);
    let lines = recording.entries().iter().map(text);
    lines.filter(|line| line.contains(part)).collect()
}

fn first(recording: &Recording, test: impl Fn(&Fact) -> bool) -> Option<&LogEntry> {
    recording.entries().iter().find(|entry| test(&entry.fact))
}

fn state(recording: &Recording, id: PropertyId) -> PropertyState {
    let report = recording.properties().iter().find(|report| report.id == id);
    report.expect("every property is reported").state
}

fn is_broken(recording: &Recording, id: PropertyId) -> bool {
    matches!(state(recording, id), PropertyState::Broken { .. })
}

fn verdict(recording: &Recording) -> VerdictKind {
    recording.verdict().kind
}

//! What a run is called beside another: by what it has that the other has not. What is said of runs
//! that reached a limit.

use crate::sim::id::FaultId;
use crate::sim::plain_text;
use crate::sim::recording::RunEnd;
use crate::sim::scenario::{Change, FaultKind, ScenarioSpec, Start, any_setting};

use super::moment::RunNo;
use super::{FencingMode, Runs};
use crate::view_model::systems;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{
    capital, choice, duration, lock_system_inside, plural, step, time,
};

/// The name of a fencing mode.
pub fn fencing(mode: FencingMode) -> &'static str {
    match mode {
        FencingMode::Off => "Off",
        FencingMode::On => "On",
        FencingMode::Both => "Compare both",
    }
}

/// What a run is called where two are compared: `no fence`, `with a fence`, or the value of
/// whatever else differs.
pub fn run_label(runs: &Runs, run: RunNo) -> String {
    let Some(recording) = runs.run(run) else {
        return String::new();
    };
    let spec = recording.scenario().spec();
    match runs.compare.first() {
        // A fence that compares nothing is none.
        None if !recording.scenario().storage().fencing => "no fence".to_owned(),
        None => setting(&runs.words, &Change::Fencing(true), spec),
        Some(change) => setting(&runs.words, change, spec),
    }
}

/// What stands under the storage's name: where the two runs differ in the fence alone, it is one
/// storage that has one or not; where they differ in the lock system, one behind each.
pub fn storage_label(runs: &Runs, run: RunNo) -> String {
    let is_fence = matches!(runs.compare.as_slice(), [Change::Fencing(_)]);
    if matches!(runs.compare.first(), Some(Change::Lock(_))) {
        return format!("with {}", run_label(runs, run));
    }
    let Some(recording) = runs.run(run).filter(|_| is_fence) else {
        return run_label(runs, run);
    };
    match (run, recording.scenario().storage().fencing) {
        (_, true) => "if it has a fence".to_owned(),
        (RunNo::One, false) => "if it has no fence".to_owned(),
        (RunNo::Two, false) => run_label(runs, run),
    }
}

/// The same at the start of a sentence.
pub fn run_label_capital(runs: &Runs, run: RunNo) -> String {
    capital(&run_label(runs, run))
}

/// All that Run 2 has otherwise, in a few words; empty when nothing is compared.
pub fn run_2_has(words: &Words, compare: &[Change], spec: &ScenarioSpec) -> String {
    let all: Vec<_> = compare.iter().map(|change| setting(words, change, spec)).collect();
    all.join(", ")
}

/// What a scenario has where a change would set something.
fn setting(words: &Words, change: &Change, spec: &ScenarioSpec) -> String {
    match change {
        any_setting!() => choice::of_setting(change, spec),
        Change::Lock(_) => lock_system_inside(spec.lock),
        Change::Product(_) => {
            spec.product.as_deref().map_or("no product".to_owned(), plain_text::one_line)
        }
        Change::Systems(_) => systems::setting(spec),
        Change::AsksAt { client, .. } => match spec.clients.get(client.index()) {
            Some(entry) => {
                format!("{client} asks at {}", time(entry.asks_at), client = words.short(client))
            }
            None => format!("without {client}", client = words.short(client)),
        },
        Change::ClientTtl { client, .. } => {
            let own = spec.clients.get(client.index()).and_then(|entry| entry.ttl);
            let ttl = duration(own.unwrap_or(spec.lease.ttl));
            format!("{client}'s TTL {ttl}", client = words.short(client))
        }
        Change::SessionAt { client, .. } => {
            let entry = spec.clients.get(client.index());
            let at = entry.map(|entry| entry.session_at.unwrap_or(entry.asks_at));
            let at = time(at.unwrap_or_default());
            format!("{client}'s session from {at}", client = words.short(client))
        }
        Change::AddClient(_) | Change::RemoveLastClient => {
            plural(spec.clients.len() as u64, "client", "clients")
        }
        Change::AddFault(fault) | Change::ReplaceFault(fault) => {
            fault_setting(words, fault.id, spec)
        }
        Change::RemoveFault(id) | Change::EnableFault { id, .. } => fault_setting(words, *id, spec),
        Change::FaultStart { id, .. } => {
            let start = spec.faults.iter().find(|f| f.id == *id).map(|f| starts(&f.kind));
            fault_setting(words, *id, spec) + &start.unwrap_or_default()
        }
        Change::FaultLength { id, .. } => {
            let length = spec.faults.iter().find(|f| f.id == *id).and_then(|f| f.kind.length());
            let length = length.map(|length| format!(", {}", duration(length)));
            fault_setting(words, *id, spec) + &length.unwrap_or_default()
        }
    }
}

/// Where a fault begins: ` at 2.0 s`, ` between its check and its write`.
fn starts(kind: &FaultKind) -> String {
    match (kind, kind.starts_at()) {
        (_, Some(at)) => format!(" at {}", time(at)),
        (FaultKind::Pause { start: Start::Step { step: place, .. }, .. }, None) => {
            format!(" {}", step(*place))
        }
        (_, None) => String::new(),
    }
}

fn fault_setting(words: &Words, id: FaultId, spec: &ScenarioSpec) -> String {
    let found = spec.faults.iter().find(|f| f.id == id && f.enabled);
    found.map_or("without the fault".to_owned(), |found| match found.kind {
        // Two restarts differ in what they lose.
        FaultKind::ServiceRestart { loses, .. } => {
            format!("restart loses {}", choice::loses(loses).to_ascii_lowercase())
        }
        _ => format!("with {}", words.fault(&found.kind)),
    })
}

/// What is said of runs that reached a limit; `None` where none did.
pub fn limit_note(runs: &Runs) -> Option<String> {
    let mut shown = runs.shown();
    let (_, stopped) = shown.find(|(_, run)| run.run_end() == RunEnd::Limit)?;
    let (count, at) = (stopped.log().n_entries(), time(stopped.ends_at()));
    Some(format!(
        "This run was stopped at {at}: it reached the limit of what one run may hold ({count} \
         entries). What lies behind is not shown."
    ))
}

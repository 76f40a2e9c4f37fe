//! What was observed, beside what is simulated: the lines as the page lists them, how far each lies
//! from the simulated event of its kind, and the fault whose end it sets.

use crate::sim::fact::{Fact, LeaseEnd, Said};
use crate::sim::id::NodeId;
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;
use crate::sim::plain_text::one_line;
use crate::sim::recording::Recording;
use crate::sim::scenario::{Fault, FaultEnd, Observed, ObservedKind, ScenarioFile, ScenarioSpec};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::controls::amount;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::setup::new_fault::has_stretch;
use crate::view_model::words::names::Words;
use crate::view_model::words::wording;

/// The name of a kind.
pub fn kind_name(kind: ObservedKind) -> &'static str {
    match kind {
        ObservedKind::Asked => "Asked for the lock",
        ObservedKind::Granted => "Granted",
        ObservedKind::Renewed => "Renewed",
        ObservedKind::Expired => "Lease over",
        ObservedKind::Released => "Released",
        ObservedKind::WriteAccepted => "Write accepted",
        ObservedKind::WriteRefused => "Write refused",
        ObservedKind::Paused => "Stopped",
        ObservedKind::Resumed => "Went on",
        ObservedKind::Crashed => "Crashed",
    }
}

/// When a line was observed: its time of day where the start is known.
pub fn when(words: &Words, at: SimTime) -> String {
    match words.clock {
        Some(clock) => clock.time_of_day(at, if at.micros().is_multiple_of(1_000) { 3 } else { 6 }),
        None => wording::time(at),
    }
}

/// A line in words: `10:00:12.500 · billing-7 · lease lost`.
pub fn line_words(words: &Words, line: &Observed) -> String {
    let actor = line.actor.map(|actor| format!(" · {}", words.actor(actor)));
    let text = one_line(&line.text);
    format!("{}{} · {text}", when(words, line.at), actor.unwrap_or_default())
}

/// What was observed of a kind, as an entry of a log, and whose it is.
fn kind_of(entry: &LogEntry) -> Option<(ObservedKind, NodeId)> {
    let here = |is: bool, kind| is.then_some((kind, entry.node()));
    let of = |kind, client| Some((kind, NodeId::Client(client)));
    match entry.fact {
        Fact::Message(_, fact) => {
            here(fact.sent().is_some_and(MessageKind::is_a_try), ObservedKind::Asked)
        }
        Fact::Fault(_, fact) => here(fact.paused().is_some(), ObservedKind::Paused)
            .or(here(fact.crashed().is_some(), ObservedKind::Crashed)),
        Fact::Client(_, fact) => here(fact.wakes().is_some(), ObservedKind::Resumed),
        Fact::Service(_, fact) => {
            if let Some((grant, _)) = fact.made() {
                return of(ObservedKind::Granted, grant.client);
            }
            if let Some(renewed) = fact.renewed().filter(|renewed| renewed.taken) {
                return of(ObservedKind::Renewed, renewed.client);
            }
            let (grant, how) = fact.ended()?;
            let kind = match how {
                LeaseEnd::Released | LeaseEnd::ReleasedBy(_) | LeaseEnd::Settled(_) => {
                    ObservedKind::Released
                }
                LeaseEnd::Expired
                | LeaseEnd::TakenOver
                | LeaseEnd::Disconnected
                | LeaseEnd::Forgotten
                | LeaseEnd::Overtaken => ObservedKind::Expired,
            };
            of(kind, grant.client)
        }
        Fact::Store(_, fact) => match fact.written()? {
            (written, Said::Applied { .. }) => {
                of(ObservedKind::WriteAccepted, written.write.client)
            }
            (written, Said::Refused { .. }) => of(ObservedKind::WriteRefused, written.write.client),
            (_, Said::Known) => None,
        },
    }
}

/// The simulated event of a line's kind that is nearest in time. A line of the service's or the
/// storage's own log is compared with what happens there, whoever it is about.
pub fn simulated(run: &Recording, line: &Observed) -> Option<SimTime> {
    let wanted = line.is?;
    let is_meant = |entry: &&LogEntry| {
        kind_of(entry).is_some_and(|(kind, who)| {
            let here = |actor| who == actor || entry.node() == actor;
            kind == wanted && line.actor.is_none_or(here)
        })
    };
    let all = run.entries().iter().filter(is_meant);
    all.map(|entry| entry.at).min_by_key(|at| apart(*at, line.at))
}

fn apart(one: SimTime, other: SimTime) -> SimDuration {
    one.max(other).since(one.min(other))
}

/// How a line differs from the runs; empty where it is compared with nothing.
pub fn difference(runs: &Runs, line: &Observed) -> String {
    if line.is.is_none() {
        return String::new();
    }
    let of_run = |at: Option<SimTime>| match at {
        None => "no such event".to_owned(),
        Some(at) if at == line.at => "at the same time".to_owned(),
        Some(at) => {
            let way = if at > line.at { "later" } else { "earlier" };
            format!("{} {way}, at {}", wording::duration(apart(at, line.at)), wording::time(at))
        }
    };
    let of_runs = runs.shown().map(|(run, recording)| (run, simulated(recording, line)));
    let of_runs: Vec<_> = of_runs.collect();
    match of_runs.as_slice() {
        [(_, one), (_, two)] if one != two => {
            let told = |(run, at): &(RunNo, _)| format!("{}: {}", run.name(), of_run(*at));
            of_runs.iter().map(told).collect::<Vec<_>>().join(" · ")
        }
        // One run, or two that say the same.
        all => all.first().map_or(String::new(), |(_, at)| format!("Simulated: {}", of_run(*at))),
    }
}

/// The ends of faults that a line can set, with their names.
pub fn ends(words: &Words, spec: &ScenarioSpec) -> Vec<(FaultEnd, String)> {
    let mut ends = Vec::new();
    for fault in &spec.faults {
        let name = amount::fault_name(words, fault.id, spec);
        if fault.kind.starts_at().is_some() {
            ends.push((FaultEnd::Start(fault.id), format!("Start of {name}")));
            let is_stretch = has_stretch(&fault.kind);
            if is_stretch {
                ends.push((FaultEnd::End(fault.id), format!("End of {name}")));
            }
        }
    }
    ends
}

/// A fault with one of its ends at an instant; the other stays where it is, unless it would be
/// passed. `None` if it has no such end.
pub fn with_end(fault: &Fault, end: FaultEnd, at: SimTime) -> Option<Fault> {
    let mut moved = fault.clone();
    let from = fault.kind.starts_at()?;
    let to = fault.kind.length().map(|length| from + length);
    match end {
        FaultEnd::Start(_) => {
            moved.kind.start_at(at);
            if let Some(to) = to.filter(|_| has_stretch(&fault.kind)) {
                moved.kind.set_length(to.since(at));
            }
        }
        FaultEnd::End(_) => {
            to?;
            moved.kind.set_length(at.since(from));
        }
    }
    Some(moved)
}

/// The file after a line has set the end of a fault, and remembers which.
///
/// # Errors
/// If the fault has no such end; says what would be right.
pub fn set_end(
    file: &ScenarioFile,
    index: usize,
    end: Option<FaultEnd>,
) -> Result<ScenarioFile, String> {
    let mut changed = file.clone();
    let Some(line) = changed.incident.observed.get_mut(index) else {
        return Ok(changed);
    };
    line.sets = end;
    let at = line.at;
    let Some(FaultEnd::Start(id) | FaultEnd::End(id)) = end else {
        return Ok(changed);
    };
    let mut faults = changed.scenario.faults.iter_mut();
    let Some(fault) = faults.find(|fault| fault.id == id) else {
        return Ok(changed);
    };
    match end.and_then(|end| with_end(fault, end, at)) {
        Some(moved) => *fault = moved,
        None => {
            return Err(no_such_end(
                fault,
                &amount::fault_name(&Words::of(&file.incident, &file.scenario), id, &file.scenario),
            ));
        }
    }
    Ok(changed)
}

fn no_such_end(fault: &Fault, name: &str) -> String {
    match fault.kind.starts_at() {
        None => format!("“{name}” begins at a step, not at a time: let it begin at a time first"),
        Some(_) => format!("“{name}” has no end: give it one first"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::fact::FaultFact;
    use crate::sim::id::{ClientId, FaultId, LockNodeId};
    use crate::sim::scenario::{FaultKind, NamedStep, Start};

    const A: NodeId = NodeId::Client(ClientId(0));
    const PAUSE: FaultId = FaultId(1);

    fn line(millis: u64, actor: Option<NodeId>, is: Option<ObservedKind>) -> Observed {
        let at = SimTime::from_millis(millis);
        Observed { at, actor, text: "x".to_owned(), is, sets: None }
    }

    #[test]
    fn a_line_is_compared_with_the_nearest_event_of_its_kind() {
        let runs = Runs::of(&GALLERY[0].file()).expect("valid");
        let words = |line: Observed| difference(&runs, &line);
        assert_eq!(words(line(3_000, Some(A), None)), "");
        let paused = runs
            .run_1
            .entries()
            .iter()
            .find(|entry| matches!(entry.fact, Fact::Fault(_, FaultFact::Paused { .. })));
        let at = paused.expect("A is paused").at;
        let millis = at.micros() / 1_000;
        let is = Some(ObservedKind::Paused);
        assert_eq!(words(line(millis, Some(A), is)), "Simulated: at the same time");
        let early = words(line(millis - 250, Some(A), is));
        assert!(early.starts_with("Simulated: 250 ms later, at "), "{early}");
        let b = Some(NodeId::Client(ClientId(1)));
        assert_eq!(words(line(millis, b, is)), "Simulated: no such event");
        // What happens at the service is told by its own log, too.
        let service = Some(NodeId::Lock(LockNodeId(0)));
        let granted = words(line(100, service, Some(ObservedKind::Granted)));
        assert!(!granted.contains("no such event"), "{granted}");
        // The fence makes the difference.
        let refused = words(line(17_100, Some(A), Some(ObservedKind::WriteRefused)));
        assert_eq!(refused, "Run 1: no such event · Run 2: at the same time");
    }

    #[test]
    fn a_line_sets_either_end_of_a_fault() {
        let mut file = GALLERY[0].file();
        let before = file.scenario.faults[0].clone();
        let from = before.kind.starts_at().expect("it has a start");
        let to = from + before.kind.length().expect("it has a length");
        file.incident.observed = vec![line(5_000, None, None)];
        let at = SimTime::from_millis(5_000);
        let set = |file: &ScenarioFile, end| set_end(file, 0, end).expect("it has both ends");
        let start = set(&file, Some(FaultEnd::Start(PAUSE)));
        let kind = &start.scenario.faults[0].kind;
        assert_eq!((kind.starts_at(), kind.length()), (Some(at), Some(to.since(at))));
        assert_eq!(start.incident.observed[0].sets, Some(FaultEnd::Start(PAUSE)));
        let end = set(&file, Some(FaultEnd::End(PAUSE)));
        let kind = &end.scenario.faults[0].kind;
        assert_eq!((kind.starts_at(), kind.length()), (Some(from), Some(at.since(from))));
        let none = set(&start, None);
        assert_eq!(none.scenario, start.scenario, "what was set stays");
        assert_eq!(set_end(&file, 7, Some(FaultEnd::End(PAUSE))).as_ref(), Ok(&file));
        assert!(end.validate().is_ok());
        let names: Vec<_> =
            ends(&Words::default(), &file.scenario).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["Start of Client A pause", "End of Client A pause"]);
        let at_step = Start::Step { step: NamedStep::BeforeWrite, nth: 1 };
        if let FaultKind::Pause { start, .. } = &mut file.scenario.faults[0].kind {
            *start = at_step;
        }
        let error = set_end(&file, 0, Some(FaultEnd::End(PAUSE))).expect_err("at a step");
        assert!(error.contains("“Client A pause” begins at a step"), "{error}");
    }
}

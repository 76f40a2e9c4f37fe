//! What the bad event of a run does not happen without, in a sentence and as JSON for the command
//! line. The search is `explore`'s; when it runs is the page's.

use serde::Serialize;

use crate::explore::causes::AbsentFence;
use crate::explore::{BadEvent, Cause, CauseSearch, CauseSet, Causes, Outcome};
use crate::sim::SimTime;
use crate::sim::fact::Fact;
use crate::sim::id::{FaultId, NodeId};
use crate::sim::plain_text::with_escapes;
use crate::sim::property::VerdictKind;
use crate::sim::recording::Recording;
use crate::sim::scenario::{
    CrashScope, Fault, FaultKind, PauseScope, Renew, ScenarioSpec, Setting, Start,
};
use crate::view_model::words::names::Words;
use crate::view_model::words::outcome_words::{self, is_safe};
use crate::view_model::words::struck::shift;
use crate::view_model::words::wording::{self, duration, plural, time};

/// The causes of one run in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CauseText {
    /// Whole sentences: what it does not happen without, and what the absent fence would have done.
    pub text: String,
    /// What they rest on: `Found by 3 runs.`
    pub based_on: String,
}

impl CauseText {
    /// What there is, a line each.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        [self.text.as_str(), self.based_on.as_str()].into_iter().filter(|line| !line.is_empty())
    }
}

/// What a search that is over has found; `None`: nothing bad happened.
pub fn told(words: &Words, recording: &Recording, search: &CauseSearch) -> Option<CauseText> {
    search.event()?;
    let causes = search.found();
    let spec = recording.scenario().spec();
    let sentences = [sets(words, recording, causes), fence(causes, spec)];
    let sentences: Vec<_> = sentences.into_iter().filter(|text| !text.is_empty()).collect();
    Some(CauseText { text: sentences.join(" "), based_on: based_on(causes) })
}

/// What is said of a run that is too long to be run again and again; `None`: nothing bad happened.
pub fn not_searched(recording: &Recording) -> Option<CauseText> {
    BadEvent::of(recording)?;
    let text = "Its causes are not searched here: the run is too long to be made again and again. \
                `fenceline run --causes` does."
        .to_owned();
    Some(CauseText { text, based_on: String::new() })
}

/// The causes as text for the command line, a line each.
pub fn text(words: &Words, recording: &Recording, search: &CauseSearch) -> String {
    match told(words, recording, search) {
        Some(told) => told.lines().map(|line| format!("{line}\n")).collect(),
        None => "Nothing bad happened in this run.\n".to_owned(),
    }
}

/// The causes as one line of JSON.
pub fn json_line(words: &Words, recording: &Recording, search: &CauseSearch) -> String {
    #[derive(Serialize)]
    struct Set {
        causes: Vec<String>,
        without: &'static str,
        in_each_seed: bool,
    }
    #[derive(Serialize)]
    struct Found {
        sets: Vec<Set>,
        runs: u32,
        complete: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    }
    let causes = search.found();
    let set = |set: &CauseSet| Set {
        causes: set.causes.iter().map(|cause| named(words, recording, *cause)).collect(),
        without: outcome_words::words(set.without.kind, set.without.by_luck).name,
        in_each_seed: set.in_each_seed,
    };
    let found = Found {
        sets: causes.sets.iter().map(set).collect(),
        runs: causes.n_runs,
        complete: is_complete(causes),
        text: told(words, recording, search).map(|told| told.text),
    };
    with_escapes(&serde_json::to_string(&found).expect("plain data always serialises")) + "\n"
}

fn is_complete(causes: &Causes) -> bool {
    causes.stopped_after.is_none() && causes.n_untried == 0
}

fn based_on(causes: &Causes) -> String {
    let mut text = match causes.n_runs {
        0 => String::new(),
        runs => format!("Found by {}.", plural(u64::from(runs), "run", "runs")),
    };
    if let Some(steps) = causes.stopped_after {
        text += &format!(" The search was stopped after {steps} steps: not all was tried.");
    }
    if causes.n_untried > 0 {
        let sets = plural(u64::from(causes.n_untried), "combination", "combinations");
        text += &format!(" {sets} could not be tried.");
    }
    text
}

fn sets(words: &Words, recording: &Recording, causes: &Causes) -> String {
    let of_set = |set: &CauseSet| {
        let names = set.causes.iter().map(|cause| named(words, recording, *cause));
        names.collect::<Vec<_>>().join(" and ")
    };
    let Some(first) = causes.sets.first() else {
        return nothing(causes);
    };
    let names: Vec<String> = causes.sets.iter().map(of_set).collect();
    let alike = causes.sets.iter().all(|set| comes_to(set) == comes_to(first));
    if !alike {
        let each = names.iter().zip(&causes.sets);
        let each = each.map(|(name, set)| format!("{name} (without it {})", comes_to(set)));
        return format!("Causes: {}.", each.collect::<Vec<_>>().join("; "));
    }
    let (result, together) = (comes_to(first), first.causes.len() > 1);
    let list = names.join("; ");
    match (names.len(), together) {
        (1, false) => format!("Cause: {list}. Without it {result}."),
        (2, false) => format!("Causes: {list}. Without either {result}."),
        (_, false) => format!("Causes: {list}. Without any one of them {result}."),
        (1, true) => format!("Causes together: {list}. Only without all of them {result}."),
        (_, true) => {
            format!("Causes, each group together: {list}. Only without a whole group {result}.")
        }
    }
}

/// What is said where no set was found.
fn nothing(causes: &Causes) -> String {
    if causes.stopped_after.is_some() {
        return "Nothing was found yet that this needs.".to_owned();
    }
    match (causes.n_candidates, causes.tried_together) {
        (0, _) => "Nothing could be taken out: no fault strikes, and of the settings that have a \
                   neutral value none is off it. Those of the lock system alone have none, and are \
                   not tried."
            .to_owned(),
        (_, 0 | 1) => "It happens without any fault or setting that could be taken out.".to_owned(),
        (_, 2) => {
            "It happens without any one or two of the faults and settings that could be taken \
             out."
                .to_owned()
        }
        (_, _) => "It happens without any one, two or three of the faults and settings that could \
                   be taken out."
            .to_owned(),
    }
}

/// What the run without comes to, as a clause.
fn comes_to(set: &CauseSet) -> String {
    let clause = came_to(set.without);
    match set.in_each_seed {
        true => clause,
        false => format!("{clause}, in this run"),
    }
}

fn came_to(outcome: Outcome) -> String {
    match (is_safe(outcome.kind), outcome.by_luck) {
        _ if outcome.kind == VerdictKind::SafeSoFar => "the run is safe so far".to_owned(),
        (true, false) => "the run is safe".to_owned(),
        (true, true) => "the run is safe by luck".to_owned(),
        (false, _) => {
            let name = outcome_words::words(outcome.kind, outcome.by_luck).name;
            format!("this does not happen, and the run comes to “{name}” instead")
        }
    }
}

fn fence(causes: &Causes, spec: &ScenarioSpec) -> String {
    let (absent, with) = match spec.storage.fencing {
        true => ("Not every storage checks tokens", "if all did,"),
        false => ("There is no fence", "with one"),
    };
    match causes.fence {
        None => String::new(),
        Some(AbsentFence::WouldStop(outcome)) => {
            format!("{absent}; {with} {}.", came_to(outcome))
        }
        Some(AbsentFence::WouldNotStop) => format!("{absent}; {with} this would still happen."),
    }
}

/// A cause as a noun: `A's pause of 15.0 s at 2.0 s`.
fn named(words: &Words, recording: &Recording, cause: Cause) -> String {
    let spec = recording.scenario().spec();
    match cause {
        Cause::Setting(setting) => off_neutral(setting, spec).to_owned(),
        Cause::Fault(id) => {
            let fault = spec.faults.iter().find(|fault| fault.id == id);
            fault.map_or(String::new(), |fault| named_fault(words, fault, began(recording, id)))
        }
    }
}

/// When a fault began in a run, by its log.
fn began(recording: &Recording, id: FaultId) -> Option<SimTime> {
    let begun = recording.log().first_of(id)?;
    // A restart alone is told where the crash came first.
    let is_end = matches!(begun.fact, Fact::Fault(_, fact) if fact.restarted().is_some());
    (!is_end).then_some(begun.at)
}

fn named_fault(words: &Words, fault: &Fault, began: Option<SimTime>) -> String {
    let at = began.map_or(String::new(), |at| format!(" at {}", time(at)));
    let node = |id| words.node(id);
    match &fault.kind {
        FaultKind::Pause { client, scope, start, length, .. } => {
            let who = node(NodeId::Client(*client));
            let part = match scope {
                PauseScope::Client => "",
                PauseScope::Worker => " worker's",
                PauseScope::Renewer => " renewer's",
            };
            let place = match start {
                Start::At(_) => at,
                Start::Step { step, .. } => format!(" {}", wording::step(*step)),
            };
            format!("{who}'s{part} pause of {}{place}", duration(*length))
        }
        FaultKind::Crash { client, scope, .. } => {
            let who = node(NodeId::Client(*client));
            let part = if *scope == CrashScope::Worker { " worker's" } else { "" };
            format!("{who}'s{part} crash{at}")
        }
        FaultKind::Delay { message, by } => {
            format!("the delay of {} by {}", words.addressed(message), duration(*by))
        }
        FaultKind::Lose { message } => format!("the loss of {}", words.addressed(message)),
        FaultKind::Duplicate { message, .. } => {
            format!("the second arrival of {}", words.addressed(message))
        }
        FaultKind::Cut { a, b, length, .. } => {
            let ends = format!("{} and {}", words.inside(*a), words.inside(*b));
            format!("the cut of {} between {ends}{at}", duration(*length))
        }
        FaultKind::ClockJump { node: whose, by, .. } => {
            let whose = words.inside(*whose);
            format!("{whose}'s clock set {}{at}", shift(*by))
        }
        FaultKind::ClockRate { node: whose, .. } => {
            format!("{}'s clock rate", words.inside(*whose))
        }
        FaultKind::ServiceRestart { node: Some(one), .. } => {
            format!("{}'s restart{at}", words.inside(NodeId::Lock(*one)))
        }
        FaultKind::ServiceRestart { node: None, .. } => {
            format!("the lock service's restart{at}")
        }
        FaultKind::Failover { .. } => format!("the failover{at}"),
        FaultKind::StoreRestart { store, .. } => {
            format!("{}'s restart{at}", words.inside(NodeId::Store(*store)))
        }
        FaultKind::ConnectionLost { client, .. } => {
            format!("the loss of {}'s connection{at}", node(NodeId::Client(*client)))
        }
    }
}

/// What a set-up has where a setting is not at its neutral value, as a noun.
fn off_neutral(setting: Setting, spec: &ScenarioSpec) -> &'static str {
    match setting {
        Setting::Renew => match renews_nowhere(spec) {
            true => "renewal being off",
            false => "renewal at another time than every third of the time to live",
        },
        Setting::RenewFailure => "a renewer that does not simply try again",
        Setting::Deadline => "a client's own deadline",
        Setting::OnLoss => "a worker that stops when the lock is lost",
        Setting::Check => "the check before the write",
        Setting::RereadsToken => "a token that is read again before the write",
        Setting::Wait => "polling instead of a queue",
        Setting::Session => "a waiter's session of its own",
        Setting::Identity => "a name that several bear",
        Setting::Retries => "the retries",
        Setting::OnConflict => "another try after a refused compare-and-set",
        Setting::Reenters => "a lock that is taken again inside",
        Setting::RefusedRelease => "a refused release that is sent again",
        Setting::ReleaseEarly => "a release before the work is done",
        Setting::Timeout => "the time-out of requests",
        Setting::TokenSource => "tokens from another source than a plain counter",
        Setting::OwnerCheck => "the owner check being off",
        Setting::Expiry => "expiry that the service does not judge",
        Setting::ServiceClock => "a service that goes by its wall clock",
        Setting::ConnectionBound => "a lease that lives with its connection",
        Setting::TwoSteps => "an acquire in two steps",
        Setting::WaiterCheck => "a waiter that is not looked at before its grant",
        Setting::HandOff => "a hand-off at random",
        Setting::Seal => "the seal",
        Setting::Idempotent => "a storage that ignores what it knows",
        Setting::CheckGap => "a check and a write in two steps",
        Setting::Durable => "a fence that a restart forgets",
        Setting::MissingRow => "the row being missing",
        // These have no neutral value, and are no causes.
        Setting::DeadlineMargin
        | Setting::DeadlineRateError
        | Setting::Operation
        | Setting::Piece
        | Setting::Work
        | Setting::WorkKind
        | Setting::Whole
        | Setting::WritesPerGrant
        | Setting::Release
        | Setting::Repeat
        | Setting::Ttl
        | Setting::FirstToken
        | Setting::LockDelay
        | Setting::Grace
        | Setting::Fencing
        | Setting::Rule
        | Setting::Stores
        | Setting::UncheckedStores
        | Setting::Resource
        | Setting::Seed
        | Setting::Length
        | Setting::Latency => "",
    }
}

fn renews_nowhere(spec: &ScenarioSpec) -> bool {
    spec.clients.iter().all(|client| client.settings(&spec.defaults).renew == Renew::Off)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Budget;
    use crate::scenarios::GALLERY;
    use crate::sim::{Change, Scenario, SimDuration};

    fn first() -> Scenario {
        GALLERY[0].file().base().expect("the gallery is valid")
    }

    fn said(scenario: &Scenario) -> CauseText {
        let recording = Recording::of(scenario);
        let search = CauseSearch::new(&recording).finish();
        told(&Words::default(), &recording, &search).expect("something bad happened")
    }

    #[test]
    fn the_first_scenario_names_the_pause_and_the_fence() {
        let said = said(&first());
        assert_eq!(
            said.text,
            "Cause: A's pause of 15.0 s at 2.0 s. Without it the run is safe. There is no fence; \
             with one the run is safe."
        );
        assert_eq!(said.based_on, "Found by 2 runs.");
    }

    #[test]
    fn two_that_would_each_do_are_named_together() {
        let again = Fault { id: FaultId(2), ..first().spec().faults[0].clone() };
        let twice = first().with(&[Change::AddFault(again)]).expect("it fits");
        let expected = "Causes together: A's pause of 15.0 s at 2.0 s and A's pause of 15.0 s at \
                        2.0 s. Only without all of them the run is safe. There is no fence; with \
                        one the run is safe.";
        assert_eq!(said(&twice).text, expected);
    }

    #[test]
    fn what_was_not_tried_is_said() {
        let recording = Recording::of(&first());
        let search = CauseSearch::new(&recording).within(Budget::of_steps(5)).finish();
        let told = told(&Words::default(), &recording, &search).expect("it is corrupted");
        assert_eq!(told.text, "Nothing was found yet that this needs.");
        assert!(told.based_on.ends_with("stopped after 5 steps: not all was tried."));
    }

    #[test]
    fn every_setting_with_a_neutral_value_has_a_name() {
        let spec = first().spec().clone();
        for setting in Setting::ALL {
            let is_named = !off_neutral(*setting, &spec).is_empty();
            assert_eq!(is_named, setting.neutral().is_some(), "{setting:?}");
        }
    }

    #[test]
    fn a_safe_run_has_none() {
        let safe = first()
            .with(&[Change::FaultLength { id: FaultId(1), length: SimDuration::from_secs(1) }]);
        let recording = Recording::of(&safe.expect("it fits"));
        assert_eq!(
            told(&Words::default(), &recording, &CauseSearch::new(&recording).finish()),
            None
        );
    }
}

//! What the bad event of a run does not happen without, in a sentence and as JSON for the command
//! line. The search is `explore`'s; when it runs is the page's.

use serde::Serialize;

use crate::explore::causes::AbsentFence;
use crate::explore::{BadEvent, Cause, CauseSearch, CauseSet, Causes, Outcome};
use crate::sim::fact::Fact;
use crate::sim::id::{ClientId, FaultId, NodeId};
use crate::sim::lock::info;
use crate::sim::plain_text::with_escapes;
use crate::sim::property::VerdictKind;
use crate::sim::recording::Recording;
use crate::sim::scenario::{
    ClientSpec, CrashScope, Fault, FaultKind, PauseScope, Ratio, Renew, ScenarioSpec, Setting,
    Start,
};
use crate::sim::{Scenario, SimTime};
use crate::view_model::systems;
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
    let sentences = [sets(words, recording, causes), fence(causes, recording.scenario())];
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
    // Every smaller set was tried before these; of larger ones nothing is known.
    let fewer = if is_complete(causes) { "; without fewer it still happens" } else { "" };
    let list = names.join("; ");
    match (names.len(), together) {
        (1, false) => format!("Cause: {list}. Without it {result}."),
        (2, false) => format!("Causes: {list}. Without either {result}."),
        (_, false) => format!("Causes: {list}. Without any one of them {result}."),
        (1, true) => {
            let all = if first.causes.len() == 2 { "both" } else { "all of them" };
            format!("Causes together: {list}. Without {all} {result}{fewer}.")
        }
        (_, true) => {
            format!("Causes, each group together: {list}. Without a whole group {result}{fewer}.")
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
                   neutral value none is off it."
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
        false => format!("{clause}, with this seed"),
    }
}

fn came_to(outcome: Outcome) -> String {
    match (is_safe(outcome.kind), outcome.by_luck) {
        _ if outcome.kind == VerdictKind::SafeSoFar => "the run is safe so far".to_owned(),
        (true, false) => "the run is safe".to_owned(),
        (true, true) => "the run is safe by luck".to_owned(),
        // Other damage, and not this.
        (false, _) if outcome.kind == VerdictKind::Corrupted => {
            "this does not happen, and other damage does".to_owned()
        }
        (false, _) => {
            let name = outcome_words::words(outcome.kind, outcome.by_luck).name;
            format!("this does not happen, and the run comes to “{name}” instead")
        }
    }
}

fn fence(causes: &Causes, scenario: &Scenario) -> String {
    let storage = scenario.storage();
    let n_unchecked = storage.unchecked_stores.of(storage.stores).count();
    let (absent, with) = match (storage.fencing, storage.stores) {
        (false, _) => ("There is no fence", "with one"),
        (true, 1) => ("The storage does not check tokens", "if it did,"),
        (true, n_stores) if n_unchecked == usize::from(n_stores) => {
            ("No storage checks tokens", "if all did,")
        }
        (true, _) => ("Not every storage checks tokens", "if all did,"),
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
        Cause::Setting(Setting::Renew) => renewal(words, spec),
        Cause::Setting(setting) => off_neutral(setting).to_owned(),
        Cause::OfSystem(name) => {
            let set = systems::set_off_neutral(spec, name);
            format!("the setting “{set}” of {}", info(spec.lock).name)
        }
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
    let at = match (began, fault.kind.starts_at()) {
        (Some(at), _) => format!(" at {}", time(at)),
        // The node before lives on, and writes nothing of it into its log.
        (None, Some(at)) if matches!(fault.kind, FaultKind::Failover { .. }) => {
            format!(" at {}", time(at))
        }
        // In this run it finds what another one has already brought about.
        (None, Some(at)) => format!(" set for {}", time(at)),
        (None, None) => String::new(),
    };
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
            let ends = words.ends(*a, *b);
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
            format!("{}'s restart{at}", words.the_service())
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
fn off_neutral(setting: Setting) -> &'static str {
    match setting {
        Setting::Renew => "renewal",
        Setting::RenewFailure => "a renewer that does not simply try again",
        Setting::Deadline => "a client's own deadline",
        Setting::OnLoss => "a worker that stops when the lock is lost",
        Setting::RenewCap => "a client that renews for a limited time",
        Setting::RenewedBy => "renewal by the worker",
        Setting::Progress => "a renewer that waits for its worker's next step",
        Setting::StartsAfter => "a lease that runs before the work begins",
        Setting::RenewsWaiting => "a lease that is not renewed before the work begins",
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
        Setting::Cap => "a service that lets a lease be renewed for a limited time",
        Setting::MinHold => "a lock that is held for a least time",
        Setting::Expiry => "expiry that the service does not judge",
        Setting::ServiceClock => "a service that goes by its wall clock",
        Setting::Ends => "the end of a lease that nobody acts on in time",
        Setting::SettleAt => "settling before the work",
        Setting::SettleCheck => "settling that does not ask whose delivery it is",
        Setting::SettleRefusal => "a refused settling that nobody hears of",
        Setting::MaxDeliveries => "the limit of deliveries",
        Setting::Late => "a holder that is refused once its time is over",
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
        | Setting::Item
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

/// Whose renewal is off, and whose is at another time than usual: `renewal being off`, `A's renewal
/// being off`.
fn renewal(words: &Words, spec: &ScenarioSpec) -> String {
    let renew_of = |client: &ClientSpec| client.settings(&spec.defaults).renew;
    let of_whom = |is_so: fn(Renew) -> bool| {
        let clients = (0_u8..).map(ClientId).zip(&spec.clients);
        let those = clients.filter(|(_, client)| is_so(renew_of(client)));
        let names: Vec<_> = those.map(|(id, _)| format!("{}'s ", words.short(id))).collect();
        match names.len() {
            0 => None,
            n if n == spec.clients.len() => Some(String::new()),
            _ => Some(names.join("and ")),
        }
    };
    let off = of_whom(|renew| renew == Renew::Off).map(|whose| format!("{whose}renewal being off"));
    let other = of_whom(|renew| renew != Renew::Off && renew != Renew::Share(Ratio::THIRD));
    let other = other.map(|whose| {
        format!("{whose}renewal at another time than every third of the time to live")
    });
    off.into_iter().chain(other).collect::<Vec<_>>().join(", with ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Budget;
    use crate::scenarios::GALLERY;
    use crate::sim::id::StoreId;
    use crate::sim::scenario::{LockSystem, NamedStep, Unchecked};
    use crate::sim::{Change, SimDuration};

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
                        2.0 s. Without both the run is safe; without fewer it still happens. There \
                        is no fence; with one the run is safe.";
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

    fn with_changes(changes: &[Change]) -> Scenario {
        first().with(changes).expect("it fits")
    }

    fn fault(id: u16, kind: FaultKind) -> Change {
        Change::AddFault(Fault { id: FaultId(id), label: String::new(), enabled: true, kind })
    }

    #[test]
    fn whose_renewal_is_off_is_told() {
        let words = Words::default();
        let renewal = |renews: [Option<Renew>; 2]| {
            let mut spec = first().spec().clone();
            for (client, renew) in spec.clients.iter_mut().zip(renews) {
                client.renew = renew;
            }
            renewal(&words, &spec)
        };
        let (off, every) = (Some(Renew::Off), Some(Renew::Every(SimDuration::from_secs(9))));
        let other = "renewal at another time than every third of the time to live";
        assert_eq!(renewal([off, off]), "renewal being off");
        assert_eq!(renewal([off, None]), "A's renewal being off");
        assert_eq!(renewal([None, every]), format!("B's {other}"));
        assert_eq!(renewal([every, every]), other);
        assert_eq!(renewal([off, every]), format!("A's renewal being off, with B's {other}"));
    }

    #[test]
    fn a_fault_that_found_nothing_to_strike_has_its_time_all_the_same() {
        let crash = |at| FaultKind::Crash {
            client: ClientId(0),
            scope: CrashScope::Client,
            at: SimTime::from_millis(at),
            restart_after: None,
        };
        let twice = with_changes(&[
            Change::RemoveFault(FaultId(1)),
            Change::Lock(LockSystem::Plain),
            fault(2, crash(1_000)),
            fault(3, crash(1_500)),
        ]);
        let said = said(&twice).text;
        assert!(said.contains("A's crash at 1.0 s and A's crash set for 1.5 s"), "{said}");
    }

    #[test]
    fn a_failover_from_a_node_that_lives_on_has_its_time() {
        let kind = FaultKind::Failover {
            at: SimTime::from_millis(10_000),
            length: SimDuration::from_secs(3),
            lives_on: true,
        };
        let it = Fault { id: FaultId(1), label: String::new(), enabled: true, kind };
        assert_eq!(named_fault(&Words::default(), &it, None), "the failover at 10.0 s");
    }

    #[test]
    fn nothing_is_said_to_be_read_where_nothing_is() {
        let mut pause = first().spec().faults[0].clone();
        let step = NamedStep::BeforeWrite;
        if let FaultKind::Pause { start, .. } = &mut pause.kind {
            *start = Start::Step { step, nth: 1 };
        }
        let said = said(&with_changes(&[Change::ReplaceFault(pause)])).text;
        assert!(said.contains("15.0 s after its work, before its write."), "{said}");
    }

    #[test]
    fn what_the_absent_fence_is_absent_from_is_counted() {
        let unchecked = |stores: u8, unchecked: &[u8]| {
            let changes = [
                Change::Fencing(true),
                Change::Stores(stores),
                Change::UncheckedStores(Unchecked::These(
                    unchecked.iter().map(|id| StoreId(*id)).collect(),
                )),
            ];
            let stop = AbsentFence::WouldStop(Outcome { kind: VerdictKind::Safe, by_luck: false });
            let causes = Causes { fence: Some(stop), ..Causes::default() };
            fence(&causes, &with_changes(&changes))
        };
        assert!(unchecked(1, &[0]).starts_with("The storage does not check tokens; if it did,"));
        assert!(unchecked(2, &[0, 1]).starts_with("No storage checks tokens; if all did,"));
        assert!(unchecked(2, &[0]).starts_with("Not every storage checks tokens; if all did,"));
    }

    #[test]
    fn other_damage_is_not_called_instead() {
        let came = |kind| came_to(Outcome { kind, by_luck: false });
        assert_eq!(came(VerdictKind::Corrupted), "this does not happen, and other damage does");
        assert!(came(VerdictKind::Unavailable).ends_with("“Unavailable” instead"));
    }

    #[test]
    fn every_message_that_can_be_lost_is_called_one() {
        use crate::sim::message::MessageKind;
        assert_eq!(wording::message(MessageKind::SetExpiry), "request for a time to live");
    }

    #[test]
    fn every_setting_with_a_neutral_value_has_a_name() {
        for setting in Setting::ALL {
            let is_named = !off_neutral(*setting).is_empty();
            assert_eq!(is_named, setting.neutral().is_some(), "{setting:?}");
        }
    }

    #[test]
    fn a_setting_of_the_system_alone_is_named_in_its_words() {
        let off = crate::scenarios::GalleryEntry::find("zookeeper-wrap").expect("it is there");
        let mut spec = off.file().base().expect("valid").spec().clone();
        spec.systems.zookeeper.shared_parent = true;
        let words = Words::default();
        let recording = Recording::of(&Scenario::new(spec).expect("valid"));
        let named = |name| named(&words, &recording, Cause::OfSystem(name));
        assert_eq!(named("shared_parent"), "the setting “shared parent” of ZooKeeper");
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

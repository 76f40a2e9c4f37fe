//! What is said of entries: that it says no more than the log, over random scenarios and the kinds
//! that were once said wrongly.

use fenceline::sim::fact::{Fact, FaultFact, MessageFact, ServiceFact, StoreFact};
use fenceline::sim::id::{FencingToken, StoreId};
use fenceline::sim::lock::TokenWorth;
use fenceline::sim::scenario::{HandOff, OnLoss, ScenarioFile};
use fenceline::sim::{LogEntry, Recording, SimTime};
use fenceline::view_model::facts::Teller;
use fenceline::view_model::panels::inspector;
use fenceline::view_model::runs::moment::RunNo;
use fenceline::view_model::runs::{Runs, labels};
use fenceline::view_model::sentences::history;
use fenceline::view_model::words::names::Words;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::sim::random::strategy::scenario;

/// How often each kind of sentence was met, so that the test cannot pass by meeting none.
#[derive(Default, Debug)]
struct Met {
    from_the_queue: u32,
    not_from_the_queue: u32,
    lost: u32,
    without_order: u32,
    expired: u32,
    raised: u32,
    late: u32,
}

fn check(recording: &Recording, entry: &LogEntry, met: &mut Met) {
    let words = Words::default();
    let teller = Teller { words: &words, recording };
    let said = format!("{}. {}", teller.what(entry), teller.why(entry));
    let rules = recording.scenario().rules();
    let told = || format!("{said}\n{entry}\n{}", recording.log());
    assert!(!said.contains("could not know"), "{}", told());
    if rules.worth != TokenWorth::Ordered {
        let orders = ["lower", "higher", "highest"];
        assert!(!orders.iter().any(|word| said.contains(word)), "{}", told());
        met.without_order += u32::from(said.contains("numbers") || said.contains("not compared"));
    }
    match entry.fact {
        Fact::Service(_, ServiceFact::Granted { client, .. }) => {
            let before = recording.world_after(entry.seq.0);
            let waited = before.service.queue.contains(&client);
            let says = said.contains("next in the queue");
            assert!(!says || waited && rules.hand_off == HandOff::InOrder, "{}", told());
            assert!(!said.contains("delay"), "{}", told());
            met.from_the_queue += u32::from(says);
            met.not_from_the_queue += u32::from(!waited);
        }
        Fact::Message(_, MessageFact::Sent { message, .. }) => {
            let mut later = recording.entries()[entry.seq.index()..].iter();
            let first = later.find_map(|entry| match entry.fact {
                Fact::Message(_, MessageFact::Lost { message: it, .. }) if it == message => {
                    Some(true)
                }
                Fact::Message(_, MessageFact::Received { message: it, .. }) if it == message => {
                    Some(false)
                }
                _ => None,
            });
            assert!(!(first == Some(true) && said.contains("It lands")), "{}", told());
            met.lost += u32::from(said.contains("It never arrives."));
        }
        Fact::Service(_, ServiceFact::LeaseEnded { .. }) => {
            met.expired += u32::from(said.contains("No renewal was applied for"));
        }
        Fact::Store(store, StoreFact::SealAccepted { token, .. }) => {
            let is_refused = format!("every token below {token} is refused");
            if said.contains(&is_refused) {
                met.raised += 1;
                refuses_what_is_lower(recording, entry, (store, token), &told);
            }
        }
        Fact::Store(store, StoreFact::WriteAccepted { token, .. }) => {
            let before = recording.world_after(entry.seq.0);
            let highest = before.stores[usize::from(store.0)].highest.map(|highest| highest.0);
            let says_none = said.contains("no higher token") || said.contains("is not lower than");
            assert!(!says_none || highest.is_none_or(|highest| highest <= token), "{}", told());
            met.late += u32::from(says_none);
        }
        _ => {}
    }
}

/// What the seal raised stands for every write that this store accepts from there on, until it
/// forgets.
fn refuses_what_is_lower(
    recording: &Recording,
    seal: &LogEntry,
    (store, raised): (StoreId, FencingToken),
    told: &dyn Fn() -> String,
) {
    for entry in &recording.entries()[seal.seq.index()..] {
        match entry.fact {
            Fact::Store(it, StoreFact::WriteAccepted { token, .. }) if it == store => {
                // What had passed its check before the seal came is applied after a gap.
                let has_gap = !recording.scenario().storage().check_gap.is_zero();
                assert!(token >= raised || has_gap, "{}\n{entry}", told());
            }
            Fact::Fault(_, FaultFact::StoreRestarted { store: it, .. }) if it == store => return,
            _ => {}
        }
    }
}

#[test]
fn no_sentence_says_more_than_the_log() {
    let strategy = scenario();
    let mut runner = TestRunner::deterministic();
    let mut met = Met::default();
    for _ in 0..120 {
        let tree = strategy.new_tree(&mut runner).expect("the strategy rejects nothing");
        let recording = Recording::of(&tree.current());
        let entries = recording.entries().iter().take(400);
        entries.for_each(|entry| check(&recording, entry, &mut met));
    }
    let Met { from_the_queue, not_from_the_queue, lost, without_order, expired, raised, late } =
        met;
    let all = [from_the_queue, not_from_the_queue, lost, without_order, expired, raised, late];
    assert!(all.iter().all(|count| *count > 5), "{all:?}");
}

fn file(scenario: &str, compare: &str) -> ScenarioFile {
    let text = format!(
        r#"{{ "version": 1, "title": "", "scenario": {scenario}, "compare": [{compare}] }}"#
    );
    ScenarioFile::parse(&text).expect("it is right")
}

fn recorded(scenario: &str) -> Recording {
    Recording::of(&file(scenario, "").base().expect("it is valid"))
}

/// What is said of the first entry whose words hold `part`.
fn said(recording: &Recording, part: &str) -> String {
    let words = Words::default();
    let teller = Teller { words: &words, recording };
    let said = recording
        .entries()
        .iter()
        .map(|entry| format!("{}. {}", teller.what(entry), teller.why(entry)));
    said.clone().find(|text| text.contains(part)).unwrap_or_else(|| {
        panic!("“{part}” is not said in:\n{}", said.collect::<Vec<_>>().join("\n"))
    })
}

const TWO_CLIENTS: &str = r#"[{ "asks_at": "0.1 s" }, { "asks_at": "1 s", "work": "2 s" }]"#;

#[test]
fn a_grant_names_what_ended_the_one_before() {
    // B asks when A's lease ends: it never queued.
    let meets = recorded(
        r#"{ "lock": "lease_server", "defaults": { "renew": "off" },
             "clients": [{ "asks_at": "0.1 s" }, { "asks_at": "10.1 s" }] }"#,
    );
    let text = said(&meets, "grants B token 34");
    assert!(text.contains("The lock was free when B's request arrived."), "{text}");
    let queued = recorded(&format!(
        r#"{{ "lock": "lease_server", "defaults": {{ "renew": "off" }},
             "clients": {TWO_CLIENTS} }}"#
    ));
    let text = said(&queued, "grants B token 34");
    assert!(text.contains("A's lease expired, and B was next in the queue."), "{text}");
    let released = recorded(&format!(
        r#"{{ "lock": "lease_server", "defaults": {{ "release": true }},
             "clients": {TWO_CLIENTS} }}"#
    ));
    let text = said(&released, "grants B token 34");
    assert!(text.contains("A gave the lock back, and B was next in the queue."), "{text}");
}

#[test]
fn a_lost_renewal_is_told_and_a_short_pause_is_not_blamed() {
    let recording = Recording::of(
        &ScenarioFile::parse(include_str!("causes/short-pause.json"))
            .and_then(|file| Ok(file.base()?))
            .expect("it is right"),
    );
    let text = said(&recording, "A's lease expires");
    let silence = "No renewal was applied for 10.0 s. A sent 2, and all were lost: the service \
                   sees silence.";
    assert!(text.ends_with(silence), "{text}");
    let text = said(&recording, "accepts A's ");
    assert!(!text.contains("pause"), "{text}");
    assert!(text.contains("nothing had told A when it sent this at 20.3 s"), "{text}");
}

#[test]
fn who_dies_of_a_lost_lock_is_not_done() {
    let recording = recorded(
        r#"{ "lock": "lease_server",
             "defaults": { "on_loss": "dies", "deadline": "from_send", "work": "60 s" },
             "clients": [{ "asks_at": "0.1 s" }],
             "faults": [{ "id": 1, "kind": { "cut": {
                 "a": "A", "b": "service", "at": "5 s", "length": "30 s" } } }] }"#,
    );
    let expected = "A stops for good: it lost the lock, its work is unfinished. ";
    assert!(said(&recording, "stops for good").starts_with(expected));
    let dies = recording.scenario().clients()[0].settings.on_loss == OnLoss::Dies;
    let words = Words::default();
    let never = recording.entries().iter().all(|entry| {
        !Teller { words: &words, recording: &recording }.what(entry).contains("is done")
    });
    assert!(dies && never);
}

#[test]
fn a_card_says_that_its_client_has_stopped() {
    let file = file(
        r#"{ "lock": "lease_server",
             "defaults": { "on_loss": "dies", "deadline": "from_send", "work": "60 s" },
             "clients": [{ "asks_at": "0.1 s" }],
             "faults": [{ "id": 1, "kind": { "cut": {
                 "a": "A", "b": "service", "at": "5 s", "length": "30 s" } } }] }"#,
        "",
    );
    let runs = Runs::of(&file).expect("it is valid");
    let cards = inspector::cards(&runs, SimTime::from_millis(20_000), false);
    assert_eq!(cards[0].status, "stopped: it lost the lock");
    assert_eq!(cards[0].lines.last().expect("one").before, "its work is unfinished");
}

#[test]
fn a_token_that_is_read_again_is_told_as_such() {
    let recording = recorded(&format!(
        r#"{{ "lock": "lease_server", "lease": {{ "ttl": "5 s" }},
             "defaults": {{ "renew": "off", "work": "8 s", "rereads_token": true }},
             "clients": {TWO_CLIENTS} }}"#
    ));
    said(&recording, "A reads the present token");
    let text = said(&recording, "tells A the present token");
    assert!(text.contains("It is 34, B's"), "{text}");
}

#[test]
fn a_seal_says_what_it_does_under_its_rule() {
    let sealed = |storage: &str| {
        recorded(&format!(
            r#"{{ "lock": "lease_server", "storage": {{ "seal": true, {storage} }},
                 "defaults": {{ "repeat": {{ "after": "1 s" }} }},
                 "clients": [{{ "asks_at": "0.1 s" }}] }}"#
        ))
    };
    let says = |storage: &str, part: &str| {
        let recording = sealed(storage);
        let text = said(&recording, "takes A's seal, 33");
        assert!(text.contains(part), "{text}");
        assert!(!text.contains("has written nothing"), "the next piece is sealed as well: {text}");
    };
    says(r#""fencing": true"#, "every token below 33 is refused");
    says(r#""fencing": true, "rule": "must_match""#, "every token but 33 is refused");
    says(r#""fencing": true, "rule": "data_version""#, "does not compare the token of a write");
    says(r#""fencing": true, "rule": "same_transaction""#, "whatever was sealed");
    says(r#""fencing": false"#, "tokens are not checked here");
}

#[test]
fn a_refusal_is_not_said_to_tell_of_a_newer_token() {
    // A compare-and-set says nothing of who holds the lock.
    let recording = recorded(
        r#"{ "lock": "lease_server", "storage": { "fencing": true, "rule": "data_version" },
             "defaults": { "operation": "read_modify_write", "renew": "off", "work": "20 s" },
             "clients": [{ "asks_at": "0.1 s" }, { "asks_at": "1 s", "work": "2 s" }] }"#,
    );
    let text = said(&recording, "A stops believing: a storage refused it");
    assert!(text.contains("takes the lock for lost"), "{text}");
    said(&recording, "A gives its work up: it was refused");
    let words = Words::default();
    let teller = Teller { words: &words, recording: &recording };
    let all =
        recording.entries().iter().map(|it| format!("{} {}", teller.what(it), teller.why(it)));
    let wrong = ["newer token", "fenced"];
    assert!(all.into_iter().all(|text| wrong.iter().all(|wrong| !text.contains(wrong))));
}

#[test]
fn who_acts_twice_by_itself_is_not_told_as_two() {
    let recording = recorded(
        r#"{ "lock": "lease_server", "storage": { "resource": "external_call" },
             "defaults": { "work": "3 s", "timeout": "1 s", "retries": 2 },
             "clients": [{ "asks_at": "0.1 s" }],
             "faults": [{ "id": 1, "kind": { "lose": { "message": {
                 "from": "storage", "to": "A", "kind": "effect_done", "nth": 1 } } } }] }"#,
    );
    let text = history::text(&Words::default(), &recording, 10);
    assert!(text.contains("(A, piece 1) acted outside a second time.\n"), "{text}");
    assert_eq!(text.matches("\n    acted outside at ").count(), 2, "{text}");
    assert!(!text.contains("wrote acted"), "{text}");
}

#[test]
fn what_a_restart_makes_possible_is_not_told_as_done() {
    let recording = recorded(
        r#"{ "lock": "lease_server", "clients": [{ "asks_at": "0.1 s" }],
             "faults": [{ "id": 1, "kind": { "service_restart": {
                 "at": "20 s", "length": "1 s", "loses": "everything" } } }] }"#,
    );
    let text = said(&recording, "has forgotten everything");
    assert!(text.contains("can be handed out a second time"), "{text}");
}

#[test]
fn where_nobody_holds_the_lock_no_token_is_compared() {
    let recording = recorded(
        r#"{ "lock": "lease_server", "lease": { "ttl": "5 s" },
             "storage": { "fencing": true, "rule": "same_transaction" },
             "defaults": { "renew": "off", "work": "8 s" }, "clients": [{ "asks_at": "0.1 s" }] }"#,
    );
    let text = said(&recording, "refuses A's ");
    assert!(text.contains("write, nobody holds the lock"), "{text}");
    assert!(!text.contains("33 = 33"), "{text}");
}

#[test]
fn the_names_of_two_runs_tell_them_apart() {
    let scenario = format!(
        r#"{{ "lock": "lease_server", "clients": {TWO_CLIENTS},
             "faults": [{{ "id": 1, "kind": {{ "pause": {{
                 "client": "A", "start": {{ "at": "2 s" }}, "length": "15 s" }} }} }}] }}"#
    );
    for change in [
        r#"{ "fault_start": { "id": 1, "at": "4 s" } }"#,
        r#"{ "fault_length": { "id": 1, "length": "4 s" } }"#,
    ] {
        let runs = Runs::of(&file(&scenario, change)).expect("it is valid");
        let [one, two] = RunNo::ALL.map(|run| labels::run_label(&runs, run));
        assert_ne!(one, two);
        assert!(one.starts_with("with Client A pause") && two.ends_with("4.0 s"), "{one}, {two}");
    }
}

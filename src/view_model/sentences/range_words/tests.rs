//! What is said of ranges: each end, what is complete and what is a sample, and never a “never”
//! beside a run that breaks.

use super::*;
use crate::explore::remedies::Row;
use crate::explore::{RemedyId, RemedySearch};
use crate::scenarios::{GALLERY, GalleryEntry};
use crate::sim::ScenarioFile;
use crate::sim::id::FaultId;
use crate::sim::scenario::{
    Fault, FaultKind, LockSystem, Operation, PauseKind, PauseScope, Quantity, Renew, Start,
};
use crate::sim::{ClientId, NodeId, SimTime};
use crate::view_model::sentences::remedy_words;

fn found(runs: &Runs, quantity: Quantity) -> Vec<RunRanges> {
    let search = |(run, recording): (RunNo, &Recording)| {
        let search = RangeSearch::new(recording.scenario(), quantity).finish();
        RunRanges::of(run, &search)
    };
    runs.shown().map(search).collect()
}

fn told_of_file(file: &ScenarioFile) -> String {
    let runs = Runs::of(file).expect("the file is valid");
    let found = found(&runs, file.main_quantity());
    let clauses = sentences(&runs, &found, about(file));
    clauses.into_iter().map(|clause| clause.text).collect::<Vec<_>>().join(" ")
}

/// The first scenario with these changes, alone.
fn first(changes: &[Change]) -> ScenarioFile {
    let mut file = GALLERY[0].file();
    file.scenario = file.base().expect("valid").with(changes).expect("fits").spec().clone();
    file.compare.clear();
    file
}

const PAUSE: Quantity = Quantity::FaultLength(FaultId(1));

#[test]
fn the_paused_holder_says_where_it_breaks_and_how_far_that_is_known() {
    let file = GALLERY[0].file();
    let runs = Runs::of(&file).expect("the gallery is valid");
    let found = found(&runs, PAUSE);
    assert_eq!(
        told_of_file(&file),
        "Corrupts without a fence above 10.3 s, up to 10 min, the end of the search. Late but \
         harmless from 8.1 s, up to 10.3 s. With a fence: no pause up to 78.0 s does, and none was \
         found in 22 more runs up to 10 min. Searched up to 10 min; above 78.0 s that is a sample \
         of 44 runs."
    );
    let near = |run: usize, millis| {
        let present = Some(SimDuration::from_millis(millis));
        nearest_harm(&found[run], About { present, ..about(&file) })
    };
    assert_eq!(
        near(0, 5_000).as_deref(),
        Some("By the pause: corrupts above 10.3 s, up to 10 min, the end of the search")
    );
    assert_eq!(near(0, 15_000), None);
    assert_eq!(near(1, 15_000), None);
}

#[test]
fn what_every_sample_comes_to_is_not_said_of_every_value() {
    let file = GalleryEntry::find("zookeeper-orphan").expect("it is there").file();
    let recording = Recording::of(&file.base().expect("valid"));
    let told = lines(&recording, &file, false);
    assert_eq!(told[1], "  Unavailable for every time to live that was tried, up to 10 min.");
    assert!(told[2].contains("by a sample of"), "{told:?}");
    let found = RangeSearch::new(recording.scenario(), file.main_quantity()).finish();
    let (few, complete) = (found.ranges().clone(), (SimDuration::ZERO, SimDuration::from_secs(9)));
    let one = Ranges { n_samples: 1, complete: Some(complete), ..few };
    let told = extent(&[&one]).expect("it is a sample");
    assert!(told.contains("that is a sample of 1 run"), "{told}");
    assert!(!told.contains("1 runs"), "{told}");
}

#[test]
fn a_thorough_search_of_the_first_scenario_is_complete() {
    let file = GALLERY[0].file();
    let recording = Recording::of(&file.base().expect("valid"));
    let told = lines(&recording, &file, true);
    let ends = "  Corrupts above 10.3 s, up to 10 min, the end of the search.";
    assert_eq!(told[1], ends);
    assert_eq!(told.last().map(String::as_str), Some("  Searched up to 10 min."));
}

#[test]
fn a_range_says_both_of_its_ends_and_the_present_one_comes_first() {
    let window = [Change::Fencing(true), Change::Operation(Operation::ReadModifyWrite)];
    let told = told_of_file(&first(&window));
    assert!(told.starts_with("Late but harmless from 8.1 s, up to 8.3 s. Corrupts above 8.3 s, "));
    assert!(told.contains("Corrupts above 8.3 s, up to 10.5 s."), "{told}");
    let inside = [&window[..], &[PAUSE.set(SimDuration::from_secs(9))]].concat();
    let told = told_of_file(&first(&inside));
    assert!(told.starts_with("Corrupts above 8.3 s, up to 10.5 s. Late but"), "{told}");
}

#[test]
fn and_above_is_said_where_nothing_meets_anything_any_more() {
    let told = told_of_file(&first(&[Change::Renew(Renew::Off)]));
    assert!(told.contains("Corrupts everywhere above 10.3 s."), "{told}");
    assert!(!told.contains("Searched") && !told.contains("end of the search"), "{told}");
    let safe = told_of_file(&first(&[Change::Renew(Renew::Off), Change::Fencing(true)]));
    assert!(!safe.contains("Searched") && !safe.contains("Corrupts"), "{safe}");
}

#[test]
fn the_search_goes_beyond_ten_minutes_where_the_lease_does() {
    let minutes = |minutes: u64| SimDuration::from_secs(60 * minutes);
    let told = told_of_file(&first(&[Change::Ttl(minutes(15)), PAUSE.set(minutes(20))]));
    assert!(told.starts_with("Corrupts above "), "{told}");
    assert!(!told.to_ascii_lowercase().contains("no pause"), "beside a run that breaks: {told}");
}

#[test]
fn the_fault_is_named() {
    let cut = FaultKind::Cut {
        a: NodeId::Client(ClientId(0)),
        b: NodeId::Lock(crate::sim::id::LockNodeId(0)),
        at: SimTime::from_millis(3_000),
        length: SimDuration::from_secs(20),
        held: false,
    };
    let cut = Fault { id: FaultId(2), label: String::new(), enabled: true, kind: cut };
    let mut file = first(&[
        Change::RemoveFault(FaultId(1)),
        Change::AddFault(cut),
        Change::Operation(Operation::ReadModifyWrite),
        Change::WritesPerGrant(10),
    ]);
    file.view.main = None;
    assert_eq!(file.main_quantity(), Quantity::FaultLength(FaultId(2)));
    assert_eq!(about(&file).what, "cut");
    let scenario = file.base().expect("valid");
    let table = RemedySearch::new(&scenario, Some(file.main_quantity())).finish();
    let as_it_is = &table.rows[0];
    assert!(remedy_words::breaks(as_it_is, about(&file)).starts_with("cut above "));
}

#[test]
fn without_a_fault_it_is_what_a_user_would_turn() {
    let main = |changes: &[Change]| {
        let mut file = first(&[&[Change::RemoveFault(FaultId(1))], changes].concat());
        file.view.main = None;
        file.main_quantity()
    };
    assert_eq!(main(&[]), Quantity::Ttl);
    assert_eq!(main(&[Change::Renew(Renew::Off)]), Quantity::Work, "how long may the job be?");
    assert_eq!(main(&[Change::Lock(LockSystem::Plain)]), Quantity::Work);
}

#[test]
fn a_check_is_told_with_the_fault_where_it_is_and_after_the_check() {
    // A suspended machine's monotonic clock stands still: its own deadline never passes.
    let pause = FaultKind::Pause {
        client: ClientId(0),
        scope: PauseScope::Client,
        kind: PauseKind::Suspend,
        start: Start::At(SimTime::from_millis(2_000)),
        length: SimDuration::from_secs(15),
    };
    let pause = Fault { id: FaultId(1), label: String::new(), enabled: true, kind: pause };
    let file = first(&[Change::ReplaceFault(pause), Change::Renew(Renew::Off)]);
    let scenario = file.base().expect("valid");
    let table = RemedySearch::new(&scenario, Some(PAUSE)).finish();
    let row = |id: RemedyId| table.rows.iter().find(|row: &&Row| row.id == id).expect("tried");
    let checked = row(RemedyId::LocalDeadlineChecked);
    let cell = remedy_words::breaks(checked, about(&file));
    let (own, after) = cell.split_once("; after the check: ").expect("both places are told");
    let breaks = |cell: &str| {
        ["pause above ", "pause everywhere above "].iter().any(|begin| cell.starts_with(begin))
    };
    assert!(breaks(own), "what broke this run: {own}");
    assert!(breaks(after) || after == "the same", "{after}");
    assert_eq!(checked.outcome.kind, VerdictKind::Corrupted);
}

#[test]
fn no_never_stands_beside_a_verdict_that_is_broken() {
    let file = first(&[Change::Renew(Renew::Off)]);
    let scenario = file.base().expect("valid");
    let table = RemedySearch::new(&scenario, Some(PAUSE)).finish();
    for row in &table.rows {
        let cell = range_words_of(row, &file);
        let is_broken = !is_safe(row.outcome.kind);
        assert!(!is_broken || !cell.starts_with("no "), "{:?}: {cell}", row.id);
    }
}

fn range_words_of(row: &Row, file: &ScenarioFile) -> String {
    remedy_words::breaks(row, about(file))
}

#[test]
fn what_clients_differ_in_has_no_present_value() {
    let mut spec = first(&[Change::Renew(Renew::Off), Change::RemoveFault(FaultId(1))]).scenario;
    spec.clients[0].work = Some(SimDuration::from_secs(12));
    let file = ScenarioFile { scenario: spec, ..first(&[]) };
    let file = ScenarioFile { view: Default::default(), ..file };
    assert_eq!(file.main_quantity(), Quantity::Ttl, "one length that all have");
    let mut plain = file.clone();
    plain.scenario.lock = LockSystem::Plain;
    assert_eq!(plain.main_quantity(), Quantity::Work);
    assert_eq!(Quantity::Work.value(&plain.scenario), Some(SimDuration::from_secs(12)));
    assert_eq!(about(&plain).present, None);
    let recording = Recording::of(&plain.base().expect("valid"));
    let head = &lines(&recording, &plain, false)[0];
    assert_eq!(head, "By the work, the same for all clients (12.0 s, 2.0 s here):");
    assert!(told_of_file(&plain).starts_with("With the same work for all clients: "));
    let longest = plain.scenario.clients[0].work;
    plain.scenario.clients.iter_mut().for_each(|client| client.work = longest);
    assert_eq!(about(&plain).present, Some(SimDuration::from_secs(12)), "alike, each by itself");
}

#[test]
fn each_verdict_is_told_however_many_ranges_come_before_it() {
    let secs = SimDuration::from_secs;
    let luck = Outcome { kind: VerdictKind::Safe, by_luck: true };
    let safe = Outcome { kind: VerdictKind::Safe, by_luck: false };
    let late = Outcome { kind: VerdictKind::NoWorkFinished, by_luck: false };
    let outcomes = [luck, safe, luck, safe, luck, safe, luck, safe, luck, safe, luck, late, safe];
    let all = (0..).zip(outcomes).map(|(n, outcome)| {
        let to = secs(n + 1).minus(SimDuration::from_micros(1));
        Range { from: secs(n), to, outcome }
    });
    let ranges = Ranges { all: all.collect(), searched_to: secs(13), ..Ranges::default() };
    let of = about(&first(&[]));
    let told = told(&RunRanges { run: RunNo::One, ranges: ranges.clone() }, of, "");
    let told: Vec<_> = told.into_iter().map(|clause| clause.text).collect();
    assert_eq!(told.len(), TOLD + 1, "{told:?}");
    assert!(told.iter().any(|text| text.starts_with("Finishes no work from 11.0 s")), "{told:?}");
    assert_eq!(told[TOLD], "And in 3 ranges more: late but harmless.");
    assert!(cell(&ranges, of).contains("finishes no work"), "{}", cell(&ranges, of));
}

#[test]
fn an_open_range_says_once_that_it_is_above_its_end() {
    let luck = Outcome { kind: VerdictKind::Safe, by_luck: true };
    let place_from = |from: u64| {
        let (from, to) = (SimDuration::from_micros(from), SimDuration::from_secs(600));
        let below = Range { from: SimDuration::ZERO, to: from, outcome: luck };
        let range = Range { from, to, outcome: luck };
        let all = vec![below, range];
        place(&Ranges { all, goes_on: true, ..Ranges::default() }, &range, about(&first(&[])))
    };
    assert_eq!(place_from(6_900_000), "from 6.9 s, and above");
    assert_eq!(place_from(6_900_001), "everywhere above 6.9 s");
}

#[test]
fn what_grows_is_called_by_what_it_is() {
    let start = Quantity::FaultStart(FaultId(1));
    let file = first(&[Change::Fencing(true), Change::Renew(Renew::Off)]);
    let none_of = |quantity| {
        let complete = Some((SimDuration::ZERO, SimDuration::from_secs(600)));
        let safe = Outcome { kind: VerdictKind::Safe, by_luck: false };
        let all = Range { from: SimDuration::ZERO, to: SimDuration::from_secs(600), outcome: safe };
        let searched_to = SimDuration::from_secs(600);
        let ranges =
            Ranges { all: vec![all], complete, searched_to, goes_on: true, ..Ranges::default() };
        none(&ranges, About::of(quantity, &file.scenario))
    };
    assert_eq!(none_of(start), "no start of the pause, however late,");
    assert_eq!(none_of(PAUSE), "no pause, however long,");
}

#[test]
fn where_all_are_samples_they_are_counted_once() {
    let file = GalleryEntry::find("raft-lease-majority-lost").expect("it is").file();
    let recording = Runs::of(&file).expect("valid").run_2.expect("it has one");
    let told = lines(&recording, &file, false);
    let none = told.iter().find(|line| line.trim_start().starts_with("No ")).expect("it is safe");
    assert!(none.contains(" that were tried, up to 10 min, does harm."), "{none}");
    assert!(!none.contains("more runs"), "{none}");
}

#[test]
fn what_is_drawn_at_random_is_said_to_be_of_its_seed() {
    let extent_of = |id: &str| {
        let file = GalleryEntry::find(id).expect(id).file();
        let scenario = file.base().expect("valid");
        RangeSearch::new(&scenario, file.main_quantity()).finish().ranges().is_of_seed
    };
    assert!(extent_of("raft-stale-read"), "who times out first is drawn");
    assert!(extent_of("redlock-split-vote"));
    assert!(!extent_of("paused-holder") && !extent_of("etcd-not-told"), "gaps decide nothing");
}

#[test]
fn a_search_that_was_stopped_claims_nothing() {
    let scenario = first(&[]).base().expect("valid");
    let mut search = RangeSearch::new(&scenario, PAUSE);
    search.step_within(1_000, &mut crate::explore::Budget::of_steps(2_000));
    assert!(search.is_cut());
    let about = About { present: None, ..About::of(PAUSE, scenario.spec()) };
    assert!(cell(search.ranges(), about).contains("not searched to its end"));
    assert_eq!(
        extent(&[search.ranges()]).as_deref(),
        Some("The search was stopped before its end.")
    );
}

#[test]
fn a_label_that_ends_no_sentence_opens_it() {
    let told = |id: &str| told_of_file(&GalleryEntry::find(id).expect(id).file());
    let efficiency = told("efficiency");
    assert!(efficiency.starts_with("Not idempotent: "), "{efficiency}");
    assert!(efficiency.contains("Idempotent: wastes work "), "{efficiency}");
    let lost_reply = told("lost-reply");
    assert!(lost_reply.contains(" Refuses lower or equal: the same."), "{lost_reply}");
}

#[test]
fn clients_with_a_time_to_live_of_their_own_are_named_apart() {
    let set_up = |own: &str| {
        let text = format!(
            r#"{{ "version": 1, "title": "T", "scenario": {{ "lock": "lease_server",
                "clients": [{{ "asks_at": "0.1 s", "ttl": "5 s" }}, {{ "asks_at": "1 s"{own} }}]
            }} }}"#
        );
        let file = ScenarioFile::parse(&text).expect("it is right");
        let recording = Recording::of(&file.base().expect("valid"));
        lines(&recording, &file, false).swap_remove(0)
    };
    let told = set_up("");
    assert_eq!(told, "By the time to live, 10.0 s here, but for clients with one of their own:");
    // Where each has its own, the scenario's does nothing.
    assert_eq!(set_up(r#", "ttl": "6 s""#), "By the work, 2.0 s here:");
}

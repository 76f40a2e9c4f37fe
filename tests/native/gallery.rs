//! Every scenario of the gallery comes to what its file says, in both runs.

use expect_test::expect_file;
use fenceline::scenarios::GALLERY;
use fenceline::sim::id::{ClientId, FaultId};
use fenceline::sim::property::PropertyState;
use fenceline::sim::recording::Recording;
use fenceline::sim::scenario::{CrashScope, ExpectedRun, Fault, FaultKind, Quantity};
use fenceline::sim::time::{SimDuration, SimTime};
use fenceline::view_model::runs::Runs;
use fenceline::view_model::runs::labels;
use fenceline::view_model::runs::moment::MomentKind;
use fenceline::view_model::sentences::{describe, verdict, why};
use fenceline::view_model::words::wording;

#[test]
fn every_scenario_comes_to_what_its_file_says() {
    for entry in GALLERY {
        let file = entry.file();
        let runs = Runs::of(&file).expect(entry.id);
        let expected = file.expect.as_ref().expect("the gallery says what to expect");
        check(entry.id, "Run 1", &runs.run_1, &expected.run_1);
        let run_2 = runs.run_2.as_ref().expect("the gallery compares two runs");
        let expected = expected.run_2.as_ref().expect("of both runs");
        check(entry.id, "Run 2", run_2, expected);
    }
}

fn check(id: &str, run: &str, recording: &Recording, expected: &ExpectedRun) {
    let verdict = recording.verdict();
    assert_eq!(verdict.kind, expected.verdict, "{id}, {run}: {verdict:?}");
    if expected.at.is_some() {
        assert_eq!(verdict.at, expected.at, "{id}, {run}");
    }
    if let Some(by_luck) = expected.by_luck {
        assert_eq!(verdict.by_luck, by_luck, "{id}, {run}");
    }
    for broken in &expected.broken {
        let report = recording.properties().iter().find(|report| report.id == *broken);
        let state = report.expect("every property is reported").state;
        let is_broken = matches!(state, PropertyState::Broken { .. });
        assert!(is_broken, "{id}, {run}: {} is {state:?}", broken.name());
    }
}

/// The caption where each scenario opens, and the verdicts beside it.
#[test]
fn every_scenario_opens_with_its_point() {
    let mut text = String::new();
    for entry in GALLERY {
        let file = entry.file();
        let runs = Runs::of(&file).expect(entry.id);
        let at = file.view.at.unwrap_or_else(|| runs.opens_at());
        let index = why::spoken_of(&runs, runs.moments.n_until(at)).expect("something happened");
        let caption = why::why(&runs, index).expect("a moment has a caption");
        text += &format!("{} at {}\n", file.title, wording::time(at));
        for (run, _) in runs.shown() {
            let verdict = verdict::of_run(&runs, run).expect("it is shown");
            let label = labels::run_label(&runs, run);
            text += &format!("  {label}: {} | {}\n", verdict.text, verdict.costs);
        }
        text += &format!("  {}\n", caption.text);
    }
    expect_file!["../snapshots/gallery.txt"].assert_eq(&text);
}

/// Every event that a reader cares for says why it happened, and not only what.
#[test]
fn every_event_that_is_not_routine_has_a_why() {
    for entry in GALLERY {
        let runs = Runs::of(&entry.file()).expect(entry.id);
        for index in 0..runs.moments.n_moments() {
            let moment = runs.moments.get(index).expect("it is one of them");
            if runs.kind_of(&moment) == MomentKind::Renewal {
                continue;
            }
            let what = describe::moment(&runs, &moment).join(". ");
            let told = why::why(&runs, index).expect("it is one of them").text;
            assert!(told.ends_with('.') && told != what, "{}: {what}: {told}", entry.id);
        }
    }
}

#[test]
fn a_file_is_about_what_it_names_then_its_pause_then_what_lasts_then_its_lease() {
    let mut file = GALLERY[0].file();
    let pause = file.scenario.faults[0].clone();
    file.view.main = Some(Quantity::Work);
    assert_eq!(file.main_quantity(), Quantity::Work);
    file.view.main = Some(Quantity::FaultLength(FaultId(9)));
    assert_eq!(file.main_quantity(), Quantity::FaultLength(pause.id), "there is no fault 9");
    let (client, at) = (ClientId(1), SimTime::ZERO);
    let crash = |restart_after| Fault {
        id: FaultId(7),
        kind: FaultKind::Crash { client, scope: CrashScope::Client, at, restart_after },
        ..pause.clone()
    };
    file.scenario.faults.insert(0, crash(Some(SimDuration::from_secs(1))));
    assert_eq!(file.main_quantity(), Quantity::FaultLength(pause.id));
    file.scenario.faults.truncate(1);
    assert_eq!(file.main_quantity(), Quantity::FaultLength(FaultId(7)));
    file.scenario.faults = vec![crash(None)];
    assert_eq!(file.main_quantity(), Quantity::Ttl);
}

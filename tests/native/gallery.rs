//! Every scenario of the gallery comes to what its file says, in both runs.

use fenceline::scenarios::GALLERY;
use fenceline::sim::property::PropertyState;
use fenceline::sim::recording::Recording;
use fenceline::sim::scenario::ExpectedRun;
use fenceline::view_model::runs::Runs;

#[test]
fn every_scenario_comes_to_what_its_file_says() {
    for entry in GALLERY {
        let file = entry.file();
        let runs = Runs::of(&file).expect(entry.id);
        let expected = file
            .expect
            .as_ref()
            .expect("the gallery says what to expect");
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
        let report = recording
            .properties()
            .iter()
            .find(|report| report.id == *broken);
        let state = report.expect("every property is reported").state;
        let is_broken = matches!(state, PropertyState::Broken { .. });
        assert!(is_broken, "{id}, {run}: {} is {state:?}", broken.name());
    }
}

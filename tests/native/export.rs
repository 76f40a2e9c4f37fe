//! What is taken along from the first scenario, text for text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use expect_test::expect_file;
use fenceline::explore::{Budget, RemedySearch};
use fenceline::scenarios::GALLERY;
use fenceline::view_model::outside::export::{Export, Found, Subject};
use fenceline::view_model::runs::moment::RunNo;

#[test]
fn the_first_scenario_as_diagram_and_trace() {
    let mut subject = Subject::of(GALLERY[0].file()).expect("valid");
    // An event a line, so that a difference can be read.
    let trace = Export::Trace.text(&subject).replace("},{", "},\n{");
    expect_file!["../snapshots/paused-holder.trace.json"].assert_eq(&trace);
    subject.run = RunNo::Two;
    let diagram = Export::Mermaid.text(&subject);
    expect_file!["../snapshots/paused-holder.mmd"].assert_eq(&diagram);
}

#[test]
fn the_first_scenario_as_a_picture() {
    let subject = Subject::of(GALLERY[0].file()).expect("valid");
    // A mark a line, so that a difference can be read.
    let svg = Export::Svg.text(&subject).replace("><", ">\n<");
    expect_file!["../snapshots/paused-holder.svg"].assert_eq(&svg);
}

#[test]
fn the_first_scenario_as_a_write_up() {
    let subject = Subject::of(GALLERY[0].file()).expect("valid");
    // Enough for all verdicts and a few ranges.
    let search =
        RemedySearch::new(subject.runs.run_1.scenario(), Some(subject.file.main_quantity()));
    let remedies = search.within(Budget::of_steps(200_000)).finish();
    let found = Found::of(&subject.file, &subject.runs, remedies);
    let text = Export::WriteUp.text(&Subject { found, ..subject.clone() });
    // The picture has a golden of its own.
    let (before, rest) = text.split_once("(data:image/svg+xml;base64,").expect("a picture");
    let (picture, after) = rest.split_once(")\n").expect("its end");
    let svg = STANDARD.decode(picture).expect("base64");
    assert_eq!(svg, Export::Svg.text(&subject).into_bytes());
    let told = format!("{before}(the picture)\n{after}");
    expect_file!["../snapshots/paused-holder.write-up.md"].assert_eq(&told);
}

//! What is taken along from the first scenario, text for text.

use expect_test::expect_file;
use fenceline::scenarios::GALLERY;
use fenceline::view_model::outside::export::{Export, Subject};
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

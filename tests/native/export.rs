//! What is taken along from the first scenario, text for text.

use expect_test::expect_file;
use fenceline::scenarios::GALLERY;
use fenceline::view_model::export::Export;
use fenceline::view_model::moment::RunNo;
use fenceline::view_model::runs::Runs;

#[test]
fn the_first_scenario_as_diagram_and_trace() {
    let file = GALLERY[0].file();
    let runs = Runs::of(&file).expect("valid");
    let diagram = Export::Mermaid.text(&file, &runs, RunNo::Two);
    expect_file!["../snapshots/paused-holder.mmd"].assert_eq(&diagram);
    // An event a line, so that a difference can be read.
    let trace = Export::Trace.text(&file, &runs, RunNo::One).replace("},{", "},\n{");
    expect_file!["../snapshots/paused-holder.trace.json"].assert_eq(&trace);
}

//! The controls of one list, and all groups of the sheet are one, have names of their own: the page
//! tells them apart by these, and a list with a name twice comes apart when it changes.

use std::collections::BTreeSet;

use fenceline::scenarios::GALLERY;
use fenceline::sim::lock::SYSTEMS;
use fenceline::sim::scenario::ScenarioSpec;
use fenceline::view_model::controls::Control;
use fenceline::view_model::setup;
use fenceline::view_model::words::names::Words;

fn lists(spec: &ScenarioSpec) -> Vec<Vec<Control>> {
    let words = &Words::default();
    let sheet = setup::sheet(words, spec, false).into_iter();
    let mut lists = vec![sheet.flat_map(|group| group.controls).collect()];
    lists.extend(spec.faults.iter().map(|fault| setup::of_fault(fault, spec)));
    lists
}

#[test]
fn no_name_stands_twice_in_a_list_of_controls() {
    for entry in GALLERY {
        for info in SYSTEMS {
            let mut spec = entry.file().scenario;
            spec.lock = info.system;
            for list in lists(&spec) {
                let mut names = BTreeSet::new();
                for control in &list {
                    let label = &control.label;
                    assert!(names.insert(label), "{}, {}: “{label}”", entry.id, info.name);
                }
            }
        }
    }
}

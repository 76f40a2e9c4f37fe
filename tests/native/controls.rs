//! The controls of one list have names of their own: the page tells them apart by these, and a list
//! with a name twice comes apart when it changes.

use std::collections::BTreeSet;

use fenceline::scenarios::GALLERY;
use fenceline::sim::lock::SYSTEMS;
use fenceline::sim::scenario::ScenarioSpec;
use fenceline::view_model::controls::{self, Control};

fn lists(spec: &ScenarioSpec) -> Vec<Vec<Control>> {
    let mut lists = vec![
        controls::work(spec),
        controls::waiters(spec),
        controls::clients(spec),
        controls::lease(spec),
        controls::storage(spec, false),
        controls::run(spec),
    ];
    lists.extend(spec.faults.iter().map(|fault| controls::of_fault(fault, spec)));
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

//! The settings of a scenario as the page lists them: the sheet of all numbers, in groups, and the
//! controls of a fault.

mod client;
pub mod fault;
pub mod new_fault;
mod queue;
mod service;

use crate::sim::lock::info;
use crate::sim::scenario::ScenarioSpec;
use crate::view_model::controls::Control;
use crate::view_model::systems::own_controls;
use crate::view_model::words::names::Words;

pub use fault::of_fault;

/// Some settings that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// The column that it stands in, of [`COLUMNS`].
    pub column: usize,
    /// Its settings.
    pub controls: Vec<Control>,
}

/// Columns of the sheet.
pub const COLUMNS: usize = 3;

/// All settings of a scenario but its faults and the fence, which have places of their own.
pub fn sheet(words: &Words, spec: &ScenarioSpec, fencing_off: bool) -> Vec<Group> {
    let group = |name, column, controls| Group { name, column, controls };
    let mut last = client::messages(words, spec);
    last.extend(service::run(spec));
    let mut lease = service::lease(words, spec);
    lease.extend(queue::acted_on(spec));
    let own = group(info(spec.lock).name, 2, own_controls(words, spec));
    let all = [
        group("Lease", 0, lease),
        group("Item of a queue", 0, queue::item(spec)),
        group("Who waits", 0, client::waiters(spec)),
        group("Renewal and deadline", 1, client::renewal(words, spec)),
        group("Work", 1, client::work(words, spec)),
        group("Storage", 2, service::storage(words, spec, fencing_off)),
        group("Messages and run", 2, last),
        group("Clients", 2, client::clients(words, spec)),
        own,
    ];
    all.into_iter().filter(|group| !group.controls.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::Scenario;
    use crate::sim::lock::SYSTEMS;
    use crate::sim::scenario::Setting;
    use crate::sim::scenario::{ClientSpec, Wait};
    use crate::view_model::controls::{Reads, Shape};

    fn all(spec: &ScenarioSpec) -> Vec<Control> {
        let words = Words::default();
        let groups = sheet(&words, spec, false).into_iter();
        let mut all: Vec<_> = groups.flat_map(|group| group.controls).collect();
        for fault in &spec.faults {
            all.extend(of_fault(fault, spec));
        }
        all
    }

    /// Without what clients have of their own: what is set for all takes that away.
    fn for_all(spec: &ScenarioSpec) -> ScenarioSpec {
        let mut spec = spec.clone();
        for client in &mut spec.clients {
            let ClientSpec { asks_at, ttl, session_at, .. } = *client;
            *client = ClientSpec { asks_at, ttl, session_at, ..ClientSpec::default() };
        }
        spec
    }

    #[test]
    fn every_choice_of_every_control_makes_a_valid_scenario() {
        for entry in GALLERY {
            let spec = entry.file().scenario;
            let base = Scenario::new(spec.clone()).expect(entry.id);
            for control in all(&spec) {
                let changes = match control.shape {
                    Shape::Switch { turned, .. } => vec![turned],
                    Shape::Choice { options, chosen } => {
                        assert!(chosen < options.len(), "{}", control.label);
                        options.into_iter().map(|(_, change)| change).collect()
                    }
                    // What has no effect cannot be typed into.
                    Shape::Text { .. } if control.idle.is_some() => Vec::new(),
                    Shape::Text { shown, reads } => {
                        let same = reads.changes(&shown, &shown).expect(&control.label);
                        let again = base.with(&same).expect(&control.label);
                        // Where there is no queue, who is set to stand in one asks again.
                        let polls = control.key == "wait" && spec.defaults.wait == Wait::Queue;
                        // What clients differ in is set for all of them.
                        let differ =
                            matches!(reads, Reads::Quantity(of) if of.differing(&spec).is_some());
                        let is_same = for_all(again.spec()) == for_all(&spec);
                        assert!(polls || differ || is_same, "{}: {}", entry.id, control.label);
                        assert!(reads.changes("often", &shown).is_err());
                        Vec::new()
                    }
                };
                for change in changes {
                    assert!(base.with(&[change]).is_ok(), "{}", control.label);
                }
            }
        }
    }

    #[test]
    fn names_of_controls_are_told_apart() {
        let spec = GALLERY[0].file().scenario;
        let mut names: Vec<_> = all(&spec).into_iter().map(|c| c.label).collect();
        let n_names = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), n_names);
    }

    /// The groups that a search leaves, with what it finds in them.
    fn found(query: &str) -> Vec<(&'static str, String)> {
        let groups = sheet(&Words::default(), &GALLERY[0].file().scenario, false);
        let found = groups.into_iter().flat_map(|Group { name, controls, .. }| {
            let fits = controls.into_iter().filter(|it| it.matches(name, query));
            fits.map(|it| (name, it.label)).collect::<Vec<_>>()
        });
        found.collect()
    }

    #[test]
    fn every_setting_stands_in_one_group() {
        for info in SYSTEMS {
            let mut spec = GALLERY[0].file().scenario;
            spec.lock = info.system;
            let groups = sheet(&Words::default(), &spec, false);
            let keys: Vec<_> =
                groups.iter().flat_map(|it| it.controls.iter().map(|it| it.key)).collect();
            assert!(keys.iter().all(|key| !key.is_empty()), "{}: {groups:?}", info.name);
            // The fence has its own place, on the race.
            let all = Setting::ALL.iter().filter(|setting| **setting != Setting::Fencing);
            for setting in all {
                assert!(keys.contains(&setting.key()), "{}: {setting:?}", info.name);
            }
        }
    }

    #[test]
    fn a_search_finds_by_name_by_key_and_by_what_others_call_it() {
        let only = |query: &str| found(query).into_iter().map(|it| it.1).collect::<Vec<_>>();
        assert_eq!(only("deadline margin"), ["Deadline margin"]);
        assert_eq!(only("deadline_margin"), ["Deadline margin"]);
        assert_eq!(only("SETNX"), ["Taken in two steps"]);
        assert_eq!(only("watchdog"), ["Renew every"]);
        assert!(only("retries").contains(&"Retries".to_owned()));
        assert!(only("clock").len() > 1 && only("who waits").contains(&"Jitter".to_owned()));
        assert_eq!(only("no such thing"), [""; 0]);
    }

    #[test]
    fn what_has_no_effect_says_so_in_a_few_words() {
        let spec = GALLERY[0].file().scenario;
        let why = |label: &str| {
            let groups = sheet(&Words::default(), &spec, false).into_iter();
            let mut all = groups.flat_map(|group| group.controls);
            all.find(|it| it.label == label).and_then(|it| it.idle).map(|why| why.short)
        };
        assert_eq!(why("Jitter"), Some("no polls"));
        assert_eq!(why("Deadline margin"), Some("no deadline"));
        assert_eq!(why("Time to live"), None);
    }

    #[test]
    fn every_control_of_a_gallery_scenario_goes_back_to_what_it_showed() {
        let words = Words::default();
        let controls = |spec: &ScenarioSpec| {
            let groups = sheet(&words, spec, false).into_iter();
            groups.flat_map(|group| group.controls).collect::<Vec<_>>()
        };
        let mut n_back = 0;
        for entry in GALLERY {
            let base = Scenario::new(entry.file().scenario).expect(entry.id);
            for old in controls(base.spec()) {
                let changes = match &old.shape {
                    Shape::Switch { turned, .. } => vec![turned.clone()],
                    Shape::Choice { options, chosen } => {
                        let other = (chosen + 1) % options.len();
                        vec![options[other].1.clone()]
                    }
                    Shape::Text { reads, shown } => reads.changes("2", shown).expect(&old.label),
                };
                // A fault may strike what goes.
                let Ok(changed) = base.with(&changes) else { continue };
                let now = controls(changed.spec());
                let Some(now) = now.iter().find(|it| it.label == old.label) else { continue };
                let Some(back) = now.back_to(&old) else { continue };
                let back = changed.with(&back).expect(&old.label);
                let again = controls(back.spec());
                let again = again.iter().find(|it| it.label == old.label).expect("as before");
                assert_eq!(again.shown(), old.shown(), "{}: {}", entry.id, old.label);
                n_back += 1;
            }
        }
        assert!(n_back > GALLERY.len() * 20, "{n_back}");
    }
}

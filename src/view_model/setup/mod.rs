//! The groups of controls, as the page lists them: clients, lease and service, storage, faults.

pub mod client;
pub mod fault;
pub mod new_fault;
pub mod service;

pub use client::{clients, waiters, work};
pub use fault::of_fault;
pub use service::{lease, run, storage};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::Scenario;
    use crate::sim::scenario::ClientSpec;
    use crate::view_model::controls::{Control, Shape};
    use crate::view_model::words::names::Words;

    fn all(spec: &crate::sim::ScenarioSpec) -> Vec<Control> {
        let words = Words::default();
        let mut all = lease(&words, spec);
        all.extend(storage(&words, spec, false));
        all.extend(work(spec));
        all.extend(waiters(spec));
        all.extend(clients(&words, spec));
        all.extend(run(spec));
        for fault in &spec.faults {
            all.extend(of_fault(&words, fault, spec));
        }
        all
    }

    /// Without what clients have of their own: what is set for all takes that away.
    fn for_all(spec: &crate::sim::ScenarioSpec) -> crate::sim::ScenarioSpec {
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
                    Shape::Text { shown, reads } => {
                        let same = reads.change(&shown, &shown).expect(&control.label);
                        let again = base.with(&[same]).expect(&control.label);
                        assert!(for_all(again.spec()) == for_all(&spec), "{}", control.label);
                        assert!(reads.change("often", &shown).is_err());
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
}

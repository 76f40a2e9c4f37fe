//! The first minute: whoever opens the page finds the trap of the lock system that is theirs, with
//! the numbers that it really comes with.

use crate::scenarios::GalleryEntry;
use crate::sim::SimDuration;
use crate::sim::id::FaultId;
use crate::sim::scenario::Change;
use crate::view_model::systems::real_defaults;

/// A lock system that is offered by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Yours {
    /// Its name.
    pub name: &'static str,
    /// Its trap in the gallery.
    pub id: &'static str,
    /// How long fault and work last where the gallery's are shorter than the real lease, which is
    /// set with them.
    longer: Option<[SimDuration; 2]>,
}

/// A session lasts a minute in etcd's client.
const LONGER: [SimDuration; 2] = [SimDuration::from_secs(120), SimDuration::from_secs(10)];

/// Those that most people have.
pub const YOURS: [Yours; 4] = [
    Yours { name: "Redis", id: "redis-efficiency", longer: None },
    Yours { name: "Kubernetes leader election", id: "kubernetes-paused-leader", longer: None },
    Yours { name: "PostgreSQL", id: "sql-open-transaction", longer: None },
    Yours { name: "etcd", id: "etcd-not-told", longer: Some(LONGER) },
];

impl Yours {
    /// What is set in the gallery's scenario, as one edit; empty: nothing.
    pub fn changes(&self) -> Vec<Change> {
        let Some(([length, work], entry)) = self.longer.zip(GalleryEntry::find(self.id)) else {
            return Vec::new();
        };
        let mut changes = real_defaults(&entry.file().scenario);
        changes.extend([Change::FaultLength { id: FaultId(1), length }, Change::Work(work)]);
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::lock::rules;
    use crate::sim::property::VerdictKind;
    use crate::view_model::runs::Runs;

    #[test]
    fn each_is_a_trap_with_the_systems_real_lease() {
        for yours in YOURS {
            let mut file = GalleryEntry::find(yours.id).expect(yours.name).file();
            for change in yours.changes() {
                change.apply(&mut file.scenario).expect(yours.name);
            }
            let runs = Runs::of(&file).expect(yours.name);
            let verdict = runs.run_1.verdict().kind;
            assert_eq!(verdict, VerdictKind::Corrupted, "{}", yours.name);
            let spec = &file.scenario;
            let mut real = spec.clone();
            for change in real_defaults(spec) {
                change.apply(&mut real).expect(yours.name);
            }
            let has_ttl = rules(spec).has_ttl;
            assert!(!has_ttl || spec.lease.ttl == real.lease.ttl, "{}", yours.name);
            assert!(!has_ttl || spec.defaults.renew == real.defaults.renew, "{}", yours.name);
        }
    }
}

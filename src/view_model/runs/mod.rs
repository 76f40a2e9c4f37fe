//! The runs that the page shows: one, or two of one schedule, with their merged moments. Made from
//! the scenario file alone; it knows no wording and no drawing.

pub mod computing;
pub mod labels;
pub mod moment;

use std::rc::Rc;

use crate::sim::comparison::Difference;
use crate::sim::id::{EntrySeq, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::recording::Recording;
use crate::sim::scenario::{Change, Incident, ScenarioError, ScenarioFile};
use crate::sim::time::SimTime;

use crate::view_model::words::names::Words;

use super::facts::listed;
use super::facts::routine::Again;
use computing::Computing;
use moment::{Moment, MomentKind, Moments, RunNo};

/// What is run of a scenario, seen from its fence. It is read from the file and written to it, so
/// that undo, links and files carry it without a word of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FencingMode {
    /// One run, tokens recorded and not checked.
    Off,
    /// One run, tokens checked.
    On,
    /// Run 1 without the fence, Run 2 with it.
    Both,
}

impl FencingMode {
    /// All of them, as the page offers them.
    pub const ALL: [Self; 3] = [Self::Off, Self::On, Self::Both];

    /// What a file says.
    pub fn of(file: &ScenarioFile) -> Self {
        let compares = |change: &Change| matches!(change, Change::Fencing(_));
        if file.compare.iter().any(compares) {
            Self::Both
        } else if file.scenario.storage.fencing {
            Self::On
        } else {
            Self::Off
        }
    }

    /// Writes it into a file. Another comparison, such as of two ways to renew, stays beside `Off`
    /// and `On`; `Both` takes its place, because two differences at once explain nothing.
    pub fn write_to(self, file: &mut ScenarioFile) {
        file.compare.retain(|change| !matches!(change, Change::Fencing(_)));
        file.scenario.storage.fencing = self == Self::On;
        if self == Self::Both {
            file.compare = vec![Change::Fencing(true)];
        }
    }
}

/// Makes a change to Run 2 alone. The comparison of fencing off and on gives way, because two
/// differences at once explain nothing; what Run 1 has as well is no difference.
fn change_run_2(file: &mut ScenarioFile, change: &Change) {
    file.compare.retain(|old| !matches!(old, Change::Fencing(_)) && !old.sets_what(change));
    let mut changed = file.scenario.clone();
    if change.apply(&mut changed).is_err() || changed != file.scenario {
        file.compare.push(change.clone());
    }
}

/// Makes a change, to Run 2 alone or to all that is shown.
///
/// # Errors
/// If the change does not fit the scenario; one that does not fit Run 2 is found when it is run.
pub fn put(
    file: &mut ScenarioFile,
    change: &Change,
    run_2_only: bool,
) -> Result<(), ScenarioError> {
    if run_2_only {
        change_run_2(file, change);
        return Ok(());
    }
    change.apply(&mut file.scenario)
}

/// The file as it would be if Run 2 were the only run: what controls show that change Run 2 alone.
pub fn only_run_2(file: &ScenarioFile) -> ScenarioFile {
    let mut only = file.clone();
    // Runs are made only of files whose changes fit.
    let _ = file.compare.iter().try_for_each(|change| change.apply(&mut only.scenario));
    only
}

/// The runs that the page shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runs {
    /// The scenario as it stands; fencing off when both are compared.
    pub run_1: Recording,
    /// The scenario with what is compared; `None` when one run is shown.
    pub run_2: Option<Recording>,
    /// What differs in Run 2; empty when one run is shown.
    pub compare: Vec<Change>,
    /// Where the two part; `None` if they do not.
    pub first_difference: Option<Difference>,
    /// The events of both that a reader cares for.
    pub moments: Moments,
    /// What the file says of the real incident: names, times of day, what was observed.
    pub incident: Rc<Incident>,
    /// What everybody is called in it.
    pub words: Words,
    /// The same in Run 2, which can have another lock system.
    pub words_2: Words,
}

impl Runs {
    /// Runs what a file describes.
    ///
    /// # Errors
    /// If the scenario, or the scenario with what is compared, is not valid.
    pub fn of(file: &ScenarioFile) -> Result<Self, ScenarioError> {
        let mut computing = Computing::new(file)?;
        while !computing.step(u32::MAX) {}
        Ok(computing.finish())
    }

    /// A run, if it is shown.
    pub fn run(&self, run: RunNo) -> Option<&Recording> {
        match run {
            RunNo::One => Some(&self.run_1),
            RunNo::Two => self.run_2.as_ref(),
        }
    }

    /// What everybody is called in a run.
    pub fn words_in(&self, run: RunNo) -> &Words {
        match run {
            RunNo::One => &self.words,
            RunNo::Two => &self.words_2,
        }
    }

    /// The runs that are shown.
    pub fn shown(&self) -> impl Iterator<Item = (RunNo, &Recording)> {
        RunNo::ALL.into_iter().filter_map(|run| Some((run, self.run(run)?)))
    }

    /// When the longer run ends: the end of the page's time.
    pub fn ends_at(&self) -> SimTime {
        let end_2 = self.run_2.as_ref().map(Recording::ends_at);
        end_2.unwrap_or(SimTime::ZERO).max(self.run_1.ends_at())
    }

    /// The entry of a run's log.
    pub fn entry(&self, run: RunNo, seq: EntrySeq) -> Option<&LogEntry> {
        self.run(run)?.log().get(seq)
    }

    /// The entries of a moment, Run 1's first.
    pub fn entries_of(&self, moment: &Moment) -> [Option<&LogEntry>; 2] {
        RunNo::ALL.map(|run| self.entry(run, moment.entry_in(run)?))
    }

    /// What a moment is about.
    pub fn kind_of(&self, moment: &Moment) -> MomentKind {
        let kinds = self.entries_of(moment).into_iter().flatten();
        kinds.filter_map(|entry| listed(&entry.fact).kind).min().unwrap_or(MomentKind::Lease)
    }

    /// Whether a moment is an answer or a fact that the two runs do not share.
    pub fn differs(&self, moment: &Moment) -> bool {
        if self.run_2.is_none() {
            return false;
        }
        match self.entries_of(moment) {
            [Some(one), Some(two)] => {
                let is_sent = one.fact.sending().is_some() || one.fact.lost().is_some();
                (one.fact != two.fact && !is_sent) || self.is_judged_differently(moment)
            }
            [None, _] | [_, None] => true,
        }
    }

    /// Whether a write that both runs answer alike is rightful in one and not in the other.
    fn is_judged_differently(&self, moment: &Moment) -> bool {
        let judged = RunNo::ALL.map(|run| {
            let judged = self.run(run)?.write(moment.entry_in(run)?)?;
            Some((judged.status, judged.accepted, judged.lost_update))
        });
        judged[0] != judged[1]
    }

    /// The first event that decided a bad verdict, in either run: where the page opens.
    pub fn first_bad(&self) -> Option<SimTime> {
        self.shown().filter_map(|(_, run)| run.verdict().at).min()
    }

    /// Where the playhead stands when the runs are first shown: at the first bad event, otherwise
    /// where the runs part, otherwise at the last event that is not routine.
    pub fn opens_at(&self) -> SimTime {
        let parts_at = self.first_difference.map(|difference| difference.at);
        self.first_bad().or(parts_at).unwrap_or_else(|| self.last_notable())
    }

    /// When the last moment lies that is not routine.
    pub fn last_notable(&self) -> SimTime {
        self.moments.last_telling_before(SimTime::MAX).unwrap_or(SimTime::ZERO)
    }

    /// Who does what again in a moment, if it is routine.
    pub fn again(&self, moment: &Moment) -> Option<(NodeId, Again)> {
        let entry = self.entries_of(moment).into_iter().flatten().next()?;
        if let Some(lost) = entry.fact.lost() {
            return Some((lost.from, Again::Loses));
        }
        let again = match listed(&entry.fact).kind {
            Some(MomentKind::Renewal) => Again::Renews,
            _ => Again::Polls,
        };
        Some((entry.fact.about().client.map_or(entry.node(), NodeId::Client), again))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::SimDuration;
    use crate::sim::scenario::LockSystem;

    #[test]
    fn a_change_of_run_2_alone_leaves_run_1_and_takes_the_place_of_the_fence() {
        let mut file = GALLERY[0].file();
        let base = file.scenario.clone();
        let ttl = |secs| Change::Ttl(SimDuration::from_secs(secs));
        put(&mut file, &ttl(20), true).expect("fits");
        assert_eq!(file.compare, [ttl(20)]);
        put(&mut file, &ttl(30), true).expect("fits");
        assert_eq!(file.compare, [ttl(30)], "the later one holds");
        put(&mut file, &Change::Lock(LockSystem::Etcd), true).expect("fits");
        assert_eq!(file.compare, [ttl(30), Change::Lock(LockSystem::Etcd)]);
        assert_eq!(file.scenario, base);
        let only = only_run_2(&file);
        assert_eq!(only.scenario.lease.ttl, SimDuration::from_secs(30));
        assert_eq!(only.scenario.lock, LockSystem::Etcd);
        put(&mut file, &ttl(10), true).expect("fits");
        assert_eq!(file.compare, [Change::Lock(LockSystem::Etcd)], "as in Run 1: no difference");
        put(&mut file, &ttl(15), false).expect("fits");
        assert_eq!(file.scenario.lease.ttl, SimDuration::from_secs(15));
    }
}

//! The moments of one or two runs: every event that a reader cares for, in time order, those that
//! both runs share once. Positions, the event list and the steps of the transport count these. Made
//! once per run from the logs; it knows no wording and no drawing.

use crate::sim::id::EntrySeq;
use crate::sim::log::LogEntry;
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;

use crate::view_model::facts::listed;
use crate::view_model::facts::routine::Routine;

pub use crate::view_model::words::listing::MomentKind;

/// One of the two runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RunNo {
    /// Run 1, the base.
    One,
    /// Run 2, the base with the changes that are compared.
    Two,
}

impl RunNo {
    /// Both.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "Run 1",
            Self::Two => "Run 2",
        }
    }
}

/// One event that a reader cares for, in one run or in both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Moment {
    /// When.
    pub at: SimTime,
    /// The entry in Run 1's log, if it happened there.
    pub run_1: Option<EntrySeq>,
    /// The entry in Run 2's log. Both are given where the event is the same, and where it is the
    /// same question with two answers (a write accepted here and refused there).
    pub run_2: Option<EntrySeq>,
}

impl Moment {
    /// The entry in the log of a run.
    pub fn entry_in(&self, run: RunNo) -> Option<EntrySeq> {
        match run {
            RunNo::One => self.run_1,
            RunNo::Two => self.run_2,
        }
    }
}

/// No entry in this run. A log ends far below it (`limits::MAX_EVENTS`).
const NONE: u32 = u32::MAX;

/// How far a counterpart is looked for inside one instant. More than the events of eight clients at
/// one instant; without a bound, a run in which everything happens at once would cost its square.
const LOOK_AHEAD: usize = 64;

/// Sixteen bytes a moment, so that the moments of a million entries fit beside them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Packed {
    at: SimTime,
    run_1: u32,
    run_2: u32,
}

/// The moments of one or two runs, in time order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Moments {
    list: Vec<Packed>,
    /// The places of those that are not routine.
    telling: Vec<u32>,
}

impl Moments {
    /// Merges the listed events of both runs.
    pub fn of(run_1: &Recording, run_2: Option<&Recording>) -> Self {
        let log_2 = run_2.map(Recording::entries).unwrap_or_default();
        let mut moments = Self::of_logs(run_1.entries(), log_2);
        let of_runs = [Some(run_1), run_2].map(|run| run.map(|run| (run, Routine::of(run))));
        let is_routine = |moment: Moment| {
            let runs = of_runs.iter().zip(RunNo::ALL);
            let mut entries = runs.filter_map(|(run, no)| {
                let (run, routine) = run.as_ref()?;
                Some(routine.again(run, run.log().get(moment.entry_in(no)?)?))
            });
            entries.all(|again| again.is_some())
        };
        let tells = |index: &u32| moments.get(*index).is_some_and(|moment| !is_routine(moment));
        let telling = (0..moments.n_moments()).filter(tells);
        let mut places = Vec::with_capacity(telling.clone().count());
        places.extend(telling);
        moments.telling = places;
        moments
    }

    fn of_logs(log_1: &[LogEntry], log_2: &[LogEntry]) -> Self {
        // Counted before, as flights are: the list is made once and of its size.
        let mut n_moments = 0;
        merge(log_1, log_2, |_| n_moments += 1);
        let mut list = Vec::with_capacity(n_moments);
        merge(log_1, log_2, |moment| list.push(moment));
        let telling = (0..count(list.len())).collect();
        Self { list, telling }
    }

    /// How many are not routine.
    pub fn n_telling(&self) -> u32 {
        count(self.telling.len())
    }

    /// How many of the first `n_moments` are not routine.
    pub fn n_telling_of(&self, n_moments: u32) -> u32 {
        count(self.telling.partition_point(|index| *index < n_moments))
    }

    /// Whether a moment is routine.
    pub fn is_routine(&self, index: u32) -> bool {
        self.telling.binary_search(&index).is_err()
    }

    /// When the first moment after `time` is that is not routine.
    pub fn next_telling_after(&self, time: SimTime) -> Option<SimTime> {
        let next = self.n_telling_of(self.n_until(time));
        self.get(*self.telling.get(next as usize)?).map(|moment| moment.at)
    }

    /// When the last moment before `time` is that is not routine.
    pub fn last_telling_before(&self, time: SimTime) -> Option<SimTime> {
        let last = self.n_telling_of(self.n_before(time)).checked_sub(1)?;
        self.get(*self.telling.get(last as usize)?).map(|moment| moment.at)
    }

    /// How many there are.
    pub fn n_moments(&self) -> u32 {
        count(self.list.len())
    }

    /// The moment at `index`, from 0.
    pub fn get(&self, index: u32) -> Option<Moment> {
        let packed = self.list.get(index as usize)?;
        let entry = |seq: u32| (seq != NONE).then_some(EntrySeq(seq));
        Some(Moment { at: packed.at, run_1: entry(packed.run_1), run_2: entry(packed.run_2) })
    }

    /// All, in time order.
    pub fn iter(&self) -> impl Iterator<Item = Moment> + '_ {
        (0..self.n_moments()).filter_map(|index| self.get(index))
    }

    /// How many lie at `time` or before: the position of a playhead that stands there.
    pub fn n_until(&self, time: SimTime) -> u32 {
        count(self.list.partition_point(|moment| moment.at <= time))
    }

    /// How many lie before `time`.
    pub fn n_before(&self, time: SimTime) -> u32 {
        count(self.list.partition_point(|moment| moment.at < time))
    }

    /// When the first moment after `time` is.
    pub fn next_after(&self, time: SimTime) -> Option<SimTime> {
        self.get(self.n_until(time)).map(|moment| moment.at)
    }

    /// When the last moment before `time` is.
    pub fn last_before(&self, time: SimTime) -> Option<SimTime> {
        let index = self.n_before(time).checked_sub(1)?;
        self.get(index).map(|moment| moment.at)
    }

    /// The index of the moment that an entry of a run's log belongs to; `None` if it is not listed.
    pub fn index_of(&self, run: RunNo, entry: &LogEntry) -> Option<u32> {
        (self.n_before(entry.at)..self.n_until(entry.at)).find(|&index| {
            self.get(index).is_some_and(|moment| moment.entry_in(run) == Some(entry.seq))
        })
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("two logs of limits::MAX_EVENTS entries fit 32 bits")
}

/// Tells the moments of two logs, one after the other.
fn merge(log_1: &[LogEntry], log_2: &[LogEntry], mut tell: impl FnMut(Packed)) {
    let is_listed = |entry: &&LogEntry| listed(&entry.fact).kind.is_some();
    let mut rest_1 = log_1.iter().filter(is_listed).peekable();
    let mut rest_2 = log_2.iter().filter(is_listed).peekable();
    let (mut now_1, mut now_2) = (Vec::new(), Vec::new());
    loop {
        let next = [rest_1.peek(), rest_2.peek()];
        let Some(at) = next.into_iter().flatten().map(|entry| entry.at).min() else {
            break;
        };
        now_1.clear();
        now_2.clear();
        now_1.extend(std::iter::from_fn(|| rest_1.next_if(|e| e.at == at)));
        now_2.extend(std::iter::from_fn(|| rest_2.next_if(|e| e.at == at)));
        merge_instant(at, &now_1, &now_2, &mut tell);
    }
}

/// Merges what happened at one instant: equal events become one moment, in Run 1's order.
fn merge_instant(
    at: SimTime,
    now_1: &[&LogEntry],
    now_2: &[&LogEntry],
    tell: &mut impl FnMut(Packed),
) {
    let only_2 = |entry: &&LogEntry| Packed { at, run_1: NONE, run_2: entry.seq.0 };
    let mut done_2 = 0;
    for one in now_1 {
        let rest = &now_2[done_2..];
        let near = &rest[..rest.len().min(LOOK_AHEAD)];
        let counterpart = near.iter().position(|two| is_counterpart(one, two));
        let ahead = counterpart.unwrap_or(0);
        rest[..ahead].iter().map(only_2).for_each(&mut *tell);
        tell(Packed {
            at,
            run_1: one.seq.0,
            run_2: counterpart.map_or(NONE, |index| rest[index].seq.0),
        });
        done_2 += counterpart.map_or(0, |index| index + 1);
    }
    now_2[done_2..].iter().map(only_2).for_each(tell);
}

/// Whether two entries of one instant are one moment: the same event, or the same question with
/// another answer. Numbers of messages do not count: they differ once one run sends one more.
fn is_counterpart(one: &LogEntry, two: &LogEntry) -> bool {
    if one.fact == two.fact {
        return true;
    }
    let questions = (one.fact.about().question, two.fact.about().question);
    match questions {
        (Some(a), Some(b)) => one.node() == two.node() && a == b,
        (None, _) | (_, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::fact::{ClientFact, Fact, Refusal, StoreFact};
    use crate::sim::id::{ClientId, FencingToken, GrantNo, StoreId, Version, WriteId};
    use crate::sim::scenario::PauseScope;

    fn entry(seq: u32, millis: u64, fact: Fact) -> LogEntry {
        LogEntry { at: SimTime::from_millis(millis), seq: EntrySeq(seq), cause: None, fact }
    }

    fn resumed(seq: u32, millis: u64) -> LogEntry {
        let scope = PauseScope::Client;
        entry(seq, millis, Fact::Client(ClientId(0), ClientFact::Resumed { scope }))
    }

    fn answer(seq: u32, millis: u64, accepted: bool) -> LogEntry {
        let write = WriteId { client: ClientId(0), work: 1, step: 1, shared: false };
        let (grant, token) = (GrantNo(1), FencingToken(33));
        let fact = if accepted {
            StoreFact::WriteAccepted { write, grant, token, base: None, version: Version::after(2) }
        } else {
            let (highest, why) = (FencingToken(34), Refusal::Token);
            StoreFact::WriteRefused { write, grant, token, highest, why }
        };
        entry(seq, millis, Fact::Store(StoreId(0), fact))
    }

    #[test]
    fn what_both_runs_share_is_one_moment() {
        let (log_1, log_2) = (
            [resumed(0, 5), answer(1, 7, true), resumed(2, 9)],
            [resumed(0, 5), answer(1, 7, false), resumed(2, 8)],
        );
        let moments = Moments::of_logs(&log_1, &log_2);
        let pairs: Vec<_> = moments
            .iter()
            .map(|moment| (moment.run_1.map(|s| s.0), moment.run_2.map(|s| s.0)))
            .collect();
        let expected = [(Some(0), Some(0)), (Some(1), Some(1)), (None, Some(2)), (Some(2), None)];
        assert_eq!(pairs, expected);
        assert_eq!(moments.n_until(SimTime::from_millis(7)), 2);
        assert_eq!(moments.n_before(SimTime::from_millis(7)), 1);
        assert_eq!(moments.index_of(RunNo::Two, &log_2[2]), Some(2));
        assert_eq!(moments.index_of(RunNo::One, &log_1[2]), Some(3));
    }

    #[test]
    fn one_run_alone_is_its_own_list() {
        let log = [resumed(0, 5), answer(1, 7, true)];
        let moments = Moments::of_logs(&log, &[]);
        assert_eq!(moments.n_moments(), 2);
        assert_eq!(moments.next_after(SimTime::from_millis(5)), Some(SimTime::from_millis(7)));
        assert_eq!(moments.last_before(SimTime::from_millis(7)), Some(SimTime::from_millis(5)));
    }
}

//! The simulation's Raft beside another one, the crate `raft`, on the same schedules. Where all
//! messages land after each step and who times out is said by the schedule, both come to the same,
//! exactly. Where messages land, get lost and come twice at random, the two part ways, and both
//! must keep what Raft promises.

mod cluster;
mod ours;
mod theirs;

use std::collections::BTreeMap;

use cluster::{Cluster, Entry, Member, Seen, Step, Wild};
use ours::Ours;
use proptest::prelude::*;
use theirs::Theirs;

/// Runs both, compares them after each step, and tells what they came to.
fn both(n: u8, steps: &[Step]) -> Vec<Seen> {
    let mut ours = Cluster::<Ours<false>>::new(n);
    let mut theirs = Cluster::<Theirs<true>>::new(n);
    for (done, step) in steps.iter().enumerate() {
        ours.take(*step);
        theirs.take(*step);
        let (ours, theirs) = (ours.seen(), theirs.seen());
        let done = &steps[..=done];
        let decided = |all: &[Seen]| -> Vec<_> {
            let one = |seen: &Seen| (seen.leads, seen.term, seen.leader, seen.log.clone());
            all.iter().map(one).collect()
        };
        assert_eq!(decided(&ours), decided(&theirs), "after {done:?}");
        for (own, their) in ours.iter().zip(&theirs) {
            // In the crate a request for a vote also tells what is committed, which the paper's
            // does not: who only votes can know more there, and never less.
            let same = own.commit == their.commit;
            assert!(
                same || !own.leads && own.commit < their.commit,
                "{done:?}: {own:?}, {their:?}"
            );
        }
        let known = |all: &[Seen]| all.iter().map(|seen| seen.commit).max();
        assert_eq!(known(&ours), known(&theirs), "after {done:?}");
    }
    ours.seen()
}

#[test]
fn who_times_out_first_leads_and_its_first_entry_is_committed() {
    let all = both(3, &[Step::TimesOut(1)]);
    for seen in &all {
        assert_eq!((seen.term, seen.leader, seen.commit), (1, Some(1), 1));
        assert_eq!(seen.log, [(1, 0)]);
    }
    assert!(all[1].leads);
}

#[test]
fn who_lacks_a_committed_entry_is_not_elected_and_who_has_it_is() {
    let steps = [
        Step::TimesOut(0),
        // The third one misses an entry.
        Step::Part(0b100),
        Step::Propose(5),
        Step::Restart(0),
        Step::Part(0),
        Step::Silence,
        Step::TimesOut(2),
    ];
    let all = both(3, &steps);
    assert!(all.iter().all(|seen| !seen.leads), "{all:?}");
    let all = both(3, &[&steps[..], &[Step::Silence, Step::TimesOut(1)]].concat());
    assert!(all[1].leads);
    assert!(all.iter().all(|seen| seen.log.contains(&(1, 5)) && seen.commit == 3), "{all:?}");
}

#[test]
fn a_leader_on_the_minority_side_commits_nothing_and_its_entries_give_way() {
    let parted = [
        Step::TimesOut(0),
        Step::Part(0b00011),
        Step::Propose(5),
        Step::Silence,
        Step::TimesOut(3),
        Step::Propose(6),
    ];
    let all = both(5, &parted);
    // Both lead, in different terms, and both have appended 5 and 6 of their own.
    assert_eq!((all[0].leads, all[0].term, all[0].commit), (true, 1, 1));
    assert_eq!(all[0].log, [(1, 0), (1, 5), (1, 6)]);
    assert_eq!((all[3].leads, all[3].term, all[3].commit), (true, 2, 3));
    let all = both(5, &[&parted[..], &[Step::Part(0)]].concat());
    assert!(all.iter().all(|seen| seen.log == [(1, 0), (2, 0), (2, 6)]), "{all:?}");
    assert!(all.iter().all(|seen| (seen.term, seen.leader, seen.commit) == (2, Some(3), 3)));
}

#[test]
fn a_node_that_hears_a_leader_votes_for_nobody_else() {
    let all = both(3, &[Step::TimesOut(0), Step::TimesOut(1)]);
    // Its request was ignored; that it is in a newer term, the leader learns by its own heartbeat.
    assert_eq!((all[1].leads, all[1].term), (false, 2));
    assert_eq!(all[2].term, 1);
    assert!(all.iter().all(|seen| !seen.leads), "{all:?}");
    let all = both(3, &[Step::TimesOut(0), Step::Part(0b001), Step::Silence, Step::TimesOut(1)]);
    assert_eq!((all[1].leads, all[1].term), (true, 2), "after an election timeout it does");
}

#[test]
fn what_is_on_disk_outlives_a_restart_of_all() {
    let restarts = [Step::Restart(0), Step::Restart(1), Step::Restart(2)];
    let before = [Step::TimesOut(0), Step::Propose(5)];
    let after = [Step::TimesOut(2), Step::Propose(6)];
    let all = both(3, &[&before[..], &restarts, &after].concat());
    assert!(all.iter().all(|seen| seen.log == [(1, 0), (1, 5), (2, 0), (2, 6)]), "{all:?}");
    assert!(all.iter().all(|seen| seen.commit == 4));
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => Just(Step::Silence),
        3 => (0..5_u8).prop_map(Step::TimesOut),
        3 => (1..1_000_u64).prop_map(Step::Propose),
        2 => any::<u8>().prop_map(Step::Part),
        1 => Just(Step::Part(0)),
        1 => (0..5_u8).prop_map(Step::Restart),
    ]
}

/// What Raft promises, over a whole run of one group.
#[derive(Default)]
struct Promises {
    leaders: BTreeMap<u64, u8>,
    /// The committed entries, each with the term of the leader that committed it.
    committed: Vec<(Entry, u64)>,
    before: Vec<(u64, u64)>,
}

impl Promises {
    fn hold(&mut self, all: &[Seen]) {
        self.before.resize(all.len(), (0, 0));
        for (id, seen) in (0..).zip(all) {
            let (term, commit) = self.before[usize::from(id)];
            assert!(seen.term >= term, "the term of {id} went back");
            assert!(seen.commit >= commit, "the commit of {id} went back");
            self.before[usize::from(id)] = (seen.term, seen.commit);
            if seen.leads && self.leaders.insert(seen.term, id).is_none() {
                let earlier = self.committed.iter().enumerate();
                for (place, (entry, _)) in earlier.filter(|(_, (_, by))| *by < seen.term) {
                    assert_eq!(seen.log.get(place), Some(entry), "a leader has what was committed");
                }
            }
            if seen.leads {
                assert_eq!(self.leaders[&seen.term], id, "two leaders in term {}", seen.term);
            }
            let commit = usize::try_from(seen.commit).expect("a short log");
            for (place, entry) in seen.log[..commit].iter().enumerate() {
                match self.committed.get(place) {
                    Some((known, _)) => assert_eq!(known, entry, "a committed entry was lost"),
                    None => self.committed.push((*entry, seen.term)),
                }
            }
        }
    }
}

/// Runs a group as the schedule says; tells how many leaders and committed entries there were.
fn wild<M: Member>(n: u8, steps: &[Wild]) -> (usize, usize) {
    let mut cluster = Cluster::<M>::new(n);
    let mut promises = Promises::default();
    for step in steps {
        cluster.take_wild(*step);
        promises.hold(&cluster.seen());
    }
    (promises.leaders.len(), promises.committed.len())
}

fn wild_step() -> impl Strategy<Value = Wild> {
    prop_oneof![
        40 => (0..5_u8).prop_map(Wild::Tick),
        60 => (0..6_u8).prop_map(Wild::Land),
        3 => any::<u8>().prop_map(Wild::Lose),
        3 => any::<u8>().prop_map(Wild::Twice),
        4 => (1..1_000_u64).prop_map(Wild::Propose),
        1 => any::<u8>().prop_map(Wild::Part),
        1 => Just(Wild::Part(0)),
        1 => (0..5_u8).prop_map(Wild::Restart),
    ]
}

proptest! {
    #[test]
    fn both_come_to_the_same_where_the_schedule_says_who_times_out(
        n in prop_oneof![Just(3_u8), Just(5)],
        steps in prop::collection::vec(step(), 1..30),
    ) {
        both(n, &steps);
    }

    #[test]
    fn both_keep_what_raft_promises_whatever_becomes_of_messages(
        n in prop_oneof![Just(3_u8), Just(5)],
        steps in prop::collection::vec(wild_step(), 200..600),
    ) {
        wild::<Ours<true>>(n, &steps);
        wild::<Theirs<false>>(n, &steps);
    }
}

/// The random schedules are worth something only if leaders are elected and entries committed.
#[test]
fn wild_schedules_elect_and_commit() {
    let steps: Vec<_> = (0..1_200_u64)
        .flat_map(|n| {
            let node = u8::try_from(n % 3).expect("below three");
            let propose = (n % 50 == 0).then_some(Wild::Propose(n + 1));
            [Some(Wild::Tick(node)), Some(Wild::Land(0)), Some(Wild::Land(0)), propose]
        })
        .flatten()
        .collect();
    for (leaders, committed) in [wild::<Ours<true>>(3, &steps), wild::<Theirs<false>>(3, &steps)] {
        assert!(leaders >= 1 && committed > 5, "{leaders} leaders, {committed} entries");
    }
}

//! The ranges of the rows, searched by several threads at once: for the terminal. What is found is
//! what one thread finds, row by row, down to where the budget is spent.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::range::Range;
use super::{Breaks, RemedySearch};
use crate::explore::budget::Budget;

/// Runs after which a thread looks up.
const RUNS_AT_ONCE: u32 = 16;

/// A row that is searched: its range, what it may cost at most, and what it has cost.
struct Task {
    place: usize,
    range: Mutex<(Range, Budget)>,
    used: AtomicU64,
}

impl RemedySearch {
    /// Searches all ranges that are left, once every verdict is there. `tells` is told how many
    /// rows are searched, by whichever thread has searched one.
    pub fn search_in_parallel(&mut self, n_threads: usize, tells: &(dyn Fn(usize, usize) + Sync)) {
        if !self.has_verdicts() || n_threads < 2 {
            return;
        }
        let n_rows = self.table.rows.len();
        let n_known = n_rows - self.unsearched.len();
        let left = self.budget.left();
        let task = |(place, range)| Task {
            place,
            range: Mutex::new((range, Budget::of_steps(left))),
            used: AtomicU64::new(0),
        };
        let whole = self.unsearched.clone();
        let tasks: Vec<_> = self.unsearched.drain(..).map(task).collect();
        let (next, n_done) = (AtomicUsize::new(0), AtomicUsize::new(n_known));
        std::thread::scope(|scope| {
            for _ in 0..n_threads.min(tasks.len()) {
                scope.spawn(|| {
                    while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                        search(task, &tasks, left);
                        tells(n_done.fetch_add(1, Ordering::Relaxed) + 1, n_rows);
                    }
                });
            }
        });
        // In their order: what a row may cost is what those before it have left.
        for (task, before) in tasks.into_iter().zip(whole) {
            let (range, budget) = task.range.into_inner().unwrap_or_else(PoisonError::into_inner);
            if budget.is_spent() || budget.used() > self.budget.left() || self.budget.is_spent() {
                self.unsearched.push_back(before);
                while !self.unsearched.is_empty() {
                    self.step(u32::MAX);
                }
            } else {
                self.budget.pay(budget.used());
                let row = &mut self.table.rows[task.place];
                let (own, after_check) = range.found();
                (row.breaks, row.breaks_after_check) = (Breaks::In(own), after_check);
            }
        }
    }
}

/// Searches a row until it is over, or the rows before it have left too little for it.
fn search(task: &Task, tasks: &[Task], left: u64) {
    let mut guard = task.range.lock().unwrap_or_else(PoisonError::into_inner);
    let (range, budget) = &mut *guard;
    while !range.step(RUNS_AT_ONCE, budget) {
        task.used.store(budget.used(), Ordering::Relaxed);
        // Those before it will have used no less than now.
        let before = tasks.iter().take_while(|other| other.place != task.place);
        let used: u64 = before.map(|other| other.used.load(Ordering::Relaxed)).sum();
        if used.saturating_add(budget.used()) > left {
            budget.spend(u64::MAX);
            return;
        }
    }
    task.used.store(budget.used(), Ordering::Relaxed);
}

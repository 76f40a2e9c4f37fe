//! Work in slices between frames, so that a long search never stands in the way of one.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;

/// Runs made before the clock is looked at; a typical one takes a tenth of a millisecond.
pub const RUNS_AT_ONCE: u32 = 4;
/// How long a slice lasts if nothing else is said: a quarter of a frame.
const SLICE_MILLIS: f64 = 4.0;
/// How long work for which nobody waits rests after a slice: it takes a quarter of the time.
const REST_MILLIS: u32 = 12;

/// Work under way. It ends when this is dropped, finished or not.
pub struct Slices {
    job: Rc<Job>,
}

struct Job {
    slice_millis: f64,
    rest_millis: u32,
    timer: RefCell<Option<Timeout>>,
    /// Makes a step. Tells whether that was the last one.
    step: RefCell<Box<dyn FnMut() -> bool>>,
    /// After each slice, with whether all is over.
    after: RefCell<Box<dyn FnMut(bool)>>,
}

impl Slices {
    /// Makes steps until one of them tells that it was the last; calls `after` after each slice,
    /// with whether all is over.
    pub fn start(step: impl FnMut() -> bool + 'static, after: impl FnMut(bool) + 'static) -> Self {
        Self::of_length(SLICE_MILLIS, step, after)
    }

    /// The same for what nobody waits for.
    pub fn at_leisure(
        step: impl FnMut() -> bool + 'static,
        after: impl FnMut(bool) + 'static,
    ) -> Self {
        Self::begin(SLICE_MILLIS, REST_MILLIS, Box::new(step), Box::new(after))
    }

    /// The same in slices of another length.
    pub fn of_length(
        slice_millis: f64,
        step: impl FnMut() -> bool + 'static,
        after: impl FnMut(bool) + 'static,
    ) -> Self {
        Self::begin(slice_millis, 0, Box::new(step), Box::new(after))
    }

    fn begin(
        slice_millis: f64,
        rest_millis: u32,
        step: Box<dyn FnMut() -> bool>,
        after: Box<dyn FnMut(bool)>,
    ) -> Self {
        let (step, after) = (RefCell::new(step), RefCell::new(after));
        let timer = RefCell::default();
        let job = Rc::new(Job { slice_millis, rest_millis, timer, step, after });
        schedule(&job);
        Self { job }
    }
}

impl Drop for Slices {
    fn drop(&mut self) {
        drop(self.job.timer.take());
    }
}

fn schedule(job: &Rc<Job>) {
    let next = job.clone();
    let timer = Timeout::new(job.rest_millis, move || {
        let is_over = next.slice();
        (next.after.borrow_mut())(is_over);
        if !is_over {
            schedule(&next);
        }
    });
    job.timer.replace(Some(timer));
}

impl Job {
    /// Works for a slice of time, one step at least. Tells whether all is over.
    fn slice(&self) -> bool {
        let mut step = self.step.borrow_mut();
        let clock = web_sys::window().and_then(|window| window.performance());
        let until = clock.as_ref().map_or(0.0, |clock| clock.now() + self.slice_millis);
        loop {
            if step() {
                return true;
            }
            if clock.as_ref().is_none_or(|clock| clock.now() >= until) {
                return false;
            }
        }
    }
}

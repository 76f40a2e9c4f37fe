//! Where the playhead stands, outside the state: the frame's time would render the page anew sixty
//! times a second.

use std::cell::Cell;
use std::rc::Rc;

use crate::sim::time::SimTime;

/// Where the playhead stands: shared by the reducer, which needs it when runs change, and by the
/// playhead, which moves it on every frame. Two clocks are equal if they are the same one.
#[derive(Clone, Default, Debug)]
pub struct Clock(Rc<Cell<SimTime>>);

impl Clock {
    /// The playhead's time.
    pub fn now(&self) -> SimTime {
        self.0.get()
    }

    /// Moves it. Whoever draws the playhead must be told by the one who calls this.
    pub fn set(&self, time: SimTime) {
        self.0.set(time);
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

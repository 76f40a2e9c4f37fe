//! Where the playhead stands, outside the state: the frame's time would render the page anew sixty
//! times a second.

use std::cell::Cell;
use std::rc::Rc;

use crate::sim::time::SimTime;

/// Where the playhead stands: shared by the reducer, which needs it when runs change, and by the
/// playhead, which moves it on every frame. Two clocks are equal if they are the same one.
#[derive(Clone, Default, Debug)]
pub struct Clock(Rc<At>);

#[derive(Default, Debug)]
struct At {
    now: Cell<SimTime>,
    /// Whether it stands where the page put it when it opened a scenario: nobody has moved it.
    placed: Cell<bool>,
}

impl Clock {
    /// The playhead's time.
    pub fn now(&self) -> SimTime {
        self.0.now.get()
    }

    /// Whether it stands where a scenario was opened, and nobody has moved it.
    pub fn is_placed(&self) -> bool {
        self.0.placed.get()
    }

    /// Puts it where a scenario is first looked at.
    pub fn place(&self, time: SimTime) {
        self.0.now.set(time);
        self.0.placed.set(true);
    }

    /// Somebody moves it.
    pub fn take_hold(&self) {
        self.0.placed.set(false);
    }

    /// Moves it. Whoever draws the playhead must be told by the one who calls this.
    pub fn set(&self, time: SimTime) {
        self.0.now.set(time);
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

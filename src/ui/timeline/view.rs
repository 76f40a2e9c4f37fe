//! Which stretch of time is on screen: the story unless somebody zoomed, the same scale while
//! something is dragged, and always the playhead when it moves.

use std::cell::Cell;
use std::rc::Rc;

use yew::prelude::*;

use crate::sim::time::SimTime;
use crate::ui::hooks::use_on_time;
use crate::ui::playhead::{PlayheadBus, Seen};
use crate::ui::store::Window;
use crate::view_model::drawing::scale::TimeView;
use crate::view_model::runs::Runs;
use crate::view_model::timeline::overview::story;

/// What a window shows of some runs, with the playhead at `now`.
pub fn fitted(runs: &Runs, window: Window, now: SimTime) -> TimeView {
    if window.fitted {
        story(runs, now)
    } else {
        TimeView::within(window.start, window.end, runs.ends_at())
    }
}

/// The stretch on screen.
#[hook]
pub(super) fn use_view(
    runs: &Rc<Runs>,
    window: Window,
    dragging: bool,
    bus: &PlayheadBus,
) -> TimeView {
    let base = use_memo((runs.clone(), window), |(runs, window)| fitted(runs, *window, bus.now()));
    // Where the playhead led, out of a base; another base ends it.
    let led = use_state_eq(|| None::<(TimeView, TimeView)>);
    let last = use_mut_ref(|| None::<TimeView>);
    let followed = led.filter(|(from, _)| *from == *base).map(|(_, to)| to);
    let wanted = followed.unwrap_or(*base);
    let view = {
        let mut last = last.borrow_mut();
        let view = match *last {
            // A stretch behind the end of a run that got shorter is simply empty.
            Some(kept) if dragging => kept,
            Some(_) | None => wanted,
        };
        *last = Some(view);
        view
    };
    let (setter, end, base) = (led.setter(), runs.ends_at(), *base);
    use_on_time(bus, (view, base, end, dragging), {
        // Only its own moves lead: a pan may leave the playhead behind, and an edit may.
        let last = Cell::new(bus.now());
        move |now| {
            if last.replace(now) == now || view.holds(now) || dragging {
                return;
            }
            let to = if base.holds(now) { base } else { view.following(now, end) };
            setter.set(Some((base, to)));
        }
    });
    view
}

/// The stretch on screen, for those who do not decide it.
#[hook]
pub(super) fn use_seen(bus: &PlayheadBus) -> Option<Seen> {
    let seen = use_state_eq(|| bus.seen());
    let setter = seen.setter();
    use_effect_with(bus.clone(), move |bus| {
        setter.set(bus.seen());
        let subscription = bus.subscribe_seen(move |view| setter.set(Some(view)));
        move || drop(subscription)
    });
    (*seen).clone()
}

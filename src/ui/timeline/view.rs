//! Which stretch of time is on screen: the story unless somebody zoomed, the same scale while
//! something is dragged, and always the playhead when it moves.

use std::rc::Rc;

use yew::prelude::*;

use crate::ui::hooks::use_on_time;
use crate::ui::playhead::PlayheadBus;
use crate::ui::store::Window;
use crate::view_model::overview::story;
use crate::view_model::runs::Runs;
use crate::view_model::scale::TimeView;

/// What a window shows of some runs.
pub fn fitted(runs: &Runs, window: Window) -> TimeView {
    if window.fitted {
        story(runs)
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
    let base = use_memo((runs.clone(), window), |(runs, window)| {
        fitted(runs, *window)
    });
    // Where the playhead led, out of a base; another base ends it.
    let led = use_state_eq(|| None::<(TimeView, TimeView)>);
    let last = use_mut_ref(|| None::<TimeView>);
    let followed = led.filter(|(from, _)| *from == *base).map(|(_, to)| to);
    let wanted = followed.unwrap_or(*base);
    let mut last = last.borrow_mut();
    let view = match *last {
        // A stretch behind the end of a run that got shorter is simply empty.
        Some(kept) if dragging => kept,
        Some(_) | None => wanted,
    };
    *last = Some(view);
    let (setter, end, base) = (led.setter(), runs.ends_at(), *base);
    use_on_time(bus, (view, base, end), {
        let is_first = std::cell::Cell::new(true);
        move |now| {
            // A pan may leave the playhead behind: only its own moves lead.
            if is_first.replace(false) || view.holds(now) {
                return;
            }
            let to = if base.holds(now) {
                base
            } else {
                view.following(now, end)
            };
            setter.set(Some((base, to)));
        }
    });
    view
}

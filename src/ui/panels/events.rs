//! The event list: the drawing's equal in text. A click goes there; the current event is marked and
//! kept in view without moving the page.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::Element;
use yew::prelude::*;

use super::properties::tone_class;
use super::why::current;
use crate::sim::{NodeId, SimTime};
use crate::ui::controls::use_chosen;
use crate::ui::hooks::after_frame;
use crate::ui::store::{AppAction, Dispatch, Selection};
use crate::view_model::panels::row::{self, Filter, Mark, Row};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::MomentKind;
use crate::view_model::sentences::describe;
use crate::view_model::words::names::Words;

/// The list of a long run follows the playhead when that has rested for so long.
const AFTER_SCRUB_MILLIS: u32 = 120;

/// Properties of [`Events`].
#[derive(Properties, PartialEq)]
pub struct EventsProps {
    /// The runs.
    pub runs: Rc<Runs>,
    /// How many moments lie at the playhead or before.
    pub moment: u32,
    /// What is picked out.
    pub selection: Selection,
    /// Nothing beyond the playhead is told.
    pub hide_future: bool,
    /// Sends the user to an instant.
    pub on_seek: Callback<SimTime>,
}

/// The region “Events”.
#[component]
pub fn Events(props: &EventsProps) -> Html {
    let filter = use_state(Filter::default);
    let runs = &props.runs;
    let around = use_around(runs, props.moment);
    let open = use_state(Vec::<u32>::new);
    let known = if props.hide_future { props.moment } else { u32::MAX };
    let deps = (runs.clone(), *filter, around, (*open).clone(), known);
    let rows = use_memo(deps, |(runs, filter, around, open, known)| {
        let rows = row::rows(runs, filter, *around, open, *known);
        (rows.rows.into_iter().map(Rc::new).collect::<Vec<_>>(), rows.more_before, rows.more_after)
    });
    let (lines, more_before, more_after) = &*rows;
    let spoken_of = current(runs, props.moment, props.selection);
    let here = spoken_of.and_then(|spoken_of| row::line_of(lines, runs, spoken_of));
    let current = here.map(|row| row.index);
    let list = use_node_ref();
    {
        let list = list.clone();
        // Measuring costs: only when another line is the current one, or stands elsewhere, and not
        // before the frame. Here it would make the browser lay out a page that is still changing.
        let place = here.map(|row| row.index).zip(lines.first()).map(|(i, first)| (i, first.index));
        use_effect_with((current, place, lines.len()), move |_| {
            let frame = after_frame(move || keep_in_view(&list));
            move || drop(frame)
        });
    }
    html! {
        <section class="card events" aria-label="Events">
            <details open={true}>
                <summary><h2>{ "Events" }</h2></summary>
                <FilterForm filter={*filter} actors={row::actors(runs)} words={runs.words.clone()}
                    on_filter={let f = filter.setter(); Callback::from(move |new| f.set(new))} />
                <ol class="event-list" ref={list} tabindex="0"
                    aria-label="Events in time order">
                    if *more_before {
                        <li class="hint event-more">{ "Earlier: move the playhead back" }</li>
                    }
                    { for lines.iter().map(|row| match row.group {
                        Some(is_open) => {
                            let is_current = current == Some(row.index);
                            group_line(row, is_open, is_current, &open)
                        }
                        None => html! {
                        <EventLine key={row.index} row={row.clone()}
                            is_current={current == Some(row.index)}
                            on_seek={props.on_seek.clone()} />
                        },
                    }) }
                    if props.hide_future {
                        <li class="hint event-more">{ "What comes is hidden" }</li>
                    } else if *more_after {
                        <li class="hint event-more">{ "Later: move the playhead on" }</li>
                    }
                </ol>
            </details>
        </section>
    }
}

/// A line that stands for what is routine: it opens.
fn group_line(row: &Row, is_open: bool, is_current: bool, open: &UseStateHandle<Vec<u32>>) -> Html {
    let onclick = {
        let (open, index) = (open.clone(), row.index);
        Callback::from(move |_: MouseEvent| {
            let mut now = (*open).clone();
            match is_open {
                true => now.retain(|other| *other != index),
                false => now.push(index),
            }
            open.set(now);
        })
    };
    html! {
        <li key={format!("group {}", row.index)}>
            <button type="button" class="event is-group" aria-expanded={is_open.to_string()}
                aria-current={is_current.then_some("true")} {onclick}>
                <span class="event-time">{ in_lines(&row.time) }</span>
                <span class="event-mark"><i class="mark-ticks" /></span>
                <span class="event-text">{ for row.lines.iter() }</span>
            </button>
        </li>
    }
}

/// A time that has room for one number with its unit in a line.
fn in_lines(time: &str) -> String {
    [" h", " min", " s"]
        .into_iter()
        .fold(time.to_owned(), |time, unit| time.replace(unit, &unit.replace(' ', "\u{a0}")))
}

/// Where the list stands: it is made again only when the playhead leaves the middle of what is
/// shown, and then only once it rests. A scrub through a long run passes thousands of events a
/// frame; nobody can read them, and making the lines would hold up the drawing.
#[hook]
fn use_around(runs: &Rc<Runs>, moment: u32) -> u32 {
    let wanted = moment / (row::MAX_ROWS / 4) * (row::MAX_ROWS / 4);
    let wanted = if runs.moments.n_moments() <= row::MAX_ROWS { 0 } else { wanted };
    let around = use_state_eq(|| wanted);
    let setter = around.setter();
    use_effect_with((wanted, *around), move |(wanted, around)| {
        let (is_there, wanted) = (wanted == around, *wanted);
        let timer =
            (!is_there).then(|| Timeout::new(AFTER_SCRUB_MILLIS, move || setter.set(wanted)));
        move || drop(timer)
    });
    // A list that holds everything is no work to find a place in.
    if wanted == 0 { 0 } else { *around }
}

/// Scrolls the list, and nothing else, so far that the current line is to be seen.
fn keep_in_view(list: &NodeRef) {
    let Some(list) = list.cast::<Element>() else {
        return;
    };
    let Ok(Some(current)) = list.query_selector("[aria-current]") else {
        return;
    };
    let (outer, inner) = (list.get_bounding_client_rect(), current.get_bounding_client_rect());
    let above = outer.top() - inner.top();
    let below = inner.bottom() - outer.bottom();
    let by = if above > 0.0 {
        -above
    } else if below > 0.0 {
        below
    } else {
        return;
    };
    #[expect(clippy::cast_possible_truncation, reason = "a list's height is small")]
    let by = by.ceil() as i32;
    // Half a list further, so that what comes next is in sight, too.
    let ahead = list.client_height() / 3 * by.signum();
    list.set_scroll_top(list.scroll_top() + by + ahead);
}

#[derive(Properties, PartialEq)]
struct LineProps {
    row: Rc<Row>,
    is_current: bool,
    on_seek: Callback<SimTime>,
}

/// One event.
#[component]
fn EventLine(props: &LineProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let row = &props.row;
    let onclick = {
        let (at, index, on_seek) = (row.at, row.index, props.on_seek.clone());
        Callback::from(move |_: MouseEvent| {
            on_seek.emit(at);
            dispatch.dispatch(AppAction::Select(Selection::Moment(index)));
        })
    };
    let color = row.color.map(|color| format!("tok-{}", color.index()));
    let last = row.lines.len().saturating_sub(1);
    html! {
        <li>
            <button type="button" class="event" {onclick}
                aria-current={props.is_current.then_some("true")}>
                <span class="event-time">{ in_lines(&row.time) }</span>
                <span class={classes!("event-mark", color, tone_class(row.tone))}>
                    <i class={mark_class(row.mark)} />
                </span>
                <span class="event-text">
                    { for row.lines.iter().enumerate().map(|(index, line)| html! {
                        <span>{ line }{ if index < last { " " } else { "" } }</span>
                    }) }
                </span>
            </button>
        </li>
    }
}

/// The class of a mark: panels.css draws it.
fn mark_class(mark: Mark) -> &'static str {
    match mark {
        Mark::Grant | Mark::Accepted => "mark-square",
        Mark::Wait => "mark-hollow",
        Mark::LeaseEnd => "mark-diamond",
        Mark::Belief => "mark-ring",
        Mark::Work => "mark-dot",
        Mark::Sent | Mark::Wake => "mark-forward",
        Mark::Warning => "mark-warning",
        Mark::Refused => "mark-refused",
        Mark::Damage => "mark-damage",
        Mark::Renewal => "mark-renew",
        Mark::Pause => "mark-bars",
        Mark::Crash => "mark-cross",
    }
}

#[derive(Properties, PartialEq)]
struct FilterProps {
    filter: Filter,
    actors: Vec<NodeId>,
    words: Words,
    on_filter: Callback<Filter>,
}

/// Which events are listed.
#[component]
fn FilterForm(props: &FilterProps) -> Html {
    let filter = props.filter;
    let chosen = filter.actor.and_then(|actor| props.actors.iter().position(|a| *a == actor));
    let node = use_chosen(Some(chosen.map_or(0, |place| place + 1)));
    let on_actor = {
        let (actors, on_filter) = (props.actors.clone(), props.on_filter.clone());
        Callback::from(move |event: Event| {
            let select: web_sys::HtmlSelectElement = event.target_unchecked_into();
            let index = usize::try_from(select.selected_index()).unwrap_or_default();
            let actor = index.checked_sub(1).and_then(|index| actors.get(index)).copied();
            on_filter.emit(Filter { actor, ..filter });
        })
    };
    let on_kind = |place: usize| {
        props.on_filter.reform(move |_: Event| {
            let mut kinds = filter.kinds;
            kinds[place] = !kinds[place];
            Filter { kinds, ..filter }
        })
    };
    html! {
        <div class="event-filter">
            <button type="button" class="link" popovertarget="event-kinds">{ "Kinds" }</button>
            <select ref={node} aria-label="Whose events" onchange={on_actor}>
                <option selected={chosen.is_none()}>{ "All actors" }</option>
                { for props.actors.iter().enumerate().map(|(index, actor)| html! {
                    <option selected={chosen == Some(index)}>{ props.words.actor(*actor) }</option>
                }) }
            </select>
            <div id="event-kinds" class="what-text event-kinds" popover="auto" role="group"
                aria-label="Kinds of events">
                { for MomentKind::ALL.into_iter().enumerate().map(|(place, kind)| html! {
                    <label class="chip">
                        <input type="checkbox" checked={filter.kinds[place]}
                            onchange={on_kind(place)} />
                        <span>{ describe::kind(kind) }</span>
                    </label>
                }) }
            </div>
        </div>
    }
}

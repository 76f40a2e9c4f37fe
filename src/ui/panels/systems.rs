//! Every lock system on Run 1's schedule, without and with a fence, one row at a time between
//! frames; a cell that is chosen becomes Run 2.

use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

use super::{swatch, tone_class};
use crate::explore::systems::Tried;
use crate::explore::{SystemRow, SystemSearch};
use crate::sim::Scenario;
use crate::sim::lock::SYSTEMS;
use crate::ui::hooks::Slices;
use crate::ui::ranges::MAX_ENTRIES;
use crate::ui::store::AppAction;
use crate::view_model::runs::Runs;
use crate::view_model::sentences::system_words;

/// Properties of [`Systems`].
#[derive(Properties, PartialEq)]
pub struct SystemsProps {
    /// The runs; the systems are tried on the first one's scenario.
    pub runs: Rc<Runs>,
    /// Whether something is being dragged: then nothing is tried.
    pub dragging: bool,
    /// What the user does.
    pub on_action: Callback<AppAction>,
}

/// What was found, and for what.
type Found = Option<(Scenario, SystemSearch)>;

/// The region “Every lock system”.
#[component]
pub fn Systems(props: &SystemsProps) -> Html {
    let runs = &props.runs;
    let found = use_state(|| Rc::new(Found::None));
    let base = runs.run_1.scenario();
    let is_small = runs.run_1.log().n_entries() <= MAX_ENTRIES;
    let search = found.as_ref().as_ref().filter(|(of, _)| of == base).map(|(_, search)| search);
    let notes = search.map(|search| system_words::notes(search, &runs.words));
    let wanted = (!props.dragging && is_small).then(|| base.clone());
    {
        let (setter, is_known) = (found.setter(), search.is_some());
        use_effect_with(wanted, move |wanted| {
            let slices = wanted.as_ref().filter(|_| !is_known).map(|base| start(base, setter));
            // Another search takes the place of this one.
            move || drop(slices)
        });
    }
    html! {
        <section class="card remedies systems" aria-label="Every lock system">
            <h2>{ "Every lock system on this schedule" }</h2>
            if is_small {
                // Until it has buttons, a table that is wider than its place is scrolled by itself.
                <div class="table-scroll" tabindex={search.is_none().then_some("0")}>
                <table aria-label="Every lock system" aria-busy={search.is_none().to_string()}>
                    <thead>
                        <tr>{ for system_words::HEADS.map(|head| html! {
                            <th scope="col">{ head }</th>
                        }) }</tr>
                    </thead>
                    <tbody>{ for SYSTEMS.iter().enumerate().map(|(index, info)| {
                        let row = search.map(|search| search.rows().get(index));
                        html! {
                            <tr key={info.name}>
                                <th scope="row">{ info.name }</th>
                                { cells(search, row, info.name, props) }
                            </tr>
                        }
                    }) }</tbody>
                </table>
                </div>
                if let Some(notes) = notes.filter(|notes| !notes.is_empty()) {
                    <ul class="remedies-left-out" aria-label="What was changed">
                        { for notes.into_iter().map(|note| html! { <li>{ note }</li> }) }
                    </ul>
                }
                if let Some(stopped) = search.and_then(system_words::stopped) {
                    <p class="hint">{ stopped }</p>
                }
            } else {
                <p class="hint">{ "This run is too long to be tried with every system." }</p>
            }
        </section>
    }
}

/// The cells of a row; `row`: it is not known yet, or was not tried.
fn cells(
    search: Option<&SystemSearch>,
    row: Option<Option<&SystemRow>>,
    name: &'static str,
    props: &SystemsProps,
) -> Html {
    let (Some(search), Some(Some(row))) = (search, row) else {
        let text = if row.is_some() { "not tried" } else { "…" };
        let rest = 1..system_words::HEADS.len();
        return rest.map(|_| html! { <td>{ text }</td> }).collect();
    };
    html! {
        <>
            { cell(row, row.without.as_ref(), &format!("{name}, without a fence"), props) }
            { cell(row, row.with.as_ref(), &format!("{name}, with a fence"), props) }
            <td>{ system_words::late(row) }</td>
            <td>{ system_words::can_fence(row) }</td>
            <td>{ system_words::token(search, row) }</td>
        </>
    }
}

/// A run as a button that makes it Run 2.
fn cell(row: &SystemRow, tried: Option<&Tried>, name: &str, props: &SystemsProps) -> Html {
    let Some((tried, (text, tone, pattern))) = tried.zip(system_words::cell(tried)) else {
        return html! { <td>{ system_words::no_fence(row) }</td> };
    };
    let is_shown = is_shown(tried, &props.runs);
    let action = AppAction::Compare(tried.patch.clone());
    let onclick = props.on_action.reform(move |_: MouseEvent| action.clone());
    html! {
        <td class={classes!(tone_class(tone), is_shown.then_some("is-cell-shown"))}>
            { swatch(pattern) }
            <button type="button" class="link" {onclick} aria-pressed={is_shown.to_string()}
                aria-label={format!("{text}: {name}")}>{ text }</button>
        </td>
    }
}

/// Whether a cell is what Run 2 shows; for the schedule as it is, whether it is shown alone.
fn is_shown(tried: &Tried, runs: &Runs) -> bool {
    match &runs.run_2 {
        None => tried.patch.is_empty(),
        Some(run_2) => {
            let changed = runs.run_1.scenario().with(&tried.patch);
            !tried.patch.is_empty() && changed.is_ok_and(|changed| changed == *run_2.scenario())
        }
    }
}

/// Searches in slices, and shows the table when it is whole.
fn start(base: &Scenario, setter: UseStateSetter<Rc<Found>>) -> Slices {
    let search = Rc::new(RefCell::new(SystemSearch::new(base)));
    let (base, found) = (base.clone(), search.clone());
    Slices::start(
        move || search.borrow_mut().step(),
        move |is_over| {
            if is_over {
                setter.set(Rc::new(Some((base.clone(), found.borrow().clone()))));
            }
        },
    )
}

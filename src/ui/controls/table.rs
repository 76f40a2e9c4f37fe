//! Draws controls that are plain data: plain functions over the few parts that all controls share,
//! because every component of its own would cost the page more than a line of a table does.

use yew::prelude::*;

use super::choice::{Choice, Switch};
use super::field::Field;
use crate::sim::scenario::Change;
use crate::ui::icon::{Icon, IconView};
use crate::ui::store::{AppAction, Dispatch};
use crate::ui::what::{explained_term, term};
use crate::view_model::controls::{Control, Reads, Shape};
use crate::view_model::words::wording::small;

/// What a setting was before it was changed, and the edit that brings it back.
pub(super) struct Old {
    pub shown: String,
    pub back: Vec<Change>,
}

/// The controls of a fault, one under the other; `whose`: its name, which stands above them all and
/// is spoken with each.
pub(super) fn controls(dispatch: &Dispatch, list: Vec<Control>, whose: &str) -> Html {
    list.into_iter().map(|control| view(dispatch, control, whose)).collect()
}

fn view(dispatch: &Dispatch, control: Control, whose: &str) -> Html {
    let Control { label, about, idle, hint, shape, .. } = control;
    let full_label = AttrValue::from(format!("{whose}: {}", small(&label)));
    let key = label.clone();
    let disabled = idle.is_some();
    let hint = idle.map(|why| why.full).or(hint).map(AttrValue::from);
    match shape {
        Shape::Switch { on, turned } => html! {
            <Switch {key} {label} {full_label} {about} {on} {disabled} {hint}
                on_turn={turn(dispatch, turned)} />
        },
        Shape::Choice { options, chosen } => html! {
            <Choice {key} {label} {full_label} {about} options={names(&options)} {chosen} {disabled}
                {hint}
                on_choose={choose(dispatch, options)} />
        },
        Shape::Text { shown, reads } => html! {
            <div {key} class={classes!("control", disabled.then_some("is-idle"))}>
                <div class="control-head">
                    <span class="control-name">{ term(&label, about, &full_label) }</span>
                    { field(dispatch, &full_label, shown, reads, disabled) }
                </div>
                if let Some(hint) = hint {
                    <p class="hint">{ hint }</p>
                }
            </div>
        },
    }
}

/// A control as a line of the sheet: its name, which explains itself, and what it shows; one
/// without effect shows why in place of its value.
pub(super) fn row(
    dispatch: &Dispatch,
    control: Control,
    old: Option<&Old>,
    on_back: &Callback<Vec<Change>>,
) -> Html {
    let Control { label, about, idle, hint, shape, .. } = control;
    let key = label.clone();
    let why = idle.map(|why| why.full);
    let input = match (idle, shape) {
        (Some(why), _) => html! {
            <input type="text" class="field-input" disabled={true} value={why.short}
                aria-label={label.clone()} title={why.full} />
        },
        (None, Shape::Switch { on, turned }) => html! {
            <Switch label={label.clone()} named={false} {on} on_turn={turn(dispatch, turned)} />
        },
        (None, Shape::Choice { options, chosen }) => html! {
            <Choice label={label.clone()} named={false} options={names(&options)} {chosen}
                on_choose={choose(dispatch, options)} />
        },
        (None, Shape::Text { shown, reads }) => field(dispatch, &label, shown, reads, false),
    };
    let back = old.map(|Old { shown, back }| {
        let name = format!("{label}: back to {shown}");
        let back = back.clone();
        let onclick = on_back.reform(move |_: MouseEvent| back.clone());
        html! {
            <button type="button" class="button is-quiet is-icon" aria-label={name.clone()}
                title={name} {onclick}><IconView icon={Icon::Undo} /></button>
        }
    });
    html! {
        <div {key} class={classes!("sheet-row", old.map(|_| "is-changed"))}
            title={old.map(|old| format!("It was: {}", old.shown))}>
            <span class="sheet-name">{ explained_term(&label, about, [hint, why]) }</span>
            { back }
            { input }
        </div>
    }
}

fn field(dispatch: &Dispatch, label: &str, shown: String, reads: Reads, disabled: bool) -> Html {
    let read = {
        let shown = shown.clone();
        move |text: &str| reads.changes(text, &shown)
    };
    let check = {
        let read = read.clone();
        Callback::from(move |text: AttrValue| read(&text).map(|_| ()))
    };
    let dispatch = dispatch.clone();
    let commit = Callback::from(move |text: AttrValue| {
        read(&text).map(|changes| dispatch.dispatch(AppAction::EditAll(changes)))
    });
    html! { <Field label={label.to_owned()} {shown} {check} {commit} {disabled} /> }
}

fn names(options: &[(&'static str, Change)]) -> Vec<AttrValue> {
    options.iter().map(|(name, _)| (*name).into()).collect()
}

fn choose(dispatch: &Dispatch, options: Vec<(&'static str, Change)>) -> Callback<usize> {
    edit(dispatch, move |index: usize| options.get(index).map(|(_, to)| to.clone()))
}

fn turn(dispatch: &Dispatch, turned: Change) -> Callback<bool> {
    edit(dispatch, move |_: bool| Some(turned.clone()))
}

fn edit<T: 'static>(
    dispatch: &Dispatch,
    change: impl Fn(T) -> Option<Change> + 'static,
) -> Callback<T> {
    let dispatch = dispatch.clone();
    Callback::from(move |value| {
        if let Some(change) = change(value) {
            dispatch.dispatch(AppAction::Edit(change));
        }
    })
}

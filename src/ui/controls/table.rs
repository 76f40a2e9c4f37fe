//! Draws controls that are plain data: a plain function over the few parts that all controls share,
//! because every component of its own would cost the page more than a line of a table does.

use yew::prelude::*;

use super::choice::{Choice, Switch};
use super::more::TextControl;
use crate::sim::scenario::Change;
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::controls::{Control, Shape};

/// The controls of a list, one under the other.
pub(super) fn controls(dispatch: &Dispatch, list: Vec<Control>) -> Html {
    list.into_iter().map(|control| view(dispatch, control)).collect()
}

fn view(dispatch: &Dispatch, control: Control) -> Html {
    let Control { label, about, idle, hint, shape } = control;
    let key = label.clone();
    let disabled = idle.is_some();
    let hint = idle.or(hint).map(AttrValue::from);
    match shape {
        Shape::Switch { on, turned } => html! {
            <Switch {key} {label} {about} {on} {disabled} {hint}
                on_turn={edit(dispatch, move |_: bool| Some(turned.clone()))} />
        },
        Shape::Choice { options, chosen } => {
            let names: Vec<AttrValue> = options.iter().map(|(name, _)| (*name).into()).collect();
            let choose = move |index: usize| options.get(index).map(|(_, to)| to.clone());
            html! {
                <Choice {key} {label} {about} options={names} {chosen} {disabled} {hint}
                    on_choose={edit(dispatch, choose)} />
            }
        }
        Shape::Text { shown, reads } => {
            let unit = shown.clone();
            let read = Callback::from(move |text: AttrValue| {
                reads.change(&text, &unit).map(|change| vec![change])
            });
            html! {
                <TextControl {key} name={label} {shown} {read} {disabled} idle={hint} />
            }
        }
    }
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

//! The dialog “Tours”: the stories that can be taken, one after the other or each alone.

use yew::prelude::*;

use super::DialogFrame;
use crate::ui::store::{AppAction, Dispatch, TourAction};
use crate::view_model::stories::tour::{TOURS, TourPlace};

/// Properties of [`Tours`].
#[derive(Properties, PartialEq)]
pub struct ToursProps {
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Tours”.
#[component]
pub fn Tours(props: &ToursProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let row = |(index, tour): (usize, &'static crate::view_model::stories::tour::Tour)| {
        let (dispatch, on_close) = (dispatch.clone(), props.on_close.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            on_close.emit(());
            dispatch.dispatch(AppAction::Tour(TourAction::Go(TourPlace::start(index))));
        });
        html! {
            <li>
                <button type="button" class="link row-name" {onclick}>{ tour.title }</button>
                <span class="hint">
                    { tour.line }{ format!(" {} steps", tour.steps.len()) }
                </span>
            </li>
        }
    };
    html! {
        <DialogFrame title="Tours" on_close={props.on_close.clone()}>
            <p>
                { "Seven stories, from a lock without an end to what a fence leaves open. They ask \
                   you what will happen before they show it. Page Down and Page Up, or a \
                   presenter's remote, go from step to step. What you have on screen now comes \
                   back when you leave." }
            </p>
            <ol class="rows tours">{ for TOURS.iter().enumerate().map(row) }</ol>
        </DialogFrame>
    }
}

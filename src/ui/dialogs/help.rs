//! Help: what the page is, its keys, its marks, its words.

use yew::prelude::*;

use super::DialogFrame;
use crate::ui::store::{AppAction, Dispatch};
use crate::ui::timeline::Legend;
use crate::view_model::transport::keymap::HELP;
use crate::view_model::words::glossary::GLOSSARY;

/// Properties of [`Help`].
#[derive(Properties, PartialEq)]
pub struct HelpProps {
    /// Whether single keys do something.
    pub single_keys: bool,
    /// Asked to close.
    pub on_close: Callback<()>,
}

/// The dialog “Help”.
#[component]
pub fn Help(props: &HelpProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let on_turn = Callback::from(move |event: Event| {
        let input: web_sys::HtmlInputElement = event.target_unchecked_into();
        dispatch.dispatch(AppAction::SetSingleKeys(input.checked()));
    });
    html! {
        <DialogFrame title="Help" on_close={props.on_close.clone()}>
            <p>
                { "This is a simulation, run in this page: nothing leaves the browser. Drag the \
                   large slider, or the pause in the timeline, and watch both runs change. Click \
                   an event to go there. The timeline is drawn in slow motion where messages fly \
                   and squeezed where nothing happens; “to scale” draws every second as \
                   wide as the others." }
            </p>
            <h3>{ "Keys" }</h3>
            <label class="switch">
                <input type="checkbox" role="switch" checked={props.single_keys}
                    onchange={on_turn} />
                <span class="switch-track" aria-hidden="true"></span>
                <span class="switch-name">{ "Single-key shortcuts" }</span>
            </label>
            <dl class="help-keys">
                { for HELP.iter().map(|(keys, meaning)| html! {
                    <div><dt><kbd>{ *keys }</kbd></dt><dd>{ *meaning }</dd></div>
                }) }
            </dl>
            <h3>{ "Legend" }</h3>
            <Legend />
            <h3>{ "Words" }</h3>
            <dl class="help-words">
                { for GLOSSARY.iter().map(|(word, meaning, _)| html! {
                    <div><dt>{ *word }</dt><dd>{ *meaning }</dd></div>
                }) }
            </dl>
        </DialogFrame>
    }
}

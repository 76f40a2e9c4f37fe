//! Small controls with a name: a native select, a switch, a group of radio buttons.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::ui::what::{is_term, term};

/// Properties of [`Choice`].
#[derive(Properties, PartialEq)]
pub struct ChoiceProps {
    /// Its accessible name.
    pub label: AttrValue,
    /// Another accessible name, where the visible one needs its surroundings.
    #[prop_or_default]
    pub full_label: Option<AttrValue>,
    /// What the glossary explains, where the name begins with somebody's.
    #[prop_or_default]
    pub about: Option<&'static str>,
    /// What can be chosen.
    pub options: Vec<AttrValue>,
    /// Which is chosen; beyond the last: none.
    pub chosen: usize,
    /// Whether it has an effect.
    #[prop_or_default]
    pub disabled: bool,
    /// Whether its name is to be seen, too.
    #[prop_or(true)]
    pub named: bool,
    /// Why it has no effect, or what it does.
    #[prop_or_default]
    pub hint: Option<AttrValue>,
    /// What was chosen.
    pub on_choose: Callback<usize>,
}

/// A native select shows what the state says: once somebody has chosen, the attributes of its
/// options say nothing any more, and undo would leave it as it was.
#[hook]
pub fn use_chosen(chosen: Option<usize>) -> NodeRef {
    let select = use_node_ref();
    let node = select.clone();
    use_effect(move || {
        let index = chosen.and_then(|index| i32::try_from(index).ok()).unwrap_or(-1);
        if let Some(select) = node.cast::<HtmlSelectElement>()
            && select.selected_index() != index
        {
            select.set_selected_index(index);
        }
    });
    select
}

/// A native select.
#[component]
pub fn Choice(props: &ChoiceProps) -> Html {
    let full_label = props.full_label.as_ref().unwrap_or(&props.label);
    let node = use_chosen((props.chosen < props.options.len()).then_some(props.chosen));
    let onchange = props.on_choose.reform(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        usize::try_from(select.selected_index()).unwrap_or_default()
    });
    let select = html! {
        <select ref={node} aria-label={full_label.clone()} disabled={props.disabled} {onchange}>
            { for props.options.iter().enumerate().map(|(index, option)| html! {
                <option selected={index == props.chosen}>{ option }</option>
            }) }
        </select>
    };
    if !props.named {
        return select;
    }
    html! {
        <div class={classes!("control", "choice", props.disabled.then_some("is-idle"))}>
            <span class="control-name">{ term(&props.label, props.about, full_label) }</span>
            { select }
            if let Some(hint) = &props.hint {
                <span class="hint">{ hint }</span>
            }
        </div>
    }
}

/// Properties of [`Switch`].
#[derive(Properties, PartialEq)]
pub struct SwitchProps {
    /// Its name, to be seen and accessible.
    pub label: AttrValue,
    /// Another accessible name, where the visible one needs its surroundings.
    #[prop_or_default]
    pub full_label: Option<AttrValue>,
    /// What the glossary explains, where the name begins with somebody's.
    #[prop_or_default]
    pub about: Option<&'static str>,
    /// Whether it is on.
    pub on: bool,
    /// Whether it has an effect.
    #[prop_or_default]
    pub disabled: bool,
    /// Why it has no effect, or what it does.
    #[prop_or_default]
    pub hint: Option<AttrValue>,
    /// Whether its name is to be seen, too.
    #[prop_or(true)]
    pub named: bool,
    /// Turned on or off.
    pub on_turn: Callback<bool>,
}

/// A switch.
#[component]
pub fn Switch(props: &SwitchProps) -> Html {
    let onchange = props
        .on_turn
        .reform(|event: Event| event.target_unchecked_into::<HtmlInputElement>().checked());
    let own = props.full_label.as_ref().unwrap_or(&props.label);
    let described_by = props.hint.as_ref().map(|_| super::field::id_of(own, "hint"));
    // A name that explains itself is no part of what turns the switch.
    let is_term = is_term(&props.label, props.about);
    let own_label = (is_term || !props.named).then(|| props.label.clone());
    let full_label = props.full_label.clone().or(own_label);
    html! {
        <div class={classes!("switch-row", props.disabled.then_some("is-idle"))}>
            <label class="switch">
                <input type="checkbox" role="switch" checked={props.on}
                    disabled={props.disabled} aria-label={full_label}
                    aria-describedby={described_by.clone()} {onchange} />
                <span class="switch-track" aria-hidden="true"></span>
                if !is_term && props.named {
                    <span class="switch-name">{ &props.label }</span>
                }
            </label>
            if is_term && props.named {
                <span class="switch-name">{ term(&props.label, props.about, own) }</span>
            }
            if let Some(hint) = &props.hint {
                <span class="hint" id={described_by}>{ hint }</span>
            }
        </div>
    }
}

/// Properties of [`Radios`].
#[derive(Properties, PartialEq)]
pub struct RadiosProps {
    /// The group's accessible name.
    pub label: AttrValue,
    /// The name that the radio buttons share in the document.
    pub name: AttrValue,
    /// What can be chosen.
    pub options: Vec<AttrValue>,
    /// Which is chosen.
    pub chosen: usize,
    /// What it does, for who hovers over it or hears of it.
    #[prop_or_default]
    pub hint: Option<AttrValue>,
    /// What was chosen.
    pub on_choose: Callback<usize>,
}

/// A group of radio buttons, drawn as one segmented control.
#[component]
pub fn Radios(props: &RadiosProps) -> Html {
    let described_by = props.hint.as_ref().map(|_| super::field::id_of(&props.label, "hint"));
    html! {
        <div class="segments" role="radiogroup" aria-label={props.label.clone()}
            aria-describedby={described_by.clone()} title={props.hint.clone()}>
            { for props.options.iter().enumerate().map(|(index, option)| html! {
                <label class="segment">
                    <input type="radio" name={props.name.clone()}
                        checked={index == props.chosen}
                        onchange={props.on_choose.reform(move |_: Event| index)} />
                    <span>{ option_view(option) }</span>
                </label>
            }) }
            if let Some(hint) = &props.hint {
                <span class="visually-hidden" id={described_by}>{ hint }</span>
            }
        </div>
    }
}

/// An option. Where there is little room its last word stands for it; its name stays.
fn option_view(option: &str) -> Html {
    let Some((more, last)) = option.rsplit_once(' ') else {
        return html! { { option } };
    };
    html! { <><i class="segment-more">{ more }{ " " }</i>{ last }</> }
}

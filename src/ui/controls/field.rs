//! A text field for a value with a unit. A bad text stays in the field with a message beside it,
//! and changes nothing else.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::view_model::words::wording;

/// Properties of [`Field`].
#[derive(Properties, PartialEq)]
pub struct FieldProps {
    /// Its accessible name.
    pub label: AttrValue,
    /// The value as text.
    pub shown: AttrValue,
    /// Whether it has an effect.
    #[prop_or_default]
    pub disabled: bool,
    /// Takes a text, or says what is wrong with it.
    pub commit: Callback<AttrValue, Result<(), String>>,
    /// Says what is wrong with a text without taking it.
    pub check: Callback<AttrValue, Result<(), String>>,
}

/// A text as an element's id.
pub fn id_of(label: &str, what: &str) -> AttrValue {
    let id: String =
        label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{}-{what}", id.to_ascii_lowercase()).into()
}

/// A text field.
#[component]
pub fn Field(props: &FieldProps) -> Html {
    let draft = use_state(|| None::<AttrValue>);
    let problem = use_state(|| None::<AttrValue>);
    {
        let (draft, problem) = (draft.setter(), problem.setter());
        use_effect_with(props.shown.clone(), move |_| {
            draft.set(None);
            problem.set(None);
        });
    }
    let oninput = {
        let (draft, setter) = (draft.setter(), problem.setter());
        let (check, has_problem) = (props.check.clone(), problem.is_some());
        Callback::from(move |event: InputEvent| {
            let text: AttrValue = event.target_unchecked_into::<HtmlInputElement>().value().into();
            if has_problem {
                setter.set(check.emit(text.clone()).err().map(Into::into));
            }
            draft.set(Some(text));
        })
    };
    let onchange = {
        let (draft, problem, commit) = (draft.setter(), problem.setter(), props.commit.clone());
        Callback::from(move |event: Event| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            match commit.emit(text.clone().into()) {
                Ok(()) => {
                    draft.set(None);
                    problem.set(None);
                }
                Err(message) => {
                    draft.set(Some(text.into()));
                    problem.set(Some(message.into()));
                }
            }
        })
    };
    let onkeydown = {
        let (draft, problem) = (draft.setter(), problem.setter());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                draft.set(None);
                problem.set(None);
            }
        })
    };
    let problem_id = id_of(&props.label, "problem");
    let value = draft.as_ref().unwrap_or(&props.shown).clone();
    html! {
        <span class="field">
            <input type="text" inputmode="text" autocomplete="off" spellcheck="false"
                enterkeyhint="done" class="field-input" aria-label={props.label.clone()}
                {value} disabled={props.disabled}
                aria-invalid={problem.is_some().then_some("true")}
                aria-describedby={problem.is_some().then(|| problem_id.clone())}
                {oninput} {onchange} {onkeydown} />
            if let Some(problem) = &*problem {
                <span class="field-problem" role="alert" id={problem_id}>
                    { wording::told(problem) }
                </span>
            }
        </span>
    }
}

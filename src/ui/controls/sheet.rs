//! The sheet of all numbers: every setting in its group, a search, what was changed, and above them
//! what both runs come to. It lies over the left of the page and leaves the rest in sight; the
//! browser's own popover, so that Escape and a click elsewhere close it.

use std::rc::Rc;

use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

use super::choice::Radios;
use super::table::{self, Old};
use crate::sim::scenario::ScenarioFile;
use crate::ui::icon::{Icon, IconView};
use crate::ui::panels::{swatch, tone_class};
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::controls::{Control, amount};
use crate::view_model::runs::FencingMode;
use crate::view_model::sentences::race_words::{RaceText, Strip};
use crate::view_model::setup::{self, COLUMNS, Group};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::told;

/// The sheet in the document.
const ID: &str = "sheet";

/// Properties of [`Sheet`].
#[derive(Properties, PartialEq)]
pub struct SheetProps {
    /// The scenario that the controls show.
    pub file: Rc<ScenarioFile>,
    /// The same as it came: what is otherwise was changed.
    pub came: Rc<ScenarioFile>,
    /// What both runs come to; `None` while nobody is told.
    pub race: Option<Rc<RaceText>>,
}

/// The button *More numbers* with its sheet.
#[component]
pub fn Sheet(props: &SheetProps) -> Html {
    // What nobody sees is not made: it would be made again on every step of a drag.
    let open = use_state_eq(|| false);
    let ontoggle = {
        let open = open.setter();
        Callback::from(move |event: Event| {
            let sheet: Element = event.target_unchecked_into();
            // A term in it opens, too.
            if sheet.id() == ID {
                open.set(sheet.matches(":popover-open").unwrap_or(false));
            }
        })
    };
    // The phone's sheet lies below, and does not close with this one.
    let onkeydown = |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
        }
    };
    let SheetProps { file, came, race } = props;
    html! {
        <>
            <button type="button" class="link more-numbers" popovertarget={ID}>
                { "More numbers" }
            </button>
            <section id={ID} class="all-numbers" popover="auto" aria-label="All numbers"
                {ontoggle} {onkeydown}>
                if *open {
                    <Numbers file={file.clone()} came={came.clone()} race={race.clone()} />
                }
            </section>
        </>
    }
}

#[component]
fn Numbers(props: &SheetProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let query = use_state_eq(String::new);
    let only_changed = use_state_eq(|| false);
    let search = use_node_ref();
    {
        let search = search.clone();
        use_effect_with((), move |()| {
            if let Some(search) = search.cast::<HtmlInputElement>() {
                // It can always have the focus.
                let _ = search.focus();
            }
        });
    }
    let SheetProps { file, came, race } = props;
    let deps = (came.clone(), file.scenario.lock);
    let old = use_memo(deps, |(came, lock)| {
        let mut came = ScenarioFile::clone(came);
        // Another system has other settings of its own, which came as they are.
        came.scenario.lock = *lock;
        groups(&came)
    });
    let counted = with_old(groups(file), &old);
    let all = || counted.iter().flat_map(|(_, _, controls)| controls);
    let (n_all, n_changed) = (all().count(), all().filter(|(old, _)| old.is_some()).count());
    let shown = fitting(counted, &query, *only_changed);
    let none = shown.is_empty().then(|| nothing_found(&query, *only_changed));
    let oninput = {
        let query = query.setter();
        Callback::from(move |event: InputEvent| {
            query.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    let on_choose = {
        let only_changed = only_changed.setter();
        Callback::from(move |index: usize| only_changed.set(index == 1))
    };
    let options = vec![format!("All {n_all}").into(), format!("Changed {n_changed}").into()];
    html! {
        <>
            <div class="sheet-top">
                <h2>{ "Numbers" }</h2>
                <input type="search" ref={search} aria-label="Find a setting"
                    placeholder="Find a setting, such as retries or clock" {oninput} />
                <Radios label="Show" name="numbers-shown" {options}
                    chosen={usize::from(*only_changed)} {on_choose} />
                <button type="button" class="button is-icon" popovertarget={ID}
                    popovertargetaction="hide" aria-label="Close" title="Close">
                    <IconView icon={Icon::Cross} />
                </button>
            </div>
            { readings(file, race.as_deref()) }
            <p class="hint" role="status">{ none.unwrap_or_default() }</p>
            <div class="sheet-columns">
                { for (0..COLUMNS).map(|column| html! {
                    <div>
                        { for shown.iter().filter(|(_, at, _)| *at == column).map(|shown| {
                            group(&dispatch, shown)
                        }) }
                    </div>
                }) }
            </div>
            <p class="hint">
                { "A dashed field has no effect here and says why. A name in bold is one that \
                   you have changed, with the old value beside it." }
            </p>
        </>
    }
}

/// The controls of a group, in its column, each with what it came with if it was changed.
type Shown = (&'static str, usize, Vec<(Option<Old>, Control)>);

/// The groups with what each control came with.
fn with_old(groups: Vec<Group>, old: &[Group]) -> Vec<Shown> {
    let old_of = |control: &Control| {
        let mut all = old.iter().flat_map(|group| &group.controls);
        let old = all.find(|it| it.label == control.label)?;
        let back = control.back_to(old)?;
        Some(Old { shown: old.shown().to_owned(), back })
    };
    let of = |Group { name, column, controls }: Group| {
        let controls = controls.into_iter().map(|it| (old_of(&it), it));
        (name, column, controls.collect())
    };
    groups.into_iter().map(of).collect()
}

/// What answers what was typed; with `only_changed` of what was changed.
fn fitting(groups: Vec<Shown>, query: &str, only_changed: bool) -> Vec<Shown> {
    let of = |(name, column, controls): Shown| {
        let fits = |(old, control): &(Option<Old>, Control)| {
            (old.is_some() || !only_changed) && control.matches(name, query)
        };
        (name, column, controls.into_iter().filter(fits).collect::<Vec<_>>())
    };
    groups.into_iter().map(of).filter(|(.., controls)| !controls.is_empty()).collect()
}

fn groups(file: &ScenarioFile) -> Vec<Group> {
    let fencing_off = FencingMode::of(file) == FencingMode::Off;
    setup::sheet(&Words::of(&file.incident, &file.scenario), &file.scenario, fencing_off)
}

/// What is said where no setting is left.
fn nothing_found(query: &str, only_changed: bool) -> String {
    match (query.trim(), only_changed) {
        ("", _) => "Nothing was changed: all is as it came".to_owned(),
        (query, false) => told(&format!("No setting is called “{query}”: try another word")),
        (query, true) => told(&format!("Nothing that was changed is called “{query}”")),
    }
}

/// What both runs come to, and the value that they do it with.
fn readings(file: &ScenarioFile, race: Option<&RaceText>) -> Html {
    let reading = |strip: &Strip| {
        let outcome = strip.outcome.as_ref().map(|(pattern, tone, word)| {
            html! {
                <>
                    { swatch(*pattern) }
                    <b class={classes!(tone_class(*tone))}>{ word }</b>
                    { " " }
                </>
            }
        });
        html! { <span>{ &strip.name }{ " " }{ outcome }{ &strip.place }</span> }
    };
    let (quantity, spec) = (file.main_quantity(), &file.scenario);
    let value = amount::shown(quantity, spec).unwrap_or_default();
    let name = amount::name(&Words::of(&file.incident, spec), quantity, spec);
    html! {
        <div class="sheet-race">
            if let Some(race) = race {
                { for race.strips.iter().map(reading) }
            } else {
                <span>{ "hidden, as the future is" }</span>
            }
            <span>{ name }{ " " }{ value }</span>
        </div>
    }
}

fn group(dispatch: &Dispatch, shown: &Shown) -> Html {
    let (name, _, controls) = shown;
    let on_back = {
        let dispatch = dispatch.clone();
        Callback::from(move |back| dispatch.dispatch(AppAction::EditAll(back)))
    };
    html! {
        <fieldset key={*name}>
            <legend>{ *name }</legend>
            { for controls.iter().map(|(old, control)| {
                table::row(dispatch, control.clone(), old.as_ref(), &on_back)
            }) }
        </fieldset>
    }
}

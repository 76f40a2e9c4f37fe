//! The top bar: which scenario, which lock system, what to do with it, light or dark.

use web_sys::Element;
use yew::prelude::*;

use super::choice::Choice;
use crate::scenarios::GALLERY;
use crate::sim::lock::SYSTEMS;
use crate::sim::scenario::{Change, LockSystem, RESOURCES, Resource};
use crate::ui::icon::{Icon, IconView};
use crate::ui::keys::Dialog;
use crate::ui::screen::Screen;
use crate::ui::store::{AppAction, Dispatch, Theme};
use crate::view_model::words::wording;

const THEMES: [(Theme, &str); 3] = [
    (Theme::System, "Theme: system"),
    (Theme::Light, "Theme: light"),
    (Theme::Dark, "Theme: dark"),
];

/// Properties of [`TopBar`].
#[derive(Properties, PartialEq)]
pub struct TopBarProps {
    /// The lock system.
    pub lock: LockSystem,
    /// What it protects.
    pub resource: Resource,
    /// The gallery entry that it began as; empty: none.
    pub scenario: &'static str,
    /// What it is called.
    pub title: AttrValue,
    /// Light or dark.
    pub theme: Theme,
    /// Whether there is an edit to undo.
    pub can_undo: bool,
    /// Whether there is one to do again.
    pub can_redo: bool,
    /// Whether nothing beyond the playhead is shown.
    pub hide_future: bool,
    /// How much room there is: what is used less is folded away.
    pub screen: Screen,
    /// Opens a dialog.
    pub on_dialog: Callback<Dialog>,
}

/// The top bar.
#[component]
pub fn TopBar(props: &TopBarProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let titles =
        use_memo((), |()| GALLERY.map(|entry| AttrValue::from(entry.file().title)).to_vec());
    let send = |action: fn(usize) -> AppAction| {
        let dispatch = dispatch.clone();
        Callback::from(move |index| dispatch.dispatch(action(index)))
    };
    let click = |action: AppAction| {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.dispatch(action.clone()))
    };
    let hidden = props.hide_future;
    let theme = THEMES.iter().position(|(theme, _)| *theme == props.theme);
    let dialog = |name: &'static str, dialog: Dialog| {
        let onclick = props.on_dialog.reform(move |_: MouseEvent| dialog);
        html! { <button type="button" class="button is-quiet" {onclick}>{ name }</button> }
    };
    let choose_scenario = choose_scenario(props, &titles, &dispatch);
    let gallery = html! {
        <>{ dialog("Gallery", Dialog::Gallery) }{ dialog("Tours", Dialog::Tours) }</>
    };
    let choose_system = system_and_resource(props, send);
    let undo = html! {
        <>
            <button type="button" class="button" disabled={!props.can_undo}
                onclick={click(AppAction::Undo)}>{ "Undo" }</button>
            <button type="button" class="button" disabled={!props.can_redo}
                onclick={click(AppAction::Redo)}>{ "Redo" }</button>
        </>
    };
    let links = html! {
        <>
            <button type="button" class="button is-quiet is-toggle"
                aria-pressed={if hidden { "true" } else { "false" }}
                onclick={click(AppAction::SetHideFuture(!hidden))}>
                { "Hide the future" }
            </button>
            { dialog("Copy link", Dialog::CopyLink) }
            { dialog("Export", Dialog::Export) }
            <button type="button" class="button is-quiet"
                onclick={click(AppAction::SetPresent(true))}>{ "Present" }</button>
            { dialog("Help", Dialog::Help) }
        </>
    };
    let rest = html! {
        <>
            { dialog("Legend", Dialog::Legend) }
            <Choice label="Theme" named={false}
                options={THEMES.map(|(_, name)| name.into()).to_vec()}
                chosen={theme.unwrap_or_default()}
                on_choose={send(|index| AppAction::SetTheme(THEMES[index].0))} />
        </>
    };
    let open = dialog("Open", Dialog::Open);
    arranged(props.screen, [choose_scenario, gallery, open, choose_system, undo, links, rest])
}

/// The scenarios; what is none of the gallery's stands below them.
fn choose_scenario(props: &TopBarProps, titles: &[AttrValue], dispatch: &Dispatch) -> Html {
    let chosen = GALLERY.iter().position(|entry| entry.id == props.scenario);
    let mut options = titles.to_vec();
    if chosen.is_none() {
        options.push(wording::title(&props.title).into());
    }
    let dispatch = dispatch.clone();
    let on_choose = Callback::from(move |index: usize| {
        if let Some(entry) = GALLERY.get(index) {
            dispatch.dispatch(AppAction::LoadScenario(entry.id));
        }
    });
    html! {
        <Choice label="Scenario" named={false} {options} chosen={chosen.unwrap_or(GALLERY.len())}
            {on_choose} />
    }
}

/// The lock system, and what it protects.
fn system_and_resource(
    props: &TopBarProps,
    send: impl Fn(fn(usize) -> AppAction) -> Callback<usize>,
) -> Html {
    let system = SYSTEMS.iter().position(|info| info.system == props.lock);
    let resource = RESOURCES.iter().position(|info| info.resource == props.resource);
    html! {
        <>
            <Choice label="Lock system" named={false}
                options={SYSTEMS.map(|info| info.name.into()).to_vec()}
                chosen={system.unwrap_or_default()}
                on_choose={send(|index| AppAction::Edit(Change::Lock(SYSTEMS[index].system)))} />
            <Choice label="Protected resource" named={false}
                options={RESOURCES.map(|info| info.name.into()).to_vec()}
                chosen={resource.unwrap_or_default()}
                on_choose={send(|index| {
                    AppAction::Edit(Change::Resource(RESOURCES[index].resource))
                })} />
        </>
    }
}

/// The parts side by side; what is needed seldom, or has no room, behind a menu.
fn arranged(screen: Screen, parts: [Html; 7]) -> Html {
    let [choose_scenario, gallery, open, choose_system, undo, links, rest] = parts;
    let menu = |parts: Html| {
        html! {
            <details class="menu" onclick={|event: MouseEvent| close_menu(&event)}>
                <summary class="button is-quiet">{ "Menu" }</summary>
                <div class="menu-body">{ parts }</div>
            </details>
        }
    };
    let (name, parts) = match screen {
        Screen::Narrow => {
            let rest = html! { <>{ gallery }{ choose_system }{ open }{ links }{ rest }</> };
            let rest = menu(rest);
            (Some("visually-hidden"), html! { <>{ choose_scenario }{ undo }{ rest }</> })
        }
        Screen::Medium | Screen::Wide => {
            let (links, rest) = match screen == Screen::Medium {
                true => (html! {}, menu(html! { <>{ links }{ rest }</> })),
                false => (links, menu(rest)),
            };
            let parts = html! {
                <>
                    { choose_scenario }{ gallery }{ open }{ choose_system }
                    <span class="spacer"></span>
                    { undo }{ links }{ rest }
                </>
            };
            (None, parts)
        }
    };
    html! {
        <header class="top-bar">
            <span class="logo">
                <IconView icon={Icon::Fence} /><span class={name}>{ "Fenceline" }</span>
            </span>
            { parts }
        </header>
    }
}

/// A button of the menu does its work and closes the menu.
fn close_menu(event: &MouseEvent) {
    let pressed = event.target_dyn_into::<Element>();
    let within = |what: &str| pressed.as_ref()?.closest(what).ok()?;
    if let (Some(_), Some(menu)) = (within("button"), within("details")) {
        // Fails only for a bad name.
        let _ = menu.remove_attribute("open");
    }
}

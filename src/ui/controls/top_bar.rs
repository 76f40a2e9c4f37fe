//! The top bar: which scenario, which lock system; where to go from here, and what to take along.

use yew::prelude::*;

use super::choice::Choice;
use super::menu::{Menu, MenuItem};
use crate::scenarios::GALLERY;
use crate::sim::lock::SYSTEMS;
use crate::sim::scenario::{Change, LockSystem};
use crate::ui::icon::{Icon, IconView};
use crate::ui::keys::Dialog;
use crate::ui::screen::Screen;
use crate::ui::share::Share;
use crate::ui::store::{AppAction, Dispatch, Theme};
use crate::view_model::outside::export::Export;
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
    /// What the incident calls its lock service, or the product whose numbers it has.
    pub called: Option<AttrValue>,
    /// The gallery entry that it began as; empty: none.
    pub scenario: &'static str,
    /// What it is called.
    pub title: AttrValue,
    /// Whether it is as it came: then its link is short.
    pub is_untouched: bool,
    /// Light or dark.
    pub theme: Theme,
    /// Whether there is an edit to undo.
    pub can_undo: bool,
    /// Whether there is one to do again.
    pub can_redo: bool,
    /// How much room there is: what is used less is folded away.
    pub screen: Screen,
    /// Opens a dialog.
    pub on_dialog: Callback<Dialog>,
    /// Copies or saves.
    pub on_share: Callback<Share>,
}

/// The top bar.
#[component]
pub fn TopBar(props: &TopBarProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let titles =
        use_memo((), |()| GALLERY.map(|entry| AttrValue::from(entry.file().title)).to_vec());
    let click = |action: AppAction| {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.dispatch(action.clone()))
    };
    let dialog = |name: &'static str, dialog: Dialog| {
        let onclick = props.on_dialog.reform(move |_: MouseEvent| dialog);
        html! { <button type="button" class="button is-quiet" {onclick}>{ name }</button> }
    };
    let step = |name: &'static str, icon: Icon, can: bool, action: AppAction| {
        html! {
            <button type="button" class="button is-quiet is-icon stays" aria-label={name}
                title={name}
                disabled={!can} onclick={click(action)}><IconView {icon} /></button>
        }
    };
    let undo = html! {
        <>
            { step("Undo", Icon::Undo, props.can_undo, AppAction::Undo) }
            { step("Redo", Icon::Redo, props.can_redo, AppAction::Redo) }
        </>
    };
    let parts = Parts {
        choose: html! {
            <>
                { choose_scenario(props, &titles, &dispatch) }
                { choose_system(props, &dispatch) }
            </>
        },
        find: html! {
            <button type="button" class="link bar-find"
                onclick={props.on_dialog.reform(|_: MouseEvent| Dialog::Products)}>
                { "Find your product" }
            </button>
        },
        find_item: html! {
            <button type="button" class="button is-quiet find-item"
                onclick={props.on_dialog.reform(|_: MouseEvent| Dialog::Products)}>
                { "Find your product" }
            </button>
        },
        undo,
        gallery: dialog("Gallery", Dialog::Gallery),
        others: html! {
            <>
                { dialog("Tours", Dialog::Tours) }
                { dialog("Your incident", Dialog::Incident) }
            </>
        },
        share: share_items(props),
        last: html! {
            <>
                <button type="button" class="button is-quiet"
                    onclick={click(AppAction::SetPresent(true))}>{ "Present" }</button>
                { dialog("Help", Dialog::Help) }
            </>
        },
        rest: html! {
            <>
                { dialog("Open", Dialog::Open) }
                { dialog("Legend", Dialog::Legend) }
                <ThemeChoice theme={props.theme} />
            </>
        },
    };
    arranged(props.screen, parts)
}

/// The parts of the bar.
struct Parts {
    choose: Html,
    find: Html,
    find_item: Html,
    undo: Html,
    gallery: Html,
    others: Html,
    share: Html,
    last: Html,
    rest: Html,
}

/// The parts side by side; what is needed seldom, or has no room, behind a menu.
fn arranged(screen: Screen, parts: Parts) -> Html {
    let Parts { choose, find, find_item, undo, gallery, others, share, last, rest } = parts;
    let menu = |parts: Html| {
        html! {
            <Menu id="menu" name="Menu" icon={Icon::Dots}>{ parts }</Menu>
        }
    };
    let shared = |items: Html| html! { <Menu id="share" name="Share">{ items }</Menu> };
    let is_narrow = screen.is_narrow();
    let parts = match screen {
        Screen::Wide => html! {
            <>
                { undo }{ gallery }{ others }{ shared(share) }{ last }
                { menu(html! { <>{ find_item }{ rest }</> }) }
            </>
        },
        Screen::Medium => html! {
            <>
                { undo }{ gallery }{ shared(share) }
                { menu(html! { <>{ find_item }{ others }{ last }{ rest }</> }) }
            </>
        },
        Screen::Narrow | Screen::Low => menu(html! {
            <>
                <span class="menu-row">{ undo }</span>
                { find_item }{ gallery }{ others }{ share }{ last }{ rest }
            </>
        }),
    };
    html! {
        <header class="top-bar">
            <span class="logo">
                <IconView icon={Icon::Fence} />
                <span class={is_narrow.then_some("visually-hidden")}>{ "Fenceline" }</span>
            </span>
            { choose }{ find }
            <span class="spacer"></span>
            { parts }
        </header>
    }
}

/// What can be taken along: the link first.
fn share_items(props: &TopBarProps) -> Html {
    let at_once = |what: Share| props.on_share.reform(move |_: MouseEvent| what);
    let dialog = |dialog: Dialog| props.on_dialog.reform(move |_: MouseEvent| dialog);
    // A long link says nothing to a reader.
    let link = match props.is_untouched {
        true => AttrValue::from(format!("#{}", props.scenario)),
        false => AttrValue::default(),
    };
    html! {
        <>
            <MenuItem icon={Icon::Link} name="Copy link" what={link}
                hint="Opens what is shown, at this moment"
                on_choose={at_once(Share::CopyLink)} />
            <MenuItem icon={Icon::Text} name="Link as text" what=""
                hint="With what would have saved us, or as a frame for a web page"
                on_choose={dialog(Dialog::CopyLink)} />
            <MenuItem icon={Icon::Picture} name="Picture" what="SVG, PNG"
                hint="As drawn or to scale, and it says which; logs and diagrams, too"
                on_choose={dialog(Dialog::Export)} />
            <MenuItem icon={Icon::Page} name="Page that plays" what="HTML"
                hint="One file, by itself, without a network"
                on_choose={at_once(Share::Save(Export::Page))} />
            <MenuItem icon={Icon::File} name="File" what="JSON"
                hint="The scenario, for the command line and for tests"
                on_choose={at_once(Share::Save(Export::Scenario))} />
            <MenuItem icon={Icon::Text} name="Write-up" what="Markdown"
                hint="For a post-mortem: events, causes, ranges, remedies, and the picture inside"
                on_choose={at_once(Share::Save(Export::WriteUp))} />
        </>
    }
}

/// A select with its name before it.
fn named(name: &'static str, choice: Html) -> Html {
    html! {
        <label class="bar-choice"><span class="bar-name">{ name }</span>{ choice }</label>
    }
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
    named(
        "Scenario",
        html! {
            <Choice label="Scenario" named={false} {options}
                chosen={chosen.unwrap_or(GALLERY.len())}
                {on_choose} />
        },
    )
}

fn choose_system(props: &TopBarProps, dispatch: &Dispatch) -> Html {
    let system = SYSTEMS.iter().position(|info| info.system == props.lock);
    let mut options: Vec<AttrValue> = SYSTEMS.map(|info| info.name.into()).to_vec();
    if let (Some(called), Some(index)) = (&props.called, system) {
        // What stands for it here is said as well.
        options[index] = format!("{} ({})", wording::title(called), SYSTEMS[index].name).into();
    }
    let dispatch = dispatch.clone();
    let on_choose = Callback::from(move |index: usize| {
        dispatch.dispatch(AppAction::Edit(Change::Lock(SYSTEMS[index].system)));
    });
    named(
        "Lock system",
        html! {
            <Choice label="Lock system" named={false}
                {options}
                chosen={system.unwrap_or_default()} {on_choose} />
        },
    )
}

#[derive(Properties, PartialEq)]
struct ThemeProps {
    theme: Theme,
}

/// Light, dark, or as the system says.
#[component]
fn ThemeChoice(props: &ThemeProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let chosen = THEMES.iter().position(|(theme, _)| *theme == props.theme);
    let on_choose = Callback::from(move |index: usize| {
        dispatch.dispatch(AppAction::SetTheme(THEMES[index].0));
    });
    html! {
        <Choice label="Theme" named={false}
            options={THEMES.map(|(_, name)| name.into()).to_vec()}
            chosen={chosen.unwrap_or_default()} {on_choose} />
    }
}

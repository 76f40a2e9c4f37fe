//! A menu of the top bar: the browser's own popover, so that Escape and a click elsewhere close it
//! and a dialog never lies under it. A button in it does its work and closes it.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::ui::icon::{Icon, IconView};

/// Properties of [`Menu`].
#[derive(Properties, PartialEq)]
pub struct MenuProps {
    /// Its id in the document.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What stands on its button in place of the name.
    #[prop_or_default]
    pub icon: Option<Icon>,
    /// What it holds.
    pub children: Html,
}

/// A button with its menu.
#[component]
pub fn Menu(props: &MenuProps) -> Html {
    let MenuProps { id, name, icon, children } = props;
    html! {
        <div class="menu">
            <button type="button" class={classes!("button", "is-quiet", icon.map(|_| "is-icon"))}
                popovertarget={*id} aria-label={icon.map(|_| *name)} title={icon.map(|_| *name)}>
                if let Some(icon) = *icon {
                    <IconView {icon} />
                } else {
                    { *name }
                }
            </button>
            <div id={*id} class="menu-body" popover="auto"
                onclick={|event: MouseEvent| close(&event)}>
                { children.clone() }
            </div>
        </div>
    }
}

/// Closes the menu after a button in it, unless that may be pressed again and again.
fn close(event: &MouseEvent) {
    let pressed = event.target_dyn_into::<Element>();
    let within = |what: &str| pressed.as_ref()?.closest(what).ok()?;
    if within("button:not(.stays)").is_none() {
        return;
    }
    if let Some(menu) = within(".menu-body").and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        // Fails only where it is closed already.
        let _ = menu.hide_popover();
    }
}

/// Properties of [`MenuItem`].
#[derive(Properties, PartialEq)]
pub struct ItemProps {
    /// Its picture.
    pub icon: Icon,
    /// Its name.
    pub name: &'static str,
    /// What it is, at its end: a format, a link.
    pub what: AttrValue,
    /// What it does, in a line.
    pub hint: AttrValue,
    /// Chosen.
    pub on_choose: Callback<MouseEvent>,
}

/// An item with a line of its own.
#[component]
pub fn MenuItem(props: &ItemProps) -> Html {
    let ItemProps { icon, name, what, hint, on_choose } = props;
    let id = format!("{}-hint", name.to_ascii_lowercase().replace(' ', "-"));
    html! {
        <button type="button" class="menu-item" onclick={on_choose} aria-label={*name}
            aria-describedby={id.clone()}>
            <IconView icon={*icon} />
            <b>{ *name }</b>
            <span class="menu-what">{ what }</span>
            <span class="menu-hint" {id}>{ hint }</span>
        </button>
    }
}

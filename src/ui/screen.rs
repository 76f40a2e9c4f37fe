//! How much room the screen has for text: its sides measured in the reader's own text size, so that
//! 200 % text gets the layout that it needs. The style sheets follow the class; no width is said
//! twice.

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver, Window};
use yew::prelude::*;

use super::present::PRESENTING;

/// The kinds of screen, by what the page is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Screen {
    /// Three columns.
    Wide,
    /// Two: state and events stand below.
    Medium,
    /// One, with the race, fencing and the transport pinned at the thumb.
    Narrow,
    /// The same on a screen that is low and not slim, such as a phone that lies: what is pinned
    /// takes two rows.
    Low,
}

/// Up to this width, in px at the usual text size, the right column stands below.
const MEDIUM: f64 = 1100.0;
/// Below this one there is one column.
const NARROW: f64 = 800.0;
/// Below this height, too.
const LOW: f64 = 480.0;
/// From this width on two rows hold all that is pinned.
const TWO_ROWS: f64 = 640.0;
/// The usual text size.
const USUAL_TEXT: f64 = 16.0;

impl Screen {
    /// Its class.
    pub fn class(self) -> &'static str {
        match self {
            Self::Wide => "screen-wide",
            Self::Medium => "screen-medium",
            Self::Narrow => "screen-narrow",
            Self::Low => "screen-narrow screen-low",
        }
    }

    /// Whether there is one column.
    pub fn is_narrow(self) -> bool {
        matches!(self, Self::Narrow | Self::Low)
    }

    fn of(window: &Window) -> Option<Self> {
        let (width, height) = (window.inner_width().ok()?, window.inner_height().ok()?);
        let root = window.document()?.document_element()?;
        let style = window.get_computed_style(&root).ok()??;
        let size = style.get_property_value("font-size").ok()?;
        // What is made large for a room keeps the layout of its window.
        let text = match root.has_attribute(PRESENTING) {
            true => USUAL_TEXT,
            // The browser's own reading of a number: Rust's would bring 12 kB of tables along.
            false => js_sys::parse_float(&size),
        };
        let share = USUAL_TEXT / text.max(1.0);
        let (width, height) = (width.as_f64()? * share, height.as_f64()? * share);
        Some(if height < LOW && width >= TWO_ROWS {
            Self::Low
        } else if width < NARROW {
            Self::Narrow
        } else if width <= MEDIUM {
            Self::Medium
        } else {
            Self::Wide
        })
    }

    /// What it is now.
    pub fn now() -> Self {
        let window = web_sys::window();
        window.and_then(|window| Self::of(&window)).unwrap_or(Self::Wide)
    }
}

/// The screen, followed as it changes.
#[hook]
pub fn use_screen() -> Screen {
    let screen = use_state_eq(Screen::now);
    let setter = screen.setter();
    use_effect_with((), move |()| {
        let update = move || setter.set(Screen::now());
        let on_resize = web_sys::window().map(|window| {
            let update = update.clone();
            EventListener::new(&window, "resize", move |_| update())
        });
        // Another text size changes the page's height, and no window event tells of it.
        let follow = Closure::<dyn FnMut()>::new(update);
        let observer = ResizeObserver::new(follow.as_ref().unchecked_ref()).ok();
        let document = web_sys::window().and_then(|window| window.document());
        let root: Option<Element> = document.and_then(|document| document.document_element());
        if let (Some(observer), Some(root)) = (&observer, &root) {
            observer.observe(root);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop((on_resize, follow));
        }
    });
    *screen
}

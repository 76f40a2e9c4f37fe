//! How much room an element has, and how large its reader wants text.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

use crate::ui::screen::Screen;

/// The room of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Room {
    /// Width of its content in CSS px; 0 before it was measured.
    pub width: u16,
    /// The page's base text size in CSS px: 16, unless the reader wants another.
    pub text: u16,
}

impl Room {
    /// What the timeline is likely to get, before anything can be measured: the whole of a narrow
    /// page, and of another one what its columns leave.
    pub fn likely() -> Self {
        let text = base_text().unwrap_or(16);
        let window = web_sys::window().and_then(|window| window.inner_width().ok()?.as_f64());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole pixels of a window; what is beyond is cut off"
        )]
        let all = window.map_or(0, |width| width as u16);
        let of_columns = match Screen::now() {
            Screen::Narrow | Screen::Low => 0,
            Screen::Medium => 18,
            Screen::Wide => 36,
        };
        Self { width: all.saturating_sub(of_columns * text), text }
    }
}

/// Follows the room of the element behind `node`.
#[hook]
pub fn use_room(node: &NodeRef) -> Room {
    use_measured(node, measure)
}

/// Follows the height of the element behind `node`, in CSS px; 0 before it was measured.
#[hook]
pub fn use_height(node: &NodeRef) -> u16 {
    use_measured(node, |element| u16::try_from(element.client_height()).unwrap_or(0))
}

#[hook]
fn use_measured<T>(node: &NodeRef, measure: fn(&Element) -> T) -> T
where
    T: Copy + Default + PartialEq + 'static,
{
    let room = use_state_eq(T::default);
    let setter = room.setter();
    use_effect_with(node.clone(), move |node| {
        let element = node.cast::<Element>();
        let observing = element.and_then(|element| {
            setter.set(measure(&element));
            let observed = element.clone();
            let closure = Closure::<dyn FnMut()>::new(move || setter.set(measure(&observed)));
            let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok()?;
            observer.observe(&element);
            Some((observer, closure))
        });
        move || {
            if let Some((observer, closure)) = observing {
                observer.disconnect();
                drop(closure);
            }
        }
    });
    *room
}

fn measure(element: &Element) -> Room {
    let width = u16::try_from(element.client_width()).unwrap_or(0);
    Room { width, text: base_text().unwrap_or(16) }
}

fn base_text() -> Option<u16> {
    let window = web_sys::window()?;
    let root = window.document()?.document_element()?;
    let style = window.get_computed_style(&root).ok()??;
    let size = style.get_property_value("font-size").ok()?;
    let whole = size.trim_end_matches("px").split('.').next()?;
    whole.parse().ok()
}

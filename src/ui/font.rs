//! How wide the characters of the page's font are: measured once, at the first drawing, so that
//! texts are laid out without asking the page for each.

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::view_model::drawing::advances::{Advances, GUESSED};

/// Text of the drawing in CSS px, at which a browser may round widths, and ten times as much, at
/// which it does not.
const SIZES: [u16; 2] = [12, 120];

thread_local! {
    static MEASURED: &'static Advances =
        measured().map_or(&GUESSED, |advances| Box::leak(Box::new(advances)));
}

/// The widths; where the browser measures nothing, the guess on the safe side.
pub(super) fn advances() -> &'static Advances {
    MEASURED.with(|measured| *measured)
}

fn measured() -> Option<Advances> {
    let window = web_sys::window()?;
    let document = window.document()?;
    let body = document.body()?;
    let style = window.get_computed_style(&body).ok()??;
    let family = style.get_property_value("font-family").ok()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    let pen = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
    Some(Advances::measured(|text, strong| {
        let weight = if strong { 650 } else { 400 };
        let of_size = SIZES.map(|size| {
            pen.set_font(&format!("{weight} {size}px {family}"));
            let width = pen.measure_text(text).map_or(0.0, |measure| measure.width());
            width * 1_000.0 / f64::from(size)
        });
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "thousandths of a size; what is beyond is cut off"
        )]
        let widest = of_size[0].max(of_size[1]).ceil() as u16;
        widest
    }))
}

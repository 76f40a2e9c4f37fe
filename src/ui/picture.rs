//! A drawing as pixels: the browser draws the SVG on a canvas of its own, at twice the size. The
//! drawing comes as a `data:` address, which the page's policy allows for images, so nothing is
//! asked of any host.

use js_sys::futures::future_to_promise;
use js_sys::{Array, Object, Promise, Reflect, encode_uri_component};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, CanvasRenderingContext2d, ClipboardItem, HtmlCanvasElement, HtmlImageElement};

/// Pixels to a CSS pixel: sharp on dense screens and on paper.
const TIMES: u32 = 2;

/// The drawing as a PNG; `None` where the browser does not draw it.
pub async fn png(svg: &str) -> Option<Blob> {
    let document = web_sys::window()?.document()?;
    let image: HtmlImageElement = document.create_element("img").ok()?.dyn_into().ok()?;
    let text = String::from(encode_uri_component(svg));
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{text}"));
    image.decode().await.ok()?;
    let (width, height) = (image.natural_width() * TIMES, image.natural_height() * TIMES);
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d").ok()??;
    let context: CanvasRenderingContext2d = context.dyn_into().ok()?;
    let (width, height) = (f64::from(width), f64::from(height));
    context
        .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)
        .ok()?;
    // Fails only for a canvas that shows what another host made.
    let drawn = Promise::new(&mut |resolve, _| drop(canvas.to_blob(&resolve)));
    drawn.await.ok()?.dyn_into().ok()
}

/// Puts the drawing into the clipboard as a PNG. Tells whether the browser took it. The promise is
/// given before the picture is made: some browsers take it only within the click.
pub async fn copy(svg: String) -> bool {
    let made = future_to_promise(async move {
        let blob = png(&svg).await.ok_or_else(|| JsValue::from_str("the picture is not drawn"))?;
        Ok(blob.into())
    });
    put(&made).await.is_some()
}

async fn put(made: &Promise) -> Option<()> {
    let clipboard = web_sys::window()?.navigator().clipboard();
    if AsRef::<JsValue>::as_ref(&clipboard).is_undefined() {
        return None;
    }
    let record = Object::new();
    Reflect::set(&record, &"image/png".into(), made).ok()?;
    let item = ClipboardItem::new_with_record_from_str_to_blob_promise(&record).ok()?;
    clipboard.write(&Array::of(&[JsValue::from(item)])).await.ok()?;
    Some(())
}

//! Text as a file of the reader's own: the browser saves it, and no host is asked.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Has the browser save `text` under `name`; `None` where it cannot.
pub fn save(name: &str, media: &str, text: &str) -> Option<()> {
    let options = BlobPropertyBag::new();
    options.set_type(media);
    let parts = Array::of(&[JsValue::from_str(text)]);
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    save_blob(name, &blob)
}

/// Has the browser save `blob` under `name`; `None` where it cannot.
pub fn save_blob(name: &str, blob: &Blob) -> Option<()> {
    let url = Url::create_object_url_with_blob(blob).ok()?;
    let document = web_sys::window()?.document()?;
    let anchor: HtmlAnchorElement = document.create_element("a").ok()?.dyn_into().ok()?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    // The browser has taken hold of the blob with the click.
    let _ = Url::revoke_object_url(&url);
    Some(())
}

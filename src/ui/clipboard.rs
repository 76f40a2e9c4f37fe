//! Text for the clipboard. A browser may refuse it, and outside a secure address it has none.

use js_sys::futures::spawn_local;
use wasm_bindgen::JsValue;
use yew::Callback;

/// What is said of a copy.
pub fn told(done: bool) -> &'static str {
    match done {
        true => "Copied",
        false => "The browser did not copy: select the text and copy it yourself",
    }
}

/// Puts `text` into the clipboard and tells whether the browser took it.
pub fn copy(text: &str, told: Callback<bool>) {
    let clipboard = web_sys::window().map(|window| window.navigator().clipboard());
    let Some(clipboard) = clipboard.filter(|it| !AsRef::<JsValue>::as_ref(it).is_undefined())
    else {
        told.emit(false);
        return;
    };
    let copied = clipboard.write_text(text);
    spawn_local(async move { told.emit(copied.await.is_ok()) });
}

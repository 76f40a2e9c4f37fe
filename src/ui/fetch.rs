//! Text that comes from beside the page: a file of its own host, at an address relative to it.

use wasm_bindgen::JsCast;
use web_sys::Response;

/// The text at an address; `None` if it cannot be had.
pub async fn text(address: &str) -> Option<String> {
    let answer = web_sys::window()?.fetch_with_str(address).await.ok()?;
    let answer = answer.dyn_into::<Response>().ok()?;
    if !answer.ok() {
        return None;
    }
    answer.text().ok()?.await.ok()?.as_string()
}

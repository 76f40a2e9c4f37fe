//! Tests that run as WebAssembly in a headless browser; empty on every other target.
#![cfg(target_family = "wasm")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// The runner, the browser and its driver fit together.
#[wasm_bindgen_test]
fn runs_in_a_browser() {
    assert!(web_sys::window().is_some(), "there is a window");
}

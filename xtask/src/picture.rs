//! `cargo xtask picture`: the picture in README.md, anew from the optimised build.

use crate::shell::{Outcome, run, say};
use crate::{browser, dist, node};
use std::path::Path;

/// Makes docs/screenshot.png.
pub(crate) fn picture() -> Outcome {
    // Another build can be named, as for the page's figures.
    let named = std::env::var_os("DIST").is_some();
    if !named && !Path::new(dist::FOLDER).join("index.html").is_file() {
        dist::make()?;
    }
    node::need_packages()?;
    let browser = browser::need_browser()?;
    say("Taking the picture of README.md in Chromium");
    run(node::script("tests/bench/picture.mjs", &[]).env("CHROMIUM", browser.chromium))
}

//! `cargo xtask build`: the optimised app in dist/, which any static host can serve from any path.

use crate::shell::{Outcome, read, run, say, write};
use crate::{budget, node, offline, page, tools};
use std::path::{Path, PathBuf};

pub(crate) const FOLDER: &str = "dist";

const WASM_OPT: &str = "node_modules/binaryen/bin/wasm-opt";

/// What rustc may emit for wasm32, which current browsers all have. Named one by one: with
/// `--all-features` wasm-opt writes instructions that Chromium refuses to load.
const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Builds dist/ and prints its sizes.
pub(crate) fn build() -> Outcome {
    make()?;
    budget::print(Path::new(FOLDER))?;
    println!("\n{FOLDER}/ is ready: copy it to any static host, at any path.");
    Ok(())
}

/// Builds dist/.
pub(crate) fn make() -> Outcome {
    tools::need_trunk()?;
    node::need_packages()?;
    // Trunk leaves files of earlier builds where they are, and they would be published too.
    let folder = Path::new(FOLDER);
    if folder.exists() {
        std::fs::remove_dir_all(folder)
            .map_err(|error| format!("cannot clear {FOLDER}/: {error}"))?;
    }
    say("Building the optimised app (1 to 2 minutes; a warning about minifying JS does no harm)");
    run(&mut tools::trunk(&["build", "--release", "--dist", FOLDER])?)?;
    shrink(&wasm_file(folder)?)?;
    let index = folder.join("index.html");
    let html = page::with_strict_policy(&read(&index)?)?;
    let html = page::with_worker(&html)?;
    page::check(&html)?;
    write(&index, &html)?;
    offline::write_list(folder)
}

fn shrink(wasm: &Path) -> Outcome {
    say("Shrinking the app with wasm-opt");
    let name = wasm.to_string_lossy();
    let mut command = node::script(WASM_OPT, &["-Oz", "--strip-producers"]);
    command.args(WASM_FEATURES).args([name.as_ref(), "--output", name.as_ref()]);
    run(&mut command)
}

fn wasm_file(folder: &Path) -> Outcome<PathBuf> {
    let mut found = files(folder)?;
    found.retain(|path| path.extension().is_some_and(|extension| extension == "wasm"));
    match found.as_slice() {
        [wasm] => Ok(wasm.clone()),
        others => Err(format!("{FOLDER}/ should hold one .wasm file and holds {}", others.len())),
    }
}

/// The files at the top of a folder, by name.
pub(crate) fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let unreadable =
        |error| format!("cannot read {}: {error}; `cargo xtask build` makes it", folder.display());
    let mut paths = std::fs::read_dir(folder)
        .map_err(unreadable)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

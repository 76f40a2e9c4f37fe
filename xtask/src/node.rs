//! The Node side's tools: Playwright with axe for the browser tests, and binaryen's wasm-opt.

use crate::shell::{Outcome, find, read, run, say, version, write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Node's oldest major version that Playwright and binaryen run on.
const OLDEST: u32 = 20;

/// Where the lock file that node_modules was made from is kept, to see when it has changed.
const STAMP: &str = "node_modules/.fenceline-lock.json";

/// Makes sure that node_modules is what package-lock.json says.
pub(crate) fn need_packages() -> Outcome {
    need_node()?;
    let lock = read(Path::new("package-lock.json"))?;
    if std::fs::read_to_string(STAMP).is_ok_and(|stamp| stamp == lock) {
        return Ok(());
    }
    say("Installing Playwright, axe and binaryen into node_modules (once; seconds)");
    let mut install = Command::new(npm()?);
    // Nothing in these packages needs to run code at installation.
    install.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
    run(&mut install).map_err(|error| {
        format!(
            "{error}\nThe packages of package-lock.json come from the npm registry: is it in reach?"
        )
    })?;
    write(Path::new(STAMP), &lock)
}

/// A command that runs a script of node_modules.
pub(crate) fn script(path: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("node");
    command.arg(path).args(arguments);
    command
}

/// Makes sure that Node is there, and new enough.
pub(crate) fn need_node() -> Outcome {
    let found = version(&mut Command::new("node"));
    let major = found.as_deref().and_then(|text| text.trim_start_matches('v').split('.').next());
    let wanted = format!(
        "Node {OLDEST} or newer is needed for the optimised build and the browser tests: \
         https://nodejs.org, or your system's packages `nodejs` and `npm`. \
         `cargo xtask serve` does without."
    );
    match major.and_then(|major| major.parse::<u32>().ok()) {
        Some(major) if major >= OLDEST => Ok(()),
        Some(_) => Err(format!("Node {} is too old. {wanted}", found.unwrap_or_default())),
        None => Err(format!("There is no `node` on PATH. {wanted}")),
    }
}

pub(crate) fn npm() -> Outcome<PathBuf> {
    // On Windows npm is a script, which a bare "npm" would not start.
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let on_windows = || std::env::split_paths(&folders).map(|folder| folder.join(name));
    find(&["npm"]).or_else(|| on_windows().find(|path| path.is_file())).ok_or_else(|| {
        "There is no `npm` on PATH; it comes with Node: https://nodejs.org".to_owned()
    })
}

//! The Rust side's tools: the wasm target, wasm-bindgen and Trunk, at versions that fit together.

use crate::shell::{Outcome, cargo, clean, output, run, say, version};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Must equal the wasm-bindgen in Cargo.lock; a test below compares them.
const WASM_BINDGEN: &str = "0.2.128";
const TRUNK: &str = "0.21.14";

/// A tool that is installed from crates.io.
struct Tool {
    package: &'static str,
    version: &'static str,
    programs: &'static [&'static str],
    /// See `CHEAP`.
    expect: &'static str,
}

const WASM_BINDGEN_CLI: Tool = Tool {
    package: "wasm-bindgen-cli",
    version: WASM_BINDGEN,
    programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
    expect: "about 1 minute",
};

const TRUNK_CLI: Tool =
    Tool { package: "trunk", version: TRUNK, programs: &["trunk"], expect: "2 to 3 minutes" };

/// With `--debug`, the cheapest build of tools that mostly wait for others.
///
/// Measured on two cores, another build running beside: 48 s for wasm-bindgen-cli and 2 min 31 s
/// for Trunk, where the packages' own release profiles took 4 and 15 minutes. Of Trunk's time a
/// third is the type check of one dependency (minify-html-common), which no setting shortens. Both
/// are quick enough so: binding this app's development build takes wasm-bindgen 0.5 s; optimised,
/// which costs another minute to build, 0.2 s.
const CHEAP: [(&str, &str); 3] = [
    ("CARGO_PROFILE_DEV_DEBUG", "0"),
    // Finished programs of others: no need to watch them for mistakes.
    ("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false"),
    // They are built once, so what would speed up a second time is a waste of disk.
    ("CARGO_INCREMENTAL", "0"),
];

/// The folder that tools are installed into; they are built in `build` below it.
fn folder() -> PathBuf {
    PathBuf::from("target").join("tools")
}

/// PATH with the project's own tools first.
pub(crate) fn path() -> Outcome<OsString> {
    let here = std::env::current_dir().map_err(|error| format!("no current folder: {error}"))?;
    let mut folders = vec![here.join(folder()).join("bin")];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    std::env::join_paths(folders).map_err(|error| format!("PATH cannot be extended: {error}"))
}

/// Makes sure that wasm32 can be compiled, bound to JavaScript and tested.
pub(crate) fn need_wasm() -> Outcome {
    need_wasm_target()?;
    need_tool(&WASM_BINDGEN_CLI)
}

/// Makes sure that Trunk and all that it calls are there.
pub(crate) fn need_trunk() -> Outcome {
    need_wasm()?;
    need_tool(&TRUNK_CLI)?;
    // Both are there now, and what they were built from is a gigabyte. If it stays, it only stays.
    let _ = std::fs::remove_dir_all(folder().join("build"));
    Ok(())
}

/// A `trunk` command that finds the project's tools.
pub(crate) fn trunk(arguments: &[&str]) -> Outcome<Command> {
    let mut command = Command::new("trunk");
    command.args(arguments).env("PATH", path()?);
    // Trunk takes NO_COLOR=1 for a value of its flag `--no-color` and refuses it.
    command.env_remove("NO_COLOR");
    clean(&mut command);
    Ok(command)
}

/// Makes sure that a component of the toolchain is there, such as rustfmt.
pub(crate) fn need_component(subcommand: &str, component: &str) -> Outcome {
    if version(&mut cargo(&[subcommand])).is_some() {
        return Ok(());
    }
    say(&format!("Adding the toolchain's component {component} (seconds)"));
    run(Command::new("rustup").args(["component", "add", component])).map_err(|error| {
        format!("{error}\n`cargo {subcommand}` is missing: install {component} for your toolchain.")
    })
}

/// Makes sure that wasm32 can be compiled.
pub(crate) fn need_wasm_target() -> Outcome {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let library = PathBuf::from(sysroot.trim()).join("lib/rustlib").join(WASM_TARGET).join("lib");
    if library.is_dir() {
        return Ok(());
    }
    say(&format!("Adding the target {WASM_TARGET} (seconds)"));
    run(Command::new("rustup").args(["target", "add", WASM_TARGET])).map_err(|error| {
        format!(
            "{error}\nThe toolchain lacks the target {WASM_TARGET}. With rustup: `rustup target \
             add {WASM_TARGET}`; without it, install the target's standard library, which \
             distributions call rust-std-{WASM_TARGET} or libstd-rust-dev-wasm32."
        )
    })
}

fn need_tool(tool: &Tool) -> Outcome {
    let path = path()?;
    let fits = |program: &&str| {
        let found = version(Command::new(program).env("PATH", &path));
        found.is_some_and(|found| found.split_whitespace().any(|word| word == tool.version))
    };
    if tool.programs.iter().all(fits) {
        return Ok(());
    }
    let Tool { package, version, expect, .. } = tool;
    say(&format!("Installing {package} {version} into target/tools (once; {expect} on two cores)"));
    let root = folder();
    let mut install = cargo(&["install", package, "--version", version, "--locked"]);
    // Without default features neither has TLS: they would use it for downloads of their own only.
    install.args(["--debug", "--no-default-features", "--force", "--root"]).arg(&root);
    install.envs(CHEAP).env("CARGO_TARGET_DIR", root.join("build"));
    run(&mut install).map_err(|error| {
        format!(
            "{error}\n{package} {version} could not be installed from crates.io. Any other way to \
             have `{}` of exactly this version on PATH will do.",
            tool.programs.join("` and `")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::WASM_BINDGEN;

    /// The command-line tool refuses a library of another version.
    #[test]
    fn wasm_bindgen_tool_and_library_agree() {
        let lock = include_str!("../../Cargo.lock");
        let entry = format!("name = \"wasm-bindgen\"\nversion = \"{WASM_BINDGEN}\"\n");
        assert!(lock.contains(&entry), "Cargo.lock has another wasm-bindgen than {WASM_BINDGEN}");
    }
}

//! Running other programs: every one is shown before it runs, and a failure names it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a step returns: its message says what failed, and how to mend it where that is known.
pub(crate) type Outcome<T = ()> = Result<T, String>;

/// Says what happens now, set apart from the output of the programs that do it.
pub(crate) fn say(message: &str) {
    println!("\n==> {message}");
}

/// A command of cargo's, free of the variables that `cargo run` set for xtask itself: build scripts
/// that watch them would run again at every change between `cargo xtask` and plain `cargo`.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments);
    clean(&mut command);
    command
}

/// Removes what `cargo run` added to the environment.
pub(crate) fn clean(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
}

/// Runs a program to its end, its output going to the terminal.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let line = shown(command);
    println!("  $ {line}");
    let status = command.status().map_err(|error| format!("cannot start `{line}`: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status})")) }
}

/// Runs a program quietly and returns what it printed.
pub(crate) fn output(command: &mut Command) -> Outcome<String> {
    let line = shown(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start `{line}`: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{line}` failed ({})", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What `program --version` prints, or nothing where there is no such program.
pub(crate) fn version(command: &mut Command) -> Option<String> {
    let output = command.arg("--version").stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first of these programs that exists: a name is looked for on PATH, a path is taken as it is.
pub(crate) fn find(candidates: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    candidates.iter().find_map(|candidate| {
        if Path::new(candidate).is_absolute() {
            return Some(PathBuf::from(candidate)).filter(|path| path.is_file());
        }
        let name = format!("{candidate}{}", std::env::consts::EXE_SUFFIX);
        folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file())
    })
}

/// Reads a file of the repository.
pub(crate) fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes a file of the repository.
pub(crate) fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

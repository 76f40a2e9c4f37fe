//! House style and the rule of dependency, enforced by reading the source tree. Each guard is a
//! function from one file to complaints; a test beside it feeds it what it must find.

mod components;
mod counts;
mod fields;
mod layers;
mod layers_can_fail;
mod lists;
mod log_readers;
mod size;
mod source;
mod spread;
mod strip;
mod words;

use source::{Source, read};

/// Applies one guard to files, of which there must be some.
fn guard(files: &[Source], complaints: impl Fn(&Source) -> Vec<String>) {
    assert!(!files.is_empty(), "no files were found to guard");
    let found: Vec<String> = files.iter().flat_map(complaints).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn rust() -> Vec<Source> {
    read(&["src", "tests", "xtask/src", "benches"], &["rs"])
}

fn scripts() -> Vec<Source> {
    read(&["static", "tests/e2e", "tests/browsers", "tests/bench"], &["js", "mjs"])
}

/// What drives real software for its recordings.
fn played() -> Vec<Source> {
    read(&["tests/recordings/scripts"], &["cjs", "py", "rb", "php", "java"])
}

#[test]
fn every_file_says_what_it_is() {
    guard(&rust(), size::header);
    guard(&scripts(), size::header);
}

#[test]
fn lines_and_functions_are_short() {
    guard(&rust(), size::lines);
    guard(&scripts(), size::lines);
    guard(&played(), size::lines);
    guard(&rust(), size::functions);
}

#[test]
fn nothing_is_unfinished() {
    guard(&rust(), words::unfinished);
}

#[test]
fn only_programs_print() {
    guard(&rust(), words::printing);
}

#[test]
fn only_tests_unwrap() {
    guard(&rust(), words::unwraps);
}

#[test]
fn layers_use_only_those_below() {
    guard(&read(&["src"], &["rs"]), layers::check);
}

#[test]
fn components_draw_something() {
    guard(&read(&["src/ui"], &["rs"]), components::drawn);
}

#[test]
fn the_simulation_denies_what_would_make_runs_differ() {
    let mut files = read(&["src/sim"], &["rs"]);
    files.retain(|file| file.path == "src/sim/mod.rs");
    guard(&files, layers::lints);
}

/// The lock file names versions and digests but no host, so that any registry will do.
#[test]
fn the_lock_of_npm_names_no_registry() {
    let lock = include_str!("../../../package-lock.json");
    assert!(!lock.contains("\"resolved\""), "npm must be run in this folder, whose .npmrc says so");
}

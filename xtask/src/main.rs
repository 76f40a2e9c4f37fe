//! Fenceline's commands: `cargo xtask serve`, `cargo xtask build`, `cargo xtask test`,
//! `cargo xtask bench`, `cargo xtask fuzz`, `cargo xtask picture`.
//!
//! Each does its own set-up: what is there is used, what is missing is installed, and where that
//! is not possible the message says what is missing and how to get it. Plain Rust without
//! dependencies, so that the first start is quick.

mod bench;
mod browser;
mod budget;
mod checks;
mod dependencies;
mod dist;
mod fuzz;
mod node;
mod offline;
mod page;
mod picture;
mod record;
mod serve;
mod shell;
mod tools;

use shell::Outcome;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Fenceline's commands

  cargo xtask serve [--open] [--port N]
      Builds the app, serves it and rebuilds it whenever a source file changes.
      Needs Rust alone.
  cargo xtask build
      Makes dist/: the optimised app, for any static host and any path there.
      Needs Node as well, for wasm-opt.
  cargo xtask test [--quick] [--only STEP,STEP] [--list]
      Everything that CI checks, cheap first; --quick runs what a change is tried with again and
      again, --only the named steps.
      Needs Node and Chromium as well.
  cargo xtask bench
      Measures the simulation and the page, and prints the table of docs/performance.md.
  cargo xtask fuzz [NAME] [--cases N] [--seed S] [--case C]
      Tries random inputs, by number: files, limits, links, frame, page, pasted, kept, or the one
      that is named. `monkey` uses the page in Chromium and needs dist/. What fails is told with
      its seed, its case and the smallest input that still fails.
  cargo xtask picture
      Renews docs/screenshot.png, the page as README.md shows it. Makes dist/ where it is missing.
  cargo xtask record SYSTEM
      Drives a real lock service (redis, postgres, etcd, zookeeper), a queue or a library on one
      (bullmq, celery, delayed-job, laravel, node-redlock, pg-boss, quartz, rabbitmq, redis-py,
      sidekiq), or all, on this machine and writes down what it does, as
      tests/recordings/SYSTEM.txt. Needs Debian, and root to install what is missing.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match start(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\nxtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn start(arguments: &[String]) -> Outcome {
    // Every path below is relative to the repository, wherever the command was typed.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::env::set_current_dir(&root)
        .map_err(|error| format!("cannot enter {}: {error}", root.display()))?;
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["serve", options @ ..] => serve::serve(options),
        ["build"] => dist::build(),
        ["test", options @ ..] => checks::test(options),
        ["bench"] => bench::bench(),
        ["picture"] => picture::picture(),
        ["fuzz", options @ ..] => fuzz::fuzz(options),
        ["record", options @ ..] => record::record(options),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        unknown => Err(format!("unknown command `{}`\n\n{HELP}", unknown.join(" "))),
    }
}

//! `cargo xtask test`: every check, cheap ones first. A step that fails does not keep the others
//! from running, but for those that need what it makes; nothing is ever skipped in silence.
//!
//! The optimised build keeps one core busy for minutes, and so do the compilers of the steps before
//! the native tests: they run side by side, the build as a program of its own whose output is shown
//! when it is done.

use crate::shell::{Outcome, cargo, run, say};
use crate::tools::{WASM_TARGET, need_component, need_wasm, need_wasm_target, path};
use crate::{browser, budget, dependencies, dist, node};
use std::path::Path;
use std::process::Command;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

struct Step {
    name: &'static str,
    what: &'static str,
    /// The step whose result this one works on.
    needs: Option<&'static str>,
    place: Place,
    run: fn() -> Outcome,
}

/// When a step runs, if all do.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// At once, one after the other.
    First,
    /// Beside those, one after the other.
    Beside,
    /// When both are done.
    Last,
}

const STEPS: [Step; 11] = [
    step("format", "rustfmt finds nothing to change", format),
    step("tidy", "house style and layers, read from the source tree", tidy),
    step("clippy", "no warning on this machine's target, with and without the page", clippy),
    step("clippy-wasm", "no warning on wasm32", clippy_wasm),
    step("dependencies", "no web crate without the feature `ui`", dependencies::check),
    step("native", "tests on this machine's target", native),
    Step { place: Place::Beside, ..step("build", "the optimised app in dist/", dist::make) },
    Step { place: Place::Beside, ..of_build("size", "dist/ within its budget", size) },
    Step { place: Place::Last, ..step("wasm", "tests as WebAssembly in Chromium", wasm) },
    of_build("e2e", "dist/ in Chromium, with axe", e2e),
    of_build("browsers", "dist/ in Firefox and WebKit", browsers),
];

/// What a change is tried with again and again: what needs no browser and no optimised build.
const QUICK: [Step; 4] = [
    step("format", "rustfmt finds nothing to change", format),
    step("clippy", "no warning on this machine's target, with the page", clippy_page),
    step("tidy", "house style and layers, read from the source tree", tidy),
    step("native", "tests on this machine's target, but for the long ones", native_quick),
];

const fn step(name: &'static str, what: &'static str, run: fn() -> Outcome) -> Step {
    Step { name, what, needs: None, place: Place::First, run }
}

const fn of_build(name: &'static str, what: &'static str, run: fn() -> Outcome) -> Step {
    Step { needs: Some("build"), place: Place::Last, ..step(name, what, run) }
}

enum Verdict {
    Passed,
    Failed(String),
    /// The step that it needs has failed.
    NotRun(&'static str),
}

struct Report {
    name: &'static str,
    took: Duration,
    verdict: Verdict,
}

/// Runs the steps that the options name, or all.
pub(crate) fn test(options: &[&str]) -> Outcome {
    match options {
        [] => all(),
        ["--list"] => {
            STEPS.iter().for_each(|step| println!("{:<13} {}", step.name, step.what));
            Ok(())
        }
        ["--quick"] => in_order(&QUICK.iter().collect::<Vec<_>>()),
        ["--only", names] => in_order(&choose(names)?),
        _ => Err("test takes --quick, --only STEP,STEP or --list".to_owned()),
    }
}

fn in_order(steps: &[&Step]) -> Outcome {
    let mut reports = Vec::new();
    steps.iter().for_each(|step| one_more(step, steps.len(), &mut reports));
    conclude(&reports)
}

fn one_more(step: &Step, n_steps: usize, reports: &mut Vec<Report>) {
    say(&format!("[{}/{n_steps}] {}: {}", reports.len() + 1, step.name, step.what));
    let report = perform(step, reports);
    reports.push(report);
}

/// All steps, the optimised build beside the first of them.
fn all() -> Outcome {
    // Both sides need it, and only one at a time can install it.
    need_wasm_target()?;
    let mut reports = Vec::new();
    let beside = beside()?;
    for step in STEPS.iter().filter(|step| step.place == Place::First) {
        one_more(step, STEPS.len(), &mut reports);
    }
    reports.extend(beside.join().map_err(|_| "the build beside has panicked".to_owned())?);
    for step in STEPS.iter().filter(|step| step.place == Place::Last) {
        one_more(step, STEPS.len(), &mut reports);
    }
    conclude(&reports)
}

/// Starts the steps that run beside others. Each is this program once more, with its output in a
/// file until it is done, so that lines of two programs do not mix.
fn beside() -> Outcome<JoinHandle<Vec<Report>>> {
    let program =
        std::env::current_exe().map_err(|error| format!("cannot find myself: {error}"))?;
    let run = move || {
        let mut reports: Vec<Report> = Vec::new();
        for step in STEPS.iter().filter(|step| step.place == Place::Beside) {
            let report = perform_as(step, &reports, || alone(&program, step.name));
            reports.push(report);
        }
        reports
    };
    Ok(std::thread::spawn(run))
}

/// Runs one step as a program of its own.
fn alone(program: &Path, name: &str) -> Outcome {
    let mut command = Command::new(program);
    command.args(["test", "--only", name]).stdin(std::process::Stdio::null());
    let output = command.output().map_err(|error| format!("cannot start `{name}`: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    say(&format!("{name}, which ran beside\n{out}\n{err}"));
    match output.status.success() {
        true => Ok(()),
        false => Err("see its output".to_owned()),
    }
}

fn choose(names: &str) -> Outcome<Vec<&'static Step>> {
    let find = |name: &str| {
        STEPS.iter().find(|step| step.name == name).ok_or_else(|| {
            let all: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
            format!("there is no step `{name}`; the steps are {}", all.join(", "))
        })
    };
    names.split(',').map(find).collect()
}

fn perform(step: &Step, before: &[Report]) -> Report {
    perform_as(step, before, step.run)
}

/// Performs a step in another way than its own.
fn perform_as(step: &Step, before: &[Report], run: impl FnOnce() -> Outcome) -> Report {
    let broken = |report: &&Report| {
        Some(report.name) == step.needs && !matches!(report.verdict, Verdict::Passed)
    };
    if let Some(needed) = before.iter().find(broken) {
        println!("  not run: it needs `{}`", needed.name);
        let verdict = Verdict::NotRun(needed.name);
        return Report { name: step.name, took: Duration::ZERO, verdict };
    }
    let start = Instant::now();
    let result = run();
    let took = start.elapsed();
    let verdict = match result {
        Ok(()) => Verdict::Passed,
        Err(message) => Verdict::Failed(message),
    };
    let (name, seconds) = (step.name, took.as_secs_f64());
    match &verdict {
        Verdict::Failed(message) => println!("\n  {name} FAILED after {seconds:.1} s: {message}"),
        Verdict::Passed | Verdict::NotRun(_) => println!("\n  {name} passed in {seconds:.1} s"),
    }
    Report { name: step.name, took, verdict }
}

fn conclude(reports: &[Report]) -> Outcome {
    say("Summary");
    for Report { name, took, verdict } in reports {
        let text = match verdict {
            Verdict::Passed => "passed".to_owned(),
            Verdict::Failed(message) => format!("FAILED: {message}"),
            Verdict::NotRun(needed) => format!("NOT RUN: it needs `{needed}`"),
        };
        println!("  {name:<13} {:>6.1} s  {text}", took.as_secs_f64());
    }
    let total: Duration = reports.iter().map(|report| report.took).sum();
    println!("  {:<13} {:>6.1} s, counted one after the other", "together", total.as_secs_f64());
    let passed = |report: &&Report| matches!(report.verdict, Verdict::Passed);
    match reports.len() - reports.iter().filter(passed).count() {
        0 => Ok(()),
        bad => Err(format!("{bad} of {} steps did not pass", reports.len())),
    }
}

fn format() -> Outcome {
    need_component("fmt", "rustfmt")?;
    run(&mut cargo(&["fmt", "--all", "--", "--check"]))
}

fn tidy() -> Outcome {
    run(&mut cargo(&["test", "--locked", "--quiet", "--test", "native", "tidy::"]))
}

fn clippy() -> Outcome {
    clippy_page()?;
    let without_page = ["--all-targets", "--no-default-features", "--", "-D", "warnings"];
    run(cargo(&["clippy", "--locked"]).args(without_page))
}

fn clippy_page() -> Outcome {
    need_component("clippy", "clippy")?;
    let all = ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"];
    run(&mut cargo(&all))
}

fn clippy_wasm() -> Outcome {
    need_component("clippy", "clippy")?;
    need_wasm_target()?;
    let options = ["--all-targets", "--target", WASM_TARGET, "--", "-D", "warnings"];
    run(cargo(&["clippy", "--locked"]).args(options))
}

fn native() -> Outcome {
    run(&mut cargo(&["test", "--locked", "--workspace"]))
}

/// The long ones are searches of every interleaving, other programs beside ours, and many random
/// scenarios: of these the quick part tries fewer.
fn native_quick() -> Outcome {
    let mut tests = cargo(&["test", "--locked", "--lib", "--test", "native", "--"]);
    for long in LONG {
        tests.args(["--skip", long]);
    }
    run(tests.env("PROPTEST_CASES", "16"))
}

/// Modules of `tests/native` that the quick part leaves out.
const LONG: [&str; 5] = ["exhaustive::", "raft::", "sql::", "tidy::", "fuzz::"];

fn wasm() -> Outcome {
    need_wasm()?;
    let browser = browser::need_browser()?;
    let mut tests = cargo(&["test", "--locked", "--target", WASM_TARGET, "--test", "web"]);
    // The driver finds the browser by itself; webdriver.json has the browser's flags.
    run(tests.env("PATH", path()?).env("CHROMEDRIVER", browser.driver))
}

fn size() -> Outcome {
    budget::check(Path::new(dist::FOLDER))
}

fn need_dist() -> Outcome {
    match Path::new(dist::FOLDER).join("index.html").is_file() {
        true => Ok(()),
        false => Err("there is no dist/ to test: `cargo xtask build` makes it".to_owned()),
    }
}

fn browsers() -> Outcome {
    need_dist()?;
    node::need_node()?;
    let others = browser::need_others()?;
    run(node::script("tests/browsers/story.mjs", &[]).envs(others))
}

fn e2e() -> Outcome {
    need_dist()?;
    node::need_packages()?;
    let browser = browser::need_browser()?;
    let config = ["test", "--config", "tests/e2e/playwright.config.js"];
    run(node::script("node_modules/@playwright/test/cli.js", &config)
        .env("CHROMIUM", browser.chromium))
}

#[cfg(test)]
mod tests {
    use super::{Report, STEPS, Step, Verdict, choose, conclude, perform, step};
    use std::time::Duration;

    #[test]
    fn every_needed_step_comes_before() {
        for (index, step) in STEPS.iter().enumerate() {
            let before = &STEPS[..index];
            assert!(step.needs.is_none_or(|name| before.iter().any(|step| step.name == name)));
        }
    }

    #[test]
    fn an_unknown_step_is_named() {
        assert_eq!(choose("size,e2e").map(|steps| steps.len()), Ok(2));
        assert!(choose("e3e").is_err_and(|error| error.contains("`e3e`")));
    }

    #[test]
    fn a_failed_step_fails_the_command_and_what_needs_it() {
        let failed = perform(&step("build", "", || Err("no disk".to_owned())), &[]);
        let next = Step { needs: Some("build"), ..step("size", "", || Ok(())) };
        let next = perform(&next, std::slice::from_ref(&failed));
        assert!(matches!(next.verdict, Verdict::NotRun("build")));
        assert!(conclude(&[failed, next]).is_err_and(|error| error.starts_with("2 of 2")));
        let passed = Report { name: "a", took: Duration::ZERO, verdict: Verdict::Passed };
        assert_eq!(conclude(&[passed]), Ok(()));
    }
}

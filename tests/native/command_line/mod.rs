//! The program for the terminal, run as a process: its exit codes, what it does when nobody reads
//! or nothing can be written, and what text of files may do to a terminal: nothing.
#![cfg(target_os = "linux")]

mod hostile;
mod input;
mod output;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fenceline::scenarios::GALLERY;
use fenceline::sim::limits::MAX_SEARCH_STEPS;
use fenceline::sim::property::VerdictKind;
use fenceline::sim::{Change, Recording, ScenarioFile, SimDuration};

/// What a process came to.
#[derive(Debug)]
struct Ran {
    /// `None`: a signal ended it.
    code: Option<i32>,
    out: String,
    err: String,
}

fn program(arguments: &[&OsStr]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fenceline"));
    program.args(arguments).stdin(Stdio::null());
    program
}

fn ran(program: &mut Command) -> Ran {
    let output = program.output().expect("it is built for this test");
    let text = |bytes| String::from_utf8(bytes).expect("what it prints is UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn run(arguments: &[&str]) -> Ran {
    let arguments: Vec<_> = arguments.iter().map(OsStr::new).collect();
    ran(&mut program(&arguments))
}

/// A folder of one test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command_line").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

fn write(path: &Path, text: impl AsRef<[u8]>) -> String {
    fs::write(path, text).expect("the folder is there");
    path.display().to_string()
}

/// The first scenario with this expectation of its only run; nothing goes wrong in it, so that
/// tables of many runs are short.
fn quiet(verdict: VerdictKind) -> ScenarioFile {
    let mut file = GALLERY[0].file();
    file.scenario.faults.clear();
    file.compare.clear();
    file.leave_out_loose_ends();
    file.expect.as_mut().expect("it expects something").run_1.verdict = verdict;
    let run_1 = &mut file.expect.as_mut().expect("it expects something").run_1;
    (run_1.at, run_1.by_luck) = (None, None);
    run_1.broken.clear();
    file
}

/// Files that are as expected, not as expected, and no scenario.
struct Files {
    good: String,
    unmet: String,
    bad: String,
}

fn files(name: &str) -> Files {
    let folder = folder(name);
    Files {
        good: write(&folder.join("good.json"), quiet(VerdictKind::Safe).to_json()),
        unmet: write(&folder.join("unmet.json"), quiet(VerdictKind::Corrupted).to_json()),
        bad: write(&folder.join("bad.json"), "{ \"version\": 1 }"),
    }
}

#[test]
fn every_exit_code_has_its_cause() {
    let Files { good, unmet, bad } = files("codes");
    let code = |arguments: &[&str]| run(arguments).code;
    assert_eq!(code(&["check", &good]), Some(0));
    assert_eq!(code(&["check", &unmet]), Some(1));
    assert_eq!(code(&["check", &bad]), Some(2));
    assert_eq!(code(&["check", &good, &unmet]), Some(1));
    assert_eq!(code(&["check", &unmet, &bad, &good]), Some(2), "2 wins over 1");
    let mut silent = quiet(VerdictKind::Safe);
    silent.expect = None;
    let silent = write(Path::new(&good).with_file_name("silent.json").as_path(), silent.to_json());
    let told = run(&["check", &silent]);
    assert_eq!(told.code, Some(1), "a file that expects nothing proves nothing");
    for wrong in [
        &[][..],
        &["nope"],
        &["--nope"],
        &["check"],
        &["check", "--nope", &good],
        &["check", "no/such/file"],
        &["run", &good, &good],
        &["run", &good, "--run", "3"],
        &["run", &good, "--at"],
        &["run", &good, "--at", "soon"],
        &["run", &good, "--json=yes"],
        &["picture", &good, "--page", "ftp://host.example"],
        &["remedies", &good, "--budget", "0"],
        &["systems", &good, "--budget", "many"],
        &["systems", &good, "--json"],
        &["schema", &good],
    ] {
        let told = run(wrong);
        assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{wrong:?}");
        assert!(told.err.starts_with("fenceline: ") && told.err.lines().count() == 1, "{told:?}");
    }
}

#[test]
fn a_safe_verdict_says_what_is_not_judged() {
    let folder = folder("not-judged");
    let lines = |name: &str, file: &ScenarioFile| {
        let told = run(&["check", &write(&folder.join(name), file.to_json())]).out;
        let lines = told.lines().filter(|line| line.starts_with("    Not judged: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let told = "    Not judged: what others read or write in the storage, without the lock; what \
        work does elsewhere before it writes";
    assert_eq!(lines("safe.json", &quiet(VerdictKind::Safe)), [told]);
    let both = GALLERY[0].file();
    assert_eq!(lines("both.json", &both), [told], "Run 1 is corrupted, Run 2 is safe");
}

#[test]
fn a_bad_file_does_not_keep_the_others_from_being_checked() {
    let Files { good, unmet, bad } = files("others");
    let told = run(&["check", &unmet, &bad, &good]);
    let heads: Vec<_> = told.out.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(heads.len() == 2 && heads[0].starts_with(&unmet) && heads[1].starts_with(&good));
    assert!(told.err.starts_with(&format!("fenceline: {bad}: This file cannot be read")));
}

#[test]
fn each_command_has_its_own_help_with_its_exit_codes() {
    for command in ["run", "check", "remedies", "systems", "picture", "write-up", "schema"] {
        let told = run(&[command, "--help"]);
        assert_eq!((told.code, told.err.as_str()), (Some(0), ""));
        assert!(told.out.starts_with(&format!("fenceline {command}")), "{}", told.out);
        let codes = if command == "check" { &["0", "1", "2", "3"][..] } else { &["0", "2", "3"] };
        for code in codes {
            assert!(told.out.contains(&format!("\n  {code}  ")), "{command}: {code}");
        }
        assert_eq!(run(&[command, "-h"]).out, told.out);
    }
    let budget = format!("instead of {}", MAX_SEARCH_STEPS / 1_000_000);
    assert!(["remedies", "systems"].iter().all(|it| run(&[it, "-h"]).out.contains(&budget)));
    let whole = run(&["--help"]).out;
    assert!((0..=3).all(|code| whole.contains(&format!("\n  {code}  "))), "{whole}");
    assert!(run(&["--version"]).out.starts_with("fenceline "));
}

#[test]
fn after_two_dashes_everything_is_a_file() {
    let Files { good, .. } = files("dashes");
    let folder = Path::new(&good).parent().expect("it is in a folder");
    fs::copy(&good, folder.join("--help")).expect("a file may be called so");
    let arguments = ["check", "--", "--help"].map(OsStr::new);
    let told = ran(program(&arguments).current_dir(folder));
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.out.starts_with("--help: The paused holder\n"), "{}", told.out);
}

/// What is refused, and what is waited for, stands beside each verdict of the table.
#[test]
fn remedies_say_what_each_run_cost_as_text_and_as_json() {
    let path = write(&folder("costs").join("file.json"), GALLERY[0].json);
    let text = run(&["remedies", &path]).out;
    let heads = text.lines().nth(1).expect("the heads");
    let column = |head: &str| heads.find(head).unwrap_or_else(|| panic!("{head}: {heads}"));
    let base = GALLERY[0].file().base().expect("valid");
    let json = run(&["remedies", "--json", &path]).out;
    let tried: Vec<serde_json::Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .filter(|line: &serde_json::Value| line.get("verdict").is_some())
        .collect();
    let lock_delay = [Change::LockDelay(SimDuration::from_secs(15))];
    for (name, changes) in [("As it is", &[][..]), ("Lock-delay of 15 s", &lock_delay)] {
        let recording = Recording::of(&base.with(changes).expect("fits"));
        let costs = recording.costs();
        let line = text.lines().find(|line| line.starts_with(&format!("{name}  ")));
        let line = line.unwrap_or_else(|| panic!("{name}: {text}"));
        let of = |head| line[column(head)..].split("  ").next().expect("a cell");
        assert_eq!(of("Done"), format!("{} of {}", costs.units_done, costs.units_begun));
        assert_eq!(of("Rightful refused"), costs.refused_rightful.to_string());
        let row = tried.iter().find(|row| row["remedy"] == name).expect(name);
        assert_eq!(row["units_done"], costs.units_done);
        assert_eq!(row["units_begun"], costs.units_begun);
        assert_eq!(row["rightful_writes_refused"], costs.refused_rightful);
        assert_eq!(row["held_without_work"], costs.held_without_work.to_string());
        assert_eq!(row["idle_though_wanted"], costs.idle_though_wanted.to_string());
        assert_eq!(row["longest_wait"], costs.longest_wait.to_string());
    }
    let wait = |name: &str| {
        tried.iter().find(|row| row["remedy"] == name).map(|row| {
            row["longest_wait"].as_str().and_then(|text| text.parse::<SimDuration>().ok())
        })
    };
    assert!(wait("Lock-delay of 15 s") > wait("As it is"), "it is not free: {json}");
    let not_tried = json.lines().filter(|line| line.contains("\"not_tried\":")).count();
    assert!(not_tried > 20, "each with its reason: {json}");
}

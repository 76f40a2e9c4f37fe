//! `fenceline`: the simulation on the command line, for a terminal and for a team's CI. It reads
//! scenario files, runs them and prints; it decides nothing about leases.

use std::io::{Read, Write};
use std::process::ExitCode;

use fenceline::explore::{RemedySearch, SystemSearch};
use fenceline::sim::property::PropertyState;
use fenceline::sim::scenario::{ExpectedRun, Quantity, ScenarioFile};
use fenceline::sim::{Recording, Scenario, SimTime};
use fenceline::view_model::colors::Theme;
use fenceline::view_model::export::{Export, Subject, event_log};
use fenceline::view_model::incident::names;
use fenceline::view_model::link::{Link, Place};
use fenceline::view_model::verdict::kind_name;
use fenceline::view_model::{remedy_words, system_words};

const HELP: &str = "\
fenceline: run lease and fencing-token scenarios

USAGE
  fenceline run FILE [--run 1|2] [--json] [--at TIME]   print the event log, or the state at a time
  fenceline check FILE...                               print properties and verdict; compare with
                                                        what the file expects
  fenceline remedies FILE                               what would have saved this schedule
  fenceline systems FILE                                every lock system on this schedule
  fenceline picture FILE [--dark] [--html] [--page ADDRESS]
                                                        print the timeline as SVG, or as a page that
                                                        plays by itself; with a link to that page
  fenceline schema                                      print the JSON Schema of scenario files
  fenceline --help | --version

FILE is a scenario file (docs/scenario.md); `-` reads standard input. TIME is a time of the run such
as 17.1 s. `--run 2` takes the changes under `compare` into account.

EXIT CODES
  0  done; for `check`: every expectation is met
  1  `check`: an expectation is not met, or a file has none
  2  the file or the command line is wrong; the message says what would be right";

/// Prints a line. Whoever reads it may have seen enough, as `head` has: then the program is done.
macro_rules! say {
    ($($text:tt)*) => {
        if writeln!(std::io::stdout(), $($text)*).is_err() {
            std::process::exit(0);
        }
    };
}

/// What ends the program early, with a message for people.
struct Wrong(String);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.first().map(String::as_str) {
        Some("run") => run(&arguments[1..]),
        Some("check") => check(&arguments[1..]),
        Some("remedies") => remedies(&arguments[1..]),
        Some("systems") => systems(&arguments[1..]),
        Some("picture") => picture(&arguments[1..]),
        #[cfg(not(target_family = "wasm"))]
        Some("schema") => {
            say!("{}", ScenarioFile::json_schema().trim_end());
            Ok(ExitCode::SUCCESS)
        }
        Some("--version" | "-V") => {
            say!("fenceline {}", env!("CARGO_PKG_VERSION"));
            Ok(ExitCode::SUCCESS)
        }
        Some("--help" | "-h" | "help") => {
            say!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        Some(other) => Err(Wrong(format!(
            "“{other}” is not a command: use run, check, remedies, systems, picture or \
             schema; see fenceline --help"
        ))),
        None => Err(Wrong(format!("no command given\n\n{HELP}"))),
    };
    result.unwrap_or_else(|Wrong(message)| {
        eprintln!("fenceline: {message}");
        ExitCode::from(2)
    })
}

/// Reads a file, or standard input.
fn read(path: &str) -> Result<ScenarioFile, Wrong> {
    let limit = u64::try_from(fenceline::sim::limits::MAX_FILE_BYTES).unwrap_or(u64::MAX) + 1;
    let mut text = String::new();
    let read = if path == "-" {
        std::io::stdin().take(limit).read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_string(&mut text))
    };
    read.map_err(|error| Wrong(format!("cannot read “{path}”: {error}")))?;
    ScenarioFile::parse(&text).map_err(|error| Wrong(format!("{path}: {error}")))
}

fn base(file: &ScenarioFile) -> Result<Scenario, Wrong> {
    file.base().map_err(|error| Wrong(error.to_string()))
}

fn patched(file: &ScenarioFile) -> Result<Scenario, Wrong> {
    base(file)?.with(&file.compare).map_err(|error| Wrong(error.to_string()))
}

/// The options of `run`.
#[derive(Default)]
struct RunOptions {
    path: Option<String>,
    second: bool,
    json: bool,
    at: Option<SimTime>,
}

fn run_options(arguments: &[String]) -> Result<RunOptions, Wrong> {
    let mut options = RunOptions::default();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => options.json = true,
            "--run" => match arguments.next().map(String::as_str) {
                Some("1") => options.second = false,
                Some("2") => options.second = true,
                other => {
                    let given = other.unwrap_or("nothing");
                    return Err(Wrong(format!("--run {given}: write --run 1 or --run 2")));
                }
            },
            "--at" => {
                let text = arguments.next().map_or("", String::as_str);
                let at = text.parse().map_err(|error| Wrong(format!("--at: {error}")))?;
                options.at = Some(at);
            }
            flag if flag.starts_with("--") => {
                return Err(Wrong(format!("“{flag}” is not an option of run: see --help")));
            }
            path if options.path.is_none() => options.path = Some(path.to_owned()),
            more => return Err(Wrong(format!("“{more}”: run takes one file"))),
        }
    }
    Ok(options)
}

fn run(arguments: &[String]) -> Result<ExitCode, Wrong> {
    let options = run_options(arguments)?;
    let path = options.path.ok_or_else(|| Wrong("run needs a file, or - for input".to_owned()))?;
    let file = read(&path)?;
    let scenario = if options.second { patched(&file)? } else { base(&file)? };
    let recording = Recording::of(&scenario);
    names::put_in_force(&file.incident.names);
    match (options.at, options.json) {
        (Some(at), _) => say!("{:#?}", recording.world_at(at)),
        (None, true) => say!("{}", event_log::json_lines(&recording, &file.incident).trim_end()),
        (None, false) => say!("{}", event_log::text(&recording, &file.incident).trim_end()),
    }
    Ok(ExitCode::SUCCESS)
}

fn check(paths: &[String]) -> Result<ExitCode, Wrong> {
    if paths.is_empty() {
        return Err(Wrong("check needs a file, or - for input".to_owned()));
    }
    let mut all_met = true;
    for path in paths {
        let file = read(path)?;
        say!("{path}: {}", file.title);
        let expected = file.expect.as_ref();
        all_met &= check_run("Run 1", &base(&file)?, expected.map(|expect| &expect.run_1));
        if !file.compare.is_empty() {
            let expected = expected.and_then(|expect| expect.run_2.as_ref());
            all_met &= check_run("Run 2", &patched(&file)?, expected);
        }
    }
    Ok(if all_met { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Prints what a run came to. Tells whether that was expected.
fn check_run(name: &str, scenario: &Scenario, expected: Option<&ExpectedRun>) -> bool {
    let recording = Recording::of(scenario);
    let verdict = recording.verdict();
    let at = verdict.at.map(|at| format!(" at {at}")).unwrap_or_default();
    let luck = if verdict.by_luck { ", by luck" } else { "" };
    say!("  {name}: {}{at}{luck}", kind_name(verdict.kind));
    for report in recording.properties() {
        say!("    {:<46} {}", report.id.name(), state(&report.state));
    }
    let Some(expected) = expected else {
        say!("    nothing is expected of it: add `expect` to the file");
        return false;
    };
    let problems = expected.problems(&recording);
    for problem in &problems {
        say!("    NOT AS EXPECTED: {problem}");
    }
    problems.is_empty()
}

fn state(state: &PropertyState) -> String {
    match state {
        PropertyState::Holds => "holds".to_owned(),
        PropertyState::DoesNotApply => "does not apply".to_owned(),
        PropertyState::Undecided => "undecided".to_owned(),
        PropertyState::Broken { at, times, lasted, .. } => {
            let lasted = lasted.map(|lasted| format!(", for {lasted}")).unwrap_or_default();
            let times = if *times > 1 { format!(", {times} times") } else { String::new() };
            format!("broken at {at}{lasted}{times}")
        }
    }
}

fn remedies(paths: &[String]) -> Result<ExitCode, Wrong> {
    let [path] = paths else {
        return Err(Wrong("remedies takes one file, or - for input".to_owned()));
    };
    let file = read(path)?;
    let scenario = base(&file)?;
    let main = file.view.main.or_else(|| Quantity::main_of(scenario.spec()));
    let table = RemedySearch::new(&scenario, main).finish();
    say!("{}", remedy_words::as_text(&file.title, &table, &scenario, main).trim_end());
    Ok(ExitCode::SUCCESS)
}

fn systems(paths: &[String]) -> Result<ExitCode, Wrong> {
    let [path] = paths else {
        return Err(Wrong("systems takes one file, or - for input".to_owned()));
    };
    let file = read(path)?;
    let table = SystemSearch::new(&base(&file)?).finish();
    say!("{}", system_words::as_text(&file.title, &table).trim_end());
    Ok(ExitCode::SUCCESS)
}

fn picture(arguments: &[String]) -> Result<ExitCode, Wrong> {
    let (mut path, mut export, mut theme, mut page) = (None, Export::Svg, Theme::Light, None);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--dark" => theme = Theme::Dark,
            "--html" => export = Export::Page,
            "--page" => page = Some(address(arguments.next().map_or("", String::as_str))?),
            flag if flag.starts_with("--") => {
                return Err(Wrong(format!("“{flag}” is not an option of picture: see --help")));
            }
            given if path.is_none() => path = Some(given.to_owned()),
            more => return Err(Wrong(format!("“{more}”: picture takes one file"))),
        }
    }
    let path = path.ok_or_else(|| Wrong("picture needs a file, or - for input".to_owned()))?;
    let file = read(&path)?;
    let link = page.map(|page| {
        let link = Link { file: file.clone(), place: Place::default() };
        format!("{page}#{}", link.to_fragment())
    });
    let subject = Subject::of(file).map_err(|error| Wrong(error.to_string()))?;
    say!("{}", export.text(&Subject { theme, link, ..subject }).trim_end());
    Ok(ExitCode::SUCCESS)
}

/// The address of a page that runs Fenceline, which links are to lead to.
fn address(given: &str) -> Result<&str, Wrong> {
    let is_web = given.starts_with("https://") || given.starts_with("http://");
    match is_web && !given.contains(['#', ' ']) {
        true => Ok(given),
        false => Err(Wrong(format!(
            "--page “{given}”: give the address of a page that runs Fenceline, without a #, such \
             as https://host.example/fenceline/"
        ))),
    }
}

//! `fenceline`: the simulation on the command line, for a terminal and for a team's CI. It reads
//! scenario files, runs them and prints; it decides nothing about leases.

mod arguments;
mod check;
mod help;
mod input;
mod output;
mod tables;

use std::process::ExitCode;

use fenceline::explore::CauseSearch;
use fenceline::scenarios::products::Products;
use fenceline::sim::plain_text::brief;
use fenceline::sim::{Recording, Scenario, ScenarioFile};
use fenceline::view_model::outside::export::{Export, Found, Subject, event_log};
use fenceline::view_model::outside::link::{Link, Place};
use fenceline::view_model::sentences::{cause_words, history};
use fenceline::view_model::stories::products as words_of_products;
use fenceline::view_model::words::names::Words;
use lexopt::Arg::{Long, Short, Value};
use lexopt::Parser;

use arguments::{Asked, PictureOptions, RunOptions, Shown, TableOptions};
use help::Command;
use output::{Output, tell};

/// The exit codes, from good to bad.
const AS_EXPECTED: u8 = 0;
const NOT_AS_EXPECTED: u8 = 1;
const WRONG: u8 = 2;
const UNWRITTEN: u8 = 3;

/// What ends the program early, with a message for people.
struct Wrong(String);

fn main() -> ExitCode {
    let mut out = Output::new();
    let code = command(&mut out, &mut Parser::from_env()).unwrap_or_else(|Wrong(message)| {
        out.flush();
        tell(&message);
        WRONG
    });
    ExitCode::from(out.end_with(code))
}

fn command(out: &mut Output, given: &mut Parser) -> Result<u8, Wrong> {
    let name = match arguments::next(given)? {
        Some(Short('h') | Long("help")) => return Ok(print(out, help::HELP)),
        Some(Short('V') | Long("version")) => {
            return Ok(print(out, concat!("fenceline ", env!("CARGO_PKG_VERSION"))));
        }
        Some(Value(name)) => name,
        Some(other) => {
            let other = arguments::as_written(&other);
            return Err(Wrong(format!("{other} is not an option: see fenceline --help")));
        }
        None => return Err(Wrong(format!("no command given: use {NAMES}; see {SEE}"))),
    };
    match name.to_str() {
        Some("run") => asked(out, help::RUN, arguments::run(given)?, run),
        Some("check") => asked(out, help::CHECK, arguments::check(given)?, |out, options| {
            Ok(check::files(out, &options))
        }),
        Some("remedies") => {
            asked(out, help::REMEDIES, arguments::table(given, help::REMEDIES)?, tables::remedies)
        }
        Some("systems") => {
            asked(out, help::SYSTEMS, arguments::table(given, help::SYSTEMS)?, tables::systems)
        }
        Some("products") => {
            asked(out, help::PRODUCTS, arguments::words(given)?, |out, typed| products(out, &typed))
        }
        Some("picture") => asked(out, help::PICTURE, arguments::picture(given)?, picture),
        Some("write-up") => {
            asked(out, help::WRITE_UP, arguments::table(given, help::WRITE_UP)?, |out, options| {
                write_up(out, &options)
            })
        }
        #[cfg(not(target_family = "wasm"))]
        Some("schema") => {
            let nothing = arguments::nothing(given, help::SCHEMA)?;
            asked(out, help::SCHEMA, nothing, |out, ()| {
                out.escaped(&ScenarioFile::json_schema());
                Ok(AS_EXPECTED)
            })
        }
        Some("help") => Ok(print(out, help::HELP)),
        _ => {
            let name = arguments::quoted(&name);
            Err(Wrong(format!("{name} is not a command: use {NAMES}; see {SEE}")))
        }
    }
}

const NAMES: &str = "run, check, remedies, systems, products, picture, write-up or schema";
const SEE: &str = "fenceline --help";

fn print(out: &mut Output, text: &str) -> u8 {
    out.lines(text);
    AS_EXPECTED
}

/// Does what a command is asked for.
fn asked<Options>(
    out: &mut Output,
    command: Command,
    asked: Asked<Options>,
    does: impl FnOnce(&mut Output, Options) -> Result<u8, Wrong>,
) -> Result<u8, Wrong> {
    match asked {
        Asked::Help => Ok(print(out, command.help)),
        Asked::For(options) => does(out, options),
    }
}

fn base(file: &ScenarioFile) -> Result<Scenario, Wrong> {
    file.base().map_err(|error| Wrong(error.to_string()))
}

fn patched(file: &ScenarioFile) -> Result<Scenario, Wrong> {
    base(file)?.with(&file.compare).map_err(|error| Wrong(error.to_string()))
}

fn run(out: &mut Output, options: RunOptions) -> Result<u8, Wrong> {
    let RunOptions { path, second, json, shown } = options;
    let file = input::open(&path)?;
    let scenario = if second { patched(&file)? } else { base(&file)? };
    let recording = Recording::of(&scenario);
    let words = Words::of(&file.incident, &file.scenario);
    match (shown, json) {
        (Shown::StateAt(at), _) => out.lines(&format!("{:#?}", recording.world_at(at))),
        (Shown::History, true) => out.escaped(&history::json_lines(&words, &recording)),
        (Shown::History, false) => out.lines(&history::text(&words, &recording, usize::MAX)),
        (Shown::Causes, json) => {
            let search = CauseSearch::new(&recording).finish();
            match json {
                true => out.escaped(&cause_words::json_line(&words, &recording, &search)),
                false => out.lines(&cause_words::text(&words, &recording, &search)),
            }
        }
        (Shown::Log, true) => out.escaped(&event_log::json_lines(&recording, &file.incident)),
        (Shown::Log, false) => out.lines(&event_log::text(&recording, &file.incident)),
    }
    Ok(AS_EXPECTED)
}

fn write_up(out: &mut Output, options: &TableOptions) -> Result<u8, Wrong> {
    let file = input::open(&options.path)?;
    let subject = Subject::of(file).map_err(|error| Wrong(error.to_string()))?;
    let scenario = subject.runs.run_1.scenario();
    let search = tables::remedies_of(scenario, subject.file.main_quantity(), options.budget);
    let found = Found::of(&subject.file, &subject.runs, search.table().clone());
    out.escaped(&Export::WriteUp.text(&Subject { found, ..subject }));
    Ok(AS_EXPECTED)
}

fn products(out: &mut Output, typed: &str) -> Result<u8, Wrong> {
    let products = Products::built_in();
    if let Some(product) = products.find(typed) {
        out.lines(&words_of_products::whole(product));
        return Ok(AS_EXPECTED);
    }
    let list = words_of_products::list(&products, typed);
    if list.is_empty() {
        let given = brief(typed);
        return Err(Wrong(format!("“{given}”: no product is like it; see fenceline products")));
    }
    out.lines(&list);
    Ok(AS_EXPECTED)
}

fn picture(out: &mut Output, options: PictureOptions) -> Result<u8, Wrong> {
    let PictureOptions { path, export, theme, axis, page } = options;
    let file = input::open(&path)?;
    let link = page.map(|page| {
        let link = Link { file: file.clone(), place: Place::default() };
        format!("{page}#{}", link.to_fragment())
    });
    let subject = Subject::of(file).map_err(|error| Wrong(error.to_string()))?;
    out.escaped(&export.text(&Subject { theme, axis, link, ..subject }));
    Ok(AS_EXPECTED)
}

//! The command line as each command takes it. An argument may be any bytes; what is wrong is
//! quoted and said with what would be right.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use fenceline::explore::Budget;
use fenceline::sim::SimTime;
use fenceline::sim::limits::MAX_SEARCH_STEPS;
use fenceline::sim::plain_text::brief;
use fenceline::view_model::drawing::colors::Theme;
use fenceline::view_model::drawing::scale::TimeAxis;
use fenceline::view_model::outside::export::Export;
use lexopt::Arg::{Long, Short, Value};
use lexopt::{Arg, Parser};

use super::Wrong;
use super::help::{self, Command};

/// What a command is asked for.
pub(crate) enum Asked<Options> {
    /// Its help.
    Help,
    /// To do what it does.
    For(Options),
}

/// The options of `run`.
pub(crate) struct RunOptions {
    /// The file.
    pub(crate) path: PathBuf,
    /// Whether it is Run 2.
    pub(crate) second: bool,
    /// As JSON.
    pub(crate) json: bool,
    /// What of the run.
    pub(crate) shown: Shown,
}

/// What `run` prints of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Its event log.
    Log,
    /// Its units of work.
    History,
    /// What its bad event does not happen without.
    Causes,
    /// The state at this time.
    StateAt(SimTime),
}

/// The options of `remedies` and `systems`.
pub(crate) struct TableOptions {
    /// The file.
    pub(crate) path: PathBuf,
    /// How much it may cost.
    pub(crate) budget: Budget,
    /// Whether what has nothing to do with the set-up is listed, too.
    pub(crate) why_not: bool,
    /// As JSON.
    pub(crate) json: bool,
}

/// The options of `picture`.
pub(crate) struct PictureOptions {
    /// The file.
    pub(crate) path: PathBuf,
    /// What is made.
    pub(crate) export: Export,
    /// In which colours.
    pub(crate) theme: Theme,
    /// How time is drawn.
    pub(crate) axis: TimeAxis,
    /// The page that a link leads to.
    pub(crate) page: Option<String>,
}

/// An argument as a message quotes it.
pub(crate) fn quoted(given: &OsStr) -> String {
    format!("“{}”", brief(&given.to_string_lossy()))
}

/// What `run` is asked for.
pub(crate) fn run(given: &mut Parser) -> Result<Asked<RunOptions>, Wrong> {
    let (mut path, mut second, mut json, mut shown) = (None, false, false, None);
    while let Some(argument) = next(given)? {
        match argument {
            Short('h') | Long("help") => return Ok(Asked::Help),
            Long("json") => json = true,
            Long("history") => show(&mut shown, Shown::History)?,
            Long("causes") => show(&mut shown, Shown::Causes)?,
            Long("run") => {
                let value = value(given, "--run", "write --run 1 or --run 2")?;
                second = match value.to_str() {
                    Some("1") => false,
                    Some("2") => true,
                    _ => {
                        let value = quoted(&value);
                        return Err(Wrong(format!("--run {value}: write --run 1 or --run 2")));
                    }
                };
            }
            Long("at") => {
                let value = value(given, "--at", "give a time of the run, such as 17.1 s")?;
                let text = value.to_string_lossy();
                let time = text.parse().map_err(|error| Wrong(brief(&format!("--at: {error}"))));
                show(&mut shown, Shown::StateAt(time?))?;
            }
            other => one_file(other, &mut path, help::RUN)?,
        }
    }
    let path = needed(path, help::RUN)?;
    Ok(Asked::For(RunOptions { path, second, json, shown: shown.unwrap_or(Shown::Log) }))
}

/// Of what can be shown, one.
fn show(shown: &mut Option<Shown>, this: Shown) -> Result<(), Wrong> {
    let kind = std::mem::discriminant;
    match shown.replace(this) {
        Some(other) if kind(&other) != kind(&this) => {
            Err(Wrong("--history, --causes and --at are three things: give one of them".to_owned()))
        }
        Some(_) | None => Ok(()),
    }
}

/// The options of `check`.
pub(crate) struct CheckOptions {
    /// The files.
    pub(crate) paths: Vec<PathBuf>,
    /// Whether the ranges are searched as far as they ever are.
    pub(crate) is_thorough: bool,
}

/// What `check` is asked for.
pub(crate) fn check(given: &mut Parser) -> Result<Asked<CheckOptions>, Wrong> {
    let (mut paths, mut is_thorough) = (Vec::new(), false);
    while let Some(argument) = next(given)? {
        match argument {
            Short('h') | Long("help") => return Ok(Asked::Help),
            Long("thorough") => is_thorough = true,
            Value(path) => paths.push(PathBuf::from(path)),
            other @ (Short(_) | Long(_)) => return Err(no_option(&other, help::CHECK)),
        }
    }
    if paths.is_empty() {
        return Err(Wrong("check needs a file, or - for input".to_owned()));
    }
    Ok(Asked::For(CheckOptions { paths, is_thorough }))
}

/// What a table of many runs is asked for.
pub(crate) fn table(given: &mut Parser, command: Command) -> Result<Asked<TableOptions>, Wrong> {
    let mut path = None;
    let mut budget = Budget::of_steps(MAX_SEARCH_STEPS);
    let (mut why_not, mut json) = (false, false);
    while let Some(argument) = next(given)? {
        match argument {
            Short('h') | Long("help") => return Ok(Asked::Help),
            Long("budget") => budget = millions(&value(given, "--budget", RIGHT_BUDGET)?)?,
            Long("why-not") if command.name == help::REMEDIES.name => why_not = true,
            Long("json") if command.name == help::REMEDIES.name => json = true,
            other => one_file(other, &mut path, command)?,
        }
    }
    Ok(Asked::For(TableOptions { path: needed(path, command)?, budget, why_not, json }))
}

/// A budget in millions of steps.
fn millions(given: &OsStr) -> Result<Budget, Wrong> {
    let millions = given.to_str().and_then(|text| text.parse::<u32>().ok());
    let millions = millions.filter(|millions| *millions > 0);
    let budget = millions.map(|millions| Budget::of_steps(u64::from(millions) * 1_000_000));
    budget.ok_or_else(|| Wrong(format!("--budget {}: {RIGHT_BUDGET}", quoted(given))))
}

const RIGHT_BUDGET: &str = "give a whole number of millions of steps, from 1";

/// What `picture` is asked for.
pub(crate) fn picture(given: &mut Parser) -> Result<Asked<PictureOptions>, Wrong> {
    let (mut path, mut export, mut theme, mut page) = (None, Export::Svg, Theme::Light, None);
    let mut axis = TimeAxis::Slow;
    while let Some(argument) = next(given)? {
        match argument {
            Short('h') | Long("help") => return Ok(Asked::Help),
            Long("dark") => theme = Theme::Dark,
            Long("to-scale") => axis = TimeAxis::ToScale,
            Long("html") => export = Export::Page,
            Long("page") => page = Some(address(&value(given, "--page", RIGHT_ADDRESS)?)?),
            other => one_file(other, &mut path, help::PICTURE)?,
        }
    }
    let path = needed(path, help::PICTURE)?;
    Ok(Asked::For(PictureOptions { path, export, theme, axis, page }))
}

/// What `products` is asked for: words that it looks for.
pub(crate) fn words(given: &mut Parser) -> Result<Asked<String>, Wrong> {
    let mut words = Vec::new();
    while let Some(argument) = next(given)? {
        match argument {
            Short('h') | Long("help") => return Ok(Asked::Help),
            Value(word) => words.push(word.to_string_lossy().into_owned()),
            other @ (Short(_) | Long(_)) => return Err(no_option(&other, help::PRODUCTS)),
        }
    }
    Ok(Asked::For(words.join(" ")))
}

/// What a command without options is asked for.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn nothing(given: &mut Parser, command: Command) -> Result<Asked<()>, Wrong> {
    match next(given)? {
        None => Ok(Asked::For(())),
        Some(Short('h') | Long("help")) => Ok(Asked::Help),
        Some(Value(more)) => {
            Err(Wrong(format!("{}: {} takes no file", quoted(&more), command.name)))
        }
        Some(other @ (Short(_) | Long(_))) => Err(no_option(&other, command)),
    }
}

/// The next argument. The one error that there can be: a value where an option has none.
pub(crate) fn next(given: &mut Parser) -> Result<Option<Arg<'_>>, Wrong> {
    given.next().map_err(|error| Wrong(brief(&error.to_string())))
}

/// The value of an option.
fn value(given: &mut Parser, option: &str, right: &str) -> Result<OsString, Wrong> {
    given.value().map_err(|_| Wrong(format!("{option} has no value: {right}")))
}

/// Takes the one file of a command.
fn one_file(argument: Arg<'_>, path: &mut Option<PathBuf>, command: Command) -> Result<(), Wrong> {
    match argument {
        Value(given) if path.is_none() => *path = Some(PathBuf::from(given)),
        Value(more) => {
            return Err(Wrong(format!("{}: {} takes one file", quoted(&more), command.name)));
        }
        other @ (Short(_) | Long(_)) => return Err(no_option(&other, command)),
    }
    Ok(())
}

fn needed(path: Option<PathBuf>, command: Command) -> Result<PathBuf, Wrong> {
    path.ok_or_else(|| Wrong(format!("{} needs a file, or - for input", command.name)))
}

fn no_option(argument: &Arg<'_>, command: Command) -> Wrong {
    let Command { name, options, .. } = command;
    Wrong(format!(
        "{} is not an option of {name}: use {options}; a file with such a name stands after --",
        as_written(argument)
    ))
}

/// An argument as it stands on the command line, quoted.
pub(crate) fn as_written(argument: &Arg<'_>) -> String {
    match argument {
        Short(letter) => quoted(OsStr::new(&format!("-{letter}"))),
        Long(name) => quoted(OsStr::new(&format!("--{name}"))),
        Value(value) => quoted(value),
    }
}

const RIGHT_ADDRESS: &str = "give the address of a page that runs Fenceline, without a #, such as \
                             https://host.example/fenceline/";

/// The address of a page that runs Fenceline, which links are to lead to.
fn address(given: &OsStr) -> Result<String, Wrong> {
    let text = given.to_str().filter(|text| {
        let is_web = text.starts_with("https://") || text.starts_with("http://");
        is_web && !text.contains(['#', ' '])
    });
    let wrong = || Wrong(format!("--page {}: {RIGHT_ADDRESS}", quoted(given)));
    text.map(str::to_owned).ok_or_else(wrong)
}

//! `cargo xtask fuzz`: the fuzzers of `tests/native/fuzz` for longer than the tests run them, and
//! the monkey of `tests/e2e/monkey.spec.js`. Each is a test that is told by its environment how
//! many inputs to make, and of which seed.

use crate::shell::{Outcome, cargo, run, say};
use crate::{browser, checks, node};
use std::path::Path;

/// The native fuzzers, each a test `fuzz::each::NAME`, with how many inputs it is given where
/// nobody says: some seconds each.
const NATIVE: [(&str, u32); 7] = [
    ("files", 20_000),
    ("limits", 300),
    ("links", 50_000),
    ("frame", 500_000),
    ("page", 2_000),
    ("pasted", 20_000),
    ("kept", 50_000),
];

/// Uses the page in a browser.
const MONKEY: &str = "monkey";
const MONKEY_SPEC: &str = "monkey.spec.js";
const MONKEY_STEPS: u32 = 5_000;

/// What was asked for.
#[derive(Debug, Default, PartialEq)]
struct Options {
    name: Option<String>,
    cases: Option<u32>,
    seed: Option<u32>,
    /// One input alone.
    case: Option<u32>,
}

impl Options {
    fn read(options: &[&str]) -> Outcome<Self> {
        let mut read = Self::default();
        let mut words = options.iter();
        while let Some(word) = words.next() {
            let number = match *word {
                "--cases" => &mut read.cases,
                "--seed" => &mut read.seed,
                "--case" => &mut read.case,
                name if name.starts_with('-') || read.name.is_some() => {
                    return Err(format!(
                        "fuzz takes [NAME] --cases N --seed S --case C, not `{name}`"
                    ));
                }
                name => {
                    read.name = Some(known(name)?);
                    continue;
                }
            };
            let given = words.next().copied().unwrap_or_default();
            let parsed = given.parse().map_err(|_| {
                format!("{word} takes a whole number from 0 to {}, not `{given}`", u32::MAX)
            })?;
            *number = Some(parsed);
        }
        match (&read.name, read.case) {
            (None, Some(_)) => Err("--case needs the fuzzer's name before it".to_owned()),
            (Some(name), Some(_)) if name == MONKEY => {
                Err("the monkey has no cases: --cases is its number of steps".to_owned())
            }
            _ => Ok(read),
        }
    }
}

fn known(name: &str) -> Outcome<String> {
    let mut names = NATIVE.iter().map(|(name, _)| *name).chain([MONKEY]);
    if names.clone().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    let last = names.next_back().unwrap_or_default();
    let others = names.collect::<Vec<_>>().join(", ");
    Err(format!("there is no fuzzer `{name}`; there are {others} and {last}"))
}

/// Runs the fuzzer that the options name, or all; with `monkey` only where it is named or dist/ is
/// there.
pub(crate) fn fuzz(options: &[&str]) -> Outcome {
    let options = Options::read(options)?;
    let wanted = |name: &str| options.name.as_ref().is_none_or(|wanted| wanted == name);
    let mut failed = Vec::new();
    for (name, cases) in NATIVE.into_iter().filter(|(name, _)| wanted(name)) {
        if let Err(error) = native(name, cases, &options) {
            println!("\n  {error}");
            failed.push(name);
        }
    }
    if wanted(MONKEY) {
        let is_named = options.name.is_some();
        let problem = match is_named || checks::need_dist().is_ok() {
            true => monkey(&options).err(),
            false => {
                println!("\n  monkey: not run, there is no dist/ (`cargo xtask build` makes it)");
                None
            }
        };
        if let Some(error) = problem {
            println!("\n  {error}");
            failed.push(MONKEY);
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        names => Err(format!("found something: {}", names.join(", "))),
    }
}

fn native(name: &str, cases: u32, options: &Options) -> Outcome {
    let cases = options.cases.unwrap_or(cases);
    say(&format!("{name}: {cases} cases"));
    let test = format!("fuzz::each::{name}");
    // With the libraries' and our own code optimised as they are for `serve`, and checks kept.
    let arguments = ["test", "--locked", "--quiet", "--profile", "dev", "--test", "native", &test];
    let mut tests = cargo(&arguments);
    tests.args(["--", "--exact", "--nocapture"]);
    tests.env("FENCELINE_FUZZ_CASES", cases.to_string());
    tests.env("FENCELINE_FUZZ_SEED", options.seed.unwrap_or(1).to_string());
    if let Some(case) = options.case {
        tests.env("FENCELINE_FUZZ_CASE", case.to_string());
    }
    run(&mut tests)
}

fn monkey(options: &Options) -> Outcome {
    checks::need_dist()?;
    let spec = Path::new("tests/e2e").join(MONKEY_SPEC);
    if !spec.is_file() {
        return Err(format!("there is no {}", spec.display()));
    }
    node::need_packages()?;
    let browser = browser::need_browser()?;
    let steps = options.cases.unwrap_or(MONKEY_STEPS);
    say(&format!("{MONKEY}: {steps} steps"));
    let config = ["test", "--config", "tests/e2e/playwright.config.js", MONKEY_SPEC];
    let mut test = node::script("node_modules/@playwright/test/cli.js", &config);
    test.env("CHROMIUM", browser.chromium).env("MONKEY_STEPS", steps.to_string());
    if let Some(seed) = options.seed {
        test.env("MONKEY_SEED", seed.to_string());
    }
    run(&mut test)
}

#[cfg(test)]
mod tests {
    use super::{NATIVE, Options};

    #[test]
    fn options_are_read_and_others_are_quoted() {
        let read = Options::read(&["links", "--cases", "10", "--seed", "7"]);
        let links =
            Options { name: Some("links".to_owned()), cases: Some(10), seed: Some(7), case: None };
        assert_eq!(read, Ok(links));
        assert_eq!(Options::read(&[]), Ok(Options::default()));
        let wrong = [
            (&["flies"][..], "`flies`"),
            (&["links", "files"], "`files`"),
            (&["--seeds", "1"], "`--seeds`"),
            (&["links", "--cases"], "--cases takes"),
            (&["links", "--cases", "-1"], "`-1`"),
            (&["--case", "1"], "name"),
            (&["monkey", "--case", "1"], "steps"),
        ];
        for (options, quoted) in wrong {
            let error = Options::read(options).expect_err(quoted);
            assert!(error.contains(quoted), "{error}");
        }
    }

    #[test]
    fn every_native_fuzzer_is_a_test() {
        let tests = include_str!("../../tests/native/fuzz/mod.rs");
        let each = tests.split_once("mod each {").expect("the tests").1;
        let each = each.split_once("\n}").expect("its end").0;
        for (name, _) in NATIVE {
            assert!(each.contains(&format!("fn {name}()")), "{name}");
        }
        assert_eq!(each.matches("#[test]").count(), NATIVE.len());
    }
}

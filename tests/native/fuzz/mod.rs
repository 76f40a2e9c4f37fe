//! Fuzzers: random inputs, by number, that the program must take or refuse with a message; without
//! a panic, in a bounded number of steps, and with texts that are bounded and hold no control
//! characters. Each runs for a short while with the other tests. `cargo xtask fuzz` runs them
//! longer: it sets `FENCELINE_FUZZ_CASES`, `FENCELINE_FUZZ_SEED` and `FENCELINE_FUZZ_CASE`.
//!
//! An input is a text, whatever it is an input of, so that the smallest one that fails is found
//! alike for all. `tests/fuzz/corpus/NAME/` has inputs that are tried as they are, and that others
//! are made of; what a fuzzer finds goes there.

mod dice;
mod files;
mod frame;
mod kept;
mod links;
mod mutate;
#[cfg(feature = "ui")]
mod page;
mod pasted;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Once;

use fenceline::sim::plain_text::is_treacherous;

use dice::Dice;

/// What makes inputs, and what has to hold of each.
pub struct Fuzzer {
    /// Its name on the command line.
    pub name: &'static str,
    /// Inputs in a usual run.
    pub usual: u32,
    /// Makes an input.
    pub make: fn(&mut Dice) -> String,
    /// Tries one; it panics where something is not so.
    pub hold: fn(&str, &mut Trial),
}

/// The most characters that a message may have: what `plain_text::brief` leaves of a problem, and
/// what is said around it.
const LONGEST_MESSAGE: usize = 1_800;

/// How many kinds of refusals that quote nothing are told.
const SHOWN_UNQUOTED: usize = 10;

/// What came of the inputs.
#[derive(Default)]
pub struct Trial {
    /// Whether each input is worth some time.
    pub is_long: bool,
    taken: u32,
    refused: u32,
    /// Refusals that quote nothing, by what they say.
    unquoted: BTreeMap<String, u32>,
    longest: usize,
}

impl Trial {
    /// An input, or a step of it, was taken.
    pub fn taken(&mut self) {
        self.taken += 1;
    }

    /// It was refused: the message is short, on one line, and plain.
    pub fn refused(&mut self, message: &str) {
        self.refused += 1;
        self.told(message);
        if !message.contains(['“', '"', '`']) {
            let digit = |char: char| if char.is_ascii_digit() { '#' } else { char };
            *self.unquoted.entry(message.chars().map(digit).collect()).or_default() += 1;
        }
    }

    /// Something is told in a message, which is short, too.
    pub fn told(&mut self, message: &str) {
        self.said(message);
        let n_chars = message.chars().count();
        let begins: String = message.chars().take(400).collect();
        assert!(n_chars <= LONGEST_MESSAGE, "a message of {n_chars} characters: {begins}");
        self.longest = self.longest.max(n_chars);
    }

    /// Something is said: nothing in it steers or hides text.
    pub fn said(&mut self, text: &str) {
        let steers = text.chars().find(|char| is_treacherous(*char));
        let begins: String = text.chars().take(400).collect();
        assert!(steers.is_none(), "{steers:?} in {begins:?}");
    }

    fn figures(&self) -> String {
        let Self { taken, refused, longest, unquoted, .. } = self;
        let n_unquoted: u32 = unquoted.values().sum();
        let mut text = format!(
            "{taken} taken, {refused} refused; the longest message has {longest} characters; \
             {n_unquoted} refusals quote nothing"
        );
        let mut unquoted: Vec<_> = unquoted.iter().collect();
        unquoted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (message, count) in unquoted.into_iter().take(SHOWN_UNQUOTED) {
            text.push_str(&format!("\n  {count} × {message}"));
        }
        text
    }
}

/// What a run is asked for.
struct Asked {
    seed: u64,
    /// How many inputs; none: the usual number.
    cases: Option<u32>,
    /// One input alone.
    case: Option<u32>,
}

impl Asked {
    fn read() -> Self {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(text.parse::<u32>().unwrap_or_else(|_| panic!("{name} is a number: {text:?}")))
        };
        Self {
            seed: u64::from(number("FENCELINE_FUZZ_SEED").unwrap_or(1)),
            cases: number("FENCELINE_FUZZ_CASES"),
            case: number("FENCELINE_FUZZ_CASE"),
        }
    }
}

thread_local! {
    /// Whether a panic is an answer here, and what the last one said.
    static IS_ANSWER: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Tries one input.
fn attempt(fuzzer: &Fuzzer, text: &str, trial: &mut Trial) -> Result<(), String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| match IS_ANSWER.get() {
            true => SAID.replace(info.to_string()).clear(),
            false => usual(info),
        }));
    });
    IS_ANSWER.set(true);
    let held = catch_unwind(AssertUnwindSafe(|| (fuzzer.hold)(text, trial)));
    IS_ANSWER.set(false);
    held.map_err(|_| SAID.take())
}

/// A smaller input that fails, too: lines and then stretches of characters are left out, as long as
/// some still can be and the attempts last.
fn smaller(fuzzer: &Fuzzer, text: &str) -> String {
    let mut attempts = 400;
    let mut parts: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for of_lines in [true, false] {
        if !of_lines {
            parts = parts.concat().chars().map(String::from).collect();
        }
        let mut size = parts.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < parts.len() && attempts > 0 {
                attempts -= 1;
                let mut without = parts.clone();
                without.drain(at..(at + size).min(parts.len()));
                match attempt(fuzzer, &without.concat(), &mut Trial::default()) {
                    Err(_) => parts = without,
                    Ok(()) => at += size,
                }
            }
            size /= 2;
        }
    }
    parts.concat()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The inputs of a folder of `tests`, by name.
fn inputs(folder: &str) -> Vec<(String, String)> {
    let Ok(files) = fs::read_dir(root().join("tests").join(folder)) else {
        return Vec::new();
    };
    let mut all: Vec<_> = files
        .map(|file| file.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|ending| ending != "md"))
        .map(|path| {
            let bytes = fs::read(&path).expect("it can be read");
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect();
    all.sort();
    all
}

/// What was found of a fuzzer, and what it once found.
fn corpus(fuzzer: &Fuzzer) -> Vec<(String, String)> {
    inputs(&format!("fuzz/corpus/{}", fuzzer.name))
}

/// What is told of an input that fails.
fn report(fuzzer: &Fuzzer, which: &str, again: &str, text: &str, why: &str) -> String {
    let small = smaller(fuzzer, text);
    let path = root().join("target").join(format!("fuzz-{}.txt", fuzzer.name));
    let written = fs::write(&path, &small).is_ok();
    let shown: String = small.chars().take(2_000).collect();
    let name = fuzzer.name;
    let whole = if written { format!("whole in target/fuzz-{name}.txt") } else { String::new() };
    format!(
        "fuzz {name}, {which}: {why}\n\nThe smallest input that fails ({} characters; {whole}):\n\
         {shown:?}\n\nAgain: {again}\nWhat is put into tests/fuzz/corpus/{name}/ is tried every \
         time.",
        small.chars().count()
    )
}

/// Runs a fuzzer over its corpus and over so many inputs.
fn run(fuzzer: &Fuzzer) -> Trial {
    let Asked { seed, cases, case } = Asked::read();
    let mut trial = Trial { is_long: cases.is_some() || case.is_some(), ..Trial::default() };
    let name = fuzzer.name;
    for (file, text) in corpus(fuzzer) {
        if let Err(why) = attempt(fuzzer, &text, &mut trial) {
            let again = format!("cargo xtask fuzz {name} --cases 0");
            panic!("{}", report(fuzzer, &file, &again, &text, &why));
        }
    }
    let n_cases = cases.unwrap_or(fuzzer.usual);
    let numbers = case.map_or(0..n_cases, |case| case..case + 1);
    for case in numbers {
        let text = (fuzzer.make)(&mut Dice::new(seed, name, case));
        if let Err(why) = attempt(fuzzer, &text, &mut trial) {
            let which = format!("seed {seed}, case {case}");
            let again = format!("cargo xtask fuzz {name} --seed {seed} --case {case}");
            panic!("{}", report(fuzzer, &which, &again, &text, &why));
        }
    }
    println!("fuzz {name}: seed {seed}, {n_cases} cases: {}", trial.figures());
    trial
}

/// Runs a fuzzer whose inputs are both taken and refused: one that finds nothing but the one or the
/// other tries nothing.
fn run_both(fuzzer: &Fuzzer) {
    let trial = run(fuzzer);
    if Asked::read().case.is_none() && Asked::read().cases != Some(0) {
        let (taken, refused) = (trial.taken, trial.refused);
        assert!(taken > 0 && refused > 0, "{}: {taken} taken, {refused} refused", fuzzer.name);
    }
}

/// `cargo xtask fuzz` finds each of these by its name.
mod each {
    #[test]
    fn files() {
        super::run_both(&super::files::FILES);
    }

    #[test]
    fn limits() {
        super::run(&super::files::LIMITS);
    }

    #[test]
    fn links() {
        super::run_both(&super::links::LINKS);
    }

    #[test]
    fn frame() {
        super::run_both(&super::frame::FRAME);
    }

    #[cfg(feature = "ui")]
    #[test]
    fn page() {
        super::run_both(&super::page::PAGE);
    }

    #[test]
    fn pasted() {
        super::run_both(&super::pasted::PASTED);
    }

    #[test]
    fn kept() {
        super::run_both(&super::kept::KEPT);
    }
}

/// A fuzzer that fails says which case, what to do, and the smallest input that still fails.
#[test]
fn what_fails_is_made_small_and_can_be_run_again() {
    let fuzzer = Fuzzer {
        name: "made-up",
        usual: 50,
        make: |dice| {
            let line = |dice: &mut Dice| format!("{}\n", dice.below(40));
            (0..20).map(|_| line(dice)).collect()
        },
        hold: |text, _| assert!(!text.lines().any(|line| line == "13"), "thirteen"),
    };
    let failed = catch_unwind(|| drop(run(&fuzzer))).expect_err("some line is 13");
    let told = failed.downcast_ref::<String>().expect("a text");
    assert!(told.contains("thirteen") && told.contains("(2 characters"), "{told}");
    assert!(told.contains("\n\"13\"\n"), "{told}");
    assert!(told.contains("cargo xtask fuzz made-up --seed "), "{told}");
    let case = told.rsplit_once("--case ").expect("a case").1;
    let case: u32 = case.split('\n').next().expect("a line").parse().expect("a number");
    let seed = Asked::read().seed;
    let again = (fuzzer.make)(&mut Dice::new(seed, fuzzer.name, case));
    assert!(again.lines().any(|line| line == "13"));
    fs::remove_file(Path::new(&root()).join("target/fuzz-made-up.txt")).expect("it was written");
}

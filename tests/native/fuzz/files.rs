//! Scenario files: those of the gallery, of the cases and of the corpus with characters or values
//! changed, and valid scenarios at their limits. Each is refused with a message or run.

use std::sync::LazyLock;

use fenceline::scenarios::GALLERY;
use fenceline::sim::form::Json;
use fenceline::sim::scenario::{ClientSpec, Length, Renew, Repeat, Wait};
use fenceline::sim::{
    Change, Progress, Scenario, ScenarioFile, SimDuration, SimTime, Simulation, limits,
};
use fenceline::view_model::outside::import::{self, Source};
use serde_json::Value;

use super::dice::Dice;
use super::{Fuzzer, Trial, inputs, mutate};

pub const FILES: Fuzzer =
    Fuzzer { name: "files", usual: 200, make: changed_file, hold: is_refused_or_run };
pub const LIMITS: Fuzzer = Fuzzer { name: "limits", usual: 60, make: at_its_limits, hold: ends };

/// Steps after which a usual run is cut short, and one that there is time for.
const USUAL_STEPS: u32 = 20_000;
const LONG_STEPS: u32 = 200_000;
/// What a last step may still log once the limit is reached.
const LAST_STEP: u32 = 1_000;

/// Every scenario file of the repository.
pub static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
    let gallery = GALLERY.iter().map(|entry| entry.json.to_owned());
    let others = ["cases", "fuzz/corpus/files"].into_iter().flat_map(inputs);
    gallery.chain(others.map(|(_, text)| text)).collect()
});

/// A file with characters or values changed.
pub fn changed_file(dice: &mut Dice) -> String {
    let text = dice.text(&ALL);
    match dice.once_in(3) {
        true => mutate::characters(text, &ALL, dice),
        false => mutate::values(text, &ALL, dice),
    }
}

/// Whether a text is JSON, and what it says, is as another reader has it. That one takes no number
/// beyond its own sizes.
fn is_the_same_json(text: &str) {
    match (Json::parse(text), serde_json::from_str::<Value>(text)) {
        (Ok(here), Ok(there)) => {
            let again: Value = serde_json::from_str(&here.to_string()).expect("it is JSON");
            assert_eq!(again, there, "{text}");
        }
        (Err(_), Err(_)) => {}
        (Ok(_), Err(error)) => assert!(error.to_string().contains("out of range"), "{text}"),
        (Err(refusal), Ok(_)) => panic!("{refusal}: {text}"),
    }
}

/// A file that is read is run, in both of its runs, and what is written of it can be read.
fn is_refused_or_run(text: &str, trial: &mut Trial) {
    is_the_same_json(text);
    // The page reads it as this, the command line as that.
    let dropped = import::read(text, Source::File);
    match ScenarioFile::parse(text) {
        Ok(file) => {
            assert!(dropped.is_ok_and(|link| link.file == file));
            let steps = if trial.is_long { LONG_STEPS } else { USUAL_STEPS };
            runs(&file, steps);
            let again = ScenarioFile::parse(&file.to_json()).expect("what is written can be read");
            assert_eq!(again, file);
            trial.taken();
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("This file"), "{message}");
            trial.refused(&message);
            if let Err(message) = dropped {
                trial.said(&message);
            }
        }
    }
}

/// Runs a file's scenarios, to their end or for some steps, and looks at what they hold.
pub fn runs(file: &ScenarioFile, steps: u32) {
    let base = file.base().expect("it was checked when it was read");
    let compared = base.with(&file.compare).expect("it was checked, too");
    for scenario in [base, compared] {
        run(&scenario, steps);
    }
}

fn run(scenario: &Scenario, steps: u32) {
    let mut simulation = Simulation::new(scenario);
    let progress = simulation.run(steps);
    let to_its_end = steps > limits::MAX_STEPS;
    assert!(!to_its_end || progress == Progress::Finished, "it ends within its limit");
    let recording = simulation.finish();
    let n_entries = recording.log().n_entries();
    assert!(n_entries <= limits::MAX_EVENTS + LAST_STEP, "{n_entries} entries");
    let n_snapshots = n_entries / limits::SNAPSHOT_EVERY + 1;
    assert_eq!(recording.n_snapshots(), n_snapshots, "one every so many entries, and the first");
    assert!(recording.ends_at().since_start() <= limits::MAX_DURATION);
    let at_the_end = recording.world_after(n_entries);
    assert_eq!(at_the_end.n_entries, n_entries);
}

/// A length at an edge, or any.
fn length(least: SimDuration, dice: &mut Dice) -> SimDuration {
    let most = limits::MAX_DURATION.micros();
    let one_more = least + SimDuration::from_micros(1);
    let any = least.micros() + dice.next() % (most - least.micros() + 1);
    let short = least.micros() + dice.next() % 20_000;
    match dice.below(5) {
        0 => least,
        1 => one_more,
        2 => limits::MAX_DURATION,
        3 => SimDuration::from_micros(any),
        _ => SimDuration::from_micros(short),
    }
}

/// A change that brings a scenario to its limits.
fn extreme(dice: &mut Dice) -> Change {
    let zero = SimDuration::ZERO;
    let interval = length(limits::MIN_INTERVAL, dice);
    let any = length(zero, dice);
    let up_to = |most: u32, dice: &mut Dice| {
        let number = dice.next() % (u64::from(most) + 1);
        u32::try_from(number).expect("it is at most the most")
    };
    match dice.below(18) {
        0 => Change::Ttl(length(limits::MIN_TTL, dice)),
        1 => Change::Latency(any),
        2 => Change::Work(any),
        3 => Change::CheckGap(any),
        4 => Change::LockDelay(any),
        5 => Change::Grace(any),
        6 => Change::Repeat(Repeat::After(any)),
        7 => Change::Renew(Renew::Every(interval)),
        8 => Change::Timeout(Some(interval)),
        9 => Change::Length(Length::Fixed(interval)),
        10 => Change::Wait(Wait::Poll { every: interval, jitter: any }),
        11 => Change::Retries(up_to(limits::MAX_RETRIES, dice)),
        12 => Change::WritesPerGrant(1 + up_to(limits::MAX_WRITES_PER_GRANT - 1, dice)),
        13 => Change::Stores(1 + u8::try_from(dice.below(limits::MAX_STORES)).expect("few")),
        14 => Change::DeadlineRateError(up_to(limits::MAX_RATE_ERROR_PPM, dice)),
        15 => Change::AddClient(ClientSpec::asking_at(SimTime::ZERO + any)),
        16 => Change::Session(dice.once_in(2)),
        _ => Change::Release(dice.once_in(2)),
    }
}

/// A valid file whose scenario stands at its limits.
fn at_its_limits(dice: &mut Dice) -> String {
    let first = GALLERY[0].file();
    let mut file = ScenarioFile::parse(dice.text(&ALL)).unwrap_or(first);
    for _ in 0..=dice.below(11) {
        let mut changed = file.clone();
        let fits = extreme(dice).apply(&mut changed.scenario).is_ok();
        // One client too many, or a store that is still named, is refused.
        if fits && changed.validate().is_ok() {
            file = changed;
        }
    }
    file.to_json()
}

/// A run ends within its limits, wherever its settings stand. One in so many is run to its end
/// where there is time: it may take seconds.
fn ends(text: &str, trial: &mut Trial) {
    const ONE_IN: usize = 16;
    let Ok(file) = ScenarioFile::parse(text) else {
        // What is left of one when it is made smaller.
        return;
    };
    let steps = match trial.is_long {
        false => USUAL_STEPS,
        true if text.len().is_multiple_of(ONE_IN) => limits::MAX_STEPS + 1,
        true => LONG_STEPS,
    };
    runs(&file, steps);
    trial.taken();
}

//! Every step of every tour claims only what its runs come to: moments, verdicts, answers, and what
//! the reader is asked to bring about.

use fenceline::sim::SimDuration;
use fenceline::sim::id::FaultId;
use fenceline::sim::scenario::{Change, Quantity, ScenarioFile};
use fenceline::view_model::runs::{FencingMode, Runs};
use fenceline::view_model::stories::tour::{Step, TOURS, Task, Tour, TourPlace, Truth, instant};

fn steps() -> impl Iterator<Item = (String, &'static Tour, &'static Step)> {
    TOURS.iter().flat_map(|tour| {
        let step = move |(index, step)| (format!("{}.{}", tour.id, index + 1), tour, step);
        tour.steps.iter().enumerate().map(step)
    })
}

fn runs(step: &Step) -> Runs {
    Runs::of(&step.file()).expect("every scenario of the gallery runs")
}

fn is_moment(runs: &Runs, millis: u64) -> bool {
    let at = instant(millis);
    runs.moments.n_until(at) > runs.moments.n_before(at)
}

#[test]
fn every_claim_is_so() {
    for (name, _, step) in steps() {
        let runs = runs(step);
        for claim in step.claims {
            assert!(claim.holds(&runs), "{name}: {claim:?}");
        }
    }
}

#[test]
fn steps_play_to_a_moment_of_their_runs() {
    for (name, _, step) in steps() {
        let runs = runs(step);
        let (from, to) = step.plays;
        assert!(from < to, "{name}");
        assert!(is_moment(&runs, to), "{name}: nothing happens at {to} ms");
    }
}

/// Steps before a question play up to where its answer begins, and no farther; one of each tour
/// that asks is such a step.
#[test]
fn no_answer_is_seen_before_its_question() {
    let mut n_hiding = 0;
    for (tour, index) in TOURS
        .iter()
        .enumerate()
        .flat_map(|(tour, all)| (0..all.steps.len()).map(move |index| (tour, index)))
    {
        let place = TourPlace { tour, step: index };
        let (step, runs) = (place.step(), runs(place.step()));
        if !place.leads_to_a_question() {
            continue;
        }
        n_hiding += 1;
        for (run, recording) in runs.shown() {
            let at = recording.verdict().at;
            let is_behind = at.is_none_or(|at| at > instant(step.plays.1));
            assert!(is_behind, "{} {run:?}: {at:?}", place.fragment());
        }
    }
    assert!(n_hiding >= 3, "{n_hiding}");
}

/// “at 17.1 s” in a text is a moment of the runs, up to the tenth that is written.
#[test]
fn times_that_are_told_are_moments() {
    let mut told = 0;
    for (name, _, step) in steps() {
        let runs = runs(step);
        let said = match &step.task {
            Task::Predict(question) => question.because,
            Task::Watch | Task::Try { .. } => "",
        };
        let texts = [step.text, said].into_iter();
        for rest in texts.flat_map(|text| text.split(" at ").skip(1)) {
            let number: String =
                rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            let Some((seconds, tenths)) = number.split_once('.') else { continue };
            let millis = seconds.parse::<u64>().expect("digits") * 1_000
                + tenths.trim_end_matches('.').parse::<u64>().expect("one digit") * 100;
            assert!(is_moment(&runs, millis), "{name}: nothing happens at {number} s");
            told += 1;
        }
    }
    assert!(told >= 20, "{told} times are told");
}

#[test]
fn exactly_one_answer_is_right_and_is_seen_after_it_was_asked() {
    let mut rights = Vec::new();
    for (name, _, step) in steps() {
        let Some(question) = step.question() else { continue };
        let runs = runs(step);
        let right = question.options.iter().filter(|(_, truth)| truth.holds(&runs)).count();
        assert_eq!(right, 1, "{name}: {}", question.ask);
        assert!(question.seen_at > step.plays.1, "{name}");
        let seen_at = instant(question.seen_at);
        assert!(seen_at > runs.ends_at() || is_moment(&runs, question.seen_at), "{name}");
        // Nothing of the answer lies before the question: the deciding event is still to come.
        let answer = question.answer(&runs).expect("one is right");
        if let Truth::Verdict(run, _) = question.options[answer].1 {
            let decided = runs.run(run).and_then(|run| run.verdict().at);
            assert!(decided.is_none_or(|at| at > instant(step.plays.1)), "{name}");
        }
        rights.push(answer);
    }
    assert!(rights.len() >= 7, "every tour asks something");
    assert!(rights.contains(&0) && rights.contains(&1), "guessing the first is no answer");
}

/// What the reader is asked to do is not done yet, can be done, and then it is.
#[test]
fn what_is_to_be_done_can_be_done() {
    let solve = |step: &Step| -> ScenarioFile {
        let mut file = step.file();
        let second = SimDuration::from_secs;
        let change = match step.title {
            "How long is too long?" => Quantity::FaultLength(FaultId(1)).set(second(6)),
            "Turn it on yourself" => {
                FencingMode::Both.write_to(&mut file);
                return file;
            }
            "Try it" => Change::Ttl(second(90)),
            other => panic!("{other}: how is it done?"),
        };
        change.apply(&mut file.scenario).expect("it fits");
        file
    };
    let mut tasks = 0;
    for (name, _, step) in steps() {
        let Task::Try { done, .. } = &step.task else { continue };
        let is_done = |runs: &Runs| done.iter().any(|truth| truth.holds(runs));
        assert!(!is_done(&runs(step)), "{name}: there is nothing to do");
        assert!(is_done(&Runs::of(&solve(step)).expect("valid")), "{name}: it cannot be done");
        tasks += 1;
    }
    assert!(tasks >= 3);
}

#[test]
fn words_are_short_and_ids_are_their_own() {
    for (index, tour) in TOURS.iter().enumerate() {
        assert!(TOURS[..index].iter().all(|other| other.id != tour.id), "{}", tour.id);
        assert!(tour.line.ends_with('.') && !tour.title.ends_with('.'), "{}", tour.id);
        assert!(tour.steps.iter().any(|step| step.question().is_some()), "{} asks", tour.id);
    }
    for (name, _, step) in steps() {
        assert!(step.text.chars().count() <= 300, "{name} is long");
        assert!(step.text.ends_with('.') && !step.title.ends_with('.'), "{name}");
    }
}

//! Pasted lines of logs: times in every form that logs write, with their ends and what stands
//! around them spoiled.

use std::sync::LazyLock;

use fenceline::scenarios::GALLERY;
use fenceline::sim::limits;
use fenceline::sim::scenario::Incident;
use fenceline::view_model::incident::{observed, paste};
use fenceline::view_model::runs::Runs;
use fenceline::view_model::words::names::Words;

use super::dice::Dice;
use super::{Fuzzer, Trial, inputs, mutate};

pub const PASTED: Fuzzer = Fuzzer { name: "pasted", usual: 300, make: changed, hold: is_taken };

static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
    let own = [
        "2024-05-01T10:00:00.250+02:00 A acquired the lock\n2024-05-01 10:00:01,5 Z B waits\n",
        "10:00:00 A paused\n10:00:15.5 A writes\n23:59:59 B\n00:00:01 B expired\n",
        "May  1 10:00:00 host app[17]: lease granted\nDec 31 23:59:60 host app: renewed\n",
        "1714550400 A granted\n1714550400123 B\n1714550400.25 storage refused\n",
        "0.5 s A\n12.3 s service lease over\n1500 ms B write accepted\n24 h end\n",
        "9999-12-31T23:59:59.999999+00:00 A\n0001-01-01T00:00:00Z B\n9999-12-31T23:59:59-18:00 A\n",
        "253402300799 A\n253402300800 B\n-62135596800 A\n99999999999999999999 B\n",
        "[2024-05-01 10:00:00] INFO A\n<b>10:00</b> A\nno time here\n\n\t\n",
    ];
    let corpus = inputs("fuzz/corpus/pasted").into_iter().map(|(_, text)| text);
    own.into_iter().map(str::to_owned).chain(corpus).collect()
});

pub fn changed(dice: &mut Dice) -> String {
    mutate::lines(dice.text(&ALL), &ALL, dice)
}

/// Starts of an incident: none, usual, and at both ends of the calendar.
fn starts() -> impl Iterator<Item = Incident> {
    let starts = [
        "",
        "2024-05-01T10:00:00+02:00",
        "2023-12-31T23:59:59.999999-05:00",
        "9999-12-31T23:59:59.999999Z",
        "9999-12-31T23:59:59.999999+18:00",
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00-18:00",
    ];
    starts.into_iter().map(|start| Incident {
        start: start.parse().ok(),
        clock: true,
        ..Incident::default()
    })
}

/// Lines that are taken are a file's lines, and every other one is quoted with its reason.
fn is_taken(text: &str, trial: &mut Trial) {
    for incident in starts() {
        let pasted = paste::read(text, &incident);
        for bad in &pasted.bad {
            trial.refused(&bad.sentence());
        }
        assert!(pasted.lines.len() <= limits::MAX_OBSERVED);
        let mut file = GALLERY[0].file();
        file.incident = Incident { start: incident.start.or(pasted.start), ..incident };
        file.incident.observed = pasted.lines;
        file.validate().expect("a file takes what was pasted");
        if text.len().is_multiple_of(16) {
            let runs = Runs::of(&file).expect("valid");
            for line in &file.incident.observed {
                trial.said(&observed::difference(&runs, line));
            }
        }
        let words = Words::of(&file.incident, &file.scenario);
        for line in &file.incident.observed {
            trial.said(&observed::line_words(&words, line));
            trial.taken();
        }
    }
}

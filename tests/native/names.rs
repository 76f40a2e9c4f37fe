//! What people and machines are called: where the file gives names, every sentence uses them, and
//! nothing made of another file does.

use std::rc::Rc;

use fenceline::scenarios::GALLERY;
use fenceline::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use fenceline::sim::scenario::{ActorName, FaultKind, Quantity, ScenarioFile};
use fenceline::sim::time::SimTime;
use fenceline::view_model::controls::amount;
use fenceline::view_model::drawing::metrics::Metrics;
use fenceline::view_model::drawing::scale::Px;
use fenceline::view_model::panels::inspector;
use fenceline::view_model::runs::Runs;
use fenceline::view_model::runs::labels;
use fenceline::view_model::sentences::{describe, history, why};
use fenceline::view_model::setup;
use fenceline::view_model::stories::gallery::{Card, Drawn, cards};
use fenceline::view_model::timeline::layout::layout;
use fenceline::view_model::timeline::overview::story;
use fenceline::view_model::tracks::shown::Shown;
use fenceline::view_model::words::glossary::explained;

/// The file with a name for everybody.
fn named(mut file: ScenarioFile) -> ScenarioFile {
    let spec = &file.scenario;
    let n_clients = u8::try_from(spec.clients.len()).expect("few");
    let clients = (0..n_clients).map(|nth| NodeId::Client(ClientId(nth)));
    let stores = (0..spec.storage.stores).map(|nth| NodeId::Store(StoreId(nth)));
    let service = NodeId::Lock(LockNodeId(0));
    let all = clients.chain([service]).chain(stores);
    let name = |(nth, actor): (u32, NodeId)| ActorName { actor, name: format!("zed-{nth}") };
    file.incident.names = (0..).zip(all).map(name).collect();
    file
}

/// All that is said of a file's runs, without what names no actor.
fn said(file: &ScenarioFile) -> Vec<String> {
    let runs = Rc::new(Runs::of(file).expect("valid"));
    let words = &runs.words;
    let mut all = Vec::new();
    for index in 0..runs.moments.n_moments().min(400) {
        let moment = runs.moments.get(index).expect("it is one of them");
        all.extend(describe::moment(&runs, &moment));
        all.extend(why::why(&runs, index).map(|why| why.text));
    }
    for (run, recording) in runs.shown() {
        all.push(labels::run_label(&runs, run));
        all.extend(history::text(words, recording, usize::MAX).lines().map(str::to_owned));
    }
    for at in [runs.opens_at(), runs.ends_at()] {
        for card in inspector::cards(&runs, at, false) {
            all.push(card.status);
            all.extend(card.lines.into_iter().flat_map(|line| [line.before, line.after]));
            all.push(card.title);
        }
    }
    let shown = Shown::of(&runs);
    let metrics = Metrics::new(Px::whole(900), 12, false);
    let layout = layout(&shown, story(&runs, SimTime::ZERO), metrics);
    for lane in layout.sections.iter().flat_map(|section| &section.lanes) {
        all.push(lane.data.title.clone());
    }
    // The disc of who is thrown back has room for a letter alone.
    let labels = layout.labels.texts.iter().filter(|label| label.text.chars().count() > 1);
    all.extend(labels.map(|label| label.text.clone()));
    all.extend(layout.labels.unsaid.iter().map(|unsaid| unsaid.text.clone()));
    all.extend(layout.faults.iter().map(|mark| mark.name.clone()));
    let spec = &file.scenario;
    let sheet = setup::sheet(words, spec, false).into_iter();
    let mut controls: Vec<_> = sheet.flat_map(|group| group.controls).collect();
    controls.extend(spec.faults.iter().flat_map(|fault| setup::of_fault(fault, spec)));
    all.extend(controls.into_iter().map(|control| control.label));
    all
}

/// Whether a client stands there by its letter. “A” is a word of its own.
fn has_letter(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| {
        matches!(word, "B" | "C" | "D" | "E" | "F" | "G" | "H") || text.starts_with("A's ")
    })
}

#[test]
fn where_names_are_given_nobody_is_called_by_a_letter() {
    for entry in GALLERY {
        let file = named(entry.file());
        for text in said(&file) {
            assert!(!has_letter(&text), "{}: {text}", entry.id);
        }
    }
    assert!(said(&GALLERY[0].file()).iter().any(|text| has_letter(text)));
}

#[test]
fn an_incident_gives_its_names_to_no_other_card() {
    let all = cards();
    let drawn = |card: &Card| format!("{:?}", Drawn::of(card).expect("it can be run"));
    let alone = drawn(&all[1]);
    let with_names = Card { file: named(all[0].file.clone()), ..Card::clone(&all[0]) };
    assert!(drawn(&with_names).contains("zed-0"));
    assert_eq!(drawn(&all[1]), alone);
    assert!(!alone.contains("zed-"));
}

#[test]
fn a_pause_is_explained_whoever_it_befalls() {
    let mut file = GALLERY[0].file();
    let mut eighth = file.scenario.faults[0].clone();
    while file.scenario.clients.len() < 8 {
        file.scenario.clients.push(file.scenario.clients[0].clone());
    }
    let FaultKind::Pause { client, .. } = &mut eighth.kind else { panic!("it is a pause") };
    *client = ClientId(7);
    file.scenario.faults = vec![eighth.clone()];
    for file in [file.clone(), named(file)] {
        let spec = &file.scenario;
        let term = |about: Option<&str>| Some(explained(about?)?.0);
        let controls = setup::of_fault(&eighth, spec);
        assert!(!controls.is_empty());
        for control in controls {
            assert_eq!(term(control.about), Some("Pause"), "{}", control.label);
        }
        for quantity in [Quantity::FaultStart(eighth.id), Quantity::FaultLength(eighth.id)] {
            assert_eq!(term(amount::about(quantity, spec)), Some("Pause"));
        }
    }
}

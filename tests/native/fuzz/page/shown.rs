//! All that the page shows of a state: every sentence, card, row, lane, control and export.

use std::rc::Rc;

use fenceline::sim::comparison::Difference;
use fenceline::sim::{ScenarioFile, limits};
use fenceline::ui::store::AppState;
use fenceline::view_model::controls::amount;
use fenceline::view_model::drawing::colors;
use fenceline::view_model::drawing::metrics::Metrics;
use fenceline::view_model::drawing::scale::{Px, TimeView};
use fenceline::view_model::outside::embed;
use fenceline::view_model::outside::export::{Export, Subject};
use fenceline::view_model::panels::inspector;
use fenceline::view_model::panels::row::{self, Filter};
use fenceline::view_model::runs::FencingMode;
use fenceline::view_model::runs::labels;
use fenceline::view_model::sentences::{describe, system_words, verdict, why};
use fenceline::view_model::stories::tour;
use fenceline::view_model::systems;
use fenceline::view_model::timeline::layout::{Look, TimelineLayout, layout_with, scale};
use fenceline::view_model::timeline::{hit, overview, ruler};
use fenceline::view_model::tracks::shown::Shown;
use fenceline::view_model::words::names::Words;
use fenceline::view_model::words::wording;

use super::super::Trial;
use super::step::{controls, quantities};

/// Sentences of a run that are made: all of a usual one, some of a long one.
const SENTENCES: u32 = 60;

/// The timeline as it stands.
pub fn drawn(state: &AppState, width: i32, unfolded: bool) -> TimelineLayout {
    let shown = Shown::of(&state.runs);
    lay_out(state, &shown, width, unfolded)
}

fn lay_out(state: &AppState, shown: &Shown, width: i32, unfolded: bool) -> TimelineLayout {
    let end = state.runs.ends_at();
    let view = TimeView::within(state.window.start, state.window.end, end);
    let metrics = Metrics::new(Px::whole(width), 100, width < 600);
    let scale = scale(shown, view, &metrics, state.axis);
    layout_with(shown, scale, metrics, Look { unfolded, ..Look::default() })
}

/// Makes it all; `number` says what is made of what is only made now and then.
pub fn all(state: &AppState, number: usize, trial: &mut Trial) {
    sentences(state, trial);
    timeline(state, number, trial);
    panels(state, trial);
    shown_controls(state, trial);
    if number.is_multiple_of(8) {
        exports(state, number, trial);
    }
}

fn sentences(state: &AppState, trial: &mut Trial) {
    let runs = &state.runs;
    let n_moments = runs.moments.n_moments();
    let step = (n_moments / SENTENCES).max(1);
    for index in (0..n_moments).step_by(step as usize) {
        let moment = runs.moments.get(index).expect("it is one of them");
        describe::moment(runs, &moment).iter().for_each(|text| trial.said(text));
        let why = why::why(runs, index).expect("it is one of them");
        trial.said(&why.text);
        assert!(why::spoken_of(runs, index + 1).is_some());
    }
    for row in row::rows(runs, &Filter::default(), state.moment, &[], u32::MAX).rows {
        trial.said(&row.time);
        row.lines.iter().for_each(|line| trial.said(line));
    }
    for actor in row::actors(runs) {
        trial.said(&runs.words.actor(actor));
    }
}

fn timeline(state: &AppState, number: usize, trial: &mut Trial) {
    let width = [256, 360, 900, 2_400][number % 4];
    let shown = Shown::of(&state.runs);
    let shown = if number.is_multiple_of(3) { shown.known_at(state.clock.now()) } else { shown };
    let layout = lay_out(state, &shown, width, number.is_multiple_of(2));
    for lane in layout.sections.iter().flat_map(|section| &section.lanes) {
        trial.said(&lane.data.title);
        trial.said(&lane.data.subtitle);
        let n_bytes: usize = lane.data.paths.iter().map(|path| path.d.len()).sum();
        assert!(n_bytes < 400_000, "{n_bytes} bytes in one lane");
    }
    for label in &layout.labels.texts {
        trial.said(&label.text);
        trial.said(&label.tail);
    }
    for mark in &layout.faults {
        trial.said(&mark.name);
        assert!(mark.y >= Px::ZERO && mark.y <= layout.height);
    }
    for mark in &layout.observed {
        trial.said(&mark.words);
        trial.said(&mark.label);
    }
    layout.ruler.times.iter().for_each(|time| trial.said(&time.label));
    layout.ruler.words.iter().for_each(|words| trial.said(&words.text));
    ruler::not_to_scale(&layout.ruler, &layout.scale).iter().for_each(|text| trial.said(text));
    let (x, y) = (layout.scale.left, layout.height);
    for part in 1..6 {
        let (x, y) = (Px(x.0 + layout.scale.width.0 / 6 * part), Px(y.0 / 6 * part));
        hit::moment_at(&state.runs, &layout, x, y);
        hit::lines_at(&shown, &layout, x, y).iter().for_each(|line| trial.said(line));
    }
    for (_, run) in state.runs.shown() {
        let violations = overview::violations(run);
        let view = overview::story(&state.runs, state.clock.now());
        let race = layout.ruler.race.as_ref().map(|race| (race.from, race.to));
        let width = layout.metrics.width;
        let strip = overview::overview(&state.runs, &violations, (view, race), None, width);
        assert_eq!(strip.sliver.is_some(), race.is_some());
    }
}

fn panels(state: &AppState, trial: &mut Trial) {
    let (runs, now) = (&state.runs, state.clock.now());
    for (run, recording) in runs.shown() {
        let told = verdict::of_run(runs, run).expect("it is shown");
        trial.said(&told.text);
        trial.said(&told.costs);
        trial.said(&labels::run_label_capital(runs, run));
        for command in systems::commands(recording, now) {
            trial.said(command.what);
            trial.said(&command.answer.to_string());
            trial.said(&command.origin.words().0);
        }
    }
    for row in verdict::properties(runs) {
        row.cells.iter().for_each(|cell| trial.said(&cell.text));
    }
    for row in verdict::costs(runs) {
        row.values.iter().for_each(|value| trial.said(value));
    }
    for card in inspector::cards(runs, now, state.hide_future) {
        trial.said(&card.title);
        trial.said(&card.status);
        for line in card.lines {
            trial.said(&line.before);
            trial.said(&line.after);
            line.run.iter().for_each(|run| trial.said(run));
            line.counter.iter().for_each(|counter| trial.said(&counter.text(now)));
        }
    }
    if let Some((text, offers)) = system_words::compares_nothing(&state.file, runs) {
        trial.said(&text);
        assert!(!offers.is_empty(), "{text}");
    }
    labels::limit_note(runs).iter().for_each(|note| trial.said(note));
    if let Some(Difference { at, .. }) = runs.first_difference {
        trial.said(&wording::time(at));
        trial.said(&labels::run_2_has(&runs.words, &runs.compare, runs.run_1.scenario().spec()));
    }
    let told = embed::state(&state.file.title, runs, state.fencing, now, false);
    trial.said(&told);
    if let Some(touring) = &state.tour {
        trial.said(&touring.place.fragment());
        assert!(matches!(tour::TourPlace::parse(&touring.place.fragment()), Some(Ok(_))));
    }
}

fn shown_controls(state: &AppState, trial: &mut Trial) {
    let file = state.controlled();
    let spec = &file.scenario;
    let words = &Words::of(&file.incident, &file.scenario);
    for control in controls(words, spec, state.fencing == FencingMode::Off) {
        trial.said(&control.label);
        let why = control.idle.map(|why| [why.short, why.full]);
        why.iter().flatten().chain(&control.hint).for_each(|text| trial.said(text));
        trial.said(control.shown());
    }
    for quantity in quantities(&file) {
        trial.said(&amount::name(words, quantity, spec));
        trial.said(amount::noun(quantity, spec));
        amount::idle(quantity, spec).iter().for_each(|why| trial.said(why.full));
        if let Some(value) = quantity.value(spec) {
            let shown = wording::field(value);
            trial.said(&shown);
            amount::parse(quantity, &shown, &shown).expect("what is shown can be typed");
        }
    }
    trial.said(&systems::token_line(spec));
    trial.said(systems::takes(spec));
}

/// What is taken along; the file and the link can be read again.
fn exports(state: &AppState, number: usize, trial: &mut Trial) {
    let file = ScenarioFile::clone(&state.file);
    let again = ScenarioFile::parse(&file.to_json()).expect("what is shown can be read again");
    assert_eq!(again, file);
    let fragment = state.fragment();
    trial.said(&fragment);
    if fragment.len() <= limits::MAX_LINK_CHARS {
        let reopened = AppState::linked(&fragment, None);
        assert!(reopened.tour.is_some() || reopened.file.scenario == state.file.scenario);
    }
    let export = Export::ALL[number / 8 % Export::ALL.len()];
    let subject = Subject {
        theme: colors::Theme::Dark,
        link: Some(format!("https://host.example/#{fragment}")),
        at: state.clock.now(),
        file: Rc::new(file),
        ..Subject::of(again).expect("it was run")
    };
    let text = export.text(&subject);
    assert!(!text.is_empty());
    let is_plain = |char: char| !char.is_control() || char == '\n';
    assert!(text.chars().all(is_plain), "{}", export.info().name);
    trial.said(&export.file_name(&subject));
}

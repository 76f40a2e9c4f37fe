//! Each verdict is drawn by its own ground and pattern, in every place where one stands: cards,
//! tables, the race, pictures and the page that plays.

use std::collections::BTreeSet;
use std::fs;

use fenceline::explore::{RemedySearch, SystemSearch};
use fenceline::scenarios::{GALLERY, GalleryEntry};
use fenceline::sim::ScenarioFile;
use fenceline::sim::property::VerdictKind;
use fenceline::view_model::drawing::colors::COLORS;
use fenceline::view_model::outside::export::{Export, Subject};
use fenceline::view_model::sentences::{remedy_words, system_words, verdict};
use fenceline::view_model::words::outcome_words::{Pattern, words};

/// A scenario of which half a unit of work stands at the end.
const HALF_WRITTEN: &str = "tests/native/sim/history/half-stands.json";

const KINDS: [VerdictKind; 7] = [
    VerdictKind::Safe,
    VerdictKind::SafeSoFar,
    VerdictKind::WastedWork,
    VerdictKind::NoWorkFinished,
    VerdictKind::Unavailable,
    VerdictKind::HalfWritten,
    VerdictKind::Corrupted,
];

#[test]
fn every_pattern_belongs_to_a_verdict_and_is_drawn_by_the_style_sheet() {
    let sheet = fs::read_to_string("static/css/panels.css").expect("it is there");
    let of_kinds: BTreeSet<_> =
        KINDS.iter().map(|kind| words(*kind, false).pattern.class()).collect();
    let all: BTreeSet<_> = Pattern::ALL.iter().map(|pattern| pattern.class()).collect();
    assert_eq!(of_kinds, all);
    for class in all {
        let rule = sheet.split(&format!(".zone.{class} {{")).nth(1).expect("it has a rule");
        let rule = rule.split('}').next().unwrap_or_default();
        let names = COLORS.iter().filter(|(name, ..)| rule.contains(&format!("var(--{name})")));
        let n_colors = names.count();
        assert_eq!(n_colors, if class == "is-safe" { 1 } else { 2 }, "{class}: ground and pattern");
    }
}

#[test]
fn what_is_taken_along_draws_the_pattern_of_each_verdict() {
    let mut seen = BTreeSet::new();
    // Of the gallery's scenarios none ends half written.
    let half = fs::read_to_string(HALF_WRITTEN).expect("it is there");
    let half = ScenarioFile::parse(&half).expect("it is valid");
    for file in GALLERY.iter().map(GalleryEntry::file).chain([half]) {
        let subject = Subject::of(file).expect("valid");
        let of = |(run, _)| verdict::of_run(&subject.runs, run).expect("it is shown").pattern;
        let expected: BTreeSet<_> = subject.runs.shown().map(of).map(Pattern::class).collect();
        seen.extend(expected.clone());
        for export in [Export::Svg, Export::Page] {
            let text = export.text(&subject);
            for class in Pattern::ALL.map(Pattern::class) {
                let is_drawn = text.contains(&format!("fill=\"url(#zone-{class})\""));
                let is_defined = text.contains(&format!("<pattern id=\"zone-{class}\""));
                let is_expected = expected.contains(class);
                assert_eq!(
                    (is_drawn, is_defined),
                    (is_expected, is_expected),
                    "{} {class}",
                    subject.file.title
                );
            }
        }
    }
    assert_eq!(seen.len(), Pattern::ALL.len(), "a verdict of each: {seen:?}");
}

#[test]
fn tables_tell_the_pattern_with_the_verdict() {
    let mut seen = BTreeSet::new();
    for entry in &GALLERY {
        let scenario = entry.file().base().expect("valid");
        let mut search = SystemSearch::new(&scenario);
        if entry.id == "paused-holder" || entry.id.contains("kafka") {
            while !search.step() {}
        }
        for tried in search.rows().iter().flat_map(|row| [&row.without, &row.with]).flatten() {
            let (text, _, pattern) = system_words::cell(Some(tried)).expect("it was made");
            let words = words(tried.outcome.kind, tried.outcome.by_luck);
            assert!(text.starts_with(words.name) && pattern == words.pattern, "{text}");
            seen.insert(pattern.class());
        }
    }
    assert!(seen.len() >= 3, "{seen:?}");
    let file = GALLERY[0].file();
    let table =
        RemedySearch::new(&file.base().expect("valid"), Some(file.main_quantity())).finish();
    for row in &table.rows {
        let pattern = remedy_words::pattern(row);
        let text = remedy_words::verdict(row);
        let words = words(row.outcome.kind, row.outcome.by_luck);
        match row.does_nothing {
            true => assert_eq!(pattern, None, "{text}"),
            false => assert!(pattern == Some(words.pattern) && text.starts_with(words.name)),
        }
    }
}

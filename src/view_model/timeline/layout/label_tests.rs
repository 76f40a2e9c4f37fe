//! No two texts of the timeline meet and none lies under a handle or a name: in every scenario of
//! the gallery and every case, at all widths, in the usual font and in one that is a sixth wider.
//! And what is never left out is there.

use super::*;
use std::path::Path;

use crate::scenarios::GALLERY;
use crate::sim::scenario::ScenarioFile;
use crate::view_model::drawing::advances::{Advances, GUESSED};
use crate::view_model::runs::Runs;
use crate::view_model::timeline::label::{Anchor, Label, Rank};
use crate::view_model::timeline::overview::story;

/// A text or a handle where it stands.
#[derive(Clone, Debug)]
struct Seen {
    what: String,
    rect: Rect,
}

fn text(what: &str, (x, y): (Px, Px), anchor: Anchor, w: Px, metrics: &Metrics) -> Seen {
    let x = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - w.share(1, 2),
        Anchor::End => x - w,
    };
    // From the top of capitals to the foot of descenders.
    let rect = Rect { x, y: y - metrics.px(9), w, h: metrics.px(12) };
    Seen { what: what.to_owned(), rect }
}

fn label(label: &Label, metrics: &Metrics) -> Seen {
    let gap = if label.tail.is_empty() { Px::ZERO } else { metrics.px(8) };
    let strong = metrics.text_width(&label.text, label.style.is_strong());
    let w = strong + gap + metrics.text_width(&label.tail, false);
    text(&label.text, (label.x, label.y), label.anchor, w, metrics)
}

/// All texts of a drawing, and the handles.
fn seen(shown: &Shown, layout: &TimelineLayout, texts: &[Label]) -> Vec<Seen> {
    let metrics = &layout.metrics;
    let mut all: Vec<_> = texts.iter().map(|text| label(text, metrics)).collect();
    let rows = crate::view_model::timeline::ruler::RulerRows::of(metrics);
    for time in &layout.ruler.times {
        let place = (time.middle, rows.times);
        all.push(text(&time.label, place, Anchor::Middle, time.half + time.half, metrics));
    }
    for words in &layout.ruler.words {
        let w = metrics.text_width(&words.text, false);
        all.push(text(&words.text, (words.middle, rows.words), Anchor::Middle, w, metrics));
    }
    for mark in &layout.observed {
        let w = metrics.text_width(&mark.label, false);
        let place = (mark.x + Px::whole(9), metrics.ruler() + metrics.px(15));
        all.push(text(&mark.label, place, Anchor::Start, w, metrics));
    }
    for mark in &layout.faults {
        for grip in mark.grips(mark.to.is_some()) {
            let rect = mark.handle(grip, metrics.width);
            all.push(Seen { what: format!("a handle of {}", mark.name), rect });
        }
    }
    for section in &layout.sections {
        for lane in &section.lanes {
            if metrics.narrow {
                let title = &lane.data.title;
                let w = metrics.text_width(title, true)
                    + metrics.text_width(&lane.data.subtitle, false);
                let place = (Px::whole(10), lane.top - metrics.px(6));
                all.push(text(title, place, Anchor::Start, w, metrics));
            }
            let told = section.region.and_then(|run| verdict::of_run(&shown.runs, run));
            if let Some((told, place)) = told.zip(lane.verdict) {
                let rect = verdict_rect(metrics, &told.text, (place, lane.top));
                all.push(Seen { what: told.text, rect });
            }
        }
    }
    all
}

fn overlap(one: &Rect, other: &Rect) -> bool {
    one.x < other.x + other.w
        && other.x < one.x + one.w
        && one.y < other.y + other.h
        && other.y < one.y + one.h
}

/// Pairs that meet, of which at least one is a text: two handles may.
fn meeting(all: &[Seen]) -> Vec<String> {
    let mut met = Vec::new();
    for (index, one) in all.iter().enumerate() {
        for other in &all[index + 1..] {
            let handles = [one, other].iter().all(|it| it.what.starts_with("a handle"));
            if !handles && overlap(&one.rect, &other.rect) {
                met.push(format!(
                    "“{}” meets “{}”: {:?} {:?}",
                    one.what, other.what, one.rect, other.rect
                ));
            }
        }
    }
    met
}

fn files() -> Vec<(String, ScenarioFile)> {
    let mut files: Vec<_> = GALLERY.iter().map(|it| (it.id.to_owned(), it.file())).collect();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = std::fs::read_dir(cases)
        .expect("the cases are there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|it| it == "json"))
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let file = ScenarioFile::parse(&text).expect("it is valid");
        files.push((path.display().to_string(), file));
    }
    assert!(files.len() > 150, "{}", files.len());
    files
}

/// The guess, a sixth wider.
fn wider() -> &'static Advances {
    let wider = Advances::measured(|text, strong| {
        let character = text.chars().next().unwrap_or(' ');
        GUESSED.of(character, strong) / 6 * 7
    });
    Box::leak(Box::new(wider))
}

/// The widths of the drawing on pages of 1440, 1280, 800 and 390 px.
const WIDTHS: [(i32, bool); 4] = [(772, false), (640, false), (680, false), (366, true)];

fn drawings(shown: &Shown, fonts: &[&'static Advances]) -> Vec<(TimelineLayout, Board)> {
    let views = [story(&shown.runs, SimTime::ZERO), TimeView::whole(shown.ends_at())];
    let mut all = Vec::new();
    for font in fonts {
        for (width, narrow) in WIDTHS {
            let metrics = Metrics::new(Px::whole(width), 12, narrow).in_font(font);
            for view in views {
                let scale = scale(shown, view, &metrics, TimeAxis::Slow);
                all.push(without_labels(shown, scale, metrics, Look::default()));
            }
            let scale = scale(shown, views[0], &metrics, TimeAxis::ToScale);
            all.push(without_labels(shown, scale, metrics, Look::default()));
        }
    }
    all
}

#[test]
fn no_two_texts_meet_and_what_is_never_left_out_is_there() {
    let fonts = [&GUESSED, wider()];
    let mut wrong = Vec::new();
    let mut n_ranks = [0_usize; 3];
    for (name, file) in files() {
        let shown = Shown::of(&Rc::new(Runs::of(&file).expect("it is valid")));
        for (layout, board) in drawings(&shown, &fonts) {
            let labels = label::place(&board, &layout.metrics);
            let all = seen(&shown, &layout, &labels.texts);
            let at = format!("{name}, {} px", layout.metrics.width);
            wrong.extend(meeting(&all).into_iter().map(|met| format!("{at}: {met}")));
            let missed = labels.unsaid.iter().filter(|unsaid| unsaid.missed);
            wrong.extend(missed.map(|missed| format!("{at}: “{}” is left out", missed.text)));
            for (n, rank) in n_ranks.iter_mut().zip([Rank::Answer, Rank::Pause, Rank::Message]) {
                *n += labels.texts.iter().filter(|it| it.rank == rank).count();
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
    assert!(n_ranks.iter().all(|n| *n > 1_000), "{n_ranks:?}");
}

#[test]
fn a_placer_that_does_not_look_is_caught() {
    let mut n_caught = 0;
    for entry in GALLERY {
        let shown = Shown::of(&Rc::new(Runs::of(&entry.file()).expect("it is valid")));
        for (layout, board) in drawings(&shown, &[&GUESSED]) {
            let alone = |wish: &label::Wish| {
                let board = Board { wishes: vec![wish.clone()], taken: Vec::new() };
                label::place(&board, &layout.metrics).texts
            };
            let texts: Vec<_> = board.wishes.iter().flat_map(alone).collect();
            n_caught += usize::from(!meeting(&seen(&shown, &layout, &texts)).is_empty());
        }
    }
    assert!(n_caught > GALLERY.len() * 6, "{n_caught}");
}

#[test]
fn every_bar_of_the_first_scenario_carries_its_length() {
    let shown = Shown::of(&Rc::new(Runs::of(&GALLERY[0].file()).expect("it is valid")));
    let metrics = Metrics::new(Px::whole(772), 12, false);
    let said = |view: TimeView| -> Vec<String> {
        let layout = layout(&shown, view, metrics);
        let texts = layout.labels.texts.iter();
        texts.map(|it| format!("{} {}", it.text, it.tail).trim().to_owned()).collect()
    };
    let all = said(story(&shown.runs, SimTime::ZERO));
    for text in [
        "33 → A 10.0 s, until 10.2 s",
        "34 → B 28.8 s, to the end of the run",
        "believes · 9.9 s",
        "paused for 15.0 s",
        "waits 9.3 s",
        "B's value · 4.7 s",
        "A's value, to the end",
        "B's value lost",
        "accepted 33, stale",
        "write 33",
        "grant 33",
        "A asks",
        "B asks",
        "refused",
    ] {
        assert!(all.iter().any(|it| it == text), "{text} in {all:?}");
    }
    assert!(all.iter().any(|it| it.contains("no lease · 7.0 s")), "{all:?}");
    // An end that is out of sight tells the true length.
    let at = SimTime::from_millis;
    let all = said(TimeView { from: at(3_000), to: at(9_000) });
    for text in ["33 → A 10.0 s, until 10.2 s", "believes · 9.9 s", "paused for 15.0 s"] {
        assert!(all.iter().any(|it| it == text), "{text} in {all:?}");
    }
}

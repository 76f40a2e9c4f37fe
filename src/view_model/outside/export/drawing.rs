//! The timeline as SVG: what the page draws, written down by the same layout and the same classes.
//! The picture and the page that plays by itself both hold it.

use crate::sim::id::NodeId;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::PathData;
use crate::view_model::drawing::scale::Px;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::verdict::{self, Pattern, Tone, VerdictText};
use crate::view_model::timeline::lane::LaneData;
use crate::view_model::timeline::layout::{
    Look, PlacedLane, Section, TimelineLayout, beside_labels, layout_with, scale,
};
use crate::view_model::timeline::paint;
use crate::view_model::timeline::ruler::{NOT_TO_SCALE, RulerRows, not_to_scale};
use crate::view_model::tracks::shown::Shown;
use crate::view_model::words::wording;

use super::subject::Subject;
use super::xml::{Xml, lines};

/// Size of the text; nothing in a picture is smaller.
const TEXT: u16 = 13;

/// The timeline, drawn.
pub(super) struct Drawing {
    /// How it is laid out; the drawing proper begins right of the labels.
    pub layout: TimelineLayout,
    /// Width of the column of labels.
    pub labels: Px,
    /// Its marks.
    pub marks: String,
}

/// Draws the stretch that an export is of, `width` wide.
pub(super) fn drawn(subject: &Subject, width: Px) -> Drawing {
    let shown = Shown::of(&subject.runs);
    let metrics = beside_labels(&shown, sizes(width));
    let labels = metrics.label_column();
    let scale = scale(&shown, subject.view, &metrics, subject.axis);
    let layout = layout_with(&shown, scale, metrics, Look::default());
    let mut xml = Xml::default();
    grid(&mut xml, &layout, labels);
    for (index, section) in layout.sections.iter().enumerate() {
        draw_section(&mut xml, subject, &layout, (section, index), labels);
    }
    arrows(&mut xml, &layout, labels);
    texts(&mut xml, &layout, labels);
    observed(&mut xml, &layout, labels);
    Drawing { layout, labels, marks: xml.0 }
}

/// The sizes of a picture's drawing.
pub(super) fn sizes(width: Px) -> Metrics {
    Metrics::new(width, TEXT, false)
}

fn grid(xml: &mut Xml, layout: &TimelineLayout, labels: Px) {
    let (metrics, ruler, rows) = (&layout.metrics, &layout.ruler, RulerRows::of(&layout.metrics));
    if !layout.scale.is_to_scale() {
        xml.text((metrics.px(13), rows.times), "x-strong", NOT_TO_SCALE);
    }
    xml.open((labels, Px::ZERO), (metrics.width, layout.height), "grid");
    xml.path("g-main", "", &ruler.grid(metrics, layout.height));
    xml.path("p-tick", "", &ruler.ticks(metrics));
    xml.path("p-squeezed", "", &ruler.bands).path("p-bracket", "", &ruler.brackets);
    if let Some(race) = &ruler.race {
        xml.path("p-race", "", &race.bracket);
    }
    for words in &ruler.words {
        let class = if words.strong { "x-ink" } else { "x-plain" };
        xml.anchored((words.middle, rows.words), class, "middle", &words.text);
    }
    for time in &ruler.times {
        xml.anchored((time.middle, rows.times), "x-plain", "middle", &time.label);
    }
    xml.close();
}

fn draw_section(
    xml: &mut Xml,
    subject: &Subject,
    layout: &TimelineLayout,
    (section, index): (&Section, usize),
    labels: Px,
) {
    let whole = labels + layout.metrics.width;
    for (nth, lane) in section.lanes.iter().enumerate() {
        let (top, height) = (lane.top, lane.data.height);
        let is_store = matches!(lane.data.id.node, NodeId::Store(_));
        let ground = section.region.filter(|_| is_store);
        let ground = ground.and_then(|run| ground_class(&subject.runs, run));
        if let Some((class, _)) = ground {
            xml.rect((Px::ZERO, top), (whole, height), class);
            xml.rect((Px::ZERO, top), (whole, Px::whole(4)), "g-gap");
        } else {
            let (y, line) = (top + height - Px::whole(1), Px::whole(1));
            xml.rect((Px::ZERO, y), (whole, line), "g-line");
            if section.region.is_some() && index > 0 && nth == 0 {
                xml.rect((Px::ZERO, top), (whole, line), "g-stack");
            }
        }
        label(xml, &lane.data, top, layout, labels);
        draw_lane(xml, lane, ground.map_or("", |(_, tone)| tone), layout, labels);
        if let Some((run, _)) = section.region.zip(lane.verdict) {
            draw_verdict(xml, &subject.runs, run, top, layout, labels);
        }
    }
}

/// The class of a storage's ground, and of what is drawn on it.
fn ground_class(runs: &Runs, run: RunNo) -> Option<(&'static str, &'static str)> {
    Some(match verdict::of_run(runs, run)?.tone {
        Tone::Damage => ("g-bad", "is-store is-bad"),
        Tone::Warning => ("g-warned", "is-store is-warned"),
        Tone::Plain => ("g-safe", "is-store is-safe"),
    })
}

/// A lane's name, in the middle of its height.
fn label(xml: &mut Xml, data: &LaneData, top: Px, layout: &TimelineLayout, labels: Px) {
    let metrics = &layout.metrics;
    let (x, room) = (metrics.px(13), labels - metrics.px(14));
    // A name is written one px larger than the rest.
    let names = match data.short == data.title {
        true => lines(&data.title, metrics, true, room.share(13, 14), 2),
        false => vec![data.short.clone()],
    };
    let more = lines(&data.subtitle, metrics, false, room, 3);
    let row = metrics.px(15);
    let n_rows = i32::try_from(names.len() + more.len()).unwrap_or(1);
    let mut y = top + (data.height - row.share(n_rows, 1)).share(1, 2) + metrics.px(11);
    for (class, line) in
        names.iter().map(|it| ("t-name", it)).chain(more.iter().map(|it| ("x-plain", it)))
    {
        xml.text((x, y), class, line);
        y = y + row;
    }
    xml.raw("\n");
}

fn draw_lane(
    xml: &mut Xml,
    lane: &PlacedLane,
    on_ground: &str,
    layout: &TimelineLayout,
    labels: Px,
) {
    let data = &lane.data;
    let class = match data.id.node {
        NodeId::Client(_) => "is-client",
        NodeId::Lock(_) => "is-service",
        NodeId::Store(_) => on_ground,
    };
    xml.open((labels, lane.top), (layout.metrics.width, data.height), class);
    for path in &data.paths {
        let fill = paint::fill(path.paint).unwrap_or_default();
        xml.path(&paint::class(path.paint), &fill, &path.d);
    }
    xml.close();
}

fn draw_verdict(
    xml: &mut Xml,
    runs: &Runs,
    run: RunNo,
    top: Px,
    layout: &TimelineLayout,
    labels: Px,
) {
    let Some(text) = verdict::of_run(runs, run) else {
        return;
    };
    let class = match text.tone {
        Tone::Damage => "t-bad",
        Tone::Warning | Tone::Plain => "t-verdict",
    };
    let at = (labels + layout.metrics.px(12), top + layout.metrics.px(21));
    xml.text(at, class, &text.text);
}

/// What was observed in the incident, in its lane above the others.
fn observed(xml: &mut Xml, layout: &TimelineLayout, labels: Px) {
    let (top, height) = (layout.metrics.ruler(), layout.observed_height);
    if height == Px::ZERO {
        return;
    }
    let metrics = &layout.metrics;
    let middle = top + height.share(1, 2) + metrics.px(4);
    xml.text((metrics.px(13), middle), "t-name", "Observed");
    xml.open((labels, top), (metrics.width, height), "is-client");
    for mark in &layout.observed {
        let (x, arm) = (mark.x, Px::whole(5));
        let mut path = PathData::new();
        path.move_to(x - arm, Px::whole(6)).across_to(x + arm).line_to(x, Px::whole(15)).close();
        path.move_to(x, Px::whole(15)).down_to(height);
        xml.path("g-observed", "", &path.into_string());
        xml.text((x + Px::whole(9), metrics.px(15)), "x-plain", &mark.label);
    }
    xml.close();
}

fn arrows(xml: &mut Xml, layout: &TimelineLayout, labels: Px) {
    xml.open((labels, Px::ZERO), (layout.metrics.width, layout.height), "arrows");
    for arrows in &layout.arrows {
        let fate = paint::arrow_class(arrows);
        xml.path(&format!("p-flight {fate}"), "", &arrows.lines);
        xml.path(&format!("p-head {fate}"), "", &arrows.heads);
    }
    xml.close();
}

/// The texts of lanes and arrows, each on its ground.
fn texts(xml: &mut Xml, layout: &TimelineLayout, labels: Px) {
    xml.open((labels, Px::ZERO), (layout.metrics.width, layout.height), "labels");
    for (ground, d) in &layout.labels.grounds {
        xml.path(&paint::ground_class(*ground), "", d);
    }
    for label in &layout.labels.texts {
        let class = paint::text_class(label.style);
        let words = [label.text.as_str(), label.tail.as_str()];
        xml.label((label.x, label.y), class, paint::anchor(label.anchor), words);
    }
    xml.close();
}

/// What a run came to.
pub(super) struct CameTo {
    /// The run's name.
    pub label: String,
    /// Its verdict.
    pub text: String,
    /// How loud that is said.
    pub tone: Tone,
    /// What it looks like beside its words.
    pub pattern: Pattern,
}

/// What each run came to.
pub(super) fn verdicts(runs: &Runs) -> Vec<CameTo> {
    let came_to = |run: RunNo| {
        let text = verdict::of_run(runs, run)?;
        let costs = match text.costs.as_str() {
            "" => String::new(),
            costs => format!(": {costs}"),
        };
        let label = labels::run_label_capital(runs, run);
        let VerdictText { tone, pattern, .. } = text;
        Some(CameTo { label, text: format!("{}{costs}", text.text), tone, pattern })
    };
    runs.shown().filter_map(|(run, _)| came_to(run)).collect()
}

/// What a reader of the picture has to know besides: what is not drawn, what times mean.
pub(super) fn notes(subject: &Subject, layout: &TimelineLayout) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(labels::limit_note(&subject.runs));
    if layout.crowded {
        notes.push("Too many messages to draw: only delayed and lost ones are shown".to_owned());
    }
    let (view, end) = (subject.view, subject.runs.ends_at());
    let which = match view.is_whole(end) {
        true => "Shown is the whole run".to_owned(),
        false => {
            let [from, to, end] = [view.from, view.to, end].map(wording::time);
            format!("Shown is {from} to {to} of a run of {end}")
        }
    };
    notes.push(format!("{which}. {}", times(subject, layout)));
    notes.extend(not_to_scale(&layout.ruler, &layout.scale));
    notes
}

/// What times mean: they are simulated, and count from the start or are times of day.
fn times(subject: &Subject, layout: &TimelineLayout) -> String {
    let incident = &subject.file.incident;
    let since = "Times are simulated time, counted from the start of the run";
    let Some(start) = incident.start else {
        return since.to_owned();
    };
    let zone = match incident.zone.as_str() {
        "" => String::new(),
        zone => format!(" ({zone})"),
    };
    match layout.clock {
        Some(_) => format!("Times of day are simulated; 0 s is {start}{zone}"),
        None => format!("{since}, which is {start}{zone}"),
    }
}

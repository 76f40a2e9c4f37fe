//! The ruler: times that matter first and round ones last, each only where it meets no other; what
//! is drawn wider than to scale has a bracket, what is squeezed a grey band.

use crate::sim::time::SimTime;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::pace::{Pace, Worth};
use crate::view_model::drawing::path::{PathData, Rect};
use crate::view_model::drawing::scale::{Px, Rate, Stretch, TimeScale};
use crate::view_model::drawing::tick::{clock_label, label, round_times};
use crate::view_model::words::clock::Clock;
use crate::view_model::words::wording;

/// The ruler.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ruler {
    /// The labelled times, from left to right. Grid lines stand there and nowhere else.
    pub times: Vec<RulerTime>,
    /// Slow time: brackets that say nothing, as one path.
    pub brackets: String,
    /// The widest bracket.
    pub race: Option<Race>,
    /// Squeezed time, as one path.
    pub bands: String,
    /// What stands in brackets and bands.
    pub words: Vec<RulerWords>,
    /// All of them, for who points at one.
    pub stretches: Vec<Stretch>,
}

/// A labelled time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulerTime {
    /// When.
    pub at: SimTime,
    /// Where its line stands.
    pub x: Px,
    /// The middle of its label, which stays inside the drawing.
    pub middle: Px,
    /// Half of the label's width.
    pub half: Px,
    /// What it says.
    pub label: String,
}

/// The moment that time is stretched for most.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub to: SimTime,
    /// Where its bracket begins.
    pub x: Px,
    /// Where it ends.
    pub end: Px,
    /// The bracket.
    pub bracket: String,
    /// How many times as wide as to scale it is drawn.
    pub times: u64,
}

/// A text in the ruler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulerWords {
    /// Its middle.
    pub middle: Px,
    /// What it says.
    pub text: String,
    /// Whether it is the widest bracket's.
    pub strong: bool,
}

/// Where things stand in the ruler, from its upper edge.
pub struct RulerRows {
    /// Brackets, and the middle of bands.
    pub bracket: Px,
    /// The baseline of words in brackets and bands.
    pub words: Px,
    /// The baseline of times.
    pub times: Px,
    /// Where ticks begin.
    pub tick: Px,
}

impl RulerRows {
    /// The rows at a size of text.
    pub fn of(metrics: &Metrics) -> Self {
        let at = |pixels: i32| metrics.px(if metrics.narrow { pixels - 8 } else { pixels });
        Self { bracket: at(17), words: at(22), times: at(41), tick: at(45) }
    }
}

/// What stands left of a ruler that is not to scale.
pub const NOT_TO_SCALE: &str = "Not to scale";

/// Labels are so far apart.
const APART: i32 = 7;

/// Lays the ruler out. Of what is behind `until` it says nothing but round times.
pub fn ruler(
    pace: &Pace,
    scale: &TimeScale,
    metrics: &Metrics,
    clock: Option<Clock>,
    until: Option<SimTime>,
) -> Ruler {
    let mut ruler = Ruler { times: times(pace, scale, metrics, clock, until), ..Ruler::default() };
    let known = |stretch: &Stretch| until.is_none_or(|until| stretch.to <= until);
    ruler.stretches = scale.stretches();
    ruler.stretches.retain(|stretch| stretch.rate != Rate::Plain && known(stretch));
    ruler.race = race(&ruler.stretches, scale, metrics);
    let (mut brackets, mut bands) = (PathData::new(), PathData::new());
    for stretch in &ruler.stretches {
        match stretch.rate {
            Rate::Plain => {}
            Rate::Squeezed => band(&mut bands, &mut ruler.words, stretch, metrics),
            Rate::Slow if ruler.race.as_ref().is_some_and(|race| race.from == stretch.from) => {}
            Rate::Slow => {
                let (x, end) = (stretch.x + Px::whole(1), stretch.end - Px::whole(1));
                bracket(&mut brackets, metrics, (x, end), None);
            }
        }
    }
    (ruler.brackets, ruler.bands) = (brackets.into_string(), bands.into_string());
    if let Some(race) = &mut ruler.race {
        let words = race_words(race, metrics);
        let mut path = PathData::new();
        let room = words.as_deref().map(|text| metrics.text_width(text, false) + metrics.px(10));
        bracket(&mut path, metrics, (race.x + Px::whole(1), race.end - Px::whole(1)), room);
        race.bracket = path.into_string();
        let middle = Px((race.x.0 + race.end.0) / 2);
        ruler.words.extend(words.map(|text| RulerWords { middle, text, strong: true }));
    }
    ruler
}

impl Ruler {
    /// The lines that run down from labelled times, as one path.
    pub fn grid(&self, metrics: &Metrics, bottom: Px) -> String {
        self.lines(metrics.ruler(), bottom)
    }

    /// The short lines under the labels, as one path.
    pub fn ticks(&self, metrics: &Metrics) -> String {
        self.lines(RulerRows::of(metrics).tick, metrics.ruler())
    }

    fn lines(&self, top: Px, bottom: Px) -> String {
        let mut path = PathData::new();
        for time in &self.times {
            path.move_to(time.x, top).down_to(bottom);
        }
        path.into_string()
    }

    /// What is said of a place in it: how time passes there.
    pub fn tip(&self, x: Px, scale: &TimeScale) -> Option<String> {
        let stretch = self.stretches.iter().find(|it| it.x <= x && x < it.end)?;
        let percent = stretch.percent(scale);
        let length = wording::duration(stretch.to.since(stretch.from));
        Some(match stretch.rate {
            Rate::Plain => return None,
            Rate::Slow => {
                let times = match percent {
                    0..950 => format!("{}.{}", percent / 100, percent % 100 / 10),
                    _ => ((percent + 50) / 100).to_string(),
                };
                format!("slow motion: {length}, {times} times as wide as to scale")
            }
            Rate::Squeezed => format!("squeezed: {length}, {percent} % as wide as to scale"),
        })
    }
}

/// The widest of the brackets.
fn race(stretches: &[Stretch], scale: &TimeScale, metrics: &Metrics) -> Option<Race> {
    let slow = stretches.iter().filter(|stretch| stretch.rate == Rate::Slow);
    let widest = slow.max_by_key(|stretch| (stretch.end - stretch.x, stretch.from))?;
    let times = (widest.percent(scale) + 50) / 100;
    let (from, to) = (widest.from, widest.to);
    let is_wide = widest.end - widest.x > metrics.px(8);
    is_wide.then_some(Race {
        from,
        to,
        x: widest.x,
        end: widest.end,
        bracket: String::new(),
        times,
    })
}

fn race_words(race: &Race, metrics: &Metrics) -> Option<String> {
    let room = race.end - race.x - metrics.px(28);
    let texts = [format!("slow motion, {}×", race.times), "slow motion".to_owned()];
    let skip = usize::from(race.times < 2);
    let mut texts = texts.into_iter().skip(skip);
    texts.find(|text| metrics.text_width(text, false) <= room)
}

/// A bracket that is open below, with a gap for its words.
fn bracket(path: &mut PathData, metrics: &Metrics, (x, end): (Px, Px), gap: Option<Px>) {
    let y = RulerRows::of(metrics).bracket;
    let foot = y + metrics.px(7);
    path.move_to(x, foot).down_to(y);
    if let Some(gap) = gap {
        let middle = Px((x.0 + end.0) / 2);
        path.across_to(middle - gap.share(1, 2)).move_to(middle + gap.share(1, 2), y);
    }
    path.across_to(end).down_to(foot);
}

fn band(path: &mut PathData, words: &mut Vec<RulerWords>, stretch: &Stretch, metrics: &Metrics) {
    let (x, end) = (stretch.x + Px::whole(2), stretch.end - Px::whole(2));
    if end <= x {
        return;
    }
    let height = metrics.px(15);
    let y = RulerRows::of(metrics).bracket - height.share(1, 2);
    path.rect(Rect { x, y, w: end - x, h: height }, Px::whole(3).min((end - x).share(1, 2)));
    let length = wording::duration(stretch.to.since(stretch.from));
    let texts = [format!("{length}, squeezed"), length];
    let room = end - x - metrics.px(4);
    let text = texts.into_iter().find(|text| metrics.text_width(text, false) <= room);
    let middle = Px((x.0 + end.0) / 2);
    words.extend(text.map(|text| RulerWords { middle, text, strong: false }));
}

fn times(
    pace: &Pace,
    scale: &TimeScale,
    metrics: &Metrics,
    clock: Option<Clock>,
    until: Option<SimTime>,
) -> Vec<RulerTime> {
    let view = scale.view;
    let known = |at: SimTime| until.is_none_or(|until| at <= until);
    let said = pace.beats(view).iter().filter(|beat| beat.worth != Worth::Unsaid);
    let mut all: Vec<(Worth, SimTime)> =
        said.filter(|beat| known(beat.at)).map(|beat| (beat.worth, beat.at)).collect();
    all.push((Worth::ViewBegins, view.from));
    all.push((Worth::ViewEnds, view.to));
    let round = round_times(scale, metrics.px(76), clock);
    all.extend(round.into_iter().map(|at| (Worth::Round, at)));
    all.sort_unstable();
    let mut placed: Vec<RulerTime> = Vec::new();
    for (_, at) in all {
        let text = match clock {
            Some(clock) => short_clock(clock, at, scale),
            None => label(at, scale),
        };
        place(&mut placed, scale, metrics, at, text);
        // No more have room.
        if placed.len() > MOST {
            break;
        }
    }
    placed.sort_unstable_by_key(|time| time.at);
    if let Some(clock) = clock.filter(|_| !placed.is_empty()) {
        // The first is told in full; what it meets goes.
        let at = placed.remove(0).at;
        let text = clock_label(at, scale, clock);
        let full = at_place(scale, metrics, at, text);
        placed.retain(|other| apart(&full, other) >= metrics.px(APART));
        placed.insert(0, full);
    }
    placed
}

/// More labels have no room on any screen.
const MOST: usize = 60;

/// `:04.6`, or all of it where the minute is another than at the view's begin.
fn short_clock(clock: Clock, at: SimTime, scale: &TimeScale) -> String {
    let full = clock_label(at, scale, clock);
    let minute = "00:00".len();
    let begin = clock.time_of_day(scale.view.from, 0);
    match full.get(..minute) == begin.get(..minute) {
        true => full.get(minute..).unwrap_or(&full).to_owned(),
        false => full,
    }
}

fn at_place(scale: &TimeScale, metrics: &Metrics, at: SimTime, label: String) -> RulerTime {
    let half = metrics.text_width(&label, false).share(1, 2);
    let x = scale.x(at);
    let right = scale.right() + metrics.right() - Px::whole(2) - half;
    let middle = x.min(right).max(Px::whole(2) + half);
    RulerTime { at, x, middle, half, label }
}

fn apart(one: &RulerTime, other: &RulerTime) -> Px {
    Px((one.middle - other.middle).0.abs()) - one.half - other.half
}

fn place(
    placed: &mut Vec<RulerTime>,
    scale: &TimeScale,
    metrics: &Metrics,
    at: SimTime,
    label: String,
) {
    let time = at_place(scale, metrics, at, label);
    let fits =
        |other: &RulerTime| other.label != time.label && apart(&time, other) >= metrics.px(APART);
    if placed.iter().all(fits) {
        placed.push(time);
    }
}

/// What a picture says of a drawing that is not to scale: `Time not to scale: 17.0–17.2 s is drawn
/// 20 times wider`.
pub fn not_to_scale(ruler: &Ruler, scale: &TimeScale) -> Option<String> {
    if scale.is_to_scale() {
        return None;
    }
    let race = ruler.race.as_ref().filter(|race| race.times >= 2);
    Some(match race {
        None => "Time not to scale".to_owned(),
        Some(race) => {
            let (from, to) = (wording::time(race.from), wording::time(race.to));
            let from = match (from.split_once(' '), to.split_once(' ')) {
                (Some((number, unit)), Some((_, other))) if unit == other => number.to_owned(),
                _ => from,
            };
            format!("Time not to scale: {from}–{to} is drawn {} times wider", race.times)
        }
    })
}

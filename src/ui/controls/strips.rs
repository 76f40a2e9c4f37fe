//! The strips of the race: for each run, which values come to what, above and below one track with
//! its thumb. It draws zones at places on the track and knows no runs.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::scenario::Quantity;
use crate::sim::time::SimDuration;
use crate::ui::hooks::use_room;
use crate::ui::panels::{swatch, tone_class};
use crate::ui::slide::place_of;
use crate::ui::slide::track::PLACES;
use crate::view_model::drawing::zones::{self, Hatch};
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::race_words::{RaceText, Search, Strip};
use crate::view_model::words::outcome_words::Pattern;

/// The element that says all ranges.
pub const RANGES_ID: &str = "race-ranges";

/// Where the two strips begin, in px; the track runs between them.
const TOPS: [i32; 2] = [3, 28];
/// How high a strip is.
const HIGH: i32 = 9;
/// How high all of it is.
const HEIGHT: i32 = 40;
/// A zone that is narrower has its ground and its edges, and no pattern.
const NARROWEST: i32 = 8;
/// A label keeps so far from the thumb's middle.
const CLEAR: i32 = 13;
/// Half of the room that a label takes.
const HALF_LABEL: i32 = 18;
/// How many characters of a run's name, and of a word in it, two lines beside its strip hold.
const LONGEST_NAME: usize = 25;
const LONGEST_WORD: usize = 12;
/// Values that stand on the track where they have room.
const LABELLED: [(SimDuration, &str); 8] = [
    (SimDuration::from_millis(1), "1 ms"),
    (SimDuration::from_millis(10), "10 ms"),
    (SimDuration::from_millis(100), "100 ms"),
    (SimDuration::from_secs(1), "1 s"),
    (SimDuration::from_secs(10), "10 s"),
    (SimDuration::from_secs(60), "1 min"),
    (SimDuration::from_secs(600), "10 min"),
    (SimDuration::from_secs(3_600), "1 h"),
];

/// What the large slider shows besides its value.
#[derive(Clone, PartialEq)]
pub struct RaceView {
    /// Zones and words.
    pub text: Rc<RaceText>,
    /// Whether the zones are of what is shown.
    pub search: Search,
    /// Nothing is told of how runs end.
    pub hidden: bool,
    /// What stands beside the value.
    pub beside: Html,
}

impl RaceView {
    /// What is spoken after the value.
    pub fn spoken(&self) -> String {
        if self.hidden { String::new() } else { format!(".{}", self.text.spoken) }
    }

    /// What the runs are called: where that is long, by their numbers.
    pub fn names(&self) -> Html {
        let name = |(run, strip): (RunNo, &Strip)| {
            let long_word = strip.name.split(' ').any(|word| word.chars().count() > LONGEST_WORD);
            let is_long = long_word || strip.name.chars().count() > LONGEST_NAME;
            let shown = if is_long { run.name().to_owned() } else { strip.name.clone() };
            html! { <span title={strip.name.clone()}>{ shown }</span> }
        };
        let all = RunNo::ALL.into_iter().zip(&self.text.strips);
        html! { <div class="race-names" aria-hidden="true">{ for all.map(name) }</div> }
    }

    /// What each run comes to at the present value, and for which others.
    pub fn readings(&self) -> Html {
        let reading = |strip: &Strip| {
            if self.hidden {
                return html! { <span>{ "hidden" }</span> };
            }
            let pattern = strip.outcome.as_ref().map(|(pattern, ..)| swatch(*pattern));
            let outcome = strip.outcome.as_ref().map(|(_, tone, word)| {
                html! { <><b class={classes!(tone_class(*tone))}>{ word }</b>{ " " }</> }
            });
            html! {
                <span title={strip.place.clone()}>
                    { pattern }<span>{ outcome }{ &strip.place }</span>
                </span>
            }
        };
        html! { <div class="race-readings">{ for self.text.strips.iter().map(reading) }</div> }
    }
}

/// Properties of [`Strips`].
#[derive(Properties, PartialEq)]
pub(super) struct StripsProps {
    pub race: RaceView,
    pub quantity: Quantity,
    /// What places on the track depend on.
    pub ttl: SimDuration,
    /// Where the thumb stands, 0 to [`PLACES`].
    pub place: u32,
}

/// Both strips with the track between them.
#[component]
pub(super) fn Strips(props: &StripsProps) -> Html {
    let StripsProps { race, quantity, ttl, place } = props;
    let node = use_node_ref();
    let width = i32::from(use_room(&node).width);
    let x_of = |place: u32| {
        let places = i32::try_from(PLACES).unwrap_or(1);
        i32::try_from(place).unwrap_or(places).min(places) * width / places
    };
    let x = |value: SimDuration| x_of(place_of(*quantity, *ttl, value));
    let at = x_of(*place);
    let is_stale = race.search != Search::Over;
    html! {
        <div class="race-track" ref={node} aria-hidden="true">
            <svg class={classes!("race-strips", is_stale.then_some("is-stale"))}
                width={width.to_string()} height={HEIGHT.to_string()}>
                <defs>{ for Pattern::ALL.into_iter().map(definition) }</defs>
                { for race.text.strips.iter().zip(TOPS).map(|(strip, top)| {
                    one(strip, top, width, race.hidden, &x)
                }) }
            </svg>
            <svg class="race-line" width={width.to_string()} height={HEIGHT.to_string()}>
                <path class="slider-whole" d={format!("M0 18.5h{width}v3h-{width}z")} />
                <path class="slider-part" d={format!("M0 18.5h{at}v3h-{at}z")} />
                { for labels(&x, at, width).into_iter().map(|(x, text)| html! {
                    <text x={x.to_string()} y="24">{ text }</text>
                }) }
                <path class="race-at" d={thumb_mark(at)} />
            </svg>
        </div>
    }
}

/// A pattern that zones are filled with.
fn definition(pattern: Pattern) -> Html {
    let Hatch { id, class, w, h, turned, marks } = zones::hatch(pattern);
    html! {
        <pattern {id} {class} width={w.to_string()} height={h.to_string()}
            patternUnits="userSpaceOnUse" patternTransform={turned}>
            <rect class="zone-ground" width={w.to_string()} height={h.to_string()} />
            <path class="zone-marks" d={marks} />
        </pattern>
    }
}

/// A strip: a path for each pattern, and one for all edges.
fn one(strip: &Strip, top: i32, width: i32, hidden: bool, x: &dyn Fn(SimDuration) -> i32) -> Html {
    let outline = format!("M.5 {top}.5H{}V{}H.5z", width - 1, top + HIGH);
    let last = strip.zones.len().saturating_sub(1);
    let zones: Vec<_> = strip
        .zones
        .iter()
        .enumerate()
        .map(|(index, zone)| {
            // What lies beyond an end of the track is at its end; neighbours meet.
            let from = if index == 0 { 0 } else { x(zone.from) };
            let to = strip.zones.get(index + 1).map_or(width, |next| x(next.from));
            (from, if index == last { width } else { to }, zone.pattern)
        })
        .collect();
    if hidden || zones.is_empty() {
        return html! { <path class="race-none" d={outline} /> };
    }
    let filled = |pattern: Pattern, is_narrow: bool| {
        let of_it = zones
            .iter()
            .filter(|(from, to, of)| *of == pattern && (to - from < NARROWEST) == is_narrow);
        let bottom = top + HIGH;
        let path: String =
            of_it.map(|(from, to, _)| format!("M{from} {top}H{to}V{bottom}H{from}z")).collect();
        (!path.is_empty()).then_some(path)
    };
    let inner = zones.iter().skip(1).map(|(from, ..)| *from);
    let edges: String = inner.map(|x| format!("M{x} {}V{}", top - 1, top + HIGH + 1)).collect();
    html! {
        <>
            { for Pattern::ALL.into_iter().map(|pattern| html! {
                <>
                    if let Some(d) = filled(pattern, false) {
                        <path class="zone" fill={zones::fill(pattern)} {d} />
                    }
                    if let Some(d) = filled(pattern, true) {
                        <g class={pattern.class()}><path class="zone-ground" {d} /></g>
                    }
                </>
            }) }
            <path class="race-outline" d={outline} />
            if !edges.is_empty() {
                <path class="race-edges" d={edges} />
            }
        </>
    }
}

/// A line through both strips, with its ends, where the thumb stands.
fn thumb_mark(at: i32) -> String {
    format!("M{at} 2V38M{left} 0h8l-4 5zM{left} 40h8l-4-5z", left = at - 4)
}

/// The labels that have room: apart from each other, from the ends and from the thumb.
fn labels(x: &dyn Fn(SimDuration) -> i32, at: i32, width: i32) -> Vec<(i32, &'static str)> {
    let mut placed: Vec<(i32, &str)> = Vec::new();
    for (value, text) in LABELLED {
        let x = x(value);
        let is_inside = x > 2 * HALF_LABEL && x < width - 2 * HALF_LABEL;
        let is_free = (x - at).abs() > HALF_LABEL + CLEAR;
        let is_apart = placed.last().is_none_or(|(last, _)| x - last > 3 * HALF_LABEL);
        if is_inside && is_free && is_apart {
            placed.push((x, text));
        }
    }
    placed
}

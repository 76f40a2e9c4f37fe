//! A run's history as a drawing: its units in a row, in an order that explains the run or in the
//! circle that forbids one, with an arrow for what must come before what. A long history is drawn
//! by its beginning. It judges nothing; what an arrow means is told beside it, in a sentence.

use crate::sim::history::{Edge, Fate, UnitNo};
use crate::sim::id::NodeId;
use crate::sim::recording::Recording;
use crate::sim::time::SimTime;
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::sentences::history::{first_grant, moment_of, name};
use crate::view_model::words::names::Words;

/// Units that are drawn; what comes after them is counted.
pub const MOST_DRAWN: usize = 6;

/// A unit in the drawing; all coordinates are whole pixels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its middle.
    pub x: usize,
    /// Its middle.
    pub y: usize,
    /// Its client, in a letter or two.
    pub letter: String,
    /// Its number in the history.
    pub number: u32,
    /// Its name, for who does not see the drawing.
    pub name: String,
    /// The colour of the grant under which it began to have effects.
    pub color: Option<TokenColor>,
    /// The moment to go to.
    pub at: SimTime,
}

/// What must come before what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Its line and its head, as an SVG path.
    pub path: String,
    /// The field's short names of why; empty where nothing forces it.
    pub why: String,
    /// Where that stands, at its middle.
    pub x: usize,
    /// Its base line.
    pub y: usize,
}

/// A text beside the units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aside {
    /// Where it stands, at its middle.
    pub x: usize,
    /// Its upper line.
    pub above: String,
    /// Its lower line.
    pub below: String,
}

/// The drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// Its size.
    pub width: usize,
    /// Its size.
    pub height: usize,
    /// Whether it is a circle: no order fits.
    pub is_circle: bool,
    /// The units.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub arrows: Vec<Arrow>,
    /// The version before the first unit, how many units are left out, the version after the last.
    pub asides: Vec<Aside>,
}

/// Radius of a unit.
const RADIUS: usize = 22;
/// From the middle of a unit to the next one's, at least; in a circle of two it is wider.
const STEP: usize = 92;
const WIDE_STEP: usize = 250;
/// Room for what stands beside the units, and for the arrow to it.
const ASIDE: usize = 54;
const TO_ASIDE: usize = 32;
const MARGIN: usize = RADIUS + 12;

/// The drawing of a run's history; `None`: no unit had an effect, or the circle is too long.
pub fn graph(words: &Words, recording: &Recording) -> Option<Graph> {
    let damages = recording.history().damages();
    match damages.all.iter().find_map(|damage| damage.cycle.as_ref()) {
        Some(cycle) => circle(words, recording, &cycle.0),
        None => row(words, recording, &damages.explained.order, &damages.explained.edges),
    }
}

fn node(words: &Words, recording: &Recording, no: UnitNo, x: usize, y: usize) -> Node {
    let unit = recording.history().unit(no);
    let client = unit.write.client;
    let letter = words
        .given(NodeId::Client(client))
        .map_or_else(|| client.to_string(), |name| name.chars().take(2).collect());
    Node {
        x,
        y,
        letter,
        number: no.number(),
        name: name(words, unit),
        color: first_grant(unit).map(TokenColor::of),
        at: moment_of(unit).at,
    }
}

fn circle(words: &Words, recording: &Recording, edges: &[Edge]) -> Option<Graph> {
    if edges.len() > MOST_DRAWN {
        return None;
    }
    let (y, of_two) = (66, edges.len() == 2);
    let step = if of_two { WIDE_STEP } else { STEP };
    let x = |place: usize| MARGIN + place * step;
    let nodes =
        (0..).zip(edges).map(|(place, edge)| node(words, recording, edge.from, x(place), y));
    let last = edges.len() - 1;
    // Forwards above the units, and from the last one back to the first below them.
    let arrow = |(place, edge): (usize, &Edge)| {
        let why = edge.reason.short().to_owned();
        if place < last {
            let bend = if of_two { 31 } else { 16 };
            let (from, to, y) = (x(place) + 17, x(place + 1) - 19, y - 15);
            let path = format!("{}M{to} {y}h-9M{to} {y}l-6 -7", arc(from, to, y, y - bend));
            Arrow { path, why, x: from.midpoint(to), y: y - bend * 3 / 4 - 6 }
        } else {
            let bend = if of_two { 31 } else { 56 };
            let (from, to, y) = (x(place) - 17, x(0) + 19, y + 15);
            let path = format!("{}M{to} {y}h9M{to} {y}l6 7", arc(from, to, y, y + bend));
            Arrow { path, why, x: from.midpoint(to), y: y + bend * 3 / 4 + 16 }
        }
    };
    Some(Graph {
        width: x(last) + MARGIN,
        height: if of_two { 132 } else { 152 },
        is_circle: true,
        nodes: nodes.collect(),
        arrows: (0..).zip(edges).map(arrow).collect(),
        asides: Vec::new(),
    })
}

/// A line between two points of one height that is bent towards another height.
fn arc(from: usize, to: usize, y: usize, bent: usize) -> String {
    let (near, far) = ((3 * from + to) / 4, (from + 3 * to) / 4);
    format!("M{from} {y}C{near} {bent} {far} {bent} {to} {y}")
}

/// How many versions of the one store there are after the run; `None`: nothing was written.
fn last_version(recording: &Recording) -> Option<u32> {
    let writes = recording.history().units().iter().flat_map(|unit| &unit.writes);
    let made = writes.filter_map(|write| match write.fate {
        Fate::Installed { version, .. } => Some(version.n_writes()),
        Fate::AlreadyApplied | Fate::Refused(_) | Fate::PutOff | Fate::Lost | Fate::UnderWay => {
            None
        }
    });
    made.max()
}

/// A straight arrow.
fn arrow(from: usize, to: usize, y: usize, why: String) -> Arrow {
    let (from, to) = (from + 3, to - 3);
    let back = to - 7;
    let path = format!("M{from} {y}H{to}M{back} {}L{to} {y}L{back} {}", y - 5, y + 5);
    Arrow { path, why, x: from.midpoint(to), y: y - 10 }
}

fn row(words: &Words, recording: &Recording, order: &[UnitNo], edges: &[Edge]) -> Option<Graph> {
    let y = 46;
    let shown = &order[..order.len().min(MOST_DRAWN)];
    let last = shown.len().checked_sub(1)?;
    // Of several stores each has a version of its own.
    let is_one_store = recording.scenario().storage().stores == 1;
    let made = last_version(recording).filter(|_| is_one_store);
    let left = if made.is_some() { ASIDE + TO_ASIDE + RADIUS } else { MARGIN };
    let x = |place: usize| left + place * STEP;
    let nodes = (0..).zip(shown).map(|(place, no)| node(words, recording, *no, x(place), y));
    let mut graph = Graph {
        width: x(last) + MARGIN,
        height: 92,
        is_circle: false,
        nodes: nodes.collect(),
        arrows: Vec::new(),
        asides: Vec::new(),
    };
    for (place, two) in shown.windows(2).enumerate() {
        let between = edges.iter().filter(|edge| (edge.from, edge.to) == (two[0], two[1]));
        let mut why: Vec<_> = between.map(|edge| edge.reason.short()).collect();
        why.dedup();
        let (from, to) = (x(place) + RADIUS, x(place + 1) - RADIUS);
        graph.arrows.push(arrow(from, to, y, why.join(", ")));
    }
    let mut end = x(last) + RADIUS;
    let mut aside = |above: &str, below: String| {
        graph.arrows.push(arrow(end, end + TO_ASIDE, y, String::new()));
        let x = end + TO_ASIDE + ASIDE / 2;
        graph.asides.push(Aside { x, above: above.to_owned(), below });
        end += TO_ASIDE + ASIDE;
        graph.width = end;
    };
    if order.len() > shown.len() {
        aside("and", format!("{} more", order.len() - shown.len()));
    }
    if let Some(made) = made {
        aside("version", made.to_string());
        graph.arrows.push(arrow(ASIDE, ASIDE + TO_ASIDE, y, String::new()));
        let before = Aside { x: ASIDE / 2, above: "version".to_owned(), below: "0".to_owned() };
        graph.asides.push(before);
    }
    Some(graph)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::scenario::{ClientSpec, Length, Operation, Repeat};
    use crate::sim::{Change, SimDuration};

    fn graph_with(changes: &[Change]) -> Option<Graph> {
        let scenario = GALLERY[0].file().base().expect("valid").with(changes).expect("it fits");
        graph(&Words::default(), &Recording::of(&scenario))
    }

    #[test]
    fn a_circle_has_an_arrow_from_each_unit_to_the_next_and_back() {
        let graph = graph_with(&[Change::Operation(Operation::ReadModifyWrite)]).expect("drawn");
        assert!(graph.is_circle);
        let letters: Vec<_> = graph.nodes.iter().map(|node| &*node.letter).collect();
        assert_eq!((letters.len(), graph.arrows.len()), (2, 2));
        let mut why: Vec<_> = graph.arrows.iter().map(|arrow| &*arrow.why).collect();
        why.sort_unstable();
        assert_eq!(why, ["rw", "ww"]);
        assert!(graph.nodes.iter().all(|node| node.x + RADIUS < graph.width));
    }

    #[test]
    fn an_order_is_drawn_between_the_versions_before_and_after_it() {
        let graph = graph_with(&[Change::Fencing(true)]).expect("drawn");
        assert!(!graph.is_circle);
        assert_eq!((graph.nodes.len(), graph.arrows.len()), (1, 2));
        let told: Vec<_> = graph.asides.iter().map(|aside| &*aside.below).collect();
        assert_eq!(told, ["1", "0"]);
    }

    #[test]
    fn a_long_history_is_drawn_by_its_beginning() {
        let again = Repeat::After(SimDuration::from_millis(100));
        let changes = [Change::Fencing(true), Change::Release(true), Change::Repeat(again)];
        let graph = graph_with(&changes).expect("drawn");
        assert_eq!(graph.nodes.len(), MOST_DRAWN);
        assert!(graph.asides.iter().any(|aside| aside.above == "and"), "{:?}", graph.asides);
        let furthest = graph.asides.iter().map(|aside| aside.x).max();
        assert!(furthest.is_some_and(|x| x < graph.width));
    }

    #[test]
    fn nothing_is_drawn_where_nothing_was_written() {
        let mut file = GALLERY[0].file();
        file.scenario.clients = vec![ClientSpec::asking_at(SimTime::from_millis(60_000))];
        file.scenario.faults.clear();
        file.scenario.length = Length::Fixed(SimDuration::from_secs(30));
        let scenario = file.base().expect("valid");
        assert_eq!(graph(&Words::default(), &Recording::of(&scenario)), None);
    }
}

//! The timeline as plain data: recording, view and width in; ruler, lanes, arrows and marks out.
//! All that is drawn stands here at its pixel; components only write it down.

use std::rc::Rc;

use crate::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use crate::sim::message::MessageKind;
use crate::sim::time::SimTime;

use super::arrow::{ArrowPath, Arrows, Did, Ends, has_split, is_in, touches_store};
use super::arrow_label::ArrowLabels;
use super::label::{self, Board, Labels, TextGround, Thing};
use super::lane::{
    Band, ClientBands, LaneData, LaneForm, LaneId, Part, RunsEnd, StoreRows, client_lane,
    first_mark, node_band, node_lane, service_band, service_lane, store_lane,
};
use super::marker::{FaultMark, Ground, fault_marks};
use super::ruler::{Ruler, ruler};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::pace::{Pace, Sizes, Worth};
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeScale, TimeView};
use crate::view_model::runs::labels;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::verdict::{self, Tone};
use crate::view_model::tracks::flight::{Flight, Route};
use crate::view_model::tracks::shown::{Clients, Plan, Shown};
use crate::view_model::tracks::{MarkKind, StoreTracks};
use crate::view_model::words::clock::Clock;

/// Everything that the timeline draws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimelineLayout {
    /// Where instants lie.
    pub scale: TimeScale,
    /// The sizes that it was drawn in.
    pub metrics: Metrics,
    /// The ruler.
    pub ruler: Ruler,
    /// The lanes, from top to bottom.
    pub sections: Vec<Section>,
    /// The messages.
    pub arrows: Vec<ArrowPath>,
    /// Whether there are so many that only the delayed and the lost are drawn.
    pub crowded: bool,
    /// All texts of lanes and arrows.
    pub labels: Labels,
    /// What can be dragged.
    pub faults: Vec<FaultMark>,
    /// What the ruler shows in place of times since the start.
    pub clock: Option<Clock>,
    /// What was observed, in a lane of its own above the others.
    pub observed: Vec<ObservedMark>,
    /// The height of that lane; nothing where nothing was observed.
    pub observed_height: Px,
    /// The height of everything, the ruler included.
    pub height: Px,
    /// Where each lane stands, for what moves over them.
    places: Vec<Place>,
    /// How it was asked for.
    look: Look,
}

impl TimelineLayout {
    /// Whether a text of a lane reaches beyond a place.
    pub fn says_beyond(&self, lane: &PlacedLane, x: Px) -> bool {
        let (top, bottom) = (lane.top, lane.top + lane.data.height);
        let x = x + self.metrics.px(8);
        self.labels
            .texts
            .iter()
            .map(|label| label.rect)
            .any(|rect| rect.x + rect.w > x && rect.y < bottom && rect.y + rect.h > top)
    }
}

/// Lanes that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The run that they show, with its verdict; `None`: lanes that both runs share.
    pub region: Option<RunNo>,
    /// The room above it.
    pub gap: Px,
    /// The lanes.
    pub lanes: Vec<PlacedLane>,
}

/// A lane and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlacedLane {
    /// Upper edge of its drawing, from the top of the timeline.
    pub top: Px,
    /// The drawing.
    pub data: Rc<LaneData>,
    /// Where the verdict of its run stands, if it stands in this lane.
    pub verdict: Option<VerdictPlace>,
}

/// Where a verdict stands in its lane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VerdictPlace {
    /// Left of the marks, in their row.
    Beside,
    /// In a row of its own.
    Above,
}

/// The length of verdict that room is kept for.
const LONGEST_VERDICT: &str = "Corrupted at 17.10 s";

/// What a layout shows besides its runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Look {
    /// Whether the lanes of single lock nodes are open.
    pub unfolded: bool,
    /// Of many clients, whose lanes are open that would be compact, or the other way round.
    pub toggled: Clients,
    /// Of many clients, those that matter; `None`: as the runs say. While something is dragged they
    /// stay, so that no lane changes its height.
    pub matter: Option<Clients>,
    /// Nothing that happens later is told.
    pub until: Option<SimTime>,
}

/// Where instants of a stretch lie in a drawing of these runs.
pub fn scale(shown: &Shown, view: TimeView, metrics: &Metrics, axis: TimeAxis) -> TimeScale {
    paced_scale(&shown.pace, view, metrics, axis)
}

/// The same, by what bends time in them.
pub fn paced_scale(pace: &Pace, view: TimeView, metrics: &Metrics, axis: TimeAxis) -> TimeScale {
    let (left, width) = (metrics.left(), metrics.width - metrics.left() - metrics.right());
    match axis {
        TimeAxis::Slow => TimeScale::paced(view, left, width, pace, Sizes::of(metrics)),
        TimeAxis::ToScale => TimeScale::new(view, left, width),
    }
}

/// The sizes of a drawing for what is left beside its labels, which have more room where names are
/// long, and where two stacks say whose lanes they are.
pub fn beside_labels(shown: &Shown, whole: Metrics) -> Metrics {
    let room = whole.name_room();
    let is_long = |name: &str| whole.text_width(name, true) > room;
    let n_clients = shown.tracks.iter().map(|run| run.clients.len()).max().unwrap_or(0);
    let clients = (0..n_clients).filter_map(|index| u8::try_from(index).ok()).map(ClientId);
    let mut names = clients.map(|client| shown.runs.words.client(client));
    whole.beside_labels(shown.plan == Plan::Stacked || names.any(|name| is_long(&name)))
}

/// Lays the runs out, in slow motion where it matters.
pub fn layout(shown: &Shown, view: TimeView, metrics: Metrics) -> TimelineLayout {
    let scale = scale(shown, view, &metrics, TimeAxis::Slow);
    layout_with(shown, scale, metrics, Look::default())
}

/// Lays the runs out on a scale.
pub fn layout_with(
    shown: &Shown,
    scale: TimeScale,
    metrics: Metrics,
    look: Look,
) -> TimelineLayout {
    let (layout, board) = without_labels(shown, scale, metrics, look);
    TimelineLayout { labels: label::place(&board, &metrics), ..layout }
}

/// All but the texts of lanes and arrows, and what those are to say.
fn without_labels(
    shown: &Shown,
    scale: TimeScale,
    metrics: Metrics,
    look: Look,
) -> (TimelineLayout, Board) {
    let incident = &shown.runs.incident;
    let clock = Clock::shown(incident);
    let observed_height = observed::height(incident, &metrics);
    let first = TimeView { from: SimTime::ZERO, to: SimTime::ZERO + scale.view.length() };
    // On a narrow screen the verdict stands beside the lane's name, whatever lies where.
    let axes: &[_] = if metrics.narrow { &[] } else { &[TimeAxis::Slow, TimeAxis::ToScale] };
    let at_start = axes.iter().map(|axis| self::scale(shown, first, &metrics, *axis)).collect();
    let mut builder = Builder {
        shown,
        scale: scale.clone(),
        at_start,
        metrics,
        look,
        open: look.matter.unwrap_or(shown.matter),
        toggled: look.toggled,
        y: metrics.ruler() + observed_height,
        places: Vec::new(),
        sections: Vec::new(),
        board: Board::default(),
    };
    builder.sections();
    let (arrows, crowded) = builder.arrows();
    let band = |run: RunNo, node: NodeId, at: SimTime| {
        builder.stand(run, node, at).map(|(place, band)| (place.top, builder.form(node), band))
    };
    let anchor =
        |run: RunNo, node: NodeId, at: SimTime, down: bool| builder.anchor(run, node, at, down);
    let faults =
        fault_marks(&Ground { shown, scale: scale.clone(), metrics, band: &band, anchor: &anchor });
    let known = |at: SimTime| shown.until.is_none_or(|until| at <= until);
    let handles = faults.iter().filter(|mark| known(mark.from)).flat_map(|mark| {
        let grips = mark.grips(mark.to.is_some_and(known));
        grips.into_iter().map(|grip| mark.handle(grip, metrics.width))
    });
    let mut board = builder.board;
    handles.for_each(|rect| board.take(Thing::Handle, rect));
    let layout = TimelineLayout {
        labels: Labels::default(),
        ruler: ruler(&shown.pace, &scale, &metrics, clock, look.until),
        clock,
        observed: observed::marks(&shown.runs.words, incident, &scale, &metrics),
        observed_height,
        arrows,
        crowded,
        faults,
        height: builder.y,
        sections: builder.sections,
        places: builder.places,
        look,
        scale,
        metrics,
    };
    (layout, board)
}

/// Whether a message says what the fence shows: it throws the write back by itself.
fn is_thrown_back(from: NodeId, flight: &Flight) -> bool {
    let refuses = matches!(flight.kind, MessageKind::WriteRefused | MessageKind::SealRefused);
    refuses && matches!(from, NodeId::Store(_)) && !flight.is_remarkable()
}

/// Where a lane stands, for arrows.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    run: Option<RunNo>,
    node: NodeId,
    is_one_of_many: bool,
    top: Px,
    splits: Option<SimTime>,
    /// Heights inside a store's lane.
    rows: Option<StoreRows>,
}

struct Builder<'a> {
    shown: &'a Shown,
    scale: TimeScale,
    /// The run's first stretch of this length, however it is drawn: a lane's height is decided by
    /// it, so that no lane changes its height while time passes.
    at_start: Vec<TimeScale>,
    metrics: Metrics,
    look: Look,
    /// Of many clients, those that matter.
    open: Clients,
    toggled: Clients,
    y: Px,
    places: Vec<Place>,
    sections: Vec<Section>,
    /// What is to be said, and what is taken.
    board: Board,
}

/// The messages of a run from one node to another, as they are drawn.
struct DrawnRoute<'a> {
    run: RunNo,
    nodes: (NodeId, NodeId),
    route: &'a Route,
    /// Whether a message is drawn for this run.
    is_drawn: &'a dyn Fn(&Flight) -> bool,
    /// Where one begins and ends.
    ends: &'a dyn Fn(&Flight) -> Ends,
}

impl<'a> Builder<'a> {
    /// The lanes of a layout again, to ask where things stand.
    fn over(shown: &'a Shown, layout: &TimelineLayout) -> Self {
        Self {
            shown,
            scale: layout.scale.clone(),
            at_start: Vec::new(),
            metrics: layout.metrics,
            look: layout.look,
            open: layout.look.matter.unwrap_or(shown.matter),
            toggled: layout.look.toggled,
            y: layout.height,
            places: layout.places.clone(),
            sections: Vec::new(),
            board: Board::default(),
        }
    }
}

impl Builder<'_> {
    fn sections(&mut self) {
        let runs: Vec<RunNo> = self.shown.runs.shown().map(|(run, _)| run).collect();
        match self.shown.plan {
            Plan::Single | Plan::Shared => {
                let mut lanes = vec![self.service(None)];
                lanes.extend(self.lock_nodes(None));
                lanes.extend(self.clients(None));
                let gap = Px::ZERO;
                self.sections.push(Section { region: None, gap, lanes });
                for run in runs {
                    let lanes = self.stores(run);
                    let region = Some(run);
                    self.sections.push(Section { region, gap, lanes });
                }
            }
            Plan::Stacked => {
                for run in runs {
                    let gap = if self.sections.is_empty() { 0 } else { 8 };
                    let gap = self.metrics.px(gap).rounded();
                    self.y = self.y + gap;
                    let mut lanes = vec![self.service(Some(run))];
                    lanes.extend(self.lock_nodes(Some(run)));
                    lanes.extend(self.clients(Some(run)));
                    lanes.extend(self.stores(run));
                    let region = Some(run);
                    self.sections.push(Section { region, gap, lanes });
                }
            }
        }
    }

    /// Puts a lane below the last.
    fn place(
        &mut self,
        (data, board): (LaneData, Board),
        rows: Option<StoreRows>,
        verdict: Option<VerdictPlace>,
    ) -> PlacedLane {
        let top = self.y + self.metrics.label_row();
        self.board.put(board, top);
        self.take_names(&data, top, verdict);
        self.y = top + data.height;
        self.places.push(Place {
            run: data.id.run,
            node: data.id.node,
            is_one_of_many: data.id.is_one_of_many,
            top,
            splits: self.shown.splits(data.id.node),
            rows,
        });
        PlacedLane { top, data: Rc::new(data), verdict }
    }

    /// What the page writes on a lane by itself: where there is no column for it the name with
    /// its buttons, and a verdict.
    fn take_names(&mut self, data: &LaneData, top: Px, verdict: Option<VerdictPlace>) {
        let metrics = self.metrics;
        if metrics.narrow {
            // A name is written a little larger than the rest.
            let name = metrics.text_width(&data.short, true).share(13, 12);
            let more = metrics.text_width(&data.subtitle, false);
            let fold = data.unfolds.map_or(Px::ZERO, |_| metrics.px(64));
            let w = name + more + fold + metrics.px(30) + Px::whole(24);
            let h = metrics.label_row();
            self.board.take(Thing::Handle, Rect { x: Px::ZERO, y: top - h, w, h });
        }
        let text = data.id.run.and_then(|run| verdict::of_run(&self.shown.runs, run));
        let text = text.filter(|_| self.shown.until.is_none());
        if let Some((text, place)) = text.zip(verdict) {
            let rect = verdict_rect(&metrics, &text.text, (place, top));
            self.board.take(Thing::Handle, rect);
        }
    }

    /// When the runs of a lane are over.
    fn runs_end(&self, run: Option<RunNo>, of: RunNo) -> RunsEnd {
        let ends = |run| self.shown.run(run).map_or(SimTime::ZERO, |run| run.ends_at);
        let all_alike = self.shown.tracks.iter().all(|run| run.ends_at == ends(of));
        match self.shown.until {
            Some(now) => RunsEnd::Hidden(now),
            None if run.is_none() && !all_alike => RunsEnd::Longer(ends(of)),
            None => RunsEnd::At(ends(of)),
        }
    }

    /// The parts of a lane: one, or three from where the runs part.
    fn parts<'t, T: ?Sized>(
        &self,
        run: Option<RunNo>,
        node: NodeId,
        tracks: impl Fn(RunNo) -> Option<&'t T>,
    ) -> Vec<Part<'t, T>> {
        let part = |of: RunNo, band, from, to| {
            // A half is of one run.
            let shown = if band == Band::Whole { run } else { Some(of) };
            let ends_at = self.runs_end(shown, of);
            let store = self.shown.run(of).and_then(|run| run.stores.first());
            let ordered = store.is_none_or(|store| store.ordered);
            tracks(of).map(|tracks| Part { tracks, band, from, to, ends_at, ordered })
        };
        let (start, end) = (SimTime::ZERO, SimTime::MAX);
        let split = if run.is_some() { None } else { self.shown.splits(node) };
        let parts = match split {
            None => {
                let run = run.unwrap_or_else(|| self.shown.longer());
                vec![part(run, Band::Whole, start, end)]
            }
            Some(at) => vec![
                part(RunNo::One, Band::Before, start, at),
                part(RunNo::One, Band::Upper, at, end),
                part(RunNo::Two, Band::Lower, at, end),
            ],
        };
        parts.into_iter().flatten().collect()
    }

    fn service(&mut self, run: Option<RunNo>) -> PlacedLane {
        let node = NodeId::Lock(LockNodeId(0));
        let shown = self.shown;
        let parts =
            self.parts(run, node, |run| shown.run(run).map(|tracks| tracks.service.as_slice()));
        let id = LaneId { run, node, is_one_of_many: false };
        // Where things stand close together there is no row for it, and the storage says it.
        let has_room = self.metrics.unit == self.metrics.text;
        let label = run.filter(|_| has_room).map(|run| self.short_label(run));
        // Its name may say it already.
        let name = shown.runs.words_in(run.unwrap_or(RunNo::One)).node(node);
        let label = label.filter(|label| *label != name).unwrap_or_default();
        let of = shown.run(run.unwrap_or_else(|| shown.longer()));
        let n_nodes = of.map_or(0, |tracks| tracks.nodes.len());
        let unfolds =
            u8::try_from(n_nodes).ok().filter(|n| *n > 0).map(|n| (n, self.look.unfolded));
        // What befell a node stands in its own lane where that is open.
        let open = unfolds.is_some_and(|(_, open)| open);
        let of = of.filter(|_| !open);
        let incidents = of.map_or(&[][..], |tracks| &tracks.service_incidents);
        let drawn = (parts.as_slice(), incidents);
        let words = shown.runs.words_in(run.unwrap_or(RunNo::One));
        let lane = service_lane(id, label, drawn, words, &self.scale, &self.metrics);
        let (lane, board) = lane;
        self.place((LaneData { unfolds, ..lane }, board), None, None)
    }

    /// The lanes of the service's single nodes, if they are unfolded.
    fn lock_nodes(&mut self, run: Option<RunNo>) -> Vec<PlacedLane> {
        let shown = self.shown;
        let of = shown.run(run.unwrap_or_else(|| shown.longer())).filter(|_| self.look.unfolded);
        let n_nodes = u8::try_from(of.map_or(0, |tracks| tracks.nodes.len())).unwrap_or(u8::MAX);
        let mut lanes = Vec::new();
        for index in 0..n_nodes {
            let node = NodeId::Lock(LockNodeId(index));
            let parts = self.parts(run, node, |run| shown.run(run)?.nodes.get(usize::from(index)));
            let id = LaneId { run, node, is_one_of_many: true };
            // The first one's own name is the service's.
            let title = match index {
                0 => "Node 1".to_owned(),
                _ => shown.runs.words.node(node),
            };
            let lane = node_lane(id, title, &parts, &shown.runs.words, &self.scale, &self.metrics);
            lanes.push(self.place(lane, None, None));
        }
        lanes
    }

    /// What tells a run from the other, or its number where there is no room to say it: a lane with
    /// more room says it, too.
    fn short_label(&self, run: RunNo) -> String {
        let metrics = &self.metrics;
        let room = metrics.label_column() - Px::whole(20);
        let label = |run| labels::run_label(&self.shown.runs, run);
        let fits = |run| metrics.narrow || metrics.text_width(&label(run), false) <= room;
        let all_fit = RunNo::ALL.into_iter().all(fits);
        if all_fit { label(run) } else { run.name().to_owned() }
    }

    /// Where the verdict of a run stands in the lane of its first store.
    fn verdict_place(&self, run: RunNo, store: &StoreTracks) -> VerdictPlace {
        let metrics = &self.metrics;
        let collides = if metrics.narrow {
            // In the row of the lane's label, which on the smallest screens is without its title.
            let node = NodeId::Store(StoreId(0));
            let is_named = metrics.width >= Px::whole(345);
            let words = &self.shown.runs.words;
            let title = if is_named { words.node(node) } else { String::new() };
            let verdict = verdict::of_run(&self.shown.runs, run).map(|verdict| verdict.text);
            let strong = format!("{title}{}", verdict.unwrap_or_default());
            let label = labels::storage_label(&self.shown.runs, run);
            let widths = metrics.text_width(&strong, true).share(13, 12);
            widths + metrics.text_width(&label, false) + metrics.px(42) + Px::whole(34)
                > metrics.width
        } else {
            let verdict = metrics.text_width(LONGEST_VERDICT, true).share(14, 12);
            let room = verdict + metrics.px(36);
            let collides =
                |scale: &TimeScale| first_mark(store, scale).is_some_and(|x| x < scale.left + room);
            self.at_start.iter().any(collides)
        };
        if collides { VerdictPlace::Above } else { VerdictPlace::Beside }
    }

    fn clients(&mut self, run: Option<RunNo>) -> Vec<PlacedLane> {
        let shown = self.shown;
        let tracks = shown.run(run.unwrap_or(RunNo::One));
        let n_clients = tracks.map_or(0, |tracks| tracks.clients.len());
        let clients = (0..n_clients).filter_map(|index| u8::try_from(index).ok());
        clients
            .map(ClientId)
            .map(|client| {
                let node = NodeId::Client(client);
                let parts =
                    self.parts(run, node, |run| shown.run(run)?.clients.get(client.index()));
                let ttl = shown.ttl(run.unwrap_or(RunNo::One));
                let id = LaneId { run, node, is_one_of_many: false };
                let title = shown.runs.words.client(client);
                let form = self.form(node);
                let (lane, board) = client_lane(
                    (id, title, form),
                    &parts,
                    ttl,
                    &shown.runs.words,
                    &self.scale,
                    &self.metrics,
                );
                let opens = match form {
                    LaneForm::Full | LaneForm::Low => None,
                    LaneForm::Open => Some(true),
                    LaneForm::Compact => Some(false),
                };
                self.place((LaneData { opens, ..lane }, board), None, None)
            })
            .collect()
    }

    fn stores(&mut self, run: RunNo) -> Vec<PlacedLane> {
        let shown = self.shown;
        let Some(tracks) = shown.run(run) else {
            return Vec::new();
        };
        let label = labels::storage_label(&shown.runs, run);
        let mut lanes = Vec::new();
        for (index, store) in (0_u8..).zip(&tracks.stores) {
            let node = NodeId::Store(StoreId(index));
            let verdict = (index == 0).then(|| self.verdict_place(run, store));
            let above = verdict == Some(VerdictPlace::Above);
            let low = shown.is_crowded() || shown.plan == Plan::Stacked;
            let rows = StoreRows::of(&self.metrics, store.fenced, above, low);
            let part = Part {
                tracks: store,
                band: Band::Whole,
                from: SimTime::ZERO,
                to: SimTime::MAX,
                ends_at: self.runs_end(Some(run), run),
                ordered: store.ordered,
            };
            let id = LaneId { run: Some(run), node, is_one_of_many: false };
            let titles = (shown.runs.words.node(node), label.clone());
            let words = &shown.runs.words;
            let titled = (titles, self.ground(run));
            let lane = store_lane(id, titled, &part, &rows, words, &self.scale, &self.metrics);
            lanes.push(self.place(lane, Some(rows), verdict));
        }
        lanes
    }

    /// The height at which a message of a run leaves or reaches a node; `down`: on its lower side.
    fn anchor(&self, run: RunNo, node: NodeId, at: SimTime, down: bool) -> Option<Px> {
        let (place, band) = self.stand(run, node, at)?;
        let metrics = &self.metrics;
        let inside = match node {
            NodeId::Lock(_) if place.is_one_of_many => node_band(metrics, band).1,
            NodeId::Lock(_) => service_band(metrics, band).1,
            NodeId::Client(_) if down => ClientBands::of(metrics, self.form(node), band).belief_end,
            NodeId::Client(_) => ClientBands::of(metrics, self.form(node), band).belief,
            NodeId::Store(_) => place.rows?.above_marks(metrics),
        };
        Some(place.top + inside)
    }

    /// Where a message begins and ends: a write that is refused at the fence, one that does damage
    /// at the value that it cuts off.
    fn ends(&self, run: RunNo, (from, to): (NodeId, NodeId), flight: &Flight, down: bool) -> Ends {
        let start = self.anchor(run, from, flight.sent, down);
        let end = self.anchor(run, to, flight.arrives, down);
        let ends = Ends {
            from: start.unwrap_or_default(),
            to: end.unwrap_or_default(),
            short: Px::ZERO,
            did: Did::Plain,
        };
        let (NodeId::Client(client), NodeId::Store(store)) = (from, to) else {
            return ends;
        };
        let stores = self.shown.run(run).map_or(&[][..], |tracks| &tracks.stores);
        let decides =
            matches!(flight.kind, MessageKind::Write | MessageKind::Seal | MessageKind::Effect);
        let store = stores.get(usize::from(store.0)).filter(|_| decides);
        let answer = store.and_then(|store| store.decided(client, flight.arrives));
        let place = self.stand(run, to, flight.arrives).map(|(place, _)| place);
        let Some((top, rows)) = place.and_then(|place| Some((place.top, place.rows?))) else {
            return ends;
        };
        let did = Did::of(answer);
        match (did, answer) {
            (Did::Refused, _) => {
                Ends { to: top + rows.hit, short: self.metrics.px(5), did, ..ends }
            }
            (Did::Damage, Some(MarkKind::Damage)) => Ends { to: top + rows.value, did, ..ends },
            (Did::Damage | Did::Plain, _) => Ends { did, ..ends },
        }
    }

    /// How much a node's lane shows.
    fn form(&self, node: NodeId) -> LaneForm {
        match node {
            NodeId::Client(client) if self.shown.is_crowded() => {
                match self.open.holds(client) != self.toggled.holds(client) {
                    true => LaneForm::Open,
                    false => LaneForm::Compact,
                }
            }
            NodeId::Client(_) if self.shown.plan == Plan::Stacked => LaneForm::Low,
            NodeId::Client(_) | NodeId::Lock(_) | NodeId::Store(_) => LaneForm::Full,
        }
    }

    /// Where a node's lane stands, and which band of it shows a run at an instant.
    fn stand(&self, run: RunNo, node: NodeId, at: SimTime) -> Option<(&Place, Band)> {
        // A lock node's own lane if it is open, else the service's.
        let is_lock = matches!(node, NodeId::Lock(_));
        let own = |place: &&Place| place.node == node && place.is_one_of_many == is_lock;
        let whole = |place: &&Place| match node {
            NodeId::Lock(_) => matches!(place.node, NodeId::Lock(_)) && !place.is_one_of_many,
            NodeId::Client(_) | NodeId::Store(_) => place.node == node,
        };
        let of_run = |place: &&Place| place.run.is_none_or(|of_lane| of_lane == run);
        let mut places = self.places.iter().filter(of_run);
        let place = places.clone().find(own).or_else(|| places.find(whole))?;
        let band = match (place.splits, run) {
            (None, _) => Band::Whole,
            (Some(split), _) if at < split => Band::Before,
            (Some(_), RunNo::One) => Band::Upper,
            (Some(_), RunNo::Two) => Band::Lower,
        };
        Some((place, band))
    }

    /// The messages, and whether they are too many for all to be drawn.
    fn arrows(&mut self) -> (Vec<ArrowPath>, bool) {
        let mut board = std::mem::take(&mut self.board);
        let mut labels = ArrowLabels::new(&self.shown.runs.words, &self.scale, &self.metrics);
        let shown = self.shown.tracks.iter();
        let routes = shown.flat_map(|tracks| tracks.flights.routes.values());
        let mut arrows = Arrows::for_routes(routes, &self.scale);
        let (pace, is_stacked) = (&self.shown.pace, self.shown.plan == Plan::Stacked);
        let mut last = RunNo::One;
        self.routes(&mut |drawn| {
            // Two stacks say it each for itself.
            if is_stacked && last != drawn.run {
                labels.forget();
            }
            last = drawn.run;
            arrows.route(drawn.route, &self.scale, drawn.is_drawn, drawn.ends);
            for (flight, ends) in arrows.just_drawn() {
                let decides = pace.worth(flight.arrives) == Some(Worth::Decides);
                labels.add(&mut board, drawn.nodes, (&flight, ends), decides);
            }
        });
        self.board = board;
        let crowded = arrows.is_crowded();
        (arrows.finish(), crowded)
    }

    /// Tells the messages of each run, from node to node: what both share is told once.
    fn routes(&self, tell: &mut dyn FnMut(&DrawnRoute<'_>)) {
        for (run, _) in self.shown.runs.shown() {
            let Some(tracks) = self.shown.run(run) else {
                continue;
            };
            for (&(from, to), route) in &tracks.flights.routes {
                // What nodes of the service tell one another stays inside its lane.
                let inside = matches!((from, to), (NodeId::Lock(_), NodeId::Lock(_)));
                let is_compact = |node| self.form(node) == LaneForm::Compact;
                if (inside && !self.look.unfolded) || is_compact(from) || is_compact(to) {
                    continue;
                }
                // A message that both runs share, in lanes that both share, is drawn once.
                let once = self.shown.plan == Plan::Shared
                    && run == RunNo::Two
                    && !touches_store(from, to);
                let other = self.shown.run(RunNo::One).filter(|_| once);
                let other = other.and_then(|one| one.flights.routes.get(&(from, to)));
                let splits = [from, to].map(|node| self.shown.splits(node));
                let is_split = splits.iter().any(Option::is_some);
                if once && !is_split && self.shown.is_same_route(from, to) {
                    continue;
                }
                let down = touches_store(from, to);
                let is_drawn = |flight: &Flight| {
                    let split = splits.iter().any(|&at| has_split(at, flight.arrives));
                    (split || !is_in(flight, other)) && !is_thrown_back(from, flight)
                };
                let ends = |flight: &Flight| self.ends(run, (from, to), flight, down);
                let nodes = (from, to);
                tell(&DrawnRoute { run, nodes, route, is_drawn: &is_drawn, ends: &ends });
            }
        }
    }
}

impl Builder<'_> {
    /// The colour of a run's stores.
    fn ground(&self, run: RunNo) -> TextGround {
        let verdict = verdict::of_run(&self.shown.runs, run);
        match verdict.filter(|_| self.shown.until.is_none()).map(|verdict| verdict.tone) {
            Some(Tone::Damage) => TextGround::Bad,
            Some(Tone::Warning) => TextGround::Warned,
            Some(Tone::Plain) => TextGround::Safe,
            None => TextGround::Card,
        }
    }
}

/// What a verdict covers in its lane, as `timeline.css` puts it there.
fn verdict_rect(metrics: &Metrics, text: &str, (place, top): (VerdictPlace, Px)) -> Rect {
    let at = |pixels: i32| metrics.px(pixels);
    let size = if metrics.narrow { 13 } else { 14 };
    let w = metrics.text_width(text, true).share(size, 12) + at(4);
    let h = at(if metrics.narrow { 16 } else { 21 });
    let above = top - metrics.label_row();
    let (x, y) = match (metrics.narrow, place) {
        (false, VerdictPlace::Beside) => (Px::whole(12), top + at(11)),
        (false, VerdictPlace::Above) => (Px::whole(12), top + at(4)),
        (true, VerdictPlace::Beside) => (metrics.width - Px::whole(10) - w, above + at(4)),
        (true, VerdictPlace::Above) => (Px::whole(10), above + at(24)),
    };
    Rect { x, y, w, h }
}

mod aloft;
mod gaps;
#[cfg(test)]
mod label_tests;
mod observed;
#[cfg(test)]
mod tests;

pub use aloft::{Aloft, Countdown, aloft, countdowns};
pub use observed::ObservedMark;

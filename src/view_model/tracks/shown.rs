//! What is laid out of one or two runs: their tracks, and whether equal lanes are drawn once or the
//! runs stand as two stacks. Made once per run, not per zoom; it knows no pixels.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::sim::id::{ClientId, NodeId};
use crate::sim::recording::Recording;
use crate::sim::time::{SimDuration, SimTime};

use super::incident::Incident;
use super::nodes::{NodeDoes, NodeTracks};
use super::{ClientTracks, MarkKind, RunTracks, StoreTracks};
use crate::view_model::drawing::merge::Span;
use crate::view_model::drawing::pace::Pace;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;

/// Longer runs are drawn to scale: what bends time would take a good part of what the log takes,
/// in memory that is not given back, and a stretch of it that can be read is plain anyway.
const MOST_BENT_ENTRIES: u32 = 100_000;

/// How the runs stand on the page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Plan {
    /// One run.
    Single,
    /// Two runs, equal lanes once, the storage twice.
    Shared,
    /// Two runs that part early on, one under the other.
    Stacked,
}

/// The runs as the timeline shows them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// How they stand.
    pub plan: Plan,
    /// The runs that they are made of.
    pub runs: Rc<Runs>,
    /// The tracks of each run that is shown.
    pub tracks: Vec<RunTracks>,
    /// What of them bends time. It is that of the whole runs, whatever of them is known: else the
    /// drawing would jump with each event that becomes known.
    pub pace: Rc<Pace>,
    /// Nothing that happens later is known.
    pub until: Option<SimTime>,
    /// Of many clients, those that matter: like the pace, that of the whole runs.
    pub matter: Clients,
    /// From when on the lock service's lane differs.
    pub service_splits: Option<SimTime>,
    /// From when on each client's lane differs.
    pub client_splits: Vec<Option<SimTime>>,
    /// Senders and receivers whose messages are the same in both runs.
    same_routes: BTreeSet<(NodeId, NodeId)>,
}

impl Shown {
    /// Folds the runs.
    pub fn of(runs: &Rc<Runs>) -> Self {
        let tracks: Vec<_> = runs.shown().map(|(_, run)| RunTracks::of(run)).collect();
        let n_entries: u32 = runs.shown().map(|(_, run)| run.log().n_entries()).sum();
        let bends = n_entries <= MOST_BENT_ENTRIES;
        let matter = matter(runs, &tracks);
        let is_told = |node| match node {
            NodeId::Client(client) => !is_crowded(&tracks) || matter.holds(client),
            NodeId::Lock(_) | NodeId::Store(_) => true,
        };
        let pace = if bends { super::pace::pace(&tracks, &is_told) } else { Pace::default() };
        let pace = Rc::new(pace);
        Self::with(runs, tracks, pace, matter)
    }

    fn with(runs: &Rc<Runs>, tracks: Vec<RunTracks>, pace: Rc<Pace>, matter: Clients) -> Self {
        let n_clients = tracks.first().map_or(0, |tracks| tracks.clients.len());
        let mut shown = Self {
            plan: Plan::Single,
            runs: runs.clone(),
            pace,
            until: None,
            matter,
            service_splits: None,
            client_splits: vec![None; n_clients],
            same_routes: BTreeSet::new(),
            tracks,
        };
        let [one, two] = shown.tracks.as_slice() else {
            return shown;
        };
        // What lies behind the end of the shorter run is no difference.
        let end = one.ends_at.min(two.ends_at);
        let splits = |at: Option<SimTime>| at.filter(|&at| at < end);
        let nodes = one.nodes.iter().zip(&two.nodes);
        let nodes = nodes.filter_map(|(a, b)| node_parting(a, b));
        let service = parting(&one.service, &two.service).into_iter().chain(nodes).min();
        let service = splits(service);
        let clients = one.clients.iter().zip(&two.clients);
        let clients: Vec<_> = clients.map(|(a, b)| splits(client_parting(a, b))).collect();
        let same_setup = runs
            .run_2
            .as_ref()
            .is_some_and(|run_2| differ_in_storage_only(&runs.run_1, run_2) || service.is_none());
        let same_cast = one.clients.len() == two.clients.len();
        shown.plan = if same_setup && same_cast { Plan::Shared } else { Plan::Stacked };
        let routes = one.flights.routes.iter();
        let same = routes.filter(|(ends, route)| two.flights.routes.get(ends) == Some(*route));
        shown.same_routes = same.map(|(ends, _)| *ends).collect();
        (shown.service_splits, shown.client_splits) = (service, clients);
        shown
    }

    /// Whether there are so many clients that the lanes of most are compact.
    pub fn is_crowded(&self) -> bool {
        is_crowded(&self.tracks)
    }

    /// The end of the page's time.
    pub fn ends_at(&self) -> SimTime {
        self.runs.ends_at()
    }

    /// The tracks of a run.
    pub fn run(&self, run: RunNo) -> Option<&RunTracks> {
        match run {
            RunNo::One => self.tracks.first(),
            RunNo::Two => self.tracks.get(1),
        }
    }

    /// The run whose tracks stand in a lane that both share: the longer one.
    pub fn longer(&self) -> RunNo {
        match self.tracks.as_slice() {
            [one, two] if two.ends_at > one.ends_at => RunNo::Two,
            _ => RunNo::One,
        }
    }

    /// The time to live of a run, the height of its tallest tooth.
    pub fn ttl(&self, run: RunNo) -> Option<SimDuration> {
        self.runs.run(run)?.scenario().ttl()
    }

    /// Whether all messages from one node to another are the same in both runs.
    pub fn is_same_route(&self, from: NodeId, to: NodeId) -> bool {
        self.same_routes.contains(&(from, to))
    }

    /// From when on a lane that both runs share differs.
    pub fn splits(&self, node: NodeId) -> Option<SimTime> {
        match (self.plan, node) {
            (Plan::Single | Plan::Stacked, _) | (_, NodeId::Store(_)) => None,
            (Plan::Shared, NodeId::Lock(_)) => self.service_splits,
            (Plan::Shared, NodeId::Client(client)) => self.client(client),
        }
    }

    fn client(&self, client: ClientId) -> Option<SimTime> {
        self.client_splits.get(client.index()).copied().flatten()
    }

    /// The same, without what lies behind `now`: what goes on then has no end yet, and what begins
    /// later is not there.
    pub fn known_at(&self, now: SimTime) -> Self {
        let known = self.tracks.iter().map(|tracks| known(tracks, now));
        let tracks = known.collect();
        let mut shown = Self::with(&self.runs, tracks, self.pace.clone(), self.matter);
        shown.plan = self.plan;
        shown.until = Some(now);
        shown
    }
}

/// Some of the clients.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Clients(u8);

impl Clients {
    /// Whether one is among them.
    pub fn holds(self, client: ClientId) -> bool {
        1_u8.checked_shl(u32::from(client.0)).is_some_and(|bit| self.0 & bit != 0)
    }

    /// The same with one more, or without it.
    pub fn toggled(self, client: ClientId) -> Self {
        Self(self.0 ^ 1_u8.checked_shl(u32::from(client.0)).unwrap_or(0))
    }
}

/// More clients have compact lanes, but for those that matter.
const MOST_FULL_LANES: usize = 4;

fn is_crowded(tracks: &[RunTracks]) -> bool {
    tracks.iter().any(|run| run.clients.len() > MOST_FULL_LANES)
}

/// Who does damage, is refused or writes late, and whose value that replaced or would have; in runs
/// without such a write, who holds the lock where the page opens.
fn matter(runs: &Runs, tracks: &[RunTracks]) -> Clients {
    let kinds = [
        MarkKind::Damage,
        MarkKind::EffectTwice,
        MarkKind::Refused,
        MarkKind::RefusedRightful,
        MarkKind::Late,
    ];
    let first = |kind: &MarkKind| {
        let stores = tracks.iter().flat_map(|run| &run.stores);
        let marks = stores.filter_map(|store| Some((store, store.marks.get(kind)?.first()?)));
        marks.min_by_key(|(_, mark)| mark.at)
    };
    let Some((store, mark)) = kinds.iter().find_map(first) else {
        let at = runs.opens_at();
        let leases = tracks.iter().flat_map(|run| &run.service);
        let holder = leases.into_iter().rfind(|lease| lease.from <= at);
        return holder.map_or(Clients::default(), |it| Clients::default().toggled(it.client));
    };
    let n_before = store.values.partition_point(|value| value.from < mark.at);
    let over = n_before.checked_sub(1).and_then(|last| store.values.get(last));
    let writer = Clients::default().toggled(mark.client);
    match over.map(|value| value.client).filter(|other| *other != mark.client) {
        Some(other) => writer.toggled(other),
        None => writer,
    }
}

/// Whether two runs have the same set-up but for the storage's.
fn differ_in_storage_only(one: &Recording, two: &Recording) -> bool {
    let (one, two) = (one.scenario().spec(), two.scenario().spec());
    one.lock == two.lock
        && one.lease == two.lease
        && one.latency == two.latency
        && one.defaults == two.defaults
        && one.clients == two.clients
        && one.faults == two.faults
}

/// From when on two lists of stretches differ.
fn parting<T: Span + Eq>(one: &[T], two: &[T]) -> Option<SimTime> {
    let differing = one.iter().zip(two).find(|(a, b)| a != b);
    if let Some((a, b)) = differing {
        let ends = a.from() == b.from() && a.to() != b.to();
        return Some(if ends { a.to().min(b.to()) } else { a.from().min(b.from()) });
    }
    let shorter = one.len().min(two.len());
    let rest = one.get(shorter).or_else(|| two.get(shorter))?;
    Some(rest.from())
}

fn node_parting(one: &NodeTracks, two: &NodeTracks) -> Option<SimTime> {
    let spans = parting(&one.spans, &two.spans);
    spans.into_iter().chain(parting(&one.incidents, &two.incidents)).min()
}

fn client_parting(one: &ClientTracks, two: &ClientTracks) -> Option<SimTime> {
    let all = [
        parting(&one.teeth, &two.teeth),
        parting(&one.beliefs, &two.beliefs),
        parting(&one.waits, &two.waits),
        parting(&one.pauses, &two.pauses),
        parting(&one.deaths, &two.deaths),
        parting(&one.incidents, &two.incidents),
    ];
    all.into_iter().flatten().min()
}

fn known(tracks: &RunTracks, now: SimTime) -> RunTracks {
    let end = tracks.ends_at;
    let mut known = tracks.clone();
    known.service.retain(|lease| lease.from <= now);
    known_incidents(&mut known.service_incidents, now);
    for lease in known.service.iter_mut().filter(|lease| lease.to > now) {
        (lease.to, lease.ended) = (end, None);
    }
    for node in &mut known.nodes {
        known_node(node, now, end);
    }
    for client in &mut known.clients {
        known_client(client, now, end);
    }
    for store in &mut known.stores {
        known_store(store, now, end);
    }
    for route in known.flights.routes.values_mut() {
        route.known_at(now);
    }
    known
}

fn known_node(node: &mut NodeTracks, now: SimTime, end: SimTime) {
    node.spans.retain(|span| span.from <= now);
    for span in node.spans.iter_mut().filter(|span| span.to > now) {
        (span.to, span.ended) = (end, false);
        if let NodeDoes::Key { how, .. } = &mut span.what {
            *how = None;
        }
    }
    known_incidents(&mut node.incidents, now);
}

fn known_client(client: &mut ClientTracks, now: SimTime, end: SimTime) {
    client.teeth.retain(|tooth| tooth.from <= now);
    // The time that is left is known ahead, as long as the lease is.
    for tooth in client.teeth.iter_mut().filter(|tooth| tooth.to > now) {
        tooth.to = now;
    }
    client.beliefs.retain(|belief| belief.from <= now);
    for belief in client.beliefs.iter_mut().filter(|belief| belief.to > now) {
        belief.to = now;
        belief.false_from = belief.false_from.filter(|&from| from <= now);
        belief.ended = false;
    }
    client.waits.retain(|wait| wait.from <= now);
    client.waits.iter_mut().for_each(|wait| wait.to = wait.to.min(now));
    client.pauses.retain(|pause| pause.from <= now);
    for pause in client.pauses.iter_mut().filter(|pause| pause.to > now) {
        (pause.to, pause.open) = (now, true);
    }
    client.polls.retain(|at| *at <= now);
    client.lost.retain(|at| *at <= now);
    client.tokens.retain(|(since, _)| *since <= now);
    client.deaths.retain(|death| death.from <= now);
    for death in client.deaths.iter_mut().filter(|death| death.to > now) {
        (death.to, death.restarted) = (end, false);
    }
    known_incidents(&mut client.incidents, now);
}

fn known_incidents(incidents: &mut Vec<Incident>, now: SimTime) {
    incidents.retain(|incident| incident.from <= now);
    for incident in incidents.iter_mut().filter(|incident| incident.to > now) {
        (incident.to, incident.open) = (now, true);
    }
}

fn known_store(store: &mut StoreTracks, now: SimTime, end: SimTime) {
    for marks in store.marks.values_mut() {
        marks.retain(|mark| mark.at <= now);
    }
    store.values.retain(|value| value.from <= now);
    for value in &mut store.values {
        if value.to > now {
            (value.to, value.torn) = (end, false);
        }
        value.kept = value.kept.filter(|&kept| kept <= now);
    }
    store.highest.retain(|raise| raise.at <= now);
    known_incidents(&mut store.incidents, now);
}

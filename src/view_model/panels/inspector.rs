//! What is so at the playhead: one card for each client, the lock service and each storage, plain
//! data. Figures that run with the playhead (time left, time ago) are counters, so that
//! they can be written without making the card again.

use crate::sim::fact::LeaseEnd;
use crate::sim::id::{ClientId, FencingToken, LockNodeId, NodeId, StoreId};
use crate::sim::lock::{LOCK_SERVICE, TokenWorth};
use crate::sim::recording::Recording;
use crate::sim::scenario::{ExpiryJudge, PauseScope, Wait};
use crate::sim::time::{ClockShift, SimDuration, SimTime};
use crate::sim::world::{ClientState, Holder, ItemEnd, LeaseState, LockNodeState, Phase, World};
use crate::view_model::facts::stopped_for_good;
use crate::view_model::runs::labels;
use crate::view_model::words::names::Words;
use crate::view_model::words::struck::shift as shift_words;

use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::words::wording::{self, time};

/// A client counts as just woken for so long.
const JUST: SimDuration = SimDuration::from_secs(1);

/// One card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// Whose it is: `Client A`.
    pub title: String,
    /// What it is at: `holds 34`.
    pub status: String,
    /// More, a line each.
    pub lines: Vec<Line>,
    /// The picture beside it.
    pub figure: Figure,
}

/// The picture of a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Figure {
    /// A ring that shrinks with the time left.
    Ring(Ring),
    /// The lock service.
    Service,
    /// A storage.
    Storage,
}

/// A ring that shrinks with the time left of a lease.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ring {
    /// The client's letter, in its middle.
    pub letter: String,
    /// The token's colour.
    pub color: Option<TokenColor>,
    /// From when to when the lease runs; `None`: no lease, the ring is empty.
    pub lease: Option<(SimTime, Option<SimTime>)>,
}

impl Ring {
    /// How much of the lease is left at `now`, in thousandths.
    pub fn left(&self, now: SimTime) -> u32 {
        match self.lease {
            None => 0,
            Some((_, None)) => 1000,
            Some((from, Some(until))) => {
                let whole = until.since(from).micros().max(1);
                let left = until.since(now).micros().min(whole);
                u32::try_from(left * 1000 / whole).unwrap_or(1000)
            }
        }
    }
}

/// A line of a card; a counter may stand in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The run that it and the lines after it are about, where the two differ.
    pub run: Option<String>,
    /// Before the counter.
    pub before: String,
    /// The counter.
    pub counter: Option<Counter>,
    /// After it.
    pub after: String,
}

/// A figure that runs with the playhead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counter {
    /// The time until this instant.
    Until(SimTime),
    /// The time since this instant.
    Since(SimTime),
}

impl Counter {
    /// What it shows at `now`.
    pub fn text(self, now: SimTime) -> String {
        match self {
            Self::Until(until) => wording::counter(until.since(now)),
            Self::Since(since) => wording::counter(now.since(since)),
        }
    }
}

impl Line {
    fn plain(text: impl Into<String>) -> Self {
        Self { run: None, before: text.into(), counter: None, after: String::new() }
    }

    fn counting(before: &str, counter: Counter, after: impl Into<String>) -> Self {
        Self { run: None, before: before.to_owned(), counter: Some(counter), after: after.into() }
    }
}

/// The cards at `now`; where the future is `hidden` they do not say when what goes on will end.
pub fn cards(runs: &Runs, now: SimTime, hidden: bool) -> Vec<Card> {
    let seen: Vec<Seen> = runs
        .shown()
        .map(|(run, recording)| Seen {
            run,
            recording,
            world: recording.world_at(now),
            hidden,
            now,
        })
        .collect();
    // The two runs may differ in who takes part.
    let most = |count: fn(&World) -> usize| seen.iter().map(|s| count(&s.world)).max();
    let n_clients = most(|world| world.clients.len()).unwrap_or(0);
    let n_stores = most(|world| world.stores.len()).unwrap_or(0);
    let mut cards = Vec::new();
    for index in 0..n_clients {
        let client = ClientId(u8::try_from(index).expect("at most limits::MAX_CLIENTS"));
        cards.extend(merged(runs, &seen, |s| client_card(&runs.words, client, s, now)));
    }
    cards.extend(merged(runs, &seen, |s| Some(service_card(runs, s))));
    for index in 0..n_stores {
        let of = |s: &Seen| store_card(&runs.words, index, s);
        cards.extend(merged(runs, &seen, of));
    }
    cards
}

/// A run, and what is so in it at the playhead.
struct Seen<'a> {
    run: RunNo,
    recording: &'a Recording,
    world: World,
    /// Whether what comes is not to be told.
    hidden: bool,
    now: SimTime,
}

/// One card where the runs agree; where they do not, Run 1's with the lines of both.
fn merged(runs: &Runs, seen: &[Seen], of: impl Fn(&Seen) -> Option<Card>) -> Option<Card> {
    let made = seen.iter().filter_map(|seen| Some((seen.run, of(seen)?)));
    let made: Vec<(RunNo, Card)> = made.collect();
    let (_, first) = made.first()?;
    if made.iter().all(|(_, card)| card == first) {
        return Some(first.clone());
    }
    let same_status = made.iter().all(|(_, card)| card.status == first.status);
    let mut card = first.clone();
    card.lines.clear();
    if made.iter().any(|(_, other)| other.title != first.title) {
        card.title = LOCK_SERVICE.to_owned();
    }
    if !same_status {
        card.status = String::new();
    }
    let label = |run| labels::run_label(runs, run);
    // A name that takes more than half of a line leaves no room for what is so.
    let is_long = made.iter().any(|(run, _)| label(*run).chars().count() > 16);
    for (run, of_run) in made {
        let mut lines = of_run.lines;
        if !same_status {
            lines.insert(0, Line::plain(of_run.status));
        }
        if lines.is_empty() {
            lines.push(Line::plain("nothing more"));
        }
        lines[0].run = Some(if is_long { run.name().to_owned() } else { label(run) });
        card.lines.extend(lines);
    }
    Some(card)
}

/// Whether what is handed out tells old from new. Random values and names are no tokens.
fn has_tokens(recording: &Recording) -> bool {
    recording.scenario().rules().worth == TokenWorth::Ordered
}

/// What a client holds: a token, or the lock alone.
fn what(recording: &Recording, token: FencingToken) -> String {
    if has_tokens(recording) { token.to_string() } else { "the lock".to_owned() }
}

fn client_card(words: &Words, client: ClientId, seen: &Seen, now: SimTime) -> Option<Card> {
    let state = seen.world.clients.get(client.index())?;
    let lease = state.lease.filter(|lease| lease.ended.is_none());
    let ended = match state.phase {
        Phase::Done { holding: false } if state.crashed.is_none() => {
            stopped_for_good(seen.recording, client, seen.world.n_entries)
        }
        _ => None,
    };
    let mut more = lines(seen, state, lease);
    if ended == Some(true) {
        more.push(Line::plain("its work is unfinished"));
    }
    more.extend(befallen(state, &seen.world));
    let polls = polls(seen.recording, client);
    let grant = state.belief.map(|belief| belief.grant).or(lease.map(|lease| lease.grant));
    Some(Card {
        title: words.client(client),
        status: match ended {
            Some(_) => "stopped: it lost the lock".to_owned(),
            None => status(seen.recording, state, (lease, now), polls),
        },
        lines: more,
        figure: Figure::Ring(Ring {
            letter: words.letter(client),
            color: grant.map(TokenColor::of),
            lease: lease.map(|lease| (lease.runs_from, lease.until)),
        }),
    })
}

/// Whether a client that waits asks again instead of standing in the queue.
fn polls(recording: &Recording, client: ClientId) -> bool {
    let scenario = recording.scenario();
    let own = scenario.clients().get(client.index());
    let rules = scenario.rules();
    rules.expiry != ExpiryJudge::Service
        || !rules.has_queue
        || own.is_some_and(|own| matches!(own.settings.wait, Wait::Poll { .. }))
}

/// What has befallen a client beside pauses and crashes.
fn befallen(state: &ClientState, world: &World) -> Vec<Line> {
    let mut lines = Vec::new();
    let names_it = world.service.holder().zip(state.lease);
    let is_held = names_it.is_some_and(|(holder, lease)| holder.grant == lease.grant);
    if state.worker_crashed.is_some() && state.crashed.is_none() && is_held {
        lines.push(Line::plain("its renewer goes on renewing"));
    }
    let over = names_it.filter(|_| is_held).and_then(|(holder, _)| holder.over);
    if let Some(over) = over {
        lines.push(Line::counting("over, not ended, for ", Counter::Since(over), ""));
    }
    lines.extend(shifted(state.shift));
    lines
}

/// How far a clock was set; nothing if it was not.
fn shifted(shift: ClockShift) -> Option<Line> {
    let is_set = shift.micros() != 0;
    is_set.then(|| Line::plain(format!("clock set {}", shift_words(shift))))
}

fn status(
    recording: &Recording,
    state: &ClientState,
    (lease, now): (Option<LeaseState>, SimTime),
    polls: bool,
) -> String {
    if let Some(since) = state.crashed {
        return format!("down since {}", time(since));
    }
    if let Some(since) = state.worker_crashed {
        return format!("worker dead since {}", time(since));
    }
    if let Some(pause) = state.pause_of(PauseScope::Worker) {
        let what = match state.paused[PauseScope::Client as usize] {
            Some(_) => "paused",
            None => "worker paused",
        };
        return format!("{what} since {}", time(pause.since));
    }
    if state.woke_at.is_some_and(|at| now.since(at) < JUST) {
        return "just woke".to_owned();
    }
    let holds = lease.zip(state.belief).filter(|(lease, b)| lease.grant == b.grant);
    match (holds, state.belief) {
        (Some((lease, _)), _) => format!("holds {}", what(recording, lease.token)),
        (None, Some(_)) => "holds nothing".to_owned(),
        (None, None) if polls && state.phase == Phase::Waiting => "waits, asks again".to_owned(),
        (None, None) => phase(state.phase).to_owned(),
    }
}

/// What a worker without a belief is at.
fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle => "idle",
        Phase::Asking => "asks for the lock",
        Phase::Waiting => "waits in the queue",
        Phase::Buffered { .. } => "has not begun",
        Phase::Sealing => "raises the fence",
        Phase::Reading => "reads",
        Phase::Working { .. } => "works",
        Phase::Checking => "checks its lease",
        Phase::Acting => "acts outside",
        Phase::Writing => "waits for the storage",
        Phase::Releasing => "gives the lock back",
        Phase::Done { .. } => "done",
    }
}

fn lines(seen: &Seen, state: &ClientState, lease: Option<LeaseState>) -> Vec<Line> {
    let mut lines = Vec::new();
    match (state.belief, lease, state.lease.and_then(|l| l.ended)) {
        (Some(belief), None, Some((ended, how, _))) => {
            let held = what(seen.recording, belief.token);
            let before = format!("believes it holds {held}; its lease {} ", gone(how));
            // That matters more than what it is at, and there is room for one of them.
            return vec![Line::counting(&before, Counter::Since(ended), " ago")];
        }
        (None, Some(lease), _) if state.crashed.is_some() => {
            lines.push(match lease.until {
                Some(until) => {
                    Line::counting("its lease still runs for ", Counter::Until(until), "")
                }
                None if has_tokens(seen.recording) => {
                    Line::plain(format!("the lock is still its, with {}", lease.token))
                }
                None => Line::plain("the lock is still its"),
            });
        }
        (None, Some(lease), _) => {
            let text = format!("granted {}, does not know yet", what(seen.recording, lease.token));
            lines.push(Line::plain(text));
        }
        (Some(_), Some(lease), _) => lines.push(time_left(seen.recording, &lease)),
        (Some(_), None, None) | (None, None, _) => {}
    }
    if state.belief.is_some() && state.crashed.is_none() {
        match state.phase {
            Phase::Buffered { .. } | Phase::Working { .. } if seen.hidden => {
                lines.push(Line::plain(phase(state.phase)));
            }
            Phase::Buffered { until } if until <= seen.now => {
                lines.push(Line::plain(phase(state.phase)));
            }
            Phase::Buffered { until } => {
                lines.push(Line::plain(format!("begins its work at {}", time(until))));
            }
            // Who was stopped goes on later than it meant to.
            Phase::Working { until, .. } if until <= seen.now => {
                lines.push(Line::plain(phase(state.phase)));
            }
            Phase::Working { until, .. } => {
                let text = format!("works until {}", time(until));
                lines.push(Line::plain(text));
            }
            Phase::Done { holding: true } => lines.push(Line::plain("its work is done")),
            Phase::Sealing | Phase::Reading | Phase::Checking | Phase::Acting | Phase::Writing => {
                lines.push(Line::plain(phase(state.phase)));
            }
            Phase::Idle
            | Phase::Asking
            | Phase::Waiting
            | Phase::Releasing
            | Phase::Done { holding: false } => {}
        }
    }
    lines
}

fn gone(how: LeaseEnd) -> &'static str {
    match how {
        LeaseEnd::Expired => "ended",
        LeaseEnd::Released => "was given back",
        LeaseEnd::ReleasedBy(_) => "was given away",
        LeaseEnd::Settled(_) => "was settled",
        LeaseEnd::TakenOver => "was taken over",
        LeaseEnd::Disconnected => "ended with the connection",
        LeaseEnd::Forgotten => "was forgotten",
        LeaseEnd::Overtaken => "was overtaken",
    }
}

fn time_left(recording: &Recording, lease: &LeaseState) -> Line {
    let granted = recording.grant(lease.grant).map(|record| record.at);
    let how = match granted == Some(lease.runs_from) {
        true => "granted",
        false => "renewed",
    };
    let from = format!(" left, {how} at {}", time(lease.runs_from));
    match lease.until {
        Some(until) => Line::counting("", Counter::Until(until), from),
        None => Line::plain("without a time to live"),
    }
}

/// What is unusual at the lock service's nodes; of several, which one, and how many keys are set.
fn node_lines(words: &Words, world: &World, hidden: bool) -> Vec<Line> {
    let nodes = &world.service.nodes;
    let mut lines = Vec::new();
    let keys = nodes.iter().filter_map(LockNodeState::key);
    let mut count = std::collections::BTreeMap::new();
    keys.for_each(|client| *count.entry(client).or_insert(0) += 1);
    for (client, n_keys) in count {
        lines.push(Line::plain(format!(
            "{client}: {n_keys} of {} keys",
            nodes.len(),
            client = words.short(client)
        )));
    }
    for (node, number) in nodes.iter().zip(1..) {
        let which = match nodes.len() {
            1 => String::new(),
            _ => format!("node {number}: "),
        };
        if let Some(until) = node.stopped_until {
            let text = match hidden {
                true => "down".to_owned(),
                false => format!("down until {}", time(until)),
            };
            lines.push(Line::plain(format!("{which}{text}")));
        }
        lines.extend(shifted(node.shift).map(|line| Line::plain(which.clone() + &line.before)));
    }
    lines
}

fn service_card(runs: &Runs, seen: &Seen<'_>) -> Card {
    let (words, world, hidden) = (runs.words_in(seen.run), &seen.world, seen.hidden);
    let has_tokens = has_tokens(seen.recording);
    let is_for_item = seen.recording.scenario().rules().item.is_some();
    let queue: Vec<_> = world.service.queue.iter().map(|client| words.short(client)).collect();
    let mut waiting = match queue.is_empty() {
        true => Vec::new(),
        false => vec![Line::plain(format!("queue: {}", queue.join(", ")))],
    };
    let named = |holder: &Holder| match (has_tokens, words.short(holder.client)) {
        (true, client) => format!("{} → {client}", holder.token),
        (false, client) => format!("lock to {client}"),
    };
    let others = world.service.holders.iter().rev().skip(1);
    let mut lines: Vec<Line> =
        others.map(|holder| Line::plain(format!("also {}", named(holder)))).collect();
    let over = world.service.holder().and_then(|holder| holder.over);
    lines.extend(over.map(|over| {
        Line::counting("its time is over for ", Counter::Since(over), ", and it has not ended")
    }));
    let delivery = world.service.holder().filter(|_| is_for_item);
    lines.extend(delivery.map(|holder| Line::plain(format!("delivery {}", holder.grant.0))));
    lines.extend(node_lines(words, world, hidden));
    lines.append(&mut waiting);
    Card {
        title: words.node(NodeId::Lock(LockNodeId(0))),
        status: match (world.service.holder(), world.service.closed) {
            (Some(holder), _) => named(&holder),
            (None, Some(ItemEnd::Done(by))) => {
                format!("the item is done, as {} says", words.short(by))
            }
            (None, Some(ItemEnd::Dead)) => "the item is dead".to_owned(),
            (None, None) => "the lock is free".to_owned(),
        },
        lines,
        figure: Figure::Service,
    }
}

fn store_card(words: &Words, index: usize, seen_in: &Seen) -> Option<Card> {
    let (store, recording) = (seen_in.world.stores.get(index)?, seen_in.recording);
    // Random values and names have no order, and none of them is the highest.
    let worth = recording.scenario().rules().worth;
    let seen = if worth == TokenWorth::Ordered { "highest seen" } else { "has seen" };
    let id = StoreId(u8::try_from(index).expect("at most limits::MAX_STORES"));
    let value = store.value.map_or("no value yet".to_owned(), |value| {
        format!("{}'s value", words.short(value.write.client))
    });
    let highest = match store.highest {
        _ if recording.scenario().cannot_fence().is_some() => "no fence possible".to_owned(),
        None => "no token seen".to_owned(),
        Some((token, _)) => format!("{seen} {token}"),
    };
    Some(Card {
        title: words.node(NodeId::Store(id)),
        status: highest,
        lines: std::iter::once(Line::plain(value)).chain(shifted(store.shift)).collect(),
        figure: Figure::Storage,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_shrinks_from_full_to_empty() {
        let at = SimTime::from_millis;
        let ring =
            Ring { letter: "A".to_owned(), color: None, lease: Some((at(200), Some(at(10_200)))) };
        assert_eq!(ring.left(at(200)), 1000);
        assert_eq!(ring.left(at(5_200)), 500);
        assert_eq!(ring.left(at(10_200)), 0);
        assert_eq!(ring.left(at(0)), 1000);
    }

    #[test]
    fn counters_run_with_the_playhead() {
        let at = SimTime::from_millis;
        assert_eq!(Counter::Since(at(10_200)).text(at(17_100)), "6.90 s");
        assert_eq!(Counter::Until(at(27_066)).text(at(17_100)), "9.97 s");
    }
}

//! The event list, as plain data: which moments pass the filters near the playhead, and what each
//! line shows. Bounded, whatever the length of the run.

use crate::sim::fact::Fact;
use crate::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use crate::sim::log::LogEntry;
use crate::sim::property::WriteStatus;
use crate::sim::time::SimTime;

use crate::view_model::facts::harm::{self, Harm};
use crate::view_model::facts::{MomentKind, listed};
use crate::view_model::runs::moment::{Moment, RunNo};
use crate::view_model::sentences::describe;

use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::runs::Runs;
use crate::view_model::sentences::verdict::Tone;
use crate::view_model::words::wording;

pub use crate::view_model::words::listing::Mark;

/// Lines that are shown at once: more than anybody reads, few enough to draw at once.
pub const MAX_ROWS: u32 = 240;
/// Moments that are looked at in each direction, so that a filter that nothing passes ends, too.
const MAX_SCAN: u32 = 50_000;

/// What the list shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Only events at, or about, this node.
    pub actor: Option<NodeId>,
    /// Which kinds, in the order of [`MomentKind::ALL`].
    pub kinds: [bool; 6],
}

impl Default for Filter {
    /// Everything but routine renewals: they fill the list and tell nothing.
    fn default() -> Self {
        Self { actor: None, kinds: MomentKind::ALL.map(|kind| kind != MomentKind::Renewal) }
    }
}

impl Filter {
    fn passes(&self, runs: &Runs, moment: &Moment) -> bool {
        let kind = runs.kind_of(moment);
        let place = MomentKind::ALL.iter().position(|of| *of == kind);
        if !place.is_some_and(|place| self.kinds[place]) {
            return false;
        }
        let Some(actor) = self.actor else { return true };
        let entries = runs.entries_of(moment).into_iter().flatten();
        let mut concerns = entries.map(|e| e.node() == actor || describe::actor(e) == actor);
        concerns.any(|concerned| concerned)
    }
}

/// Everybody that the list can be filtered by.
pub fn actors(runs: &Runs) -> Vec<NodeId> {
    let most = |count: fn(&crate::sim::Scenario) -> u8| {
        let counts = runs.shown().map(|(_, run)| count(run.scenario()));
        counts.max().unwrap_or(0)
    };
    let clients = (0..most(crate::sim::Scenario::n_clients)).map(|n| NodeId::Client(ClientId(n)));
    let stores = (0..most(|scenario| scenario.storage().stores)).map(StoreId);
    let service = std::iter::once(NodeId::Lock(LockNodeId(0)));
    clients.chain(service).chain(stores.map(NodeId::Store)).collect()
}

/// One line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The moment's index.
    pub index: u32,
    /// When.
    pub at: SimTime,
    /// The time as text.
    pub time: String,
    /// What is drawn in front.
    pub mark: Mark,
    /// In which token's colour, if in any.
    pub color: Option<TokenColor>,
    /// How loud.
    pub tone: Tone,
    /// One line, or one for each run.
    pub lines: Vec<String>,
}

/// The lines around a position, and whether there are more before and after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// In time order.
    pub rows: Vec<Row>,
    /// There may be more before the first.
    pub more_before: bool,
    /// There may be more after the last.
    pub more_after: bool,
}

/// The lines that pass a filter, at most [`MAX_ROWS`] around the moment `around`.
pub fn rows(runs: &Runs, filter: &Filter, around: u32) -> Rows {
    let n_moments = runs.moments.n_moments();
    let all = n_moments <= MAX_ROWS;
    let (half, around) = match all {
        true => (MAX_ROWS, 0),
        false => (MAX_ROWS / 2, around.min(n_moments)),
    };
    let pick = |index: u32| {
        let moment = runs.moments.get(index)?;
        filter.passes(runs, &moment).then_some((index, moment))
    };
    let scan_from = around.saturating_sub(MAX_SCAN);
    let scan_to = n_moments.min(around.saturating_add(MAX_SCAN));
    let take = half as usize;
    let mut picked: Vec<_> = (scan_from..around).rev().filter_map(pick).take(take).collect();
    let more_before = picked.len() == take || scan_from > 0;
    picked.reverse();
    let n_before = picked.len();
    picked.extend((around..scan_to).filter_map(pick).take(take));
    let more_after = !all && (picked.len() - n_before == take || scan_to < n_moments);
    Rows {
        rows: picked.into_iter().map(|(index, m)| row(runs, index, &m)).collect(),
        more_before: more_before && around > 0,
        more_after,
    }
}

fn row(runs: &Runs, index: u32, moment: &Moment) -> Row {
    let entries = runs.entries_of(moment);
    let marks = RunNo::ALL.into_iter().zip(entries).filter_map(|(run, entry)| {
        let entry = entry?;
        Some((mark(runs, run, entry), color(runs, run, entry)))
    });
    let loudest = marks.max_by_key(|(mark, _)| (tone(*mark), *mark == Mark::Refused));
    let (mark, color) = loudest.unwrap_or((Mark::Work, None));
    Row {
        index,
        at: moment.at,
        time: wording::time(moment.at),
        mark,
        color,
        tone: tone(mark),
        lines: describe::moment(runs, moment),
    }
}

fn tone(mark: Mark) -> Tone {
    match mark {
        Mark::Damage => Tone::Damage,
        Mark::Warning => Tone::Warning,
        Mark::Grant
        | Mark::Wait
        | Mark::LeaseEnd
        | Mark::Belief
        | Mark::Work
        | Mark::Sent
        | Mark::Accepted
        | Mark::Refused
        | Mark::Renewal
        | Mark::Pause
        | Mark::Wake
        | Mark::Crash => Tone::Plain,
    }
}

/// The mark of its kind, unless what it was judged to be is louder.
fn mark(runs: &Runs, run: RunNo, entry: &LogEntry) -> Mark {
    let mark = listed(&entry.fact).mark;
    let (Fact::Store(_, fact), Some(recording)) = (entry.fact, runs.run(run)) else {
        return mark;
    };
    if fact.act().is_some_and(|act| !act.again) {
        return if harm::is_second_effect(recording, entry) { Mark::Damage } else { mark };
    }
    let Some(judged) = recording.write(entry.seq) else {
        return mark;
    };
    match (mark, harm::of_write(judged)) {
        (Mark::Accepted, Harm::Damage) => Mark::Damage,
        (Mark::Accepted, Harm::Late) => Mark::Warning,
        (Mark::Refused, _) if judged.seen_before => Mark::Refused,
        (Mark::Refused, _) if judged.status == WriteStatus::Rightful => Mark::Warning,
        (mark, _) => mark,
    }
}

/// The colour of the token that an event is about; events of no token have none.
fn color(runs: &Runs, run: RunNo, entry: &LogEntry) -> Option<TokenColor> {
    let about = entry.fact.about();
    // Who presents a token was granted it before, mostly a moment ago: a run has many grants.
    let of_token = |token| {
        let grants = runs.run(run)?.grants();
        let n_before = grants.partition_point(|record| record.at <= entry.at);
        let record = grants[..n_before].iter().rev().find(|record| record.token == token)?;
        Some(record.grant)
    };
    about.grant.or_else(|| about.token.and_then(of_token)).map(TokenColor::of)
}

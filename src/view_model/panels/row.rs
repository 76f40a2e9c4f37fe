//! The event list, as plain data: which moments pass the filters near the playhead, and what each
//! line shows. Bounded, whatever the length of the run.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::sim::fact::Fact;
use crate::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use crate::sim::log::LogEntry;
use crate::sim::property::WriteStatus;
use crate::sim::time::SimTime;

use crate::view_model::facts::harm::{self, Harm};
use crate::view_model::facts::routine::Again;
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
    /// Everything; what is routine is one line.
    fn default() -> Self {
        Self { actor: None, kinds: [true; 6] }
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
    /// Whether it stands for what is routine, and whether that is listed below it.
    pub group: Option<bool>,
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

/// The lines that pass a filter, at most [`MAX_ROWS`] around the moment `around`. What somebody
/// does again and again until something else of theirs happens is one line; those that begin with
/// a moment in `open` are listed singly, too. Of all moments the first `known` are told.
pub fn rows(runs: &Runs, filter: &Filter, around: u32, open: &[u32], known: u32) -> Rows {
    let n_moments = runs.moments.n_moments().min(known);
    let all = runs.moments.n_telling() <= MAX_ROWS && n_moments <= MAX_SCAN;
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
    // What is routine is looked at and takes no line of its own.
    let taken = |room: u32| {
        let mut left = room;
        move |(index, _): &(u32, Moment)| {
            let is_routine = runs.moments.is_routine(*index);
            left = left.saturating_sub(u32::from(!is_routine));
            left > 0 || is_routine
        }
    };
    let mut picked: Vec<_> =
        (scan_from..around).rev().filter_map(pick).take_while(taken(half + 1)).collect();
    let is_first = |picked: &[(u32, Moment)]| picked.last().is_none_or(|(index, _)| *index == 0);
    let more_before = !is_first(&picked) || scan_from > 0;
    picked.reverse();
    let after: Vec<_> = (around..scan_to).filter_map(pick).take_while(taken(half + 1)).collect();
    let more_after = !all && after.last().is_some_and(|(index, _)| index + 1 < n_moments);
    picked.extend(after);
    Rows { rows: grouped(runs, picked, open), more_before: more_before && around > 0, more_after }
}

/// The line that a moment stands in: its own, or that of what is routine; where neither is listed,
/// the last one before.
pub fn line_of<'a>(rows: &'a [Rc<Row>], runs: &Runs, index: u32) -> Option<&'a Rc<Row>> {
    let again = |index: u32| {
        let routine = runs.moments.is_routine(index).then(|| runs.moments.get(index))??;
        runs.again(&routine)
    };
    let mut latest_first = rows.iter().rev().filter(|row| row.index <= index);
    let whose = again(index);
    let is_it = |row: &&Rc<Row>| {
        row.index == index || (row.group.is_some() && whose.is_some() && again(row.index) == whose)
    };
    let line = latest_first.clone().find(is_it);
    line.or_else(|| latest_first.next())
}

/// A line for what is routine, while it grows.
struct Group {
    row: usize,
    n: u32,
    open: bool,
}

/// What somebody does again and again becomes one line, where it first happens.
fn grouped(runs: &Runs, picked: Vec<(u32, Moment)>, open: &[u32]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut groups: BTreeMap<(NodeId, Again), Group> = BTreeMap::new();
    let mut counts: Vec<(usize, u32, NodeId, Again)> = Vec::new();
    for (index, moment) in picked {
        if !runs.moments.is_routine(index) {
            let entries = runs.entries_of(&moment).into_iter().flatten();
            // Something else of theirs: what follows is another line.
            for who in entries.map(describe::actor) {
                for again in Again::ALL {
                    let group = groups.remove(&(who, again));
                    counts.extend(group.map(|group| (group.row, group.n, who, again)));
                }
            }
            rows.push(row(runs, index, &moment));
            continue;
        }
        let Some((who, again)) = runs.again(&moment) else { continue };
        let group = groups.entry((who, again)).or_insert_with(|| {
            let open = open.contains(&index);
            rows.push(Row { group: Some(open), ..row(runs, index, &moment) });
            Group { row: rows.len() - 1, n: 0, open }
        });
        group.n += u32::from(is_request(runs, &moment));
        if group.open {
            rows.push(row(runs, index, &moment));
        }
    }
    counts.extend(groups.into_iter().map(|((who, again), it)| (it.row, it.n, who, again)));
    for (row, n, who, again) in counts {
        let who = match who {
            NodeId::Client(client) => runs.words.short(client),
            other => runs.words.actor(other),
        };
        let n = n.max(1);
        let plural = if n == 1 { "" } else { "s" };
        rows[row].lines = vec![match again {
            Again::Polls => format!("{n} more poll{plural} by {who}"),
            Again::Renews => format!("{n} renewal{plural} by {who}"),
            Again::Loses => format!("{n} more message{plural} by {who} lost"),
        }];
        rows[row].mark = Mark::Renewal;
        rows[row].tone = Tone::Plain;
    }
    rows
}

/// How many questions for the lock tell nothing new, of the runs' first so many moments: what their
/// lines of the list stand for.
pub fn n_polls(runs: &Runs) -> u32 {
    let is_poll = |index: &u32| {
        let moment = runs.moments.get(*index);
        moment.is_some_and(|moment| {
            let again = runs.again(&moment).map(|(_, again)| again);
            again == Some(Again::Polls) && is_request(runs, &moment)
        })
    };
    let routine = 0..runs.moments.n_moments().min(MAX_SCAN);
    let polls = routine.filter(|index| runs.moments.is_routine(*index)).filter(is_poll);
    u32::try_from(polls.count()).unwrap_or(u32::MAX)
}

fn is_request(runs: &Runs, moment: &Moment) -> bool {
    let mut entries = runs.entries_of(moment).into_iter().flatten();
    entries.any(|entry| entry.fact.sending().is_some() || entry.fact.lost().is_some())
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
        group: None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    #[test]
    fn what_is_routine_is_one_line_that_opens() {
        let runs = Runs::of(&GALLERY[0].file()).expect("it is valid");
        let closed = rows(&runs, &Filter::default(), 0, &[], u32::MAX).rows;
        let groups: Vec<_> = closed.iter().filter(|row| row.group.is_some()).collect();
        assert!(groups.iter().any(|row| row.lines[0].ends_with("renewals by B")), "{groups:?}");
        let n_single = closed.len() - groups.len();
        assert_eq!(u32::try_from(n_single), Ok(runs.moments.n_telling()));
        let first = groups[0].index;
        let open = rows(&runs, &Filter::default(), 0, &[first], u32::MAX).rows;
        assert!(open.len() > closed.len());
        assert!(open.iter().any(|row| row.index == first && row.group == Some(true)));
        assert!(open.iter().any(|row| row.index == first && row.group.is_none()));
        let all = open.iter().filter(|row| row.group.is_none());
        assert!(all.clone().zip(all.skip(1)).all(|(a, b)| a.at <= b.at), "in time order");
    }

    #[test]
    fn the_line_that_is_marked_is_what_the_caption_speaks_of() {
        use crate::view_model::sentences::why::spoken_of;
        for entry in &GALLERY {
            let runs = Runs::of(&entry.file()).expect("it is valid");
            let lines = rows(&runs, &Filter::default(), 0, &[], u32::MAX).rows;
            let lines: Vec<_> = lines.into_iter().map(Rc::new).collect();
            if lines.len() > MAX_ROWS as usize / 2 {
                continue;
            }
            for n_moments in 1..=runs.moments.n_moments() {
                let spoken = spoken_of(&runs, n_moments).expect("there are moments");
                let line = line_of(&lines, &runs, spoken).expect("there are lines");
                let who = |index| runs.again(&runs.moments.get(index).expect("it is one"));
                match line.group {
                    None => assert_eq!(line.index, spoken, "{}", entry.id),
                    Some(_) => assert_eq!(who(line.index), who(spoken), "{}", entry.id),
                }
            }
        }
    }

    #[test]
    fn nothing_is_counted_that_is_not_known() {
        let runs = Runs::of(&GALLERY[0].file()).expect("it is valid");
        let known = runs.moments.n_until(SimTime::from_millis(17_000));
        let told = rows(&runs, &Filter::default(), 0, &[], known).rows;
        assert!(told.iter().all(|row| row.at <= SimTime::from_millis(17_000)));
        let all = rows(&runs, &Filter::default(), 0, &[], u32::MAX).rows;
        let renewals = |rows: &[Row]| -> Vec<String> {
            let groups = rows.iter().filter(|row| row.group.is_some());
            groups.map(|row| row.lines[0].clone()).collect()
        };
        assert_eq!(renewals(&told), ["2 renewals by B"]);
        assert_ne!(renewals(&told), renewals(&all));
    }

    #[test]
    fn counts_and_steps_go_past_what_is_routine() {
        for entry in &GALLERY {
            let runs = Runs::of(&entry.file()).expect("it is valid");
            let moments = &runs.moments;
            let (mut now, mut n_stops) =
                (SimTime::ZERO, moments.n_telling_of(moments.n_until(SimTime::ZERO)));
            while let Some(next) = moments.next_telling_after(now) {
                assert!(next > now, "{}", entry.id);
                assert!(moments.last_telling_before(next).is_none_or(|last| last <= now));
                now = next;
                let n = moments.n_telling_of(moments.n_until(now));
                assert!(n > n_stops, "{}", entry.id);
                n_stops = n;
            }
            assert_eq!(n_stops, moments.n_telling(), "{}", entry.id);
        }
    }
}

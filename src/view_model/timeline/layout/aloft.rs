//! What is in the air at an instant: messages that were sent and have not arrived, each on its
//! straight way from lane to lane, and how long a lease still lasts. What moves them is the page's.

use super::{Builder, DrawnRoute, TimelineLayout};
use crate::sim::fact::Sending;
use crate::sim::id::{ClientId, EntrySeq, FencingToken, NodeId};
use crate::sim::recording::Recording;
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::runs::moment::RunNo;
use crate::view_model::timeline::arrow::{Ends, has_split, touches_store};
use crate::view_model::timeline::lane::{ClientBands, tooth_level};
use crate::view_model::tracks::Tooth;
use crate::view_model::tracks::flight::Flight;
use crate::view_model::tracks::shown::{Plan, Shown};
use crate::view_model::words::message_row;
use crate::view_model::words::wording;

/// A message in the air.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Aloft {
    /// Who sent it, and to whom.
    pub ends: (NodeId, NodeId),
    /// When it was sent.
    pub sent: SimTime,
    /// When it arrives, or would have.
    pub arrives: SimTime,
    /// Where its way begins.
    pub start: (Px, Px),
    /// Where it ends.
    pub end: (Px, Px),
    /// The colour of the token that it carries.
    pub color: Option<TokenColor>,
    /// The client that sends it or that it is for; empty between two nodes of the service.
    pub letter: String,
    /// What it is, in a word or two; nothing is said of what is routine.
    pub label: Option<String>,
}

/// More at once cannot be told apart.
const MOST: usize = 32;

impl Aloft {
    /// How much of its way it has covered at an instant, in ten-thousandths: it is where the
    /// playhead is.
    pub fn covered(&self, scale: &TimeScale, at: SimTime) -> i32 {
        let at = at.clamp(self.sent, self.arrives);
        let whole = (self.end.0 - self.start.0).0.max(1);
        let covered = (scale.x(at) - self.start.0).0.clamp(0, whole);
        i32::try_from(i64::from(covered) * 10_000 / i64::from(whole)).unwrap_or(10_000)
    }

    /// Where it is at an instant.
    pub fn place(&self, scale: &TimeScale, at: SimTime) -> (Px, Px) {
        let covered = self.covered(scale, at);
        let along = |from: Px, to: Px| from + (to - from).share(covered, 10_000);
        (along(self.start.0, self.end.0), along(self.start.1, self.end.1))
    }
}

impl TimelineLayout {
    /// Whether what a message is stands beside its arrow already.
    pub fn says(&self, flight: &Aloft) -> bool {
        let Some(label) = &flight.label else { return false };
        let near = self.metrics.px(60);
        let (from, to) = (flight.start.0 - near, flight.end.0 + near);
        // With its sender or without.
        let is_it = |text: &str| {
            text.strip_suffix(label.as_str())
                .is_some_and(|who| who.is_empty() || who.ends_with(' '))
        };
        let stands = |rect: Rect| rect.x < to && rect.x + rect.w > from;
        self.labels.texts.iter().any(|text| is_it(&text.text) && stands(text.rect))
    }
}

/// The messages in the air at an instant: those that tell something first. `hidden`: nothing is
/// told of what a store will answer, also not by where a way ends.
pub fn aloft(shown: &Shown, layout: &TimelineLayout, at: SimTime, hidden: bool) -> Vec<Aloft> {
    let mut all: Vec<Aloft> = Vec::new();
    let builder = Builder::over(shown, layout);
    builder.routes(&mut |drawn| {
        let flying = drawn.route.in_the_air(at);
        for flight in flying.filter(|flight| (drawn.is_drawn)(flight)) {
            let mut ends = (drawn.ends)(flight);
            if hidden {
                let (from, to) = drawn.nodes;
                let down = touches_store(from, to);
                let to = builder.anchor(drawn.run, to, flight.arrives, down);
                (ends.to, ends.short) = (to.unwrap_or_default(), Px::ZERO);
            }
            all.push(of(shown, &layout.scale, drawn, flight, &ends));
        }
    });
    all.sort_by_key(|flight| flight.label.is_none());
    // Polls of several nodes at once are one dot.
    let mut apart: Vec<Aloft> = Vec::new();
    for flight in all {
        let same = |other: &Aloft| {
            other.start == flight.start && other.end == flight.end && other.color == flight.color
        };
        if apart.len() < MOST && !apart.iter().any(same) {
            apart.push(flight);
        }
    }
    apart
}

fn of(
    shown: &Shown,
    scale: &TimeScale,
    drawn: &DrawnRoute<'_>,
    flight: &Flight,
    ends: &Ends,
) -> Aloft {
    let run = shown.runs.run(drawn.run);
    let token = run.and_then(|run| sending(run, drawn.nodes, flight)).and_then(|it| it.token);
    let client = match drawn.nodes {
        (NodeId::Client(client), _) | (_, NodeId::Client(client)) => Some(client),
        (NodeId::Lock(_) | NodeId::Store(_), NodeId::Lock(_) | NodeId::Store(_)) => None,
    };
    Aloft {
        ends: drawn.nodes,
        sent: flight.sent,
        arrives: flight.arrives,
        start: (scale.x(flight.sent), ends.from),
        end: (scale.x(flight.arrives) - ends.short, ends.to),
        color: run.zip(token).and_then(|(run, token)| color(run, token, flight.sent)),
        letter: client.map(|client| shown.runs.words.letter(client)).unwrap_or_default(),
        label: flight.tells.then(|| message_row::short(flight.kind, token)),
    }
}

/// The entry in which a message was sent.
fn sending(run: &Recording, ends: (NodeId, NodeId), flight: &Flight) -> Option<Sending> {
    let log = run.log();
    let mut at_that_instant = log.n_before(flight.sent)..log.n_until(flight.sent);
    at_that_instant.find_map(|seq| {
        let sending = log.get(EntrySeq(seq))?.fact.sending()?;
        let is_it = (sending.from, sending.to) == ends
            && sending.kind == flight.kind
            && sending.arrives == flight.arrives;
        is_it.then_some(sending)
    })
}

/// The colour of a token: that of the last grant before an instant that has it.
fn color(run: &Recording, token: FencingToken, at: SimTime) -> Option<TokenColor> {
    let made = run.grants().partition_point(|grant| grant.at <= at);
    let grant = run.grants()[..made].iter().rev().find(|grant| grant.token == token)?;
    Some(TokenColor::of(grant.grant))
}

/// How long a lease still lasts: a pill left of the playhead, and a ring on the saw-tooth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Countdown {
    /// The lease's colour.
    pub color: TokenColor,
    /// Upper edge of the client's lane, below which the bands are.
    pub top: Px,
    tooth: Tooth,
    until: SimTime,
    bands: ClientBands,
    ttl: Option<SimDuration>,
}

impl Countdown {
    /// `6.7 s left`.
    pub fn text(&self, at: SimTime) -> String {
        let left = self.until.since(at).micros();
        let rounded = SimDuration::from_micros((left + 50_000) / 100_000 * 100_000);
        format!("{} left", wording::duration(rounded))
    }

    /// How high the time that is left stands.
    pub fn level(&self, at: SimTime) -> Px {
        let at = at.clamp(self.tooth.from, self.tooth.to);
        self.top + tooth_level(&self.tooth, at, self.ttl, &self.bands)
    }

    /// The lower edge of the pill: right above the belief.
    pub fn foot(&self) -> Px {
        self.top + self.bands.base
    }

    /// When the saw-tooth jumps, or ends.
    pub fn ends(&self) -> SimTime {
        self.tooth.to
    }
}

/// The leases that run down at an instant; those without an end do not.
pub fn countdowns(shown: &Shown, layout: &TimelineLayout, at: SimTime) -> Vec<Countdown> {
    let builder = Builder::over(shown, layout);
    let mut all = Vec::new();
    for (run, _) in shown.runs.shown() {
        let Some(tracks) = shown.run(run) else { continue };
        for (client, lane) in (0_u8..).map(ClientId).zip(&tracks.clients) {
            let node = NodeId::Client(client);
            let once = shown.plan == Plan::Shared && run == RunNo::Two;
            if once && !has_split(shown.splits(node), at) {
                continue;
            }
            let next = lane.teeth.partition_point(|tooth| tooth.from <= at);
            let tooth = next.checked_sub(1).and_then(|last| lane.teeth.get(last));
            let Some(tooth) = tooth.filter(|tooth| at < tooth.to) else { continue };
            let Some((until, (place, band))) = tooth.until.zip(builder.stand(run, node, at)) else {
                continue;
            };
            all.push(Countdown {
                color: tooth.color,
                top: place.top,
                tooth: *tooth,
                until,
                bands: ClientBands::of(&layout.metrics, builder.form(node), band),
                ttl: shown.ttl(run),
            });
        }
    }
    all.truncate(MOST);
    all
}

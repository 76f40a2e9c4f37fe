//! The faults on the timeline as things to hold: where each can be grabbed, what moving it changes,
//! and what it is called. What a change does the simulation says.

use crate::sim::id::{FaultId, LockNodeId, NodeId};
use crate::sim::scenario::{Fault, FaultKind, MessageAddress, Start};
use crate::sim::time::{SimDuration, SimTime};

use super::lane::{Band, ClientBands, LaneForm};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::path::Rect;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::runs::moment::RunNo;
use crate::view_model::tracks::flight::Flight;
use crate::view_model::tracks::shown::{Plan, Shown};

/// A fault on the timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultMark {
    /// Which.
    pub fault: FaultId,
    /// In whose lanes it stands. What it changes holds for both runs.
    pub run: RunNo,
    /// What it is called: `Client A pause`; `Client A pause, off`.
    pub name: String,
    /// Whether it happens; where not, its place is shown, so that it can be switched on again.
    pub enabled: bool,
    /// What it is.
    pub shape: FaultShape,
    /// When it begins; of a delay, when its message was sent.
    pub from: SimTime,
    /// When it ends: a pause, the restart after a crash, the arrival of a delayed message. `None`
    /// where nothing ends, such as a crash for good, and where the end is not known yet.
    pub to: Option<SimTime>,
    /// How long its message would have travelled; nothing for other faults.
    pub usual: SimDuration,
    /// Left edge.
    pub x: Px,
    /// Right edge, where there is one.
    pub end: Option<Px>,
    /// Upper edge.
    pub y: Px,
    /// Lower edge.
    pub bottom: Px,
}

/// The shapes of faults.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultShape {
    /// A block with two handles: a pause, a cut link, a service that is down.
    Pause,
    /// A mark, and a second one if it starts again; all that happens at an instant.
    Crash,
    /// A handle at the head of an arrow.
    Delay,
}

/// What is held of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Grip {
    /// Its start: the end stays where it is.
    Start,
    /// Its end: the start stays where it is.
    End,
    /// All of it.
    Body,
}

impl FaultMark {
    /// The fault with what is held put at `at`: its start, for all of it.
    pub fn moved(&self, fault: &Fault, grip: Grip, at: SimTime) -> Fault {
        let mut moved = fault.clone();
        match &mut moved.kind {
            FaultKind::Pause { start, length, .. } => {
                // An end that is not shown stays where it is, too.
                let (from, to) = (self.from, self.to.unwrap_or(self.from + *length));
                match grip {
                    Grip::Body => *start = Start::At(at),
                    Grip::Start => {
                        *start = Start::At(at.min(to));
                        *length = to.since(at);
                    }
                    Grip::End => *length = at.since(from),
                }
            }
            FaultKind::Crash { at: crash, restart_after, .. } => match grip {
                Grip::Body | Grip::Start => *crash = at,
                Grip::End => *restart_after = Some(at.since(self.from)),
            },
            // The rest of its flight is the network's.
            FaultKind::Delay { by, .. } => *by = at.since(self.from + self.usual),
            FaultKind::Duplicate { after, .. } => *after = at.since(self.from + self.usual),
            kind @ (FaultKind::Cut { .. }
            | FaultKind::ClockJump { .. }
            | FaultKind::ServiceRestart { .. }
            | FaultKind::Failover { .. }
            | FaultKind::StoreRestart { .. }
            | FaultKind::ConnectionLost { .. }) => self.move_lasting(kind, grip, at),
            // Where they strike no instant says.
            FaultKind::Lose { .. } | FaultKind::ClockRate { .. } => {}
        }
        moved
    }

    /// Moves what has a start, and a length if this mark has an end.
    fn move_lasting(&self, kind: &mut FaultKind, grip: Grip, at: SimTime) {
        let (from, to) = (self.from, self.to.unwrap_or(self.from));
        match grip {
            Grip::Body => {
                kind.start_at(at);
            }
            Grip::Start => {
                kind.start_at(at.min(to));
                kind.set_length(to.since(at));
            }
            Grip::End => {
                kind.set_length(at.since(from));
            }
        }
    }

    /// The handles, besides the mark itself.
    pub fn grips(&self, ends_known: bool) -> Vec<Grip> {
        match self.shape {
            FaultShape::Pause if ends_known => vec![Grip::Start, Grip::End],
            FaultShape::Pause => vec![Grip::Start],
            FaultShape::Crash if ends_known => vec![Grip::End],
            FaultShape::Crash => Vec::new(),
            FaultShape::Delay => vec![Grip::End],
        }
    }

    /// The plate of a handle. One that is off the screen stays reachable by keyboard, and comes
    /// into sight with the focus; those of a short block stand side by side, so that each can be
    /// hit.
    pub fn handle(&self, grip: Grip, width: Px) -> Rect {
        let at = match grip {
            Grip::Body | Grip::Start => self.x,
            Grip::End => self.end.unwrap_or(self.x),
        };
        let x = at.clamp(Px::whole(-60), width + Px::whole(60));
        let h = Px::whole(28).min(self.bottom - self.y);
        let y = (self.y + self.bottom).share(1, 2) - h.share(1, 2);
        let wide = self.end.map_or(Px::whole(24), |end| end - self.x);
        let apart = (Px::whole(24) - wide).max(Px::ZERO).share(1, 2);
        let shift = match (self.shape, grip) {
            (FaultShape::Pause, Grip::Start) => Px::ZERO - apart,
            (FaultShape::Pause, Grip::End) => apart,
            (FaultShape::Pause, Grip::Body) | (FaultShape::Crash | FaultShape::Delay, _) => {
                Px::ZERO
            }
        };
        Rect { x: x + shift - Px::whole(5), y, w: Px::whole(10), h }
    }

    /// Where what is held stands.
    pub fn place(&self, grip: Grip) -> SimTime {
        match grip {
            Grip::Body | Grip::Start => self.from,
            Grip::End => self.to.unwrap_or(self.from),
        }
    }
}

/// What the marks stand on.
pub(super) struct Ground<'a> {
    /// The runs.
    pub(super) shown: &'a Shown,
    /// Where instants lie.
    pub(super) scale: TimeScale,
    /// The sizes.
    pub(super) metrics: Metrics,
    /// The top of a node's lane, its form, and which band of it shows a run at an instant.
    pub(super) band: &'a dyn Fn(RunNo, NodeId, SimTime) -> Option<(Px, LaneForm, Band)>,
    /// Where a node's messages leave or reach it in a run.
    pub(super) anchor: &'a dyn Fn(RunNo, NodeId, SimTime, bool) -> Option<Px>,
}

/// The faults that can be found on the timeline: those of Run 1, those of Run 2 that stand
/// elsewhere and that moving changes in it, and the places of those that are switched off.
pub(super) fn fault_marks(ground: &Ground<'_>) -> Vec<FaultMark> {
    let mut marks = marks_of(ground, true);
    number_names(&mut marks);
    let mut off = marks_of(ground, false);
    number_names(&mut off);
    off.iter_mut().for_each(|mark| mark.name.push_str(", off"));
    marks.extend(off);
    marks
}

fn marks_of(ground: &Ground<'_>, enabled: bool) -> Vec<FaultMark> {
    let mut marks = Vec::new();
    for (run, recording) in ground.shown.runs.shown() {
        let faults = recording.scenario().spec().faults.iter();
        let wanted = faults.filter(|fault| fault.enabled == enabled);
        for fault in wanted.filter(|fault| has_own_mark(ground, run, fault)) {
            let mark = match &fault.kind {
                FaultKind::Pause { .. } | FaultKind::Crash { .. } => at_client(ground, run, fault),
                FaultKind::Delay { message, .. } | FaultKind::Duplicate { message, .. } => {
                    delayed(ground, run, fault, message)
                }
                FaultKind::Cut { .. }
                | FaultKind::ClockJump { .. }
                | FaultKind::ServiceRestart { .. }
                | FaultKind::Failover { .. }
                | FaultKind::StoreRestart { .. }
                | FaultKind::ConnectionLost { .. } => at_node(ground, run, fault),
                FaultKind::Lose { .. } | FaultKind::ClockRate { .. } => None,
            };
            marks.extend(mark);
        }
    }
    marks
}

/// Whether a fault of a run is marked in that run's lanes. In Run 2 one that Run 1 shows in the
/// same lanes is not, nor one that the comparison itself sets: an edit of the set-up would not
/// move it.
fn has_own_mark(ground: &Ground<'_>, run: RunNo, fault: &Fault) -> bool {
    let base = ground.shown.runs.run_1.scenario().spec().faults.iter();
    match (run, base.into_iter().find(|base| base.id == fault.id)) {
        (RunNo::One, _) => fault.enabled || !happens_in_run_2(ground, fault.id),
        (RunNo::Two, Some(_)) if !fault.enabled => false,
        (RunNo::Two, None) => false,
        (RunNo::Two, Some(base)) => {
            let elsewhere = ground.shown.plan == Plan::Stacked || !base.enabled;
            elsewhere && base.kind == fault.kind
        }
    }
}

/// Whether the comparison switches on what Run 1 has switched off.
fn happens_in_run_2(ground: &Ground<'_>, id: FaultId) -> bool {
    let run_2 = ground.shown.runs.run_2.as_ref();
    let faults = run_2.map_or(&[][..], |run| &run.scenario().spec().faults);
    faults.iter().any(|fault| fault.id == id && fault.enabled)
}

/// What a fault is called in the lanes of a run.
fn name(ground: &Ground<'_>, run: RunNo, fault: &Fault) -> String {
    let name = ground.shown.runs.words.fault(&fault.kind);
    match (run, ground.shown.plan) {
        (RunNo::Two, Plan::Stacked) => format!("{name} in Run 2"),
        (RunNo::One, _) | (RunNo::Two, Plan::Single | Plan::Shared) => name,
    }
}

/// Two faults of one name are told apart by a number.
fn number_names(marks: &mut [FaultMark]) {
    for index in 1..marks.len() {
        let (before, rest) = marks.split_at_mut(index);
        let stem = rest[0].name.clone();
        let n_before = before.iter().filter(|mark| {
            mark.name == stem || mark.name.strip_prefix(&stem).is_some_and(is_number)
        });
        match n_before.count() {
            0 => {}
            n => rest[0].name = format!("{stem} {}", n + 1),
        }
    }
}

fn is_number(rest: &str) -> bool {
    rest.trim().parse::<u32>().is_ok()
}

fn at_client(ground: &Ground<'_>, run: RunNo, fault: &Fault) -> Option<FaultMark> {
    let scale = &ground.scale;
    let client = fault.kind.client()?;
    let (shape, from, to) = when(ground.shown, run, fault)?;
    let (top, form, band) = (ground.band)(run, NodeId::Client(client), from)?;
    let bands = ClientBands::of(&ground.metrics, form, band);
    Some(FaultMark {
        fault: fault.id,
        run,
        name: name(ground, run, fault),
        enabled: fault.enabled,
        shape,
        from,
        to,
        usual: SimDuration::ZERO,
        x: scale.x(from),
        end: to.map(|to| scale.x(to)),
        y: top + bands.top,
        bottom: top + bands.bottom,
    })
}

/// A fault that befalls a node at an instant or for a while: a strip at the top of its lane.
fn at_node(ground: &Ground<'_>, run: RunNo, fault: &Fault) -> Option<FaultMark> {
    let (scale, metrics) = (&ground.scale, &ground.metrics);
    let (node, length) = match fault.kind {
        FaultKind::Cut { a, b, length, .. } => {
            let client = fault.kind.client().map(NodeId::Client);
            (client.or(Some(a).filter(|_| a != b))?, Some(length))
        }
        FaultKind::Failover { length, .. } => (NodeId::Lock(LockNodeId(0)), Some(length)),
        FaultKind::ServiceRestart { node, length, .. } => {
            (NodeId::Lock(node.unwrap_or(LockNodeId(0))), Some(length))
        }
        FaultKind::ClockJump { node, .. } => (node, None),
        FaultKind::StoreRestart { store, .. } => (NodeId::Store(store), None),
        FaultKind::ConnectionLost { client, .. } => (NodeId::Client(client), None),
        FaultKind::Pause { .. }
        | FaultKind::Crash { .. }
        | FaultKind::Delay { .. }
        | FaultKind::Lose { .. }
        | FaultKind::Duplicate { .. }
        | FaultKind::ClockRate { .. } => return None,
    };
    let from = fault.kind.starts_at()?;
    let to = length.map(|length| from + length);
    let (top, form, band) = (ground.band)(run, node, from)?;
    let place = (ground.anchor)(run, node, from, false)?;
    let y = match node {
        NodeId::Client(_) => top + ClientBands::of(metrics, form, band).top,
        NodeId::Lock(_) => place - metrics.px(24),
        NodeId::Store(_) => place - metrics.px(5),
    };
    Some(FaultMark {
        fault: fault.id,
        run,
        name: name(ground, run, fault),
        enabled: fault.enabled,
        shape: match length {
            Some(_) => FaultShape::Pause,
            None => FaultShape::Crash,
        },
        from,
        to,
        usual: SimDuration::ZERO,
        x: scale.x(from),
        end: to.map(|to| scale.x(to)),
        y,
        bottom: y + Px::whole(24),
    })
}

/// When a fault at a client happened; where it did not, when the scenario has it happen.
fn when(
    shown: &Shown,
    run: RunNo,
    fault: &Fault,
) -> Option<(FaultShape, SimTime, Option<SimTime>)> {
    let client = fault.kind.client()?;
    let tracks = shown.run(run)?.clients.get(client.index())?;
    match &fault.kind {
        FaultKind::Pause { start, length, .. } => {
            let mut pauses = tracks.pauses.iter();
            let found = pauses.find(|pause| pause.fault == fault.id);
            let planned = match start {
                Start::At(at) => Some((*at, Some(*at + *length))),
                Start::Step { .. } => None,
            };
            let (from, to) = match found {
                Some(pause) => (pause.from, Some(pause.to).filter(|_| !pause.open)),
                None => planned?,
            };
            Some((FaultShape::Pause, from, to))
        }
        FaultKind::Crash { at, restart_after, .. } => {
            let to = restart_after.map(|after| *at + after);
            Some((FaultShape::Crash, *at, to))
        }
        FaultKind::Delay { .. }
        | FaultKind::Lose { .. }
        | FaultKind::Duplicate { .. }
        | FaultKind::Cut { .. }
        | FaultKind::ClockJump { .. }
        | FaultKind::ClockRate { .. }
        | FaultKind::ServiceRestart { .. }
        | FaultKind::Failover { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. } => None,
    }
}

fn delayed(
    ground: &Ground<'_>,
    run: RunNo,
    fault: &Fault,
    message: &MessageAddress,
) -> Option<FaultMark> {
    let (shown, scale) = (ground.shown, &ground.scale);
    let flight = nth_flight(shown, run, message)?;
    let down = matches!(message.to, NodeId::Store(_)) || matches!(message.from, NodeId::Store(_));
    let y = (ground.anchor)(run, message.to, flight.arrives, down)?;
    let latency = shown.runs.run(run)?.scenario().spec().latency;
    let (metrics, half) = (&ground.metrics, Px::whole(12));
    let (top, ..) = (ground.band)(run, message.to, flight.arrives)?;
    // Names or a verdict have a row of their own above a store's answers.
    let has_row_above = metrics.narrow || y - top > metrics.px(20);
    let below = has_row_above && matches!(message.to, NodeId::Store(_));
    // The second copy of a duplicate arrives so much later than the first.
    let lag = match fault.kind {
        FaultKind::Duplicate { after, .. } => Some(after),
        _ => None,
    };
    let arrives = flight.arrives + lag.unwrap_or_default();
    Some(FaultMark {
        fault: fault.id,
        run,
        name: name(ground, run, fault),
        enabled: fault.enabled,
        shape: FaultShape::Delay,
        from: flight.sent,
        to: Some(arrives),
        usual: lag.map_or(latency, |_| flight.arrives.since(flight.sent)),
        x: scale.x(flight.sent),
        end: Some(scale.x(arrives)),
        // Above the mark that it leads to; where something is written there, below it.
        y: if below { y + metrics.px(18) } else { y - half - half },
        bottom: if below { y + metrics.px(18) + half + half } else { y },
    })
}

fn nth_flight(shown: &Shown, run: RunNo, message: &MessageAddress) -> Option<Flight> {
    let flights = &shown.run(run)?.flights;
    let route = flights.routes.get(&(message.from, message.to))?;
    let n_before = message.nth.checked_sub(1)? as usize;
    let of_kind = |flight: &&Flight| flight.kind == message.kind;
    route.flights.iter().filter(of_kind).nth(n_before).copied()
}

#[cfg(test)]
mod tests;

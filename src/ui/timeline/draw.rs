//! A fault that is drawn on its lane: from where the pointer came down to where it is, or put down
//! where it was tapped. It emits the edits of one drag.

use std::rc::Rc;

use crate::sim::id::NodeId;
use crate::sim::scenario::{Change, Fault};
use crate::sim::time::SimTime;
use crate::ui::store::{AppAction, Selection};
use crate::view_model::drawing::scale::{Px, TimeAxis, TimeScale};
use crate::view_model::setup::new_fault::What;
use crate::view_model::timeline::by_hand::{fault_at, over};
use crate::view_model::timeline::held::{Ground, under_hand};
use crate::view_model::timeline::marker::Grip;
use crate::view_model::timeline::snap;
use crate::view_model::tracks::shown::Shown;

use super::Laid;

/// What the next drag on a lane draws.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Tool {
    /// Whose lane.
    pub(super) node: NodeId,
    /// What befalls it.
    pub(super) what: What,
}

impl Tool {
    /// Whether a height lies in a lane of its node.
    pub(super) fn reaches(self, layout: &Laid, y: Px) -> bool {
        let mut lanes = layout.sections.iter().flat_map(|section| &section.lanes);
        lanes.any(|lane| {
            let inside = y >= lane.top && y < lane.top + lane.data.height;
            inside && lane.data.id.node == self.node
        })
    }
}

/// A fault that is being drawn.
pub(super) struct Drawing {
    tool: Tool,
    /// The runs without it.
    shown: Rc<Shown>,
    from: SimTime,
    fault: Option<Fault>,
    points: Option<Vec<SimTime>>,
}

impl Drawing {
    /// It begins where the pointer comes down.
    pub(super) fn at(
        tool: Tool,
        shown: &Rc<Shown>,
        scale: &TimeScale,
        at: SimTime,
        snaps: bool,
    ) -> Self {
        let first = fault_at(shown, tool.what, tool.node, at);
        let points = snap::points(&shown.runs.run_1, &first, Grip::Start);
        let near = snap::nearest(&points, scale, at).filter(|_| snaps);
        let from = near.unwrap_or_else(|| scale.snapped(at));
        Self { tool, shown: shown.clone(), from, fault: None, points: None }
    }

    /// The edit that takes its other end to where the pointer is.
    pub(super) fn to(&mut self, layout: &Laid, axis: TimeAxis, x: Px, snaps: bool) -> AppAction {
        let (shown, tool) = (&self.shown, self.tool);
        let is_new = self.fault.is_none();
        let first = || fault_at(shown, tool.what, tool.node, self.from);
        let fault = self.fault.get_or_insert_with(first);
        let (scale, metrics) = (&layout.scale, &layout.metrics);
        let ground = Ground { runs: &shown.runs, scale, metrics, axis };
        let put = |at| Some(Change::AddFault(over(fault, shown, self.from, at)));
        let (at, scale) = under_hand(&ground, &put, x);
        let points =
            self.points.get_or_insert_with(|| snap::points(&shown.runs.run_1, fault, Grip::End));
        let near = snap::nearest(points, &scale, at).filter(|_| snaps);
        *fault = over(fault, shown, self.from, near.unwrap_or_else(|| scale.snapped(at)));
        AppAction::DragEdit(match is_new {
            true => Change::AddFault(fault.clone()),
            false => Change::ReplaceFault(fault.clone()),
        })
    }

    /// What ends it: a drag, or a tap, which puts down a fault of the usual length.
    pub(super) fn done(self, tapped: bool) -> Vec<AppAction> {
        match (self.fault, tapped) {
            (Some(fault), _) => {
                vec![AppAction::DragEnd, AppAction::Select(Selection::Fault(fault.id))]
            }
            (None, true) => put_down(&self.shown, self.tool, self.from),
            (None, false) => Vec::new(),
        }
    }
}

/// Puts a fault of the usual length on a lane, and picks it out.
pub(super) fn put_down(shown: &Shown, tool: Tool, at: SimTime) -> Vec<AppAction> {
    let fault = fault_at(shown, tool.what, tool.node, at);
    let selected = AppAction::Select(Selection::Fault(fault.id));
    vec![AppAction::Edit(Change::AddFault(fault)), selected]
}

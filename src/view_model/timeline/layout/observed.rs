//! The lane of what was observed, laid out: where each line stands, how much of its text fits, and
//! which end of a fault is meant where one is dropped.

use crate::sim::plain_text::one_line;
use crate::sim::scenario::{FaultEnd, Incident, Observed};
use crate::sim::time::SimTime;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::{Px, TimeScale};
use crate::view_model::drawing::tick::{playhead_clock, playhead_label};
use crate::view_model::incident::observed::line_words;
use crate::view_model::timeline::marker::{FaultMark, FaultShape};
use crate::view_model::words::names::Words;

use super::TimelineLayout;

/// A line that was observed, where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedMark {
    /// Which line.
    pub index: usize,
    /// Where.
    pub x: Px,
    /// What it says.
    pub words: String,
    /// As much of its text as fits before the next.
    pub label: String,
}

impl TimelineLayout {
    /// How the playhead's time is shown.
    pub fn time_label(&self, at: SimTime) -> String {
        match self.clock {
            Some(clock) => playhead_clock(at, &self.scale, clock),
            None => playhead_label(at, &self.scale),
        }
    }

    /// Where what was observed stands, from the top of the timeline.
    pub fn top_of_lanes(&self) -> Px {
        self.metrics.ruler() + self.observed_height
    }

    /// Where an end of a fault stands.
    pub fn place_of(&self, end: FaultEnd) -> Option<Px> {
        let (id, is_end) = match end {
            FaultEnd::Start(id) => (id, false),
            FaultEnd::End(id) => (id, true),
        };
        let mark = self.faults.iter().find(|mark| mark.fault == id)?;
        if is_end { mark.end } else { Some(mark.x) }
    }

    /// The end of a fault that is nearest to a place on it: whoever drops a line there means that.
    pub fn end_at(&self, x: Px, y: Px) -> Option<FaultEnd> {
        let near = Px::whole(12);
        let hit = |mark: &&FaultMark| {
            let right = mark.end.unwrap_or(mark.x);
            let inside = x >= mark.x - near && x <= right + near;
            inside && y >= mark.y - near && y <= mark.bottom + near
        };
        // A pause at a step begins when it is reached: no line sets that.
        let mark = self.faults.iter().filter(|mark| mark.shape != FaultShape::Delay).find(hit)?;
        let apart = |edge: Px| (edge.0 - x.0).abs();
        let is_end = mark.end.is_some_and(|end| apart(end) < apart(mark.x));
        Some(match is_end {
            true => FaultEnd::End(mark.fault),
            false => FaultEnd::Start(mark.fault),
        })
    }
}

/// A lane for what was observed; a finger needs more of it, and the label stands in it.
pub(super) fn height(incident: &Incident, metrics: &Metrics) -> Px {
    match (incident.observed.is_empty(), metrics.narrow) {
        (true, _) => Px::ZERO,
        (false, true) => metrics.px(44).rounded(),
        (false, false) => metrics.px(30).rounded(),
    }
}

/// The lines that lie in the stretch on screen.
pub(super) fn marks(
    words: &Words,
    incident: &Incident,
    scale: &TimeScale,
    metrics: &Metrics,
) -> Vec<ObservedMark> {
    let lines = incident.observed.iter().enumerate();
    let seen: Vec<_> = lines.filter(|(_, line)| scale.view.holds(line.at)).collect();
    let mark = |place: usize, (index, line): (usize, &Observed)| {
        let x = scale.x(line.at);
        let end = seen.get(place + 1).map_or(scale.right(), |(_, next)| scale.x(next.at));
        let label = fitting(&one_line(&line.text), end - x - metrics.px(22), metrics);
        ObservedMark { index, x, words: line_words(words, line), label }
    };
    seen.iter().enumerate().map(|(place, line)| mark(place, *line)).collect()
}

/// The beginning of a text that fits, and nothing where too little does.
fn fitting(text: &str, room: Px, metrics: &Metrics) -> String {
    let mut cut = String::new();
    for char in text.chars() {
        cut.push(char);
        if metrics.text_width(&cut, false) > room {
            let n_kept = cut.chars().count().saturating_sub(2);
            let kept: String = cut.chars().take(n_kept).collect();
            return if n_kept < 3 { String::new() } else { format!("{kept}…") };
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::id::FaultId;
    use crate::view_model::drawing::scale::TimeView;
    use crate::view_model::runs::Runs;
    use crate::view_model::timeline::layout::layout;
    use crate::view_model::tracks::shown::Shown;
    use std::rc::Rc;

    fn laid(lines: &[(u64, &str)]) -> TimelineLayout {
        let mut file = GALLERY[0].file();
        file.incident.observed = lines
            .iter()
            .map(|&(millis, text)| Observed {
                at: SimTime::from_millis(millis),
                actor: None,
                text: text.to_owned(),
                is: None,
                sets: None,
            })
            .collect();
        let runs = Runs::of(&file).expect("it is valid");
        let shown = Shown::of(&Rc::new(runs));
        let metrics = Metrics::new(Px::whole(796), 12, false);
        layout(&shown, TimeView::whole(shown.ends_at()), metrics)
    }

    #[test]
    fn lines_lie_above_the_lanes_and_their_texts_never_touch() {
        let without = laid(&[]);
        let with = laid(&[(1_000, "a long text of a line"), (5_000, "lost"), (5_100, "lost")]);
        let top = |layout: &TimelineLayout| layout.sections[0].lanes[0].top;
        assert_eq!(top(&without), without.metrics.ruler());
        assert_eq!(top(&with), without.metrics.ruler() + with.observed_height);
        assert_eq!(top(&with), with.top_of_lanes());
        assert!(with.height > without.height);
        let labels: Vec<_> = with.observed.iter().map(|mark| mark.label.as_str()).collect();
        assert!(labels[0].ends_with('…') && labels[0].starts_with("a l"), "{labels:?}");
        assert_eq!(labels[1..], ["", "lost"], "the next stands too near");
    }

    #[test]
    fn a_line_that_is_dropped_on_a_fault_means_its_nearer_end() {
        let layout = laid(&[(3_000, "stopped")]);
        let mark = &layout.faults[0];
        let (left, right) = (mark.x, mark.end.expect("it ends"));
        let y = mark.y + Px::whole(10);
        let near = Px::whole(20);
        let id = FaultId(1);
        assert_eq!(layout.end_at(left + near, y), Some(FaultEnd::Start(id)));
        assert_eq!(layout.end_at(right - near, y), Some(FaultEnd::End(id)));
        assert_eq!(layout.end_at(right + near, y), None);
        assert_eq!(layout.end_at(left + near, layout.height), None);
        assert_eq!(layout.place_of(FaultEnd::End(id)), Some(right));
        assert_eq!(layout.place_of(FaultEnd::Start(FaultId(9))), None);
    }
}

//! The strip above the timeline: where events and violations are in the whole run, which stretch is
//! on screen, and which of it is drawn widest. It is always to scale. With it the opening view,
//! which fits the story.

use std::cmp::Reverse;

use crate::sim::property::{Decides, PropertyState, VerdictKind};
use crate::sim::recording::Recording;
use crate::sim::time::{SimDuration, SimTime};

use crate::view_model::drawing::path::{PathData, Rect};
use crate::view_model::drawing::scale::{Px, TimeScale, TimeView};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::Moments;
use crate::view_model::words::outcome_words::{Tone, words};

/// The strip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OverviewData {
    /// Where instants of the whole run lie on it.
    pub scale: TimeScale,
    /// Events, as one path.
    pub events: String,
    /// Violations that are damage, as one path of triangles.
    pub damage: String,
    /// The others: nobody is served, or half of something stands.
    pub warnings: String,
    /// Where the runs part.
    pub differs: Option<Px>,
    /// The stretch on screen; `None` when that is everything.
    pub window: Option<(Px, Px)>,
    /// What of it the timeline draws widest, never too narrow to be seen.
    pub sliver: Option<(Px, Px)>,
}

/// Height of the strip.
pub const HEIGHT: Px = Px::whole(24);

/// The least width of a sliver: 2.4 px.
const SLIVER: Px = Px(154);

/// When the violations of a run happened that its verdict rests on, each with its first event and
/// how loud it is: red is for a run whose state is wrong.
pub fn violations(run: &Recording) -> Vec<(SimTime, Tone)> {
    let verdict = run.verdict();
    let of_damage = words(verdict.kind, verdict.by_luck).tone;
    let damage = run.writes().iter().filter(|write| write.accepted && write.harmful);
    let damage = damage.filter_map(|write| run.log().get(write.entry));
    let mut all: Vec<_> = damage.map(|entry| (entry.at, of_damage)).collect();
    all.extend(run.properties().iter().filter_map(|report| {
        let tone = match report.id.decides() {
            Decides::Damage => of_damage,
            Decides::Availability => Tone::Warning,
            Decides::Nothing => return None,
        };
        match report.state {
            PropertyState::Broken { at, .. } => Some((at, tone)),
            PropertyState::Holds | PropertyState::DoesNotApply | PropertyState::Undecided => None,
        }
    }));
    // Of one instant the loudest comes first, and stays.
    all.sort_unstable_by_key(|(at, tone)| (*at, Reverse(*tone)));
    all.dedup_by_key(|(at, _)| *at);
    all
}

/// The violations of all shown runs.
pub fn all_violations(runs: &Runs) -> Vec<(SimTime, Tone)> {
    let mut all: Vec<_> = runs.shown().flat_map(|(_, run)| violations(run)).collect();
    all.sort_unstable_by_key(|(at, tone)| (*at, Reverse(*tone)));
    all.dedup_by_key(|(at, _)| *at);
    all
}

/// Draws the strip, `width` wide; nothing behind `until`. `race`: what the timeline draws widest.
pub fn overview(
    runs: &Runs,
    violations: &[(SimTime, Tone)],
    (view, race): (TimeView, Option<(SimTime, SimTime)>),
    until: Option<SimTime>,
    width: Px,
) -> OverviewData {
    let end = runs.ends_at();
    let margin = Px::whole(10);
    let scale = TimeScale::new(TimeView::whole(end), margin, width - margin - Px::whole(14));
    let known = |at: SimTime| until.is_none_or(|until| at <= until);
    let triangles = |is_damage: bool| {
        let mut path = PathData::new();
        let mut last = Px::ZERO - Px::whole(99);
        let of_tone = violations.iter().filter(|(_, tone)| (*tone == Tone::Damage) == is_damage);
        for at in of_tone.map(|(at, _)| *at).filter(|&at| known(at)) {
            let x = scale.x(at);
            if x - last < Px::whole(4) {
                continue;
            }
            last = x;
            path.move_to(x, Px::whole(5))
                .line_to(x + Px::whole(7), Px::whole(18))
                .across_to(x - Px::whole(7))
                .close();
        }
        path.into_string()
    };
    let parts = runs.first_difference.filter(|parts| known(parts.at));
    let differs = parts.map(|difference| scale.x(difference.at));
    let race = race.filter(|(_, to)| known(*to));
    let sliver = race.map(|(from, to)| {
        let (x, end) = (scale.x(from), scale.x(to));
        let missing = (SLIVER - (end - x)).max(Px::ZERO).share(1, 2);
        (x - missing, end + missing)
    });
    let window = (!view.is_whole(end)).then(|| (scale.x(view.from), scale.x(view.to)));
    OverviewData {
        events: events(&runs.moments, &scale, until),
        damage: triangles(true),
        warnings: triangles(false),
        differs,
        window,
        sliver,
        scale,
    }
}

/// One line for each event, at most one every two pixels.
fn events(moments: &Moments, scale: &TimeScale, until: Option<SimTime>) -> String {
    let mut path = PathData::new();
    let apart = scale.duration(Px::whole(2));
    let mut index = 0;
    let known = |at: SimTime| until.is_none_or(|until| at <= until);
    while let Some(moment) = moments.get(index).filter(|moment| known(moment.at)) {
        let rect = Rect {
            x: scale.x(moment.at) - Px::whole(1),
            y: Px::whole(8),
            w: Px::whole(2),
            h: Px::whole(8),
        };
        path.rect(rect, Px::ZERO);
        index = moments.n_before(moment.at + apart).max(index + 1);
    }
    path.into_string()
}

/// The stretch to open with: from the start to a little after the last event that is not routine
/// and to the playhead at `now`, or everything, where that cuts off little.
pub fn story(runs: &Runs, now: SimTime) -> TimeView {
    let end = runs.ends_at();
    // Waiting for ever is the story of a lock that nobody can get.
    let unavailable = |run: &Recording| run.verdict().kind == VerdictKind::Unavailable;
    if runs.shown().any(|(_, run)| unavailable(run)) {
        return TimeView::whole(end);
    }
    let last = runs.last_notable().micros();
    let wanted = last.saturating_add(last / 10).max(now.micros());
    if wanted.saturating_mul(5) >= end.micros().saturating_mul(4) || last == 0 {
        return TimeView::whole(end);
    }
    // Up to the next line of the ruler, so that its last label stands at the edge.
    let step = wanted.checked_ilog10().map_or(1, |digits| 10_u64.pow(digits));
    let step = if wanted / step < 3 { step / 4 } else { step / 2 }.max(1);
    let to = wanted.div_ceil(step).saturating_mul(step);
    TimeView::within(SimTime::ZERO, SimTime::ZERO + SimDuration::from_micros(to), end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    fn runs(index: usize) -> Runs {
        Runs::of(&GALLERY[index].file()).expect("it is valid")
    }

    #[test]
    fn the_story_of_the_first_scenario_is_its_first_twenty_seconds() {
        let runs = runs(0);
        assert_eq!(runs.ends_at(), SimTime::from_millis(39_000));
        assert_eq!(story(&runs, SimTime::ZERO).to, SimTime::from_millis(20_000));
    }

    #[test]
    fn a_story_holds_every_verdict_and_where_the_page_opens() {
        for entry in &GALLERY {
            let runs = Runs::of(&entry.file()).expect("it is valid");
            let view = story(&runs, SimTime::ZERO);
            assert!(view.holds(runs.opens_at()), "{}", entry.id);
            assert!(runs.first_bad().is_none_or(|at| view.holds(at)));
        }
    }

    #[test]
    fn the_strip_shows_the_violation_and_where_the_runs_part() {
        let runs = runs(0);
        let stops = violations(&runs.run_1);
        assert_eq!(stops, [(SimTime::from_millis(17_100), Tone::Damage)]);
        let at = SimTime::from_millis;
        let race = Some((at(17_000), at(17_001)));
        let draw = |view, until| overview(&runs, &stops, (view, race), until, Px::whole(796));
        let strip = draw(story(&runs, SimTime::ZERO), None);
        assert_eq!(strip.differs, Some(strip.scale.x(at(17_100))));
        let (x, end) = strip.sliver.expect("it is seen");
        assert!(end - x >= SLIVER - Px(1), "it can be seen");
        assert!(x <= strip.scale.x(at(17_000)) && strip.scale.x(at(17_001)) <= end);
        assert!(!strip.damage.is_empty() && strip.warnings.is_empty());
        assert!(strip.window.is_some());
        let whole = draw(TimeView::whole(runs.ends_at()), None);
        assert_eq!(whole.window, None);
        let hidden = draw(story(&runs, SimTime::ZERO), Some(SimTime::from_millis(17_000)));
        assert!(hidden.damage.is_empty() && hidden.differs.is_none());
        assert_eq!(hidden.sliver, None);
        assert!(hidden.events.len() < strip.events.len());
    }
}

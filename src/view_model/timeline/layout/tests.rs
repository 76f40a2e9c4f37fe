//! The layout of the first scenario, number by pixel: what the page shows first must stand where
//! its times are. And of all others: how much is drawn at most.

use super::*;
use crate::scenarios::{GALLERY, GalleryEntry};
use crate::sim::scenario::{Change, Repeat, ScenarioFile};
use crate::sim::time::SimDuration;
use crate::view_model::runs::{FencingMode, Runs};
use crate::view_model::timeline::arrow::Did;
use crate::view_model::timeline::label::{Label, Rank};
use crate::view_model::timeline::lane::Paint;
use crate::view_model::timeline::overview::story;
use crate::view_model::tracks::flight::Fate;

fn shown(file: &ScenarioFile) -> Shown {
    Shown::of(&Rc::new(Runs::of(file).expect("it is valid")))
}

fn metrics() -> Metrics {
    Metrics::new(Px::whole(796), 12, false)
}

/// The gallery's first scenario to scale, 772 px for 20 s, from 10 px on: 38.6 px a second.
fn first() -> TimelineLayout {
    let shown = shown(&GALLERY[0].file());
    let view = story(&shown.runs, SimTime::ZERO);
    let scale = scale(&shown, view, &metrics(), TimeAxis::ToScale);
    layout_with(&shown, scale, metrics(), Look::default())
}

/// The same in slow motion, as wide as in the picture that the rules were made with.
fn slow(file: &ScenarioFile, view: Option<TimeView>) -> TimelineLayout {
    let shown = shown(file);
    let view = view.unwrap_or_else(|| story(&shown.runs, SimTime::ZERO));
    layout(&shown, view, Metrics::new(Px::whole(772), 12, false))
}

#[test]
fn slow_motion_gives_the_race_its_room() {
    let layout = slow(&GALLERY[0].file(), None);
    let x = |millis| layout.scale.x(SimTime::from_millis(millis));
    let widths: Vec<_> =
        [0, 300, 1_000, 1_100, 10_200, 10_300, 12_300, 12_400, 17_000, 17_200, 20_000]
            .windows(2)
            .map(|pair| (x(pair[1]) - x(pair[0])).rounded().floor())
            .collect();
    assert_eq!(widths, [102, 14, 40, 135, 48, 29, 56, 68, 152, 104]);
    let race = layout.ruler.race.as_ref().expect("there is one");
    assert_eq!((race.from, race.to), (SimTime::from_millis(17_000), SimTime::from_millis(17_200)));
    assert_eq!(race.times, 20);
    let words: Vec<_> = layout.ruler.words.iter().map(|words| words.text.as_str()).collect();
    assert_eq!(words, ["9.1 s, squeezed", "4.6 s", "slow motion, 20×"]);
    let told = crate::view_model::timeline::ruler::not_to_scale(&layout.ruler, &layout.scale);
    let expected = "Time not to scale: 17.0–17.2 s is drawn 20 times wider";
    assert_eq!(told.as_deref(), Some(expected));
}

#[test]
fn a_lock_with_its_real_numbers_is_no_fence_of_arrows() {
    use crate::sim::scenario::LockSystem;
    let mut file = GALLERY[0].file();
    Change::Lock(LockSystem::Redis).apply(&mut file.scenario).expect("it fits");
    Change::Ttl(SimDuration::from_secs(30)).apply(&mut file.scenario).expect("it fits");
    let id = file.scenario.faults[0].id;
    let length = SimDuration::from_secs(45);
    Change::FaultLength { id, length }.apply(&mut file.scenario).expect("it has the fault");
    let shown = shown(&file);
    let metrics = Metrics::new(Px::whole(772), 12, false);
    let layout = layout(&shown, story(&shown.runs, SimTime::ZERO), metrics);
    let moments = &shown.runs.moments;
    let (n_all, n_telling) = (moments.n_moments(), moments.n_telling());
    assert!(n_all > 3 * n_telling && n_telling < 40, "{n_telling} of {n_all}");
    let n_arrows: usize = layout.arrows.iter().map(|it| it.lines.matches('M').count()).sum();
    assert!((8..30).contains(&n_arrows), "{n_arrows} arrows");
    let client = lanes(&layout).into_iter().find(|lane| lane.title == "Client B").expect("B");
    let ticks = path(client, |paint| paint == Paint::Routine);
    assert!(ticks.matches('M').count() > 10, "{ticks}");
    assert!(texts(&layout, client).iter().any(|text| text.ends_with("more polls")));
}

/// More arrows in one view cannot be told apart.
const MOST_ARROWS: usize = 56;
/// More crosses are a fence of their own.
const MOST_LOST: usize = 12;

#[test]
fn no_scenario_is_a_fence_of_arrows() {
    let mut fences = Vec::new();
    for entry in &GALLERY {
        let shown = shown(&entry.file());
        for metrics in [metrics(), Metrics::new(Px::whole(366), 12, true)] {
            let layout = layout(&shown, story(&shown.runs, SimTime::ZERO), metrics);
            let count = |is_it: &dyn Fn(&&ArrowPath) -> bool| -> usize {
                let arrows = layout.arrows.iter().filter(is_it);
                arrows.map(|it| it.lines.matches('M').count()).sum()
            };
            let (all, lost) = (count(&|_| true), count(&|it| it.fate == Fate::Lost));
            if all > MOST_ARROWS || lost > MOST_LOST {
                fences.push(format!("{} at {}: {all}, {lost} lost", entry.id, metrics.width));
            }
        }
    }
    assert!(fences.is_empty(), "{fences:#?}");
}

#[test]
fn what_a_cut_link_loses_is_told_by_its_first_and_its_last() {
    let entry = GalleryEntry::find("raft-lease-minority").expect("it is there");
    let shown = shown(&entry.file());
    let lost = &shown.tracks[0].clients[0].lost;
    assert!(lost.len() > 5, "{lost:?}");
    let ends = (NodeId::Client(ClientId(0)), NodeId::Lock(LockNodeId(1)));
    let flights = &shown.tracks[0].flights.routes[&ends].flights;
    let told: Vec<_> = flights.iter().map(|it| (it.fate == Fate::Lost, it.tells)).collect();
    let silence: Vec<_> = told.iter().skip_while(|it| !it.0).take_while(|it| it.0).collect();
    let n = silence.len();
    assert!(n > 2, "{told:?}");
    for (index, (_, tells)) in silence.into_iter().enumerate() {
        assert_eq!(*tells, index == 0 || index + 1 == n, "{index} of {n}");
    }
}

#[test]
fn renewals_stand_where_the_saw_tooth_jumps() {
    let layout = slow(&GALLERY[0].file(), None);
    let client = lane(&layout, "Client B", "token 34");
    let ticks = path(client, |paint| paint == Paint::Routine);
    let teeth = path(client, |paint| matches!(paint, Paint::Tooth(_)));
    for tick in ticks.split('M').skip(1) {
        let x = tick.split(' ').next().expect("a place");
        assert!(teeth.contains(&format!("M{x} ")), "{x} in {teeth}");
    }
    assert_eq!(ticks.matches('M').count(), 2);
}

#[test]
fn zoomed_in_everything_is_to_scale() {
    let at = SimTime::from_millis;
    let view = TimeView { from: at(16_900), to: at(17_300) };
    let layout = slow(&GALLERY[0].file(), Some(view));
    assert!(layout.scale.is_to_scale());
    assert!(layout.ruler.race.is_none() && layout.ruler.words.is_empty());
    assert_eq!(layout.scale, layout.scale.plain());
}

#[test]
fn times_that_matter_are_labelled_first() {
    let labels = |layout: &TimelineLayout| -> Vec<String> {
        layout.ruler.times.iter().map(|time| time.label.clone()).collect()
    };
    let slow = labels(&slow(&GALLERY[0].file(), None));
    for label in ["0 s", "0.2 s", "10.2 s", "12.4 s", "17 s", "17.1 s", "17.2 s", "20 s"] {
        assert!(slow.contains(&label.to_owned()), "{label} in {slow:?}");
    }
    let to_scale = labels(&first());
    for label in ["0 s", "2 s", "10.2 s", "12.4 s", "17.1 s", "20 s"] {
        assert!(to_scale.contains(&label.to_owned()), "{label} in {to_scale:?}");
    }
}

#[test]
fn a_drag_of_the_race_moves_no_mark_far() {
    let file = GALLERY[0].file();
    let id = file.scenario.faults[0].id;
    let runs = |millis: u64| {
        let mut file = file.clone();
        let length = SimDuration::from_millis(millis);
        let change = Change::FaultLength { id, length };
        change.apply(&mut file.scenario).expect("it has the fault");
        shown(&file)
    };
    let view = TimeView { from: SimTime::ZERO, to: SimTime::from_millis(20_000) };
    let metrics = Metrics::new(Px::whole(772), 12, false);
    // What happens in both runs, by its place among what of its kind happens.
    let places = |shown: &Shown| -> Vec<(String, Px)> {
        let scale = scale(shown, view, &metrics, TimeAxis::Slow);
        let mut all = Vec::new();
        for (no, run) in shown.tracks.iter().enumerate() {
            for (index, lease) in run.service.iter().enumerate() {
                all.push((format!("{no} lease {index}"), scale.x(lease.from)));
            }
            for (index, mark) in run.stores[0].marks.values().flatten().enumerate() {
                all.push((format!("{no} write {index} by {}", mark.token), scale.x(mark.at)));
            }
            for (ends, route) in &run.flights.routes {
                for (index, flight) in route.flights.iter().filter(|it| it.tells).enumerate() {
                    let name = format!("{no} {ends:?} {index} {:?}", flight.kind);
                    all.push((format!("{name} sent"), scale.x(flight.sent)));
                    all.push((format!("{name} arrives"), scale.x(flight.arrives)));
                }
            }
        }
        all.retain(|(_, x)| *x < scale.right());
        all
    };
    let mut before = places(&runs(5_000));
    for millis in (5_050..17_000).step_by(50) {
        let after = places(&runs(millis));
        for (name, x) in &after {
            let was = before.iter().find(|(other, _)| other == name);
            let moved = was.map_or(0, |(_, was)| (*x - *was).0.abs() / 64);
            assert!(moved <= 60, "{name} moved by {moved} px at {millis} ms");
        }
        before = after;
    }
}

fn lanes(layout: &TimelineLayout) -> Vec<&LaneData> {
    let lanes = layout.sections.iter().flat_map(|section| &section.lanes);
    lanes.map(|lane| lane.data.as_ref()).collect()
}

fn lane<'a>(layout: &'a TimelineLayout, title: &str, subtitle: &str) -> &'a LaneData {
    let found = |lane: &&LaneData| lane.title == title && lane.subtitle == subtitle;
    let all = lanes(layout);
    all.into_iter().find(found).expect("the lane is there")
}

fn path(lane: &LaneData, is_it: impl Fn(Paint) -> bool) -> &str {
    let found = lane.paths.iter().find(|path| is_it(path.paint));
    &found.expect("the path is there").d
}

/// What is written in a lane, in the order in which it is wished.
fn texts(layout: &TimelineLayout, data: &LaneData) -> Vec<String> {
    let lanes = layout.sections.iter().flat_map(|section| &section.lanes);
    let lane = lanes.into_iter().find(|lane| *lane.data == *data).expect("it is there");
    let (top, bottom) = (lane.top, lane.top + data.height);
    let inside = |label: &&Label| top <= label.y && label.y < bottom && label.rank != Rank::Message;
    let labels = layout.labels.texts.iter().filter(inside);
    labels.map(|label| format!("{} {}", label.text, label.tail).trim().to_owned()).collect()
}

/// Elements of a page that shows this: lanes, ruler, arrows, faults, patterns, playhead.
fn n_nodes(layout: &TimelineLayout) -> usize {
    let in_lanes = |lane: &&LaneData| 1 + lane.paths.len();
    let lanes: usize = lanes(layout).iter().map(in_lanes).sum();
    let written = layout.labels.texts.iter().map(|it| 1 + usize::from(!it.tail.is_empty()));
    let labels = layout.ruler.times.len()
        + layout.ruler.words.len()
        + layout.labels.grounds.len()
        + written.sum::<usize>();
    lanes + labels + 2 * layout.arrows.len() + 12 * layout.faults.len() + 40
}

#[test]
fn it_opens_with_the_twenty_seconds_of_the_story() {
    let layout = first();
    assert_eq!(layout.scale.view.to, SimTime::from_millis(20_000));
    assert_eq!(layout.scale.x(SimTime::from_millis(10_000)), Px::whole(396));
    let titles: Vec<_> =
        lanes(&layout).iter().map(|lane| (lane.title.clone(), lane.subtitle.clone())).collect();
    let expected = [
        ("Lock service", ""),
        ("Client A", "token 33"),
        ("Client B", "token 34"),
        ("Storage", "if it has no fence"),
        ("Storage", "if it has a fence"),
    ];
    assert_eq!(titles, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    let regions: Vec<_> = layout.sections.iter().map(|section| section.region).collect();
    assert_eq!(regions, [None, Some(RunNo::One), Some(RunNo::Two)]);
}

#[test]
fn leases_stand_where_the_service_granted_them() {
    let layout = first();
    let service = lane(&layout, "Lock service", "");
    let expected = ["33 → A 10.0 s, until 10.2 s", "34 → B 28.8 s, to the end of the run"];
    assert_eq!(texts(&layout, service), expected);
    // From 0.2 s (17.72 px) to 10.2 s (403.72 px), corners of 4 px.
    let first = path(service, |paint| matches!(paint, Paint::Lease(color) if color.index() == 0));
    assert!(first.starts_with("M21.71 4H399.71"), "{first}");
}

#[test]
fn truth_and_belief_stand_one_over_the_other() {
    let layout = first();
    let client = lane(&layout, "Client A", "token 33");
    // The tooth falls from 0.3 s, when A knows, to nothing at 10.2 s.
    let tooth = path(client, |paint| matches!(paint, Paint::Tooth(_)));
    assert_eq!(tooth, "M21.57 42V7.35L403.71 42V42z");
    // The belief is true until then, and false until 17.2 s (673.92 px).
    let belief = path(client, |paint| matches!(paint, Paint::Belief(_)));
    assert!(belief.contains("H400.71"), "{belief}");
    let untrue = path(client, |paint| matches!(paint, Paint::FalseBelief(_)));
    assert!(untrue.starts_with("M406.71 44H670.9"), "{untrue}");
    let expected =
        ["believes · 9.9 s", "still believes, without a lease · 7.0 s", "paused for 15.0 s"];
    assert_eq!(texts(&layout, client), expected);
    // B waits, then holds and renews twice on screen: three teeth.
    let client = lane(&layout, "Client B", "token 34");
    let expected = ["waits 9.3 s", "believes, to the end · 28.7 s", "2 renewals"];
    assert_eq!(texts(&layout, client), expected);
    let teeth = path(client, |paint| matches!(paint, Paint::Tooth(_)));
    assert_eq!(teeth.matches('z').count(), 3);
}

#[test]
fn the_stale_write_is_damage_here_and_stopped_there() {
    let layout = first();
    let without = lane(&layout, "Storage", "if it has no fence");
    let expected = ["B's value · 4.7 s", "A's value", "B's value lost", "accepted 33, stale"];
    assert_eq!(texts(&layout, without), expected);
    let triangle = path(without, |paint| paint == Paint::Damage);
    assert!(triangle.starts_with("M670.06 "), "{triangle}");
    // B's value is torn off there with four teeth, and goes on as lost.
    let torn = path(without, |paint| matches!(paint, Paint::Value(color) if color.index() == 1));
    assert_eq!(torn.matches('L').count(), 4, "{torn}");
    assert_eq!(path(without, |paint| paint == Paint::Torn), "M670.06 34V55");
    let lost = path(without, |paint| matches!(paint, Paint::Lost(_)));
    assert!(lost.ends_with("H671.56V73H782"), "{lost}");
    let with = lane(&layout, "Storage", "if it has a fence");
    let expected =
        ["B's value kept", "highest seen: none", "highest seen: 34", "A", "refused 33 < 34"];
    assert_eq!(texts(&layout, with), expected);
    // Three posts and two rails; A is thrown back; B's value runs over them, unbroken.
    let fence = path(with, |paint| paint == Paint::Fence);
    assert_eq!(fence.matches('z').count(), 5, "{fence}");
    let place = |is_it: &dyn Fn(Paint) -> bool| with.paths.iter().position(|it| is_it(it.paint));
    assert!(place(&|paint| paint == Paint::Fence) < place(&|it| matches!(it, Paint::Value(_))));
    assert!(place(&|paint| matches!(paint, Paint::Bounced(_))).is_some());
    let value = path(with, |paint| matches!(paint, Paint::Value(_)));
    assert!(!value.contains('L'), "{value}");
    assert!(with.paths.iter().all(|path| path.paint != Paint::Damage));
    assert!(with.paths.iter().any(|path| path.paint == Paint::Fence));
}

#[test]
fn messages_run_from_lane_to_lane() {
    let layout = first();
    let looks: Vec<_> = layout.arrows.iter().map(|arrows| (arrows.fate, arrows.did)).collect();
    let expected = [Did::Plain, Did::Refused, Did::Damage].map(|did| (Fate::Arrived, did));
    assert_eq!(looks, expected);
    let lines = &layout.arrows[0].lines;
    // The grant leaves the service's bar at 10.2 s and goes down to B's belief.
    assert!(lines.contains("M403.71 80L407.3"), "{lines}");
    // A's write goes from under A's belief at 17.0 s to both stores.
    for decides in &layout.arrows[1..] {
        assert!(decides.lines.starts_with("M666.2 146L"), "{decides:?}");
    }
    // Through to the value there, up to the left of the fence here.
    let tops: Vec<_> = layout.sections.iter().skip(1).map(|it| it.lanes[0].top).collect();
    let (through, fence) = (&layout.arrows[2].heads, &layout.arrows[1].heads);
    assert!(through.starts_with(&format!("M670.06 {}", tops[0] + Px::whole(35))), "{through}");
    assert!(fence.starts_with(&format!("M666.2 {}", tops[1] + Px::whole(18))), "{fence}");
    // Its renewal is the same in both runs, and drawn once.
    assert_eq!(lines.matches("M666.2 130L").count(), 1, "{lines}");
}

#[test]
fn the_playhead_leaves_out_what_it_points_at() {
    let layout = slow(&GALLERY[0].file(), None);
    let at = |millis| layout.line_at(layout.scale.x(SimTime::from_millis(millis)));
    let is_free = |pieces: &[(Px, Px)], y: Px| pieces.iter().all(|(a, b)| y < *a || *b < y);
    let [_, a, b, without, with] = lanes_placed(&layout)[..] else { panic!("five lanes") };
    let pieces = at(17_100);
    assert!(pieces.is_sorted() && pieces[0].0 < a.top, "{pieces:?}");
    for lane in [a, b] {
        assert!(is_free(&pieces, lane.top + Px::whole(52)), "{}: {pieces:?}", lane.data.title);
        assert!(!is_free(&pieces, lane.top + Px::whole(30)), "{}: {pieces:?}", lane.data.title);
    }
    // Not through the triangle, and no farther than the fence.
    assert!(is_free(&pieces, without.top + Px::whole(16)), "{pieces:?}");
    assert!(pieces.iter().all(|(_, to)| *to <= with.top), "{pieces:?}");
    // Elsewhere it goes to the end, but for the handles of the pause.
    let pieces = at(2_000);
    assert_eq!(pieces.last().map(|(_, to)| *to), Some(layout.height));
    let pause = &layout.faults[0];
    assert!(is_free(&pieces, Px((pause.y.0 + pause.bottom.0) / 2)), "{pieces:?}");
}

fn lanes_placed(layout: &TimelineLayout) -> Vec<&PlacedLane> {
    layout.sections.iter().flat_map(|section| &section.lanes).collect()
}

#[test]
fn the_pause_can_be_held_at_both_ends() {
    let layout = first();
    let [pause] = layout.faults.as_slice() else {
        panic!("one fault");
    };
    assert_eq!(pause.name, "Client A pause");
    assert_eq!(pause.x, layout.scale.x(SimTime::from_millis(2_000)));
    assert_eq!(pause.end, Some(layout.scale.x(SimTime::from_millis(17_000))));
}

#[test]
fn lanes_that_do_not_differ_are_the_same_after_a_drag() {
    let file = GALLERY[0].file();
    let before = first();
    let mut longer = file.clone();
    let id = file.scenario.faults[0].id;
    let length = SimDuration::from_millis(15_100);
    let change = Change::FaultLength { id, length };
    change.apply(&mut longer.scenario).expect("it has the fault");
    let shown = shown(&longer);
    let after = layout_with(&shown, before.scale.clone(), metrics(), Look::default());
    let same: Vec<_> = lanes(&before).iter().zip(lanes(&after)).map(|(a, b)| **a == *b).collect();
    assert_eq!(same, [true, false, true, false, false]);
}

#[test]
fn every_scenario_of_the_gallery_is_drawn_with_few_nodes() {
    for entry in &GALLERY {
        for fencing in FencingMode::ALL {
            let mut file = entry.file();
            fencing.write_to(&mut file);
            let shown = shown(&file);
            for view in [story(&shown.runs, SimTime::ZERO), TimeView::whole(shown.ends_at())] {
                for metrics in [metrics(), Metrics::new(Px::whole(320), 12, true)] {
                    let layout = layout(&shown, view, metrics);
                    // What shows five lock nodes has the most.
                    assert!(n_nodes(&layout) <= 380, "{}: {}", entry.id, n_nodes(&layout));
                }
            }
        }
    }
}

#[test]
fn of_eight_clients_those_that_matter_are_open() {
    let entry = GalleryEntry::find("eight-workers").expect("it is there");
    let shown = shown(&entry.file());
    let view = story(&shown.runs, SimTime::ZERO);
    let scale = scale(&shown, view, &metrics(), TimeAxis::Slow);
    let heights = |look: Look| -> Vec<(String, i32, bool)> {
        let layout = layout_with(&shown, scale.clone(), metrics(), look);
        let clients = lanes(&layout).into_iter().filter_map(|lane| {
            let has_tooth = lane.paths.iter().any(|it| matches!(it.paint, Paint::Tooth(_)));
            lane.opens.map(|_| (lane.title.clone(), lane.height.floor(), has_tooth))
        });
        clients.collect()
    };
    // A writes late, over C's value.
    let open = |all: &[(String, i32, bool)]| -> Vec<String> {
        assert_eq!(all.len(), 8);
        let open = all.iter().filter(|(_, height, _)| *height == 52);
        open.map(|(title, ..)| title.clone()).collect()
    };
    let first = heights(Look::default());
    assert_eq!(open(&first), ["Client A", "Client C"]);
    let rest = first.iter().filter(|(_, height, _)| *height != 52);
    assert!(rest.clone().all(|(_, height, tooth)| *height == 36 && !tooth), "{first:?}");
    let toggled = Clients::default().toggled(ClientId(1)).toggled(ClientId(0));
    let other = heights(Look { toggled, ..Look::default() });
    assert_eq!(open(&other), ["Client B", "Client C"]);
    // Storages are low: 52 px, and here a row for the verdict, which has no room beside marks.
    let layout = layout_with(&shown, scale.clone(), metrics(), Look::default());
    let stores = lanes(&layout).into_iter().filter(|lane| lane.title == "Storage");
    assert_eq!(stores.map(|lane| lane.height.floor()).collect::<Vec<_>>(), [52 + 19, 52 + 19]);
    // What compact lanes do is no arrow: A's and C's writes to both storages are.
    let arrows = layout.arrows.iter().filter(|it| it.did == Did::Plain);
    let n_plain: usize = arrows.map(|it| it.lines.matches('M').count()).sum();
    assert!(n_plain < 16, "{n_plain}");
}

#[test]
fn a_day_of_eight_clients_is_bounded_by_pixels() {
    let mut file = GALLERY[0].file();
    let scenario = &mut file.scenario;
    scenario.clients = (0..8)
        .map(|n| crate::sim::scenario::ClientSpec::asking_at(SimTime::from_millis(n * 10)))
        .collect();
    scenario.defaults.release = true;
    scenario.defaults.work = SimDuration::from_millis(50);
    scenario.defaults.repeat = Repeat::After(SimDuration::from_millis(100));
    let hours = SimDuration::from_secs(2 * 3_600);
    scenario.length = crate::sim::scenario::Length::Fixed(hours);
    let shown = shown(&file);
    assert!(shown.runs.run_1.entries().len() > 100_000);
    let whole = TimeView::whole(shown.ends_at());
    let middle = SimTime::from_millis(3_600_000);
    for percent in [100, 30, 10, 3, 1] {
        let view = whole.zoomed(middle, percent, shown.ends_at());
        let layout = layout(&shown, view, metrics());
        let is_drawn = layout.arrows.iter().any(|arrows| arrows.fate == Fate::Arrived);
        assert_eq!(layout.crowded, !is_drawn, "{percent} %: what is left out is said");
        assert!(n_nodes(&layout) <= 1_200, "{percent} %: {}", n_nodes(&layout));
        let longest = lanes(&layout)
            .iter()
            .flat_map(|lane| &lane.paths)
            .map(|path| (path.d.len(), path.paint))
            .max()
            .expect("something is drawn");
        assert!(longest.0 < 40_000, "{percent} %: {longest:?}");
    }
    let near = whole.zoomed(middle, 1, shown.ends_at()).zoomed(middle, 1, shown.ends_at());
    let crowded = [whole, near].map(|view| layout(&shown, view, metrics()).crowded);
    assert_eq!(crowded, [true, false]);
}

#[test]
fn what_is_hidden_is_not_in_the_data() {
    let shown = shown(&GALLERY[0].file());
    let known = shown.known_at(SimTime::from_millis(9_000));
    let layout = layout(&known, story(&shown.runs, SimTime::ZERO), metrics());
    let labels = &layout.labels;
    let all: Vec<_> = labels.texts.iter().map(|it| format!("{} {}", it.text, it.tail)).collect();
    let told = ["33 → A ", "paused ", "waits "];
    assert!(told.iter().all(|text| all.iter().any(|it| it == text)), "{all:?}");
    let unsaid = labels.unsaid.iter().map(|unsaid| &unsaid.text);
    let all: Vec<_> = all.iter().chain(unsaid).collect();
    assert!(!all.iter().any(|text| text.contains("until")), "{all:?}");
    assert!(!all.iter().any(|text| text.contains("34")), "{all:?}");
    let service = lane(&layout, "Lock service", "");
    assert_eq!(service.paths.len(), 1);
    assert_eq!(layout.faults[0].to, None, "the pause is not over");
    lane(&layout, "Client B", "no token");
}

/// What is in the air in the first scenario, as said at the discs.
fn in_the_air(micros: u64) -> Vec<(String, String, Px)> {
    let shown = shown(&GALLERY[0].file());
    let view = story(&shown.runs, SimTime::ZERO);
    let layout = layout(&shown, view, Metrics::new(Px::whole(772), 12, false));
    let at = SimTime::from_micros(micros);
    let flights = aloft(&shown, &layout, at, false);
    let hidden = aloft(&shown, &layout, at, true);
    assert_eq!(hidden.len(), flights.len());
    let ends = |store: u8| -> Vec<Px> {
        let to = NodeId::Store(StoreId(store));
        hidden.iter().filter(|flight| flight.ends.1 == to).map(|flight| flight.end.1).collect()
    };
    if let [without, with] = ends(0)[..] {
        // As far below their lanes' upper edges, whatever the two storages will answer.
        let tops: Vec<Px> = layout.sections[1..].iter().map(|it| it.lanes[0].top).collect();
        assert_eq!(without - tops[0], with - tops[1]);
    }
    let said = |flight: &Aloft| flight.label.clone().unwrap_or_else(|| "routine".to_owned());
    let place = |flight: &Aloft| flight.place(&layout.scale, at);
    let x = layout.scale.x(at);
    for flight in &flights {
        assert!((place(flight).0 - x).0.abs() <= 1, "it is where the playhead is");
        // Its label stands at its arrow, and is not said again at its disc.
        assert_eq!(layout.says(flight), flight.label.is_some(), "{flight:?}");
        let elsewhere = Aloft { label: Some("write 99".to_owned()), ..flight.clone() };
        assert!(!layout.says(&elsewhere));
    }
    flights.iter().map(|flight| (flight.letter.clone(), said(flight), place(flight).1)).collect()
}

#[test]
fn what_is_in_the_air_is_on_its_arrow_at_the_playhead() {
    let told = |micros| -> Vec<_> {
        in_the_air(micros).into_iter().map(|(letter, said, _)| format!("{letter} {said}")).collect()
    };
    assert_eq!(told(17_050_000), ["A renew", "A write 33", "A write 33", "B routine"]);
    assert_eq!(told(150_000), ["A asks"]);
    assert_eq!(told(250_000), ["A grant 33"]);
    // Sent at one instant and received at another: in the air between them, not at them.
    for quiet in [0, 1_500_000, 12_400_000, 39_000_000] {
        assert_eq!(told(quiet), [""; 0], "{quiet}");
    }
    // Only B's renewal, and the answer to it.
    for routine in [17_000_000, 17_100_000] {
        assert_eq!(told(routine), ["B routine"], "{routine}");
    }
    assert_eq!(told(13_700_000 - 20_000), ["B routine"], "a renewal");
}

#[test]
fn a_write_in_the_air_goes_down_to_its_storage() {
    let heights = |micros| -> Vec<Px> { in_the_air(micros).into_iter().map(|it| it.2).collect() };
    let (early, late) = (heights(17_020_000), heights(17_080_000));
    assert!(late[0] < early[0], "the renewal goes up");
    assert!(late[1] > early[1] && late[2] > early[2], "the writes go down");
    assert!(late[2] > late[1], "to one storage under the other");
}

#[test]
fn the_holder_has_so_long_left() {
    let shown = shown(&GALLERY[0].file());
    let layout = slow(&GALLERY[0].file(), None);
    let left = |millis| -> Vec<String> {
        let at = SimTime::from_millis(millis);
        countdowns(&shown, &layout, at).iter().map(|count| count.text(at)).collect()
    };
    assert_eq!(left(17_050), ["6.7 s left"]);
    assert_eq!(left(1_000), ["9.2 s left"]);
    assert_eq!(left(100), [""; 0], "nobody holds it");
    let at = SimTime::from_millis(17_050);
    let count = countdowns(&shown, &layout, at).remove(0);
    let later = count.level(SimTime::from_millis(17_060));
    assert!(count.level(at) < later, "it runs down");
}

#[test]
fn two_stacks_stand_low_and_apart_and_say_whose_storage_is_whose() {
    let entry = GalleryEntry::find("redis-failover").expect("a scenario");
    let runs = Rc::new(Runs::of(&entry.file()).expect("valid"));
    let shown = Shown::of(&runs);
    let metrics = beside_labels(&shown, Metrics::new(Px::whole(884), 12, false));
    assert_eq!(metrics.label_column(), Px::whole(168));
    let view = TimeView { from: SimTime::ZERO, to: SimTime::from_millis(15_000) };
    let layout = layout(&shown, view, metrics);
    let [one, two] = layout.sections.as_slice() else { panic!("two stacks") };
    let end = |section: &Section| {
        let last = section.lanes.last().expect("lanes");
        last.top + last.data.height
    };
    assert_eq!((one.gap, two.gap), (Px::ZERO, Px::whole(8)));
    assert_eq!(two.lanes[0].top, end(one) + Px::whole(8));
    assert!(end(two) <= Px::whole(430), "{}", end(two));
    let under = |section: &Section| section.lanes.last().expect("lanes").data.subtitle.clone();
    assert_eq!([under(one), under(two)], ["with Redis", "with etcd"]);
    let service = |section: &Section| {
        let data = &section.lanes[0].data;
        (data.title.clone(), data.subtitle.clone())
    };
    let expected = ["Redis", "etcd"].map(|name| (name.to_owned(), String::new()));
    assert_eq!([service(one), service(two)], expected);
}

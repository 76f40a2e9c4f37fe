//! Playing, stepping and seeking, over the moments of the first scenario.

use super::TimeControlCommand as Do;
use std::rc::Rc;

use super::*;
use crate::scenarios::GALLERY;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::{Px, TimeAxis};
use crate::view_model::timeline::layout::scale;
use crate::view_model::timeline::overview::story;
use crate::view_model::tracks::shown::Shown;

struct Player {
    control: TimeControl,
    runs: Rc<Runs>,
    stops: Stops,
    tempo: Tempo,
}

impl Player {
    /// Over the first scenario, with nothing drawn.
    fn at(millis: u64) -> Self {
        let runs = Rc::new(Runs::of(&GALLERY[0].file()).expect("it is valid"));
        Self {
            control: TimeControl::at(SimTime::from_millis(millis)),
            stops: Stops::of(&runs),
            tempo: Tempo::default(),
            runs,
        }
    }

    /// The same over a drawing of its first 20 s.
    fn over(millis: u64, axis: TimeAxis) -> Self {
        let mut player = Self::at(millis);
        let metrics = Metrics::new(Px::whole(772), 12, false);
        let view = story(&player.runs, SimTime::ZERO);
        let scale = scale(&Shown::of(&player.runs), view, &metrics, axis);
        player.tempo = Tempo::over(Some(scale));
        player
    }

    fn run(&mut self, command: Do) -> u64 {
        let moments = &self.runs.moments;
        self.control.command(command, moments, &self.stops);
        self.control.now().micros() / 1_000
    }

    /// Lets time pass in frames of 16 ms.
    fn pass(&mut self, millis: u64) -> u64 {
        let mut left = millis;
        while left > 0 {
            let frame = left.min(16);
            let elapsed = SimDuration::from_millis(frame);
            self.control.tick(elapsed, &self.runs.moments, &self.stops, &self.tempo);
            left -= frame;
        }
        self.control.now().micros() / 1_000
    }
}

#[test]
fn steps_go_from_moment_to_moment_and_stop() {
    let mut player = Player::at(0);
    assert_eq!(player.run(Do::NextEvent), 100);
    assert_eq!(player.run(Do::NextEvent), 200);
    assert_eq!(player.run(Do::PreviousEvent), 100);
    assert_eq!(player.run(Do::PreviousEvent), 0);
    assert_eq!(player.run(Do::PreviousEvent), 0);
    player.run(Do::Play);
    player.run(Do::NextEvent);
    assert!(!player.control.is_playing());
    assert_eq!(player.run(Do::End), 39_000);
    assert_eq!(player.run(Do::NextEvent), 39_000);
}

#[test]
fn violations_are_found_from_both_sides() {
    let mut player = Player::at(0);
    assert_eq!(player.run(Do::PreviousViolation), 0);
    assert_eq!(player.run(Do::NextViolation), 17_100);
    assert_eq!(player.run(Do::NextViolation), 17_100);
    player.run(Do::Seek(SimTime::from_millis(30_000)));
    assert_eq!(player.run(Do::PreviousViolation), 17_100);
}

#[test]
fn seeking_stays_inside_the_run_and_goes_on_playing() {
    let mut player = Player::at(500);
    player.run(Do::Play);
    assert_eq!(player.run(Do::Seek(SimTime::MAX)), 39_000);
    assert_eq!(player.run(Do::Back(SimDuration::from_secs(1))), 38_000);
    assert_eq!(player.run(Do::Forward(SimDuration::from_secs(9))), 39_000);
    assert_eq!(player.run(Do::Back(SimDuration::from_secs(99))), 0);
    assert!(player.control.is_playing());
}

#[test]
fn time_passes_at_the_speed_that_was_chosen() {
    let mut player = Player::at(0);
    player.run(Do::Play);
    assert_eq!(player.pass(1_000), 1_000);
    for (digit, expected) in [(1, 1_100), (5, 3_100), (4, 4_100)] {
        let speed = Speed::of_digit(digit).expect("a digit");
        player.run(Do::SetSpeed(speed));
        assert_eq!(player.pass(1_000), expected);
    }
}

#[test]
fn no_microsecond_is_lost_in_slow_motion() {
    let mut player = Player::at(0);
    player.run(Do::SetSpeed(Speed::of_digit(1).expect("a digit")));
    player.run(Do::Play);
    for _ in 0..1_000 {
        let elapsed = SimDuration::from_micros(16_667);
        let (moments, stops) = (&player.runs.moments, &player.stops);
        player.control.tick(elapsed, moments, stops, &player.tempo);
    }
    assert_eq!(player.control.now(), SimTime::from_micros(1_666_700));
}

#[test]
fn the_playhead_goes_evenly_over_the_drawing() {
    for axis in [TimeAxis::Slow, TimeAxis::ToScale] {
        let mut player = Player::over(0, axis);
        player.run(Do::Play);
        let mut places = Vec::new();
        for _ in 0..20 {
            player.pass(960);
            let scale = player.tempo.scale().expect("it is drawn");
            places.push(scale.x(player.control.now()));
        }
        // 748 px in 20 s.
        for pair in places.windows(2) {
            let moved = (pair[1] - pair[0]).0;
            let expected = Px::whole(748).share(960, 20_000).0;
            assert!((moved - expected).abs() <= 2, "{axis:?}: {moved} of {expected}");
        }
    }
}

#[test]
fn the_race_is_seen_in_slow_motion_and_it_says_so() {
    let mut player = Player::over(17_000, TimeAxis::Slow);
    player.run(Do::Play);
    player.pass(32);
    assert!(player.tempo.is_slow_at(player.control.now()));
    // 152 px of 748, that take 20 s: 0.2 s last four.
    let now = player.pass(3_968);
    assert!((17_180..17_220).contains(&now), "{now}");
    player.pass(400);
    assert!(!player.tempo.is_slow_at(player.control.now()));
    let plain = Player::over(17_100, TimeAxis::ToScale);
    assert!(!plain.tempo.is_slow_at(plain.control.now()));
}

#[test]
fn play_goes_on_behind_the_view_at_its_own_rate() {
    let mut player = Player::over(19_900, TimeAxis::ToScale);
    player.run(Do::Play);
    let now = player.pass(3_000);
    assert!((22_800..23_000).contains(&now), "{now}");
}

#[test]
fn how_long_a_way_takes_is_what_it_takes() {
    for (from, to) in [(0, 200), (2_000, 17_050), (16_900, 18_000), (15_000, 30_000)] {
        let mut player = Player::over(from, TimeAxis::Slow);
        player.run(Do::Play);
        let to = SimTime::from_millis(to);
        let millis = player.control.until(to, &player.tempo).micros() / 1_000;
        player.pass(millis.saturating_sub(2));
        assert!(player.control.now() < to, "{to}: {millis} ms are too long");
        player.pass(4);
        assert!(player.control.now() >= to, "{to}: {millis} ms are too short");
    }
}

#[test]
fn the_end_stops_play_and_play_at_the_end_starts_again() {
    let mut player = Player::at(38_990);
    player.run(Do::Play);
    assert_eq!(player.pass(2_000), 39_000);
    assert!(!player.control.is_playing());
    assert_eq!(player.run(Do::Play), 0);
    assert!(player.control.is_playing());
    player.run(Do::Seek(SimTime::from_millis(38_990)));
    player.run(Do::SetLoop(true));
    player.pass(1_000);
    assert!(player.control.is_playing());
    assert!(player.control.now() < SimTime::from_millis(2_000));
}

#[test]
fn a_hidden_tab_does_not_make_time_jump() {
    let mut player = Player::at(0);
    player.run(Do::Play);
    let (moments, stops) = (&player.runs.moments, &player.stops);
    let hour = SimDuration::from_secs(3_600);
    player.control.tick(hour, moments, stops, &player.tempo);
    assert_eq!(player.control.now(), SimTime::ZERO + LONGEST_FRAME);
}

#[test]
fn with_less_motion_play_goes_from_event_to_event() {
    let mut player = Player::over(0, TimeAxis::Slow);
    player.run(Do::SetStepwise(true));
    player.run(Do::Play);
    assert_eq!(player.pass(1_100), 0);
    assert_eq!(player.pass(200), 100);
    assert_eq!(player.pass(1_300), 200);
    // What is routine is no event of its own: B renews at 13.6 s.
    player.run(Do::Seek(SimTime::from_millis(12_400)));
    assert_eq!(player.pass(1_300), 17_000);
}

#[test]
fn a_rest_ends_with_the_next_event_at_every_speed() {
    for (digit, drawn) in [(1, false), (4, false), (4, true), (8, true)] {
        let mut player =
            if drawn { Player::over(2_000, TimeAxis::Slow) } else { Player::at(2_000) };
        player.run(Do::SetSpeed(Speed::of_digit(digit).expect("a speed")));
        player.run(Do::Play);
        let (moments, stops) = (&player.runs.moments, &player.stops);
        let next = moments.next_after(player.control.now()).expect("there are more");
        let rest = player.control.rests_for(moments, stops, &player.tempo).micros() / 1_000;
        player.pass(rest.saturating_sub(2));
        assert!(player.control.now() < next, "{digit}: {rest} ms are too long");
        player.pass(4);
        assert!(player.control.now() >= next, "{digit}: {rest} ms are too short");
    }
}

#[test]
fn a_control_that_does_not_play_does_not_move() {
    let mut player = Player::at(700);
    assert_eq!(player.pass(5_000), 700);
    player.run(Do::Toggle);
    player.run(Do::Toggle);
    assert_eq!(player.pass(5_000), 700);
}

#[test]
fn speeds_have_short_names() {
    let names: Vec<_> = Speed::all().map(Speed::name).collect();
    let expected = ["0.1×", "0.25×", "0.5×", "1×", "2×", "5×", "10×", "30×", "100×"];
    assert_eq!(names, expected);
    assert_eq!(Speed::of_digit(0), None);
}

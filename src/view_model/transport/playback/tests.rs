//! Playing, stepping and seeking, over the moments of the first scenario.

use super::TimeControlCommand as Do;
use super::*;
use crate::scenarios::GALLERY;

struct Player {
    control: TimeControl,
    runs: Runs,
    stops: Stops,
}

impl Player {
    fn at(millis: u64) -> Self {
        let runs = Runs::of(&GALLERY[0].file()).expect("it is valid");
        Self {
            control: TimeControl::at(SimTime::from_millis(millis)),
            stops: Stops::of(&runs),
            runs,
        }
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
            self.control.tick(elapsed, &self.runs.moments, &self.stops);
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
    player.run(Do::SetShorten(false));
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
    player.run(Do::SetShorten(false));
    player.run(Do::SetSpeed(Speed::of_digit(1).expect("a digit")));
    player.run(Do::Play);
    for _ in 0..1_000 {
        let elapsed = SimDuration::from_micros(16_667);
        let (moments, stops) = (&player.runs.moments, &player.stops);
        player.control.tick(elapsed, moments, stops);
    }
    assert_eq!(player.control.now(), SimTime::from_micros(1_666_700));
}

#[test]
fn long_stretches_without_events_are_shortened_and_it_says_so() {
    let mut player = Player::at(2_000);
    player.run(Do::Play);
    let says = |player: &Player| player.control.is_hurrying(&player.runs.moments, &player.stops);
    assert!(says(&player));
    // From 2.0 s to 10.2 s nothing happens: a second, and not eight.
    let now = player.pass(992);
    assert!((9_900..10_200).contains(&now), "{now}");
    let now = player.pass(48);
    assert!((10_200..10_300).contains(&now), "{now}");
    assert!(!says(&player));
    player.run(Do::SetShorten(false));
    player.run(Do::Seek(SimTime::from_millis(2_000)));
    assert_eq!(player.pass(1_000), 3_000);
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
    player.run(Do::SetShorten(false));
    player.run(Do::Play);
    let (moments, stops) = (&player.runs.moments, &player.stops);
    let hour = SimDuration::from_secs(3_600);
    player.control.tick(hour, moments, stops);
    assert_eq!(player.control.now(), SimTime::ZERO + LONGEST_FRAME);
}

#[test]
fn with_less_motion_play_goes_from_event_to_event() {
    let mut player = Player::at(0);
    player.run(Do::SetStepwise(true));
    player.run(Do::Play);
    assert_eq!(player.pass(1_100), 0);
    assert_eq!(player.pass(200), 100);
    assert_eq!(player.pass(1_300), 200);
}

#[test]
fn a_rest_ends_with_the_next_event_at_every_speed() {
    for (digit, shortened) in [(1, false), (4, false), (4, true), (8, true)] {
        let mut player = Player::at(2_000);
        player.run(Do::SetSpeed(Speed::of_digit(digit).expect("a speed")));
        player.run(Do::SetShorten(shortened));
        player.run(Do::Play);
        let (moments, stops) = (&player.runs.moments, &player.stops);
        let next = moments.next_after(player.control.now()).expect("there are more");
        let rest = player.control.rests_for(moments, stops).micros() / 1_000;
        player.pass(rest.saturating_sub(1));
        assert!(player.control.now() < next, "{digit}: {rest} ms are too long");
        player.pass(2);
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

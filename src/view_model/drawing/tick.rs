//! Instants of the ruler as text, and the round ones, as dense as their labels leave room for. It
//! knows no run.

use crate::sim::time::SimTime;

use super::scale::{Px, TimeScale};
use crate::view_model::words::clock::Clock;

/// Distances of labels, in microseconds: what people count in, from a microsecond to half a day.
const STEPS: [u64; 33] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
    600_000_000,
    1_800_000_000,
    3_600_000_000,
    7_200_000_000,
    14_400_000_000,
    21_600_000_000,
    43_200_000_000,
];

/// The round times of a view, or times of day, as far apart as labels that need `room` each would
/// have to be on a scale.
pub fn round_times(scale: &TimeScale, room: Px, clock: Option<Clock>) -> Vec<SimTime> {
    let least = scale.duration(room).micros();
    let step = STEPS.into_iter().find(|&step| step >= least);
    let step = step.unwrap_or(STEPS[STEPS.len() - 1]);
    let shift = clock.map_or(0, Clock::micros_at_start);
    let first = (scale.view.from.micros() + shift).div_ceil(step) * step;
    let last = scale.view.to.micros() + shift;
    let instants = (0..).map(|n| first + n * step).take_while(|&micros| micros <= last);
    instants.map(|micros| SimTime::from_micros(micros - shift)).collect()
}

/// The label of an instant, as short as the zoom allows: `17 s`, `10.2 s`, `2:30.5 min`.
pub fn label(at: SimTime, scale: &TimeScale) -> String {
    let unit = 10_u64.pow(6 - decimals_at(scale));
    let micros = (at.micros() + unit / 2) / unit * unit;
    let precision = precision(micros);
    ruler_label(micros, precision)
}

/// The same as a time of day.
pub fn clock_label(at: SimTime, scale: &TimeScale, clock: Clock) -> String {
    let text = clock.time_of_day(at, decimals_at(scale));
    match text.split_once('.') {
        Some((whole, rest)) => match rest.trim_end_matches('0') {
            "" => whole.to_owned(),
            rest => format!("{whole}.{rest}"),
        },
        None => text,
    }
}

/// The unit that the label of an instant is as precise as.
fn precision(micros: u64) -> u64 {
    match micros {
        HOUR.. if micros.is_multiple_of(HOUR) => HOUR,
        TWO_MINUTES.. if micros.is_multiple_of(MINUTE) => MINUTE,
        _ => {
            let units = (0..=6).rev().map(|digits| 10_u64.pow(digits));
            units.into_iter().find(|unit| micros.is_multiple_of(*unit)).unwrap_or(1)
        }
    }
}

/// `15 s`, `15.25 s`, `2:30 min`, `1:30 h`, `3:11:30 h`: as precise as the step, and with its unit.
fn ruler_label(micros: u64, step: u64) -> String {
    if step >= HOUR {
        return format!("{} h", micros / HOUR);
    }
    if micros >= HOUR && step >= MINUTE {
        return format!("{}:{:02} h", micros / HOUR, micros / MINUTE % 60);
    }
    if step >= MINUTE {
        return format!("{} min", micros / MINUTE);
    }
    if micros >= 2 * MINUTE {
        return clock(micros, decimals(step));
    }
    seconds(micros, decimals(step))
}

const MINUTE: u64 = 60_000_000;
const TWO_MINUTES: u64 = 2 * MINUTE;
const HOUR: u64 = 60 * MINUTE;

/// Minutes and seconds, or hours, minutes and seconds: `2:30.5 min`, `3:11:30 h`.
fn clock(micros: u64, decimals: u32) -> String {
    let width = if decimals == 0 { 2 } else { 3 + decimals as usize };
    let within = seconds(micros % MINUTE, decimals);
    let within = within.trim_end_matches(" s");
    if micros >= HOUR {
        let (hours, minutes) = (micros / HOUR, micros / MINUTE % 60);
        format!("{hours}:{minutes:02}:{within:0>width$} h")
    } else {
        format!("{}:{within:0>width$} min", micros / MINUTE)
    }
}

/// Decimals of a second that a step of the ruler needs.
fn decimals(step: u64) -> u32 {
    let mut unit = 1_000_000;
    let mut decimals = 0;
    while decimals < 6 && !step.is_multiple_of(unit) {
        unit /= 10;
        decimals += 1;
    }
    decimals
}

/// Seconds with a fixed number of decimals: `17.10 s`.
pub fn seconds(micros: u64, decimals: u32) -> String {
    let unit = 10_u64.pow(6 - decimals.min(6));
    let micros = (micros + unit / 2) / unit * unit;
    let whole = micros / 1_000_000;
    if decimals == 0 {
        return format!("{whole} s");
    }
    let rest = micros % 1_000_000 / unit;
    format!("{whole}.{rest:0width$} s", width = decimals as usize)
}

/// Decimals of a second that a zoom deserves.
fn decimals_at(scale: &TimeScale) -> u32 {
    let pixel = scale.duration(Px::whole(1)).micros();
    match pixel {
        0..=9 => 6,
        10..=99 => 5,
        100..=999 => 4,
        1_000..=9_999 => 3,
        10_000..=499_999 => 2,
        500_000..=1_999_999 => 1,
        _ => 0,
    }
}

/// The playhead's time of day.
pub fn playhead_clock(time: SimTime, scale: &TimeScale, clock: Clock) -> String {
    clock.time_of_day(time, decimals_at(scale))
}

/// The playhead's time, with the precision that the zoom deserves: hundredths at the usual zoom.
pub fn playhead_label(time: SimTime, scale: &TimeScale) -> String {
    let decimals = decimals_at(scale);
    let micros = time.micros();
    if micros < 2 * MINUTE {
        return seconds(micros, decimals.max(1));
    }
    // Rounded first, so that no minute has sixty seconds.
    let unit = 10_u64.pow(6 - decimals);
    clock((micros + unit / 2) / unit * unit, decimals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::drawing::scale::TimeView;

    fn scale(from: u64, to: u64, width: i32) -> TimeScale {
        let end = SimTime::from_millis(86_400_000);
        let (from, to) = (SimTime::from_micros(from), SimTime::from_micros(to));
        TimeScale::new(TimeView::within(from, to, end), Px::ZERO, Px::whole(width))
    }

    fn labels(scale: &TimeScale) -> Vec<String> {
        let round = round_times(scale, Px::whole(80), None);
        round.into_iter().map(|at| label(at, scale)).collect()
    }

    #[test]
    fn twenty_seconds_read_as_in_the_picture() {
        let scale = scale(0, 20_000_000, 772);
        assert_eq!(labels(&scale), ["0 s", "5 s", "10 s", "15 s", "20 s"]);
        let label = |micros| label(SimTime::from_micros(micros), &scale);
        assert_eq!(label(10_200_000), "10.2 s");
        assert_eq!(label(10_204_900), "10.2 s", "as precise as the screen");
        assert_eq!(label(30_393_000), "30.39 s");
    }

    #[test]
    fn times_of_day_stand_at_round_places() {
        use crate::sim::scenario::Incident;
        let start = "2024-05-01T10:00:03.250+02:00".parse().expect("valid");
        let incident = Incident { start: Some(start), clock: true, ..Incident::default() };
        let clock = Clock::shown(&incident).expect("shown");
        let scale = scale(0, 20_000_000, 772);
        let all = round_times(&scale, Px::whole(80), Some(clock));
        let labels: Vec<_> = all.iter().map(|at| clock_label(*at, &scale, clock)).collect();
        assert_eq!(labels, ["10:00:05", "10:00:10", "10:00:15", "10:00:20"]);
        assert_eq!(all[0], SimTime::from_millis(1_750));
        assert_eq!(clock_label(SimTime::from_millis(1_850), &scale, clock), "10:00:05.1");
        let zoomed = self::scale(17_000_000, 17_400_000, 400);
        let label = |at: u64| playhead_clock(SimTime::from_millis(at), &zoomed, clock);
        assert_eq!(label(17_100), "10:00:20.350");
    }

    #[test]
    fn labels_carry_what_the_zoom_deserves() {
        assert_eq!(
            labels(&scale(17_000_000, 17_400_000, 400)),
            ["17 s", "17.1 s", "17.2 s", "17.3 s", "17.4 s"]
        );
        let minutes = labels(&scale(0, 600_000_000, 500));
        assert_eq!(minutes[..3], ["0 s", "2 min", "4 min"]);
        let day = labels(&scale(0, 86_400_000_000, 800));
        assert_eq!(day[..3], ["0 s", "4 h", "8 h"]);
        let late = labels(&scale(3_600_000_000, 3_601_000_000, 800));
        assert_eq!(late[1], "1:00:00.1 h");
    }

    #[test]
    fn long_runs_read_as_a_clock() {
        let day = scale(0, 86_400_000_000, 800);
        let read = |millis| playhead_label(SimTime::from_millis(millis), &day);
        assert_eq!(read(17_100), "17.1 s");
        assert_eq!(read(150_400), "2:30 min");
        assert_eq!(read(3_599_600), "1:00:00 h");
        assert_eq!(read(8_462_640), "2:21:03 h");
        let near = scale(8_462_000_000, 8_463_000_000, 800);
        let read = |millis| playhead_label(SimTime::from_millis(millis), &near);
        assert_eq!(read(8_462_640), "2:21:02.640 h");
    }

    #[test]
    fn the_playhead_reads_in_hundredths_at_the_usual_zoom() {
        let time = SimTime::from_millis(17_100);
        assert_eq!(playhead_label(time, &scale(0, 20_000_000, 772)), "17.10 s");
        assert_eq!(playhead_label(time, &scale(17_000_000, 17_100_000, 772)), "17.1000 s");
    }
}

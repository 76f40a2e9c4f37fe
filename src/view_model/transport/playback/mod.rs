//! Play, pause, seek, step and speed as a small state machine over a run's moments. It knows no
//! clock: whoever draws frames says how much time has passed between two of them, and how time is
//! drawn (`tempo.rs`).

mod tempo;

use crate::sim::time::{SimDuration, SimTime};

use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::Moments;

pub use tempo::Tempo;

/// How fast time passes while playing, one of a few steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Speed(u8);

/// The speeds, in thousandths: slow motion to a hundredfold.
const SPEEDS: [u64; 9] = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 100_000];

impl Default for Speed {
    fn default() -> Self {
        Self(3)
    }
}

impl Speed {
    /// All of them, slowest first; the digits 1 to 9 choose them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0_u8..).zip(SPEEDS).map(|(index, _)| Self(index))
    }

    /// The speed of a digit key, 1 to 9.
    pub fn of_digit(digit: u8) -> Option<Self> {
        (1..=9).contains(&digit).then(|| Self(digit - 1))
    }

    /// Its place among all of them.
    pub fn index(self) -> u8 {
        self.0
    }

    /// Thousandths of simulated time to a unit of the user's.
    pub fn permille(self) -> u64 {
        SPEEDS[usize::from(self.0)]
    }

    /// `0.25×`, `10×`.
    pub fn name(self) -> String {
        let permille = self.permille();
        match permille {
            1_000.. => format!("{}×", permille / 1_000),
            _ if permille.is_multiple_of(100) => format!("0.{}×", permille / 100),
            _ => format!("0.{}×", permille / 10),
        }
    }
}

/// What a user does to time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimeControlCommand {
    /// Lets time pass; at the end, from the start.
    Play,
    /// Stops it.
    Pause,
    /// Plays or pauses.
    Toggle,
    /// Goes to an instant.
    Seek(SimTime),
    /// Goes on by a length.
    Forward(SimDuration),
    /// Goes back by a length.
    Back(SimDuration),
    /// Goes to the next moment that is not routine.
    NextEvent,
    /// Goes to the one before.
    PreviousEvent,
    /// Goes to the next violation.
    NextViolation,
    /// Goes to the violation before.
    PreviousViolation,
    /// Goes to the start.
    Start,
    /// Goes to the end.
    End,
    /// Sets the speed.
    SetSpeed(Speed),
    /// Starts again at the end, or does not.
    SetLoop(bool),
    /// Goes from event to event instead of gliding, or does not: for those who asked their system
    /// for less motion.
    SetStepwise(bool),
}

impl TimeControlCommand {
    /// Whether it moves the playhead.
    pub fn moves(self) -> bool {
        match self {
            Self::Pause | Self::SetSpeed(_) | Self::SetLoop(_) | Self::SetStepwise(_) => false,
            Self::Play
            | Self::Toggle
            | Self::Seek(_)
            | Self::Forward(_)
            | Self::Back(_)
            | Self::NextEvent
            | Self::PreviousEvent
            | Self::NextViolation
            | Self::PreviousViolation
            | Self::Start
            | Self::End => true,
        }
    }
}

/// What time can stop at, taken from the runs that are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stops {
    /// The end of time.
    pub ends_at: SimTime,
    /// When violations happened, in order, each instant once.
    pub violations: Vec<SimTime>,
}

impl Stops {
    /// The stops of the runs that are shown: verdicts and broken properties that decide.
    pub fn of(runs: &Runs) -> Self {
        let violations = crate::view_model::timeline::overview::all_violations(runs);
        let violations = violations.into_iter().map(|(at, _)| at).collect();
        Self { ends_at: runs.ends_at(), violations }
    }
}

/// Where time stands and how it passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    now: SimTime,
    playing: bool,
    speed: Speed,
    looping: bool,
    stepwise: bool,
    /// Time passed since the last step, when going stepwise; thousandths of a microsecond that have
    /// passed and moved nothing yet, when gliding.
    carried: u64,
}

/// A frame never counts for more than this: a tab that was hidden does not make time jump.
const LONGEST_FRAME: SimDuration = SimDuration::from_millis(100);
/// How long an event is looked at when going stepwise, at the usual speed.
const DWELL: SimDuration = SimDuration::from_millis(1_200);

impl TimeControl {
    /// Standing still at an instant.
    pub fn at(now: SimTime) -> Self {
        Self { now, ..Self::default() }
    }

    /// Where time stands.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Whether it passes.
    pub fn is_playing(&self) -> bool {
        self.playing
    }

    /// How fast it passes.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Whether it starts again at the end.
    pub fn is_looping(&self) -> bool {
        self.looping
    }

    /// Whether it goes from event to event.
    pub fn is_stepwise(&self) -> bool {
        self.stepwise
    }

    /// Does what a user asked for.
    pub fn command(&mut self, command: TimeControlCommand, moments: &Moments, stops: &Stops) {
        let now = self.now;
        match command {
            TimeControlCommand::Play => {
                if now >= stops.ends_at {
                    self.now = SimTime::ZERO;
                }
                self.carried = 0;
                self.playing = true;
            }
            TimeControlCommand::Pause => self.playing = false,
            TimeControlCommand::Toggle if self.playing => self.playing = false,
            TimeControlCommand::Toggle => self.command(TimeControlCommand::Play, moments, stops),
            TimeControlCommand::Seek(time) => self.seek(time, stops),
            TimeControlCommand::Forward(length) => self.seek(now + length, stops),
            TimeControlCommand::Back(length) => self.seek(now - length, stops),
            TimeControlCommand::NextEvent => {
                self.stop_at(moments.next_telling_after(now).unwrap_or(stops.ends_at));
            }
            TimeControlCommand::PreviousEvent => {
                self.stop_at(moments.last_telling_before(now).unwrap_or(SimTime::ZERO));
            }
            TimeControlCommand::NextViolation => {
                let next = stops.violations.partition_point(|&at| at <= now);
                if let Some(&at) = stops.violations.get(next) {
                    self.stop_at(at);
                }
            }
            TimeControlCommand::PreviousViolation => {
                let next = stops.violations.partition_point(|&at| at < now);
                if let Some(&at) = next.checked_sub(1).and_then(|i| stops.violations.get(i)) {
                    self.stop_at(at);
                }
            }
            TimeControlCommand::Start => self.stop_at(SimTime::ZERO),
            TimeControlCommand::End => self.stop_at(stops.ends_at),
            TimeControlCommand::SetSpeed(speed) => self.speed = speed,
            TimeControlCommand::SetLoop(on) => self.looping = on,
            TimeControlCommand::SetStepwise(on) => self.stepwise = on,
        }
    }

    /// Lets `elapsed` of the user's time pass, if time passes at all.
    pub fn tick(&mut self, elapsed: SimDuration, moments: &Moments, stops: &Stops, tempo: &Tempo) {
        if !self.playing {
            return;
        }
        let elapsed = elapsed.min(LONGEST_FRAME);
        if self.stepwise {
            self.step(elapsed, moments, stops);
        } else {
            self.glide(elapsed, tempo);
        }
        if self.now >= stops.ends_at {
            self.now = stops.ends_at;
            if self.looping && stops.ends_at > SimTime::ZERO {
                self.now = SimTime::ZERO;
            } else {
                self.playing = false;
            }
        }
    }

    /// How much of the user's time passes until something happens.
    pub fn rests_for(&self, moments: &Moments, stops: &Stops, tempo: &Tempo) -> SimDuration {
        match self.stepwise {
            true => self.takes(DWELL.micros().saturating_sub(self.carried)),
            false => self.until(self.next_stop(moments, stops), tempo),
        }
    }

    /// How much of the user's time passes until an instant, when gliding.
    pub fn until(&self, to: SimTime, tempo: &Tempo) -> SimDuration {
        let carried = self.carried / 1_000;
        self.takes(tempo.takes(self.now, to).micros().saturating_sub(carried))
    }

    /// How long what takes so many microseconds at the usual speed takes at this one.
    fn takes(&self, micros: u64) -> SimDuration {
        SimDuration::from_micros(micros.saturating_mul(1_000).div_ceil(self.speed.permille()))
    }

    fn seek(&mut self, time: SimTime, stops: &Stops) {
        self.now = time.min(stops.ends_at);
        self.carried = 0;
    }

    /// Steps stop the play: who steps wants to look.
    fn stop_at(&mut self, time: SimTime) {
        self.now = time;
        self.playing = false;
        self.carried = 0;
    }

    fn step(&mut self, elapsed: SimDuration, moments: &Moments, stops: &Stops) {
        self.carried += elapsed.micros() * self.speed.permille() / 1_000;
        if self.carried < DWELL.micros() {
            return;
        }
        self.carried = 0;
        self.now = moments.next_telling_after(self.now).unwrap_or(stops.ends_at);
    }

    fn glide(&mut self, elapsed: SimDuration, tempo: &Tempo) {
        let passed = elapsed.micros() * self.speed.permille() + self.carried;
        let (now, used) = tempo.ahead(self.now, SimDuration::from_micros(passed / 1_000));
        self.now = now;
        self.carried = passed.saturating_sub(used.micros().saturating_mul(1_000));
    }

    /// The next event; behind the last, the end of time.
    pub fn next_stop(&self, moments: &Moments, stops: &Stops) -> SimTime {
        let next = moments.next_after(self.now).unwrap_or(stops.ends_at);
        next.min(stops.ends_at)
    }
}

#[cfg(test)]
mod tests;

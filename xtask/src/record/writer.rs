//! The text of a recording, and the moments that are measured for it. What was measured is given as
//! a range that certainly holds it, so that a test can state an inequality without a tolerance.

use crate::shell::Outcome;
use std::fmt;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Where a sentence about a part is broken.
const COLUMNS: usize = 100;

/// How long a probe that found nothing waits before the next one.
const BETWEEN_PROBES: Duration = Duration::from_millis(5);

/// A recording in the making.
pub(crate) struct Recorder {
    started: Instant,
    head: String,
    body: String,
}

impl Recorder {
    pub(crate) fn new(system: &str) -> Self {
        Self { started: Instant::now(), head: format!("system: {system}\n"), body: String::new() }
    }

    /// A line of the head: the version, or a setting.
    pub(crate) fn head(&mut self, name: &str, value: &str) {
        self.head.push_str(&format!("{name}: {value}\n"));
    }

    /// Begins a part, with a sentence that says what is done in it.
    pub(crate) fn part(&mut self, name: &str, about: &str) {
        if self.body.is_empty() {
            // What came before was installing and starting.
            self.started = Instant::now();
        }
        println!("  {name}: {about}");
        self.body.push_str(&format!("\n[{name}]\n"));
        let mut line = "#".to_owned();
        for word in about.split_whitespace() {
            if line.chars().count() + 1 + word.chars().count() > COLUMNS {
                self.body.push_str(&format!("{line}\n"));
                line = "#".to_owned();
            }
            line.push_str(&format!(" {word}"));
        }
        self.body.push_str(&format!("{line}\n"));
    }

    /// Writes one observation: a word and fields `name=value`, without spaces in a value.
    pub(crate) fn saw(&mut self, observation: &str) {
        let t = self.started.elapsed().as_millis();
        self.body.push_str(&format!("t=+{t}ms {observation}\n"));
    }
}

impl fmt::Display for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.head, self.body)
    }
}

/// An instant that is known to lie between two others: that of an answer lies between the sending
/// of the question and its arrival.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    from: Instant,
    to: Instant,
}

impl Moment {
    /// This instant.
    pub(crate) fn now() -> Self {
        let now = Instant::now();
        Self { from: now, to: now }
    }

    /// An instant that is known to lie between these two.
    pub(crate) fn between(from: Instant, to: Instant) -> Self {
        Self { from, to }
    }

    /// Does something, and says when: between its begin and its end.
    pub(crate) fn of<T>(act: impl FnOnce() -> Outcome<T>) -> Outcome<(Self, T)> {
        let from = Instant::now();
        let result = act()?;
        Ok((Self { from, to: Instant::now() }, result))
    }

    /// How long after `start` this was, as `LOW..HIGHms`, in whole milliseconds rounded outwards.
    pub(crate) fn after(self, start: Self) -> String {
        let low = self.from.saturating_duration_since(start.to).as_millis();
        let high = self.to.saturating_duration_since(start.from).as_micros().div_ceil(1000);
        format!("{low}..{high}ms")
    }
}

/// Probes until one finds what it looks for. It came to be so after the last probe that did not
/// find it was sent, and before the first that did was answered.
pub(crate) fn until<T>(
    what: &str,
    limit: Duration,
    mut probe: impl FnMut() -> Outcome<Option<T>>,
) -> Outcome<(Moment, T)> {
    let started = Instant::now();
    let mut from = started;
    loop {
        let asked = Instant::now();
        if let Some(found) = probe()? {
            return Ok((Moment { from, to: Instant::now() }, found));
        }
        from = asked;
        if started.elapsed() > limit {
            return Err(format!("waited {} s in vain until {what}", limit.as_secs()));
        }
        sleep(BETWEEN_PROBES);
    }
}

/// A truth as a word.
pub(crate) fn yes(so: bool) -> &'static str {
    if so { "yes" } else { "no" }
}

/// Lets time pass.
pub(crate) fn pass(milliseconds: u64) {
    sleep(Duration::from_millis(milliseconds));
}

#[cfg(test)]
mod tests {
    use super::{Moment, Recorder};
    use std::time::{Duration, Instant};

    #[test]
    fn a_measured_time_is_rounded_outwards() {
        let zero = Instant::now();
        let at = |micros| zero + Duration::from_micros(micros);
        let start = Moment { from: at(0), to: at(400) };
        let end = Moment { from: at(10_300), to: at(12_100) };
        assert_eq!(end.after(start), "9..13ms");
        assert_eq!(start.after(end), "0..0ms", "an end before its start has no length");
    }

    #[test]
    fn a_recording_is_a_head_and_parts() {
        let mut recorder = Recorder::new("redis");
        recorder.part("expiry", "A key runs out.");
        recorder.saw("granted who=A");
        recorder.head("version", "7.0");
        let text = recorder.to_string();
        assert!(
            text.starts_with("system: redis\nversion: 7.0\n\n[expiry]\n# A key runs out.\nt=+")
        );
        assert!(text.ends_with("ms granted who=A\n"), "{text}");
    }
}

//! The small words: times, names of things, names of choices. Sentences are made of these in
//! `describe` and `why`; nothing else on the page writes a time or a name.

use crate::sim::limits;
use crate::sim::plain_text::{brief, cut, one_line};
use crate::sim::scenario::{LockSystem, NamedStep, Operation, PauseScope, Renew, WorkKind};
use crate::sim::time::{SimDuration, SimTime};

pub mod choice;

pub use super::message_row::message;
pub use choice::rule;

/// Characters of our own messages, with what they usually quote.
const MAX_MESSAGE: usize = 600;

const SECOND: u64 = 1_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// An instant: `17.1 s`, `13.63 s`, `2 min 3.4 s`. At least one decimal, and as many as tell it
/// apart at a hundredth of a second; three where it is a whole number of milliseconds.
pub fn time(at: SimTime) -> String {
    long(at.micros(), decimals(at.micros()))
}

/// An instant with a fixed number of decimals, for figures that move.
pub fn time_with(at: SimTime, decimals: u32) -> String {
    long(at.micros(), decimals)
}

/// A length: `100 ms`, `15.0 s`, `2 min`, `1 h 30 min`.
pub fn duration(length: SimDuration) -> String {
    let micros = length.micros();
    if micros == 0 {
        "0 s".to_owned()
    } else if micros < SECOND {
        format!("{} ms", trimmed(fixed(micros, 3, 3)))
    } else {
        long(micros, decimals(micros))
    }
}

/// A length as a field shows it: as everywhere else where that is exact, so that it reads back.
pub fn field(length: SimDuration) -> String {
    let micros = length.micros();
    let whole_unit = [(HOUR, "h"), (MINUTE, "min")];
    let fits = |(unit, _): &(u64, &str)| micros >= 2 * unit && micros.is_multiple_of(*unit);
    if let Some((unit, name)) = whole_unit.into_iter().find(fits) {
        return format!("{} {name}", micros / unit);
    }
    // Beyond two minutes as instants are told, if three decimals hold it.
    if micros >= 2 * MINUTE && micros.is_multiple_of(1_000) {
        return long(micros, decimals(micros));
    }
    let text = length.to_string();
    match text.strip_suffix(" s") {
        Some(number) if micros > 0 && !number.contains('.') => format!("{number}.0 s"),
        Some(_) | None => text,
    }
}

/// A length that counts down or up at the playhead: hundredths below a minute.
pub fn counter(length: SimDuration) -> String {
    let micros = length.micros();
    long(micros, if micros < MINUTE { 2 } else { 1 })
}

fn decimals(micros: u64) -> u32 {
    if micros.is_multiple_of(100_000) {
        1
    } else if micros.is_multiple_of(10_000) || !micros.is_multiple_of(1_000) {
        2
    } else {
        3
    }
}

fn long(micros: u64, decimals: u32) -> String {
    let rest = |micros: u64| match micros {
        0 => String::new(),
        _ => format!(" {}", seconds(micros, decimals)),
    };
    match micros {
        // Up to two minutes seconds are easier to compare.
        0..120_000_000 => seconds(micros, decimals),
        120_000_000..HOUR => format!("{} min{}", micros / MINUTE, rest(micros % MINUTE)),
        HOUR.. => {
            let minutes = micros % HOUR / MINUTE;
            let rest = rest(micros % MINUTE);
            match (minutes, rest.as_str()) {
                (0, "") => format!("{} h", micros / HOUR),
                _ => format!("{} h {minutes} min{rest}", micros / HOUR),
            }
        }
    }
}

fn seconds(micros: u64, decimals: u32) -> String {
    format!("{} s", fixed(micros, 6, decimals))
}

/// `micros / 10^places`, rounded to `decimals`.
fn fixed(micros: u64, places: u32, decimals: u32) -> String {
    let cut = 10_u64.pow(places.saturating_sub(decimals));
    let rounded = (micros + cut / 2) / cut;
    let scale = 10_u64.pow(decimals);
    match decimals {
        0 => rounded.to_string(),
        _ => format!("{}.{:0width$}", rounded / scale, rounded % scale, width = decimals as usize),
    }
}

fn trimmed(number: String) -> String {
    match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number,
    }
}

/// The name of a lock system.
pub fn lock_system(lock: LockSystem) -> &'static str {
    crate::sim::lock::info(lock).name
}

/// The name of a lock system inside a sentence: small, where it is no name of its own.
pub fn lock_system_inside(lock: LockSystem) -> String {
    let is_generic = crate::sim::lock::info(lock).service == crate::sim::lock::LOCK_SERVICE;
    if is_generic { small(lock_system(lock)) } else { lock_system(lock).to_owned() }
}

/// A way to renew, as its field shows it: `TTL / 3`, `3.0 s`, `off`.
pub fn renew(renew: Renew) -> String {
    match renew {
        Renew::Off => "off".to_owned(),
        Renew::Share(ratio) if ratio.numerator == 1 && ratio.denominator == 1 => "TTL".to_owned(),
        Renew::Share(ratio) if ratio.numerator == 1 => format!("TTL / {}", ratio.denominator),
        Renew::Share(ratio) => format!("TTL × {}/{}", ratio.numerator, ratio.denominator),
        Renew::Every(interval) => field(interval),
    }
}

/// The name of an operation.
pub fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Overwrite => "Overwrite",
        Operation::ReadModifyWrite => "Read, modify, write",
        Operation::ExternalEffect => "Act outside, then write",
    }
}

/// The name of a kind of work.
pub fn work_kind(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Waiting => "Waiting",
        WorkKind::Computing => "Computing",
    }
}

/// The name of a pause's scope.
pub fn scope(scope: PauseScope) -> &'static str {
    match scope {
        PauseScope::Client => "Whole client",
        PauseScope::Worker => "Worker only",
        PauseScope::Renewer => "Renewer only",
    }
}

/// The name of a step at which a pause can begin.
pub fn step(step: NamedStep) -> &'static str {
    match step {
        NamedStep::BeforeAcquire => "before it asks for the lock",
        NamedStep::BeforeReply => "after the grant, before it handles the reply",
        NamedStep::BeforeRead => "after the reply, before it begins",
        // It may have read nothing.
        NamedStep::BeforeWrite => "after its work, before its write",
        NamedStep::AfterCheck => "between its check and its write",
        NamedStep::InRenewer => "before a renewal is sent",
        NamedStep::BeforeFirstWrite => "before the first write of a new grant",
    }
}

/// `text` with a capital; a name that is written without one keeps its letter.
pub fn capital(text: &str) -> String {
    if text.starts_with("etcd") {
        return text.to_owned();
    }
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => std::iter::once(first.to_ascii_uppercase()).chain(chars).collect(),
        None => String::new(),
    }
}

/// `text` without a capital.
pub fn small(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => std::iter::once(first.to_ascii_lowercase()).chain(chars).collect(),
        None => String::new(),
    }
}

/// A title that somebody gave, on one line and of bounded length.
pub fn title(given: &str) -> String {
    match given.trim() {
        "" => "Without a title".to_owned(),
        given => cut(&one_line(given), limits::MAX_TITLE_CHARS),
    }
}

/// A message for the page, on one line. What it quotes may be anything: of one that is longer than
/// any of our own, long quotations are cut.
pub fn told(message: &str) -> String {
    match message.chars().nth(MAX_MESSAGE) {
        None => one_line(message),
        Some(_) => brief(message),
    }
}

/// `1 write`, `2 writes`.
pub fn plural(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_wrote_is_shown_on_one_line_and_cut() {
        assert_eq!(title(" \n"), "Without a title");
        assert_eq!(title("a\u{202e}\nb\u{200b}"), "a\u{fffd} b\u{fffd}");
        assert_eq!(title(&"x".repeat(900_000)).chars().count(), limits::MAX_TITLE_CHARS + 1);
        let own = "w ".repeat(MAX_MESSAGE / 2);
        assert_eq!(told(&own), own, "our own words are never cut");
        assert_eq!(told("“\u{2066}\0”: no"), "“\u{fffd}\u{fffd}”: no");
        let long = format!("unknown field `{}`, expected `seed`", "k\u{202e}".repeat(450_000));
        let short = told(&long);
        assert!(short.chars().count() < 200 && short.ends_with("…`, expected `seed`"), "{short}");
    }

    #[test]
    fn times_have_a_unit_and_the_precision_that_they_deserve() {
        let at = |micros| time(SimTime::from_micros(micros));
        assert_eq!(at(0), "0.0 s");
        assert_eq!(at(17_100_000), "17.1 s");
        assert_eq!(at(13_633_333), "13.63 s");
        assert_eq!(at(105_000), "0.105 s");
        assert_eq!(at(123_400_000), "2 min 3.4 s");
        assert_eq!(at(3_600_000_000), "1 h");
        assert_eq!(at(3_661_500_000), "1 h 1 min 1.5 s");
    }

    #[test]
    fn lengths_read_well_and_fields_read_back() {
        let length = |micros| duration(SimDuration::from_micros(micros));
        assert_eq!(length(100_000), "100 ms");
        assert_eq!(length(1_500), "1.5 ms");
        assert_eq!(length(15_000_000), "15.0 s");
        assert_eq!(length(600_000_000), "10 min");
        assert_eq!(field(SimDuration::from_secs(230)), "3 min 50.0 s");
        for micros in [0, 7, 1_500, 100_000, 3_333_333, 10_000_000, 90_000_000, 600_000_000] {
            let length = SimDuration::from_micros(micros);
            assert_eq!(field(length).parse(), Ok(length));
        }
        assert_eq!(field(SimDuration::from_secs(10)), "10.0 s");
        assert_eq!(field(SimDuration::from_secs(600)), "10 min");
        assert_eq!(counter(SimDuration::from_micros(9_966_667)), "9.97 s");
    }

    #[test]
    fn renewal_is_written_as_people_write_it() {
        use crate::sim::scenario::Ratio;
        assert_eq!(renew(Renew::Share(Ratio::THIRD)), "TTL / 3");
        assert_eq!(renew(Renew::Every(SimDuration::from_secs(3))), "3.0 s");
        assert_eq!(renew(Renew::Off), "off");
    }
}

//! What the sliders and number fields of the controls stand for: how a typed text becomes a change,
//! which values a slider stops at, and why a control has no effect in a set-up. Whole numbers only;
//! where a value lies on a slider's track is the page's business.

use crate::sim::id::FaultId;
use crate::sim::limits;
use crate::sim::lock::Fixed;
use crate::sim::plain_text::quoted;
use crate::sim::scenario::{
    Change, CrashScope, Fault, FaultKind, LockSystem, PauseScope, Quantity, Ratio, Renew,
    ScenarioSpec,
};
use crate::sim::time::{DurationError, SimDuration};

pub mod idle;

use idle::Idle;

use crate::view_model::words::names::Words;
use crate::view_model::words::struck;
use crate::view_model::words::wording;

/// A quantity as a noun, after “no”: “no pause up to 118 s does”.
pub fn noun(quantity: Quantity, spec: &ScenarioSpec) -> &'static str {
    let kind = |id: FaultId| spec.faults.iter().find(|fault| fault.id == id);
    match quantity {
        Quantity::Ttl => "time to live",
        Quantity::Renew => "renewal interval",
        Quantity::Work => "work",
        Quantity::Latency => "message time",
        Quantity::LockDelay => "lock-delay",
        Quantity::Grace => "grace",
        Quantity::DeadlineMargin => "margin",
        Quantity::CheckGap => "check gap",
        Quantity::StartsAfter => "wait before the work",
        Quantity::MinHold => "least hold",
        Quantity::RenewCap => "cap of renewal",
        Quantity::FaultStart(id) => match kind(id).map(|fault| &fault.kind) {
            Some(FaultKind::Pause { .. }) => "start of the pause",
            Some(FaultKind::Cut { .. }) => "start of the cut",
            Some(FaultKind::Crash { .. }) => "time of the crash",
            Some(FaultKind::ClockJump { .. }) => "time of the clock step",
            Some(FaultKind::ServiceRestart { .. } | FaultKind::StoreRestart { .. }) => {
                "time of the restart"
            }
            Some(FaultKind::Failover { .. }) => "time of the failover",
            Some(FaultKind::ConnectionLost { .. }) => "time of the connection's loss",
            Some(
                FaultKind::Delay { .. }
                | FaultKind::Lose { .. }
                | FaultKind::Duplicate { .. }
                | FaultKind::ClockRate { .. },
            )
            | None => "start",
        },
        Quantity::FaultLength(id) => match kind(id).map(|fault| &fault.kind) {
            Some(FaultKind::Delay { .. }) => "delay",
            Some(FaultKind::Crash { .. }) => "crash",
            Some(FaultKind::Cut { .. }) => "cut",
            Some(FaultKind::ClockJump { .. }) => "clock step",
            Some(FaultKind::ServiceRestart { .. }) => "restart",
            Some(FaultKind::Failover { .. }) => "time until another serves",
            Some(FaultKind::Duplicate { .. }) => "lag of the duplicate",
            Some(
                FaultKind::Lose { .. }
                | FaultKind::ClockRate { .. }
                | FaultKind::StoreRestart { .. }
                | FaultKind::ConnectionLost { .. },
            ) => "fault",
            Some(FaultKind::Pause { .. }) | None => "pause",
        },
    }
}

/// What a quantity is when it grows, after “however”.
pub fn grown(quantity: Quantity, spec: &ScenarioSpec) -> &'static str {
    let is_jump = |fault: &Fault| matches!(fault.kind, FaultKind::ClockJump { .. });
    match quantity {
        Quantity::FaultStart(_) => "late",
        Quantity::FaultLength(id) if spec.faults.iter().any(|it| it.id == id && is_jump(it)) => {
            "far"
        }
        Quantity::FaultLength(_)
        | Quantity::Ttl
        | Quantity::Renew
        | Quantity::Work
        | Quantity::Latency
        | Quantity::LockDelay
        | Quantity::Grace
        | Quantity::DeadlineMargin
        | Quantity::CheckGap
        | Quantity::StartsAfter
        | Quantity::MinHold
        | Quantity::RenewCap => "long",
    }
}

/// The name of a quantity, on its slider. Faults of one kind at one client are numbered.
pub fn name(words: &Words, quantity: Quantity, spec: &ScenarioSpec) -> String {
    let (id, name_of): (FaultId, fn(&Words, &FaultKind) -> String) = match quantity {
        Quantity::Ttl => return "Time to live".to_owned(),
        Quantity::Renew => return "Renew every".to_owned(),
        Quantity::Work => return "Work takes".to_owned(),
        Quantity::Latency => return "Message takes".to_owned(),
        Quantity::LockDelay => return "Lock-delay".to_owned(),
        Quantity::Grace => return "Grace".to_owned(),
        Quantity::DeadlineMargin => return "Deadline margin".to_owned(),
        Quantity::CheckGap => return "Gap between check and write".to_owned(),
        Quantity::StartsAfter => return "Work begins after".to_owned(),
        Quantity::MinHold => return "Held at least".to_owned(),
        Quantity::RenewCap => return "Renewed for at most".to_owned(),
        Quantity::FaultLength(id) => (id, length_name),
        Quantity::FaultStart(id) => (id, start_name),
    };
    numbered(words, id, spec, name_of)
}

/// What the start or the length of a fault is called below the fault's own name.
pub fn own_name(quantity: Quantity, fault: &Fault) -> String {
    let starts = matches!(quantity, Quantity::FaultStart(_));
    let name = match (&fault.kind, starts) {
        (FaultKind::Pause { .. } | FaultKind::Cut { .. }, true) => "It starts at",
        (_, true) => "It happens at",
        (FaultKind::Pause { .. } | FaultKind::Cut { .. }, false) => "It lasts",
        (FaultKind::Crash { .. }, false) => "It restarts after",
        (FaultKind::ServiceRestart { .. }, false) => "It is away for",
        (FaultKind::Failover { .. }, false) => "Another node serves after",
        (FaultKind::Delay { .. }, false) => "It is delayed by",
        (FaultKind::Duplicate { .. }, false) => "It comes later by",
        (
            FaultKind::ClockJump { .. }
            | FaultKind::ClockRate { .. }
            | FaultKind::Lose { .. }
            | FaultKind::StoreRestart { .. }
            | FaultKind::ConnectionLost { .. },
            false,
        ) => "By",
    };
    name.to_owned()
}

/// What the glossary explains of a quantity, where its name begins with somebody's.
pub fn about(quantity: Quantity, spec: &ScenarioSpec) -> Option<&'static str> {
    let (Quantity::FaultLength(id) | Quantity::FaultStart(id)) = quantity else {
        return None;
    };
    spec.faults.iter().find(|fault| fault.id == id).and_then(|fault| struck::about(&fault.kind))
}

/// The name of a fault, such as `Client A pause`; faults of one name are numbered.
pub fn fault_name(words: &Words, id: FaultId, spec: &ScenarioSpec) -> String {
    numbered(words, id, spec, Words::fault)
}

fn numbered(
    words: &Words,
    id: FaultId,
    spec: &ScenarioSpec,
    name_of: fn(&Words, &FaultKind) -> String,
) -> String {
    let Some(place) = spec.faults.iter().position(|fault| fault.id == id) else {
        return String::new();
    };
    let name = name_of(words, &spec.faults[place].kind);
    let earlier = spec.faults[..place].iter();
    match earlier.filter(|fault| name_of(words, &fault.kind) == name).count() {
        0 => name,
        earlier => format!("{name} ({})", earlier + 1),
    }
}

fn length_name(words: &Words, kind: &FaultKind) -> String {
    match kind {
        FaultKind::Pause { client, scope, .. } => match scope {
            PauseScope::Client => format!("{} pauses for", words.client(*client)),
            PauseScope::Worker => format!("{}'s worker pauses for", words.client(*client)),
            PauseScope::Renewer => format!("{}'s renewer pauses for", words.client(*client)),
        },
        FaultKind::Crash { client, .. } => format!("{} restarts after", words.client(*client)),
        FaultKind::ServiceRestart { .. } => {
            wording::capital(&format!("{} is away for", words.the_service()))
        }
        FaultKind::Failover { .. } => "Another node serves after".to_owned(),
        FaultKind::Cut { .. } => format!("{}, length", words.fault(kind)),
        FaultKind::ClockJump { .. } => format!("{}, by", words.fault(kind)),
        FaultKind::Duplicate { .. } => format!("{}, later by", words.fault(kind)),
        FaultKind::Lose { .. }
        | FaultKind::ClockRate { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. } => words.fault(kind),
        FaultKind::Delay { message, .. } => {
            let message = words.addressed(message);
            wording::capital(&format!("{message} is delayed by"))
        }
    }
}

fn start_name(words: &Words, kind: &FaultKind) -> String {
    match kind {
        FaultKind::Pause { .. } => format!("{} starts at", words.fault(kind)),
        FaultKind::Crash { client, scope: CrashScope::Client, .. } => {
            format!("{} crashes at", words.client(*client))
        }
        FaultKind::Crash { client, .. } => format!("{}'s worker dies at", words.client(*client)),
        FaultKind::Cut { .. }
        | FaultKind::ClockJump { .. }
        | FaultKind::ServiceRestart { .. }
        | FaultKind::Failover { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. } => format!("{} at", words.fault(kind)),
        FaultKind::Delay { .. }
        | FaultKind::Lose { .. }
        | FaultKind::Duplicate { .. }
        | FaultKind::ClockRate { .. } => words.fault(kind),
    }
}

/// The values of a slider.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub least: SimDuration,
    /// The most; a field takes more.
    pub most: SimDuration,
    /// The smallest step.
    pub finest: SimDuration,
}

/// The range of a quantity's slider.
pub fn range(quantity: Quantity) -> Range {
    let millis = SimDuration::from_millis;
    let ten_minutes = SimDuration::from_secs(600);
    match quantity {
        Quantity::Ttl => Range { least: millis(100), most: ten_minutes, finest: millis(100) },
        Quantity::Latency => {
            Range { least: SimDuration::ZERO, most: SimDuration::from_secs(10), finest: millis(1) }
        }
        Quantity::Renew
        | Quantity::Work
        | Quantity::FaultLength(_)
        | Quantity::FaultStart(_)
        | Quantity::LockDelay
        | Quantity::Grace
        | Quantity::StartsAfter
        | Quantity::MinHold
        | Quantity::RenewCap => {
            Range { least: SimDuration::ZERO, most: ten_minutes, finest: millis(100) }
        }
        Quantity::DeadlineMargin | Quantity::CheckGap => {
            Range { least: SimDuration::ZERO, most: SimDuration::from_secs(60), finest: millis(10) }
        }
    }
}

/// The same where leases last as long as `ttl`: what outlasts one must be in reach.
pub fn range_beside(quantity: Quantity, ttl: SimDuration) -> Range {
    let range = range(quantity);
    let is_beside_a_lease = match quantity {
        Quantity::FaultLength(_)
        | Quantity::FaultStart(_)
        | Quantity::Work
        | Quantity::StartsAfter
        | Quantity::RenewCap => true,
        Quantity::Ttl
        | Quantity::Renew
        | Quantity::Latency
        | Quantity::LockDelay
        | Quantity::Grace
        | Quantity::DeadlineMargin
        | Quantity::CheckGap
        | Quantity::MinHold => false,
    };
    let most = if is_beside_a_lease { range.most.max(ttl.times(2)) } else { range.most };
    Range { most: most.min(limits::MAX_DURATION), ..range }
}

impl Range {
    /// The step of a key at `value`: about a hundredth of it, and round.
    fn step_at(&self, value: SimDuration) -> SimDuration {
        let step = match value.micros() {
            0..100_000 => SimDuration::from_millis(1),
            100_000..1_000_000 => SimDuration::from_millis(10),
            1_000_000..30_000_000 => SimDuration::from_millis(100),
            30_000_000..120_000_000 => SimDuration::from_secs(1),
            120_000_000.. => SimDuration::from_secs(5),
        };
        step.max(self.finest)
    }

    /// The next round value above, `times` steps of a key away.
    pub fn above(&self, value: SimDuration, times: u32) -> SimDuration {
        let up = |value: SimDuration, _| {
            let step = self.step_at(value).micros();
            SimDuration::from_micros((value.micros() / step + 1) * step).min(self.most)
        };
        (0..times).fold(value, up)
    }

    /// The next round value below.
    pub fn below(&self, value: SimDuration, times: u32) -> SimDuration {
        let down = |value: SimDuration, _| {
            let just_below = value.minus(SimDuration::from_micros(1));
            let step = self.step_at(just_below).micros();
            SimDuration::from_micros(just_below.micros() / step * step).max(self.least)
        };
        (0..times).fold(value, down)
    }

    /// The round value nearest to `value`.
    pub fn nearest(&self, value: SimDuration) -> SimDuration {
        let step = self.step_at(value).micros();
        let rounded = (value.micros() + step / 2) / step * step;
        SimDuration::from_micros(rounded).clamp(self.least, self.most)
    }
}

/// The shares of the time to live that the slider of renewal stops at; after the last: off.
pub const RENEW_STOPS: [(u16, u16); 15] = [
    (1, 20),
    (1, 10),
    (3, 20),
    (1, 5),
    (1, 4),
    (3, 10),
    (1, 3),
    (2, 5),
    (1, 2),
    (3, 5),
    (2, 3),
    (3, 4),
    (4, 5),
    (9, 10),
    (1, 1),
];

/// What the slider of renewal sets at a stop.
pub fn renew_at(stop: usize) -> Renew {
    RENEW_STOPS.get(stop).map_or(Renew::Off, |&(numerator, denominator)| {
        Renew::Share(Ratio { numerator, denominator })
    })
}

/// The stop nearest to a way to renew.
pub fn renew_stop(renew: Renew, ttl: SimDuration) -> usize {
    let Some(interval) = renew.interval(Some(ttl)) else {
        return RENEW_STOPS.len();
    };
    let away = |stop: &usize| {
        let here = renew_at(*stop).interval(Some(ttl)).unwrap_or(interval);
        here.minus(interval).max(interval.minus(here))
    };
    (0..RENEW_STOPS.len()).min_by_key(away).unwrap_or_default()
}

/// Reads what was typed into a quantity's field. A bare number has the unit that the field shows.
///
/// # Errors
/// Quotes the text and says what would be right.
pub fn parse(quantity: Quantity, text: &str, shown: &str) -> Result<Change, String> {
    if quantity == Quantity::Renew {
        return parse_renew(text, shown).map(Change::Renew);
    }
    let value = parse_duration(text, shown)?;
    let (least, most) = quantity.range();
    within(text, value, least, most)?;
    Ok(quantity.set(value))
}

/// Reads a length; a bare number has the unit that the field shows.
///
/// # Errors
/// Quotes the text and says what would be right.
pub fn parse_duration(text: &str, shown: &str) -> Result<SimDuration, String> {
    if let Some(sum) = parse_sum(text) {
        return Ok(sum);
    }
    // A field that shows no time, but a share or “off”, takes seconds.
    let is_unit = |word: &&str| SimDuration::parse("1", Some(word)).is_ok();
    let unit = shown.split_whitespace().last().filter(is_unit).unwrap_or("s");
    SimDuration::parse(text, Some(unit)).map_err(|error| match error {
        DurationError::Empty => "Empty: write a time such as 250 ms, 10 s or 2 min".to_owned(),
        other => other.to_string(),
    })
}

/// A length in several units, as fields show it: `3 min 50.0 s`.
fn parse_sum(text: &str) -> Option<SimDuration> {
    let words: Vec<_> = text.split_whitespace().collect();
    if words.len() < 4 || !words.len().is_multiple_of(2) {
        return None;
    }
    let parts = words.chunks(2).map(|pair| SimDuration::parse(&pair.join(" "), None));
    let parts: Result<Vec<_>, _> = parts.collect();
    let sum =
        parts.ok()?.into_iter().try_fold(0_u64, |sum, part| sum.checked_add(part.micros()))?;
    Some(SimDuration::from_micros(sum))
}

fn within(
    text: &str,
    value: SimDuration,
    least: SimDuration,
    most: SimDuration,
) -> Result<(), String> {
    if value >= least && value <= most {
        return Ok(());
    }
    let quoted = quoted(text);
    let (least, most) = (wording::field(least), wording::field(most));
    Err(format!("“{quoted}” is out of range: from {least} to {most}"))
}

/// Reads a way to renew: `off`, a share such as `TTL / 3` or `2/3`, or an interval.
fn parse_renew(text: &str, shown: &str) -> Result<Renew, String> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let compact = compact.to_ascii_lowercase().replace(['×', 'x', '·'], "*");
    match compact.as_str() {
        "off" | "never" | "none" | "no" => return Ok(Renew::Off),
        "ttl" => return Ok(renew_at(RENEW_STOPS.len() - 1)),
        _ => {}
    }
    let share = match compact.strip_prefix("ttl") {
        Some(rest) if rest.starts_with('/') => Some(format!("1{rest}")),
        Some(rest) => Some(rest.trim_start_matches('*').to_owned()),
        None if compact.contains('/') => Some(compact.clone()),
        None => None,
    };
    if let Some(share) = share {
        let quoted = quoted(text);
        let ratio: Result<Ratio, _> = share.parse();
        return ratio.map(Renew::Share).map_err(|_| {
            format!("“{quoted}” is not a share of the TTL: write TTL / 3, or TTL × 2/3")
        });
    }
    let value = parse_duration(text, shown)
        .map_err(|error| format!("{error}; TTL / 3 and off are right, too"))?;
    within(text, value, limits::MIN_INTERVAL, limits::MAX_DURATION)?;
    Ok(Renew::Every(value))
}

/// Reads a count.
///
/// # Errors
/// Quotes the text and says what would be right.
pub fn parse_count(text: &str, most: u32) -> Result<u32, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err(format!("Empty: write a whole number from 1 to {most}"));
    }
    let count = trimmed.parse::<u32>().ok();
    count.filter(|n| (1..=most).contains(n)).ok_or_else(|| {
        let quoted = quoted(trimmed);
        format!("“{quoted}” is not a whole number from 1 to {most}")
    })
}

/// A quantity as its field shows it; `None` where the scenario has no such value.
pub fn shown(quantity: Quantity, spec: &ScenarioSpec) -> Option<String> {
    match quantity {
        Quantity::Renew => Some(wording::renew(spec.defaults.renew)),
        _ => quantity.value(spec).map(wording::field),
    }
}

/// Why a quantity has no effect in a set-up; `None`: it has.
pub fn idle(quantity: Quantity, spec: &ScenarioSpec) -> Idle {
    match (quantity, spec.lock) {
        (Quantity::Renew, LockSystem::Plain) => {
            idle::when(true, "no renewal", "A plain lock has no time to live: nothing is renewed")
        }
        (Quantity::Ttl, _) => idle::without_ttl(spec),
        (Quantity::Renew, _) => idle::without_ttl(spec).or(idle::fixed(spec, Fixed::Renew)),
        (
            Quantity::Work
            | Quantity::StartsAfter
            | Quantity::Latency
            | Quantity::FaultLength(_)
            | Quantity::FaultStart(_),
            _,
        ) => None,
        (Quantity::LockDelay, _) => idle::lock_delay(spec),
        (Quantity::Grace, _) => idle::grace(spec),
        (Quantity::DeadlineMargin, _) => idle::deadline_part(spec),
        (Quantity::CheckGap, _) => None,
        (Quantity::MinHold, _) => idle::min_hold(spec),
        (Quantity::RenewCap, _) => idle::renewal(spec),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Quantity = Quantity::FaultLength(FaultId(1));

    #[test]
    fn a_field_takes_what_people_write() {
        let millis = SimDuration::from_millis;
        let set = |text| parse(PAUSE, text, "15.0 s");
        assert_eq!(set("250ms"), Ok(PAUSE.set(millis(250))));
        assert_eq!(set("90 s"), Ok(PAUSE.set(millis(90_000))));
        assert_eq!(set("2m"), Ok(PAUSE.set(millis(120_000))));
        assert_eq!(set("3 min 50.0 s"), Ok(PAUSE.set(millis(230_000))));
        assert_eq!(set("1 h 2 min 3 s"), Ok(PAUSE.set(millis(3_723_000))));
        assert!(set("3 min 50 soon").is_err());
        assert_eq!(set("8.1"), Ok(PAUSE.set(millis(8_100))));
        let latency = parse(Quantity::Latency, "50", "100 ms");
        assert_eq!(latency, Ok(Change::Latency(millis(50))));
    }

    #[test]
    fn a_bad_value_is_quoted_with_what_is_right() {
        let message = |text| parse(PAUSE, text, "15.0 s").expect_err(text);
        assert!(message("").contains("such as 250 ms"));
        assert!(message("-3 s").contains("“-3 s”") && message("-3 s").contains("less than 0"));
        assert!(message("999999 h").contains("at most 24 h"));
        assert!(message("soon").contains("“soon”"));
        let ttl = parse(Quantity::Ttl, "0", "10.0 s").expect_err("0");
        assert_eq!(ttl, "“0” is out of range: from 1 ms to 24 h");
        assert!(parse_count("0", 1000).expect_err("0").contains("“0”"));
    }

    #[test]
    fn renewal_takes_shares_intervals_and_off() {
        let read = |text: &str| parse_renew(text, "TTL / 3");
        let five = Renew::Every(SimDuration::from_secs(5));
        assert_eq!((read("5"), parse_renew("5", "off")), (Ok(five), Ok(five)));
        let share = |numerator, denominator| Ok(Renew::Share(Ratio { numerator, denominator }));
        assert_eq!(read("TTL / 3"), share(1, 3));
        assert_eq!(read("ttl/4"), share(1, 4));
        assert_eq!(read("TTL × 2/3"), share(2, 3));
        assert_eq!(read("1/2"), share(1, 2));
        assert_eq!(read("3 s"), Ok(Renew::Every(SimDuration::from_secs(3))));
        assert_eq!(read("off"), Ok(Renew::Off));
        assert!(read("TTL / 0").expect_err("0").contains("“TTL / 0”"));
        assert!(read("often").expect_err("word").contains("“often”"));
        for stop in 0..=RENEW_STOPS.len() {
            let ttl = SimDuration::from_secs(10);
            assert_eq!(renew_stop(renew_at(stop), ttl), stop);
            let text = wording::renew(renew_at(stop));
            assert_eq!(parse_renew(&text, "TTL / 3"), Ok(renew_at(stop)));
        }
    }

    #[test]
    fn keys_step_through_round_values() {
        let range = range(PAUSE);
        let seconds = SimDuration::from_secs;
        assert_eq!(range.above(seconds(15), 1), SimDuration::from_millis(15_100));
        assert_eq!(range.below(seconds(15), 1), SimDuration::from_millis(14_900));
        assert_eq!(range.below(SimDuration::ZERO, 1), SimDuration::ZERO);
        assert_eq!(range.above(seconds(600), 3), seconds(600));
        assert_eq!(range.above(seconds(30), 1), seconds(31));
        assert_eq!(range.below(seconds(30), 1), SimDuration::from_millis(29_900));
        let odd = SimDuration::from_micros(3_333_333);
        assert_eq!(range.above(odd, 1), SimDuration::from_millis(3_400));
        assert_eq!(range.below(odd, 1), SimDuration::from_millis(3_300));
        assert_eq!(range.nearest(odd), SimDuration::from_millis(3_300));
    }
}

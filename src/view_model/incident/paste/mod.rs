//! Reads pasted lines of real logs: a time, an actor, a text. It is tolerant of what logs write
//! (ISO 8601, epoch, syslog, times of day, seconds since the start), and says of every line that it
//! does not take why, quoting it.

use crate::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use crate::sim::limits;
use crate::sim::plain_text::one_line;
use crate::sim::scenario::timestamp::{self, Civil, Timestamp};
use crate::sim::scenario::{Incident, Observed};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::words::wording;

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pasted {
    /// When the run's time 0 was, if the incident did not say: the first line's time.
    pub start: Option<Timestamp>,
    /// The lines, in the order of time.
    pub lines: Vec<Observed>,
    /// What was not taken.
    pub bad: Vec<Bad>,
}

/// A line that was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bad {
    /// Which line, from 1; 0: all of them.
    pub line: usize,
    /// Its beginning.
    pub text: String,
    /// Why.
    pub why: String,
}

impl Bad {
    /// As a sentence: `Line 3, “no time here”: it begins with no time`.
    pub fn sentence(&self) -> String {
        match self.line {
            0 => self.why.clone(),
            line => format!("Line {line}, “{}”: {}", self.text, self.why),
        }
    }
}

/// Characters of a bad line that are quoted.
const QUOTED: usize = 60;

/// A time as a line writes it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Written {
    /// A point of the calendar.
    At(Timestamp),
    /// One without a zone.
    Local(Civil),
    /// A month and a day without a year.
    NoYear(u32, u32, i64),
    /// A time of day, in microseconds since midnight.
    TimeOfDay(i64),
    /// Since the start.
    Since(SimDuration),
}

/// Reads lines; `incident`: its start and its names.
pub fn read(text: &str, incident: &Incident) -> Pasted {
    let mut pasted = Pasted::default();
    let n_chars = text.chars().count();
    if n_chars > limits::MAX_PASTED_CHARS {
        let most = limits::MAX_PASTED_CHARS;
        let why = format!("{n_chars} characters were pasted; at most {most} are read at once");
        pasted.bad.push(Bad { line: 0, text: String::new(), why });
        return pasted;
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let split: Vec<_> = lines.map(|(number, line)| (number, line, written(line.trim()))).collect();
    let on_calendar = split.iter().filter_map(|(_, _, split)| match split {
        Some((Written::At(point), _)) => Some(*point),
        _ => None,
    });
    pasted.start = on_calendar.min_by_key(|point| point.unix_micros());
    pasted.start = pasted.start.filter(|_| incident.start.is_none());
    let start = incident.start.or(pasted.start);
    let mut bad = Vec::new();
    for (number, line, split) in split {
        let taken = match split {
            None => Err(NO_TIME.to_owned()),
            Some((written, rest)) => instant(written, start).map(|at| observed(at, rest, incident)),
        };
        let full = pasted.lines.len() >= limits::MAX_OBSERVED;
        match taken {
            Ok(_) if full => {
                bad.push((number, line, format!("{} lines are the most", limits::MAX_OBSERVED)));
            }
            Ok(observed) => pasted.lines.push(observed),
            Err(why) => bad.push((number, line, why)),
        }
    }
    let quoted = |line: &str| one_line(line.trim()).chars().take(QUOTED).collect();
    let bad = bad.into_iter().map(|(line, text, why)| Bad { line, text: quoted(text), why });
    pasted.bad.extend(bad);
    pasted.lines.sort_by_key(|line| line.at);
    pasted
}

const NO_TIME: &str = "it begins with no time; write 2024-05-01T10:00:00+02:00, 10:00:00, \
                       1714550400 or 12.3 s";

/// The instant of the run.
fn instant(written: Written, start: Option<Timestamp>) -> Result<SimTime, String> {
    let need = |what: &str| format!("{what}: give the incident a start first");
    let local = |civil: Civil, start: Timestamp| {
        let point = Timestamp::from_civil(civil, start.offset_minutes());
        point.ok_or_else(|| "there is no such day".to_owned())
    };
    let point = match written {
        Written::Since(length) => return Ok(SimTime::ZERO + length),
        Written::At(point) => point,
        Written::Local(civil) => local(civil, start.ok_or_else(|| need("it has no zone"))?)?,
        Written::NoYear(month, day, micros) => {
            let start = start.ok_or_else(|| need("it has no year"))?;
            let of_year = |year| Civil { year, month, day, micros };
            let year = start.civil().year;
            // A log that runs over New Year.
            let next = start.civil().month == 12 && month == 1;
            local(of_year(if next { year + 1 } else { year }), start)?
        }
        Written::TimeOfDay(micros) => {
            let start = start.ok_or_else(|| need("it has no date"))?;
            let today = local(Civil { micros, ..start.civil() }, start)?;
            // More than half a day before the start is after midnight.
            let late = start.unix_micros() - today.unix_micros() > 12 * 3_600 * 1_000_000;
            let next_day = || {
                let micros = today.unix_micros() + 86_400 * 1_000_000;
                Timestamp::from_unix_micros(micros, start.offset_minutes())
            };
            if late { next_day().unwrap_or(today) } else { today }
        }
    };
    let start = start.ok_or_else(|| need("it is a point of the calendar"))?;
    let micros = point.unix_micros().saturating_sub(start.unix_micros());
    let apart = SimDuration::from_micros(micros.unsigned_abs());
    if micros < 0 {
        let apart = wording::duration(apart);
        return Err(format!("it lies {apart} before the incident's start, {start}"));
    }
    match apart > limits::MAX_DURATION {
        true => Err(format!("it lies more than 24 h after the incident's start, {start}")),
        false => Ok(SimTime::ZERO + apart),
    }
}

/// The time at the beginning of a line, and the rest.
fn written(line: &str) -> Option<(Written, &str)> {
    // RFC 5424: a priority, perhaps a version.
    let line = match line.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        Some((priority, rest)) if priority.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.strip_prefix("1 ").unwrap_or(rest).trim_start()
        }
        Some(_) | None => line,
    };
    let line = line.trim_start_matches(['[', '(', '"', '\'']);
    let found = calendar(line).or_else(|| syslog(line)).or_else(|| of_day(line));
    let (written, rest) = found.or_else(|| epoch(line)).or_else(|| since(line))?;
    let rest =
        rest.trim_start_matches(|char: char| char.is_whitespace() || "])\"',;|".contains(char));
    // A dash or a colon between time and text.
    let rest = rest.strip_prefix([':', '-']).map_or(rest, str::trim_start);
    Some((written, rest))
}

/// The beginning of a text that is made of some characters.
fn run_of(text: &str, of: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|char: char| !of(char)).unwrap_or(text.len()))
}

fn calendar(line: &str) -> Option<(Written, &str)> {
    let date = line.get(..11)?;
    let (clock, _) = run_of(line.get(11..)?, |char| char.is_ascii_digit() || ":.,".contains(char));
    let clock = clock.trim_end_matches(['.', ',', ':']);
    let end = date.len() + clock.len();
    let (stamp, rest) = (line.get(..end)?, line.get(end..)?);
    let (civil, _) = timestamp::parse(stamp)?;
    let near = rest.strip_prefix(' ').unwrap_or(rest);
    let (zone, after) = run_of(near, |char| {
        char.is_ascii_alphanumeric() || char == '+' || char == '-' || char == ':'
    });
    let zone = zone.trim_end_matches(':');
    match timestamp::offset(zone) {
        Some(offset) => {
            let after = near.get(zone.len()..).unwrap_or(after);
            Some((Written::At(Timestamp::from_civil(civil, offset)?), after))
        }
        None => Some((Written::Local(civil), rest)),
    }
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// `May  1 10:00:00`.
fn syslog(line: &str) -> Option<(Written, &str)> {
    let name = line.get(..3)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|month| *month == name)?;
    let (day, rest) = run_of(line.get(3..)?.trim_start(), |char| char.is_ascii_digit());
    let (clock, rest) = clock_at(rest.strip_prefix(' ')?.trim_start())?;
    let day = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    Some((Written::NoYear(u32::try_from(month).ok()? + 1, day, clock), rest))
}

fn of_day(line: &str) -> Option<(Written, &str)> {
    let (clock, rest) = clock_at(line)?;
    Some((Written::TimeOfDay(clock), rest))
}

fn clock_at(text: &str) -> Option<(i64, &str)> {
    let (clock, _) = run_of(text, |char| char.is_ascii_digit() || ":.,".contains(char));
    let clock = clock.trim_end_matches(['.', ',', ':']);
    Some((timestamp::time_of_day(clock)?, text.get(clock.len()..)?))
}

/// Seconds, milliseconds, microseconds or nanoseconds since 1970, by their number of digits.
fn epoch(line: &str) -> Option<(Written, &str)> {
    let (whole, rest) = run_of(line, |char| char.is_ascii_digit());
    let value = || whole.parse::<i64>().ok();
    let (micros, rest) = match whole.len() {
        10 => match rest.strip_prefix('.') {
            Some(after) => {
                let (decimals, rest) = run_of(after, |char| char.is_ascii_digit());
                (value()? * 1_000_000 + timestamp::micros_of(decimals)?, rest)
            }
            None => (value()? * 1_000_000, rest),
        },
        13 => (value()? * 1_000, rest),
        16 => (value()?, rest),
        19 => (value()? / 1_000, rest),
        _ => return None,
    };
    Some((Written::At(Timestamp::from_unix_micros(micros, 0)?), rest))
}

/// `+12.3 s`, `t=12.3`, `250ms`.
fn since(line: &str) -> Option<(Written, &str)> {
    let plain = line.strip_prefix("t=").or_else(|| line.strip_prefix("T+")).unwrap_or(line);
    let plain = plain.strip_prefix('+').unwrap_or(plain);
    let (number, rest) = run_of(plain, |char| char.is_ascii_digit() || char == '.');
    let spaced = rest.strip_prefix(' ').unwrap_or(rest);
    let (unit, after) = run_of(spaced, char::is_alphabetic);
    let known = ["us", "µs", "ms", "s", "sec", "m", "min", "h"].contains(&unit);
    if known && let Ok(length) = SimDuration::parse(&format!("{number} {unit}"), None) {
        return Some((Written::Since(length), after));
    }
    // A date or a time of day that is none is no number of seconds.
    let separates = |char: char| char.is_whitespace() || ",;|])\"'".contains(char);
    let ends = rest.is_empty() || rest.starts_with(separates);
    let length = SimDuration::parse(number, Some("s")).ok().filter(|_| ends)?;
    Some((Written::Since(length), rest))
}

/// A line with its actor, if its first words name one; otherwise all of them are its text.
fn observed(at: SimTime, rest: &str, incident: &Incident) -> Observed {
    let (actor, text) = actor_of(rest, incident);
    let text = one_line(text.trim());
    let too_long = text.chars().count() > limits::MAX_LINE_CHARS;
    let mut cut: String = text.chars().take(limits::MAX_LINE_CHARS - 1).collect();
    if too_long {
        cut.push('…');
    }
    Observed { at, actor, text: if too_long { cut } else { text }, is: None, sets: None }
}

fn actor_of<'t>(rest: &'t str, incident: &Incident) -> (Option<NodeId>, &'t str) {
    let bare = rest.trim_start_matches(['[', '(', '"', '\'']);
    let named = incident.names.iter().map(|name| (name.name.trim(), name.actor));
    let letters = (0..limits::MAX_CLIENTS).filter_map(|index| u8::try_from(index).ok());
    let letters: Vec<_> = letters
        .map(ClientId)
        .flat_map(|id| [id.to_string(), format!("client {id}")].map(|name| (name, id)))
        .collect();
    let usual = [
        ("lock service", NodeId::Lock(LockNodeId(0))),
        ("service", NodeId::Lock(LockNodeId(0))),
        ("storage", NodeId::Store(StoreId(0))),
    ];
    let letters = letters.iter().map(|(name, id)| (name.as_str(), NodeId::Client(*id)));
    let all = named.chain(letters).chain(usual);
    let found = all.filter_map(|(name, actor)| Some((name.len(), actor, after_name(bare, name)?)));
    match found.max_by_key(|(length, ..)| *length) {
        Some((_, actor, text)) => (Some(actor), text),
        None => (None, rest),
    }
}

/// What stands behind a name that begins a text; syslog's `[pid]:` belongs to the name.
fn after_name<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let head = text.get(..name.len())?;
    // A lone letter is written large; other names however people write them.
    let is_same = if name.len() == 1 { head == name } else { head.eq_ignore_ascii_case(name) };
    let rest = text.get(name.len()..).filter(|_| is_same && !name.is_empty())?;
    let rest = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((pid, rest)) if pid.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        Some(_) | None => rest,
    };
    let ends = rest.is_empty() || rest.starts_with(|char: char| !is_of_a_name(char));
    let between = |char: char| char.is_whitespace() || "])\"',;|:".contains(char);
    ends.then(|| rest.trim_start_matches(between))
}

fn is_of_a_name(char: char) -> bool {
    char.is_alphanumeric() || "-_.'’".contains(char)
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

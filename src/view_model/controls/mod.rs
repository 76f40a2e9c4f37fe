//! Controls as plain data: what each is called, what it shows, which change each choice makes, and
//! why it has no effect. The page draws them all with the same few parts.

pub mod amount;

use crate::sim::limits;
use crate::sim::plain_text::quoted;
use crate::sim::scenario::Change;
use crate::sim::time::SimDuration;

use crate::view_model::words::wording;
use amount::idle::Idle;

/// A control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// Its name.
    pub label: String,
    /// What the glossary explains, where the name begins with somebody's.
    pub about: Option<&'static str>,
    /// Why it has no effect in this set-up.
    pub idle: Idle,
    /// What it does, where its name does not say so.
    pub hint: Option<&'static str>,
    /// What it looks like.
    pub shape: Shape,
}

/// What a control looks like, and what it changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// On or off; `turned` is the change that a turn makes.
    Switch {
        /// Whether it is on.
        on: bool,
        /// What turning it changes.
        turned: Change,
    },
    /// One of several.
    Choice {
        /// Each with its name and its change.
        options: Vec<(&'static str, Change)>,
        /// Which one holds.
        chosen: usize,
    },
    /// A field for a text.
    Text {
        /// What stands in it.
        shown: String,
        /// What may stand in it.
        reads: Reads,
    },
}

/// What a field takes, and the change that it makes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reads {
    /// A length.
    Length(Ranged, ToChange<SimDuration>),
    /// A length, or a word for none.
    Optional(&'static str, Ranged, ToChange<Option<SimDuration>>),
    /// A whole number from the first to the second.
    Count(i64, i64, ToChange<i64>),
}

/// The least that a length may be; the most is the same for all.
pub type Ranged = SimDuration;

/// Makes a change of a value, out of what a control knows.
#[derive(Clone, Debug)]
pub struct ToChange<T> {
    /// The change, with any value in it.
    base: Change,
    set: fn(&mut Change, T),
}

impl<T> PartialEq for ToChange<T> {
    /// One base has one setter.
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base
    }
}

impl<T> Eq for ToChange<T> {}

impl<T> ToChange<T> {
    pub(in crate::view_model) fn new(base: Change, set: fn(&mut Change, T)) -> Self {
        Self { base, set }
    }

    pub(in crate::view_model) fn of(&self, value: T) -> Change {
        let mut change = self.base.clone();
        (self.set)(&mut change, value);
        change
    }
}

impl Reads {
    /// Reads what was typed; a bare number has the unit of what is shown.
    ///
    /// # Errors
    /// Quotes the text and says what would be right.
    pub fn change(&self, text: &str, shown: &str) -> Result<Change, String> {
        match self {
            Self::Length(least, to) => length(text, shown, *least).map(|value| to.of(value)),
            Self::Optional(none, least, to) => {
                let word = text.trim().to_ascii_lowercase();
                let is_none = word == *none || word == "off" || word == "none" || word.is_empty();
                let value = match is_none {
                    true => None,
                    false => Some(
                        length(text, shown, *least)
                            .map_err(|error| format!("{error}; “{none}” is right, too"))?,
                    ),
                };
                Ok(to.of(value))
            }
            Self::Count(least, most, to) => {
                let trimmed = text.trim().replace('−', "-");
                let count = trimmed.parse::<i64>().ok();
                let count = count.filter(|count| (least..=most).contains(&count));
                count.map(|count| to.of(count)).ok_or_else(|| {
                    let quoted = quoted(&trimmed);
                    format!("“{quoted}” is not a whole number from {least} to {most}")
                })
            }
        }
    }
}

fn length(text: &str, shown: &str, least: SimDuration) -> Result<SimDuration, String> {
    let value = amount::parse_duration(text, shown)?;
    if value >= least && value <= limits::MAX_DURATION {
        return Ok(value);
    }
    let quoted = quoted(text);
    let (least, most) = (wording::field(least), wording::field(limits::MAX_DURATION));
    Err(format!("“{quoted}” is out of range: from {least} to {most}"))
}

impl Control {
    pub(in crate::view_model) fn new(label: &str, idle: Idle, shape: Shape) -> Self {
        Self { label: label.to_owned(), about: None, idle, hint: None, shape }
    }

    pub(in crate::view_model) fn switch(label: &str, idle: Idle, on: bool, turned: Change) -> Self {
        Self::new(label, idle, Shape::Switch { on, turned })
    }

    /// A choice among `all`, of which `now` holds.
    pub(in crate::view_model) fn choice<T: Copy + PartialEq>(
        label: &str,
        idle: Idle,
        now: T,
        all: &[T],
        name: impl Fn(T) -> &'static str,
        change: impl Fn(T) -> Change,
    ) -> Self {
        let chosen = all.iter().position(|one| *one == now).unwrap_or(all.len());
        let options = all.iter().map(|one| (name(*one), change(*one))).collect();
        Self::new(label, idle, Shape::Choice { options, chosen })
    }

    pub(in crate::view_model) fn length(
        label: &str,
        idle: Idle,
        now: SimDuration,
        least: SimDuration,
        to: ToChange<SimDuration>,
    ) -> Self {
        let shown = wording::field(now);
        let reads = Reads::Length(least, to);
        Self::new(label, idle, Shape::Text { shown, reads })
    }

    pub(in crate::view_model) fn optional(
        label: &str,
        idle: Idle,
        (now, none): (Option<SimDuration>, &'static str),
        least: SimDuration,
        to: ToChange<Option<SimDuration>>,
    ) -> Self {
        let shown = now.map_or_else(|| none.to_owned(), wording::field);
        let reads = Reads::Optional(none, least, to);
        Self::new(label, idle, Shape::Text { shown, reads })
    }

    pub(in crate::view_model) fn count(
        label: &str,
        idle: Idle,
        now: i64,
        (least, most): (i64, i64),
        to: ToChange<i64>,
    ) -> Self {
        let shown = now.to_string();
        let reads = Reads::Count(least, most, to);
        Self::new(label, idle, Shape::Text { shown, reads })
    }

    pub(in crate::view_model) fn hinted(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }
}

/// Sets the value in a change of a given kind; other kinds are never passed.
macro_rules! to {
    ($kind:ident, $value:expr) => {
        ToChange::new($crate::sim::scenario::Change::$kind($value), |change, value| {
            *change = $crate::sim::scenario::Change::$kind(value)
        })
    };
}
pub(in crate::view_model) use to;

//! Controls as plain data: what each is called, what it shows, which change each choice makes, and
//! why it has no effect. The page draws them all with the same few parts.

pub mod amount;

use crate::sim::limits;
use crate::sim::plain_text::quoted;
use crate::sim::scenario::{Change, ClientSpec, Quantity, ScenarioSpec, Setting};
use crate::sim::time::{SimDuration, SimTime};

use crate::view_model::words::names::Words;
use crate::view_model::words::wording;
use amount::idle::Idle;

/// A control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// Its name.
    pub label: String,
    /// What the glossary explains, where the name begins with somebody's.
    pub about: Option<&'static str>,
    /// What it is called in files; empty: nothing there is this alone.
    pub key: &'static str,
    /// Other words by which people look for it.
    pub also: &'static str,
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
    /// What a slider drags, as its own field reads it.
    Quantity(Quantity),
    /// How many clients there are: so many now, and the last one asks then.
    Clients(usize, SimTime),
}

/// The least that a length may be; the most is the same for all.
pub type Ranged = SimDuration;

/// Makes a change of a value, out of what a control knows.
#[derive(Clone, Debug)]
pub struct ToChange<T> {
    /// The change, with any value in it.
    base: Change,
    /// What it sets is called so in files.
    key: &'static str,
    set: fn(&mut Change, T),
}

/// What a choice makes of what was chosen.
pub(in crate::view_model) trait Sets<T> {
    /// The change.
    fn change(&self, value: T) -> Change;
    /// What it sets, as files call it.
    fn key(&self, value: T) -> &'static str;
}

impl<T> Sets<T> for ToChange<T> {
    fn change(&self, value: T) -> Change {
        self.of(value)
    }

    fn key(&self, _: T) -> &'static str {
        self.key
    }
}

impl<T, F: Fn(T) -> Change> Sets<T> for F {
    fn change(&self, value: T) -> Change {
        self(value)
    }

    fn key(&self, value: T) -> &'static str {
        key_of(&self(value))
    }
}

/// What files call the setting that a change sets; empty: it sets none.
fn key_of(change: &Change) -> &'static str {
    change.setting().map_or("", Setting::key)
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
        Self { key: key_of(&base), base, set }
    }

    /// The same; what it sets is called so in files.
    pub(in crate::view_model) fn keyed(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    pub(in crate::view_model) fn of(&self, value: T) -> Change {
        let mut change = self.base.clone();
        (self.set)(&mut change, value);
        change
    }
}

impl Reads {
    /// Reads what was typed, as one edit; a bare number has the unit of what is shown.
    ///
    /// # Errors
    /// Quotes the text and says what would be right.
    pub fn changes(&self, text: &str, shown: &str) -> Result<Vec<Change>, String> {
        let one = match self {
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
            Self::Quantity(quantity) => amount::parse(*quantity, text, shown),
            Self::Clients(has, last) => {
                let most = u32::try_from(limits::MAX_CLIENTS).unwrap_or(u32::MAX);
                let count = amount::parse_count(text, most)?;
                return Ok(changes_to_clients(*has, *last, count));
            }
        };
        one.map(|change| vec![change])
    }

    fn key(&self) -> &'static str {
        match self {
            Self::Length(_, to) => to.key,
            Self::Optional(_, _, to) => to.key,
            Self::Count(_, _, to) => to.key,
            Self::Quantity(quantity) => key_of(&quantity.set(SimDuration::ZERO)),
            Self::Clients(..) => "clients",
        }
    }
}

/// The changes that make a number of clients; a new one asks a second after the last.
fn changes_to_clients(has: usize, last: SimTime, count: u32) -> Vec<Change> {
    let has = u32::try_from(has).unwrap_or(u32::MAX);
    let more = (1..=count.saturating_sub(has)).map(|nth| {
        let at = last + SimDuration::from_secs(1).times(u64::from(nth));
        Change::AddClient(ClientSpec::asking_at(at))
    });
    let fewer = (count..has).map(|_| Change::RemoveLastClient);
    more.chain(fewer).collect()
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
    pub(in crate::view_model) fn new(
        label: &str,
        idle: Idle,
        key: &'static str,
        shape: Shape,
    ) -> Self {
        Self { label: label.to_owned(), about: None, key, also: "", idle, hint: None, shape }
    }

    fn text(label: &str, idle: Idle, shown: String, reads: Reads) -> Self {
        Self::new(label, idle, reads.key(), Shape::Text { shown, reads })
    }

    pub(in crate::view_model) fn switch(label: &str, idle: Idle, on: bool, turned: Change) -> Self {
        Self::new(label, idle, key_of(&turned), Shape::Switch { on, turned })
    }

    /// A switch of one system's own.
    pub(in crate::view_model) fn turn(
        label: &str,
        idle: Idle,
        on: bool,
        to: &ToChange<bool>,
    ) -> Self {
        Self::new(label, idle, to.key, Shape::Switch { on, turned: to.of(!on) })
    }

    /// A choice among `all`, of which `now` holds.
    #[expect(clippy::needless_pass_by_value, reason = "callers make it in place")]
    pub(in crate::view_model) fn choice<T: Copy + PartialEq>(
        label: &str,
        idle: Idle,
        now: T,
        all: &[T],
        name: impl Fn(T) -> &'static str,
        to: impl Sets<T>,
    ) -> Self {
        let chosen = all.iter().position(|one| *one == now).unwrap_or(all.len());
        let options = all.iter().map(|one| (name(*one), to.change(*one))).collect();
        Self::new(label, idle, to.key(now), Shape::Choice { options, chosen })
    }

    pub(in crate::view_model) fn length(
        label: &str,
        idle: Idle,
        now: SimDuration,
        least: SimDuration,
        to: ToChange<SimDuration>,
    ) -> Self {
        Self::text(label, idle, wording::field(now), Reads::Length(least, to))
    }

    pub(in crate::view_model) fn optional(
        label: &str,
        idle: Idle,
        (now, none): (Option<SimDuration>, &'static str),
        least: SimDuration,
        to: ToChange<Option<SimDuration>>,
    ) -> Self {
        let shown = now.map_or_else(|| none.to_owned(), wording::field);
        Self::text(label, idle, shown, Reads::Optional(none, least, to))
    }

    pub(in crate::view_model) fn count(
        label: &str,
        idle: Idle,
        now: i64,
        (least, most): (i64, i64),
        to: ToChange<i64>,
    ) -> Self {
        Self::text(label, idle, now.to_string(), Reads::Count(least, most, to))
    }

    /// What has a slider of its own, too; `None` where the set-up has no such value.
    pub(in crate::view_model) fn quantity(
        words: &Words,
        quantity: Quantity,
        spec: &ScenarioSpec,
    ) -> Option<Self> {
        let shown = amount::shown(quantity, spec)?;
        let label = amount::name(words, quantity, spec);
        let reads = Reads::Quantity(quantity);
        Some(Self::text(&label, amount::idle(quantity, spec), shown, reads))
    }

    pub(in crate::view_model) fn clients(spec: &ScenarioSpec) -> Self {
        let last = spec.clients.last().map_or(SimTime::ZERO, |client| client.asks_at);
        let n_clients = spec.clients.len();
        let reads = Reads::Clients(n_clients, last);
        Self::text("Number of clients", None, n_clients.to_string(), reads)
    }

    /// What stands in it, in words.
    pub fn shown(&self) -> &str {
        match &self.shape {
            Shape::Switch { on, .. } => {
                if *on {
                    "on"
                } else {
                    "off"
                }
            }
            Shape::Choice { options, chosen } => options.get(*chosen).map_or("", |(name, _)| name),
            Shape::Text { shown, .. } => shown,
        }
    }

    /// The edit that brings back what `old` shows, the same control of another set-up; `None`: it
    /// shows the same.
    pub fn back_to(&self, old: &Self) -> Option<Vec<Change>> {
        match (&self.shape, &old.shape) {
            _ if self.shown() == old.shown() => None,
            (Shape::Switch { turned, .. }, Shape::Switch { .. }) => Some(vec![turned.clone()]),
            (Shape::Choice { options, .. }, Shape::Choice { chosen, .. }) => {
                options.get(*chosen).map(|(_, change)| vec![change.clone()])
            }
            (Shape::Text { reads, .. }, Shape::Text { shown, .. }) => {
                reads.changes(shown, shown).ok()
            }
            (Shape::Switch { .. } | Shape::Choice { .. } | Shape::Text { .. }, _) => None,
        }
    }

    /// Whether every word of `query` stands in what it is called: on the page, in files, by others.
    pub fn matches(&self, group: &str, query: &str) -> bool {
        let said = [&self.label, self.key, self.also, self.hint.unwrap_or_default(), group];
        let said = said.join("\n").replace('_', " ").to_ascii_lowercase();
        let query = query.replace('_', " ").to_ascii_lowercase();
        query.split_whitespace().all(|word| said.contains(word))
    }

    pub(in crate::view_model) fn hinted(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    pub(in crate::view_model) fn also(mut self, also: &'static str) -> Self {
        self.also = also;
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

/// Sets a field of one system's settings in a change of them all.
macro_rules! field {
    ($spec:expr, $system:ident . $field:ident) => {
        $crate::view_model::controls::ToChange::new(
            $crate::sim::scenario::Change::Systems($spec.systems.clone()),
            |change, value| {
                if let $crate::sim::scenario::Change::Systems(all) = change {
                    all.$system.$field = value;
                }
            },
        )
        .keyed(stringify!($field))
    };
}
pub(in crate::view_model) use field;

/// Sets a share, in thousandths, of one system's settings.
macro_rules! thousandths {
    ($spec:expr, $system:ident . $field:ident) => {
        $crate::view_model::controls::ToChange::new(
            $crate::sim::scenario::Change::Systems($spec.systems.clone()),
            |change, value: i64| {
                if let $crate::sim::scenario::Change::Systems(all) = change {
                    all.$system.$field = u16::try_from(value).unwrap_or(1000);
                }
            },
        )
        .keyed(stringify!($field))
    };
}
pub(in crate::view_model) use thousandths;

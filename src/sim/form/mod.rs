//! How data stands in a file: reading with refusals that quote what was given, name its place and
//! show what would be right; writing; and the JSON Schema. [`declare`] makes all three, and the
//! check of ranges, out of one declaration of a type.

mod basic;
mod declare;
mod json;
#[cfg(not(target_family = "wasm"))]
mod schema;

use std::fmt;

use thiserror::Error;

use crate::sim::plain_text::brief;

pub use basic::{End, Ranged};
pub(crate) use declare::{choices, fields, of_choice, of_field};
pub use json::Json;
#[cfg(not(target_family = "wasm"))]
pub use schema::Types;

/// Why a value is not taken.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {}; right would be {right}", brief(path), brief(problem))]
pub struct Refusal {
    /// Where it stands, such as `scenario.faults[0].kind.pause.length`.
    pub path: String,
    /// What is wrong; quotes it.
    pub problem: String,
    /// What could stand there.
    pub right: String,
}

/// A value is out of its range.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{path}: {given} is out of range; it lies between {least} and {most}")]
pub struct OutOfRange {
    /// Where it stands.
    pub path: String,
    /// What was given.
    pub given: String,
    /// The least that is allowed.
    pub least: String,
    /// The most that is allowed.
    pub most: String,
}

/// A type that stands in files.
pub trait Form: Sized {
    /// What it is, after “is no”.
    const NOUN: &'static str;

    /// One of its values.
    fn example() -> Json;

    /// Reads a value.
    ///
    /// # Errors
    /// The first thing that is wrong.
    fn read(given: &Given<'_>) -> Result<Self, Refusal>;

    /// Writes itself.
    fn write(&self) -> Json;

    /// Checks the ranges of everything in it; what was read is within them.
    ///
    /// # Errors
    /// The first thing that is out of its range.
    fn check(&self, _at: &At<'_>) -> Result<(), OutOfRange> {
        Ok(())
    }

    /// Its JSON Schema.
    #[cfg(not(target_family = "wasm"))]
    fn schema(types: &mut Types) -> Json;
}

fn step_into(path: &mut String, key: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.extend(key.chars().take(60));
}

/// A place in a file: the last step, and the place before it.
#[derive(Clone, Copy)]
pub struct At<'a> {
    above: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Choice(&'a str),
    Nth(usize),
}

impl At<'_> {
    /// The whole.
    pub const ROOT: Self = Self { above: None, step: Step::Root };

    /// The place under a key.
    pub fn key<'a>(&'a self, key: &'a str) -> At<'a> {
        At { above: Some(self), step: Step::Key(key) }
    }

    /// The place under the key of a choice, which the program calls `name`. It is written as files
    /// have it only where a path is: checks pass here with every run of a search.
    pub fn choice<'a>(&'a self, name: &'a str) -> At<'a> {
        At { above: Some(self), step: Step::Choice(name) }
    }

    /// The place of an entry of a list.
    pub fn nth(&self, nth: usize) -> At<'_> {
        At { above: Some(self), step: Step::Nth(nth) }
    }

    /// As text, such as `scenario.faults[0].kind`.
    pub fn path(&self) -> String {
        let mut path = self.steps();
        if path.is_empty() {
            path.push_str("the beginning");
        }
        path
    }

    fn steps(&self) -> String {
        let mut path = self.above.map(At::steps).unwrap_or_default();
        match self.step {
            Step::Root => {}
            Step::Nth(nth) => path.push_str(&format!("[{nth}]")),
            Step::Key(key) => step_into(&mut path, key),
            Step::Choice(name) => step_into(&mut path, &snake(name)),
        }
        path
    }
}

/// A value in a file, with its place.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// The value.
    pub value: &'a Json,
    /// Its place.
    pub at: At<'a>,
}

impl<'a> Given<'a> {
    /// The whole of a file.
    pub fn whole(value: &'a Json) -> Self {
        Self { value, at: At::ROOT }
    }

    /// It is wrong: it is no such thing.
    pub fn is_no<T: Form>(&self) -> Refusal {
        self.refuse(&format!("is no {}", T::NOUN), &T::example())
    }

    /// It is wrong; `problem` goes after what was given.
    pub fn refuse(&self, problem: &str, right: &Json) -> Refusal {
        let problem = format!("{} {problem}", quoted(self.value));
        Refusal { path: self.at.path(), problem, right: shown(right) }
    }

    /// What is wrong with it, in a sentence that quotes it.
    pub fn because(&self, problem: String, right: &Json) -> Refusal {
        Refusal { path: self.at.path(), problem, right: shown(right) }
    }

    /// Its fields, of those that are known; each key stands once.
    ///
    /// # Errors
    /// If it has none, or others.
    pub fn fields(&self, known: &[Known], example: fn() -> Json) -> Result<Fields<'_>, Refusal> {
        let Json::Fields(fields) = self.value else {
            return Err(self.refuse("has no fields", &example()));
        };
        for (nth, (key, _)) in fields.iter().enumerate() {
            if fields[..nth].iter().any(|(other, _)| other == key) {
                let problem = format!("“{}” stands there twice", cut(key));
                let right = "it once".to_owned();
                return Err(Refusal { path: self.at.path(), problem, right });
            }
            if !known.iter().any(|(name, _)| name == key) {
                let (names, (nearest, example)) = near(key, known);
                let problem = format!("there is no “{}” here; there is {names}", cut(key));
                let right = format!("{}: {}", Json::text(nearest), shown(&example()));
                return Err(Refusal { path: self.at.path(), problem, right });
            }
        }
        Ok(Fields { fields, given: self })
    }

    /// Which of several it chooses, and with what.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn choose(
        &self,
        noun: &str,
        known: &[Known],
    ) -> Result<(usize, Option<&'a Json>), Refusal> {
        let chosen = match self.value {
            Json::Text(name) => Some((name, None)),
            Json::Fields(fields) => match &fields[..] {
                [(name, value)] => Some((name, Some(value))),
                [] | [_, _, ..] => None,
            },
            Json::Nothing | Json::Switch(_) | Json::Number(_) | Json::List(_) => None,
        };
        let found = chosen.and_then(|(name, value)| {
            let nth = known.iter().position(|(other, _)| snake(other) == **name)?;
            Some((nth, value))
        });
        found.ok_or_else(|| {
            let name = chosen.map(|(name, _)| cut(name));
            let (names, (_, example)) = near(name.as_deref().unwrap_or_default(), known);
            let given = name.map_or_else(|| quoted(self.value), |name| format!("“{name}”"));
            let noun = snake(noun).replace('_', " ");
            self.because(format!("{given} is no {noun}; there is {names}"), &example())
        })
    }

    /// It was chosen alone.
    ///
    /// # Errors
    /// If there is a value.
    pub fn alone(&self, inner: Option<&Json>, known: Known) -> Result<(), Refusal> {
        match inner {
            None | Some(Json::Nothing) => Ok(()),
            Some(_) => Err(self.refuse("has a value where its name is enough", &known.1())),
        }
    }

    /// What was chosen, with its value.
    ///
    /// # Errors
    /// If there is none.
    pub fn inside<'b>(
        &'b self,
        inner: Option<&'b Json>,
        known: Known,
    ) -> Result<Given<'b>, Refusal> {
        let (Some(value), Json::Fields(fields)) = (inner, self.value) else {
            return Err(self.refuse("needs a value", &known.1()));
        };
        let key = fields.first().map_or("", |(key, _)| key.as_str());
        Ok(Given { value, at: self.at.key(key) })
    }
}

/// A name, and a value of what it names.
pub type Known = (&'static str, fn() -> Json);

/// The known fields of a value.
pub struct Fields<'a> {
    fields: &'a [(String, Json)],
    given: &'a Given<'a>,
}

impl Fields<'_> {
    /// What stands under a key, as `read` reads it; where there is nothing, the default.
    ///
    /// # Errors
    /// As `read`; if there is no default, and nothing is there.
    pub fn field<T: Form>(
        &self,
        key: &'static str,
        default: Option<T>,
        read: fn(&Given<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        match self.fields.iter().find(|(name, _)| name == key) {
            Some((_, value)) => read(&Given { value, at: self.given.at.key(key) }),
            None => default.ok_or_else(|| {
                let right = format!("{}: {}", Json::text(key), shown(&T::example()));
                let problem = format!("{} has no “{key}”", quoted(self.given.value));
                Refusal { path: self.given.at.path(), problem, right }
            }),
        }
    }
}

/// The names that are most like `given`, and the one that is.
fn near(given: &str, known: &[Known]) -> (String, Known) {
    const MOST: usize = 6;
    let mut all: Vec<(usize, String, Known)> = known
        .iter()
        .map(|known| (distance(given, &snake(known.0)), snake(known.0), *known))
        .collect();
    let n_known = all.len();
    all.sort_by_key(|(distance, _, _)| *distance);
    let nearest = all.first().map_or(("", Json::example_of_nothing as fn() -> Json), |it| it.2);
    let names: Vec<String> =
        all.iter().take(MOST).map(|(_, name, _)| format!("“{name}”")).collect();
    let more = if n_known > MOST { format!(" and {} more", n_known - MOST) } else { String::new() };
    (names.join(", ") + &more, nearest)
}

/// How many letters two short names differ in (Levenshtein's distance).
pub(crate) fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (above, letter) in one.chars().take(40).enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (nth, of_other) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *of_other);
            diagonal = row[nth + 1];
            row[nth + 1] = changed.min(row[nth] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

impl Json {
    /// Fields, of those that are written.
    pub(crate) fn fields<const N: usize>(fields: [Option<(&str, Self)>; N]) -> Self {
        let written = fields.into_iter().flatten();
        Self::Fields(written.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    fn example_of_nothing() -> Self {
        Self::Fields(Vec::new())
    }
}

/// A text, cut if it is long.
pub(crate) fn cut(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A value as a message quotes it.
pub(crate) fn quoted(value: &Json) -> String {
    match value {
        Json::Text(text) => format!("“{}”", cut(text)),
        Json::Nothing | Json::Switch(_) | Json::Number(_) | Json::List(_) | Json::Fields(_) => {
            cut(&value.to_string())
        }
    }
}

/// An example as a message shows it, with blanks as people write them.
fn shown(value: &Json) -> String {
    match value {
        Json::Fields(fields) if !fields.is_empty() => {
            let field =
                |(key, value): &(String, Json)| format!("{}: {}", Json::text(key), shown(value));
            format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Json::List(list) => {
            format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
        Json::Nothing | Json::Switch(_) | Json::Number(_) | Json::Text(_) | Json::Fields(_) => {
            value.to_string()
        }
    }
}

/// The name that stands in files for one of the program: `BeforeWrite` is `before_write`.
pub fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (nth, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && nth > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

impl fmt::Debug for Given<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.value, self.at.path())
    }
}

//! The types that others are made of: switches, numbers, texts, lists, what may be absent, and the
//! types whose text has a form of its own.

#[cfg(not(target_family = "wasm"))]
use super::Types;
use super::{At, Form, Given, Json, OutOfRange, Refusal, quoted};
use crate::sim::id::{ClientId, FaultId, FencingToken, LockNodeId, NodeId, StoreId};
use crate::sim::limits::MAX_DURATION;
use crate::sim::scenario::Ratio;
use crate::sim::scenario::timestamp::Timestamp;
use crate::sim::time::{ClockShift, SimDuration, SimTime};

/// An end of a range.
pub trait End {
    /// As a number, in the measure of the type that has the range.
    fn end(self) -> i64;
}

macro_rules! ends {
    ($($name:ty),*) => {$(
        impl End for $name {
            fn end(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
        }
    )*};
}
ends!(u8, u16, u32, i32, usize);

impl End for SimDuration {
    fn end(self) -> i64 {
        i64::try_from(self.micros()).unwrap_or(i64::MAX)
    }
}

/// A type that can have a range.
pub trait Ranged: Form {
    /// What is counted, where that is not the value.
    const COUNTED: Option<&'static str> = None;

    /// How much it is; `None` if it is nothing.
    fn size(&self) -> Option<i64>;

    /// An end of its range as text.
    fn told(end: i64) -> String {
        end.to_string()
    }

    /// Reads a value that lies in a range.
    ///
    /// # Errors
    /// As [`Form::read`], and if it does not.
    fn read_within(given: &Given<'_>, least: i64, most: i64) -> Result<Self, Refusal> {
        let value = Self::read(given)?;
        match value.size() {
            Some(size) if size < least || size > most => {
                Err(out_of_range::<Self>(given, size, least, most))
            }
            Some(_) | None => Ok(value),
        }
    }

    /// Checks a range.
    ///
    /// # Errors
    /// If it is out of the range.
    fn check_within(&self, at: &At<'_>, least: i64, most: i64) -> Result<(), OutOfRange> {
        match self.size() {
            Some(size) if size < least || size > most => Err(OutOfRange {
                path: at.path(),
                given: Self::told(size) + Self::COUNTED.unwrap_or_default(),
                least: Self::told(least),
                most: Self::told(most),
            }),
            Some(_) | None => self.check(at),
        }
    }

    /// Its JSON Schema with a range.
    #[cfg(not(target_family = "wasm"))]
    fn schema_within(types: &mut Types, least: i64, most: i64) -> Json;
}

fn out_of_range<T: Ranged>(given: &Given<'_>, size: i64, least: i64, most: i64) -> Refusal {
    let ends = format!("between {} and {}", T::told(least), T::told(most));
    let problem = match T::COUNTED {
        Some(counted) => format!("{} has {size}{counted}; it lies {ends}", quoted(given.value)),
        None => format!("{} is out of range; it lies {ends}", quoted(given.value)),
    };
    given.because(problem, &T::example())
}

impl Form for bool {
    const NOUN: &'static str = "switch";

    fn example() -> Json {
        Json::Switch(true)
    }

    fn read(given: &Given<'_>) -> Result<Self, Refusal> {
        match given.value {
            Json::Switch(on) => Ok(*on),
            Json::Nothing | Json::Number(_) | Json::Text(_) | Json::List(_) | Json::Fields(_) => {
                Err(given.refuse("is neither true nor false", &Self::example()))
            }
        }
    }

    fn write(&self) -> Json {
        Json::Switch(*self)
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema(_: &mut Types) -> Json {
        Json::one("type", Json::text("boolean"))
    }
}

macro_rules! numbers {
    ($($name:ident),*) => {$(
        impl Form for $name {
            const NOUN: &'static str = "whole number";

            fn example() -> Json {
                Json::Number("1".to_owned())
            }

            fn read(given: &Given<'_>) -> Result<Self, Refusal> {
                Self::read_within(given, Self::MIN.end(), Self::MAX.end())
            }

            fn write(&self) -> Json {
                Json::Number(self.to_string())
            }

            #[cfg(not(target_family = "wasm"))]
            fn schema(types: &mut Types) -> Json {
                Self::schema_within(types, Self::MIN.end(), Self::MAX.end())
            }
        }

        impl Ranged for $name {
            fn size(&self) -> Option<i64> {
                Some(self.end())
            }

            fn read_within(given: &Given<'_>, least: i64, most: i64) -> Result<Self, Refusal> {
                let Json::Number(number) = given.value else {
                    return Err(given.is_no::<Self>());
                };
                let is_whole = number.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
                let whole: Option<i64> = number.parse().ok();
                let within = whole.filter(|number| (least..=most).contains(number));
                match within.and_then(|number| number.try_into().ok()) {
                    Some(number) => Ok(number),
                    None if is_whole => {
                        Err(out_of_range::<Self>(given, whole.unwrap_or_default(), least, most))
                    }
                    None => Err(given.is_no::<Self>()),
                }
            }

            #[cfg(not(target_family = "wasm"))]
            fn schema_within(_: &mut Types, least: i64, most: i64) -> Json {
                let number = |end: i64| Json::Number(end.to_string());
                Json::Fields(vec![
                    ("type".to_owned(), Json::text("integer")),
                    ("minimum".to_owned(), number(least)),
                    ("maximum".to_owned(), number(most)),
                ])
            }
        }
    )*};
}
numbers!(u8, u16, u32, i32);

impl Form for FaultId {
    const NOUN: &'static str = "number of a fault";

    fn example() -> Json {
        u16::example()
    }

    fn read(given: &Given<'_>) -> Result<Self, Refusal> {
        u16::read(given).map(Self)
    }

    fn write(&self) -> Json {
        self.0.write()
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema(types: &mut Types) -> Json {
        let described = "The number of a fault in its scenario.";
        types.named("FaultId", described, u16::schema)
    }
}

impl Form for String {
    const NOUN: &'static str = "text";

    fn example() -> Json {
        Json::text("text")
    }

    fn read(given: &Given<'_>) -> Result<Self, Refusal> {
        match given.value {
            Json::Text(text) => Ok(text.clone()),
            Json::Nothing | Json::Switch(_) | Json::Number(_) | Json::List(_) | Json::Fields(_) => {
                Err(given.is_no::<Self>())
            }
        }
    }

    fn write(&self) -> Json {
        Json::text(self)
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema(_: &mut Types) -> Json {
        Json::one("type", Json::text("string"))
    }
}

/// Anything: whoever takes it reads it later.
impl Form for Json {
    const NOUN: &'static str = "value";

    fn example() -> Json {
        Json::Fields(Vec::new())
    }

    fn read(given: &Given<'_>) -> Result<Self, Refusal> {
        Ok(given.value.clone())
    }

    fn write(&self) -> Json {
        self.clone()
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema(_: &mut Types) -> Json {
        Json::Fields(Vec::new())
    }
}

impl Ranged for String {
    const COUNTED: Option<&'static str> = Some(" characters");

    fn size(&self) -> Option<i64> {
        Some(self.chars().count().end())
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema_within(types: &mut Types, least: i64, most: i64) -> Json {
        Types::with_ends(Self::schema(types), ["minLength", "maxLength"], least, most)
    }
}

impl<T: Form> Form for Vec<T> {
    const NOUN: &'static str = "list";

    fn example() -> Json {
        Json::List(vec![T::example()])
    }

    fn read(given: &Given<'_>) -> Result<Self, Refusal> {
        let Json::List(list) = given.value else {
            return Err(given.is_no::<Self>());
        };
        let read = |(nth, value)| T::read(&Given { value, at: given.at.nth(nth) });
        list.iter().enumerate().map(read).collect()
    }

    fn write(&self) -> Json {
        Json::List(self.iter().map(T::write).collect())
    }

    fn check(&self, at: &At<'_>) -> Result<(), OutOfRange> {
        self.iter().enumerate().try_for_each(|(nth, one)| one.check(&at.nth(nth)))
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema(types: &mut Types) -> Json {
        let items = T::schema(types);
        Json::Fields(vec![("type".to_owned(), Json::text("array")), ("items".to_owned(), items)])
    }
}

impl<T: Form> Ranged for Vec<T> {
    const COUNTED: Option<&'static str> = Some(" entries");

    fn size(&self) -> Option<i64> {
        Some(self.len().end())
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema_within(types: &mut Types, least: i64, most: i64) -> Json {
        Types::with_ends(Self::schema(types), ["minItems", "maxItems"], least, most)
    }
}

impl<T: Form> Form for Option<T> {
    const NOUN: &'static str = T::NOUN;

    fn example() -> Json {
        T::example()
    }

    fn read(given: &Given<'_>) -> Result<Self, Refusal> {
        match given.value {
            Json::Nothing => Ok(None),
            Json::Switch(_) | Json::Number(_) | Json::Text(_) | Json::List(_) | Json::Fields(_) => {
                T::read(given).map(Some)
            }
        }
    }

    fn write(&self) -> Json {
        self.as_ref().map_or(Json::Nothing, T::write)
    }

    fn check(&self, at: &At<'_>) -> Result<(), OutOfRange> {
        self.as_ref().map_or(Ok(()), |it| it.check(at))
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema(types: &mut Types) -> Json {
        let of_value = T::schema(types);
        Types::or_nothing(of_value)
    }
}

impl<T: Ranged> Ranged for Option<T> {
    const COUNTED: Option<&'static str> = T::COUNTED;

    fn size(&self) -> Option<i64> {
        self.as_ref().and_then(T::size)
    }

    fn told(end: i64) -> String {
        T::told(end)
    }

    fn read_within(given: &Given<'_>, least: i64, most: i64) -> Result<Self, Refusal> {
        match given.value {
            Json::Nothing => Ok(None),
            Json::Switch(_) | Json::Number(_) | Json::Text(_) | Json::List(_) | Json::Fields(_) => {
                T::read_within(given, least, most).map(Some)
            }
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema_within(types: &mut Types, least: i64, most: i64) -> Json {
        let of_value = T::schema_within(types, least, most);
        Types::or_nothing(of_value)
    }
}

/// Two of a sort, such as the ends of a stretch.
impl<T: Form> Form for (T, T) {
    const NOUN: &'static str = "list of two";

    fn example() -> Json {
        Json::List(vec![T::example(), T::example()])
    }

    fn read(given: &Given<'_>) -> Result<Self, Refusal> {
        let list: Vec<T> = Form::read(given)?;
        let two: Result<[T; 2], _> = list.try_into();
        two.map(|[one, other]| (one, other)).map_err(|_| given.is_no::<Self>())
    }

    fn write(&self) -> Json {
        Json::List(vec![self.0.write(), self.1.write()])
    }

    fn check(&self, at: &At<'_>) -> Result<(), OutOfRange> {
        self.0.check(&at.nth(0)).and(self.1.check(&at.nth(1)))
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema(types: &mut Types) -> Json {
        Vec::<T>::schema_within(types, 2, 2)
    }
}

/// Types whose text has a form of its own: what each is, an example, the pattern and the meaning of
/// the text. `upto`: how long it is, which is at most a day.
macro_rules! as_text {
    ($($name:ident: $noun:literal, $example:literal, $pattern:expr, $means:literal
        $(, upto $length:path)?;)*) => {$(
        impl Form for $name {
            const NOUN: &'static str = $noun;

            fn example() -> Json {
                Json::text($example)
            }

            fn read(given: &Given<'_>) -> Result<Self, Refusal> {
                let Json::Text(text) = given.value else {
                    return Err(given.is_no::<Self>());
                };
                let read: Result<Self, _> = text.parse();
                read.map_err(|error| given.because(error.to_string(), &Self::example()))
            }

            fn write(&self) -> Json {
                Json::Text(self.to_string())
            }

            $(fn check(&self, at: &At<'_>) -> Result<(), OutOfRange> {
                let length: SimDuration = $length(*self);
                match length > MAX_DURATION {
                    true => length.check_within(at, 0, MAX_DURATION.end()),
                    false => Ok(()),
                }
            })?

            #[cfg(not(target_family = "wasm"))]
            fn schema(types: &mut Types) -> Json {
                types.named(stringify!($name), $means, |_| Json::Fields(vec![
                    ("type".to_owned(), Json::text("string")),
                    ("pattern".to_owned(), Json::text($pattern)),
                    ("examples".to_owned(), Json::List(vec![Self::example()])),
                ]))
            }
        }
    )*};
}

/// A number and a unit, as `SimDuration::parse` reads them.
#[cfg(not(target_family = "wasm"))]
macro_rules! length {
    ($sign:literal) => {
        concat!(
            r"^\s*",
            $sign,
            r"([0-9]+([.,][0-9]*)?|[.,][0-9]+)\s*",
            "(us|µs|μs|ms|s|sec|seconds?|m|min|minutes?|h|hours?)",
            r"\s*$"
        )
    };
}

as_text! {
    SimDuration: "length of time", "10 s", length!(""),
        "A length of time: a number and a unit, at most 24 h.", upto std::convert::identity;
    SimTime: "time since the start", "17.1 s", length!(""),
        "A time since the start: a number and a unit, at most 24 h.", upto SimTime::since_start;
    ClockShift: "length of time, ahead or back", "-3 min", length!("[-−]?"),
        "How far ahead; back, with a minus sign.", upto ClockShift::length;
    Ratio: "share", "1/3", r"^\s*[0-9]{1,4}\s*/\s*[0-9]{1,4}\s*$", "A share: two whole numbers.";
    Timestamp: "point of the calendar", "2024-05-01T10:00:00.250+02:00", concat!(
        r"^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]",
        r"[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?",
        r"\s*(Z|z|UTC|GMT|[+-][0-9]{2}(:?[0-9]{2})?)\s*$"
    ), "A point of the calendar with its distance from UTC.";
    FencingToken: "token: a whole number in quotes", "33", r"^\s*[+-]?[0-9]{1,19}\s*$",
        "A whole number of 64 bits, as text.";
    ClientId: "client", "A", "^[A-H]$", "A client: a letter, in the order of `clients`.";
    LockNodeId: "node of the lock service", "service 2", "^service( [1-9])?$",
        "A node of the lock service.";
    StoreId: "store", "storage", "^storage( [1-4])?$", "A store.";
    NodeId: "client, lock service or store", "service",
        "^([A-H]|service( [1-9])?|storage( [1-4])?)$",
        "A client, a node of the lock service, or a store.";
}

impl Ranged for SimDuration {
    fn size(&self) -> Option<i64> {
        Some(self.end())
    }

    fn told(end: i64) -> String {
        Self::from_micros(u64::try_from(end).unwrap_or_default()).to_string()
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema_within(types: &mut Types, _: i64, _: i64) -> Json {
        Self::schema(types)
    }
}

//! Which stores make no check: the last ones, so many, or these. A file that gives a number and one
//! that gives a list both keep what they say when they are written again.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

use crate::sim::id::StoreId;

/// The stores that make no check.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Unchecked {
    /// The last ones, so many.
    Last(u8),
    /// These.
    These(Vec<StoreId>),
}

impl Unchecked {
    /// Every store checks.
    pub const NONE: Self = Self::Last(0);

    /// Whether `store`, one of `stores`, is among them.
    pub fn has(&self, store: StoreId, stores: u8) -> bool {
        match self {
            Self::Last(count) => store.0 >= stores.saturating_sub(*count),
            Self::These(these) => these.contains(&store),
        }
    }

    /// Those among `stores`.
    pub fn of(&self, stores: u8) -> impl Iterator<Item = StoreId> {
        (0..stores).map(StoreId).filter(move |store| self.has(*store, stores))
    }

    /// The same, but for `store`, which is among them now if it was not, and not if it was.
    #[must_use]
    pub fn turned(&self, store: StoreId, stores: u8) -> Self {
        let is_in = |other: &StoreId| self.has(*other, stores) != (*other == store);
        let these: Vec<StoreId> = (0..stores).map(StoreId).filter(is_in).collect();
        if these.is_empty() { Self::NONE } else { Self::These(these) }
    }
}

impl<'de> Deserialize<'de> for Unchecked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Unchecked;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("how many stores, the last ones, or a list of stores such as [\"storage 2\"]")
    }

    fn visit_u64<E: Error>(self, count: u64) -> Result<Unchecked, E> {
        let wrong = |_| E::invalid_value(Unexpected::Unsigned(count), &self);
        u8::try_from(count).map(Unchecked::Last).map_err(wrong)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Unchecked, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(Unchecked::These)
    }
}

//! Which stores make no check: the last ones, so many, or these. A file that gives a number and one
//! that gives a list both keep what they say when they are written again.

#[cfg(not(target_family = "wasm"))]
use crate::sim::form::Types;
use crate::sim::form::{End, Form, Given, Json, Ranged, Refusal};
use crate::sim::id::StoreId;
use crate::sim::limits;

/// The stores that make no check.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
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

impl Form for Unchecked {
    const NOUN: &'static str = "number of stores, and no list of stores";

    fn example() -> Json {
        Json::List(vec![StoreId::example()])
    }

    fn read(given: &Given<'_>) -> Result<Self, Refusal> {
        match given.value {
            Json::List(_) => Vec::read(given).map(Self::These),
            Json::Number(_) => u8::read_within(given, 0, limits::MAX_STORES.end()).map(Self::Last),
            Json::Nothing | Json::Switch(_) | Json::Text(_) | Json::Fields(_) => {
                Err(given.is_no::<Self>())
            }
        }
    }

    fn write(&self) -> Json {
        match self {
            Self::Last(count) => count.write(),
            Self::These(these) => these.write(),
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn schema(types: &mut Types) -> Json {
        types.named(
            "Unchecked",
            "The stores that make no check: the last ones, or these.",
            |types| {
                let last = u8::schema_within(types, 0, limits::MAX_STORES.end());
                let these = Vec::<StoreId>::schema(types);
                Json::one("anyOf", Json::List(vec![last, these]))
            },
        )
    }
}

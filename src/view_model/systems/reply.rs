//! An answer to a command: what the program prints, in its own words, and what that means here.
//! What a real server printed is held to the first part (`tests/native/recordings/commands`).

use std::fmt;

use crate::sim::SimTime;
use crate::view_model::words::wording;

/// What came of a command last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// When it was given; `None`: it has not been asked yet.
    pub at: Option<SimTime>,
    /// What is printed or returned, as it stands there; nothing, where nothing is.
    pub said: String,
    /// What that means, and to whom.
    pub means: String,
}

impl Reply {
    pub(super) fn new(at: SimTime, said: impl Into<String>, means: impl Into<String>) -> Self {
        Self { at: Some(at), said: said.into(), means: means.into() }
    }

    pub(super) fn not_yet() -> Self {
        Self { at: None, said: String::new(), means: "Not yet".to_owned() }
    }

    /// What is so at any time.
    pub(super) fn always(means: &str) -> Self {
        Self { at: None, said: String::new(), means: means.to_owned() }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, said, means } = self;
        match (at, said.as_str()) {
            (None, _) => f.write_str(means),
            (Some(at), "") => write!(f, "{means} · {}", wording::time(*at)),
            (Some(at), said) => write!(f, "{said}: {means} · {}", wording::time(*at)),
        }
    }
}

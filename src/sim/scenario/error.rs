//! What can be wrong with a scenario or its file. Every message quotes what was given and says what
//! would be right.

use thiserror::Error;

use crate::sim::form::{OutOfRange, Refusal};
use crate::sim::id::{ClientId, FaultId, NodeId};
use crate::sim::limits;

/// Why a scenario is not valid. `path` names the field as the file writes it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScenarioError {
    /// Something is out of its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Two faults with one id.
    #[error("{path}: a second fault has the id {}; right would be {}", .id.0, .free.0)]
    DuplicateFault {
        /// The field.
        path: String,
        /// The id.
        id: FaultId,
        /// One that no fault has.
        free: FaultId,
    },
    /// A fault that is not there.
    #[error("there is no fault with the id {}; right would be {right}", .id.0)]
    NoSuchFault {
        /// Its id.
        id: FaultId,
        /// The ids that are there.
        right: String,
    },
    /// A fault whose start or length cannot be set this way.
    #[error("fault {} has no such value to change; right would be the id of a pause", .0.0)]
    FaultHasNoSuchValue(FaultId),
    /// A client that is not there.
    #[error(
        "{path}: there is no client {client}; the last one is {last}; right would be \"{last}\""
    )]
    NoSuchClient {
        /// The field.
        path: String,
        /// Who was named.
        client: ClientId,
        /// The last client that exists.
        last: ClientId,
    },
    /// A node that is not there.
    #[error("{path}: there is no “{node}” in this scenario; right would be \"{right}\"")]
    NoSuchNode {
        /// The field.
        path: String,
        /// What was named.
        node: NodeId,
        /// The last of its sort that exists.
        right: NodeId,
    },
    /// Two settings that make no sense together.
    #[error("{path}: “{given}” does not go with {with}: {why}; right would be {right}")]
    DoNotGoTogether {
        /// The field.
        path: &'static str,
        /// What was given.
        given: String,
        /// The other setting, as files write it.
        with: &'static str,
        /// Why not.
        why: &'static str,
        /// What would go.
        right: &'static str,
    },
    /// Two names for one actor, or an empty one.
    #[error(
        "{path}: “{name}” for {actor} is empty or a second name; right would be one name, \"db-1\""
    )]
    BadName {
        /// The field.
        path: String,
        /// Whose.
        actor: NodeId,
        /// What was given.
        name: String,
    },
}

/// Why a file is not a scenario file. Messages begin “This file”.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// Too large to be read.
    #[error("This file has {0} bytes; at most {max} are read", max = limits::MAX_FILE_BYTES)]
    TooLarge(usize),
    /// So large that nobody has counted: standard input, for one, has no size.
    #[error("This file has more than {max} bytes, the most that are read",
        max = limits::MAX_FILE_BYTES)]
    TooLargeToCount,
    /// Another encoding.
    #[error("This file is written in {0}: save it as UTF-8")]
    Encoding(&'static str),
    /// Bytes that are not UTF-8.
    #[error("This file is not UTF-8 at line {line}, column {column}: there stands the byte \
        {byte:02X}{latin}; save it as UTF-8", latin = in_latin_1(*.byte))]
    NotUtf8 {
        /// The line, from 1.
        line: usize,
        /// The character in it, from 1.
        column: usize,
        /// What stands there.
        byte: u8,
    },
    /// Not JSON, or not what a scenario file holds.
    #[error("This file cannot be read at {0}")]
    Refused(#[from] Refusal),
    /// A version that this program does not know.
    #[error(
        "This file has version {0}; this program reads version {current}",
        current = super::FILE_VERSION
    )]
    Version(String),
    /// The scenario in it is not valid.
    #[error("This file describes no valid scenario: {0}")]
    Scenario(#[from] ScenarioError),
    /// One of the changes that make Run 2 cannot be made.
    #[error("This file describes no valid Run 2: compare[{nth}]: {error}")]
    Change {
        /// Which.
        nth: usize,
        /// Why.
        error: ScenarioError,
    },
    /// What the changes make is not valid.
    #[error("This file describes no valid Run 2: with the changes of compare, {0}")]
    Changed(ScenarioError),
}

/// What a byte is in Latin-1, the encoding that is met most often beside UTF-8; nothing where it is
/// no letter there either.
fn in_latin_1(byte: u8) -> String {
    match byte {
        0xa1.. => format!(" (“{}” in Latin-1)", char::from(byte)),
        _ => String::new(),
    }
}

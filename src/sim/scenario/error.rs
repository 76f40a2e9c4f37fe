//! What can be wrong with a scenario or its file. Every message quotes what was given and says what
//! would be right.

use thiserror::Error;

use crate::sim::id::{ClientId, FaultId, NodeId};
use crate::sim::limits;
use crate::sim::time::SimDuration;

/// Why a scenario is not valid. `path` names the field as the file writes it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScenarioError {
    /// No clients, or too many.
    #[error("clients: {0} given; a scenario has 1 to {max}", max = limits::MAX_CLIENTS)]
    ClientCount(usize),
    /// No stores, or too many.
    #[error("storage.stores: {0} given; there are 1 to {max}", max = limits::MAX_STORES)]
    StoreCount(u8),
    /// Too many faults.
    #[error("faults: {0} given; at most {max} fit", max = limits::MAX_FAULTS)]
    FaultCount(usize),
    /// A duration out of its range.
    #[error("{path}: {given} is out of range; it lies between {least} and {most}")]
    OutOfRange {
        /// The field.
        path: String,
        /// What was given.
        given: SimDuration,
        /// The least that is allowed.
        least: SimDuration,
        /// The most that is allowed.
        most: SimDuration,
    },
    /// A count out of its range.
    #[error("{path}: {given} is out of range; it lies between 1 and {most}")]
    CountOutOfRange {
        /// The field.
        path: String,
        /// What was given.
        given: u32,
        /// The most that is allowed.
        most: u32,
    },
    /// More than is allowed.
    #[error("{path}: {given} is too many; at most {most}")]
    TooMany {
        /// The field.
        path: String,
        /// What was given.
        given: u32,
        /// The most that is allowed.
        most: u32,
    },
    /// A clock rate out of its range.
    #[error("{path}: {given} is out of range; it lies between −{slow} and {fast}",
        slow = limits::MAX_SLOWNESS_PPM, fast = limits::MAX_FASTNESS_PPM)]
    RateOutOfRange {
        /// The field.
        path: String,
        /// What was given.
        given: i32,
    },
    /// Two faults with one id.
    #[error("faults: two have the id {}; each needs its own", .0.0)]
    DuplicateFault(FaultId),
    /// A fault that is not there.
    #[error("there is no fault with the id {}", .0.0)]
    NoSuchFault(FaultId),
    /// A fault whose start or length cannot be set this way.
    #[error("fault {} has no such value to change", .0.0)]
    FaultHasNoSuchValue(FaultId),
    /// A client that is not there.
    #[error("{path}: there is no client {client}; the last one is {last}")]
    NoSuchClient {
        /// The field.
        path: String,
        /// Who was named.
        client: ClientId,
        /// The last client that exists.
        last: ClientId,
    },
    /// A node that is not there.
    #[error("{path}: there is no “{node}” in this scenario")]
    NoSuchNode {
        /// The field.
        path: String,
        /// What was named.
        node: NodeId,
    },
    /// A text that is too long.
    #[error("{path}: {given} characters; at most {most} fit")]
    TextTooLong {
        /// The field.
        path: &'static str,
        /// How many there are.
        given: usize,
        /// How many fit.
        most: usize,
    },
    /// Two names for one actor, or an empty one.
    #[error("incident.names: “{name}” for {actor} is empty or a second name; each actor has one")]
    BadName {
        /// Whose.
        actor: NodeId,
        /// What was given.
        name: String,
    },
    /// Too many changes in a comparison.
    #[error("compare: {0} changes; at most {max} fit", max = limits::MAX_CHANGES)]
    ChangeCount(usize),
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
    /// Not JSON, or not the fields of a scenario.
    #[error("This file cannot be read at {path}: {problem}")]
    Syntax {
        /// Where, such as `scenario.faults[0].kind.pause.length`.
        path: String,
        /// What is wrong there; quotes the value.
        problem: String,
    },
    /// A version that this program does not know.
    #[error(
        "This file has version {0}; this program reads version {current}",
        current = super::FILE_VERSION
    )]
    Version(u32),
    /// The scenario in it is not valid.
    #[error("This file describes no valid scenario: {0}")]
    Scenario(#[from] ScenarioError),
}

/// What a byte is in Latin-1, the encoding that is met most often beside UTF-8; nothing where it is
/// no letter there either.
fn in_latin_1(byte: u8) -> String {
    match byte {
        0xa1.. => format!(" (“{}” in Latin-1)", char::from(byte)),
        _ => String::new(),
    }
}

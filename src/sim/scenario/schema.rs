//! The JSON Schema of the scenario file, made from the types that read it. Values that are text
//! with a form of their own (times, tokens, names) say here what that form is; whatever a schema
//! cannot say, such as that a client must exist, is left to [`super::ScenarioFile::parse`].

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::file::ScenarioFile;
use super::settings::Ratio;
use crate::sim::id::{ClientId, FaultId, FencingToken, LockNodeId, NodeId, StoreId};
use crate::sim::time::{ClockShift, SimDuration, SimTime};
use crate::sim::timestamp::Timestamp;

/// A number and a unit, as `SimDuration::parse` reads them.
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

/// Says what the text of a type looks like.
macro_rules! text {
    ($($name:ident: $pattern:expr, $means:literal, $example:literal;)*) => {$(
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "pattern": $pattern,
                    "description": $means,
                    "examples": [$example],
                })
            }
        }
    )*};
}

text! {
    SimDuration: length!(""), "A length of time: a number and a unit, at most 24 h.", "250 ms";
    SimTime: length!(""), "A time since the start: a number and a unit, at most 24 h.", "17.1 s";
    ClockShift: length!("[-−]?"), "How far ahead; back, with a minus sign.", "-3 min";
    Ratio: r"^\s*[0-9]{1,4}\s*/\s*[0-9]{1,4}\s*$", "A share: two whole numbers.", "1/3";
    Timestamp: concat!(
        r"^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]",
        r"[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?",
        r"\s*(Z|z|UTC|GMT|[+-][0-9]{2}(:?[0-9]{2})?)\s*$"
    ), "A point of the calendar with its distance from UTC.", "2024-05-01T10:00:00.250+02:00";
    FencingToken: r"^\s*[+-]?[0-9]{1,19}\s*$", "A whole number of 64 bits, as text.", "33";
    ClientId: "^[A-H]$", "A client: a letter, in the order of `clients`.", "A";
    LockNodeId: "^service( [1-9])?$", "A node of the lock service.", "service 2";
    StoreId: "^storage( [1-4])?$", "A store.", "storage 2";
    NodeId: "^([A-H]|service( [1-9])?|storage( [1-4])?)$",
        "A client, a node of the lock service, or a store.", "service";
}

impl JsonSchema for FaultId {
    fn schema_name() -> Cow<'static, str> {
        "FaultId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "integer",
            "minimum": 0,
            "maximum": u16::MAX,
            "description": "The number of a fault in its scenario.",
        })
    }
}

impl ScenarioFile {
    /// The schema of the format, as text.
    pub fn json_schema() -> String {
        let mut schema = schemars::schema_for!(Self);
        schema.insert("title".to_owned(), "Fenceline scenario".into());
        let text = serde_json::to_string_pretty(&schema);
        text.expect("a schema is plain data") + "\n"
    }
}

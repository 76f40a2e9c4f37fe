//! Changes: which of them set the same thing. Run 2 keeps of two such the later one, and both of
//! two others, so an error here loses an edit or keeps one that was taken back.

use std::collections::BTreeSet;

use fenceline::scenarios::GALLERY;
use fenceline::sim::scenario::{Quantity, Ratio, Renew, ScenarioFile, Setting};
use fenceline::sim::{Change, Scenario, ScenarioSpec, SimDuration};
use serde_json::{Value, json};

fn read(change: &Value) -> Change {
    let mut file: Value = serde_json::from_str(GALLERY[0].json).expect("it is JSON");
    file["scenario"] = scenario();
    file["compare"] = json!([change]);
    let file = ScenarioFile::parse(&file.to_string());
    file.unwrap_or_else(|error| panic!("{change}: {error}")).compare.swap_remove(0)
}

/// Two clients and two faults that have all that a change can name.
fn scenario() -> Value {
    let pause = |id: u16, client: &str| {
        let kind =
            json!({ "pause": { "client": client, "start": { "at": "3 s" }, "length": "9 s" } });
        json!({ "id": id, "kind": kind })
    };
    json!({
        "lock": "lease_server",
        "clients": [{ "asks_at": "0 s" }, { "asks_at": "1 s" }],
        "faults": [pause(1, "A"), pause(2, "B")],
    })
}

/// Every change that names a client or a fault, for one of two and with one of two values.
fn naming(second: bool, other: bool) -> Vec<(&'static str, Value)> {
    let client = if second { "B" } else { "A" };
    let id = if second { 2 } else { 1 };
    let time = if other { "4 s" } else { "5 s" };
    let of_client = |field: &str| json!({ "client": client, field: time });
    let of_fault = |field: &str| json!({ "id": id, field: time });
    let kind = json!({ "crash": { "client": client, "at": time } });
    vec![
        ("client_ttl", of_client("ttl")),
        ("session_at", of_client("at")),
        ("asks_at", of_client("at")),
        ("replace_fault", json!({ "id": id, "kind": kind })),
        ("enable_fault", json!({ "id": id, "enabled": other })),
        ("fault_start", of_fault("at")),
        ("fault_length", of_fault("length")),
    ]
}

/// The names of all changes that name a client or a fault and set a value, by the schema.
fn names_in_the_schema() -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(&ScenarioFile::json_schema()).expect("it is JSON");
    let of_changes = schema["$defs"]["Change"]["oneOf"].as_array().expect("a list").iter();
    let with_fields = of_changes.filter_map(|one| one["properties"].as_object()).flatten();
    let names = with_fields.filter(|(_, of)| {
        let named = |key: &str| !of["properties"][key].is_null();
        named("client") || named("id") || of["$ref"] == "#/$defs/Fault"
    });
    names.map(|(name, _)| name.clone()).filter(|name| name != "add_fault").collect()
}

#[test]
fn changes_that_name_a_client_or_a_fault_set_that_of_it_alone() {
    let names: BTreeSet<String> =
        naming(false, false).into_iter().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(names, names_in_the_schema());
    let all = [(false, false), (false, true), (true, false), (true, true)]
        .map(|(second, other)| naming(second, other).into_iter().map(move |it| (it, second)));
    let all: Vec<_> = all.into_iter().flatten().collect();
    let spec = scenario_spec();
    for ((name, value), second) in &all {
        for ((other_name, other_value), other_second) in &all {
            let one = read(&json!({ *name: value }));
            let other = read(&json!({ *other_name: other_value }));
            let same = name == other_name && second == other_second;
            assert_eq!(one.sets_what(&other), same, "{one:?}, {other:?}");
            if name == other_name {
                // Of two that set the same the later one holds; others do not touch each other.
                let [forward, backward] = [[&one, &other], [&other, &one]].map(|changes| {
                    let mut spec = spec.clone();
                    changes
                        .into_iter()
                        .for_each(|change| change.apply(&mut spec).expect("it applies"));
                    spec
                });
                assert_eq!(forward == backward, !same || one == other, "{one:?}, {other:?}");
            }
        }
    }
}

fn scenario_spec() -> ScenarioSpec {
    let mut file: Value = serde_json::from_str(GALLERY[0].json).expect("it is JSON");
    file["scenario"] = scenario();
    file["compare"] = json!([]);
    ScenarioFile::parse(&file.to_string()).expect("it is right").scenario
}

#[test]
fn a_neutral_value_is_set_by_the_change_of_its_setting() {
    let spec = scenario_spec();
    let base = Scenario::new(spec.clone()).expect("it is right");
    for setting in Setting::ALL {
        if let Some(neutral) = setting.neutral() {
            assert_eq!(neutral.setting(), Some(*setting));
            // This scenario says nothing of its settings: all are at what is documented.
            assert_eq!(base.with(&[neutral]).as_ref(), Ok(&base), "{setting:?}");
        }
    }
    let length = SimDuration::from_secs(7);
    let quantities = [Quantity::Ttl, Quantity::Work, Quantity::Latency, Quantity::LockDelay];
    for quantity in quantities {
        let setting = quantity.set(length).setting().expect("it is one");
        assert_eq!(setting.neutral(), None, "{quantity:?}: a quantity has a margin");
    }
    assert_eq!(Setting::Renew.neutral(), Some(Change::Renew(Renew::Share(Ratio::THIRD))));
}

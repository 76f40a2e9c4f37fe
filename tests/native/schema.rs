//! The JSON Schema of the scenario file: as recorded, right for every file that there is, and wrong
//! for what the program refuses. The schema is walked here by the few keywords that it uses.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use fenceline::sim::scenario::ScenarioFile;
use regex_lite::Regex;
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Value {
    serde_json::from_str(&ScenarioFile::json_schema()).expect("it is JSON")
}

/// What is wrong with a value by a schema; each with its place.
struct Walker {
    root: Value,
}

impl Walker {
    fn problems(&self, schema: &Value, value: &Value, place: &str) -> Vec<String> {
        let keywords = match schema {
            Value::Bool(true) => return Vec::new(),
            Value::Object(keywords) => keywords,
            other => panic!("{place}: {other} is no schema"),
        };
        let mut problems = Vec::new();
        for (keyword, asked) in keywords {
            problems.extend(self.keyword(keyword, asked, schema, value, place));
        }
        problems
    }

    fn keyword(
        &self,
        keyword: &str,
        asked: &Value,
        schema: &Value,
        value: &Value,
        place: &str,
    ) -> Vec<String> {
        match keyword {
            "description" | "default" | "examples" | "format" | "title" | "$schema" | "$defs" => {
                Vec::new()
            }
            "$ref" => {
                let name = asked.as_str().and_then(|path| path.strip_prefix("#/$defs/"));
                let target = &self.root["$defs"][name.expect("all are in $defs")];
                assert!(!target.is_null(), "{asked} leads nowhere");
                self.problems(target, value, place)
            }
            "properties" => {
                let known = asked.as_object().expect("fields").iter();
                let given = known.filter_map(|(name, of)| Some((name, of, value.get(name)?)));
                let below =
                    |(name, of, value)| self.problems(of, value, &format!("{place}.{name}"));
                given.flat_map(below).collect()
            }
            "items" => {
                let list = value.as_array().into_iter().flatten().enumerate();
                list.flat_map(|(nth, one)| self.problems(asked, one, &format!("{place}[{nth}]")))
                    .collect()
            }
            "oneOf" | "anyOf" => {
                let options = asked.as_array().expect("a list").iter();
                let fits = options.filter(|one| self.problems(one, value, place).is_empty());
                match (fits.count(), keyword) {
                    (1, _) | (2.., "anyOf") => Vec::new(),
                    (fit, _) => vec![format!("{place}: {value} fits {fit} of {keyword}")],
                }
            }
            other if holds(other, asked, schema, value) => Vec::new(),
            other => vec![format!("{place}: {value} against {other} {asked}")],
        }
    }
}

/// Whether a value is as a keyword that looks at it alone asks.
fn holds(keyword: &str, asked: &Value, schema: &Value, value: &Value) -> bool {
    let number = || asked.as_i64().expect("whole numbers only");
    let length = |size: Option<usize>| size.map(|size| i64::try_from(size).expect("it is short"));
    let chars = || length(value.as_str().map(|text| text.chars().count()));
    let items = || length(value.as_array().map(Vec::len));
    match keyword {
        "type" => {
            let types = asked.as_array().cloned().unwrap_or_else(|| vec![asked.clone()]);
            types.iter().any(|one| is_a(value, one.as_str().expect("a name")))
        }
        "const" => value == asked,
        "enum" => asked.as_array().expect("a list").contains(value),
        "additionalProperties" => {
            assert_eq!(*asked, Value::Bool(false));
            let known = schema.get("properties").and_then(Value::as_object);
            let mut names = value.as_object().into_iter().flatten().map(|(name, _)| name);
            names.all(|name| known.is_some_and(|known| known.contains_key(name)))
        }
        "required" => {
            let mut names = asked.as_array().expect("a list").iter().filter_map(Value::as_str);
            !value.is_object() || names.all(|name| value.get(name).is_some())
        }
        "minItems" => items().is_none_or(|length| length >= number()),
        "maxItems" => items().is_none_or(|length| length <= number()),
        "minLength" => chars().is_none_or(|length| length >= number()),
        "maxLength" => chars().is_none_or(|length| length <= number()),
        "minimum" => value.as_i64().is_none_or(|value| value >= number()),
        "maximum" => value.as_i64().is_none_or(|value| value <= number()),
        "pattern" => {
            let pattern = Regex::new(asked.as_str().expect("a pattern")).expect("it is right");
            value.as_str().is_none_or(|text| pattern.is_match(text))
        }
        other => panic!("this test does not know the keyword {other}"),
    }
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the schema asks for {other}: the format has whole numbers only"),
    }
}

fn problems(json: &str) -> Vec<String> {
    let root = schema();
    let value = serde_json::from_str(json).expect("it is JSON");
    Walker { root: root.clone() }.problems(&root, &value, "$")
}

/// All scenario files of the repository.
fn files() -> Vec<PathBuf> {
    let folders = ["src/scenarios", "tests/cases"];
    let entries =
        folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).expect("it is there"));
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
}

#[test]
fn the_schema_is_as_recorded() {
    let recorded = root().join("docs/scenario.schema.json");
    expect_file![recorded].assert_eq(&ScenarioFile::json_schema());
}

#[test]
fn every_file_of_the_repository_and_the_example_fit_the_schema() {
    let mut wrong = Vec::new();
    for path in files() {
        let text = fs::read_to_string(&path).expect("it can be read");
        let found = problems(&text);
        wrong.extend(found.iter().map(|problem| format!("{}: {problem}", path.display())));
        // What the program writes fits, too: with every default spelt out.
        let written = ScenarioFile::parse(&text).expect("it is right").to_json();
        let found = problems(&written);
        wrong.extend(found.iter().map(|problem| format!("{}, written: {problem}", path.display())));
    }
    let docs = fs::read_to_string(root().join("docs/scenario.md")).expect("it is there");
    let example = docs.split("```json").nth(1).and_then(|rest| rest.split("```").next());
    wrong.extend(problems(example.expect("docs/scenario.md has an example")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first scenario's file with one text in place of another.
fn edited(from: &str, to: &str) -> String {
    let json = fenceline::scenarios::GALLERY[0].json;
    assert!(json.contains(from), "the file holds {from}");
    json.replacen(from, to, 1)
}

#[test]
fn what_the_program_refuses_by_its_form_the_schema_refuses() {
    let wrong = [
        ("\"15 s\"", "\"15 parsecs\"", "a unit"),
        ("\"15 s\"", "15", "a bare number"),
        ("\"15 s\"", "\"15\"", "no unit"),
        ("\"client\": \"A\"", "\"client\": \"Z\"", "a client"),
        ("\"latency\"", "\"latencies\"", "a field"),
        ("\"version\": 1", "\"version\": 7", "a version"),
        ("\"1/3\"", "\"a third\"", "a share"),
        ("\"lease_server\"", "\"lease_servant\"", "a choice"),
        ("\"33\"", "33", "a token that is a number"),
        ("\"33\"", "\"33.5\"", "a token that is not whole"),
        ("\"title\"", "\"titel\"", "a field that must be there"),
        ("\"version\": 1", "\"version\": 1, \"scenario\": {}", "an empty scenario"),
    ];
    for (from, to, what) in wrong {
        let json = edited(from, to);
        assert!(ScenarioFile::parse(&json).is_err(), "the program takes {what}: {to}");
        if what != "an empty scenario" {
            assert!(!problems(&json).is_empty(), "the schema takes {what}: {to}");
        }
    }
    assert!(!problems("{}").is_empty());
}

#[test]
fn a_file_may_name_its_schema() {
    let json = edited("\"version\"", "\"$schema\": \"../docs/scenario.schema.json\", \"version\"");
    let file = ScenarioFile::parse(&json).expect("it is read");
    assert_eq!(file.schema.as_deref(), Some("../docs/scenario.schema.json"));
    assert!(file.to_json().contains("\"$schema\": \"../docs/scenario.schema.json\""));
    assert!(problems(&json).is_empty());
    let plain = ScenarioFile::parse(fenceline::scenarios::GALLERY[0].json).expect("it is right");
    assert_eq!(plain.scenario, file.scenario, "and nothing else depends on it");
    let wrong = edited("\"version\"", "\"$schema\": 7, \"version\"");
    let message = ScenarioFile::parse(&wrong).expect_err("it is no text").to_string();
    assert!(message.contains("$schema"), "{message}");
}

#[test]
fn its_texts_are_for_readers_of_files() {
    let text = ScenarioFile::json_schema();
    assert!(!text.contains("[`"), "a link of the code's own documentation");
    assert!(text.contains("\"$schema\""));
}

//! Changes of an input: of its characters, and of its values where it is JSON. Most files whose
//! values are changed are still read; most whose characters are changed are not.

use std::fmt::Write;

use serde_json::Value;

use super::dice::Dice;

/// Texts and numbers at the edges of what may be said.
const EDGES: [&str; 22] = [
    "\"0 s\"",
    "\"1 us\"",
    "\"1 ms\"",
    "\"24 h\"",
    "\"23.9 h\"",
    "\"-24 h\"",
    "0",
    "1",
    "4",
    "8",
    "1000",
    "65535",
    "4294967295",
    "-500000",
    "1e308",
    "true",
    "false",
    "null",
    "{}",
    "[]",
    "\"9999-12-31T23:59:59.999999Z\"",
    "\"-9223372036854775808\"",
];

/// What programs and people put where it does not belong.
const HOSTILE: [&str; 16] = [
    "\0",
    "\u{1b}]0;title\u{7}",
    "\u{1b}[2J",
    "\u{202e}txt",
    "\u{2066}\u{2069}",
    "\r\nRun 1: Safe in this run",
    "\u{feff}",
    "\u{85}\u{9f}",
    "</text><script>alert(1)</script>",
    "\" onload=\"x",
    "“quoted”",
    "9223372036854775808",
    "-0.0000001 s",
    "é\u{301}𝕏👩\u{200d}🚀",
    "%00%ff",
    "\\u0000",
];

/// A hostile text; now and then a long one.
pub fn hostile(dice: &mut Dice) -> String {
    let text = *dice.one_of(&HOSTILE);
    if dice.once_in(6) { text.repeat(1 + dice.below(4_000)) } else { text.to_owned() }
}

/// Up to five characters or stretches replaced, added, left out, doubled, swapped, or taken from
/// another input.
pub fn characters(text: &str, others: &[String], dice: &mut Dice) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(5) {
        let at = dice.below(chars.len());
        let to = (at + 1 + dice.below(40)).min(chars.len());
        let other = char::from_u32(dice.below(0x180).try_into().expect("small")).expect("Latin");
        match dice.below(8) {
            0 if at < to => chars[at] = other,
            1 => chars.insert(at, other),
            2 if at < to => drop(chars.drain(at..to)),
            3 if at < to => {
                let part = chars[at..to].to_vec();
                chars.splice(at..at, part).for_each(drop);
            }
            4 if at + 1 < chars.len() => chars.swap(at, at + 1),
            5 => {
                let hostile: Vec<char> = hostile(dice).chars().collect();
                chars.splice(at..at, hostile).for_each(drop);
            }
            6 if at < to => chars.truncate(at),
            _ => {
                let other: Vec<char> = dice.text(others).chars().collect();
                let from = dice.below(other.len());
                let part = other[from..(from + 60).min(other.len())].to_vec();
                chars.splice(at..to.max(at), part).for_each(drop);
            }
        }
    }
    chars.into_iter().collect()
}

/// The places of a value, each with the key that it stands under.
fn places(value: &Value, key: &str, path: &str, found: &mut Vec<(String, String)>) {
    found.push((path.to_owned(), key.to_owned()));
    match value {
        Value::Object(fields) => {
            for (name, below) in fields {
                let name_in_path = name.replace('~', "~0").replace('/', "~1");
                places(below, name, &format!("{path}/{name_in_path}"), found);
            }
        }
        Value::Array(list) => {
            for (nth, below) in list.iter().enumerate() {
                places(below, key, &format!("{path}/{nth}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Up to five values replaced by edges, by hostile texts or by what another input has under the
/// same key, wrapped, or left out. What is not JSON has its characters changed.
pub fn values(text: &str, others: &[String], dice: &mut Dice) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else {
        return characters(text, others, dice);
    };
    for _ in 0..=dice.below(5) {
        let mut found = Vec::new();
        places(&value, "", "", &mut found);
        let (path, key) = found.swap_remove(dice.below(found.len()));
        let new = match dice.below(8) {
            0 | 1 => {
                let edge: &str = EDGES[dice.below(EDGES.len())];
                serde_json::from_str(edge).expect("it is JSON")
            }
            2 => {
                let (parent, name) = path.rsplit_once('/').unwrap_or_default();
                if let Some(fields) = value.pointer_mut(parent).and_then(Value::as_object_mut) {
                    fields.remove(name);
                }
                continue;
            }
            3 => Value::String(hostile(dice)),
            4 => {
                if let Some(list) = value.pointer_mut(&path).and_then(Value::as_array_mut) {
                    let again = list.first().cloned();
                    list.extend(std::iter::repeat_n(again, 1 + dice.below(70)).flatten());
                } else if let Some(fields) = value.pointer_mut(&path).and_then(Value::as_object_mut)
                {
                    fields.insert(hostile(dice), Value::Null);
                }
                continue;
            }
            _ => match same_key(&key, others, dice) {
                Some(new) => new,
                None => continue,
            },
        };
        if let Some(target) = value.pointer_mut(&path) {
            *target = new;
        }
    }
    value.to_string()
}

/// What another input has under a key.
fn same_key(key: &str, others: &[String], dice: &mut Dice) -> Option<Value> {
    let source: Value = serde_json::from_str(dice.text(others)).ok()?;
    let mut found = Vec::new();
    places(&source, "", "", &mut found);
    found.retain(|(_, of)| of == key);
    let (path, _) = found.get(dice.below(found.len()))?;
    source.pointer(path).cloned()
}

/// A text of few lines with lines doubled, left out, swapped, or changed inside.
pub fn lines(text: &str, others: &[String], dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=dice.below(4) {
        let at = dice.below(lines.len());
        let Some(line) = lines.get(at).cloned() else {
            lines.push(hostile(dice));
            continue;
        };
        match dice.below(5) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, line),
            2 => lines.swap(at, 0),
            _ => lines[at] = characters(&line, others, dice),
        }
    }
    lines.iter().fold(String::new(), |mut all, line| {
        writeln!(all, "{line}").expect("text");
        all
    })
}

//! Where in a JSON text an offset lies, as a path such as `scenario.faults[0].kind.pause.length`.
//! The parser tells line and column; a person wants the field. Reading the text a second time, only
//! when something is wrong, costs the page a tenth of what a parser that keeps the path would. It
//! also finds lists that stand where objects must.

use std::str::CharIndices;

/// What a position is inside of.
enum Level {
    /// An object, with the key that was read last.
    Object(String),
    /// A list, with the place of the present element.
    List(usize),
}

/// A JSON text as it is gone through: where one stands.
#[derive(Default)]
struct Walk {
    levels: Vec<Level>,
    expects_key: bool,
    /// A closing bracket is held back until something follows it: right behind a value still is it.
    closing: bool,
}

impl Walk {
    /// Takes a character, and the rest of a string that it begins.
    fn take(&mut self, character: char, rest: &mut CharIndices<'_>) {
        self.close();
        match character {
            '{' => {
                self.levels.push(Level::Object(String::new()));
                self.expects_key = true;
            }
            '[' => self.levels.push(Level::List(0)),
            '}' | ']' => self.closing = true,
            ',' => match self.levels.last_mut() {
                Some(Level::List(place)) => *place += 1,
                Some(Level::Object(_)) => self.expects_key = true,
                None => {}
            },
            '"' => {
                let text = string(rest);
                if let (true, Some(Level::Object(key))) = (self.expects_key, self.levels.last_mut())
                {
                    *key = text;
                    self.expects_key = false;
                }
            }
            _ => {}
        }
    }

    /// Leaves what a bracket has closed.
    fn close(&mut self) {
        if std::mem::take(&mut self.closing) {
            self.levels.pop();
        }
    }

    /// The key under which a value that begins here would stand.
    fn key(&self) -> Option<&str> {
        match self.levels.last() {
            Some(Level::Object(key)) => Some(key),
            Some(Level::List(_)) | None => None,
        }
    }
}

/// The offset right behind the character at `line` and `column`, both from 1.
pub(super) fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).min(text.len())
}

/// The path of the value that ends at an offset, or that it lies in.
pub(super) fn path_at(text: &str, end: usize) -> String {
    let mut walk = Walk::default();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if at >= end {
            break;
        }
        walk.take(character, &mut characters);
    }
    path(&walk.levels)
}

/// A list that stands where an object must: the offsets of its brackets, and its path.
pub(super) struct MisplacedList {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) path: String,
}

/// The first list that stands under none of the keys that have one. The parser would take it for
/// the fields of an object in their order, which no reader of the file could check.
pub(super) fn misplaced_list(text: &str, keys: &[&str]) -> Option<MisplacedList> {
    let mut walk = Walk::default();
    let mut characters = text.char_indices();
    let mut found: Option<(MisplacedList, usize)> = None;
    while let Some((at, character)) = characters.next() {
        walk.close();
        if character == '[' && found.is_none() && !walk.key().is_some_and(|key| keys.contains(&key))
        {
            let path = path(&walk.levels);
            let list = MisplacedList { start: at, end: text.len(), path };
            found = Some((list, walk.levels.len()));
        }
        walk.take(character, &mut characters);
        // It is over where its level is closed again.
        let is_over = |depth: usize| walk.closing && walk.levels.len() == depth + 1;
        if let Some((mut list, _)) = found.take_if(|(_, depth)| is_over(*depth)) {
            list.end = at + 1;
            return Some(list);
        }
    }
    found.map(|(list, _)| list)
}

/// The rest of a string whose opening quote was read, as the parser reads it.
fn string(characters: &mut CharIndices<'_>) -> String {
    let rest = characters.as_str();
    let mut end = rest.len();
    let mut has_escapes = false;
    while let Some((_, character)) = characters.next() {
        match character {
            '"' => {
                end = rest.len() - characters.as_str().len() - 1;
                break;
            }
            '\\' => {
                has_escapes = true;
                characters.next();
            }
            _ => {}
        }
    }
    let raw = &rest[..end];
    let read = if has_escapes { serde_json::from_str(&format!("\"{raw}\"")).ok() } else { None };
    read.unwrap_or_else(|| raw.to_owned())
}

fn path(levels: &[Level]) -> String {
    let mut path = String::new();
    for level in levels {
        match level {
            Level::List(place) => path.push_str(&format!("[{place}]")),
            Level::Object(key) if key.is_empty() => {}
            Level::Object(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.extend(key.chars().take(60));
            }
        }
    }
    if path.is_empty() { "the beginning".to_owned() } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_by_its_path() {
        let text = "{\n  \"a\": [1, {\"b\": \"x\", \"c\\\"d\": {}}, 3],\n  \"e\": 4\n}";
        let at = |needle: &str| {
            let offset = text.find(needle).expect("it is there");
            let line = text[..offset].matches('\n').count() + 1;
            let column = offset - text[..offset].rfind('\n').map_or(0, |end| end + 1) + 1;
            path_at(text, offset_of(text, line, column + needle.len() - 1))
        };
        assert_eq!(at("\"x\""), "a[1].b");
        assert_eq!(at("1,"), "a[1]");
        assert_eq!(at("{}"), "a[1].c\"d");
        assert_eq!(at("3"), "a[2]");
        assert_eq!(at("4"), "e");
        assert_eq!(path_at("", 0), "the beginning");
        assert_eq!(path_at("{\"a\": [", offset_of("{\"a\": [", 9, 9)), "a[0]");
    }

    #[test]
    fn a_list_is_misplaced_but_under_its_keys() {
        let found = |text: &str| {
            let list = misplaced_list(text, &["list"])?;
            Some((text[list.start..list.end].to_owned(), list.path))
        };
        let is = |list: &str, path: &str| Some((list.to_owned(), path.to_owned()));
        assert_eq!(found(r#"{"list": [1, {"list": []}, "[", 2], "l\u0069st": []}"#), None);
        assert_eq!(found("[1, [2]]"), is("[1, [2]]", "the beginning"));
        assert_eq!(found(r#"{"list": [{"a": ["]", [3]]}, 4]}"#), is(r#"["]", [3]]"#, "list[0].a"));
        assert_eq!(found(r#"{"list": [{}, [1]]}"#), is("[1]", "list[1]"));
        assert_eq!(found(r#"{"a": [1, {"#), is("[1, {", "a"));
        assert_eq!(found(r#"{"a": {}, "b": []}"#), is("[]", "b"));
    }
}

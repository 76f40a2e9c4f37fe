//! Where in a JSON text an offset lies, as a path such as `scenario.faults[0].kind.pause.length`.
//! The parser tells line and column; a person wants the field. Reading the text a second time, only
//! when something is wrong, costs the page a tenth of what a parser that keeps the path would.

/// What a position is inside of.
enum Level {
    /// An object, with the key that was read last.
    Object(String),
    /// A list, with the place of the present element.
    List(usize),
}

/// The path of the value that `line` and `column` (both from 1) lie in or right behind.
pub(super) fn path_at(text: &str, line: usize, column: usize) -> String {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let end = (before + column).min(text.len());
    let mut levels: Vec<Level> = Vec::new();
    let mut characters = text.char_indices();
    let mut expects_key = false;
    // A closing bracket is held back until something follows it: right behind a value still is it.
    let mut closing = false;
    while let Some((at, character)) = characters.next() {
        if at >= end {
            break;
        }
        if std::mem::take(&mut closing) {
            levels.pop();
        }
        match character {
            '{' => {
                levels.push(Level::Object(String::new()));
                expects_key = true;
            }
            '[' => levels.push(Level::List(0)),
            '}' | ']' => closing = true,
            ',' => match levels.last_mut() {
                Some(Level::List(place)) => *place += 1,
                Some(Level::Object(_)) => expects_key = true,
                None => {}
            },
            '"' => {
                let text = string(&mut characters);
                if let (true, Some(Level::Object(key))) = (expects_key, levels.last_mut()) {
                    *key = text;
                    expects_key = false;
                }
            }
            _ => {}
        }
    }
    path(&levels)
}

/// The rest of a string whose opening quote was read, its escapes resolved; where they are wrong,
/// as it stands.
fn string(characters: &mut std::str::CharIndices<'_>) -> String {
    let mut raw = String::new();
    while let Some((_, character)) = characters.next() {
        match character {
            '"' => break,
            '\\' => {
                raw.push(character);
                raw.extend(characters.next().map(|(_, escaped)| escaped));
            }
            other => raw.push(other),
        }
    }
    serde_json::from_str(&format!("\"{raw}\"")).unwrap_or(raw)
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
            path_at(text, line, column + needle.len() - 1)
        };
        assert_eq!(at("\"x\""), "a[1].b");
        assert_eq!(at("1,"), "a[1]");
        assert_eq!(at("{}"), "a[1].c\"d");
        assert_eq!(at("3"), "a[2]");
        assert_eq!(at("4"), "e");
        let text = r#"{"caf\u00e9": {"\\u": 1}}"#;
        assert_eq!(path_at(text, 1, text.len() - 2), "café.\\u");
        assert_eq!(path_at("", 1, 0), "the beginning");
        assert_eq!(path_at("{\"a\": [", 9, 9), "a[0]");
    }
}

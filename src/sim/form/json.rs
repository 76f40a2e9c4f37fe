//! JSON as people wrote it: fields keep their order, a key can stand twice, a number is its text.
//! A text that is no JSON is refused with its place, as everything else in a file is.

use std::fmt;

use super::{At, Refusal};
use crate::sim::plain_text::{is_treacherous, push_escape};

/// How deep lists and fields may lie in one another; a scenario file needs about ten.
const MAX_DEPTH: u32 = 100;

/// A value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Json {
    /// `null`.
    Nothing,
    /// `true` or `false`.
    Switch(bool),
    /// A number, as it was written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// Keys with their values.
    Fields(Vec<(String, Self)>),
}

impl Json {
    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// One key with its value.
    pub fn one(key: &str, value: Self) -> Self {
        Self::Fields(vec![(key.to_owned(), value)])
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Where it stops being JSON.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(&At::ROOT, 0)?;
        reader.blanks();
        match reader.rest().is_empty() {
            true => Ok(value),
            false => Err(reader.refuse(&At::ROOT, "stands after the end", "nothing more")),
        }
    }

    /// As text, one field a line.
    pub fn indented(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, Some(0));
        text
    }

    /// Writes it; `depth`: how far it is indented.
    fn write(&self, to: &mut String, depth: Option<usize>) {
        let line = |to: &mut String, depth: Option<usize>| {
            if let Some(depth) = depth {
                to.push('\n');
                to.extend(std::iter::repeat_n("  ", depth));
            }
        };
        let below = depth.map(|depth| depth + 1);
        match self {
            Self::Nothing => to.push_str("null"),
            Self::Switch(on) => to.push_str(if *on { "true" } else { "false" }),
            Self::Number(number) => to.push_str(number),
            Self::Text(text) => write_text(text, to),
            Self::List(list) if list.is_empty() => to.push_str("[]"),
            Self::Fields(fields) if fields.is_empty() => to.push_str("{}"),
            Self::List(list) => {
                for (nth, value) in list.iter().enumerate() {
                    to.push(if nth == 0 { '[' } else { ',' });
                    line(to, below);
                    value.write(to, below);
                }
                line(to, depth);
                to.push(']');
            }
            Self::Fields(fields) => {
                for (nth, (key, value)) in fields.iter().enumerate() {
                    to.push(if nth == 0 { '{' } else { ',' });
                    line(to, below);
                    write_text(key, to);
                    to.push_str(if depth.is_some() { ": " } else { ":" });
                    value.write(to, below);
                }
                line(to, depth);
                to.push('}');
            }
        }
    }
}

fn write_text(text: &str, to: &mut String) {
    to.push('"');
    for char in text.chars() {
        match char {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            '\n' => to.push_str("\\n"),
            '\r' => to.push_str("\\r"),
            '\t' => to.push_str("\\t"),
            '\u{8}' => to.push_str("\\b"),
            '\u{c}' => to.push_str("\\f"),
            char if is_treacherous(char) => push_escape(to, char),
            other => to.push(other),
        }
    }
    to.push('"');
}

/// On one line, without blanks.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text, None);
        f.write_str(&text)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// Goes over `token` if it is next.
    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        self.at += if is_next { token.len() } else { 0 };
        is_next
    }

    /// What is next is wrong.
    fn refuse(&self, at: &At<'_>, problem: &str, right: &str) -> Refusal {
        let line = self.text[..self.at].matches('\n').count() + 1;
        let next: String = self.rest().chars().take_while(|c| *c != '\n').take(20).collect();
        let next = match next.trim_end() {
            "" if self.rest().is_empty() => "the end of the text".to_owned(),
            "" => "the end of the line".to_owned(),
            next => format!("“{next}”"),
        };
        let right = right.to_owned();
        Refusal { path: at.path(), problem: format!("{next} in line {line} {problem}"), right }
    }

    fn value(&mut self, at: &At<'_>, depth: u32) -> Result<Json, Refusal> {
        self.blanks();
        if depth > MAX_DEPTH {
            return Err(self.refuse(at, "lies too deep", "fewer brackets inside one another"));
        }
        for (token, value) in
            [("null", Json::Nothing), ("true", Json::Switch(true)), ("false", Json::Switch(false))]
        {
            if self.takes(token) {
                return Ok(value);
            }
        }
        match self.rest().bytes().next() {
            Some(b'"') => self.string(at).map(Json::Text),
            Some(b'-' | b'0'..=b'9') => self.number(at),
            Some(b'[') => self.list(at, depth),
            Some(b'{') => self.fields(at, depth),
            Some(_) | None => {
                Err(self.refuse(at, "stands where a value should", "\"10 s\", 3, true, [] or {}"))
            }
        }
    }

    fn list(&mut self, at: &At<'_>, depth: u32) -> Result<Json, Refusal> {
        self.at += 1;
        let mut list = Vec::new();
        self.blanks();
        if self.takes("]") {
            return Ok(Json::List(list));
        }
        loop {
            let here = at.nth(list.len());
            list.push(self.value(&here, depth + 1)?);
            self.blanks();
            if self.takes("]") {
                return Ok(Json::List(list));
            }
            if !self.takes(",") {
                return Err(self.refuse(&here, "stands after a value of a list", "a , or a ]"));
            }
        }
    }

    fn fields(&mut self, at: &At<'_>, depth: u32) -> Result<Json, Refusal> {
        self.at += 1;
        let mut fields = Vec::new();
        self.blanks();
        if self.takes("}") {
            return Ok(Json::Fields(fields));
        }
        loop {
            self.blanks();
            if !self.rest().starts_with('"') {
                return Err(self.refuse(
                    at,
                    "stands where a key should",
                    "a key in quotes: \"ttl\"",
                ));
            }
            let key = self.string(at)?;
            let here = at.key(&key);
            self.blanks();
            if !self.takes(":") {
                return Err(self.refuse(&here, "stands after a key", "a : and a value"));
            }
            let value = self.value(&here, depth + 1)?;
            self.blanks();
            let ends = self.takes("}");
            if !ends && !self.takes(",") {
                return Err(self.refuse(&here, "stands after a value", "a , or a }"));
            }
            fields.push((key, value));
            if ends {
                return Ok(Json::Fields(fields));
            }
        }
    }

    fn number(&mut self, at: &At<'_>) -> Result<Json, Refusal> {
        let digits =
            |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let rest = self.rest();
        let whole = rest.strip_prefix('-').unwrap_or(rest);
        let mut is_right = digits(whole) > 0 && (digits(whole) == 1 || !whole.starts_with('0'));
        let mut left = &whole[digits(whole)..];
        if let Some(fraction) = left.strip_prefix('.') {
            is_right &= digits(fraction) > 0;
            left = &fraction[digits(fraction)..];
        }
        if let Some(power) = left.strip_prefix(['e', 'E']) {
            let power = power.strip_prefix(['+', '-']).unwrap_or(power);
            is_right &= digits(power) > 0;
            left = &power[digits(power)..];
        }
        if !is_right {
            return Err(self.refuse(at, "is no number", "a number such as 3"));
        }
        let number = &rest[..rest.len() - left.len()];
        self.at += number.len();
        Ok(Json::Number(number.to_owned()))
    }

    fn string(&mut self, at: &At<'_>) -> Result<String, Refusal> {
        let opening = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let plain = self.rest().find(|c: char| c == '"' || c == '\\' || c < ' ');
            let plain = plain.unwrap_or(self.rest().len());
            text.push_str(&self.rest()[..plain]);
            self.at += plain;
            if self.takes("\"") {
                return Ok(text);
            }
            if !self.takes("\\") {
                self.at = if self.rest().is_empty() { opening } else { self.at };
                let right = "a text that ends with a quote in its line; \\n breaks a line";
                return Err(self.refuse(at, "is not the end of a text in quotes", right));
            }
            match self.escaped() {
                Some(char) => text.push(char),
                None => {
                    self.at -= 1;
                    return Err(self.refuse(at, "is no escape", "\\\\, \\\", \\n or \\u00e9"));
                }
            }
        }
    }

    /// What stands after a backslash; `None` and nowhere else if it stands for nothing.
    fn escaped(&mut self) -> Option<char> {
        let start = self.at;
        let plain = [
            ("\"", '"'),
            ("\\", '\\'),
            ("/", '/'),
            ("n", '\n'),
            ("t", '\t'),
            ("r", '\r'),
            ("b", '\u{8}'),
            ("f", '\u{c}'),
        ];
        if let Some((_, char)) = plain.iter().find(|(token, _)| self.takes(token)) {
            return Some(*char);
        }
        let char = match self.unit()? {
            high @ 0xd800..=0xdbff if self.takes("\\") => {
                let low = self.unit().filter(|low| (0xdc00..=0xdfff).contains(low));
                low.and_then(|low| {
                    char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                })
            }
            unit => char::from_u32(unit),
        };
        self.at = if char.is_none() { start } else { self.at };
        char
    }

    /// `u` and four digits.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.rest().strip_prefix('u')?.get(..4)?;
        let unit = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
        self.at += 5;
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_and_what_it_means_is_as_everywhere() {
        let texts = [
            r#"{"a":[],"b":{},"c":[1,{"d":"}],\"\\"},[[]]],"e":"","f":null}"#,
            r#"["\\","\\\"",{"\"":[{}]}, "caf\u00e9 \ud83d\ude00 \/\b\f\n\r\t"]"#,
            " [0, -0, 1.5, -1.25e+7, 2E3, 10, true, false] ",
            "3",
        ];
        for text in texts {
            let here = Json::parse(text).expect(text);
            let there: serde_json::Value = serde_json::from_str(text).expect(text);
            let again: serde_json::Value = serde_json::from_str(&here.to_string()).expect(text);
            assert_eq!(again, there);
            assert_eq!(Json::parse(&here.indented()).as_ref(), Ok(&here));
            if !text.contains("1.5") {
                assert_eq!(here.indented(), serde_json::to_string_pretty(&there).expect(text));
            }
        }
        let wrong = [
            "",
            "{",
            "[1,]",
            "{\"a\" 1}",
            "{a: 1}",
            "01",
            "1.",
            "-",
            "+1",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\u+123\"",
            "\"a\nb\"",
            "\"",
            "[1] 2",
            "nul",
            "{\"a\": 1,}",
            "\u{feff}1",
            "\"\\u12\"",
        ];
        for text in wrong {
            assert!(Json::parse(text).is_err(), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text}");
        }
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn the_place_of_what_is_wrong_is_named() {
        let place = |text: &str| Json::parse(text).expect_err(text).to_string();
        let told = place("{\n \"a\": [1, {\"c\\\"d\": x}]}");
        assert!(
            told.starts_with("a[1].c\"d: “x}]}” in line 2 stands where a value should"),
            "{told}"
        );
        assert!(place("{\"caf\\u00e9\": {\"\\\\u\": ?}}").starts_with("café.\\u: "));
        assert!(place("").starts_with("the beginning: the end of the text in line 1"));
    }
}

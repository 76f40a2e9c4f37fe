//! What real lock services did, as facts. The text of a recording (`tests/recordings/README.md`) is
//! read here; each system has a file that says what must be so in its recording, as inequalities
//! and as rules that are run beside it. No server is needed.

mod commands;
mod etcd;
mod postgres;
mod redis;
mod replay;
mod software;
mod zookeeper;

use std::path::Path;

/// A recording, read.
pub struct Recording {
    head: Vec<(String, String)>,
    parts: Vec<Part>,
}

/// A part of it, with its observations in order.
pub struct Part {
    name: String,
    pub lines: Vec<Line>,
}

/// An observation.
pub struct Line {
    pub t: u64,
    pub word: String,
    fields: Vec<(String, String)>,
    /// As it stands in the file, to be shown when a fact does not hold.
    pub text: String,
}

/// A measured length in milliseconds: it certainly lies in this range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measured {
    pub low: u64,
    pub high: u64,
}

impl Measured {
    /// Whether this length is in the range.
    pub fn holds(self, length: u64) -> bool {
        (self.low..=self.high).contains(&length)
    }
}

impl Recording {
    /// The recording of a system that is in the repository.
    pub fn of(system: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = root.join(format!("tests/recordings/{system}.txt"));
        let text = std::fs::read_to_string(&path).expect("there is a recording of the system");
        let recording = Self::parse(&text).expect("a recording is in the form of its README");
        assert_eq!(recording.head("system"), system);
        assert!(!recording.head("version").is_empty());
        recording
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let mut recording = Self { head: Vec::new(), parts: Vec::new() };
        let mut last = 0;
        for text in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                recording.parts.push(Part { name: name.to_owned(), lines: Vec::new() });
            } else if let Some(part) = recording.parts.last_mut() {
                let line = Line::parse(text)?;
                if line.t < last {
                    return Err(format!("`{text}` is earlier than the line before"));
                }
                last = line.t;
                part.lines.push(line);
            } else {
                let (name, value) = text.split_once(": ").ok_or(format!("no head: `{text}`"))?;
                recording.head.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(recording)
    }

    fn head(&self, name: &str) -> &str {
        let found = self.head.iter().find(|(of, _)| of == name);
        found.map_or("", |(_, value)| value)
    }

    pub fn part(&self, name: &str) -> &Part {
        self.parts.iter().find(|part| part.name == name).expect("the part has been recorded")
    }
}

impl Part {
    /// The observations of this word. There must be some: a fact about none would always hold.
    pub fn all(&self, word: &str) -> Vec<&Line> {
        let found: Vec<&Line> = self.lines.iter().filter(|line| line.word == word).collect();
        assert!(!found.is_empty(), "no `{word}` in [{}]", self.name);
        found
    }

    /// The only observation of this word that has this field.
    pub fn one(&self, word: &str, field: &str, value: &str) -> &Line {
        let all = self.all(word);
        let mut found = all.into_iter().filter(|line| line.find(field) == Some(value));
        let line = found.next().expect("it has been observed");
        assert!(found.next().is_none(), "`{word}` with {field}={value} stands twice");
        line
    }

    /// A field of all observations of this word.
    pub fn column(&self, word: &str, field: &str) -> Vec<&str> {
        self.all(word).into_iter().map(|line| line.get(field)).collect()
    }

    pub fn numbers(&self, word: &str, field: &str) -> Vec<i64> {
        self.all(word).into_iter().map(|line| line.number(field)).collect()
    }
}

impl Line {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("{what} in `{text}`");
        let mut words = text.split(' ');
        let t = words.next().and_then(|word| word.strip_prefix("t=+")?.strip_suffix("ms"));
        let t = t.and_then(|number| number.parse().ok()).ok_or_else(|| wrong("no time"))?;
        let word =
            words.next().filter(|word| !word.contains('=')).ok_or_else(|| wrong("no word"))?;
        let field = |word: &str| match word.split_once('=') {
            Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                Ok((name.to_owned(), value.to_owned()))
            }
            Some(_) | None => Err(wrong("no field")),
        };
        let fields = words.map(field).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { t, word: word.to_owned(), fields, text: text.to_owned() })
    }

    pub fn find(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(of, _)| of == name).map(|(_, value)| value.as_str())
    }

    pub fn get(&self, name: &str) -> &str {
        self.find(name).unwrap_or_else(|| panic!("no {name} in `{}`", self.text))
    }

    pub fn number(&self, name: &str) -> i64 {
        let value = self.get(name);
        value.parse().unwrap_or_else(|_| panic!("{name} is no number in `{}`", self.text))
    }

    pub fn is(&self, name: &str) -> bool {
        match self.get(name) {
            "yes" => true,
            "no" => false,
            other => panic!("{name} is `{other}`, not yes or no, in `{}`", self.text),
        }
    }

    /// A length that was granted or configured, in milliseconds.
    pub fn length(&self, name: &str) -> u64 {
        let value = self.get(name);
        let (number, unit) = match value.strip_suffix("ms") {
            Some(number) => (number, 1),
            None => (value.strip_suffix('s').unwrap_or(value), 1000),
        };
        let number: Option<u64> = number.parse().ok();
        number.unwrap_or_else(|| panic!("{name} is no length in `{}`", self.text)) * unit
    }

    /// A length that was measured.
    pub fn measured(&self, name: &str) -> Measured {
        let range = self.get(name).strip_suffix("ms").and_then(|range| range.split_once(".."));
        let ends = range.and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        let (low, high) = ends.unwrap_or_else(|| panic!("{name} is no range in `{}`", self.text));
        assert!(low <= high, "{name} is empty in `{}`", self.text);
        Measured { low, high }
    }

    /// Nothing ends before its time, and it has ended when it is late by as much as it can be.
    pub fn assert_ends(&self, name: &str, ttl: u64, latest: u64) {
        let measured = self.measured(name);
        assert!(measured.high >= ttl, "ended before its time: `{}`", self.text);
        assert!(measured.low <= ttl + latest, "later than {latest} ms: `{}`", self.text);
    }
}

/// Whether each is greater than the one before.
pub fn grows(tokens: &[i64]) -> bool {
    tokens.windows(2).all(|pair| pair[0] < pair[1])
}

/// In a queue each watches the one before, and only the end of that one wakes it.
fn assert_only_the_watched_wake(part: &Part, who: &str, end_of: impl Fn(&Line) -> Option<String>) {
    let mut watches: Vec<(String, String)> = Vec::new();
    let mut ended = String::new();
    let mut woken = 0;
    for line in &part.lines {
        let name = line.find(who).unwrap_or_default().to_owned();
        match line.word.as_str() {
            "look" => {
                watches.retain(|(watcher, _)| *watcher != name);
                if let Some(watched) = line.find("watches") {
                    watches.push((name, watched.to_owned()));
                } else {
                    assert!(line.is("holder"), "who watches nobody holds: `{}`", line.text);
                }
            }
            "woken" => {
                assert_eq!(line.get("by"), ended, "`{}`", line.text);
                assert!(watches.contains(&(name, ended.clone())), "`{}`", line.text);
                woken += 1;
            }
            "not-woken" => assert!(!watches.contains(&(name, ended.clone())), "`{}`", line.text),
            _ => ended = end_of(line).unwrap_or(ended),
        }
    }
    assert_eq!(woken, 3, "the dead waiter's, the first holder's and the second holder's end");
}

#[test]
fn a_recording_is_read() {
    let text = "system: redis\n\n[expiry]\n# About.\nt=+1ms granted who=A ttl=2s\n\
                t=+9ms expired after=7..9ms alive=no\n";
    let recording = Recording::parse(text).unwrap();
    assert_eq!(recording.head("system"), "redis");
    let part = recording.part("expiry");
    assert_eq!(part.one("granted", "who", "A").length("ttl"), 2000);
    let expired = part.all("expired")[0];
    assert_eq!(expired.measured("after"), Measured { low: 7, high: 9 });
    assert!(!expired.is("alive"));
    expired.assert_ends("after", 9, 0);
    expired.assert_ends("after", 5, 2);
    for wrong in [(10, 100), (5, 1)] {
        let (ttl, latest) = wrong;
        let asserted = std::panic::catch_unwind(|| expired.assert_ends("after", ttl, latest));
        assert!(asserted.is_err(), "{wrong:?}");
    }
}

#[test]
fn what_is_no_recording_is_refused() {
    for wrong in [
        "no head",
        "[a]\nt=+1 word",
        "[a]\nt=+1ms",
        "[a]\nt=+1ms who=A",
        "[a]\nt=+1ms word who",
        "[a]\nt=+1ms word who=",
        "[a]\nt=+2ms word\nt=+1ms word",
    ] {
        assert!(Recording::parse(wrong).is_err(), "{wrong}");
    }
}

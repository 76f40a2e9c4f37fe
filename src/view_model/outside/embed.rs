//! The page inside another page: what its address asks for, what the other page may tell it, what
//! it answers, and the text that puts it there. `docs/embed.md` is for who writes the other page.
//! It knows no browser; whom a message came from is checked by `ui/embed`.

use serde::Serialize;
use serde_json::{Map, Value};

use super::export::xml::escaped;
use crate::sim::limits::{MAX_EMBED_ORIGINS, MAX_MESSAGE_CHARS};
use crate::sim::plain_text::one_line;
use crate::sim::time::SimTime;
use crate::view_model::runs::labels;
use crate::view_model::runs::{FencingMode, Runs};
use crate::view_model::sentences::verdict;
use crate::view_model::words::wording;

/// The version of the messages, in each of them.
const VERSION: u64 = 1;

/// What an address asks for that has `?embed` in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EmbedOptions {
    /// Whose messages are taken, and who is answered; none: nobody's.
    pub origins: Vec<String>,
    /// Dark or light; `None`: as the system says.
    pub dark: Option<bool>,
    /// What is wrong with the address.
    pub problems: Vec<String>,
}

impl EmbedOptions {
    /// Reads an address's query, with or without its `?`; `None`: it asks for the whole page.
    pub fn parse(query: &str) -> Option<Self> {
        let query = query.trim_start_matches('?');
        let pairs = || query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs().find(|(name, _)| *name == "embed")?;
        let mut options = Self::default();
        for (name, value) in pairs() {
            let value = decoded(value);
            match name {
                "origin" => match origin(&value) {
                    // Named twice it would be answered twice.
                    Some(origin) if options.takes(&origin) => {}
                    Some(_) if options.origins.len() == MAX_EMBED_ORIGINS => {
                        options.problems.push(format!(
                            "The address names more than {MAX_EMBED_ORIGINS} origins; “{}” is not \
                             taken",
                            quoted(&value)
                        ));
                    }
                    Some(origin) => options.origins.push(origin),
                    None => options.problems.push(format!(
                        "origin “{}” is not taken: write scheme and host alone, such as \
                         https://blog.example",
                        quoted(&value)
                    )),
                },
                "theme" => match value.as_str() {
                    "light" => options.dark = Some(false),
                    "dark" => options.dark = Some(true),
                    other => options.problems.push(format!(
                        "theme “{}” is not known: write light or dark",
                        quoted(other)
                    )),
                },
                // What hosts add to addresses is none of ours.
                _ => {}
            }
        }
        Some(options)
    }

    /// Whether messages of an origin are taken.
    pub fn takes(&self, origin: &str) -> bool {
        self.origins.iter().any(|taken| taken == origin)
    }
}

/// `text` with `%41` read as `A`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = |byte: u8| char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
        let coded = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match coded {
            Some((high, low)) => {
                bytes.push(high * 16 + low);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An origin as browsers write it: scheme, host and an unusual port, in small letters.
fn origin(given: &str) -> Option<String> {
    let given = given.to_ascii_lowercase();
    let (scheme, host) = given.split_once("://")?;
    let usual = match scheme {
        "https" => ":443",
        "http" => ":80",
        _ => return None,
    };
    let host = host.strip_suffix(usual).unwrap_or(host);
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-.[]:_".contains(c);
    let bracketed = name.starts_with('[') && name.ends_with(']');
    let is_host = !name.is_empty()
        && name.chars().all(is_name)
        && (bracketed || !name.contains(['[', ']', ':']));
    let is_port = |port: &str| port.parse::<u16>().is_ok();
    (is_host && port.is_none_or(is_port)).then(|| format!("{scheme}://{host}"))
}

/// What the other page asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmbedCommand {
    /// Let time pass.
    Play,
    /// Stop it.
    Pause,
    /// Go to an instant.
    Seek(SimTime),
    /// Fencing off, on, or both.
    Fencing(FencingMode),
    /// Say how things stand.
    State,
}

/// Reads a message, as JSON. `None`: it is not meant for this page, and is left alone.
///
/// # Errors
/// What is wrong with a message that is meant for it, with what was given.
pub fn read(json: &str) -> Option<Result<EmbedCommand, String>> {
    if json.len() > MAX_MESSAGE_CHARS {
        return None;
    }
    let value: Value = serde_json::from_str(json).ok()?;
    let message = value.as_object()?;
    let version = message.get("fenceline")?;
    if version.as_u64() != Some(VERSION) {
        let given = shown(version);
        return Some(Err(format!("“fenceline”: {given} is not known: this page takes {VERSION}")));
    }
    Some(command(message))
}

fn command(message: &Map<String, Value>) -> Result<EmbedCommand, String> {
    let act = message.get("do");
    let (command, takes) = match act.and_then(Value::as_str) {
        Some("play") => (EmbedCommand::Play, None),
        Some("pause") => (EmbedCommand::Pause, None),
        Some("state") => (EmbedCommand::State, None),
        Some("seek") => (EmbedCommand::Seek(instant(message.get("to"))?), Some("to")),
        Some("fencing") => (EmbedCommand::Fencing(mode(message.get("mode"))?), Some("mode")),
        Some(_) | None => {
            return Err(format!(
                "“do”: {} is not known: write \"play\", \"pause\", \"seek\", \"fencing\" or \
                 \"state\"",
                given(act)
            ));
        }
    };
    let known = |name: &str| name == "fenceline" || name == "do" || Some(name) == takes;
    match message.keys().find(|name| !known(name)) {
        None => Ok(command),
        Some(other) => Err(format!("“{}” is not part of such a message", quoted(other))),
    }
}

fn instant(to: Option<&Value>) -> Result<SimTime, String> {
    let wrong = |why: &str| {
        format!("“to”: {} is not a time: {why}, such as \"17.1 s\" or \"250ms\"", given(to))
    };
    let Some(text) = to.and_then(Value::as_str) else {
        return Err(wrong("write it as text with its unit"));
    };
    text.parse().map_err(|_| wrong("write a number and its unit"))
}

fn mode(mode: Option<&Value>) -> Result<FencingMode, String> {
    let all = FencingMode::ALL.into_iter();
    let named = mode.and_then(Value::as_str);
    let found = all.into_iter().find(|it| Some(mode_name(*it)) == named);
    found.ok_or_else(|| {
        format!("“mode”: {} is not known: write \"off\", \"on\" or \"both\"", given(mode))
    })
}

fn mode_name(mode: FencingMode) -> &'static str {
    match mode {
        FencingMode::Off => "off",
        FencingMode::On => "on",
        FencingMode::Both => "both",
    }
}

fn given(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), shown)
}

fn shown(value: &Value) -> String {
    quoted(&value.to_string())
}

/// The beginning of what somebody gave, on one line.
fn quoted(text: &str) -> String {
    let line = one_line(text);
    match line.chars().count() {
        0..=60 => line,
        _ => format!("{}…", line.chars().take(60).collect::<String>()),
    }
}

/// How things stand, as it is told.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    #[serde(rename = "fenceline")]
    version: u64,
    r#type: &'static str,
    title: String,
    playing: bool,
    at: String,
    at_micros: u64,
    ends_at_micros: u64,
    event: u32,
    events: u32,
    fencing: &'static str,
    runs: Vec<RunState>,
}

#[derive(Serialize)]
struct RunState {
    name: String,
    verdict: String,
}

/// How things stand, as JSON.
pub fn state(title: &str, runs: &Runs, fencing: FencingMode, at: SimTime, playing: bool) -> String {
    let run_states = runs.shown().filter_map(|(run, _)| {
        let verdict = verdict::of_run(runs, run)?.text;
        Some(RunState { name: labels::run_label(runs, run), verdict })
    });
    let state = State {
        version: VERSION,
        r#type: "state",
        title: one_line(title),
        playing,
        at: wording::time(at),
        at_micros: at.micros(),
        ends_at_micros: runs.ends_at().micros(),
        event: runs.moments.n_until(at),
        events: runs.moments.n_moments(),
        fencing: mode_name(fencing),
        runs: run_states.collect(),
    };
    serde_json::to_string(&state).expect("plain data always serialises")
}

/// What was wrong with a message, as JSON.
pub fn error(message: &str) -> String {
    serde_json::json!({ "fenceline": VERSION, "type": "error", "message": message }).to_string()
}

/// The text that puts a run into another page. `page`: this page's address, without query and
/// fragment.
pub fn frame(page: &str, fragment: &str, title: &str) -> String {
    format!(
        "<iframe src=\"{}?embed#{}\" title=\"{}, a simulation\" width=\"100%\" height=\"560\" \
         style=\"border: 0\" loading=\"lazy\"></iframe>",
        escaped(page),
        escaped(fragment),
        escaped(if title.is_empty() { "Fenceline" } else { title }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    fn options(query: &str) -> EmbedOptions {
        EmbedOptions::parse(query).expect("it asks for a frame")
    }

    #[test]
    fn without_an_origin_nobody_is_heard() {
        assert_eq!(EmbedOptions::parse(""), None);
        assert_eq!(EmbedOptions::parse("?a=embed"), None);
        assert_eq!(EmbedOptions::parse("?origin=https://a.example"), None);
        let alone = options("?embed");
        assert_eq!(alone, EmbedOptions::default());
        assert!(!alone.takes("https://a.example") && !alone.takes("") && !alone.takes("null"));
    }

    #[test]
    fn origins_are_read_as_browsers_write_them() {
        let read = options("?utm=x&embed=1&origin=https%3A%2F%2FBlog.Example%3A443&theme=dark");
        assert_eq!(read.origins, ["https://blog.example"]);
        assert_eq!((read.dark, read.problems.len()), (Some(true), 0));
        assert!(read.takes("https://blog.example") && !read.takes("https://blog.example.org"));
        let local = options("embed&origin=http://127.0.0.1:8080&origin=http://[::1]:9");
        assert_eq!(local.origins, ["http://127.0.0.1:8080", "http://[::1]:9"]);
        let twice = options("embed&origin=https://a.example&origin=https://A.example:443");
        assert_eq!((twice.origins, twice.problems), (vec!["https://a.example".to_owned()], vec![]));
    }

    #[test]
    fn what_is_no_origin_is_quoted_and_not_taken() {
        let wrong = [
            "*",
            "null",
            "",
            "blog.example",
            "https://",
            "https://a/b",
            "javascript:alert(1)",
            "https://a@b",
            "https://a:99999",
            "https://a?b",
            "https://*.a",
            "file://a",
            "https://a b",
        ];
        for given in wrong {
            let read = options(&format!("?embed&origin={given}"));
            assert!(read.origins.is_empty(), "{given}: {:?}", read.origins);
            let [problem] = read.problems.as_slice() else { panic!("{given}") };
            assert!(problem.contains(&format!("“{given}”")), "{problem}");
        }
        let many: String =
            (0..=MAX_EMBED_ORIGINS).map(|n| format!("&origin=https://a{n}.example")).collect();
        // One that is taken already is none too many.
        let read = options(&format!("?embed{many}&origin=https://a0.example"));
        assert_eq!((read.origins.len(), read.problems.len()), (MAX_EMBED_ORIGINS, 1));
        assert!(read.problems[0].contains("“https://a8.example” is not taken"));
        assert!(options("?embed&theme=red").problems[0].contains("“red”"));
        assert!(options("?embed&origin=%ff%").origins.is_empty());
    }

    #[test]
    fn messages_are_read_and_wrong_ones_are_quoted() {
        let good = |text: &str| read(text).expect("for this page").expect(text);
        assert_eq!(good(r#"{"fenceline":1,"do":"play"}"#), EmbedCommand::Play);
        assert_eq!(good(r#"{"do":"pause","fenceline":1}"#), EmbedCommand::Pause);
        assert_eq!(good(r#"{"fenceline":1,"do":"state"}"#), EmbedCommand::State);
        let seek = good(r#"{"fenceline":1,"do":"seek","to":"17.1 s"}"#);
        assert_eq!(seek, EmbedCommand::Seek(SimTime::from_millis(17_100)));
        let both = good(r#"{"fenceline":1,"do":"fencing","mode":"both"}"#);
        assert_eq!(both, EmbedCommand::Fencing(FencingMode::Both));

        let bad = |text: &str| read(text).expect("for this page").expect_err(text);
        for (text, quoted, right) in [
            (r#"{"fenceline":2,"do":"play"}"#, "2", "takes 1"),
            (r#"{"fenceline":1}"#, "nothing", "\"play\""),
            (r#"{"fenceline":1,"do":"eval"}"#, "\"eval\"", "\"seek\""),
            (r#"{"fenceline":1,"do":["play"]}"#, "[\"play\"]", "\"play\""),
            (r#"{"fenceline":1,"do":"seek","to":17.1}"#, "17.1", "\"17.1 s\""),
            (r#"{"fenceline":1,"do":"seek","to":"soon"}"#, "\"soon\"", "its unit"),
            (r#"{"fenceline":1,"do":"fencing","mode":"maybe"}"#, "\"maybe\"", "\"both\""),
            (r#"{"fenceline":1,"do":"play","url":"x"}"#, "“url”", "not part"),
        ] {
            let told = bad(text);
            assert!(told.contains(quoted) && told.contains(right), "{text}: {told}");
        }
        let long = format!(r#"{{"fenceline":1,"do":"{}"}}"#, "x".repeat(500));
        assert!(bad(&long).chars().count() < 200);
    }

    #[test]
    fn what_is_not_for_this_page_is_left_alone() {
        let huge = format!(r#"{{"fenceline":1,"do":"{}"}}"#, "x".repeat(MAX_MESSAGE_CHARS));
        let others = ["", "null", "1", "\"play\"", "[1]", "{}", r#"{"type":"x"}"#, "{", &huge];
        for text in others {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn the_state_is_told_with_both_runs() {
        let file = GALLERY[0].file();
        let runs = Runs::of(&file).expect("valid");
        let at = SimTime::from_millis(17_100);
        let told = state(&file.title, &runs, FencingMode::of(&file), at, false);
        let told: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(told["fenceline"], 1);
        assert_eq!(told["type"], "state");
        assert_eq!(told["atMicros"], 17_100_000);
        assert_eq!(told["fencing"], "both");
        assert_eq!(told["runs"][0]["verdict"], "Corrupted at 17.1 s");
        assert_eq!(told["runs"][1]["name"], "with a fence");
        let wrong: Value = serde_json::from_str(&error("a \"b\"")).expect("JSON");
        assert_eq!(wrong["message"], "a \"b\"");
    }

    #[test]
    fn a_frame_is_one_element_whatever_the_title() {
        let text = frame("https://host.example/a/", "1.abc", "\"><script>x</script>");
        assert_eq!(text.matches('<').count(), 2, "{text}");
        assert!(
            text.starts_with("<iframe src=\"https://host.example/a/?embed#1.abc\" title=\"&quot;")
        );
    }
}

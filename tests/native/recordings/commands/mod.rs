//! The commands that the page says were run on a real server, held to what that server printed when
//! `cargo xtask record commands` typed them. A file in `tests/recordings/commands` has the lines of
//! one run with its numbers, as the page shows them, and the recorded answers. A line that changes
//! no longer is in its file: `UPDATE_EXPECT=1` writes the new lines, without answers, and they have
//! to be recorded anew.

mod scripts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fenceline::scenarios::GALLERY;
use fenceline::sim::fact::{ClientFact, Fact, FaultFact, MessageFact};
use fenceline::sim::id::NodeId;
use fenceline::sim::message::MessageKind;
use fenceline::sim::scenario::ScenarioFile;
use fenceline::sim::{LogEntry, Recording, SimTime};
use fenceline::view_model::systems::{Command, Origin, commands};
use fenceline::view_model::words::wording;

use scripts::{SCRIPTS, Script};

/// Something that was typed, and what came of it.
struct Typed {
    /// When, who, into what and what for.
    head: String,
    lines: Vec<String>,
    /// What the page says that is printed.
    said: String,
    /// What was printed.
    printed: Vec<String>,
}

/// A file of commands: its head, what is typed first, and the commands.
struct Recorded {
    head: Vec<(String, String)>,
    typed: Vec<Typed>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/commands")
}

impl Recorded {
    fn read(id: &str) -> Option<Self> {
        let text = std::fs::read_to_string(folder().join(format!("{id}.txt"))).ok()?;
        let mut recorded = Self { head: Vec::new(), typed: Vec::new() };
        for line in text.lines().filter(|line| !line.is_empty()) {
            let typed = recorded.typed.last_mut();
            let rest = line.get(2..).unwrap_or_default().to_owned();
            match (line.as_bytes()[0], typed) {
                (b'[', _) => recorded.typed.push(Typed {
                    head: line.to_owned(),
                    lines: Vec::new(),
                    said: String::new(),
                    printed: Vec::new(),
                }),
                (b'$', Some(typed)) => typed.lines.push(rest),
                (b'?', Some(typed)) => typed.said = rest,
                (b'>', Some(typed)) => typed.printed.push(rest),
                (_, Some(_)) => panic!("`{line}` in {id}"),
                (_, None) => {
                    let (name, value) = line.split_once(": ").expect("a head");
                    recorded.head.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        Some(recorded)
    }

    fn head(&self, name: &str) -> &str {
        let found = self.head.iter().find(|(of, _)| of == name);
        found.map_or("", |(_, value)| value)
    }

    /// The file without what the recorder adds.
    fn asked(&self) -> String {
        let head = self.head.iter().filter(|(name, _)| name != "version");
        let mut text: String = head.map(|(name, value)| format!("{name}: {value}\n")).collect();
        self.typed.iter().for_each(|typed| text.push_str(&typed.asked()));
        text
    }
}

impl Typed {
    fn asked(&self) -> String {
        let mut text = format!("\n{}\n", self.head);
        self.lines.iter().for_each(|line| text.push_str(&format!("$ {line}\n")));
        if !self.said.is_empty() {
            text.push_str(&format!("? {}\n", self.said));
        }
        text
    }

    /// Whether what was printed has what the page says, as words of it.
    fn is_so(&self) -> bool {
        let printed = self.printed.join("\n");
        if self.said.is_empty() {
            // Nothing is typed, or it waits, or nothing is printed.
            return printed.is_empty();
        }
        let part_of_word = |text: &str, at: Option<char>, end: Option<char>| {
            let joins = |a: Option<char>, b: Option<char>| {
                a.zip(b).is_some_and(|(a, b)| a.is_alphanumeric() && b.is_alphanumeric())
            };
            joins(at, text.chars().next()) || joins(text.chars().last(), end)
        };
        printed.match_indices(&self.said).any(|(at, said)| {
            let before = printed[..at].chars().last();
            let after = printed[at + said.len()..].chars().next();
            !part_of_word(said, before, after)
        })
    }
}

/// The run of a script: the paused holder, with a renewal before the pause and a release after the
/// work.
fn run(script: &Script) -> Recording {
    let json = GALLERY[0].json.replace(r#""at": "2 s""#, r#""at": "4 s""#);
    let json = json.replace(r#""work": "2 s""#, r#""work": "5 s""#);
    let json = json.replace(r#""release": false"#, r#""release": true"#);
    let file = ScenarioFile::parse(&json).expect("the paused holder");
    let base = file.base().expect("valid");
    let changes = (script.changes)(&file.scenario);
    Recording::of(&base.with(&changes).expect("the script fits"))
}

/// Something that happens at a time, with nothing typed yet.
fn event(what: &str, at: SimTime) -> Typed {
    Typed {
        head: format!("[{what}, {}]", wording::time(at)),
        lines: Vec::new(),
        said: String::new(),
        printed: Vec::new(),
    }
}

/// A client whose program has to stand still with it, and go on with it.
fn stands_still(script: &Script, entry: &LogEntry) -> Option<Typed> {
    match entry.fact {
        Fact::Fault(_, FaultFact::Paused { client, .. }) if script.client_pauses => {
            Some(event(&format!("{client} pauses"), entry.at))
        }
        Fact::Client(client, ClientFact::Resumed { .. }) if script.client_pauses => {
            Some(event(&format!("{client} wakes"), entry.at))
        }
        _ => None,
    }
}

/// A waiter of etcd, who keeps its lease by the same line as a holder.
fn keeps_waiting(script: &Script, run: &Recording, entry: &LogEntry) -> Option<Typed> {
    let Fact::Message(
        NodeId::Lock(_),
        MessageFact::Received {
            from: NodeId::Client(waiter), kind: MessageKind::KeepAlive, ..
        },
    ) = entry.fact
    else {
        return None;
    };
    if script.server != "etcd" {
        return None;
    }
    let renew = commands(run, entry.at).swap_remove(1);
    let mut typed = event(&format!("{waiter} in bash: Renew while it waits"), entry.at);
    typed.lines = renew.text.lines().map(str::to_owned).collect();
    typed.said = "keepalived with TTL(10)".to_owned();
    Some(typed)
}

/// What is typed in a run, in its order.
fn typed_in(script: &Script, run: &Recording) -> Vec<Typed> {
    let mut all = Vec::new();
    let mut waiting = BTreeSet::new();
    let mut refused = BTreeMap::new();
    let mut last = None;
    for entry in run.log().entries() {
        all.extend(stands_still(script, entry));
        all.extend(keeps_waiting(script, run, entry));
        if last == Some(entry.at) {
            continue;
        }
        last = Some(entry.at);
        let mut all_of_it = commands(run, entry.at);
        // At one time a lock is given back before it is granted again.
        all_of_it.sort_by_key(|command| command.what != "Release");
        for command in all_of_it {
            let Command { what, text, answer, by: Some(by), origin: Origin::Ran(server) } = command
            else {
                continue;
            };
            if answer.at != Some(entry.at) {
                continue;
            }
            // Who asks again and again is refused once here.
            let asked = (text.clone(), answer.said.clone());
            if what == "Acquire" && refused.insert(by, asked.clone()) == Some(asked) {
                continue;
            }
            let waits = answer.means.starts_with("the statement waits");
            let answers = what == "Acquire" && waiting.remove(&by);
            if waits {
                waiting.insert(by);
            }
            let how = if waits { ", waits" } else { "" };
            let how = if answers { ", answers" } else { how };
            let program = server.program.name();
            let mut typed = event(&format!("{by} in {program}: {what}{how}"), entry.at);
            if !answers {
                typed.lines = text.lines().map(str::to_owned).collect();
            }
            typed.said = answer.said;
            all.push(typed);
        }
    }
    all
}

/// The whole file as the page has it.
fn asked(script: &Script) -> String {
    let mut text = format!("server: {}\nabout: {}\n", script.server, script.about);
    for (program, lines) in script.setup {
        text.push_str(&format!("\n[first in {program}]\n"));
        lines.iter().for_each(|line| text.push_str(&format!("$ {line}\n")));
    }
    typed_in(script, &run(script)).iter().for_each(|typed| text.push_str(&typed.asked()));
    text
}

#[test]
fn the_lines_that_were_recorded_are_those_that_the_page_shows() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    for script in SCRIPTS {
        let asked = asked(script);
        let recorded = Recorded::read(script.id);
        if recorded.is_none_or(|recorded| recorded.asked() != asked) {
            let path = folder().join(format!("{}.txt", script.id));
            assert!(
                update,
                "the page's lines are no longer those of {}. UPDATE_EXPECT=1 writes them; then \
                 `cargo xtask record commands` has them run",
                path.display()
            );
            std::fs::write(path, asked).expect("it is ours");
        }
    }
}

#[test]
fn a_real_server_printed_what_the_page_says() {
    let mut wrong = Vec::new();
    for script in SCRIPTS {
        let recorded = Recorded::read(script.id).expect("it is recorded");
        assert!(!recorded.head("version").is_empty(), "{} has to be recorded", script.id);
        let typed = recorded.typed.iter().filter(|typed| !typed.head.starts_with("[first"));
        let typed: Vec<_> = typed.collect();
        for typed in &typed {
            if !typed.is_so() {
                let (said, printed) = (&typed.said, &typed.printed);
                wrong.push(format!("{} {}: {said}, {printed:?}", script.id, typed.head));
            }
        }
        let has = |what| typed.iter().any(|typed| typed.head.contains(what));
        assert!(has("Acquire"), "{}", script.id);
        // Where the same claim is made twice the lock is kept.
        assert!(has("Release") || has("Read back after the claim"), "{}", script.id);
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn the_versions_that_the_page_names_are_those_that_were_recorded() {
    for script in SCRIPTS {
        let recorded = Recorded::read(script.id).expect("it is recorded");
        for command in commands(&run(script), SimTime::ZERO) {
            if let Origin::Ran(server) = command.origin {
                assert_eq!(recorded.head("server"), server.name, "{}", script.id);
                assert_eq!(recorded.head("version"), server.version, "{}", script.id);
            }
        }
    }
}

/// A line without the numbers and names of its run.
fn shape(line: &str) -> String {
    let mut shape = String::new();
    let mut word = String::new();
    for at in line.chars().chain([' ']) {
        if at.is_alphanumeric() || at == '_' {
            word.push(at);
            continue;
        }
        let is_number = !word.is_empty() && word.chars().all(|at| at.is_ascii_digit());
        let is_name = word.chars().enumerate().all(|(place, at)| match place {
            0 => at.is_ascii_uppercase(),
            _ => at.is_ascii_digit(),
        });
        let is_name = is_name && !word.is_empty();
        // `lock-0000000033` is as good as another, `n0` is not a number.
        shape.push_str(if is_number || is_name { "#" } else { &word });
        shape.push(at);
        word.clear();
    }
    // The name of a write has two parts.
    // The number of a node can be negative.
    shape.replace("#.#", "#").replace("lock--#", "lock-#").trim_end().to_owned()
}

#[test]
fn no_scenario_shows_a_line_as_run_that_was_never_recorded() {
    let mut known = BTreeSet::new();
    for script in SCRIPTS {
        let recorded = Recorded::read(script.id).expect("it is recorded");
        let typed = recorded.typed.into_iter().filter(|typed| !typed.head.starts_with("[first"));
        known.extend(typed.flat_map(|typed| typed.lines).map(|line| shape(&line)));
    }
    let mut n_lines = 0;
    for (name, file) in all_scenarios() {
        let base = file.base().expect("valid");
        let compared = base.with(&file.compare).expect("fits");
        for run in [Recording::of(&base), Recording::of(&compared)] {
            let mut last = None;
            for entry in run.log().entries() {
                if !matches!(entry.fact, Fact::Service(..) | Fact::Store(..))
                    || last == Some(entry.at)
                {
                    continue;
                }
                last = Some(entry.at);
                for command in commands(&run, entry.at) {
                    let Origin::Ran(_) = command.origin else { continue };
                    if command.answer.at != Some(entry.at) {
                        continue;
                    }
                    for line in command.text.lines() {
                        n_lines += 1;
                        assert!(known.contains(&shape(line)), "{name}: `{line}` was never run");
                    }
                }
            }
        }
    }
    assert!(n_lines > 1_000, "{n_lines}");
}

/// The gallery and the cases.
fn all_scenarios() -> Vec<(String, ScenarioFile)> {
    let mut all: Vec<_> = GALLERY.iter().map(|entry| (entry.id.to_owned(), entry.file())).collect();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for entry in std::fs::read_dir(cases).expect("the cases").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ext| ext == "json") {
            let text = std::fs::read_to_string(&path).expect("a case");
            let file = ScenarioFile::parse(&text).expect("a case is a scenario");
            all.push((path.display().to_string(), file));
        }
    }
    assert!(all.len() > 150);
    all
}

#[test]
fn the_header_of_who_waited_is_later_than_its_key() {
    let recorded = Recorded::read("etcd-lease-id").expect("it is recorded");
    let number = |name: &str| -> i64 {
        let line = recorded.typed[0].printed.iter().find(|line| line.contains(name));
        let number = line.and_then(|line| line.rsplit(' ').next()?.parse().ok());
        number.expect("it was printed")
    };
    assert!(number("header") > number("CreateRevision"));
}

#[test]
fn two_keys_of_a_cluster_need_one_tag() {
    let recorded = Recorded::read("redis-counter").expect("it is recorded");
    let first = &recorded.typed[0];
    let place = first.lines.iter().position(|line| line.contains("2 lock:job-7 fence:job-7"));
    assert!(place.is_some(), "two keys without a tag");
    assert!(first.printed.iter().any(|line| line.contains("CROSSSLOT")), "{:?}", first.printed);
}

#[test]
fn a_shape_has_no_number_of_its_run() {
    let line = "UPDATE jobs SET value = 'A1.1', fence = 33 WHERE id = 7 AND fence < 33;";
    let other = "UPDATE jobs SET value = 'B2.13', fence = 1034 WHERE id = 7 AND fence < 1034;";
    assert_eq!(shape(line), shape(other));
    assert_ne!(shape(line), shape(&other.replace('<', "<=")));
    assert_eq!(shape("put jobs/7 A1.1"), "put jobs/# #");
}

#[test]
fn an_answer_is_found_as_words_of_what_was_printed() {
    let typed = |said: &str, printed: &str| Typed {
        head: String::new(),
        lines: Vec::new(),
        said: said.to_owned(),
        printed: printed.lines().map(str::to_owned).collect(),
    };
    assert!(typed("UPDATE 1", "   33\n(1 row)\nUPDATE 1").is_so());
    assert!(!typed("UPDATE 1", "UPDATE 10").is_so());
    assert!(!typed("33", "(integer) 133").is_so());
    assert!(!typed("", "(nil)").is_so());
    assert!(typed("", "").is_so());
}

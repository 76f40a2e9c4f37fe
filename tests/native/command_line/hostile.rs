//! Text of files and of the command line that tries to steer the terminal, to forge a line, or to
//! hide what follows.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fenceline::sim::ScenarioFile;
use fenceline::sim::plain_text::is_treacherous;
use fenceline::sim::property::VerdictKind;
use fenceline::sim::scenario::ActorName;

use super::{Ran, folder, program, quiet, ran, run, write};

/// What no run is called.
const FORGED: &str = "Run 1: Safe in every run";

fn hostile() -> String {
    format!("\u{1b}]0;owned\u{7}\r\n  {FORGED}\n\u{202e}\u{2066}\u{9b}2J\u{200f}\u{2028}{FORGED}")
}

fn hostile_file() -> ScenarioFile {
    let mut file = quiet(VerdictKind::Corrupted);
    file.title = hostile();
    file.incident.zone = "\u{1b}[2J\u{202e}".to_owned();
    file.incident.start = Some("2024-05-01T10:00:00.000+02:00".parse().expect("a timestamp"));
    let name = format!("\u{1b}[8m\n{FORGED}\u{202e}");
    file.incident.names = vec![ActorName { actor: "A".parse().expect("a client"), name }];
    file
}

/// Nothing but lines that it has written itself.
fn is_plain(ran: &Ran) {
    for text in [&ran.out, &ran.err] {
        let bad = text.chars().find(|char| *char != '\n' && is_treacherous(*char));
        assert_eq!(bad, None, "{text:?}");
        assert!(!text.lines().any(|line| line.trim().starts_with(FORGED)), "{text:?}");
    }
}

#[test]
fn titles_and_names_stay_text_in_every_command() {
    let path = write(&folder("titles").join("file.json"), hostile_file().to_json());
    for arguments in [
        &["check", &path][..],
        &["run", &path],
        &["run", "--json", &path],
        &["run", "--history", &path],
        &["run", "--history", "--json", &path],
        &["run", "--at", "1 s", &path],
        &["remedies", &path],
        &["systems", &path],
        &["picture", &path],
        &["picture", "--html", "--page", "https://host.example/\u{202e}\u{1b}", &path],
    ] {
        let told = run(arguments);
        assert!(!told.out.is_empty(), "{told:?}");
        is_plain(&told);
    }
    // The quotation is there, where it belongs.
    let told = run(&["check", &path]);
    assert_eq!(told.code, Some(1));
    assert!(told.out.starts_with(&format!("{path}: \u{fffd}]0;owned\u{fffd}    {FORGED} ")));
}

#[test]
fn keys_values_and_file_names_stay_text_in_messages() {
    let folder = folder("keys");
    let key = serde_json::to_string(&hostile()).expect("text");
    let raw = format!("\"\u{202e}\u{85}{}\"", "k".repeat(900_000));
    let json = quiet(VerdictKind::Safe).to_json();
    let texts = [
        format!("{{ {key}: 1 }}"),
        format!("{{ {raw}: 1 }}"),
        format!("{{ {key}: [ {{ {key}: [[ "),
        json.replacen("\"lease_server\"", &key, 1),
        json.replacen("\"1/3\"", &key, 1),
        json.replacen("\"title\": ", &format!("\"title\": [{key}], \"x\": "), 1),
        json.replacen("\"scenario\": {", &format!("\"scenario\": [{key}], \"x\": {{"), 1),
    ];
    for text in &texts {
        // A name that does to the terminal what it can, and is not UTF-8.
        let path = folder.join(OsStr::from_bytes(b"\xff\x1b]0;x\x07\nRun 1: Safe in every run"));
        write(&path, text);
        for command in ["check", "run", "remedies", "systems", "picture", "write-up"] {
            let told = ran(&mut program(&[OsStr::new(command), path.as_os_str()]));
            assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{told:?}");
            is_plain(&told);
            let length = told.err.chars().count();
            assert!(told.err.lines().count() == 1 && length < 3_500, "{length} characters");
        }
    }
}

#[test]
fn a_file_whose_name_is_not_utf_8_is_read() {
    let path = folder("names").join(OsStr::from_bytes(b"lock-\xff.json"));
    write(&path, quiet(VerdictKind::Safe).to_json());
    let told = ran(&mut program(&[OsStr::new("check"), path.as_os_str()]));
    assert_eq!((told.code, told.err.as_str()), (Some(0), ""));
    assert!(told.out.contains("lock-\u{fffd}.json: The paused holder"), "{}", told.out);
}

#[test]
fn arguments_that_are_not_utf_8_are_quoted() {
    let bad = OsStr::from_bytes(b"\xff\x1b]0;x\x07\n");
    let flag = OsStr::from_bytes(b"--\xff\x1b");
    let new = OsStr::new;
    for arguments in [
        &[bad][..],
        &[flag],
        &[new("check"), bad],
        &[new("check"), flag],
        &[new("run"), new("--run"), bad],
        &[new("run"), new("--at"), bad],
        &[new("picture"), new("--page"), bad],
        &[new("remedies"), new("--budget"), bad],
    ] {
        let told = ran(&mut program(arguments));
        assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(told.err.contains('\u{fffd}') && told.err.lines().count() == 1, "{told:?}");
        is_plain(&told);
    }
}

#[test]
fn json_that_is_written_has_escapes_and_reads_back_the_same() {
    let file = hostile_file();
    let json = file.to_json();
    assert!(json.contains("\\u202e") && !json.replace('\n', "").contains(is_treacherous));
    assert_eq!(ScenarioFile::parse(&json), Ok(file));
    let path = write(&folder("json").join("file.json"), json);
    let told = run(&["run", "--json", &path]);
    let first = told.out.lines().next().expect("a log has a line");
    let value: serde_json::Value = serde_json::from_str(first).expect("each line is JSON");
    assert!(value["event"].is_string(), "{first}");
    assert!(Path::new(&path).exists());
}

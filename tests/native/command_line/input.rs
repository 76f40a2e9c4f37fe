//! What the program reads: files and standard input, in which encoding, how large; what in them
//! names nothing; and how much a table of many runs may cost.

use std::ffi::OsStr;
use std::fs;
use std::fs::File;
use std::path::Path;

use fenceline::scenarios::GALLERY;
use fenceline::sim::ScenarioFile;
use fenceline::sim::id::FaultId;
use fenceline::sim::property::VerdictKind;
use fenceline::sim::scenario::{ActorName, Quantity};

use super::{Ran, folder, program, quiet, ran, run, write};

fn from_input(path: &str) -> Ran {
    let file = File::open(path).expect("it is there");
    ran(program(&["check", "-"].map(OsStr::new)).stdin(file))
}

#[test]
fn a_file_and_standard_input_take_the_same_encodings() {
    let folder = folder("encodings");
    let json = quiet(VerdictKind::Safe).to_json();
    let marked = write(&folder.join("marked.json"), format!("\u{feff}{json}"));
    assert_eq!(run(&["check", &marked]).code, Some(0));
    assert_eq!(from_input(&marked).code, Some(0));

    let wide: Vec<u8> = json.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = write(&folder.join("wide.json"), wide);
    let latin =
        write(&folder.join("latin.json"), b"{ \"version\": 1, \"title\": \"Gr\xf6\xdfe\" }");
    for (path, said) in [
        (&wide, "This file is written in UTF-16, little-endian: save it as UTF-8"),
        (&latin, "there stands the byte F6 (“ö” in Latin-1); save it as UTF-8"),
    ] {
        for told in [run(&["check", path]), from_input(path)] {
            assert!(told.code == Some(2) && told.err.contains(said), "{told:?}");
        }
    }
}

#[test]
fn what_is_too_large_is_told_with_its_size_where_it_has_one() {
    let folder = folder("sizes");
    let path = folder.join("large.json");
    File::create(&path).and_then(|file| file.set_len(3_000_000)).expect("a file without content");
    let path = path.display().to_string();
    let told = run(&["check", &path]);
    assert!(told.err.contains("This file has 3000000 bytes; at most 1000000 are read"), "{told:?}");
    for endless in [from_input("/dev/zero"), run(&["check", "/dev/zero"])] {
        assert_eq!(endless.code, Some(2));
        assert!(endless.err.contains("This file has more than 1000000 bytes"), "{endless:?}");
    }
}

#[test]
fn what_names_nothing_is_an_error_to_check_and_left_out_by_the_others() {
    let mut file = quiet(VerdictKind::Safe);
    let expect = file.expect.as_mut().expect("it expects something");
    expect.run_2 = Some(expect.run_1.clone());
    let name = ActorName { actor: "C".parse().expect("a client"), name: "x".to_owned() };
    file.incident.names.push(name);
    file.view.main = Some(Quantity::FaultLength(FaultId(7)));
    let path = write(&folder("loose").join("file.json"), file.to_json());
    let told = run(&["check", &path]);
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""));
    let lines: Vec<_> = told.err.lines().collect();
    let begins = ["expect.run_2: there is no Run 2", "incident.names[0].actor: ", "view.main: "];
    assert_eq!(lines.len(), begins.len(), "{told:?}");
    for (line, begin) in lines.iter().zip(begins) {
        assert!(line.starts_with(&format!("fenceline: {path}: {begin}")), "{line}");
    }
    let told = run(&["run", &path]);
    assert_eq!(told.code, Some(0));
    assert_eq!(told.err.matches(": left out: ").count(), begins.len(), "{told:?}");
}

#[test]
fn no_file_of_the_repository_names_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut n_files = 0;
    for entry in fs::read_dir(folder).expect("the cases are there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|ending| ending == "json") {
            let bytes = fs::read(&path).expect("it can be read");
            let file = ScenarioFile::parse_bytes(&bytes).expect("it is right");
            assert_eq!(file.loose_ends(), [], "{}", path.display());
            n_files += 1;
        }
    }
    assert!(n_files > 100, "{n_files} files");
}

/// Three clients that poll for forty minutes: each run takes hundreds of thousands of steps.
#[test]
fn a_table_that_would_take_too_long_ends_and_says_what_it_left() {
    let busy = r#"{ "version": 1, "title": "Busy", "scenario": {
        "lock": "lease_server", "length": { "fixed": "1 h" },
        "defaults": { "wait": { "poll": { "every": "20 ms", "jitter": "0 s" } },
            "work": "40 min" },
        "clients": [{ "asks_at": "0 s" }, { "asks_at": "1 s" }, { "asks_at": "2 s" },
            { "asks_at": "3 s" }],
        "faults": [{ "id": 1, "kind": { "pause": { "client": "A", "start": { "at": "2 min" },
            "length": "1 min" } } }] } }"#;
    let path = write(&folder("busy").join("file.json"), busy);
    for command in ["remedies", "systems"] {
        let told = run(&[command, "--budget", "1", &path]);
        assert_eq!(told.code, Some(0), "{told:?}");
        assert_eq!(told.err, "", "no progress where nobody watches");
        assert!(told.out.contains("\nStopped after 1 million steps of simulation"), "{told:?}");
        let not_tried = "because the search was stopped before its turn";
        assert!(told.out.contains(not_tried), "{told:?}");
        assert!(told.out.lines().count() > 15, "every answer and system is named: {}", told.out);
    }
    let told = run(&["remedies", "--budget", "1", &path]).out;
    assert!(told.contains("As it is  ") && told.contains("not searched"), "{told}");
    let whole = write(&folder("short").join("file.json"), GALLERY[0].json);
    let told = run(&["systems", "--budget", "1", &whole]);
    assert!(!told.out.contains("Stopped") && !told.out.contains("Not tried"), "{told:?}");
}

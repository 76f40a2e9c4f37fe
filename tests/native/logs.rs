//! The text logs of every scenario of the gallery and of every case, both runs, kept as they were:
//! what changes in the code between the log and the page changes no run, entry for entry.
//! `UPDATE_EXPECT=1 cargo test --test native logs` records them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use fenceline::scenarios::GALLERY;
use fenceline::sim::{Recording, ScenarioFile};

/// Of a longer log only so many lines are kept, with a digest of the whole text.
const KEPT_LINES: usize = 120;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/logs")
}

/// Every scenario that comes with the program, by its name; a case's name ends as its file does.
fn files() -> Vec<(String, ScenarioFile)> {
    let gallery = GALLERY.iter().map(|entry| (entry.id.to_owned(), entry.file()));
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let paths = fs::read_dir(cases).expect("the cases are there");
    let paths = paths.map(|entry| entry.expect("it can be read").path());
    let cases = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let case = |path: PathBuf| {
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("it can be read");
        (name, ScenarioFile::parse(&text).expect("the cases are valid"))
    };
    gallery.chain(cases.map(case)).collect()
}

/// What is kept of a run: its log, or the beginning of it and a digest of all.
fn kept(title: &str, run: &Recording) -> String {
    let log = run.log().to_string();
    let n_lines = log.lines().count();
    if n_lines <= KEPT_LINES {
        return format!("# {title}: {n_lines} entries\n{log}");
    }
    let first: String = log.split_inclusive('\n').take(KEPT_LINES).collect();
    let digest = digest(log.as_bytes());
    format!(
        "# {title}: {n_lines} entries, the first {KEPT_LINES} of them; FNV-1a of the whole text: \
         {digest:016x}\n{first}"
    )
}

/// FNV-1a, 64 bits. Apart from the program's own digest, so that this holds while that one changes.
fn digest(bytes: &[u8]) -> u64 {
    let mix = |state: u64, byte: &u8| (state ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[test]
fn every_log_is_as_it_was_recorded() {
    let mut names = BTreeSet::new();
    for (name, file) in files() {
        let base = file.base().expect("it was checked when it was read");
        let mut text = kept("Run 1", &Recording::of(&base));
        if !file.compare.is_empty() {
            let patched = base.with(&file.compare).expect("the comparison fits");
            let _ = write!(text, "{}", kept("Run 2", &Recording::of(&patched)));
        }
        let path = folder().join(format!("{name}.log"));
        expect_file![path].assert_eq(&text);
        assert!(names.insert(format!("{name}.log")), "two scenarios are called {name}");
    }
    let found = fs::read_dir(folder()).expect("the logs are there");
    let found = found.map(|entry| entry.expect("it can be read").file_name());
    let found: BTreeSet<_> = found.map(|name| name.to_string_lossy().into_owned()).collect();
    assert_eq!(found, names, "a log whose scenario is gone");
}

#[test]
fn the_digest_is_that_of_the_textbook() {
    assert_eq!(digest(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(digest(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(digest(b"foobar"), 0x8594_4171_f739_67e8);
}

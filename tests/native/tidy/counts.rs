//! Numbers in documents that are facts of the repository: wherever a document says how many there
//! are of something, it says what is counted here.

use std::fs;
use std::path::{Path, PathBuf};

use fenceline::explore::RemedyId;
use fenceline::scenarios::GALLERY;
use fenceline::sim::lock::SYSTEMS;
use fenceline::sim::log::LogEntry;
use fenceline::view_model::stories::tour::TOURS;

use super::layers::N_LAYERS;

/// What is counted, and what stands before and behind its number.
struct Counted {
    before: &'static str,
    after: &'static str,
    count: usize,
}

/// Everything that is counted.
fn counted() -> Vec<Counted> {
    let of = |before, after, count| Counted { before, after, count };
    let files = fs::read_dir(root().join("tests/cases")).expect("the cases are there");
    let names = files.map(|file| file.expect("it can be read").file_name());
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    let n_files = names.iter().filter(|name| name.ends_with(".json")).count();
    let n_mended = names.iter().filter(|name| name.ends_with("-mended.json")).count();
    vec![
        of("", "real incidents", n_files - n_mended),
        of("", "mended forms", n_mended),
        of("gallery of", "scenarios", GALLERY.len()),
        of("", "lock systems", SYSTEMS.len()),
        of("", "remedies that", RemedyId::ALL.len() - 1),
        of("", "of them also mended", n_mended),
        of("", "stories in steps", TOURS.len()),
        of("", "modules at its root", N_LAYERS),
        of("log entry has", "bytes", size_of::<LogEntry>()),
    ]
}

const WORDS: [&str; 21] = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// `68`, `1,504`, `fourteen`.
fn number(word: &str) -> Option<usize> {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_ascii_lowercase();
    let spelt = WORDS.iter().position(|spelt| *spelt == word);
    spelt.or_else(|| word.replace(',', "").parse().ok())
}

/// The numbers that stand in a text between these words.
fn numbers(text: &str, counted: &Counted) -> Vec<usize> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = text.match_indices(counted.after).map(|(at, _)| text[..at].trim_end());
    let found = ends.filter_map(|before| {
        let (rest, word) = before.rsplit_once(' ').unwrap_or(("", before));
        number(word).filter(|_| rest.ends_with(counted.before))
    });
    found.collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn documents() -> Vec<(String, String)> {
    let docs = fs::read_dir(root().join("docs")).expect("there are documents");
    let mut paths: Vec<PathBuf> = docs.map(|file| file.expect("it can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    for name in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "GLOSSARY.md"] {
        paths.push(root().join(name));
    }
    paths.push(root().join("tests/cases/README.md"));
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a document is text");
        (path.strip_prefix(root()).unwrap_or(path).display().to_string(), text)
    };
    paths.iter().map(read).collect()
}

#[test]
fn documents_count_what_there_is() {
    let documents = documents();
    let mut wrong = Vec::new();
    for counted in counted() {
        let Counted { before, after, count } = counted;
        let mut said = 0;
        for (path, text) in &documents {
            for number in numbers(text, &counted) {
                said += 1;
                if number != count {
                    wrong.push(format!("{path}: {before} {number} {after}, and there are {count}"));
                }
            }
        }
        if said == 0 {
            wrong.push(format!("nobody says how many “{before} … {after}” there are: {count}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// The paths in backticks that a text names: from the repository's root, and without `<name>`.
fn paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |text: &&str| {
        let begins = ["src/", "tests/", "docs/", "xtask/", "static/"];
        begins.iter().any(|begin| text.starts_with(begin))
            && !text.contains([' ', '<', '*', '\n', '{'])
    };
    quoted.filter(is_path).collect()
}

#[test]
fn files_to_touch_are_there() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it is text");
    let named = paths(&text);
    assert!(named.len() > 40, "{named:?}");
    let gone: Vec<_> = named.into_iter().filter(|path| !root().join(path).exists()).collect();
    assert!(gone.is_empty(), "ARCHITECTURE.md names {gone:?}");
}

#[test]
fn a_path_is_found_where_it_is_whole() {
    assert_eq!(paths("`src/a.rs` and `a.rs`, `src/<name>.rs`, `docs/`"), ["src/a.rs", "docs/"]);
}

#[test]
fn a_number_is_found_as_figures_and_as_a_word() {
    let of = |text| numbers(text, &Counted { before: "has", after: "bytes", count: 0 });
    assert_eq!(of("An entry has 56 bytes, a file has\nat most 9 bytes"), [56]);
    assert_eq!(of("it has **fourteen** bytes; it has 1,504 bytes"), [14, 1_504]);
    assert!(of("it has few bytes").is_empty());
}

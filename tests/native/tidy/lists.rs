//! The lists of files to touch, in ARCHITECTURE.md: whatever names a thing of a kind stands in a
//! file that the list of that kind names, so that a list that misses a file fails. A path in a list
//! counts from the root or from any folder, `<name>` stands for any word, and a folder ends in `/`.

use std::fs;
use std::path::Path;

use super::spread::{FACTS, Found, MESSAGES};

/// A list by its title, and whose files it must hold: a type with one of its variants or fields, or
/// with all of them.
struct Kind {
    title: &'static str,
    of: &'static [(&'static str, Option<&'static str>)],
}

/// Of a kind whose things are alike, all; of others one that has something of everything.
fn kinds() -> Vec<Kind> {
    let every = |types: &[&'static str]| types.iter().map(|of| (*of, None)).collect::<Vec<_>>();
    let kind = |title, of: Vec<_>| Kind { title, of: of.leak() };
    let some = |of: &'static str, members: &[&'static str]| {
        members.iter().map(|member| (of, Some(*member))).collect::<Vec<_>>()
    };
    let joined = |lists: Vec<Vec<_>>| lists.concat();
    vec![
        // What the plain lock is without, and what the general ones are an example of, is asked in
        // more places.
        kind(
            "A lock system",
            some("LockSystem", &["Redlock", "RaftLease", "KafkaProducer", "Dhcp", "Etcd"]),
        ),
        kind("A protected resource", some("Resource", &["ObjectStore"])),
        kind("A fault", some("FaultKind", &["StoreRestart", "Cut", "ClockJump", "Lose"])),
        // Whoever may wait for a grant, and what a renewer sends, is asked by kind in more places.
        kind(
            "A message",
            joined(vec![every(&MESSAGES[1..]), some("MessageKind", &["UnknownEpoch", "Queued"])]),
        ),
        kind("A property", some("PropertyId", &["OneBelieverAtATime", "OneLeaseAtATime"])),
        kind("An event", every(FACTS)),
        kind(
            "A control",
            joined(vec![
                some("ClientSettings", &["on_conflict", "release_early", "reenters", "retries"]),
                some("LeaseSpec", &["lock_delay", "connection_bound"]),
                some("StorageSettings", &["missing_row", "seal"]),
            ]),
        ),
        kind("An export", some("Export", &["Mermaid", "Trace"])),
    ]
}

/// The paths that a section quotes.
fn paths(section: &str) -> Vec<&str> {
    let quoted = section.split('`').skip(1).step_by(2);
    let is_path =
        |text: &&str| !text.contains([' ', '(']) && (text.ends_with(".rs") || text.ends_with('/'));
    quoted.filter(is_path).collect()
}

/// The part of the document under a title in bold.
fn section<'a>(document: &'a str, title: &str) -> Option<&'a str> {
    let from = document.split_once(&format!("\n**{title}**\n"))?.1;
    Some(from.split("\n**").next().unwrap_or(from).split("\n## ").next().unwrap_or(from))
}

/// Whether a quoted path is that of a file, or of a folder around it.
fn covers(pattern: &str, file: &str) -> bool {
    let (wanted, is_folder) = match pattern.strip_suffix('/') {
        Some(folder) => (folder, true),
        None => (pattern, false),
    };
    let wanted: Vec<&str> = wanted.split('/').collect();
    let parts: Vec<&str> = file.split('/').collect();
    let is_same = |wanted: &&str, part: &&str| match wanted.split_once('<') {
        Some((before, rest)) => {
            let after = rest.split_once('>').map_or("", |(_, after)| after);
            part.starts_with(before) && part.ends_with(after)
        }
        None => wanted == part,
    };
    let fits = |at: usize| {
        let rest = &parts[at..];
        let length = if is_folder { rest.len() > wanted.len() } else { rest.len() == wanted.len() };
        length && wanted.iter().zip(rest).all(|(wanted, part)| is_same(wanted, part))
    };
    (0..parts.len()).any(fits)
}

/// The files that name a thing of this kind and that its list does not.
fn missed(document: &str, kind: &Kind, found: &Found) -> Vec<String> {
    let Some(section) = section(document, kind.title) else {
        return vec![format!("“{}” has no list", kind.title)];
    };
    let paths = paths(section);
    let mut missed = Vec::new();
    for (of, member) in kind.of {
        let members = member.map_or_else(|| found.members(of), |member| vec![member.to_owned()]);
        if members.is_empty() {
            missed.push(format!("“{}”: `{of}` is gone: ask for what took its place", kind.title));
        }
        for member in members {
            let files = found.files(of, &member);
            if files.is_empty() {
                missed.push(format!("“{}”: nobody names `{of}::{member}`", kind.title));
            }
            let beside = files.iter().filter(|file| !paths.iter().any(|path| covers(path, file)));
            missed.extend(beside.map(|file| {
                format!("“{}” misses {file}, which names `{of}::{member}`", kind.title)
            }));
        }
    }
    missed
}

fn document() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join("ARCHITECTURE.md")).expect("it is text")
}

#[test]
fn lists_of_files_to_touch_are_whole() {
    let (document, found) = (document(), Found::read());
    let missed: Vec<String> =
        kinds().iter().flat_map(|kind| missed(&document, kind, &found)).collect();
    assert!(missed.is_empty(), "\n{}\n", missed.join("\n"));
}

#[test]
fn a_list_that_misses_a_file_is_found() {
    let (document, found) = (document(), Found::read());
    for kind in kinds() {
        let text = section(&document, kind.title).expect(kind.title);
        let cut = document.replace(text, "\n1. `src/nothing.rs`: nothing.\n");
        assert!(!missed(&cut, &kind, &found).is_empty(), "{}", kind.title);
    }
}

#[test]
fn a_path_covers_a_file_or_a_folder() {
    for (pattern, file, is_so) in [
        ("src/sim/log.rs", "src/sim/log.rs", true),
        ("log.rs", "src/sim/log.rs", true),
        ("g.rs", "src/sim/log.rs", false),
        ("src/sim/lock/<name>.rs", "src/sim/lock/etcd.rs", true),
        ("src/sim/lock/<name>.rs", "src/sim/lock/raft/core.rs", false),
        ("src/sim/lock/", "src/sim/lock/raft/core.rs", true),
        ("systems/<name>/", "src/view_model/systems/etcd/mod.rs", true),
        ("systems/<name>/", "src/view_model/systems/mod.rs", false),
        ("lock/", "src/sim/lock.rs", false),
    ] {
        assert_eq!(covers(pattern, file), is_so, "{pattern} {file}");
    }
}

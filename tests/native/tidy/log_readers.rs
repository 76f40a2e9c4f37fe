//! Who passes over a run's log. What is so at an entry is one fold, `World`; it is made while a run
//! is made, replayed for a moment that is asked for, and followed once for the timeline. Everybody
//! else reads what the fold, the report and the history say. Whoever still goes over entries is
//! listed here with what for, so that no second fold of the same grows unseen.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

use super::source::{Source, read};
use super::spread::is_test;

/// Files that go over entries of a log, each with what for.
const READERS: [(&str, &str); 25] = [
    // The log itself, and what a run is beside it.
    ("src/sim/engine/mod.rs", "judges and folds each entry in as it is written"),
    ("src/sim/recording.rs", "replays the fold from a snapshot; hashes"),
    ("src/sim/comparison.rs", "compares two logs, entry for entry"),
    ("src/sim/text.rs", "writes each entry"),
    // The fold that lanes, arrows and marks are drawn from.
    ("src/view_model/tracks/fold.rs", "the fold"),
    ("src/view_model/tracks/flight.rs", "fills lists that the fold has counted"),
    ("src/view_model/facts/routine.rs", "which request each answer is to"),
    // Lists of entries.
    ("src/view_model/runs/moment.rs", "merges the listed entries of two runs"),
    ("src/view_model/timeline/snap.rs", "the instants of listed entries"),
    ("src/view_model/outside/export/event_log.rs", "writes each entry"),
    ("src/view_model/outside/export/mermaid.rs", "writes each entry"),
    ("src/view_model/outside/export/trace.rs", "writes each entry; work through checks and acts"),
    // Searches for one entry near another, for one sentence.
    ("src/view_model/facts/harm.rs", "who read before a late write; an earlier act"),
    ("src/view_model/facts/message.rs", "whether this message lands"),
    ("src/view_model/facts/mod.rs", "how a client that is over ended"),
    ("src/view_model/facts/routine.rs", "which messages of a run tell nothing new"),
    ("src/view_model/facts/service.rs", "the renewals between two entries"),
    ("src/view_model/facts/write.rs", "the end of this pause"),
    ("src/view_model/incident/observed.rs", "the event nearest to a line of a real log"),
    // Questions that are asked of another run than the one that is shown.
    ("src/explore/causes/without.rs", "the messages of one address"),
    ("src/explore/remedies.rs", "whether a run is the same; how many messages it took"),
    ("src/explore/remedies/clients.rs", "how long work took"),
    ("src/explore/remedies/strikes.rs", "whether the message of an address is sent"),
    ("src/explore/systems.rs", "pieces begun before an instant; how late leases ended"),
    // Where everybody finds it.
    ("src/sim/log.rs", "the first entry of a fault"),
];

/// Files that make a `World` to fold a log into.
const FOLDS: [(&str, &str); 2] = [
    ("src/sim/engine/mod.rs", "while the run is made; a recording keeps snapshots of it"),
    ("src/view_model/tracks/fold.rs", "the lanes, which follow it from entry to entry"),
];

/// What a file does with logs.
#[derive(Default)]
struct Uses {
    reads: bool,
    folds: bool,
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.reads |= call.method == "entries" && call.args.is_empty();
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        // Inside the log itself.
        self.reads |= matches!(&field.member, syn::Member::Named(name) if name == "entries");
        visit::visit_expr_field(self, field);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        let ends = |of: &[&str]| names.iter().rev().zip(of.iter().rev()).all(|(a, b)| a == b);
        let two = names.len() > 1;
        self.reads |= two && (ends(&["Recording", "entries"]) || ends(&["EventLog", "entries"]));
        self.folds |= two && ends(&["World", "new"]);
        visit::visit_path(self, path);
    }
}

fn uses(text: &str) -> Uses {
    let mut uses = Uses::default();
    uses.visit_file(&syn::parse_file(text).expect("source is Rust"));
    uses
}

/// Files that do so and are not listed, and those listed that do not.
fn differ(what: &str, listed: &[(&str, &str)], found: &BTreeSet<&str>) -> Vec<String> {
    let listed: BTreeSet<&str> = listed.iter().map(|(path, _)| *path).collect();
    let unlisted = found.difference(&listed).map(|path| format!("{path}: {what}, unlisted"));
    let gone = listed.difference(found).map(|path| format!("{path}: listed, and does not"));
    unlisted.chain(gone).collect()
}

#[test]
fn a_log_is_folded_once() {
    let mut sources = read(&["src"], &["rs"]);
    sources.retain(|file| !file.path.ends_with("/tests.rs"));
    let uses: Vec<(&Source, Uses)> = sources.iter().map(|file| (file, uses(&file.text))).collect();
    let files = |is: fn(&Uses) -> bool| {
        uses.iter().filter(|(_, uses)| is(uses)).map(|(file, _)| file.path.as_str()).collect()
    };
    let mut wrong = differ("passes over a log", &READERS, &files(|uses| uses.reads));
    wrong.extend(differ("folds a log", &FOLDS, &files(|uses| uses.folds)));
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn a_pass_and_a_fold_are_found() {
    let reads = |text: &str| uses(text).reads;
    assert!(reads("fn f(run: &Recording) { for entry in run.entries() {} }"));
    assert!(reads("fn f(run: &Recording) { run.log().entries().iter().count(); }"));
    assert!(reads("fn f(run: Option<&Recording>) { run.map(Recording::entries); }"));
    assert!(!reads("fn f(run: &Recording) { run.log().get(seq); }"));
    assert!(!reads("#[cfg(test)]\nmod tests { fn f() { run.entries(); } }"));
    assert!(uses("fn f() { let mut world = World::new(scenario); }").folds);
    assert_eq!(differ("reads", &[("a", ""), ("b", "")], &["b", "c"].into()).len(), 2);
}

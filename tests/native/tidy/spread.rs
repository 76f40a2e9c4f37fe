//! How far one thing is spread: in how many source files the name of a fact, a message, a setting
//! or a lock system stands (of a setting, where it can be told whose field it is: `fields`), how
//! many `_` arms have an exception from the lint, and how large the largest circle of imports is.
//! The table is printed; what rises above the recorded figures fails.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::fields::Types;
use super::source::{Source, read};

/// A list of names and the figures that it may reach. They are lowered as the code gets there.
struct Held {
    what: &'static str,
    /// The enums whose variants, or the structs whose fields are counted.
    types: &'static [&'static str],
    median: usize,
    most: usize,
}

/// The places where facts happen, and what is nested in them.
pub(super) const FACTS: &[&str] = &[
    "MessageFact",
    "ServiceFact",
    "KeyFact",
    "RaftFact",
    "ClientFact",
    "StoreFact",
    "EpochFact",
    "FaultFact",
];

/// The kinds of messages, and the messages of each direction.
pub(super) const MESSAGES: &[&str] = &[
    "MessageKind",
    "Request",
    "SpecialRequest",
    "Answer",
    "StoreRequest",
    "StoreAnswer",
    "Peer",
    "RaftMessage",
    "ServiceToStore",
    "StoreToService",
];

const HELD: [Held; 4] = [
    Held { what: "files that name a fact", types: FACTS, median: 4, most: 6 },
    Held { what: "files that name a message", types: MESSAGES, median: 3, most: 8 },
    Held {
        what: "files that name a setting",
        types: &["ClientSettings", "StorageSettings", "LeaseSpec"],
        median: 6,
        most: 16,
    },
    Held { what: "files that name a lock system", types: &["LockSystem"], median: 4, most: 8 },
];

/// Exceptions from the lint against `_` arms.
const WILDCARD_EXCEPTIONS: usize = 4;

/// Files of `view_model` in the largest circle of imports.
const CIRCLE: usize = 3;

/// The rooms of `view_model`, as data flow: each uses itself and those before it.
const ROOMS: [&str; 15] = [
    "words",
    "facts",
    "controls",
    "systems",
    "setup",
    "runs",
    "sentences",
    "incident",
    "drawing",
    "tracks",
    "timeline",
    "transport",
    "panels",
    "stories",
    "outside",
];

/// What one file names.
#[derive(Default)]
struct Names {
    /// `StoreFact::Effect`, or `Self::Effect` in an `impl StoreFact`: the type, and what follows.
    paths: BTreeSet<(String, String)>,
    /// Fields that are read, set or matched, each with whose it is; see `super::fields`.
    fields: BTreeSet<(String, String)>,
    /// Modules by their path from the crate's root, as imports and paths name them.
    modules: BTreeSet<Vec<String>>,
    /// What is declared here of the types that are counted: `StoreFact::Effect`, `LeaseSpec.ttl`.
    declared: Vec<(String, Member)>,
    n_wildcard_exceptions: usize,
    /// Imports that hide whose variant a name is.
    complaints: Vec<String>,
    /// The type of the `impl` around.
    own: Option<String>,
}

/// A variant of an enum or a field of a struct.
enum Member {
    Variant(String),
    /// With its type, where that is one word.
    Field(String, Option<String>),
}

/// Every type whose variants or fields are counted.
fn counted() -> BTreeSet<&'static str> {
    HELD.iter().flat_map(|held| held.types).copied().collect()
}

fn names(path: &str, text: &str) -> Names {
    let mut names = Names::default();
    match syn::parse_file(text) {
        Ok(file) => names.visit_file(&file),
        Err(error) => names.complaints.push(format!("{path}: {error}")),
    }
    names
}

pub(super) fn is_test(attributes: &[syn::Attribute]) -> bool {
    let test = |attribute: &syn::Attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|ident| ident == "test")
    };
    attributes.iter().any(test)
}

impl Names {
    fn path(&mut self, segments: &[String]) {
        for pair in segments.windows(2) {
            let of = match (pair[0].as_str(), &self.own) {
                ("Self", Some(own)) => own.clone(),
                (name, _) => name.to_owned(),
            };
            self.paths.insert((of, pair[1].clone()));
        }
        if segments.len() > 1 {
            self.modules.insert(segments.to_vec());
        }
    }

    /// What a macro is given is no syntax yet: its words are looked through one after the other.
    fn words(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        for window in words.windows(3) {
            let is_word = |word: &str| word.starts_with(|c: char| c.is_alphabetic());
            if window[1] == "::" && is_word(window[0]) {
                let last: String =
                    window[2].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                self.path(&[window[0].to_owned(), last]);
            }
        }
    }

    fn import(&mut self, tree: &syn::UseTree, before: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before);
                before.pop();
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import(tree, before));
            }
            syn::UseTree::Name(_) | syn::UseTree::Glob(_) | syn::UseTree::Rename(_) => {
                let (last, renamed) = match tree {
                    syn::UseTree::Name(name) => (name.ident.to_string(), false),
                    syn::UseTree::Rename(name) => (name.ident.to_string(), true),
                    _ => ("*".to_owned(), false),
                };
                let counted = counted();
                let of = before.last().is_some_and(|of| counted.contains(of.as_str()));
                if of || renamed && counted.contains(last.as_str()) {
                    let path = before.join("::");
                    self.complaints.push(format!("`use {path}::{last}`: say whose variant it is"));
                }
                let whole: Vec<String> = before.iter().cloned().chain([last]).collect();
                self.path(&whole);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, &mut Vec::new());
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        if let syn::Type::Path(path) = &*item.ty
            && let Some(last) = path.path.segments.last()
            && counted().contains(last.ident.to_string().as_str())
        {
            self.complaints.push(format!("`type {}`: a second name for it", item.ident));
        }
        visit::visit_item_type(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let before = self.own.take();
        if let syn::Type::Path(path) = &*item.self_ty {
            self.own = path.path.segments.last().map(|segment| segment.ident.to_string());
        }
        visit::visit_item_impl(self, item);
        self.own = before;
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let of = item.ident.to_string();
        for variant in &item.variants {
            let name = variant.ident.to_string();
            self.paths.insert((of.clone(), name.clone()));
            self.declared.push((of.clone(), Member::Variant(name)));
        }
        visit::visit_item_enum(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.path(&segments);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        for (of, member) in declared(item) {
            if let Member::Variant(name) = &member {
                self.paths.insert((of.clone(), name.clone()));
            }
            self.declared.push((of, member));
        }
        self.words(&item.tokens.to_string());
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta
            && (list.path.is_ident("expect") || list.path.is_ident("allow"))
            && list.tokens.to_string().contains("wildcard_enum_match_arm")
        {
            self.n_wildcard_exceptions += 1;
        }
    }
}

/// The parts of `settings!` whose rows are fields that are counted.
const PARTS: [(&str, &str); 4] = [
    ("clients", "ClientSettings"),
    ("clients_alike", "ClientSettings"),
    ("lease", "LeaseSpec"),
    ("storage", "StorageSettings"),
];

/// What one of the project's own declarations declares: `choices!` variants, `fields!` and
/// `settings!` fields.
fn declared(item: &syn::Macro) -> Vec<(String, Member)> {
    let name = item.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let trees: Vec<TokenTree> = item.tokens.clone().into_iter().collect();
    let mut found = Vec::new();
    for (index, tree) in trees.iter().enumerate() {
        let (TokenTree::Ident(word), Some(rest)) = (tree, trees.get(index + 1..)) else {
            continue;
        };
        let word = word.to_string();
        let body = rest.iter().find_map(|tree| match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                Some(group.stream())
            }
            _ => None,
        });
        let Some(body) = body else {
            continue;
        };
        let own = || rest.first().map(ToString::to_string).unwrap_or_default();
        let part = PARTS.iter().find(|(part, _)| *part == word);
        match (name.as_str(), word.as_str(), part) {
            ("choices", "enum", _) => {
                found.extend(rows(body, ',').map(|(name, _)| (own(), Member::Variant(name))));
            }
            ("fields", "struct", _) => {
                found.extend(rows(body, ';').map(|(name, is)| (own(), Member::Field(name, is))));
            }
            ("settings", _, Some((_, of))) => {
                let field = |(name, is)| ((*of).to_owned(), Member::Field(name, is));
                found.extend(rows(body, ';').map(field));
            }
            _ => {}
        }
    }
    found
}

/// The first word of each row, its documentation and visibility apart, and the first of its type.
fn rows(body: TokenStream, ends: char) -> impl Iterator<Item = (String, Option<String>)> {
    let trees: Vec<TokenTree> = body.into_iter().collect();
    let is_end =
        move |tree: &TokenTree| matches!(tree, TokenTree::Punct(it) if it.as_char() == ends);
    let row = |row: &[TokenTree]| {
        let words = row.iter().filter_map(|tree| match tree {
            TokenTree::Ident(word) => Some(word.to_string()),
            _ => None,
        });
        let mut words = words.filter(|word| !["pub", "Option", "Vec"].contains(&word.as_str()));
        words.next().map(|name| (name, words.next()))
    };
    trees.split(is_end).filter_map(row).collect::<Vec<_>>().into_iter()
}

/// What the parts of a scenario are, which `settings!` puts together.
const SPEC: [(&str, &str); 4] = [
    ("lease", "LeaseSpec"),
    ("storage", "StorageSettings"),
    ("defaults", "ClientSettings"),
    ("clients", "ClientSpec"),
];

/// Finds out whose the fields are that each file names.
fn tell_fields(sources: &[Source], found: &mut [Names]) {
    let parse = |source: &Source| syn::parse_file(&source.text).expect("it was read before");
    let files: Vec<syn::File> = sources.iter().map(parse).collect();
    let mut types = Types::default();
    files.iter().for_each(|file| types.learn(file));
    for (of, member) in found.iter().flat_map(|names| &names.declared) {
        if let Member::Field(name, is) = member {
            types.field(of, name, is.as_deref());
        }
    }
    SPEC.iter().for_each(|(part, is)| types.field("ScenarioSpec", part, Some(is)));
    for (names, file) in found.iter_mut().zip(&files) {
        names.fields = types.named_in(file);
        let declared = names.declared.iter().filter_map(|(of, member)| match member {
            Member::Field(name, _) => Some((of.clone(), name.clone())),
            Member::Variant(_) => None,
        });
        names.fields.extend(declared);
    }
}

/// The source files, tests apart, and what each names.
pub(super) struct Found {
    sources: Vec<Source>,
    names: Vec<Names>,
}

impl Found {
    pub(super) fn read() -> Self {
        let mut sources = read(&["src"], &["rs"]);
        sources
            .retain(|file| !file.path.ends_with("/tests.rs") && !file.path.ends_with("_tests.rs"));
        let mut found: Vec<Names> =
            sources.iter().map(|file| names(&file.path, &file.text)).collect();
        tell_fields(&sources, &mut found);
        Self { sources, names: found }
    }

    /// The variants or fields of a type that are declared anywhere.
    pub(super) fn members(&self, of: &str) -> Vec<String> {
        let declared = self.names.iter().flat_map(|names| &names.declared);
        let its_own = declared.filter(|(owner, _)| owner == of);
        its_own.map(|(_, Member::Variant(name) | Member::Field(name, _))| name.clone()).collect()
    }

    /// The files that name a variant or a field.
    pub(super) fn files(&self, of: &str, member: &str) -> Vec<&str> {
        let pair = (of.to_owned(), member.to_owned());
        let files = self.sources.iter().zip(&self.names);
        let naming =
            files.filter(|(_, names)| names.paths.contains(&pair) || names.fields.contains(&pair));
        naming.map(|(source, _)| source.path.as_str()).collect()
    }
}

/// In how many files each variant or field of these types is named, most first.
fn spread(types: &[&str], found: &Found) -> Vec<(usize, String)> {
    let members = types.iter().flat_map(|of| found.members(of).into_iter().map(move |it| (of, it)));
    let mut counts: Vec<(usize, String)> = members
        .map(|(of, member)| (found.files(of, &member).len(), format!("{of}::{member}")))
        .collect();
    for of in types {
        let is_there = counts.iter().any(|(_, name)| name.starts_with(of));
        assert!(is_there, "`{of}` is gone: count what took its place");
    }
    counts.sort_by(|a, b| b.cmp(a));
    counts
}

/// A file's module, from the crate's root.
fn module(path: &str) -> Vec<String> {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// The modules of `view_model` that each of its files names.
fn imports(sources: &[Source], found: &[Names]) -> Vec<Vec<usize>> {
    let places: BTreeMap<Vec<String>, usize> =
        sources.iter().enumerate().map(|(index, source)| (module(&source.path), index)).collect();
    let resolve = |from: &[String], path: &[String]| {
        let mut at: Vec<String> = match path[0].as_str() {
            "crate" => Vec::new(),
            _ => from.to_vec(),
        };
        for segment in path {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => {
                    at.pop();
                }
                name => at.push(name.to_owned()),
            }
        }
        // The longest beginning that is a file: the rest is what it holds. A name alone is that of
        // a module below, or of something else.
        let is_below = !["crate", "super", "self"].contains(&path[0].as_str());
        let least = if is_below { from.len() + 1 } else { 1 };
        (least..=at.len()).rev().find_map(|length| places.get(&at[..length]).copied())
    };
    let of = |(source, names): (&Source, &Names)| {
        let from = module(&source.path);
        names.modules.iter().filter_map(|path| resolve(&from, path)).collect()
    };
    sources.iter().zip(found).map(of).collect()
}

/// The largest set of files each of which leads to each other.
fn largest_circle(imports: &[Vec<usize>]) -> Vec<usize> {
    let reach = |from: usize| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            open.extend(imports[at].iter().copied().filter(|to| seen.insert(*to)));
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..imports.len()).map(reach).collect();
    let circle = |from: usize| -> Vec<usize> {
        reached[from].iter().copied().filter(|to| reached[*to].contains(&from)).collect()
    };
    (0..imports.len()).map(circle).max_by_key(Vec::len).unwrap_or_default()
}

#[test]
fn one_thing_is_said_in_few_files() {
    let all = Found::read();
    let Found { sources, names: found } = &all;
    let mut wrong: Vec<String> = Vec::new();
    for (source, names) in sources.iter().zip(found) {
        wrong.extend(names.complaints.iter().map(|what| format!("{}: {what}", source.path)));
    }
    let mut hold = |what: &str, now: usize, recorded: usize| {
        if now > recorded {
            wrong.push(format!("{what}: {now}, and was {recorded}"));
        }
    };
    for held in &HELD {
        let counts = spread(held.types, &all);
        let (median, (most, name)) = (counts[counts.len() / 2].0, &counts[0]);
        println!("{:<42} median {median:>3}, most {most:>3} ({name})", held.what);
        hold(&format!("{}, median", held.what), median, held.median);
        hold(&format!("{}, most ({name})", held.what), *most, held.most);
    }
    let n_exceptions = found.iter().map(|names| names.n_wildcard_exceptions).sum();
    println!("{:<42} {n_exceptions}", "exceptions from the lint for `_` arms");
    hold("exceptions from the lint for `_` arms", n_exceptions, WILDCARD_EXCEPTIONS);
    let is_shown = |file: &&Source| file.path.starts_with("src/view_model/");
    let circle = largest_circle(&imports_of(sources, found, is_shown));
    println!("{:<42} {}", "files in view_model's largest circle", circle.len());
    hold("files in view_model's largest circle", circle.len(), CIRCLE);
    let n_lines: usize = sources.iter().map(|file| file.text.lines().count()).sum();
    println!("{:<42} {n_lines}", "lines in src, without files of tests");
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// The room of a file of `view_model`, as its place in the order; `None` elsewhere.
fn room(path: &str) -> Option<usize> {
    let inner = path.strip_prefix("src/view_model/").filter(|inner| *inner != "mod.rs")?;
    let name = inner.split('/').next()?;
    let place = ROOMS.iter().position(|room| *room == name);
    Some(place.unwrap_or_else(|| panic!("{path}: `{name}` has no place in ROOMS")))
}

/// Imports from a room of one behind it.
fn against_the_order(sources: &[Source]) -> Vec<String> {
    let found: Vec<Names> = sources.iter().map(|file| names(&file.path, &file.text)).collect();
    let mut wrong = Vec::new();
    for (from, all) in sources.iter().zip(imports(sources, &found)) {
        for to in all.into_iter().map(|to| &sources[to]) {
            if room(&from.path).zip(room(&to.path)).is_some_and(|(from, to)| from < to) {
                wrong.push(format!("{} uses {}, a room behind its own", from.path, to.path));
            }
        }
    }
    wrong
}

#[test]
fn rooms_use_only_those_before_them() {
    let sources = read(&["src/view_model"], &["rs"]);
    let wrong = against_the_order(&sources);
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    for name in ROOMS {
        assert!(sources.iter().any(|file| file.path.contains(&format!("/{name}/"))), "{name}");
    }
}

#[test]
fn a_room_that_uses_one_behind_it_is_found() {
    let file = |path: &str, text: &str| Source::new(&format!("src/view_model/{path}"), text);
    let n_wrong = |text: &str| {
        let tracks = file("tracks/fold.rs", "");
        against_the_order(&[file("words/wording.rs", text), tracks]).len()
    };
    assert_eq!(n_wrong("use crate::view_model::tracks::fold;"), 1);
    assert_eq!(n_wrong("use super::super::tracks::fold::Fold;"), 1);
    assert_eq!(n_wrong("fn f() { crate::view_model::tracks::fold::g() }"), 1);
    assert_eq!(n_wrong("#[cfg(test)]\nmod tests { use crate::view_model::tracks::fold; }"), 0);
}

/// The imports among those files alone.
fn imports_of(
    sources: &[Source],
    found: &[Names],
    is_one: impl Fn(&&Source) -> bool,
) -> Vec<Vec<usize>> {
    let ones: BTreeSet<usize> =
        sources.iter().enumerate().filter(|(_, file)| is_one(file)).map(|(i, _)| i).collect();
    let all = imports(sources, found).into_iter().enumerate();
    let inside = |(from, to): (usize, Vec<usize>)| match ones.contains(&from) {
        true => to.into_iter().filter(|to| *to != from && ones.contains(to)).collect(),
        false => Vec::new(),
    };
    all.map(inside).collect()
}

#[test]
fn names_are_found_as_paths_and_in_macros() {
    let of = |text| names("src/a.rs", text);
    let pair = |of: &str, name: &str| (of.to_owned(), name.to_owned());
    let found = of("fn f() { g(StoreFact::Sent); matches!(x, StoreFact::Lost { .. }); }");
    assert!(found.paths.contains(&pair("StoreFact", "Sent")));
    assert!(found.paths.contains(&pair("StoreFact", "Lost")), "{:?}", found.paths);
    let own = of("impl StoreFact { fn f(self) { match self { Self::Sent => {} } } }");
    assert!(own.paths.contains(&pair("StoreFact", "Sent")));
    let tests = of("#[cfg(test)]\nmod tests { fn f() { StoreFact::Sent; } }");
    assert!(tests.paths.is_empty(), "{:?}", tests.paths);
}

#[test]
fn imports_that_hide_whose_variant_it_is_are_refused() {
    for bad in [
        "use super::StoreFact::*;",
        "use StoreFact::Sent;",
        "use a::StoreFact as E;",
        "type E = StoreFact;",
    ] {
        assert_eq!(names("src/a.rs", bad).complaints.len(), 1, "{bad}");
    }
    assert!(names("src/a.rs", "use super::fact::{StoreFact, Loss};").complaints.is_empty());
}

#[test]
fn exceptions_and_circles_are_counted() {
    let text = "#[expect(clippy::wildcard_enum_match_arm, reason = \"few\")]\nfn f() {}";
    assert_eq!(names("src/a.rs", text).n_wildcard_exceptions, 1);
    assert_eq!(largest_circle(&[vec![1], vec![2], vec![0], vec![0]]), [0, 1, 2]);
    assert!(largest_circle(&[vec![1], vec![]]).is_empty());
}

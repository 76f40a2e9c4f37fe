//! The rule of dependency: each layer uses itself and those below it, in whatever form the path is
//! written, and only the page knows browsers, floats and the wall clock.

use super::source::Source;

/// A module at the crate's root, and the modules there that its code may name.
struct Layer {
    name: &'static str,
    may_use: &'static [&'static str],
}

/// The modules at the crate's root.
pub const N_LAYERS: usize = 5;

/// Another module at the crate's root must be given its place here.
const LAYERS: [Layer; N_LAYERS] = [
    Layer { name: "sim", may_use: &["sim"] },
    // The gallery: data, and what reads it.
    Layer { name: "scenarios", may_use: &["sim", "scenarios"] },
    Layer { name: "explore", may_use: &["sim", "scenarios", "explore"] },
    Layer { name: "view_model", may_use: &["sim", "scenarios", "explore", "view_model"] },
    Layer { name: "ui", may_use: &["sim", "scenarios", "explore", "view_model", "ui"] },
];

/// The programs that run without a page, src/bin.
const PROGRAMS: Layer =
    Layer { name: "bin", may_use: &["sim", "explore", "scenarios", "view_model"] };

const WEB_CRATES: [&str; 5] = ["yew", "web_sys", "js_sys", "wasm_bindgen", "wasm_bindgen_futures"];

/// What gives another result in another run.
const UNSTEADY: [&str; 3] = ["HashMap", "HashSet", "RandomState"];

/// Everything that this file's layer must not hold.
pub fn check(source: &Source) -> Vec<String> {
    let Some(inner) = source.path.strip_prefix("src/") else {
        return Vec::new();
    };
    let top = inner.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    let layer = match top {
        // The crate's first page and the page's entry point name what they join.
        "lib" | "main" => return Vec::new(),
        "bin" => &PROGRAMS,
        name => match LAYERS.iter().find(|layer| layer.name == name) {
            Some(layer) => layer,
            None => return vec![format!("{}: `{name}` has no place in LAYERS", source.path)],
        },
    };
    let mut found = paths(source, layer);
    if layer.name != "ui" {
        found.extend(words(source));
    }
    found
}

/// Names of other layers, and ways around them.
fn paths(source: &Source, layer: &Layer) -> Vec<String> {
    let mut found = Vec::new();
    let mut inline = InlineModules::default();
    for (index, token) in source.tokens.iter().enumerate() {
        inline.step(source, index);
        match token.text.as_str() {
            "crate" if layer.name != "bin" => found.extend(rooted(source, layer, index)),
            "fenceline" => found.extend(rooted(source, layer, index)),
            "super" if layer.name != "bin" => found.extend(climbing(source, index, inline.depth())),
            "path" if source.has(index.saturating_sub(2), &["#", "[", "path"]) => {
                found.push(source.complain(index, "`#[path]` hides where a module belongs"));
            }
            "include" if source.token(index + 1) == "!" => {
                found.push(source.complain(index, "`include!` hides where code belongs"));
            }
            _ => {}
        }
    }
    found
}

/// A path that starts at the crate's root.
fn rooted(source: &Source, layer: &Layer, index: usize) -> Vec<String> {
    let before = |n: usize| index.checked_sub(n).map_or("", |at| source.token(at));
    if before(1) == "(" && before(2) == "pub" && source.token(index + 1) == ")" {
        return Vec::new();
    }
    if source.token(index + 1) != "::" {
        return vec![source.complain(index, "the crate's root by another name hides a layer")];
    }
    let names = match source.token(index + 2) {
        "{" => group(source, index + 2),
        _ => vec![index + 2],
    };
    let allowed = layer.may_use.join(", ");
    let wrong = names.into_iter().filter(|at| !layer.may_use.contains(&source.token(*at)));
    let complain = |at: usize| {
        let name = source.token(at);
        source.complain(at, &format!("{} may use {allowed}, not `{name}`", layer.name))
    };
    wrong.map(complain).collect()
}

/// The first word of each path in the braces that open at `index`.
fn group(source: &Source, index: usize) -> Vec<usize> {
    let close = source.closing(index);
    let mut names = Vec::new();
    let mut at = index + 1;
    while at < close {
        names.push(at);
        while at < close && source.token(at) != "," {
            at = if source.token(at) == "{" { source.closing(at) } else { at };
            at += 1;
        }
        at += 1;
    }
    names
}

/// `super::super` beyond the layer's own root; `inline` is how many `mod … {` are open here.
fn climbing(source: &Source, index: usize, inline: usize) -> Option<String> {
    let before = |n: usize| index.checked_sub(n).map_or("", |at| source.token(at));
    let continues = before(1) == "::" && before(2) == "super";
    let is_visibility = before(1) == "(" && before(2) == "pub";
    if continues || is_visibility {
        return None;
    }
    let mut steps = 1;
    while source.has(index + 2 * steps - 1, &["::", "super"]) {
        steps += 1;
    }
    (steps > depth(&source.path) + inline)
        .then(|| source.complain(index, "`super` climbs out of the layer: name it from `crate`"))
}

/// How far below its layer's root a file's module is: 0 for src/sim/mod.rs, 1 for src/sim/time.rs.
fn depth(path: &str) -> usize {
    let below_src = path.split('/').count() - 1;
    if path.ends_with("/mod.rs") { below_src - 2 } else { below_src - 1 }
}

/// The `mod name { … }` that are open while the tokens are gone through.
#[derive(Default)]
struct InlineModules {
    ends: Vec<usize>,
}

impl InlineModules {
    fn step(&mut self, source: &Source, index: usize) {
        self.ends.retain(|end| index < *end);
        if source.token(index) == "mod" && source.token(index + 2) == "{" {
            self.ends.push(source.closing(index + 2));
        }
    }

    fn depth(&self) -> usize {
        self.ends.len()
    }
}

/// The browser, floats, and what differs between two runs.
fn words(source: &Source) -> Vec<String> {
    let complaint = |text: &str| {
        if WEB_CRATES.contains(&text) || text.starts_with("gloo") {
            return Some(format!("`{text}`: only ui knows the browser"));
        }
        if UNSTEADY.contains(&text) {
            return Some(format!("`{text}` gives another result in another run"));
        }
        is_float(text).then(|| format!("`{text}`: floats are for ui; count in whole units"))
    };
    let words = source.tokens.iter().enumerate();
    let mut found: Vec<String> = words
        .filter_map(|(index, token)| Some(source.complain(index, &complaint(&token.text)?)))
        .collect();
    let clock = "`std::time` is the wall clock: a run has its own time";
    found.extend(std_times(source).map(|index| source.complain(index, clock)));
    found
}

/// Where `std::time` is named. `Instant` alone may be a type of ours.
fn std_times(source: &Source) -> impl Iterator<Item = usize> {
    let roots = (0..source.tokens.len()).filter(|index| source.has(*index, &["std", "::"]));
    let names = roots.flat_map(|index| match source.token(index + 2) {
        "{" => group(source, index + 2),
        _ => vec![index + 2],
    });
    names.filter(|index| source.token(*index) == "time")
}

fn is_float(text: &str) -> bool {
    let is_type = text == "f32" || text == "f64";
    let is_number = text.starts_with(|c: char| c.is_ascii_digit()) && !text.starts_with("0x");
    let has_exponent = text.split_once(['e', 'E']).is_some_and(|(before, after)| {
        before.chars().all(|c| c.is_ascii_digit() || c == '.')
            && after.starts_with(|c: char| c.is_ascii_digit())
    });
    let suffixed = text.ends_with("f32") || text.ends_with("f64");
    is_type || (is_number && (text.contains('.') || has_exponent || suffixed))
}

/// The simulation's root turns on the lints that a determinism depends on.
pub fn lints(sim_root: &Source) -> Vec<String> {
    const LINTS: [&str; 3] = ["disallowed_types", "float_arithmetic", "wildcard_enum_match_arm"];
    let denied = |lint: &&str| {
        (0..sim_root.tokens.len())
            .filter(|index| sim_root.has(*index, &["#", "!", "[", "deny", "("]))
            .flat_map(|index| index..sim_root.closing(index + 4))
            .any(|index| sim_root.token(index) == *lint)
    };
    let missing = LINTS.iter().filter(|lint| !denied(lint));
    missing.map(|lint| format!("{}: must deny clippy::{lint}", sim_root.path)).collect()
}

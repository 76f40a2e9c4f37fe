//! Words that must not stand in the code: what marks it as unfinished, what prints where a page has
//! no terminal, and what panics without saying why.

use super::source::Source;

/// Split, so that this file does not find itself.
const MARKS: [&str; 2] = [concat!("FIX", "ME"), concat!("XX", "X")];

const UNFINISHED: [&str; 3] = ["todo", "unimplemented", "dbg"];
const PRINTING: [&str; 4] = ["println", "print", "eprintln", "eprint"];

/// Code that is not finished, and tests that do not run.
pub fn unfinished(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        for mark in MARKS.iter().filter(|mark| line.contains(**mark)) {
            found.push(format!("{}:{}: {mark}: do it, or leave it out", source.path, index + 1));
        }
    }
    for (index, token) in source.tokens.iter().enumerate() {
        let name = token.text.as_str();
        if UNFINISHED.contains(&name) && source.token(index + 1) == "!" {
            found.push(source.complain(index, &format!("`{name}!` has no place in finished code")));
        }
        if source.has(index, &["#", "[", "ignore"]) {
            found.push(source.complain(index, "a test that is ignored proves nothing"));
        }
    }
    found
}

/// Printing outside the programs.
pub fn printing(source: &Source) -> Vec<String> {
    if !source.path.starts_with("src/") || source.path.starts_with("src/bin/") {
        return Vec::new();
    }
    let prints =
        |index: &usize| PRINTING.contains(&source.token(*index)) && source.token(index + 1) == "!";
    let complain = |index| source.complain(index, "only src/bin prints: return it instead");
    (0..source.tokens.len()).filter(prints).map(complain).collect()
}

/// `unwrap()` outside tests.
pub fn unwraps(source: &Source) -> Vec<String> {
    if source.path.starts_with("tests/") || source.path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.tokens.len() {
        if source.has(at, &["#", "[", "cfg", "(", "test", ")", "]"]) {
            at = end_of_item(source, at + 7);
        } else if source.has(at, &[".", "unwrap", "(", ")"]) {
            let what = "say why it cannot fail: `expect(\"why\")`, or return an error";
            found.push(source.complain(at, what));
        }
        at += 1;
    }
    found
}

/// The last token of the item that starts at `index`.
fn end_of_item(source: &Source, index: usize) -> usize {
    let mut at = index;
    loop {
        match source.token(at) {
            "{" => return source.closing(at),
            ";" | "" => return at,
            "(" | "[" => at = source.closing(at) + 1,
            _ => at += 1,
        }
    }
}

#[test]
fn unfinished_code_is_found() {
    for bad in ["todo!()", "dbg!(x)", "unimplemented!()", "#[ignore]", concat!("// FIX", "ME")] {
        assert_eq!(unfinished(&Source::new("src/a.rs", bad)).len(), 1, "{bad}");
    }
    assert!(unfinished(&Source::new("src/a.rs", "// no todo!() here\nlet todo = 1;")).is_empty());
}

#[test]
fn printing_is_found_outside_programs() {
    assert_eq!(printing(&Source::new("src/sim/a.rs", "println!()")).len(), 1);
    assert!(printing(&Source::new("src/bin/fenceline.rs", "println!()")).is_empty());
}

#[test]
fn unwraps_are_found_outside_tests() {
    let code = "fn f() { x.unwrap(); }\n#[cfg(test)]\nmod tests { fn g() { y.unwrap(); } }\n";
    let found = unwraps(&Source::new("src/a.rs", code));
    assert!(found.len() == 1 && found[0].contains(":1:"), "{found:?}");
    let after = "#[cfg(test)]\nmod tests;\nfn f() { x.unwrap() }";
    assert_eq!(unwraps(&Source::new("src/a.rs", after)).len(), 1);
    assert!(unwraps(&Source::new("src/a.rs", "x.unwrap_or(1)")).is_empty());
}

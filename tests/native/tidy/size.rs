//! The size of functions and lines, and the header that each file opens with.

use super::source::Source;

const FUNCTION_LINES: usize = 70;
/// Of a function that is a list.
const ARM_LINES: usize = 25;
const COLUMNS: usize = 100;

/// The file says first what it is.
pub fn header(source: &Source) -> Vec<String> {
    let opening = if source.is_rust() { "//! " } else { "// " };
    if source.text.starts_with(opening) {
        return Vec::new();
    }
    let what = "the first line must say what this file is, after";
    vec![format!("{}:1: {what} `{}`", source.path, opening.trim_end())]
}

/// No line is too long. A file may be as long as its idea.
pub fn lines(source: &Source) -> Vec<String> {
    let path = &source.path;
    let mut found = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        let columns = line.chars().count();
        if columns > COLUMNS {
            found.push(format!("{path}:{}: {columns} columns, over {COLUMNS}", index + 1));
        }
    }
    found
}

/// No function is too long.
pub fn functions(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    for (index, token) in source.tokens.iter().enumerate() {
        // `fn(u8)` is a type.
        if token.text != "fn" || source.token(index + 1) == "(" {
            continue;
        }
        let Some(body) = body(source, index) else {
            continue;
        };
        if is_a_list(source, body) {
            continue;
        }
        let last = source.tokens[source.closing(body)].line;
        let count = last - token.line + 1 - alternatives(source, token.line, last);
        if count > FUNCTION_LINES {
            let name = source.token(index + 1);
            let what = format!("`{name}` has {count} lines, over {FUNCTION_LINES}");
            found.push(source.complain(index, &what));
        }
    }
    found
}

/// Lines that only continue a list of patterns. They do not count: own enums are matched without a
/// `_` arm, and a list of what does nothing is read at a glance, however long it is.
fn alternatives(source: &Source, first: usize, last: usize) -> usize {
    let lines = source.text.lines().skip(first - 1).take(last + 1 - first);
    lines.filter(|line| line.trim_start().starts_with("| ")).count()
}

/// Whether a function is one `match` and nothing else, with short arms: a list, read at a glance.
fn is_a_list(source: &Source, body: usize) -> bool {
    let end = source.closing(body);
    let Some(opens) = (source.token(body + 1) == "match")
        .then(|| (body + 1..end).find(|at| source.token(*at) == "{"))
        .flatten()
        .filter(|opens| source.closing(*opens) + 1 == end)
    else {
        return false;
    };
    let (mut depth, mut arms) = (0_usize, Vec::new());
    for at in opens..=source.closing(opens) {
        match source.token(at) {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 1 && source.has(at, &["=", ">"]) || depth == 0 {
            arms.push(source.tokens[at].line);
        }
    }
    arms.windows(2).all(|arm| arm[1] - arm[0] <= ARM_LINES)
}

/// Where the function's body opens; a declaration has none.
fn body(source: &Source, function: usize) -> Option<usize> {
    let mut at = function;
    loop {
        match source.token(at) {
            "{" => return Some(at),
            ";" | "" => return None,
            "(" | "[" => at = source.closing(at) + 1,
            _ => at += 1,
        }
    }
}

#[test]
fn a_missing_header_is_found() {
    assert!(header(&Source::new("src/a.rs", "//! What it is.\n")).is_empty());
    assert_eq!(header(&Source::new("src/a.rs", "use std::fmt;\n")).len(), 1);
    assert_eq!(header(&Source::new("a.js", "import x;\n")).len(), 1);
}

#[test]
fn long_lines_are_found() {
    assert!(lines(&Source::new("src/a.rs", &"é".repeat(COLUMNS))).is_empty());
    assert_eq!(lines(&Source::new("src/a.rs", &"x".repeat(COLUMNS + 1))).len(), 1);
}

#[test]
fn long_functions_are_found() {
    let of = |lines: usize| {
        let body = "    // \"}\"\n".repeat(lines - 2);
        Source::new("src/a.rs", &format!("fn f(x: [u8; 2]) -> fn(u8) {{\n{body}}}\nfn g();\n"))
    };
    assert!(functions(&of(FUNCTION_LINES)).is_empty());
    let found = functions(&of(FUNCTION_LINES + 1));
    assert!(found.len() == 1 && found[0].contains("`f`"), "{found:?}");
    let patterns = "    | Some(_)\n".repeat(FUNCTION_LINES);
    let listed = format!("fn f() {{\n    match x {{\n    None\n{patterns}    => {{}}\n}}\n}}\n");
    assert!(functions(&Source::new("src/a.rs", &listed)).is_empty(), "patterns do not count");
    let arms = |arm: &str, n| {
        let text = format!("fn f() {{\n    match x {{\n{}    }}\n}}\n", arm.repeat(n));
        functions(&Source::new("src/a.rs", &text)).len()
    };
    assert_eq!(arms("        A => b(),\n", FUNCTION_LINES), 0, "a list");
    let long = format!("        A => {{\n{}        }}\n", "            b();\n".repeat(ARM_LINES));
    assert_eq!(arms(&long, 3), 1, "a list of long arms");
}

//! The source tree as the guards see it: files with their text, and Rust code cut into tokens.

use super::strip::strip;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the repository.
pub struct Source {
    /// From the repository's root, with forward slashes.
    pub path: String,
    pub text: String,
    /// The code without comments and literals; empty where the file is not Rust.
    pub tokens: Vec<Token>,
}

/// A word, a number, `::` or a single sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub text: String,
    pub line: usize,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let tokens = if is_rust(path) { tokens(&strip(text)) } else { Vec::new() };
        Self { path: path.to_owned(), text: text.to_owned(), tokens }
    }

    pub fn is_rust(&self) -> bool {
        is_rust(&self.path)
    }

    /// The token's text, or nothing past the end.
    pub fn token(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| &token.text)
    }

    /// Whether these tokens stand at `index`.
    pub fn has(&self, index: usize, texts: &[&str]) -> bool {
        texts.iter().enumerate().all(|(offset, text)| self.token(index + offset) == *text)
    }

    /// The token that closes the bracket at `index`, or the last one.
    pub fn closing(&self, index: usize) -> usize {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(index) {
            match token.text.as_str() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    /// A complaint about the token at `index`.
    pub fn complain(&self, index: usize, what: &str) -> String {
        let line = self.tokens.get(index).map_or(0, |token| token.line);
        format!("{}:{line}: {what}", self.path)
    }
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Every file of these folders with one of these extensions.
pub fn read(folders: &[&str], extensions: &[&str]) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| walk(&root.join(folder), &mut paths));
    paths.sort();
    let fits = |path: &PathBuf| {
        path.extension().is_some_and(|found| extensions.iter().any(|wanted| found == *wanted))
    };
    let source = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("source files are text");
        let path = path.strip_prefix(root).expect("it was found below the root");
        Source::new(&path.to_string_lossy().replace('\\', "/"), &text)
    };
    paths.iter().filter(|path| fits(path)).map(source).collect()
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    // A folder that does not exist yet holds nothing to guard.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn tokens(code: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let after_dot = found.last().is_some_and(|token| token.text == ".");
            let (text, more) = rest.split_at(token_length(rest, after_dot));
            found.push(Token { text: text.to_owned(), line: index + 1 });
            rest = more.trim_start();
        }
    }
    found
}

fn token_length(rest: &str, after_dot: bool) -> usize {
    let word =
        |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let length = word(rest);
    if length == 0 {
        return if rest.starts_with("::") {
            2
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
    }
    // `1.5` is one token; `tuple.0.1` and `0..1` are several.
    let fraction = rest[length..].strip_prefix('.').map_or(0, word);
    let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_fraction = !after_dot && digits(rest) && fraction > 0 && digits(&rest[length + 1..]);
    if is_fraction { length + 1 + fraction } else { length }
}

#[test]
fn tokens_are_words_numbers_and_signs() {
    let texts = |code| tokens(code).into_iter().map(|token| token.text).collect::<Vec<_>>();
    assert_eq!(texts("crate::a{b}"), ["crate", "::", "a", "{", "b", "}"]);
    assert_eq!(texts("1.5 x.0.1 0..2"), ["1.5", "x", ".", "0", ".", "1", "0", ".", ".", "2"]);
    assert_eq!(tokens("a\n\nb")[1].line, 3);
}

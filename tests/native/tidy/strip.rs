//! Rust source without its comments and the contents of its literals: spaces stand in their place,
//! so that lines stay where they are and a guard finds code only.

/// The code of `text`.
pub fn strip(text: &str) -> String {
    let mut scanner = Scanner { text: text.chars().collect(), at: 0, code: String::new() };
    while scanner.at < scanner.text.len() {
        scanner.step();
    }
    scanner.code
}

struct Scanner {
    text: Vec<char>,
    at: usize,
    code: String,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> char {
        self.text.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn keep(&mut self) {
        self.code.push(self.peek(0));
        self.at += 1;
    }

    /// Leaves a space for the next `n` characters, but keeps the ends of lines.
    fn blank(&mut self, n: usize) {
        for _ in 0..n {
            if self.at < self.text.len() {
                self.code.push(if self.peek(0) == '\n' { '\n' } else { ' ' });
                self.at += 1;
            }
        }
    }

    fn step(&mut self) {
        match (self.peek(0), self.peek(1)) {
            ('/', '/') => {
                while self.at < self.text.len() && self.peek(0) != '\n' {
                    self.blank(1);
                }
            }
            ('/', '*') => self.block_comment(),
            ('"', _) => self.string(),
            ('\'', '\\') => self.escaped_char(),
            ('\'', _) if self.peek(2) == '\'' => self.blank(3),
            ('r', '"' | '#') if !self.follows_word() && self.raw_hashes().is_some() => {
                self.raw_string();
            }
            _ => self.keep(),
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_u32;
        while self.at < self.text.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    self.blank(1);
                    continue;
                }
            }
            self.blank(2);
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.keep();
        while self.at < self.text.len() && self.peek(0) != '"' {
            self.blank(if self.peek(0) == '\\' { 2 } else { 1 });
        }
        self.keep();
    }

    fn escaped_char(&mut self) {
        self.blank(3);
        while self.at < self.text.len() && self.peek(0) != '\'' {
            self.blank(1);
        }
        self.blank(1);
    }

    /// Whether an `r` here belongs to a longer word. `b` and `c` may stand before a raw string.
    fn follows_word(&self) -> bool {
        let before = |n: usize| self.at.checked_sub(n).map_or('\0', |at| self.text[at]);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        is_word(before(1)) && (!matches!(before(1), 'b' | 'c') || is_word(before(2)))
    }

    /// How many hashes the raw string that starts here has; `r#name` is no string.
    fn raw_hashes(&self) -> Option<usize> {
        let hashes = (1..).take_while(|ahead| self.peek(*ahead) == '#').count();
        (self.peek(hashes + 1) == '"').then_some(hashes)
    }

    fn raw_string(&mut self) {
        let hashes = self.raw_hashes().unwrap_or(0);
        self.blank(hashes + 2);
        let closes = |scanner: &Self| {
            scanner.peek(0) == '"' && (1..=hashes).all(|ahead| scanner.peek(ahead) == '#')
        };
        while self.at < self.text.len() && !closes(self) {
            self.blank(1);
        }
        self.blank(hashes + 1);
    }
}

#[test]
fn comments_and_literals_are_blank() {
    let cases = [
        ("a // b\nc", "a     \nc"),
        ("/* b /* c */ */ d", "                d"),
        (r#"f("x\"y") + 1"#, r#"f("    ") + 1"#),
        ("r#\"a \" b\"# c", "           c"),
        (r"'\n' 'x' &'a T", r"         &'a T"),
        (r"'\'' b", r"     b"),
        ("r#type bar", "r#type bar"),
    ];
    for (text, code) in cases {
        assert_eq!(strip(text), code, "stripped from {text}");
    }
}

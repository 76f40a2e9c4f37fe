//! What the program prints, and on what it may fail: nobody may read it, there may be no room for
//! it, and text of a file may try to steer the terminal.

use std::io::{BufWriter, ErrorKind, Stdout, Write};

use fenceline::sim::plain_text::one_line;

/// Standard output. The first failure is kept, and the rest goes nowhere: what was to be judged is
/// judged all the same.
pub(crate) struct Output {
    to: BufWriter<Stdout>,
    failure: Option<std::io::Error>,
}

impl Output {
    /// Standard output, to which nothing was written.
    pub(crate) fn new() -> Self {
        Self { to: BufWriter::new(std::io::stdout()), failure: None }
    }

    /// Prints a line, whatever it quotes.
    pub(crate) fn line(&mut self, text: &str) {
        self.print(&one_line(text));
    }

    /// Prints lines, each of which may quote what people wrote, on its own line.
    pub(crate) fn lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(line));
    }

    /// Prints text of a format that has its own escapes.
    pub(crate) fn escaped(&mut self, text: &str) {
        self.print(text.trim_end());
    }

    fn print(&mut self, text: &str) {
        if self.failure.is_none() {
            self.failure = writeln!(self.to, "{text}").err();
        }
    }

    /// Hands on what was printed, so that it stands before what comes next.
    pub(crate) fn flush(&mut self) {
        if self.failure.is_none() {
            self.failure = self.to.flush().err();
        }
    }

    /// The code to end with, after what `code` says: whoever reads may have seen enough, as `head`
    /// has, and that changes nothing.
    pub(crate) fn end_with(mut self, code: u8) -> u8 {
        self.flush();
        match self.failure {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => {
                tell(&format!("the output could not be written: {error}"));
                super::UNWRITTEN
            }
            Some(_) | None => code,
        }
    }
}

/// Says something on standard error, on one line. If that cannot be written either, the exit code
/// says the rest.
pub(crate) fn tell(message: &str) {
    drop(writeln!(std::io::stderr(), "fenceline: {}", one_line(message)));
}

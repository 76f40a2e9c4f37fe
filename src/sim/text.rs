//! The log as plain text, one entry a line: for goldens, for the command line, for people who
//! search with grep. What a line says of a fact stands with the fact; sentences for readers of the
//! page are the view model's.

use std::fmt;

use super::log::{EventLog, LogEntry};

/// `#21 17.1 s storage refused write A1.1 with 33: highest 34 (because of #20)`.
impl fmt::Display for LogEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.to_string();
        let node = self.node().to_string();
        write!(f, "#{:<3} {at:>9}  {node:<8} {}", self.seq.0, self.fact)?;
        match self.cause {
            Some(cause) => write!(f, "  (#{})", cause.seq().0),
            None => Ok(()),
        }
    }
}

impl fmt::Display for EventLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries().iter().try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

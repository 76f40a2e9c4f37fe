//! As much of PostgreSQL's protocol (version 3) as a recording needs: a session without a password,
//! and statements in text, answered at once or, where a lock is in the way, later.

use super::server::connect;
use crate::shell::Outcome;
use std::fmt;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(20);

/// What a statement came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Answer {
    /// The rows of a query: each row's values, joined by commas.
    pub(crate) rows: Vec<String>,
    /// The command's tag, as `UPDATE 1`, or nothing if it failed.
    tag: String,
    /// The code of what failed (SQLSTATE), or nothing.
    error: String,
}

impl Answer {
    /// The number of rows that were changed.
    pub(crate) fn changed(&self) -> String {
        if self.error.is_empty() {
            self.tag.rsplit(' ').next().unwrap_or_default().to_owned()
        } else {
            self.to_string()
        }
    }

    /// The first row of a query.
    pub(crate) fn row(&self) -> String {
        match self.rows.first() {
            Some(row) => row.clone(),
            None if self.error.is_empty() => "none".to_owned(),
            None => self.to_string(),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.error.is_empty() {
            f.write_str(&self.tag.replace(' ', "_"))
        } else {
            write!(f, "error:{}", self.error)
        }
    }
}

/// A session.
pub(crate) struct Session {
    stream: TcpStream,
}

impl Session {
    pub(crate) fn new(port: u16) -> Outcome<Self> {
        let mut session = Self { stream: connect(port)? };
        session.stream.set_read_timeout(Some(LIMIT)).map_err(broken)?;
        let words = b"\0\x03\0\0user\0postgres\0database\0postgres\0\0";
        session.send(None, words)?;
        let answer = session.answer()?;
        if answer.error.is_empty() { Ok(session) } else { Err(format!("PostgreSQL: {answer}")) }
    }

    /// Runs one statement to its end.
    pub(crate) fn run(&mut self, statement: &str) -> Outcome<Answer> {
        self.begin(statement)?;
        self.answer()
    }

    /// Runs statements that must succeed.
    pub(crate) fn must(&mut self, statement: &str) -> Outcome<Answer> {
        let answer = self.run(statement)?;
        let failed = || format!("`{statement}` came to {answer}");
        if answer.error.is_empty() { Ok(answer.clone()) } else { Err(failed()) }
    }

    /// Sends a statement; [`Session::answer`] awaits what it comes to.
    pub(crate) fn begin(&mut self, statement: &str) -> Outcome {
        let mut body = statement.as_bytes().to_vec();
        body.push(0);
        self.send(Some(b'Q'), &body)
    }

    /// Awaits the end of what was begun.
    pub(crate) fn answer(&mut self) -> Outcome<Answer> {
        let mut answer = Answer::default();
        loop {
            let (kind, body) = self.message()?;
            match kind {
                b'D' => answer.rows.push(row(&body)?),
                b'C' => answer.tag = text(&body),
                b'E' => answer.error = code(&body),
                b'Z' => return Ok(answer),
                // Authentication, parameters, notices, a description of rows: nothing to know.
                _ => {}
            }
        }
    }

    fn send(&mut self, kind: Option<u8>, body: &[u8]) -> Outcome {
        let length = u32::try_from(body.len() + 4).map_err(|_| "a statement too long")?;
        let mut bytes: Vec<u8> = kind.into_iter().collect();
        bytes.extend(length.to_be_bytes());
        bytes.extend(body);
        self.stream.write_all(&bytes).map_err(broken)
    }

    fn message(&mut self) -> Outcome<(u8, Vec<u8>)> {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head).map_err(broken)?;
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
        let length = usize::try_from(length).unwrap_or_default().saturating_sub(4);
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).map_err(broken)?;
        Ok((head[0], body))
    }
}

/// A row: the number of values, then each with its length, −1 for null.
fn row(body: &[u8]) -> Outcome<String> {
    let mut values = Vec::new();
    let mut rest = body.get(2..).unwrap_or_default();
    while let Some((length, more)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(i32::from_be_bytes(*length));
        rest = more;
        match length {
            Err(_) => values.push("null".to_owned()),
            Ok(length) => {
                let (value, more) = rest.split_at_checked(length).ok_or("a row is cut short")?;
                values.push(String::from_utf8_lossy(value).into_owned());
                rest = more;
            }
        }
    }
    Ok(values.join(","))
}

fn text(body: &[u8]) -> String {
    String::from_utf8_lossy(body).trim_end_matches('\0').to_owned()
}

/// The SQLSTATE among the fields of an error.
fn code(body: &[u8]) -> String {
    let fields = body.split(|byte| *byte == 0);
    let code = fields.filter_map(|field| field.strip_prefix(b"C")).next();
    code.map_or_else(|| "unknown".to_owned(), text)
}

fn broken(error: impl fmt::Display) -> String {
    format!("the connection to PostgreSQL is broken: {error}")
}

#[cfg(test)]
mod tests {
    use super::{code, row};

    #[test]
    fn rows_and_errors_are_read() {
        let body = b"\0\x02\0\0\0\x0234\xff\xff\xff\xff";
        assert_eq!(row(body), Ok("34,null".to_owned()));
        assert!(row(b"\0\x01\0\0\0\x093").is_err());
        assert_eq!(code(b"SERROR\0VERROR\0C40001\0Mcould not serialize\0\0"), "40001");
    }
}

//! As much of Redis' protocol, RESP, as a recording needs: one command, one reply.

use super::server::connect;
use crate::shell::Outcome;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What a server replies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reply {
    Nil,
    Number(i64),
    Text(String),
    Error(String),
    List(Vec<Self>),
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => f.write_str("nil"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::Error(text) => write!(f, "error:{}", text.replace(' ', "_")),
            Self::List(replies) => {
                let words: Vec<String> = replies.iter().map(Self::to_string).collect();
                f.write_str(&words.join(","))
            }
        }
    }
}

impl Reply {
    /// The number that the reply is or spells.
    pub(crate) fn number(&self) -> Outcome<i64> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Text(text) => text.parse().map_err(|_| format!("`{text}` is no number")),
            Self::Nil | Self::Error(_) | Self::List(_) => Err(format!("`{self}` is no number")),
        }
    }
}

/// A client's connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn new(port: u16) -> Outcome<Self> {
        let stream = connect(port)?;
        // A reply that never comes must end the recording, not hold it up.
        stream.set_read_timeout(Some(Duration::from_secs(10))).map_err(broken)?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Sends a command and awaits its reply.
    pub(crate) fn call(&mut self, words: &[&str]) -> Outcome<Reply> {
        let mut line = format!("*{}\r\n", words.len());
        words.iter().for_each(|word| line.push_str(&format!("${}\r\n{word}\r\n", word.len())));
        self.stream.get_mut().write_all(line.as_bytes()).map_err(broken)?;
        self.reply()
    }

    /// Awaits a reply, or a message that the server sends by itself.
    pub(crate) fn reply(&mut self) -> Outcome<Reply> {
        let mut line = String::new();
        self.stream.read_line(&mut line).map_err(broken)?;
        let line = line.trim_end();
        let length = || line[1..].parse::<i64>().map_err(|_| format!("`{line}` is no length"));
        match line.as_bytes().first() {
            Some(b'+') => Ok(Reply::Text(line[1..].to_owned())),
            Some(b'-') => Ok(Reply::Error(line[1..].to_owned())),
            Some(b':') => Ok(Reply::Number(length()?)),
            Some(b'$') => match usize::try_from(length()?) {
                Ok(length) => self.text(length),
                Err(_) => Ok(Reply::Nil),
            },
            Some(b'*') => {
                let replies = 0..length()?;
                Ok(Reply::List(replies.map(|_| self.reply()).collect::<Outcome<_>>()?))
            }
            _ => Err(format!("`{line}` is no reply of Redis")),
        }
    }

    fn text(&mut self, length: usize) -> Outcome<Reply> {
        let mut bytes = vec![0; length + 2];
        self.stream.read_exact(&mut bytes).map_err(broken)?;
        bytes.truncate(length);
        Ok(Reply::Text(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

fn broken(error: impl fmt::Display) -> String {
    format!("the connection to Redis is broken: {error}")
}

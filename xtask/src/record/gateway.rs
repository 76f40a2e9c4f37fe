//! As much of etcd's gateway (its gRPC interface as JSON over HTTP) as a recording needs.

use super::server::connect;
use super::writer::Moment;
use crate::shell::Outcome;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(20);

/// A server, asked over one connection after the other.
#[derive(Clone, Copy)]
pub(crate) struct Gateway {
    port: u16,
}

/// An answer: JSON, of which single fields are looked up by name. Those that are needed have names
/// of their own, wherever they stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer(pub(crate) String);

impl Answer {
    /// The first field of this name: a text, a number or a truth.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let (_, rest) = self.0.split_once(&format!("\"{name}\":"))?;
        let rest = rest.trim_start();
        match rest.strip_prefix('"') {
            Some(text) => text.split('"').next(),
            None => rest.split([',', '}', ']', '\n']).next(),
        }
    }

    /// A number, which is left out where it is 0.
    pub(crate) fn number(&self, name: &str) -> Outcome<i64> {
        let text = self.field(name).unwrap_or("0");
        text.parse().map_err(|_| format!("`{name}` is `{text}`, which is no number"))
    }

    /// A truth, which is left out where it is false.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.field(name) == Some("true")
    }

    /// The keys in it that are among these names, in the order in which they stand there.
    pub(crate) fn keys<'a>(&self, names: &[&'a str]) -> Vec<&'a str> {
        let parts = self.0.split("\"key\":\"").skip(1);
        let keys = parts.filter_map(|part| part.split('"').next());
        let name = |key: &str| names.iter().find(|name| base64(name) == key).copied();
        keys.filter_map(name).collect()
    }
}

impl Gateway {
    pub(crate) fn new(port: u16) -> Self {
        Self { port }
    }

    /// Asks and awaits the whole answer. A refusal is an answer too: it has a field `error`.
    pub(crate) fn call(self, path: &str, body: &str) -> Outcome<Answer> {
        let mut answer = String::new();
        self.open(path, body)?.read_to_string(&mut answer).map_err(broken)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(|| broken("no answer"))?;
        let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        Ok(Answer(if chunked { joined(body) } else { body.to_owned() }))
    }

    /// Watches a key from the next change on; each change arrives with its moment.
    pub(crate) fn watch(self, key: &str) -> Outcome<Receiver<(Moment, Answer)>> {
        let body = format!("{{\"create_request\":{{\"key\":\"{}\"}}}}", base64(key));
        let stream = self.open("/v3/watch", &body)?;
        stream.get_ref().set_read_timeout(None).map_err(broken)?;
        let (sender, receiver) = channel();
        let (ready, is_ready) = channel();
        // It ends when the server closes the connection, at the latest with the server.
        thread::spawn(move || {
            for line in stream.lines().map_while(Result::ok) {
                let answer = Answer(line);
                if answer.is("created") {
                    let _ = ready.send(());
                } else if answer.0.contains("\"events\"") {
                    let _ = sender.send((Moment::now(), answer));
                }
            }
        });
        is_ready.recv_timeout(LIMIT).map_err(|_| broken("the watch does not begin"))?;
        Ok(receiver)
    }

    fn open(self, path: &str, body: &str) -> Outcome<BufReader<TcpStream>> {
        let mut stream = connect(self.port)?;
        stream.set_read_timeout(Some(LIMIT)).map_err(broken)?;
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).map_err(broken)?;
        Ok(BufReader::new(stream))
    }
}

/// A body that was sent in chunks, each behind its length.
fn joined(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((length, more)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16).unwrap_or(0);
        let Some((chunk, more)) = more.split_at_checked(length) else { break };
        if chunk.is_empty() {
            break;
        }
        body.push_str(chunk);
        rest = more.trim_start_matches("\r\n");
    }
    body
}

/// How the gateway writes keys and values.
pub(crate) fn base64(text: &str) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let sign = SIGNS[((bits >> (18 - 6 * place)) & 63) as usize];
            written.push(if place <= chunk.len() { char::from(sign) } else { '=' });
        }
    }
    written
}

fn broken(error: impl fmt::Display) -> String {
    format!("the connection to etcd is broken: {error}")
}

#[cfg(test)]
mod tests {
    use super::{Answer, base64, joined};

    #[test]
    fn keys_are_written_in_base64() {
        let written = ["", "a", "ab", "abc", "lock/A"].map(base64);
        assert_eq!(written, ["", "YQ==", "YWI=", "YWJj", "bG9jay9B"]);
    }

    #[test]
    fn fields_are_found_by_name() {
        let answer = Answer(
            "{\"header\":{\"revision\":\"7\"},\"succeeded\":true,\
             \"kvs\":[{\"key\":\"YQ==\",\"create_revision\":\"5\"},{\"key\":\"YWI=\"}]}"
                .to_owned(),
        );
        assert_eq!((answer.number("revision"), answer.number("create_revision")), (Ok(7), Ok(5)));
        assert_eq!(answer.number("lease"), Ok(0), "what is left out is 0");
        assert!(answer.is("succeeded"));
        assert_eq!(answer.keys(&["ab", "a", "c"]), ["a", "ab"]);
    }

    #[test]
    fn chunks_are_joined() {
        assert_eq!(joined("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), "abcde");
    }
}

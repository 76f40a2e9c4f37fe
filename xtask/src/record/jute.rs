//! As much of ZooKeeper's protocol as a recording needs: sessions, nodes, watches. Its encoding is
//! called jute: numbers big-endian, texts and lists behind their length.

use super::server::connect;
use super::writer::Moment;
use crate::shell::Outcome;
use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(20);

const CREATE: i32 = 15;
const DELETE: i32 = 2;
const EXISTS: i32 = 3;
const SET_DATA: i32 = 5;
const CHILDREN: i32 = 8;
const PING: i32 = 11;
const CLOSE: i32 = -11;

/// The number of an event instead of a request's.
const EVENT: i32 = -1;
/// The number of every ping.
const PING_NUMBER: i32 = -2;

const NO_NODE: i32 = -101;

/// A session, as the server named it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Session {
    pub(crate) id: i64,
    password: Vec<u8>,
    /// In milliseconds; 0 if it has expired.
    pub(crate) timeout: i32,
}

/// What is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stat {
    /// The transaction that created it: an epoch in the upper half, a counter in the lower.
    pub(crate) created: i64,
    /// The session that it dies with, or 0.
    pub(crate) owner: i64,
}

impl Stat {
    pub(crate) fn epoch(self) -> i64 {
        self.created >> 32
    }

    pub(crate) fn counter(self) -> i64 {
        self.created & 0xffff_ffff
    }
}

/// How a node is created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Plain,
    Ephemeral,
    Sequential,
    EphemeralSequential,
}

impl Mode {
    fn flags(self) -> i32 {
        match self {
            Self::Plain => 0,
            Self::Ephemeral => 1,
            Self::Sequential => 2,
            Self::EphemeralSequential => 3,
        }
    }
}

/// What a request failed with: the server's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Code(pub(crate) i32);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("ok"),
            NO_NODE => f.write_str("no-node"),
            -110 => f.write_str("node-exists"),
            -112 => f.write_str("session-expired"),
            code => write!(f, "error:{code}"),
        }
    }
}

/// A connection and its session.
pub(crate) struct Client {
    stream: TcpStream,
    pub(crate) session: Session,
    last: i32,
    /// Paths whose watches have fired and that nobody has asked for yet.
    fired: Vec<(Moment, String)>,
}

impl Client {
    /// A new session that asks for this timeout, in milliseconds.
    pub(crate) fn new(port: u16, timeout: i32) -> Outcome<Self> {
        Self::resume(port, &Session { id: 0, password: vec![0; 16], timeout })
    }

    /// Another connection for a session. If it has expired, its timeout is 0.
    pub(crate) fn resume(port: u16, session: &Session) -> Outcome<Self> {
        let stream = connect(port)?;
        let mut client = Self { stream, session: session.clone(), last: 0, fired: Vec::new() };
        let mut body = Writer::default();
        body.int(0).long(0).int(session.timeout).long(session.id).buffer(&session.password);
        client.send(&body)?;
        let frame = client.frame()?;
        let mut reader = Reader(&frame);
        reader.int()?;
        let timeout = reader.int()?;
        let id = reader.long()?;
        client.session = Session { id, password: reader.buffer()?.to_vec(), timeout };
        Ok(client)
    }

    /// Creates a node. Returns its path, which the server completes if it is sequential.
    pub(crate) fn create(
        &mut self,
        path: &str,
        mode: Mode,
    ) -> Outcome<Result<(String, Stat), Code>> {
        let body = create(path, mode);
        Ok(match self.call(CREATE, &body)? {
            Err(code) => Err(code),
            Ok(answer) => {
                let mut reader = Reader(&answer);
                Ok((reader.text()?, reader.stat()?))
            }
        })
    }

    /// Asks for a node to be created and does not listen for the answer.
    pub(crate) fn create_unheard(&mut self, path: &str, mode: Mode) -> Outcome {
        let body = create(path, mode);
        self.request(CREATE, &body)
    }

    pub(crate) fn delete(&mut self, path: &str) -> Outcome<Code> {
        let mut body = Writer::default();
        body.text(path).int(-1);
        Ok(self.call(DELETE, &body)?.map_or_else(|code| code, |_| Code(0)))
    }

    pub(crate) fn set(&mut self, path: &str) -> Outcome<Code> {
        let mut body = Writer::default();
        body.text(path).buffer(b"x").int(-1);
        Ok(self.call(SET_DATA, &body)?.map_or_else(|code| code, |_| Code(0)))
    }

    /// The node, if it is there; with a watch for its creation, change or end.
    pub(crate) fn exists(&mut self, path: &str, watch: bool) -> Outcome<Option<Stat>> {
        let mut body = Writer::default();
        body.text(path).byte(u8::from(watch));
        match self.call(EXISTS, &body)? {
            Ok(answer) => Reader(&answer).stat().map(Some),
            Err(Code(NO_NODE)) => Ok(None),
            Err(code) => Err(format!("exists {path}: {code}")),
        }
    }

    /// The names of a node's children, sorted.
    pub(crate) fn children(&mut self, path: &str) -> Outcome<Vec<String>> {
        let mut body = Writer::default();
        body.text(path).byte(0);
        let answer = self.call(CHILDREN, &body)?.map_err(|code| format!("{path}: {code}"))?;
        let mut reader = Reader(&answer);
        let mut names = (0..reader.int()?).map(|_| reader.text()).collect::<Outcome<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    pub(crate) fn ping(&mut self) -> Outcome {
        let mut body = Writer::default();
        body.int(PING_NUMBER).int(PING);
        self.send(&body)?;
        while self.answer(PING_NUMBER)?.is_none() {}
        Ok(())
    }

    /// Ends the session.
    pub(crate) fn close(mut self) -> Outcome {
        self.call(CLOSE, &Writer::default()).map(|_| ())
    }

    /// The watches that have fired, after as long a wait for more.
    pub(crate) fn fired(&mut self, wait: Duration) -> Outcome<Vec<(Moment, String)>> {
        while self.has_more(wait)? {
            self.answer(EVENT)?;
        }
        Ok(std::mem::take(&mut self.fired))
    }

    /// Whether the server has closed the connection.
    pub(crate) fn is_closed(&mut self) -> bool {
        self.has_more(Duration::from_millis(100)).is_err()
    }

    /// Whether something has arrived, or arrives within this time. An error is a connection that is
    /// closed.
    fn has_more(&mut self, wait: Duration) -> Outcome<bool> {
        self.stream.set_read_timeout(Some(wait)).map_err(broken)?;
        match self.stream.peek(&mut [0]) {
            Ok(0) => Err(broken("it is closed")),
            Ok(_) => Ok(true),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Ok(false)
            }
            Err(error) => Err(broken(error)),
        }
    }

    fn request(&mut self, kind: i32, body: &Writer) -> Outcome {
        self.last += 1;
        let mut frame = Writer::default();
        frame.int(self.last).int(kind).0.extend(&body.0);
        self.send(&frame)
    }

    fn call(&mut self, kind: i32, body: &Writer) -> Outcome<Result<Vec<u8>, Code>> {
        self.request(kind, body)?;
        let number = self.last;
        loop {
            if let Some(answer) = self.answer(number)? {
                return Ok(answer);
            }
        }
    }

    /// Reads one frame: the answer to this request, or an event, which is kept.
    fn answer(&mut self, number: i32) -> Outcome<Option<Result<Vec<u8>, Code>>> {
        let frame = self.frame()?;
        let mut reader = Reader(&frame);
        let (of, _, code) = (reader.int()?, reader.long()?, reader.int()?);
        if of == EVENT {
            let (_, _, path) = (reader.int()?, reader.int()?, reader.text()?);
            self.fired.push((Moment::now(), path));
            return Ok(None);
        }
        if of != number {
            return Err(format!("ZooKeeper answers request {of} instead of {number}"));
        }
        Ok(Some(if code == 0 { Ok(reader.0.to_vec()) } else { Err(Code(code)) }))
    }

    fn send(&mut self, body: &Writer) -> Outcome {
        let mut frame = Writer::default();
        frame.buffer(&body.0);
        self.stream.write_all(&frame.0).map_err(broken)
    }

    fn frame(&mut self) -> Outcome<Vec<u8>> {
        self.stream.set_read_timeout(Some(LIMIT)).map_err(broken)?;
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).map_err(broken)?;
        let mut body = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap_or_default()];
        self.stream.read_exact(&mut body).map_err(broken)?;
        Ok(body)
    }
}

fn create(path: &str, mode: Mode) -> Writer {
    let mut body = Writer::default();
    // One rule of access: everybody may do everything.
    body.text(path).buffer(b"").int(1).int(31).text("world").text("anyone").int(mode.flags());
    body
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn byte(&mut self, value: u8) -> &mut Self {
        self.0.push(value);
        self
    }

    fn int(&mut self, value: i32) -> &mut Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn long(&mut self, value: i64) -> &mut Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn buffer(&mut self, value: &[u8]) -> &mut Self {
        self.int(i32::try_from(value.len()).expect("what is sent here is short"));
        self.0.extend(value);
        self
    }

    fn text(&mut self, value: &str) -> &mut Self {
        self.buffer(value.as_bytes())
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Outcome<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk().ok_or_else(short)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn int(&mut self) -> Outcome<i32> {
        self.take().map(i32::from_be_bytes)
    }

    fn long(&mut self) -> Outcome<i64> {
        self.take().map(i64::from_be_bytes)
    }

    fn buffer(&mut self) -> Outcome<&[u8]> {
        // A length of −1 is nothing at all.
        let length = usize::try_from(self.int()?).unwrap_or_default();
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn text(&mut self) -> Outcome<String> {
        self.buffer().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    fn stat(&mut self) -> Outcome<Stat> {
        let created = self.long()?;
        // Changed by; both times; three versions.
        self.take::<36>()?;
        let owner = self.long()?;
        // Length of the data, number of children, last change of these.
        self.take::<16>()?;
        Ok(Stat { created, owner })
    }
}

fn short() -> String {
    "an answer of ZooKeeper is cut short".to_owned()
}

fn broken(error: impl fmt::Display) -> String {
    format!("the connection to ZooKeeper is broken: {error}")
}

#[cfg(test)]
mod tests {
    use super::{Reader, Stat, Writer};

    #[test]
    fn what_is_written_is_read() {
        let mut writer = Writer::default();
        writer.int(-2).long(1 << 40).text("lock").buffer(&[7]);
        let mut reader = Reader(&writer.0);
        assert_eq!((reader.int(), reader.long()), (Ok(-2), Ok(1 << 40)));
        assert_eq!((reader.text(), reader.buffer()), (Ok("lock".to_owned()), Ok(&[7][..])));
        assert!(reader.int().is_err());
    }

    #[test]
    fn a_transaction_is_an_epoch_and_a_counter() {
        let stat = Stat { created: (3 << 32) | 17, owner: 0 };
        assert_eq!((stat.epoch(), stat.counter()), (3, 17));
    }
}

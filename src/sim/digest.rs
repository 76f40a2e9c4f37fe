//! A 64-bit digest of a log, equal on every machine: FNV-1a over the bytes of the log's text as
//! `fenceline run` prints it, UTF-8, a line feed after each entry. So it is defined by what a run
//! says and not by how it is kept in memory, and whoever has the text can compute it.

use std::fmt::{self, Write};

use super::log::LogEntry;

/// The digest of a log.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Digest(pub u64);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Digest {
    /// The digest of these entries.
    pub fn of(entries: &[LogEntry]) -> Self {
        let mut bytes = Bytes { state: 0xcbf2_9ce4_8422_2325 };
        for entry in entries {
            writeln!(bytes, "{entry}").expect("it takes everything");
        }
        Self(bytes.state)
    }
}

/// Takes text in and keeps the digest of its bytes.
struct Bytes {
    state: u64,
}

impl Write for Bytes {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_that_of_the_textbook() {
        let of = |text: &str| {
            let mut bytes = Bytes { state: 0xcbf2_9ce4_8422_2325 };
            bytes.write_str(text).expect("it takes everything");
            bytes.state
        };
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(Digest::of(&[]), Digest(of("")));
    }
}

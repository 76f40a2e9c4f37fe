//! A 64-bit digest of a log, equal on every machine. FNV-1a over the entries' text form would be
//! slow; this hashes each entry through `Hash` with a hasher whose result does not depend on the
//! platform: every integer is fed in little-endian order at a fixed width.

use std::fmt;
use std::hash::{Hash, Hasher};

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
        let mut hasher = LogHasher { state: 0xcbf2_9ce4_8422_2325 };
        entries.iter().for_each(|entry| entry.hash(&mut hasher));
        Self(hasher.finish())
    }
}

/// Takes entries in and gives their digest.
#[derive(Clone, Debug)]
struct LogHasher {
    state: u64,
}

impl LogHasher {
    fn mix(&mut self, word: u64) {
        // FNV-1a a word at a time, with a rotation so that high bits reach low ones.
        self.state = (self.state ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }
}

impl Hasher for LogHasher {
    fn finish(&self) -> u64 {
        // The finaliser of SplitMix64: every bit of the state reaches every bit of the result.
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.mix(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_i64(&mut self, value: i64) {
        self.mix(value.cast_unsigned());
    }

    /// The derived `Hash` of an enum feeds its discriminant as `isize`, which is 32 bits wide on
    /// wasm32; its value is the same.
    fn write_isize(&mut self, value: isize) {
        self.mix(u64::try_from(value).unwrap_or(u64::MAX));
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }
}

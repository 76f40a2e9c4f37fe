//! The text in a file's bytes. A scenario file is UTF-8; editors and shells of some systems write
//! others, and then the message says which one it is and what would be right.

use super::error::FileError;
use crate::sim::limits::MAX_FILE_BYTES;

/// What some editors put before a text. JSON does not know it.
const MARK: char = '\u{feff}';

/// The text of a file, without a byte order mark.
///
/// # Errors
/// If it is too large, or in another encoding; says which, and where that is seen.
pub fn text_of(bytes: &[u8]) -> Result<&str, FileError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(FileError::TooLarge(bytes.len()));
    }
    if let Some(encoding) = wide_encoding(bytes) {
        return Err(FileError::Encoding(encoding));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(text)),
        Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
    }
}

/// A text without the mark that may stand before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// The encoding of bytes in which a letter has two or four. Without a mark it is seen by the zeros
/// beside the first letter: every scenario file begins with one of ASCII.
fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => Some("UTF-32, little-endian"),
        [0, 0, 0xfe, 0xff, ..] => Some("UTF-32, big-endian"),
        [0xff, 0xfe, ..] => Some("UTF-16, little-endian"),
        [0xfe, 0xff, ..] => Some("UTF-16, big-endian"),
        [letter, 0, 0, 0, ..] if *letter > 0 => Some("UTF-32, little-endian"),
        [0, 0, 0, letter, ..] if *letter > 0 => Some("UTF-32, big-endian"),
        [letter, 0, ..] if *letter > 0 => Some("UTF-16, little-endian"),
        [0, letter, ..] if *letter > 0 => Some("UTF-16, big-endian"),
        _ => None,
    }
}

/// Says where bytes are no UTF-8; `at`: the first of them.
fn not_utf8(bytes: &[u8], at: usize) -> FileError {
    let before = String::from_utf8_lossy(&bytes[..at]);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |text| text.chars().count()) + 1;
    FileError::NotUtf8 { line, column, byte: bytes[at] }
}

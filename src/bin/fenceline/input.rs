//! Where scenarios come from: a file, or standard input.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use fenceline::scenarios::products::Products;
use fenceline::sim::ScenarioFile;
use fenceline::sim::limits::MAX_FILE_BYTES;
use fenceline::sim::plain_text::one_line;
use fenceline::sim::scenario::{FileError, text_of};

use super::Wrong;
use super::output::tell;

/// A file's name as a message shows it.
pub(crate) fn name(path: &Path) -> String {
    one_line(&path.to_string_lossy())
}

/// Reads a file, or standard input.
pub(crate) fn read(path: &Path) -> Result<ScenarioFile, Wrong> {
    let unread = |error: std::io::Error| Wrong(format!("cannot read “{}”: {error}", name(path)));
    let wrong = |error: FileError| Wrong(format!("{}: {error}", name(path)));
    let bytes = if path == Path::new("-") {
        beginning(&mut std::io::stdin()).map_err(unread)?
    } else {
        let mut file = File::open(path).map_err(unread)?;
        let size = file.metadata().map(|about| about.len()).map_err(unread)?;
        if size > MAX_FILE_BYTES as u64 {
            return Err(wrong(FileError::TooLarge(usize::try_from(size).unwrap_or(usize::MAX))));
        }
        beginning(&mut file).map_err(unread)?
    };
    // One more was read than there may be.
    if bytes.len() > MAX_FILE_BYTES {
        return Err(wrong(FileError::TooLargeToCount));
    }
    let text = text_of(&bytes).map_err(wrong)?;
    // Few files name a product, and none needs the list of them otherwise.
    let file = ScenarioFile::parse(text).or_else(|_| Products::built_in().parse_file(text));
    file.map_err(wrong)
}

/// As much as there may be, and a byte more: what has no end is not waited for.
fn beginning(from: &mut dyn Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file as the page opens it: what in it names nothing is left out, with a word.
pub(crate) fn open(path: &Path) -> Result<ScenarioFile, Wrong> {
    let mut file = read(path)?;
    for loose in file.leave_out_loose_ends() {
        tell(&format!("{}: left out: {loose}", name(path)));
    }
    Ok(file)
}

//! Where scenarios come from: a file, or standard input.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use fenceline::sim::ScenarioFile;
use fenceline::sim::limits::MAX_FILE_BYTES;
use fenceline::sim::plain_text::brief;

use super::Wrong;

/// A file's name as a message shows it.
pub(crate) fn name(path: &Path) -> String {
    brief(&path.to_string_lossy())
}

/// Reads a file, or standard input.
pub(crate) fn read(path: &Path) -> Result<ScenarioFile, Wrong> {
    let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX) + 1;
    let mut text = String::new();
    let read = if path == Path::new("-") {
        std::io::stdin().take(limit).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_string(&mut text))
    };
    read.map_err(|error| Wrong(format!("cannot read “{}”: {error}", name(path))))?;
    ScenarioFile::parse(&text).map_err(|error| Wrong(format!("{}: {error}", name(path))))
}

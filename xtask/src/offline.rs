//! What the built page keeps on the device: the list of dist/'s files, with checksums, written into
//! the service worker static/offline.js. Whatever else comes to lie in dist/ is kept as well.

use crate::shell::{Outcome, read, write};
use std::path::{Path, PathBuf};

/// The service worker's name, in static/ and in dist/.
pub(crate) const WORKER: &str = "offline.js";

/// Stands in static/offline.js for the list.
const PLACE: &str = "const KEPT = {};";

/// A file that is kept: its address below the page's folder, its checksum, its size.
struct Kept {
    name: String,
    sum: u32,
    n_bytes: usize,
}

/// Writes the list into the worker; to be called when everything else of the folder is done.
pub(crate) fn write_list(folder: &Path) -> Outcome {
    let kept = kept(folder)?;
    let worker = folder.join(WORKER);
    write(&worker, &with_list(&read(&worker)?, &kept)?)?;
    let n_bytes: usize = kept.iter().map(|file| file.n_bytes).sum();
    println!("  {} files, {n_bytes} bytes, are kept on the device", kept.len());
    Ok(())
}

fn with_list(worker: &str, kept: &[Kept]) -> Outcome<String> {
    if worker.matches(PLACE).count() != 1 {
        return Err(format!("{WORKER} must hold `{PLACE}` exactly once, for the build to fill"));
    }
    let lines: String = kept.iter().map(|it| format!("  \"{}\": {},\n", it.name, it.sum)).collect();
    Ok(worker.replace(PLACE, &format!("const KEPT = {{\n{lines}}};")))
}

fn kept(folder: &Path) -> Outcome<Vec<Kept>> {
    let mut paths = Vec::new();
    all_files(folder, &mut paths)?;
    paths.sort();
    let mut kept = Vec::new();
    for path in paths {
        let name = name(folder, &path)?;
        if name != WORKER {
            let bytes = std::fs::read(&path)
                .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            // The page is the folder: many hosts redirect who asks for its file.
            let name = if name == "index.html" { String::new() } else { name };
            kept.push(Kept { name, sum: checksum(&bytes), n_bytes: bytes.len() });
        }
    }
    Ok(kept)
}

/// A file's address, for which its name must need no escapes.
fn name(folder: &Path, path: &Path) -> Outcome<String> {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    let name = parts.join("/");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    match name.chars().all(is_plain) {
        true => Ok(name),
        false => Err(format!("`{name}`: names in dist/ are letters, digits, `-`, `_` and `.`")),
    }
}

fn all_files(folder: &Path, paths: &mut Vec<PathBuf>) -> Outcome {
    let unreadable = |error| format!("cannot read {}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        match path.is_dir() {
            true => all_files(&path, paths)?,
            false => paths.push(path),
        }
    }
    Ok(())
}

/// FNV-1a, as static/offline.js computes it.
fn checksum(bytes: &[u8]) -> u32 {
    let mix = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(0x811c_9dc5, mix)
}

#[cfg(test)]
mod tests {
    use super::{Kept, PLACE, checksum, name, with_list};
    use std::path::Path;

    #[test]
    fn the_checksum_is_fnv_1a() {
        // The reference values of the algorithm's authors.
        assert_eq!(checksum(b""), 0x811c_9dc5);
        assert_eq!(checksum(b"a"), 0xe40c_292c);
        assert_eq!(checksum(b"foobar"), 0xbf9c_f968);
    }

    #[test]
    fn the_list_takes_its_place() {
        let kept = [("", 1), ("icons/192.png", 2)].map(|(name, sum)| Kept {
            name: name.to_owned(),
            sum,
            n_bytes: 0,
        });
        let worker = with_list(&format!("a\n{PLACE}\nb"), &kept);
        let list = "const KEPT = {\n  \"\": 1,\n  \"icons/192.png\": 2,\n};";
        assert_eq!(worker, Ok(format!("a\n{list}\nb")));
        assert!(with_list("const KEPT = [];", &kept).is_err());
    }

    #[test]
    fn the_source_has_a_place_for_the_list() {
        assert!(with_list(include_str!("../../static/offline.js"), &[]).is_ok());
    }

    #[test]
    fn names_are_addresses() {
        let folder = Path::new("dist");
        assert_eq!(name(folder, &folder.join("icons").join("a.png")).as_deref(), Ok("icons/a.png"));
        assert!(name(folder, &folder.join("a b")).is_err_and(|error| error.contains("`a b`")));
    }
}

//! The gallery: scenarios that come with the program, each a file as users write them, with what
//! both of its runs must come to. Adding one: write its file, add a line to [`GALLERY`].

use crate::sim::scenario::ScenarioFile;

/// A scenario of the gallery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GalleryEntry {
    /// Its name in links; never changes.
    pub id: &'static str,
    /// What to do with it, in a sentence.
    pub call: &'static str,
    /// The scenario file.
    pub json: &'static str,
}

/// One line of the gallery: the id is the name of the file.
macro_rules! entry {
    ($id:literal, $call:literal) => {
        GalleryEntry {
            id: $id,
            call: $call,
            json: include_str!(concat!($id, ".json")),
        }
    };
}

/// All scenarios, in the order in which they are offered. The page opens with the first.
pub const GALLERY: [GalleryEntry; 11] = [
    entry!(
        "paused-holder",
        "Freeze client A past its lease, and see what the storage does."
    ),
    entry!(
        "lease-frees-itself",
        "The holder crashes; see how long the others wait."
    ),
    entry!(
        "no-expiry",
        "Without an expiry nobody else ever gets the lock, and a fence does not help."
    ),
    entry!(
        "renew-or-lose-it",
        "The work takes three leases: see what renewal is worth."
    ),
    entry!(
        "job-outlives-lease",
        "Nobody pauses: the job takes longer than its lease."
    ),
    entry!("short-pause", "Two seconds more than the lease are enough."),
    entry!(
        "harmless-pause",
        "A late write that does no harm, this time."
    ),
    entry!(
        "checked-still-late",
        "Client A asks right before its write, and is too late all the same."
    ),
    entry!(
        "window-before-first-write",
        "A fence alone leaves a window; the seal closes it."
    ),
    entry!("late-packet", "Nobody pauses: one packet takes its time."),
    entry!(
        "three-workers",
        "A late release frees somebody else's lock."
    ),
];

impl GalleryEntry {
    /// The entry with this id.
    pub fn find(id: &str) -> Option<&'static Self> {
        GALLERY.iter().find(|entry| entry.id == id)
    }

    /// The scenario.
    pub fn file(&self) -> ScenarioFile {
        ScenarioFile::parse(self.json).expect("the gallery's test reads every file")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_reads_and_reads_back() {
        for entry in GALLERY {
            let file = ScenarioFile::parse(entry.json).expect(entry.id);
            assert_eq!(
                ScenarioFile::parse(&file.to_json()),
                Ok(file),
                "{}",
                entry.id
            );
            assert_eq!(GalleryEntry::find(entry.id), Some(&entry));
        }
    }
}

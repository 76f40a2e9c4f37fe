//! The work that the device keeps: the last edited scenarios, newest first, bounded in number and
//! size. As text it is what the browser stores; it knows no browser and no clock, and reads
//! whatever text it is given.

use serde::{Deserialize, Serialize};

use super::link::{Link, Place};
use crate::sim::limits;
use crate::sim::scenario::ScenarioFile;

/// A piece of work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// Which: the same while the same scenario is edited.
    pub key: String,
    /// What the scenario is called.
    pub title: String,
    /// When it was last edited, in the milliseconds of browsers.
    pub edited: u64,
    /// The scenario with its comparison, as a link's fragment.
    pub link: String,
}

/// The work that is kept, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recent(Vec<Work>);

impl Work {
    /// A scenario as a piece of work; `scenario`: the gallery's entry that it began as.
    pub fn of(key: &str, edited: u64, file: &ScenarioFile, scenario: &str) -> Self {
        let scenario = (!scenario.is_empty()).then(|| scenario.to_owned());
        let place = Place { scenario, ..Place::default() };
        let link = Link { file: file.clone(), place }.to_fragment();
        Self { key: key.to_owned(), title: file.title.clone(), edited, link }
    }

    fn size(&self) -> usize {
        self.title.len() + self.link.len() + self.key.len()
    }

    /// Whether it is small enough to be kept and read again.
    pub fn fits(&self) -> bool {
        self.link.len() <= limits::MAX_LINK_CHARS && self.size() <= limits::MAX_RECENT_BYTES
    }
}

impl Recent {
    /// What a browser stored; nothing where it is no such list.
    pub fn parse(text: &str) -> Self {
        let works = serde_json::from_str(text).unwrap_or_default();
        let mut recent = Self(works);
        recent.bound();
        recent
    }

    /// As a browser stores it.
    pub fn to_text(&self) -> String {
        serde_json::to_string(&self.0).expect("plain data always serialises")
    }

    /// What is kept, newest first.
    pub fn works(&self) -> &[Work] {
        &self.0
    }

    /// Keeps a piece of work in place of what it was before, and of another that is the same.
    pub fn keep(&mut self, work: Work) {
        self.0.retain(|old| old.key != work.key && old.link != work.link);
        self.0.insert(0, work);
        self.bound();
    }

    /// Forgets a piece of work.
    pub fn forget(&mut self, key: &str) {
        self.0.retain(|work| work.key != key);
    }

    fn bound(&mut self) {
        self.0.truncate(limits::MAX_RECENT);
        let mut room = limits::MAX_RECENT_BYTES;
        self.0.retain(|work| {
            let fits = work.fits() && work.size() <= room;
            room -= if fits { work.size() } else { 0 };
            fits
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    fn work(key: &str, title: &str) -> Work {
        let mut file = GALLERY[0].file();
        title.clone_into(&mut file.title);
        Work::of(key, 1, &file, GALLERY[0].id)
    }

    #[test]
    fn the_newest_comes_first_and_takes_its_own_place() {
        let mut recent = Recent::default();
        recent.keep(work("a", "one"));
        recent.keep(work("b", "two"));
        recent.keep(work("a", "one, edited"));
        let titles: Vec<_> = recent.works().iter().map(|it| it.title.as_str()).collect();
        assert_eq!(titles, ["one, edited", "two"]);
        recent.keep(work("c", "two"));
        assert_eq!(recent.works().len(), 2, "the same work under another key is no other work");
        assert_eq!(Recent::parse(&recent.to_text()), recent);
        recent.forget("c");
        assert_eq!(recent.works().len(), 1);
        let link = Link::parse(&recent.works()[0].link).expect("it reads back");
        assert_eq!(link.file.title, "one, edited");
        assert_eq!(link.place.scenario.as_deref(), Some(GALLERY[0].id));
    }

    #[test]
    fn it_is_bounded_in_number_and_size() {
        let mut recent = Recent::default();
        for n in 0..limits::MAX_RECENT + 5 {
            recent.keep(work(&n.to_string(), &n.to_string()));
        }
        assert_eq!(recent.works().len(), limits::MAX_RECENT);
        let mut large = work("large", "large");
        large.title = "x".repeat(limits::MAX_RECENT_BYTES - large.link.len() - 10);
        assert!(large.fits());
        recent.keep(large.clone());
        assert_eq!(recent.works().len(), 1, "what is older gives way");
        large.title.push_str("and more than that");
        assert!(!large.fits());
    }

    #[test]
    fn text_of_somebody_else_is_no_work() {
        for text in ["", "null", "{}", "[1]", "[{\"key\":1}]", "<script>"] {
            assert_eq!(Recent::parse(text), Recent::default(), "{text}");
        }
    }
}

//! The work that the device keeps: the last edited scenarios, newest first, bounded in number and
//! size. As text it is what the browser stores; it knows no browser and no clock, and reads
//! whatever text it is given, entry by entry. What it cannot read, because a newer version wrote it
//! or because it is damaged, is kept on as it stands there until the reader forgets it. An entry
//! that is a string is text that stood where entries belong.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::link::{Link, Place};
use crate::sim::limits;
use crate::sim::scenario::ScenarioFile;

/// How an entry begins that this program wrote: where a list is damaged, it is taken up again at
/// the next of these. Inside of a string there is none, because quotes are escaped there.
const ENTRY: &str = "{\"key\":";

/// A piece of work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

/// An entry of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Entry {
    Work(Work),
    /// What cannot be read here: JSON as it was found.
    Unread(String),
}

/// The work that is kept, newest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recent(Vec<Entry>);

impl Work {
    /// A scenario as a piece of work; `scenario`: the gallery's entry that it began as; `to_scale`:
    /// how its time is drawn.
    pub fn of(
        key: &str,
        edited: u64,
        file: &ScenarioFile,
        (scenario, to_scale): (&str, bool),
    ) -> Self {
        let scenario = (!scenario.is_empty()).then(|| scenario.to_owned());
        let place = Place { scenario, to_scale, ..Place::default() };
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

impl Entry {
    /// Text that is no entry, as one.
    fn of_text(text: &str) -> Self {
        Self::Unread(serde_json::to_string(text).expect("text always serialises"))
    }

    fn work(&self) -> Option<&Work> {
        match self {
            Self::Work(work) => Some(work),
            Self::Unread(_) => None,
        }
    }

    /// What could not be read, as it was found.
    fn unread(&self) -> Option<String> {
        match self {
            Self::Work(_) => None,
            Self::Unread(json) => {
                Some(serde_json::from_str::<String>(json).unwrap_or_else(|_| json.clone()))
            }
        }
    }
}

impl Recent {
    /// What a browser stored, whatever it is.
    pub fn parse(text: &str) -> Self {
        let mut recent = Self::default();
        if let Some(entries) = entries(text) {
            for entry in entries {
                recent.take(entry);
            }
        } else if serde_json::from_str::<IgnoredAny>(text).is_ok() {
            // Whole, but no list: it is somebody else's, and is not taken apart.
            recent.0.push(Entry::of_text(text));
        } else {
            recent.take_apart(text);
        }
        recent
    }

    /// Takes an entry: what is no work of this version, is more than this version keeps, or is
    /// there already, is left as it stands.
    fn take(&mut self, entry: &str) {
        let work = serde_json::from_str::<Work>(entry).ok();
        let work = work.filter(|work| {
            let size: usize = self.works().map(Work::size).sum();
            work.fits()
                && size + work.size() <= limits::MAX_RECENT_BYTES
                && self.works().count() < limits::MAX_RECENT
                && self.works().all(|other| other.key != work.key)
        });
        let unread = || Entry::Unread(entry.to_owned());
        self.0.push(work.map_or_else(unread, Entry::Work));
    }

    /// Takes a damaged list: each entry that is whole, and in between what is left of the others.
    fn take_apart(&mut self, text: &str) {
        let starts = text.match_indices(ENTRY).map(|(at, _)| at);
        let ends = starts.clone().chain([text.len()]);
        for (start, end) in [0].into_iter().chain(starts).zip(ends) {
            let piece = &text[start..end];
            let rest = match first_value(piece).filter(|_| piece.starts_with(ENTRY)) {
                Some((entry, rest)) => {
                    self.take(entry);
                    rest
                }
                None => piece,
            };
            if rest.contains(|char: char| !char.is_ascii_whitespace() && !"[,]".contains(char)) {
                self.0.push(Entry::of_text(rest));
            }
        }
    }

    /// As a browser stores it.
    pub fn to_text(&self) -> String {
        let entries = self.0.iter().map(|entry| match entry {
            Entry::Work(work) => serde_json::to_string(work).expect("plain data always serialises"),
            Entry::Unread(json) => json.clone(),
        });
        format!("[{}]", entries.collect::<Vec<_>>().join(","))
    }

    /// Whether nothing at all is kept.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is kept, newest first.
    pub fn works(&self) -> impl Iterator<Item = &Work> {
        self.0.iter().filter_map(Entry::work)
    }

    /// What is said of entries that cannot be read here; `None` where there are none.
    pub fn note(&self) -> Option<String> {
        match self.n_unread() {
            0 => None,
            1 => Some(
                "1 entry of this list cannot be read here: it is damaged, or a newer version of \
                 this page wrote it. It stays on the device as it is"
                    .to_owned(),
            ),
            n => Some(format!(
                "{n} entries of this list cannot be read here: they are damaged, or a newer \
                 version of this page wrote them. They stay on the device as they are"
            )),
        }
    }

    fn n_unread(&self) -> usize {
        self.0.len() - self.works().count()
    }

    /// What cannot be read here, as it was found, one below the other.
    pub fn unread(&self) -> String {
        self.0.iter().filter_map(Entry::unread).collect::<Vec<_>>().join("\n")
    }

    /// Keeps a piece of work in place of what it was before, and of another that is the same.
    pub fn keep(&mut self, work: Work) {
        self.retain(|old| old.key != work.key && old.link != work.link);
        self.0.insert(0, Entry::Work(work));
        self.bound();
    }

    /// Forgets a piece of work.
    pub fn forget(&mut self, key: &str) {
        self.retain(|work| work.key != key);
    }

    /// Forgets all work that can be read.
    pub fn forget_works(&mut self) {
        self.retain(|_| false);
    }

    /// Forgets what cannot be read.
    pub fn forget_unread(&mut self) {
        self.0.retain(|entry| entry.work().is_some());
    }

    fn retain(&mut self, mut stays: impl FnMut(&Work) -> bool) {
        self.0.retain(|entry| entry.work().is_none_or(&mut stays));
    }

    fn bound(&mut self) {
        let (mut room, mut bytes) = (limits::MAX_RECENT, limits::MAX_RECENT_BYTES);
        self.retain(|work| {
            let fits = room > 0 && work.fits() && work.size() <= bytes;
            if fits {
                (room, bytes) = (room - 1, bytes - work.size());
            }
            fits
        });
    }
}

/// The entries of a list, as they stand there; `None`: it is none, or not whole.
fn entries(text: &str) -> Option<Vec<&str>> {
    let mut entries = Vec::new();
    let mut rest = text.trim().strip_prefix('[')?.trim_start();
    if rest == "]" {
        return Some(entries);
    }
    loop {
        let (entry, after) = first_value(rest)?;
        entries.push(entry);
        rest = match after.trim_start().strip_prefix(',') {
            Some(next) => next,
            None => return (after.trim() == "]").then_some(entries),
        };
    }
}

/// The JSON value that a text begins with, as it stands there, and what comes behind it.
fn first_value(text: &str) -> Option<(&str, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let (value, rest) = text.split_at(values.byte_offset());
    Some((value.trim(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    fn work(key: &str, title: &str) -> Work {
        let mut file = GALLERY[0].file();
        title.clone_into(&mut file.title);
        Work::of(key, 1, &file, (GALLERY[0].id, false))
    }

    fn titles(recent: &Recent) -> Vec<&str> {
        recent.works().map(|work| work.title.as_str()).collect()
    }

    fn json(work: &Work) -> String {
        serde_json::to_string(work).expect("plain data")
    }

    #[test]
    fn the_newest_comes_first_and_takes_its_own_place() {
        let mut recent = Recent::default();
        recent.keep(work("a", "one"));
        recent.keep(work("b", "two"));
        recent.keep(work("a", "one, edited"));
        assert_eq!(titles(&recent), ["one, edited", "two"]);
        recent.keep(work("c", "two"));
        assert_eq!(titles(&recent).len(), 2, "the same work under another key is no other work");
        assert_eq!(Recent::parse(&recent.to_text()), recent);
        recent.forget("c");
        assert_eq!(titles(&recent), ["one, edited"]);
        let link = Link::parse(&recent.works().next().unwrap().link).expect("it reads back");
        assert_eq!(link.file.title, "one, edited");
        assert_eq!(link.place.scenario.as_deref(), Some(GALLERY[0].id));
    }

    #[test]
    fn it_is_bounded_in_number_and_size() {
        let mut recent = Recent::default();
        for n in 0..limits::MAX_RECENT + 5 {
            recent.keep(work(&n.to_string(), &n.to_string()));
        }
        assert_eq!(recent.works().count(), limits::MAX_RECENT);
        let mut large = work("large", "large");
        large.title = "x".repeat(limits::MAX_RECENT_BYTES - large.link.len() - 10);
        assert!(large.fits());
        recent.keep(large.clone());
        assert_eq!(recent.works().count(), 1, "what is older gives way");
        large.title.push_str("and more than that");
        assert!(!large.fits());
    }

    /// What another version may have written, or what damage leaves.
    const OTHERS: [&str; 8] = [
        r#"{"key":"n", "title":"newer","edited":1,"link":"1.a","color":"red"}"#,
        r#"{"key":1}"#,
        r#"{"version": 2,"works":[{"key":"x"}]}"#,
        "[1,  [2]]",
        "null",
        r#""text""#,
        "1e999",
        r#"{"key":"late","title":"\u202e","edited":-1,"link":""}"#,
    ];

    #[test]
    fn entries_that_cannot_be_read_stay_as_they_are() {
        let (one, two) = (work("a", "one"), work("b", "two"));
        let mut entries = vec![json(&one)];
        entries.extend(OTHERS.map(str::to_owned));
        entries.push(json(&two));
        let text = format!("[ {} ]", entries.join(" ,\n"));
        let mut recent = Recent::parse(&text);
        assert_eq!(titles(&recent), ["one", "two"]);
        assert!(recent.note().expect("of the others").starts_with("8 entries of this list"));
        for n in 0..limits::MAX_RECENT + 5 {
            recent.keep(work(&n.to_string(), &format!("edited {n}")));
            recent = Recent::parse(&recent.to_text());
        }
        assert_eq!(recent.works().count(), limits::MAX_RECENT);
        recent.forget_works();
        assert!(!recent.is_empty());
        assert_eq!(recent.to_text(), format!("[{}]", OTHERS.join(",")));
        assert_eq!(recent.unread(), OTHERS.join("\n").replace("\"text\"", "text"));
        recent.keep(one);
        recent.forget_unread();
        assert_eq!((titles(&recent), recent.note()), (vec!["one"], None));
    }

    #[test]
    fn what_is_no_list_stays_as_it_is() {
        for text in ["null", "{}", "7", r#"{"version":2,"works":[{"key":"a"}]}"#, "<script>", "[1"]
        {
            let mut recent = Recent::parse(text);
            assert_eq!((recent.works().count(), recent.unread().as_str()), (0, text));
            recent.keep(work("a", "one"));
            let again = Recent::parse(&recent.to_text());
            assert_eq!(again, recent);
            assert_eq!(again.unread(), text);
            assert_eq!(titles(&again), ["one"]);
        }
        for text in ["", " ", "[]", "[", "[,]"] {
            assert!(Recent::parse(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn damage_to_one_entry_costs_no_other() {
        let works = ["a", "b", "c"].map(|key| work(key, &format!("\"{{\"key\":{key}\\")));
        let whole = format!("[{}]", works.each_ref().map(json).join(","));
        let (start, length) = (whole.find(&json(&works[1])).unwrap(), json(&works[1]).len());
        for at in 0..length {
            for with in ["", "\"", "}", "]", "\\", "\0"] {
                let mut text = whole.clone();
                text.replace_range(start + at..=start + at, with);
                let recent = Recent::parse(&text);
                let kept: Vec<_> = recent.works().map(|work| work.key.as_str()).collect();
                assert!(kept.first() == Some(&"a"), "{at} {with}: {text}");
                assert!(kept.last() == Some(&"c"), "{at} {with}: {text}");
                let again = Recent::parse(&recent.to_text());
                assert_eq!(again, recent, "{at} {with}");
            }
        }
        // A list that was cut off keeps what came before, and what is left of the last.
        let cut = &whole[..start + length / 2];
        let recent = Recent::parse(cut);
        assert_eq!(recent.works().count(), 1);
        assert_eq!(recent.unread(), cut[start..]);
    }

    #[test]
    fn more_than_this_version_keeps_is_left_alone() {
        let works: Vec<_> =
            (0..limits::MAX_RECENT + 3).map(|n| work(&n.to_string(), &n.to_string())).collect();
        let list = works.iter().map(json).collect::<Vec<_>>().join(",");
        let mut long = work("long", "long");
        long.link = "x".repeat(limits::MAX_LINK_CHARS + 1);
        let text = format!("[{},{list},{}]", json(&long), json(&works[0]));
        let recent = Recent::parse(&text);
        assert_eq!(recent.works().count(), limits::MAX_RECENT);
        assert_eq!(recent.n_unread(), 5, "three too many, one too long, one key twice");
        assert_eq!(recent.to_text(), text);
    }
}

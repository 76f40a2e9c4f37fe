//! What comes from outside as text: a link, a scenario file, or whatever somebody pasted. It reads
//! and checks; what is wrong is said in a sentence that begins “This link” or “This file”.

use super::link::{Link, Place};
use crate::sim::plain_text::{cut, one_line};
use crate::sim::scenario::{ScenarioFile, without_mark};

/// Characters of a file's name that are quoted.
const MAX_NAME: usize = 60;

/// What a text is taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The fragment of an address.
    Link,
    /// A file.
    File,
    /// Something pasted: JSON is a file, anything else a link, with or without its address.
    Pasted,
}

/// Reads a text.
///
/// # Errors
/// A sentence for the page.
pub fn read(text: &str, source: Source) -> Result<Link, String> {
    let text = without_mark(text.trim());
    let is_file = match source {
        Source::Link => false,
        Source::File => true,
        Source::Pasted => text.starts_with(['{', '[', '"']),
    };
    if is_file {
        if text.starts_with('<') {
            return inside(text);
        }
        let file = ScenarioFile::parse(text).map_err(|error| error.to_string())?;
        return Ok(Link { file, place: Place::default() });
    }
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    Link::parse(fragment).map_err(|error| error.to_string())
}

/// Leaves out of a file what names nothing in its scenario. What is said of it; `None`: nothing
/// was left out.
pub fn leave_out_loose_ends(file: &mut ScenarioFile) -> Option<String> {
    let found = file.leave_out_loose_ends();
    let first = found.first()?;
    let more = match found.len() - 1 {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    Some(format!("Opened without what is not in this scenario: {first}{more}"))
}

/// What is said where several files were dropped at once; nothing of one alone.
pub fn one_of(names: &[String]) -> Option<String> {
    let quoted = |name: &str| format!("“{}”", cut(&one_line(name), MAX_NAME));
    let (first, others) = match names {
        [] | [_] => return None,
        [first, second] => (first, format!("{} was not", quoted(second))),
        [first, others @ ..] => (first, format!("the other {} were not", others.len())),
    };
    Some(format!(
        "{} files were dropped, and one is opened at a time: {} was taken, {others}",
        names.len(),
        quoted(first),
    ))
}

/// The link that stands in a picture or in a page that plays.
fn inside(text: &str) -> Result<Link, String> {
    let href = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut fragments = href.filter_map(|href| href.split_once('#').map(|(_, fragment)| fragment));
    match fragments.find(|fragment| fragment.starts_with(|c: char| c.is_ascii_digit())) {
        Some(fragment) => Link::parse(fragment).map_err(|error| error.to_string()),
        None => Err("This file is a picture or a page without a link in it: open the scenario's \
                     own file, or its link"
            .to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::id::FaultId;
    use crate::sim::scenario::Quantity;

    #[test]
    fn what_is_pasted_is_a_file_or_a_link() {
        let file = GALLERY[0].file();
        let link = Link { file: file.clone(), place: Place::default() };
        let address = format!(" https://host.example/a/b/?x#{}\n", link.to_fragment());
        assert_eq!(read(&address, Source::Pasted), Ok(link.clone()));
        assert_eq!(read(&link.to_fragment(), Source::Pasted), Ok(link.clone()));
        assert_eq!(read(&format!("\n{}", file.to_json()), Source::Pasted), Ok(link.clone()));
        let marked = format!("\u{feff}{}", file.to_json());
        assert_eq!(read(&marked, Source::File), Ok(link.clone()));
        assert_eq!(read(&format!("{marked}\n"), Source::Pasted), Ok(link.clone()));
        assert_eq!(read(&format!("\u{feff}{}", link.to_fragment()), Source::Pasted), Ok(link));
    }

    #[test]
    fn what_names_nothing_is_left_out_with_a_word() {
        let mut file = GALLERY[0].file();
        assert_eq!(leave_out_loose_ends(&mut file), None);
        let right = file.clone();
        file.compare.clear();
        file.view.main = Some(Quantity::FaultLength(FaultId(7)));
        let told = leave_out_loose_ends(&mut file).expect("two things");
        let said = "Opened without what is not in this scenario: expect.run_2: there is no Run 2";
        assert!(told.starts_with(said) && told.ends_with("; and 1 more"), "{told}");
        assert_eq!((file.view.main, file.scenario), (None, right.scenario));
    }

    #[test]
    fn of_several_files_one_is_taken_and_all_are_told() {
        let told =
            |names: &[&str]| one_of(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(told(&["a"]), None);
        let two = told(&["a.json", "b\u{202e}.json"]).expect("two");
        assert_eq!(
            two,
            "2 files were dropped, and one is opened at a time: “a.json” was taken, \
             “b\u{fffd}.json” was not"
        );
        let long = "x".repeat(900_000);
        let many = told(&[&long, "b", "c", "d"]).expect("four");
        assert!(many.ends_with("x…” was taken, the other 3 were not"), "{many}");
        assert!(many.chars().count() < 200, "{many}");
    }

    #[test]
    fn what_is_wrong_begins_with_what_it_was() {
        let wrong = |text: &str, source| read(text, source).expect_err(text);
        assert!(wrong("{", Source::Pasted).starts_with("This file"));
        assert!(wrong("[]", Source::Pasted).starts_with("This file"));
        assert!(wrong("hello", Source::File).starts_with("This file"));
        assert!(wrong("", Source::File).starts_with("This file"));
        assert!(wrong("hello", Source::Pasted).starts_with("This link"));
        assert!(wrong("https://host.example/", Source::Pasted).starts_with("This link"));
        assert!(wrong("1.AAAA", Source::Link).starts_with("This link"));
        let deep = format!("{{\"version\":{}", "[".repeat(500_000));
        assert!(wrong(&deep, Source::Pasted).starts_with("This file"));
    }
}

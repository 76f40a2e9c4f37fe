//! Software that keeps its jobs or its locks in a server, at its trap: when an end is acted on,
//! whose completion is taken, who is told. The scripts that played it are in
//! `tests/recordings/scripts`.

mod bullmq;
mod celery;
mod clients;
mod laravel;
mod pg_boss;
mod quartz;
mod rabbitmq;
mod ruby;

use super::{Line, Part};

/// The observations of a word that one client made, or that are about it.
fn of<'a>(part: &'a Part, word: &str, who: &str) -> Vec<&'a Line> {
    let all = part.all(word).into_iter();
    let found: Vec<&Line> = all.filter(|line| line.find("who") == Some(who)).collect();
    assert!(!found.is_empty(), "no `{word}` of {who}");
    found
}

/// The place of an observation in its part.
fn place(part: &Part, line: &Line) -> usize {
    let place = part.lines.iter().position(|other| std::ptr::eq(other, line));
    place.expect("it is of this part")
}

/// Whether one was seen before the other.
fn is_before(part: &Part, one: &Line, other: &Line) -> bool {
    place(part, one) < place(part, other)
}

fn is_refused(line: &Line) -> bool {
    line.get("reply").starts_with("error:")
}

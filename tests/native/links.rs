//! Links that this program once made keep their meaning. `tests/snapshots/links.txt` is appended to
//! and never rewritten: a line is a link's name, the digests of its runs with the place on the
//! page, and the link. A change of what a run does may change digests, and only those.

use std::fmt::Write;

use fenceline::scenarios::GALLERY;
use fenceline::sim::SimTime;
use fenceline::sim::id::{ClientId, FaultId, LockNodeId, NodeId};
use fenceline::sim::scenario::{
    ActorName, FaultEnd, Incident, Observed, ObservedKind, ScenarioFile,
};
use fenceline::view_model::outside::link::{Link, Place, Selected, verdicts};
use fenceline::view_model::runs::Runs;

const LINKS: &str = include_str!("../snapshots/links.txt");

/// What a link means: who plays, where the page stands, what runs come to.
fn meaning(link: &Link) -> String {
    let runs = Runs::of(&link.file).expect("a link's runs can be made");
    let mut text = String::new();
    for (_, run) in runs.shown() {
        write!(text, "{} ", run.digest()).expect("text");
    }
    let Place { scenario, at, window, to_scale, selected, verdicts } = &link.place;
    let scenario = scenario.as_deref().unwrap_or("-");
    let at = at.map_or("-".to_owned(), |at| at.to_string().replace(' ', ""));
    let window = window.map_or("-".to_owned(), |(from, to)| format!("{from}..{to}"));
    write!(text, "{scenario} {at} {}", window.replace(' ', "")).expect("text");
    write!(text, " {selected:?} {verdicts:?}").expect("text");
    if *to_scale {
        text += " to scale";
    }
    text
}

/// A file with everything that an incident can say, and names that mean something elsewhere.
fn incident() -> ScenarioFile {
    let mut file = GALLERY[0].file();
    let (a, service) = (NodeId::Client(ClientId(0)), NodeId::Lock(LockNodeId(0)));
    let line = |millis, is, sets| Observed {
        at: SimTime::from_millis(millis),
        actor: Some(a),
        text: "</text><script>alert(1)</script> \u{202e}".to_owned(),
        is,
        sets,
    };
    file.incident = Incident {
        start: "2024-05-01T10:00:00.250+02:00".parse().ok(),
        zone: "Europe/Berlin".to_owned(),
        clock: true,
        names: vec![
            ActorName { actor: a, name: "billing-7 \"; DROP TABLE".to_owned() },
            ActorName { actor: service, name: "<b>redis</b>".to_owned() },
        ],
        observed: vec![
            line(2_000, Some(ObservedKind::Paused), Some(FaultEnd::Start(FaultId(1)))),
            line(17_100, None, None),
        ],
    };
    file
}

/// A link carries what a file says of an incident, and what is damaged there is refused.
#[test]
fn a_link_carries_the_incident() {
    let link = Link { file: incident(), place: Place::default() };
    let read = Link::parse(&link.to_fragment());
    assert_eq!(read.as_ref(), Ok(&link));
    let plain = Link { file: GALLERY[0].file(), place: Place::default() };
    let (with, without) = (meaning(&link), meaning(&plain));
    assert_eq!(with, without, "nothing of it changes a run");
    let mut twice = incident();
    let again = twice.incident.names[0].clone();
    twice.incident.names.push(again);
    let link = Link { file: twice, place: Place::default() };
    let error = Link::parse(&link.to_fragment()).expect_err("two names").to_string();
    assert!(error.starts_with("This link") && error.contains("billing-7"), "{error}");
}

/// The links that the list has of each version, made anew by the present program.
fn made_today() -> Vec<(String, Link)> {
    let mut links = Vec::new();
    for entry in GALLERY.iter().take(6) {
        let file = entry.file();
        let runs = Runs::of(&file).expect(entry.id);
        let place = Place {
            scenario: Some(entry.id.to_owned()),
            at: Some(runs.opens_at()),
            verdicts: verdicts(&runs),
            ..Place::default()
        };
        links.push((entry.id.to_owned(), Link { file, place }));
    }
    let file = GALLERY[0].file();
    let place = Place {
        window: Some((SimTime::from_millis(9_000), SimTime::from_millis(18_000))),
        selected: Some(Selected::Fault(FaultId(1))),
        ..Place::default()
    };
    links.push(("zoomed".to_owned(), Link { file: file.clone(), place }));
    let place = Place { selected: Some(Selected::Moment(20)), ..Place::default() };
    links.push(("selected".to_owned(), Link { file: file.clone(), place }));
    let mut file = file;
    file.title = "Ünï \"quoted\" <b>`x`</b> \u{202e}".to_owned();
    file.compare.clear();
    links.push(("own-title".to_owned(), Link { file, place: Place::default() }));
    links.push(("incident".to_owned(), Link { file: incident(), place: Place::default() }));
    links
}

/// Appends what the list has not of the version that is written; it never touches what is there.
#[test]
fn old_links_keep_their_meaning() {
    let mut missing = String::new();
    for (name, link) in made_today() {
        let fragment = link.to_fragment();
        let name = format!("{name}.{}", fragment.split_once('.').expect("a version").0);
        if !LINKS.lines().any(|line| line.starts_with(&format!("{name}\t"))) {
            writeln!(missing, "{name}\t{}\t{fragment}", meaning(&link)).expect("text");
        }
    }
    if !missing.is_empty() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/links.txt");
        std::fs::write(path, format!("{LINKS}{missing}")).expect("the list can be written");
        panic!("added to {path}: read it, then run the test again");
    }
    let mut n_links = 0;
    for line in LINKS.lines() {
        let parts: Vec<_> = line.split('\t').collect();
        let [name, expected, fragment] = parts[..] else { panic!("three parts: {line}") };
        let link = Link::parse(fragment).expect(name);
        assert_eq!(meaning(&link), expected, "{name}");
        // What is written today may be other text, and means the same.
        assert_eq!(Link::parse(&link.to_fragment()), Ok(link), "{name}");
        n_links += 1;
    }
    assert!(n_links >= 19, "{n_links}: the list is only appended to");
}

/// What stands in links, and what else people and programs put into an address.
const CHARS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_. =%#\u{e9}";

/// A text with one character changed, left out or added, or with two that change places.
fn slips(text: &str) -> impl Iterator<Item = String> {
    let around = |at: usize, middle: &str, skip: usize| {
        format!("{}{middle}{}", &text[..at], &text[at + skip..])
    };
    let each = move |at: usize, skip| {
        CHARS.chars().map(move |char| around(at, char.encode_utf8(&mut [0; 4]), skip))
    };
    let swapped = move |at: usize| {
        let [one, other] = [&text[at..=at], &text[at + 1..at + 2]];
        around(at, &format!("{other}{one}"), 2)
    };
    let n_chars = text.len();
    let changed = (0..n_chars).flat_map(move |at| each(at, 1));
    let added = (0..=n_chars).flat_map(move |at| each(at, 0));
    let left_out = (0..n_chars).map(move |at| around(at, "", 1));
    let all = changed.chain(added).chain(left_out).chain((0..n_chars - 1).map(swapped));
    all.filter(move |slip| slip != text)
}

/// How many slips are refused, mean the same, and open as something else.
fn slipped(link: &Link, fragment: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    for slip in slips(fragment) {
        let kind = match Link::parse(&slip) {
            Ok(read) if read == *link => 1,
            Ok(_) => 2,
            Err(error) => {
                let begins: String = slip.chars().take(10).collect();
                let message = error.to_string();
                assert!(message.starts_with("This link") && message.contains(&begins), "{message}");
                0
            }
        };
        counts[kind] += 1;
    }
    counts
}

/// No slip of a hand opens another scenario, in any place of a link.
#[test]
fn one_wrong_character_opens_no_other_scenario() {
    let mut small = GALLERY[0].file();
    small.compare.clear();
    small.scenario.faults.clear();
    small.expect = None;
    small.view.main = None;
    for file in [small, incident()] {
        let link = Link { file, place: Place::default() };
        let fragment = link.to_fragment();
        let [refused, same, other] = slipped(&link, &fragment);
        assert_eq!(other, 0, "{fragment}");
        // A blank behind it, and the version before, which reads the same and checks less.
        assert_eq!(same, 2, "{fragment}");
        assert!(refused > 130 * fragment.len(), "{refused} of {}", fragment.len());
    }
}

/// Without a checksum some do: the test above would find it.
#[test]
fn one_wrong_character_of_version_1_may_open_another_scenario() {
    let mut lines = LINKS.lines().map(|line| line.rsplit_once('\t').expect("a link").1);
    let fragment = lines.find(|fragment| fragment.starts_with("1.")).expect("an old link");
    let link = Link::parse(fragment).expect("it is read");
    let slips = slips(fragment).step_by(29);
    let opened = slips.filter(|text| Link::parse(text).is_ok_and(|read| read != link));
    let n_opened = opened.count();
    assert!(n_opened > 20, "{n_opened}");
}

/// Whatever is left of a link that was cut off is not read.
#[test]
fn a_link_that_is_cut_off_is_refused() {
    let (_, link) = &made_today()[0];
    let good = link.to_fragment();
    for cut in 0..good.len() {
        let message = Link::parse(&good[..cut]).expect_err("it is cut off").to_string();
        assert!(message.starts_with("This link"), "{message}");
    }
}

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
use fenceline::view_model::link::{Link, Place, Selected, verdicts};
use fenceline::view_model::runs::Runs;

const LINKS: &str = include_str!("../snapshots/links.txt");

/// What a link means: who plays, where the page stands, what runs come to.
fn meaning(link: &Link) -> String {
    let runs = Runs::of(&link.file).expect("a link's runs can be made");
    let mut text = String::new();
    for (_, run) in runs.shown() {
        write!(text, "{} ", run.digest()).expect("text");
    }
    let Place { scenario, at, window, selected, verdicts } = &link.place;
    let scenario = scenario.as_deref().unwrap_or("-");
    let at = at.map_or("-".to_owned(), |at| at.to_string().replace(' ', ""));
    let window = window.map_or("-".to_owned(), |(from, to)| format!("{from}..{to}"));
    write!(text, "{scenario} {at} {}", window.replace(' ', "")).expect("text");
    write!(text, " {selected:?} {verdicts:?}").expect("text");
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

/// The links that the list began with, made anew by the present program.
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

/// Writes the list where there is none; it never touches one that is there.
#[test]
fn old_links_keep_their_meaning() {
    if LINKS.is_empty() {
        let lines = made_today()
            .into_iter()
            .map(|(name, link)| format!("{name}\t{}\t{}\n", meaning(&link), link.to_fragment()));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/links.txt");
        std::fs::write(path, lines.collect::<String>()).expect("the list can be written");
        panic!("wrote {path}: read it, then run the test again");
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
    assert!(n_links >= 9, "{n_links}: the list is only appended to");
}

/// Whatever somebody does to a link, it is read or explained, and reads no more than it may.
#[test]
fn no_damage_to_a_link_does_harm() {
    let (_, link) = &made_today()[0];
    let good = link.to_fragment();
    for cut in 0..good.len() {
        let message = Link::parse(&good[..cut]).expect_err("it is cut off").to_string();
        assert!(message.starts_with("This link"), "{message}");
    }
    for at in 0..good.len() {
        let mut bytes = good.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let text = String::from_utf8(bytes).expect("ASCII");
        match Link::parse(&text) {
            Ok(link) => assert!(Runs::of(&link.file).is_ok()),
            Err(error) => assert!(error.to_string().starts_with("This link"), "{error}"),
        }
    }
}

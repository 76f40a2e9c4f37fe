//! Links: both versions of every kind of scenario, as somebody's hand or program spoils them, and
//! links whose content was made by another program.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;

use fenceline::scenarios::GALLERY;
use fenceline::view_model::outside::import::{self, Source};
use fenceline::view_model::outside::link::{Link, Place};

use super::dice::Dice;
use super::files::runs;
use super::{Fuzzer, Trial, inputs, mutate};

pub const LINKS: Fuzzer =
    Fuzzer { name: "links", usual: 300, make: changed_link, hold: is_refused_or_run };

const STEPS: u32 = 5_000;

/// Recorded links of all versions, and one of each scenario.
static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
    let recorded = include_str!("../../snapshots/links.txt").lines();
    let recorded = recorded.filter_map(|line| Some(line.rsplit_once('\t')?.1.to_owned()));
    let link = |entry: &fenceline::scenarios::GalleryEntry| {
        let place = Place { scenario: Some(entry.id.to_owned()), ..Place::default() };
        Link { file: entry.file(), place }.to_fragment()
    };
    let corpus = inputs("fuzz/corpus/links").into_iter().map(|(_, text)| text);
    recorded.chain(GALLERY.iter().map(link)).chain(corpus).collect()
});

/// What stands in links, as JSON.
static CONTENTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let json = |link: &String| {
        let packed = URL_SAFE_NO_PAD.decode(link.split_once('.')?.1).ok()?;
        String::from_utf8(decompress_to_vec(&packed).ok()?).ok()
    };
    ALL.iter().filter_map(json).collect()
});

/// A link with characters changed, or, without a checksum, with other values in it.
pub fn changed_link(dice: &mut Dice) -> String {
    if dice.once_in(2) {
        return mutate::characters(dice.text(&ALL), &ALL, dice);
    }
    let json = mutate::values(dice.text(&CONTENTS), &CONTENTS, dice);
    let fragment = format!("1.{}", URL_SAFE_NO_PAD.encode(compress_to_vec(json.as_bytes(), 6)));
    match dice.below(4) {
        0 => format!("https://host.example/a/?x=1#{fragment}"),
        1 => format!(" {fragment}\n"),
        _ => fragment,
    }
}

/// A link that is read can be run, and written again.
fn is_refused_or_run(text: &str, trial: &mut Trial) {
    match import::read(text, Source::Link) {
        Ok(link) => {
            runs(&link.file, STEPS);
            let again = Link::parse(&link.to_fragment()).expect("what is written can be read");
            assert_eq!((again.file.scenario, again.place), (link.file.scenario, link.place));
            trial.taken();
        }
        Err(message) => {
            assert!(message.starts_with("This link"), "{message}");
            trial.refused(&message);
        }
    }
    // What is pasted may be a file as well.
    if let Err(message) = import::read(text, Source::Pasted) {
        assert!(message.starts_with("This link") || message.starts_with("This file"), "{message}");
        trial.said(&message);
    }
}

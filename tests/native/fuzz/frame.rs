//! The page inside another page: addresses that ask for it, and messages from the page around.

use std::sync::LazyLock;

use fenceline::sim::limits;
use fenceline::view_model::outside::embed::{self, EmbedOptions};
use serde_json::Value;

use super::dice::Dice;
use super::{Fuzzer, Trial, inputs, mutate};

pub const FRAME: Fuzzer = Fuzzer { name: "frame", usual: 2_000, make: changed, hold: is_answered };

/// Messages and addresses as they should be.
static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
    let own = [
        r#"{"fenceline":1,"do":"play"}"#,
        r#"{"fenceline":1,"do":"pause"}"#,
        r#"{"fenceline":1,"do":"seek","to":"17.1 s"}"#,
        r#"{"fenceline":1,"do":"fencing","mode":"both"}"#,
        r#"{"fenceline":1,"do":"state"}"#,
        "?embed",
        "?embed&origin=https://blog.example&theme=dark",
        "?utm=x&embed=1&origin=https%3A%2F%2FBlog.Example%3A443&origin=http://[::1]:9",
    ];
    let corpus = inputs("fuzz/corpus/frame").into_iter().map(|(_, text)| text);
    own.into_iter().map(str::to_owned).chain(corpus).collect()
});

fn changed(dice: &mut Dice) -> String {
    let text = dice.text(&ALL);
    match dice.once_in(2) {
        true => mutate::values(text, &ALL, dice),
        false => mutate::characters(text, &ALL, dice),
    }
}

/// A text as a message and as an address.
fn is_answered(text: &str, trial: &mut Trial) {
    match embed::read(text) {
        None => {}
        Some(Ok(_)) => trial.taken(),
        Some(Err(message)) => {
            trial.refused(&message);
            let answer: Value = serde_json::from_str(&embed::error(&message)).expect("JSON");
            assert_eq!(answer["message"].as_str(), Some(message.as_str()));
        }
    }
    let Some(options) = EmbedOptions::parse(text) else { return };
    assert!(options.origins.len() <= limits::MAX_EMBED_ORIGINS);
    for origin in &options.origins {
        assert!(options.takes(origin));
        assert!(origin.starts_with("http"), "{origin}");
        trial.said(origin);
    }
    assert!(!options.takes("null") && !options.takes(""));
    for problem in &options.problems {
        trial.refused(problem);
    }
}

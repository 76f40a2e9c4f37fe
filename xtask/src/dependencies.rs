//! The dependency guard: without the feature `ui` nothing of the web may be in the tree, so that
//! the simulation, the questions over it and the view model stay free of the browser.

use crate::shell::{Outcome, cargo, output};

/// Crates whose names start so are the web's.
const WEB: [&str; 6] = ["yew", "gloo", "web-sys", "js-sys", "wasm-bindgen", "implicit-clone"];

/// Looks through the tree of every target.
pub(crate) fn check() -> Outcome {
    let mut tree = cargo(&["tree", "--locked", "--package", "fenceline", "--no-default-features"]);
    tree.args(["--edges", "normal", "--target", "all", "--prefix", "none", "--format", "{p}"]);
    let text = output(&mut tree)?;
    let found = web_crates(&text);
    if found.is_empty() {
        println!("  {} crates, none of the web's", crates(&text).count());
        return Ok(());
    }
    Err(format!(
        "without the feature `ui` the tree holds {}: make them optional and part of `ui`, or do \
         without (`cargo tree --no-default-features --invert NAME` says who asks for one)",
        found.join(", ")
    ))
}

fn crates(tree: &str) -> impl Iterator<Item = &str> {
    tree.lines().filter_map(|line| line.split_whitespace().next())
}

fn web_crates(tree: &str) -> Vec<&str> {
    crates(tree).filter(|name| WEB.iter().any(|web| name.starts_with(web))).collect()
}

#[cfg(test)]
mod tests {
    use super::web_crates;

    #[test]
    fn web_crates_are_found_and_others_are_not() {
        let tree = "fenceline v0.1.0\nserde v1.0.0\ngloo-utils v0.2.0\nyew v0.23.0 (*)\n";
        assert_eq!(web_crates(tree), ["gloo-utils", "yew"]);
        assert!(web_crates("fenceline v0.1.0\nserde_json v1.0.0\n").is_empty());
    }
}

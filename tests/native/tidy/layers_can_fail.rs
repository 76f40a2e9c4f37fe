//! Each part of the layer guard, fed with what it must find and with what it must let pass.

use super::layers::{check, lints};
use super::source::Source;

fn complaints(path: &str, code: &str) -> usize {
    check(&Source::new(path, code)).len()
}

#[test]
fn upward_paths_are_found_in_every_form() {
    let bad = [
        "use crate::ui::App;",
        "use crate::{sim::Event, view_model};",
        "use crate::{\n    sim::{self, id},\n    explore::edges,\n};",
        "fn f() -> crate::explore::Range { x }",
        "pub(in crate::ui) fn f() {}",
        "use crate as root;",
        "use crate::*;",
        "use super::super::ui;",
        "use self::super::super::ui;",
        "extern crate self as root;",
        "fenceline::ui::App",
        "macro_rules! m { () => { $crate::ui::App } }",
        "#[path = \"../ui/app.rs\"] mod app;",
        "include!(\"../ui/app.rs\");",
    ];
    for code in bad {
        assert_eq!(complaints("src/sim/time.rs", code), 1, "{code}");
    }
}

#[test]
fn own_paths_pass() {
    let good = [
        "use crate::sim::time::SimTime;",
        "use crate::sim::{id, log::{self, EventLog}};",
        "pub(crate) fn f() {}",
        "pub(super) fn f() {}",
        "use super::id;",
        "mod tests { use super::*; use super::super::id; }",
        "// crate::ui is far away\nlet text = \"crate::ui\";",
        "include_str!(\"a.json\")",
    ];
    for code in good {
        assert_eq!(complaints("src/sim/time.rs", code), 0, "{code}");
    }
}

#[test]
fn super_is_counted_from_the_layers_root() {
    assert_eq!(complaints("src/sim/mod.rs", "use super::ui;"), 1);
    assert_eq!(complaints("src/sim/lock/mod.rs", "use super::id;"), 0);
    assert_eq!(complaints("src/sim/lock/plain.rs", "use super::super::id;"), 0);
    assert_eq!(complaints("src/sim/lock/plain.rs", "use super::super::super::ui;"), 1);
    assert_eq!(complaints("src/sim/time.rs", "mod a { } use super::super::ui;"), 1);
}

#[test]
fn each_layer_has_its_own_limit() {
    assert_eq!(complaints("src/explore/edges.rs", "use crate::sim::Event;"), 0);
    assert_eq!(complaints("src/explore/edges.rs", "use crate::view_model::Lane;"), 1);
    assert_eq!(complaints("src/view_model/lane.rs", "use crate::explore::Range;"), 0);
    assert_eq!(complaints("src/view_model/lane.rs", "use crate::ui::App;"), 1);
    assert_eq!(complaints("src/ui/app.rs", "use crate::view_model::Lane; use yew::Html;"), 0);
    assert_eq!(complaints("src/bin/fenceline.rs", "use fenceline::{sim, view_model};"), 0);
    assert_eq!(complaints("src/bin/fenceline.rs", "use fenceline::ui::App;"), 1);
    assert_eq!(complaints("src/elsewhere/mod.rs", ""), 1);
}

#[test]
fn the_browser_floats_and_chance_are_found_outside_the_page() {
    let bad = [
        "use web_sys::window;",
        "fn f(x: yew::Html) {}",
        "gloo_timers::callback::Timeout",
        "let x: f32;",
        "let x = 1.5;",
        "let x = 1e3;",
        "let x = 2_f64;",
        "std::collections::HashMap::new()",
        "std::time::Instant::now()",
        "use std::{fmt, time::SystemTime};",
    ];
    for code in bad {
        assert_eq!(complaints("src/view_model/lane.rs", code), 1, "{code}");
    }
    let good = "let x = 0x1e3; let y = 1_usize; let z = pair.0.1; for i in 0..2 {}";
    assert_eq!(complaints("src/view_model/lane.rs", good), 0);
    assert_eq!(complaints("src/ui/app.rs", "let x: f64 = 1.5;"), 0);
}

#[test]
fn a_missing_lint_is_found() {
    let all = "#![deny(\n clippy::disallowed_types, clippy::float_arithmetic,\n \
               clippy::wildcard_enum_match_arm)]";
    assert!(lints(&Source::new("src/sim/mod.rs", all)).is_empty());
    let two = "#![deny(clippy::disallowed_types, clippy::wildcard_enum_match_arm)]";
    assert_eq!(lints(&Source::new("src/sim/mod.rs", two)).len(), 1);
    assert_eq!(lints(&Source::new("src/sim/mod.rs", "pub mod time;")).len(), 3);
}

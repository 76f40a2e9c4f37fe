//! `cargo xtask bench`: the figures of docs/performance.md, as one table. The native ones come from
//! benches/engine.rs, those of the page from tests/bench/page.mjs on the optimised build.

use crate::shell::{Outcome, cargo, output, say};
use crate::tools::{WASM_TARGET, need_wasm, path};
use crate::{browser, dist, node};
use std::path::Path;

/// A figure that was measured.
#[derive(Debug, PartialEq)]
struct Figure {
    name: String,
    value: String,
    unit: String,
}

/// What each figure should come to; those without a target only explain others.
const TARGETS: [(&str, &str); 18] = [
    ("typical run", "under 50 µs"),
    ("engine", "10 M entries/s"),
    ("entry", "64 bytes"),
    ("recording", "64 bytes/entry"),
    ("transfer, gzip", "150 kB"),
    ("drag of the pause, per move", "12 ms"),
    ("drag of the pause, 4× slower: 95 % within", "50 ms"),
    ("scrub, per move", "6 ms"),
    ("busy while playing at 1×", "under 10 %"),
    ("SVG nodes, first scenario", "about 300"),
    ("SVG nodes, most in the gallery", "about 300"),
    ("SVG nodes, longest run", "1500"),
    ("web: typical run", "under 150 µs"),
    ("web: engine", "5 M entries/s"),
    ("web: seek in 10000 entries, 99 %", "150 µs"),
    ("web: seek in 10000 entries, worst", "2000 µs"),
    ("web: seek in 1000000 entries, 99 %", "150 µs"),
    ("web: seek in 1000000 entries, worst", "2000 µs"),
];

/// The native part.
const ENGINE: [&str; 2] = ["--bench", "engine"];
/// The same as WebAssembly, built as the page is.
const WEB: [&str; 5] = ["--release", "--bench", "web", "--", "--nocapture"];

/// Measures and prints the table.
pub(crate) fn bench() -> Outcome {
    if !Path::new(dist::FOLDER).join("index.html").is_file() {
        dist::make()?;
    }
    node::need_packages()?;
    need_wasm()?;
    let browser = browser::need_browser()?;
    say("Measuring the simulation on this machine's own target (1 minute to build, then seconds)");
    let native = output(cargo(&["bench", "--locked", "--no-default-features"]).args(ENGINE))?;
    say("Measuring the simulation as WebAssembly (2 minutes to build, then seconds)");
    let mut web = cargo(&["test", "--locked", "--target", WASM_TARGET]);
    let web = output(web.args(WEB).env("PATH", path()?).env("CHROMEDRIVER", &browser.driver))?;
    say("Measuring the page in Chromium (about 2 minutes)");
    let page = output(node::script("tests/bench/page.mjs", &[]).env("CHROMIUM", browser.chromium))?;
    let (native, web, page) = (figures(&native), figures(&web), figures(&page));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let machine = format!("{os} {arch}, {cores} cores");
    let version = page.iter().find(|figure| figure.name == "browser");
    let version = version.map_or("", |figure| figure.value.as_str());
    let in_browser = format!("{machine}, headless Chromium {version}");
    let groups: [(&[Figure], &str); 3] =
        [(&native, &machine), (&web, &in_browser), (&page, &in_browser)];
    println!("\n{}", table(&groups));
    Ok(())
}

/// The lines `name<TAB>value<TAB>unit` of what a program printed.
fn figures(printed: &str) -> Vec<Figure> {
    let figure = |line: &str| {
        let mut parts = line.split('\t').map(str::to_owned);
        Some(Figure { name: parts.next()?, value: parts.next()?, unit: parts.next()? })
    };
    printed.lines().filter_map(figure).collect()
}

fn target(name: &str) -> &'static str {
    let found = TARGETS.iter().find(|(of, _)| *of == name);
    found.map_or("", |(_, target)| target)
}

/// The figures as a table in Markdown, each group with its machine.
fn table(groups: &[(&[Figure], &str)]) -> String {
    let mut text = String::from("| figure | here | target | machine |\n|---|---|---|---|\n");
    for (figures, machine) in groups {
        let shown = figures.iter().filter(|figure| figure.name != "browser");
        for Figure { name, value, unit } in shown {
            let target = target(name);
            text.push_str(&format!("| {name} | {value} {unit} | {target} | {machine} |\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Figure, figures, table};

    #[test]
    fn figures_are_read_from_among_other_lines() {
        let figure = Figure {
            name: "engine".to_owned(),
            value: "12.5".to_owned(),
            unit: "M entries/s".to_owned(),
        };
        assert_eq!(figures("Finished in 3 s\nengine\t12.5\tM entries/s\n"), [figure]);
    }

    #[test]
    fn the_table_names_targets_and_machines() {
        let text = table(&[(&figures("engine\t12.5\tM entries/s"), "a machine")]);
        assert!(text.contains("| engine | 12.5 M entries/s | 10 M entries/s | a machine |"));
    }
}

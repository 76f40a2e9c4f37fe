//! `check`: what each run comes to, beside what its file expects. A file that is wrong is told, and
//! the next one is checked.

use std::path::Path;

use fenceline::explore::CauseSearch;
use fenceline::sim::scenario::{ExpectedRun, Incident};
use fenceline::sim::{Recording, Scenario};
use fenceline::view_model::sentences::{cause_words, range_words, verdict};
use fenceline::view_model::words::names::Words;

use super::arguments::CheckOptions;
use super::output::{Output, tell};
use super::{AS_EXPECTED, NOT_AS_EXPECTED, WRONG, Wrong, base, input, patched};

/// Checks files. Returns the worst of what they came to.
pub(crate) fn files(out: &mut Output, options: &CheckOptions) -> u8 {
    let mut code = AS_EXPECTED;
    for path in &options.paths {
        let came_to = file(out, path, options.is_thorough).unwrap_or_else(|Wrong(message)| {
            tell(&message);
            WRONG
        });
        code = code.max(came_to);
        // What is told of the next file stands below what is printed of this one.
        out.flush();
    }
    code
}

fn file(out: &mut Output, path: &Path, is_thorough: bool) -> Result<u8, Wrong> {
    let file = input::read(path)?;
    // Whoever has written these has meant something else than what would be judged.
    let loose = file.loose_ends();
    if !loose.is_empty() {
        let name = input::name(path);
        loose.iter().for_each(|loose| tell(&format!("{name}: {loose}")));
        return Ok(WRONG);
    }
    out.line(&format!("{}: {}", input::name(path), file.title));
    let expected = file.expect.as_ref();
    let mut judge = |name, scenario: &Scenario, expected| {
        let recording = Recording::of(scenario);
        let ranges = range_words::lines(&recording, &file, is_thorough);
        run(out, name, &recording, &ranges, expected)
    };
    let mut is_met = judge("Run 1", &base(&file)?, expected.map(|expect| &expect.run_1));
    if !file.compare.is_empty() {
        let expected = expected.and_then(|expect| expect.run_2.as_ref());
        is_met &= judge("Run 2", &patched(&file)?, expected);
    }
    Ok(if is_met { AS_EXPECTED } else { NOT_AS_EXPECTED })
}

/// Prints what a run came to. Tells whether that was expected.
fn run(
    out: &mut Output,
    name: &str,
    recording: &Recording,
    ranges: &[String],
    expected: Option<&ExpectedRun>,
) -> bool {
    let came_to = verdict::verdict(recording.verdict(), recording.costs()).text;
    out.line(&format!("  {name}: {came_to}"));
    let not_judged = verdict::beside_safe(recording);
    if !not_judged.is_empty() {
        out.line(&format!("    {}: {}", verdict::NOT_JUDGED, not_judged.join("; ")));
    }
    let words = Words::of(&Incident::default(), recording.scenario().spec());
    let search = CauseSearch::new(recording).finish();
    if let Some(told) = cause_words::told(&words, recording, &search) {
        told.lines().for_each(|line| out.line(&format!("    {line}")));
    }
    for report in recording.properties() {
        let cell = verdict::property(&words, recording, report);
        out.line(&format!("    {:<46} {}", report.id.name(), cell.text));
    }
    ranges.iter().for_each(|line| out.line(&format!("    {line}")));
    for (name, value) in verdict::beside(recording.costs()) {
        out.line(&format!("    {name:<46} {value}"));
    }
    let Some(expected) = expected else {
        out.line("    nothing is expected of it: add `expect` to the file");
        return false;
    };
    let problems = expected.problems(recording);
    for problem in &problems {
        out.line(&format!("    NOT AS EXPECTED: {problem}"));
    }
    problems.is_empty()
}

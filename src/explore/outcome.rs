//! What a run comes to, as far as questions over many runs are concerned.

use crate::sim::Recording;
use crate::sim::property::VerdictKind;

/// “Safe” and “safe by luck” are different.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outcome {
    /// The verdict.
    pub kind: VerdictKind,
    /// Whether it is safe by luck.
    pub by_luck: bool,
}

impl Outcome {
    /// What a recording comes to.
    pub fn of(recording: &Recording) -> Self {
        let verdict = recording.verdict();
        Self { kind: verdict.kind, by_luck: verdict.by_luck }
    }
}

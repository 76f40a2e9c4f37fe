//! The verdicts in words: one table, from which every text about a verdict is made.

use crate::sim::property::VerdictKind;
use crate::sim::time::SimTime;

use super::wording::{small, time};

/// How loud something is. Red means damage and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tone {
    /// Ink.
    Plain,
    /// Amber: not right, no damage.
    Warning,
    /// Red: damage.
    Damage,
}

/// The ground and pattern of a verdict: told apart by shape as well as by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Plain.
    Safe,
    /// Dots: no harm, but not right.
    ByLuck,
    /// Level stripes.
    Half,
    /// Upright dashes.
    Unavailable,
    /// Slanted stripes.
    Corrupted,
}

impl Pattern {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Safe, Self::ByLuck, Self::Half, Self::Unavailable, Self::Corrupted];

    /// Its class in the style sheets, and the name of its hatch in pictures: wherever a verdict
    /// stands, it is drawn by this.
    pub fn class(self) -> &'static str {
        match self {
            Self::Safe => "is-safe",
            Self::ByLuck => "is-by-luck",
            Self::Half => "is-half",
            Self::Unavailable => "is-unavailable",
            Self::Corrupted => "is-corrupted",
        }
    }
}

/// A verdict in words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutcomeWords {
    /// What it is called.
    pub name: &'static str,
    /// What stands between the name and the time, where a time is told.
    pub when: &'static str,
    /// What a setting does at which it comes about.
    pub verb: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// How loud.
    pub tone: Tone,
    /// What it looks like beside its words.
    pub pattern: Pattern,
}

const SAFE_BY_LUCK: OutcomeWords = OutcomeWords {
    name: "Safe by luck",
    when: "",
    verb: "Late but harmless",
    meaning: "Something late was accepted, or two holders worked at one time, and it did \
        no harm.",
    tone: Tone::Warning,
    pattern: Pattern::ByLuck,
};

const SAFE: OutcomeWords = OutcomeWords {
    name: "Safe in this run",
    when: "",
    verb: "Safe",
    meaning: "Nothing bad happened in this run.",
    tone: Tone::Plain,
    pattern: Pattern::Safe,
};

const SAFE_SO_FAR: OutcomeWords = OutcomeWords {
    name: "Safe so far",
    when: "",
    verb: "Safe so far",
    meaning: "Nothing bad happened until the run's end, where something that could still \
        do harm was under way.",
    tone: Tone::Plain,
    pattern: Pattern::Safe,
};

const WASTED_WORK: OutcomeWords = OutcomeWords {
    name: "Wasted work",
    when: "at",
    verb: "Wastes work",
    meaning: "One piece of work was done twice, and the state is right.",
    tone: Tone::Warning,
    pattern: Pattern::ByLuck,
};

const NO_WORK_FINISHED: OutcomeWords = OutcomeWords {
    name: "No work finished",
    when: "from",
    verb: "Finishes no work",
    meaning: "Every piece of work was refused, given up or lost, although there was time \
        for two.",
    tone: Tone::Warning,
    pattern: Pattern::Unavailable,
};

const UNAVAILABLE: OutcomeWords = OutcomeWords {
    name: "Unavailable",
    when: "from",
    verb: "Unavailable",
    meaning: "Nobody could get the lock, or its rightful holder was refused and never \
        served.",
    tone: Tone::Warning,
    pattern: Pattern::Unavailable,
};

const HALF_WRITTEN: OutcomeWords = OutcomeWords {
    name: "Half written",
    when: "from",
    verb: "Leaves half a unit of work",
    meaning: "Half of a unit of work stands at the end, and the rest never will; nobody \
        has built on it.",
    tone: Tone::Warning,
    pattern: Pattern::Half,
};

const CORRUPTED: OutcomeWords = OutcomeWords {
    name: "Corrupted",
    when: "at",
    verb: "Corrupts",
    meaning: "The state is wrong: no order of the units of work explains it, an older \
        value replaced a newer one, half a unit was built on, or an item of a queue was lost.",
    tone: Tone::Damage,
    pattern: Pattern::Corrupted,
};

/// The words of a verdict; only “safe” is safe by luck.
pub fn words(kind: VerdictKind, by_luck: bool) -> OutcomeWords {
    match kind {
        VerdictKind::Safe if by_luck => SAFE_BY_LUCK,
        VerdictKind::Safe => SAFE,
        VerdictKind::SafeSoFar => SAFE_SO_FAR,
        VerdictKind::WastedWork => WASTED_WORK,
        VerdictKind::NoWorkFinished => NO_WORK_FINISHED,
        VerdictKind::Unavailable => UNAVAILABLE,
        VerdictKind::HalfWritten => HALF_WRITTEN,
        VerdictKind::Corrupted => CORRUPTED,
    }
}

/// What it is called in a few letters, inside a sentence: `safe`, `corrupted`.
pub fn short(kind: VerdictKind, by_luck: bool) -> String {
    small(words(kind, by_luck).name.trim_end_matches(" in this run"))
}

/// A verdict with its time: `Corrupted at 17.1 s`, `Unavailable from 2.0 s`.
pub fn told(kind: VerdictKind, by_luck: bool, at: Option<SimTime>) -> String {
    let OutcomeWords { name, when, .. } = words(kind, by_luck);
    at.map_or(name.to_owned(), |at| format!("{name} {when} {}", time(at)))
}

/// Whether a verdict is one of the safe ones.
pub fn is_safe(kind: VerdictKind) -> bool {
    match kind {
        VerdictKind::Safe | VerdictKind::SafeSoFar => true,
        VerdictKind::WastedWork
        | VerdictKind::NoWorkFinished
        | VerdictKind::Unavailable
        | VerdictKind::HalfWritten
        | VerdictKind::Corrupted => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_is_told_from_when_on() {
        let told = |kind| told(kind, false, Some(SimTime::from_millis(2_000)));
        assert_eq!(told(VerdictKind::Unavailable), "Unavailable from 2.0 s");
        assert_eq!(told(VerdictKind::Corrupted), "Corrupted at 2.0 s");
    }
}

//! The patterns of verdicts as drawings are filled with them: pictures and the page that plays.
//! `static/css/marks.css` has their colours. It knows no runs.

use crate::view_model::words::outcome_words::Pattern;

/// A pattern as SVG writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hatch {
    /// What a fill names it by.
    pub id: String,
    /// The class of its colours.
    pub class: &'static str,
    /// Repeated after so many px across.
    pub w: u8,
    /// And down.
    pub h: u8,
    /// How it is turned.
    pub turned: &'static str,
    /// Its marks, on its ground.
    pub marks: &'static str,
}

/// The pattern of a verdict.
pub fn hatch(pattern: Pattern) -> Hatch {
    let (w, h, turned, marks) = match pattern {
        Pattern::Safe => (6, 6, "", ""),
        Pattern::ByLuck => {
            let dots = "M.45 1.5a1.05 1.05 0 1 1 2.1 0a1.05 1.05 0 1 1-2.1 0z\
                        M3.45 4.5a1.05 1.05 0 1 1 2.1 0a1.05 1.05 0 1 1-2.1 0z";
            (6, 6, "", dots)
        }
        Pattern::Half => (6, 6, "", "M0 1.35h6v3.3H0z"),
        Pattern::Unavailable => (4, 8, "", "M0 0h1.4v5H0z"),
        Pattern::Corrupted => (5, 5, "rotate(45)", "M0 0h2v5H0z"),
    };
    let class = pattern.class();
    Hatch { id: format!("zone-{class}"), class, w, h, turned, marks }
}

/// What fills with it.
pub fn fill(pattern: Pattern) -> String {
    format!("url(#zone-{})", pattern.class())
}

//! Which class of the style sheet (`static/css/marks.css`) draws what. The one place that ties the
//! two: the page and the pictures that are taken along are drawn by it.

use super::arrow::{ArrowPath, Did};
use super::lane::{Anchor, Paint, TextStyle};
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::tracks::flight::Fate;

/// The class of a path.
pub fn class(paint: Paint) -> String {
    let token = |name: &str, color: TokenColor| format!("{name} tok-{}", color.index());
    match paint {
        Paint::Lease(color) => token("p-lease", color),
        Paint::Tooth(color) => token("p-tooth", color),
        Paint::Waiting => "p-waiting".to_owned(),
        Paint::Routine => "p-routine".to_owned(),
        Paint::Belief(color) => token("p-belief", color),
        Paint::FalseBelief(color) => token("p-false", color),
        Paint::Dense => "p-dense".to_owned(),
        Paint::Dead => "p-dead".to_owned(),
        Paint::Down => "p-down".to_owned(),
        Paint::Pause => "p-pause".to_owned(),
        Paint::Cut => "p-cut".to_owned(),
        Paint::CutMark => "p-cut-mark".to_owned(),
        Paint::Clock => "p-clock".to_owned(),
        Paint::ClockHands => "p-clock-hands".to_owned(),
        Paint::Crash => "p-crash".to_owned(),
        Paint::Restart => "p-restart".to_owned(),
        Paint::Value(color) => token("p-value", color),
        Paint::Highest => "p-highest".to_owned(),
        Paint::Ignored => "p-ignored".to_owned(),
        Paint::Effect(color) => token("p-effect", color),
        Paint::Accepted(color) => token("p-write", color),
        Paint::Seal(color) => token("p-seal", color),
        Paint::LateCorner => "p-late".to_owned(),
        Paint::Fence => "p-fence".to_owned(),
        Paint::Bounce => "p-bounce".to_owned(),
        Paint::Bounced(color) => token("p-bounced", color),
        Paint::Torn => "p-torn".to_owned(),
        Paint::Lost(color) => token("p-lost", color),
        Paint::Warning => "p-warning".to_owned(),
        Paint::WarningSign => "p-warning-sign".to_owned(),
        Paint::Damage => "p-damage".to_owned(),
        Paint::Plate => "p-plate".to_owned(),
    }
}

/// The pattern that fills a path, if one does. An attribute, because a pattern named in a style
/// sheet is looked for in the style sheet.
pub fn fill(paint: Paint) -> Option<String> {
    match paint {
        Paint::FalseBelief(color) => Some(format!("url(#hatch-{})", color.index())),
        Paint::Pause => Some("url(#hatch-pause)".to_owned()),
        Paint::Lease(_)
        | Paint::Tooth(_)
        | Paint::Waiting
        | Paint::Routine
        | Paint::Belief(_)
        | Paint::Dense
        | Paint::Dead
        | Paint::Down
        | Paint::Cut
        | Paint::CutMark
        | Paint::Clock
        | Paint::ClockHands
        | Paint::Ignored
        | Paint::Effect(_)
        | Paint::Crash
        | Paint::Restart
        | Paint::Value(_)
        | Paint::Highest
        | Paint::Accepted(_)
        | Paint::Seal(_)
        | Paint::LateCorner
        | Paint::Fence
        | Paint::Bounce
        | Paint::Bounced(_)
        | Paint::Torn
        | Paint::Lost(_)
        | Paint::Warning
        | Paint::WarningSign
        | Paint::Damage
        | Paint::Plate => None,
    }
}

/// The class of a text.
pub fn text_class(style: TextStyle) -> &'static str {
    match style {
        TextStyle::Plain => "x-plain",
        TextStyle::Strong => "x-strong",
        TextStyle::Bad => "x-bad",
        TextStyle::Warning => "x-warning",
    }
}

/// How SVG names the end of a text that lies at its place.
pub fn anchor(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

/// The classes of messages' lines and heads.
pub fn arrow_class(arrows: &ArrowPath) -> String {
    let fate = match arrows.fate {
        Fate::Arrived => "is-arrived",
        Fate::Delayed => "is-delayed",
        Fate::Lost => "is-lost",
    };
    let did = match arrows.did {
        Did::Plain => "",
        Did::Refused => " is-refused",
        Did::Damage => " is-damage",
    };
    format!("{fate}{did}")
}

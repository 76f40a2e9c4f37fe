//! Which class of the style sheet (`static/css/marks.css`) draws what. The one place that ties the
//! two: the page and the pictures that are taken along are drawn by it.

use super::arrow::{ArrowPath, Did};
use super::label::{Anchor, TextGround, TextStyle};
use super::lane::Paint;
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::tracks::flight::Fate;

/// The class of a path.
pub fn class(paint: Paint) -> String {
    let token = |name: &str, color: TokenColor| format!("{name} tok-{}", color.index());
    match paint {
        Paint::Lease(color) => token("p-lease", color),
        // As what is believed without a lease: nobody may rely on either.
        Paint::Overdue(color) => token("p-false", color),
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
    }
}

/// The pattern that fills a path, if one does. An attribute, because a pattern named in a style
/// sheet is looked for in the style sheet.
pub fn fill(paint: Paint) -> Option<String> {
    match paint {
        Paint::FalseBelief(color) | Paint::Overdue(color) => {
            Some(format!("url(#hatch-{})", color.index()))
        }
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
        | Paint::Damage => None,
    }
}

/// The class of what lies under texts.
pub fn ground_class(ground: TextGround) -> String {
    match ground {
        TextGround::Clear => "p-clear".to_owned(),
        TextGround::Card => "p-card".to_owned(),
        TextGround::Bad => "p-bad-ground".to_owned(),
        TextGround::Warned => "p-warned-ground".to_owned(),
        TextGround::Safe => "p-safe-ground".to_owned(),
        TextGround::Value(color) => format!("p-soft tok-{}", color.index()),
        TextGround::Pill => "p-plate".to_owned(),
    }
}

/// Whether a path draws what happened at an instant: not what lasts.
pub fn is_mark(paint: Paint) -> bool {
    match paint {
        Paint::CutMark
        | Paint::Clock
        | Paint::ClockHands
        | Paint::Crash
        | Paint::Restart
        | Paint::Ignored
        | Paint::Effect(_)
        | Paint::Accepted(_)
        | Paint::Seal(_)
        | Paint::LateCorner
        | Paint::Fence
        | Paint::Bounce
        | Paint::Bounced(_)
        | Paint::Warning
        | Paint::WarningSign
        | Paint::Damage => true,
        Paint::Lease(_)
        | Paint::Overdue(_)
        | Paint::Tooth(_)
        | Paint::Waiting
        | Paint::Routine
        | Paint::Belief(_)
        | Paint::FalseBelief(_)
        | Paint::Dense
        | Paint::Dead
        | Paint::Down
        | Paint::Pause
        | Paint::Cut
        | Paint::Value(_)
        | Paint::Lost(_)
        | Paint::Torn
        | Paint::Highest => false,
    }
}

/// The class of a text.
pub fn text_class(style: TextStyle) -> &'static str {
    match style {
        TextStyle::Plain => "x-plain",
        TextStyle::Ink => "x-ink",
        TextStyle::Strong => "x-strong",
        TextStyle::Bad => "x-bad",
        TextStyle::BadPlain => "x-red",
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

//! The keyboard: which key does what, and what a focused control keeps for itself. Plain data, so
//! that help can list it and a test can hold it; it knows no browser.

use crate::sim::time::SimDuration;

use super::playback::{Speed, TimeControlCommand};

/// A key that was pressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stroke<'a> {
    /// Its name, as the browser gives it: `ArrowLeft`, ` `, `k`, `+`.
    pub key: &'a str,
    /// With Shift.
    pub shift: bool,
    /// With Ctrl, or ⌘ on a Mac.
    pub control: bool,
    /// With Alt.
    pub alt: bool,
}

/// What has the focus, as far as keys go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Focus {
    /// Nothing that uses keys.
    Page,
    /// A field that is typed into: every key is its own.
    Typing,
    /// A list to choose from: it looks for what is typed.
    Choosing,
    /// A slider, a group of radio buttons or tabs: arrows, Home, End, Page keys.
    Moving,
    /// A button, a link, a switch: Space and Enter.
    Pressing,
    /// A dialog: the page behind it is out of reach.
    Dialog,
}

/// What a key does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyCommand {
    /// Something to time.
    Time(TimeControlCommand),
    /// The next fencing mode.
    Fencing,
    /// Opens or closes the legend.
    Legend,
    /// Hides the future, or shows it.
    HideFuture,
    /// Zooms in at the playhead.
    ZoomIn,
    /// Zooms out.
    ZoomOut,
    /// Takes back an edit.
    Undo,
    /// Does it again.
    Redo,
    /// The step of the tour before, or the notable event before.
    PreviousStep,
    /// The next one.
    NextStep,
    /// Opens help.
    Help,
    /// Looks for a product by name.
    Products,
}

/// How far Shift and an arrow go.
const SECOND: SimDuration = SimDuration::from_secs(1);

/// What a key does while `focus` has the focus; `single_keys`: keys without Ctrl do something.
pub fn command(stroke: Stroke<'_>, focus: Focus, single_keys: bool) -> Option<KeyCommand> {
    if stroke.alt || is_kept(stroke, focus) {
        return None;
    }
    if stroke.control {
        return with_control(stroke);
    }
    if single_keys { single(stroke) } else { None }
}

/// Whether the focused control uses this key itself.
fn is_kept(stroke: Stroke<'_>, focus: Focus) -> bool {
    let is_moving = matches!(
        stroke.key,
        "ArrowLeft"
            | "ArrowRight"
            | "ArrowUp"
            | "ArrowDown"
            | "Home"
            | "End"
            | "PageUp"
            | "PageDown"
    );
    let is_pressing = matches!(stroke.key, " " | "Enter");
    match focus {
        Focus::Page => false,
        Focus::Typing | Focus::Dialog => true,
        Focus::Choosing => !stroke.control,
        Focus::Moving => is_moving,
        Focus::Pressing => is_pressing,
    }
}

fn with_control(stroke: Stroke<'_>) -> Option<KeyCommand> {
    match (stroke.key, stroke.shift) {
        ("z" | "Z", false) => Some(KeyCommand::Undo),
        ("z" | "Z", true) | ("y" | "Y", false) => Some(KeyCommand::Redo),
        _ => None,
    }
}

fn single(stroke: Stroke<'_>) -> Option<KeyCommand> {
    use TimeControlCommand as Time;
    let time = |command| Some(KeyCommand::Time(command));
    match (stroke.key, stroke.shift) {
        (" " | ".", _) | ("b" | "B", _) => time(Time::Toggle),
        ("ArrowLeft", false) => time(Time::PreviousEvent),
        ("ArrowRight", false) => time(Time::NextEvent),
        ("ArrowLeft", true) => time(Time::Back(SECOND)),
        ("ArrowRight", true) => time(Time::Forward(SECOND)),
        ("Home", _) => time(Time::Start),
        ("End", _) => time(Time::End),
        ("n" | "N", _) => time(Time::NextViolation),
        ("p" | "P", _) => time(Time::PreviousViolation),
        ("f" | "F", _) => Some(KeyCommand::Fencing),
        ("k" | "K", _) => Some(KeyCommand::Legend),
        ("h" | "H", _) => Some(KeyCommand::HideFuture),
        ("+" | "=", _) => Some(KeyCommand::ZoomIn),
        ("-" | "_", _) => Some(KeyCommand::ZoomOut),
        ("PageUp", _) => Some(KeyCommand::PreviousStep),
        ("PageDown", _) => Some(KeyCommand::NextStep),
        ("?", _) => Some(KeyCommand::Help),
        ("/", _) => Some(KeyCommand::Products),
        (key, false) => {
            let digit = key.parse::<u8>().ok().filter(|_| key.len() == 1)?;
            time(Time::SetSpeed(Speed::of_digit(digit)?))
        }
        _ => None,
    }
}

/// The keys as help lists them: what to press, and what it does.
pub const HELP: [(&str, &str); 21] = [
    ("Space", "play or pause; . and B as well"),
    ("← →", "one event back, one on"),
    ("Shift + ← →", "one second back, one on"),
    ("Home End", "start, end"),
    ("N P", "next violation, the one before"),
    ("F", "fencing: off, on, compare both"),
    ("K", "legend"),
    ("H", "hide the future"),
    ("1 to 9", "speed, from slow motion to 100×"),
    ("+ −", "zoom in, out"),
    ("Ctrl + wheel", "zoom at the pointer"),
    ("Ctrl + Z", "undo"),
    ("Ctrl + Shift + Z", "redo"),
    ("Page Down, Page Up", "next step of a tour, or notable event; the one before"),
    ("?", "help"),
    ("/", "find your product"),
    ("On the race: Ctrl + ← →", "to the next edge"),
    ("On a fault: ← →", "move it; with Shift by a second, with Ctrl to the next event"),
    ("On a fault: D, Delete", "switch it off or on, remove it"),
    ("Alt while dragging", "do not snap to events"),
    ("Escape", "take the faint earlier run away"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(key: &str) -> Stroke<'_> {
        Stroke { key, shift: false, control: false, alt: false }
    }

    fn on_page(stroke: Stroke<'_>) -> Option<KeyCommand> {
        command(stroke, Focus::Page, true)
    }

    #[test]
    fn keys_do_what_help_says() {
        let time = |command| Some(KeyCommand::Time(command));
        assert_eq!(on_page(plain(" ")), time(TimeControlCommand::Toggle));
        assert_eq!(on_page(plain("b")), time(TimeControlCommand::Toggle));
        assert_eq!(on_page(plain("ArrowRight")), time(TimeControlCommand::NextEvent));
        let shifted = Stroke { shift: true, ..plain("ArrowLeft") };
        assert_eq!(on_page(shifted), time(TimeControlCommand::Back(SECOND)));
        assert_eq!(on_page(plain("K")), Some(KeyCommand::Legend));
        let normal = Speed::of_digit(4).expect("4 is a digit");
        assert_eq!(normal.name(), "1×");
        assert_eq!(on_page(plain("4")), time(TimeControlCommand::SetSpeed(normal)));
        assert_eq!(on_page(plain("0")), None);
        assert_eq!(on_page(Stroke { shift: true, ..plain("/") }), Some(KeyCommand::Products));
        assert_eq!(on_page(plain("x")), None);
    }

    #[test]
    fn undo_works_with_single_keys_off_and_nothing_else_does() {
        let undo = Stroke { control: true, ..plain("z") };
        assert_eq!(command(undo, Focus::Page, false), Some(KeyCommand::Undo));
        let redo = Stroke { shift: true, key: "Z", ..undo };
        assert_eq!(command(redo, Focus::Page, false), Some(KeyCommand::Redo));
        assert_eq!(command(plain("k"), Focus::Page, false), None);
    }

    #[test]
    fn a_focused_control_keeps_its_own_keys() {
        let is_free = |key, focus| command(plain(key), focus, true).is_some();
        assert!(!is_free("k", Focus::Typing));
        assert!(!is_free("k", Focus::Choosing));
        assert!(!is_free("k", Focus::Dialog));
        assert!(!is_free("ArrowLeft", Focus::Moving));
        assert!(is_free(" ", Focus::Moving));
        assert!(is_free("ArrowLeft", Focus::Pressing));
        assert!(!is_free(" ", Focus::Pressing));
        let control = Stroke { control: true, ..plain("z") };
        assert_eq!(command(control, Focus::Typing, true), None);
    }

    #[test]
    fn other_shortcuts_of_the_browser_are_left_alone() {
        let with = |key, control, alt| Stroke { control, alt, ..plain(key) };
        assert_eq!(on_page(with("f", true, false)), None);
        assert_eq!(on_page(with("ArrowLeft", false, true)), None);
    }
}

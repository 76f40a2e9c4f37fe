//! Icons, as inline SVG: never glyphs of a font, which differ from machine to machine. Decoration
//! only; what an icon means is said in text beside it.

use yew::prelude::*;

/// The icons of controls and lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Icon {
    /// The mark of the program: a fence.
    Fence,
    /// A full square: a grant, an accepted write.
    Square,
    /// The fence, where a write stops.
    Refused,
    /// A triangle that stands: damage.
    Damage,
    /// A cross: crash, loss.
    Cross,
    /// A dot: anything else.
    Dot,
    /// An exclamation mark in a circle.
    Warning,
    /// A tick.
    Tick,
    /// A dash: does not apply.
    Dash,
    /// A plus.
    Plus,
    /// Arrows to both sides: all of it.
    Fit,
    /// An arrow back.
    Undo,
    /// An arrow on again.
    Redo,
    /// Three dots: a menu.
    Dots,
    /// Links of a chain.
    Link,
    /// A picture.
    Picture,
    /// A page with a triangle: it plays.
    Page,
    /// A sheet with a corner.
    File,
    /// Lines of text.
    Text,
    /// An arrow that turns back: the key Enter.
    Enter,
}

/// Properties of [`IconView`].
#[derive(Properties, PartialEq)]
pub struct IconProps {
    /// Which.
    pub icon: Icon,
    /// Further classes, such as a colour.
    #[prop_or_default]
    pub class: Classes,
}

/// An icon of 14 units, in the colour of its text.
#[component]
pub fn IconView(props: &IconProps) -> Html {
    let (path, filled) = shape(props.icon);
    let paint = if filled { "icon-filled" } else { "icon-lined" };
    html! {
        <svg class={classes!("icon", paint, props.class.clone())} viewBox="0 0 14 14"
            aria-hidden="true" focusable="false">
            <path d={path} />
        </svg>
    }
}

/// The path of an icon, and whether it is filled or drawn as a line.
fn shape(icon: Icon) -> (&'static str, bool) {
    match icon {
        Icon::Fence => ("M3 1.5v11M7 1.5v11M11 1.5v11M1 5h12M1 9h12", false),
        Icon::Square => ("M2.5 2.5h9v9h-9z", true),
        Icon::Refused => ("M3.6 1.5h2.6v11h-2.6zM7.8 1.5h2.6v11h-2.6z", true),
        Icon::Damage => ("M7 1.2l6 11.3h-12z", true),
        Icon::Cross => ("M3 3l8 8M11 3l-8 8", false),
        Icon::Dot => ("M7 5a2 2 0 1 0 .01 0z", true),
        Icon::Warning => ("M7 1.6a5.4 5.4 0 1 0 .01 0zM7 4v3.6M7 9.4v.9", false),
        Icon::Tick => ("M2.5 7.5l3 3 6-7", false),
        Icon::Dash => ("M3 7h8", false),
        Icon::Plus => ("M7 2.5v9M2.5 7h9", false),
        Icon::Fit => ("M1 2.5v9M13 2.5v9M3 7h8M5 5l-2 2 2 2M9 5l2 2-2 2", false),
        Icon::Undo => ("M5 2.5L2.2 5.2L5 8M2.4 5.2h5.6a3.3 3.3 0 0 1 0 6.6h-2.6", false),
        Icon::Redo => ("M9 2.5l2.8 2.7L9 8M11.6 5.2H6a3.3 3.3 0 0 0 0 6.6h2.6", false),
        Icon::Dots => ("M2.6 7h.1M7 7h.1M11.4 7h.1", false),
        Icon::Link => (
            "M6 8l3-3M7.2 3.6l1-1a2.4 2.4 0 0 1 3.4 3.4l-1.6 1.6M6.8 10.4l-1 1a2.4 2.4 0 0 1-3.4\
             -3.4l1.6-1.6",
            false,
        ),
        Icon::Picture => ("M1.8 2.8h10.4v8.4H1.8zM1.8 9.4l3-3 2.4 2.4 2-2 3 3", false),
        Icon::Page => ("M1.8 2.8h10.4v8.4H1.8zM1.8 5h10.4M6 6.4v3.4l2.8-1.7z", false),
        Icon::File => ("M3 1.5h5l3 3v8H3zM8 1.5v3h3", false),
        Icon::Enter => ("M12 2v5.5H3M6 4L2.5 7.5L6 11", false),
        Icon::Text => ("M3 2.8h8M3 5.6h8M3 8.4h8M3 11.2h5", false),
    }
}

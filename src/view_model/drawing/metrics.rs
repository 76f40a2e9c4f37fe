//! The sizes that the timeline is drawn in. All follow the size of its text, so that larger text
//! makes taller lanes and never overlaps. It knows no run and no browser.

use super::scale::Px;

/// What the page says about the room that there is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Metrics {
    /// Width of the drawing, without the column of labels.
    pub width: Px,
    /// Size of the text in CSS px; at least 12.
    pub text: u16,
    /// Whether the labels stand above the lanes, for want of a column.
    pub narrow: bool,
}

/// The smallest text.
pub const MIN_TEXT: u16 = 12;

impl Metrics {
    /// Sizes for a drawing.
    pub fn new(width: Px, text: u16, narrow: bool) -> Self {
        Self { width, text: text.max(MIN_TEXT), narrow }
    }

    /// A size that is `pixels` at text of 12 px.
    pub fn px(&self, pixels: i32) -> Px {
        Px::whole(pixels).share(i32::from(self.text), i32::from(MIN_TEXT))
    }

    /// Room left of the first instant, so that what is drawn around it is seen.
    pub fn left(&self) -> Px {
        Px::whole(10)
    }

    /// Room right of the last instant.
    pub fn right(&self) -> Px {
        Px::whole(14)
    }

    /// Height of the ruler: brackets and bands above, times and the playhead's below.
    pub fn ruler(&self) -> Px {
        self.px(if self.narrow { 44 } else { 52 }).rounded()
    }

    /// Height of the row that holds a lane's label when there is no column for it.
    pub fn label_row(&self) -> Px {
        if self.narrow { self.px(20).rounded() } else { Px::ZERO }
    }

    /// Width of the column of labels.
    pub fn label_column(&self) -> Px {
        self.px(118)
    }

    /// A guess at the width of a text, on the safe side: as wide as the widest of the usual fonts
    /// makes it, bold a tenth wider.
    pub fn text_width(&self, text: &str, strong: bool) -> Px {
        let hundredths: i32 = text.chars().take(400).map(hundredths).sum();
        let share = if strong { 110 } else { 100 };
        Px::whole(i32::from(self.text)).share(hundredths * share, 10_000)
    }
}

/// How wide a character is, in hundredths of the text's size.
fn hundredths(character: char) -> i32 {
    match character {
        'i' | 'j' | 'l' | '\'' => 28,
        ' ' | '.' | ',' | ':' | '·' => 33,
        'f' | 'r' | 't' | '-' => 41,
        'A'..='L' | 'N'..='V' | 'X'..='Z' => 70,
        'w' | '→' | '<' | '=' | '≠' | '+' => 84,
        'm' | 'M' | 'W' => 98,
        _ => 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_on_the_safe_side() {
        let metrics = Metrics::new(Px::whole(800), 12, false);
        // As DejaVu Sans, the widest of the usual fonts, draws them at 12 px.
        for (text, strong, drawn) in [
            ("41052 < 57589", true, 102),
            ("highest seen: 34", false, 98),
            ("waiting · 9.3 s", false, 85),
        ] {
            let guess = metrics.text_width(text, strong);
            assert!(guess >= Px::whole(drawn), "{text}: {guess}");
            assert!(guess <= Px::whole(drawn * 112 / 100), "{text}: {guess}");
        }
    }

    #[test]
    fn sizes_follow_the_text() {
        let usual = Metrics::new(Px::whole(800), 12, false);
        let large = Metrics::new(Px::whole(800), 24, true);
        assert_eq!(usual.px(70), Px::whole(70));
        assert_eq!(large.px(70), Px::whole(140));
        assert_eq!(usual.label_row(), Px::ZERO);
        assert_eq!(large.label_row(), Px::whole(40));
        assert_eq!(Metrics::new(Px::ZERO, 9, false).text, MIN_TEXT);
        assert!(usual.text_width("paused for 15.0 s", true) > Px::whole(100));
    }
}

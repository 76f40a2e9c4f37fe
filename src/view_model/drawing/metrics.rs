//! The sizes that the timeline is drawn in. All follow the size of its text, so that larger text
//! makes taller lanes and never overlaps. It knows no run and no browser.

use super::advances::{Advances, GUESSED};
use super::scale::Px;
use crate::view_model::words::names::is_joint;

/// What the page says about the room that there is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Metrics {
    /// Width of the drawing, without the column of labels.
    pub width: Px,
    /// Size of the text in CSS px; at least 12.
    pub text: u16,
    /// The size of text that heights are made for: smaller than the text's own where there is
    /// little height for large text.
    pub unit: u16,
    /// Whether the labels stand above the lanes, for want of a column.
    pub narrow: bool,
    /// Width of the column of labels at text of 12 px.
    pub column: u16,
    /// How wide the font's characters are.
    pub advances: &'static Advances,
}

/// The smallest text.
pub const MIN_TEXT: u16 = 12;

/// The column of labels.
pub const COLUMN: u16 = 118;
/// One for names that it has no room for.
const WIDE_COLUMN: u16 = 168;
/// What is left beside the wide one, at least, at text of 12 px.
const LEAST_BESIDE: i32 = 480;

impl Metrics {
    /// Sizes for a drawing in a font that nobody measured.
    pub fn new(width: Px, text: u16, narrow: bool) -> Self {
        let text = text.max(MIN_TEXT);
        Self { width, text, unit: text, narrow, column: COLUMN, advances: &GUESSED }
    }

    /// The same in a font that was measured.
    pub fn in_font(self, advances: &'static Advances) -> Self {
        Self { advances, ..self }
    }

    /// The same for what is left beside the labels; `wide`: beside long ones, if enough is left.
    pub fn beside_labels(self, wide: bool) -> Self {
        if self.narrow {
            return self;
        }
        let with = |column| Self { column, ..self };
        let fits = |it: &Self| it.width - it.label_column() >= it.at_text(LEAST_BESIDE);
        let it = Some(with(WIDE_COLUMN)).filter(|it| wide && fits(it)).unwrap_or(with(COLUMN));
        Self { width: (it.width - it.label_column()).max(Px::whole(80)), ..it }
    }

    /// The same closer together, so that what is `high` comes to `room` if it can: down to where
    /// lines of text would meet.
    pub fn lower(&self, high: Px, room: Px) -> Self {
        let (text, high) = (i64::from(self.text), i64::from(high.0.max(1)));
        let fitting = text * i64::from(room.0.max(0)) / high;
        let unit = fitting.clamp((text * 7 / 10).max(i64::from(MIN_TEXT)), text);
        Self { unit: u16::try_from(unit).unwrap_or(self.text), ..*self }
    }

    /// A size that is `pixels` at text of 12 px.
    pub fn px(&self, pixels: i32) -> Px {
        Px::whole(pixels).share(i32::from(self.unit), i32::from(MIN_TEXT))
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
        self.at_text(i32::from(self.column))
    }

    /// A size that is `pixels` at text of 12 px, however close together things stand.
    fn at_text(&self, pixels: i32) -> Px {
        Px::whole(pixels).share(i32::from(self.text), i32::from(MIN_TEXT))
    }

    /// Room for a lane's name, in widths of text: it is written a little larger than the rest.
    pub fn name_room(&self) -> Px {
        let room = match self.narrow {
            true => self.width.share(6, 10),
            false => self.label_column() - Px::whole(20),
        };
        room.share(12, 13)
    }

    /// The width of a text.
    pub fn text_width(&self, text: &str, strong: bool) -> Px {
        let advance = |character| i32::from(self.advances.of(character, strong));
        let thousandths: i32 = text.chars().take(400).map(advance).sum();
        Px::whole(i32::from(self.text)).share(thousandths, 1_000)
    }

    /// A name that finds no room, cut where it tells least: it keeps its first word and as much of
    /// its end as fits, because names of machines differ in their ends.
    pub fn cut_name(&self, name: &str, room: Px) -> String {
        let fits = |text: &String| self.text_width(text, true) <= room;
        let whole = name.to_owned();
        if fits(&whole) {
            return whole;
        }
        let first = name.split(is_joint).next().unwrap_or_default();
        let ends: Vec<&str> = name
            .match_indices(is_joint)
            .skip(1)
            .map(|(at, joint)| &name[at + joint.len()..])
            .collect();
        let ends = &ends;
        let at_joints = [first, ""]
            .into_iter()
            .flat_map(|first| ends.iter().map(move |end| format!("{first}…{end}")));
        // A name without joints loses its middle.
        let letters: Vec<char> = name.chars().take(400).collect();
        let halves = (1..=letters.len() / 2).rev().map(|n| {
            let (head, tail) = (&letters[..n], &letters[letters.len() - n..]);
            head.iter().chain(&['…']).chain(tail).collect()
        });
        let cut = at_joints.chain(halves).find(fits);
        cut.unwrap_or_else(|| "…".to_owned())
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
        // Where there is little height, things stand closer together and the text stays.
        let low = large.lower(Px::whole(400), Px::whole(300));
        assert_eq!((low.text, low.unit, low.px(70)), (24, 18, Px::whole(105)));
        assert_eq!(large.lower(Px::whole(400), Px::whole(100)).unit, 16);
        assert_eq!(large.lower(Px::whole(400), Px::whole(900)), large);
        assert_eq!(usual.lower(Px::whole(400), Px::whole(100)), usual);
        assert!(usual.text_width("paused for 15.0 s", true) > Px::whole(100));
    }

    #[test]
    fn a_long_name_keeps_its_first_word_and_its_end() {
        let metrics = Metrics::new(Px::whole(800), 12, false);
        let cut = |name: &str, room: i32| metrics.cut_name(name, Px::whole(room));
        let long = "billing-worker-eu-central-1a";
        assert_eq!(cut(long, 300), long);
        assert_eq!(cut(long, 180), "billing…eu-central-1a");
        assert_eq!(cut(long, 130), "billing…central-1a");
        assert_eq!(cut(long, 90), "billing…1a");
        assert_eq!(cut(long, 60), "…1a");
        // Without a joint it is the middle that goes.
        assert_eq!(cut("a1b2c3d4e5f6g7h8", 70), "a1b…7h8");
        assert_eq!(cut("ä", 1), "…");
    }

    #[test]
    fn long_names_have_more_room_where_enough_is_left() {
        let whole = |width| Metrics::new(Px::whole(width), 12, false);
        let wide = whole(884).beside_labels(true);
        assert_eq!((wide.label_column(), wide.width), (Px::whole(168), Px::whole(716)));
        assert_eq!(whole(884).beside_labels(false).width, Px::whole(766));
        assert_eq!(whole(600).beside_labels(true).width, Px::whole(482));
        let narrow = Metrics::new(Px::whole(370), 12, true);
        assert_eq!(narrow.beside_labels(true), narrow);
    }
}

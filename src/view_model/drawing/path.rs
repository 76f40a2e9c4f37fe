//! The data string of an SVG path, written from fixed-point coordinates without the formatter: a
//! dragged slider rewrites some thousand numbers per frame. It knows no drawing.

use super::scale::Px;

/// A path under construction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathData(String);

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rect {
    /// Left edge.
    pub x: Px,
    /// Upper edge.
    pub y: Px,
    /// Width.
    pub w: Px,
    /// Height.
    pub h: Px,
}

impl PathData {
    /// Nothing drawn yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing was drawn.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What stands in the attribute `d`.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Goes to a point without drawing.
    pub fn move_to(&mut self, x: Px, y: Px) -> &mut Self {
        self.point('M', x, y)
    }

    /// Draws to a point.
    pub fn line_to(&mut self, x: Px, y: Px) -> &mut Self {
        self.point('L', x, y)
    }

    /// Draws along.
    pub fn across_to(&mut self, x: Px) -> &mut Self {
        self.0.push('H');
        self.number(x);
        self
    }

    /// Draws up or down.
    pub fn down_to(&mut self, y: Px) -> &mut Self {
        self.0.push('V');
        self.number(y);
        self
    }

    /// Closes the shape.
    pub fn close(&mut self) -> &mut Self {
        self.0.push('z');
        self
    }

    /// A rectangle with round corners, if it is large enough for them: of many small ones nobody
    /// sees the corners, and each costs a hundred characters.
    pub fn rect(&mut self, rect: Rect, corner: Px) -> &mut Self {
        let Rect { x, y, w, h } = rect;
        let r = corner;
        if r <= Px::ZERO || w.min(h) < r + r {
            return self.move_to(x, y).across_to(x + w).down_to(y + h).across_to(x).close();
        }
        self.move_to(x + r, y).across_to(x + w - r);
        self.corner(r, r, r).down_to(y + h - r);
        self.corner(r, Px::ZERO - r, r).across_to(x + r);
        self.corner(r, Px::ZERO - r, Px::ZERO - r).down_to(y + r);
        self.corner(r, r, Px::ZERO - r).close()
    }

    /// A circle.
    pub fn circle(&mut self, x: Px, y: Px, r: Px) -> &mut Self {
        let (across, back) = (r + r, Px::ZERO - r - r);
        self.move_to(x - r, y);
        self.half_circle(r, across);
        self.half_circle(r, back).close()
    }

    fn half_circle(&mut self, r: Px, across: Px) -> &mut Self {
        self.arc(r, "1 1 ", across, Px::ZERO)
    }

    fn corner(&mut self, r: Px, dx: Px, dy: Px) -> &mut Self {
        self.arc(r, "0 1 ", dx, dy)
    }

    fn arc(&mut self, r: Px, flags: &str, dx: Px, dy: Px) -> &mut Self {
        self.0.push('a');
        self.number(r);
        self.0.push(' ');
        self.number(r);
        self.0.push_str(" 0 ");
        self.0.push_str(flags);
        self.number(dx);
        self.0.push(' ');
        self.number(dy);
        self
    }

    fn point(&mut self, command: char, x: Px, y: Px) -> &mut Self {
        self.0.push(command);
        self.number(x);
        self.0.push(' ');
        self.number(y);
        self
    }

    fn number(&mut self, value: Px) {
        push_number(&mut self.0, value);
    }
}

/// Writes a coordinate as [`Px`]'s `Display` does.
pub fn push_number(text: &mut String, value: Px) {
    if value.0 < 0 {
        text.push('-');
    }
    let size = value.0.unsigned_abs();
    push_digits(text, size / 64);
    let hundredths = size % 64 * 100 / 64;
    if hundredths > 0 {
        text.push('.');
        text.push(digit(hundredths / 10));
        if !hundredths.is_multiple_of(10) {
            text.push(digit(hundredths % 10));
        }
    }
}

fn push_digits(text: &mut String, value: u32) {
    if value >= 10 {
        push_digits(text, value / 10);
    }
    text.push(digit(value % 10));
}

fn digit(value: u32) -> char {
    char::from_digit(value % 10, 10).expect("a remainder of ten is a digit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_their_display() {
        for steps in [0, 1, 63, 64, 65, 70, -1, -64, 6_401, -98_765, 33_554_432] {
            let mut text = String::new();
            push_number(&mut text, Px(steps));
            assert_eq!(text, Px(steps).to_string());
        }
    }

    #[test]
    fn a_rectangle_too_small_for_round_corners_has_sharp_ones() {
        let mut path = PathData::new();
        let rect = |w| Rect { x: Px::whole(1), y: Px::whole(2), w: Px::whole(w), h: Px::whole(10) };
        path.rect(rect(3), Px::whole(2));
        assert_eq!(path.into_string(), "M1 2H4V12H1z");
        let mut path = PathData::new();
        path.rect(rect(6), Px::whole(2));
        assert_eq!(
            path.into_string(),
            "M3 2H5a2 2 0 0 1 2 2V10a2 2 0 0 1 -2 2H3a2 2 0 0 1 -2 -2V4a2 2 0 0 1 2 -2z"
        );
    }
}

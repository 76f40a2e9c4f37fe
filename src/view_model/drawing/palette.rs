//! The tokens' colours, the one table of them. The style sheet repeats it and a test compares the
//! two; another computes that neighbours differ, to colour-blind people too. It knows no drawing.

use crate::sim::id::GrantNo;

/// Which of the token colours; neighbouring grants have neighbouring ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenColor(u8);

/// How many there are.
pub const N_COLORS: u8 = 8;

/// Red, green and blue of each colour, in the light theme. Blues, teals, violets and purples of
/// alternating lightness, found by a search over what the test asks for: red, amber and green mean
/// something else, and the controls are ink.
pub const LIGHT: [u32; N_COLORS as usize] = [
    0x001f_45c8,
    0x000b_8a90,
    0x0034_1486,
    0x00a4_49d3,
    0x005a_1349,
    0x0047_1cb1,
    0x0091_62f5,
    0x0043_2067,
];

/// The same in the dark theme.
pub const DARK: [u32; N_COLORS as usize] = [
    0x007d_9cff,
    0x005b_e0df,
    0x007f_6afc,
    0x004c_b8e8,
    0x00a3_7694,
    0x0060_87f6,
    0x0095_c4e7,
    0x0088_7ead,
];

impl TokenColor {
    /// The colour of a grant and its token.
    pub fn of(grant: GrantNo) -> Self {
        let index = grant.0.saturating_sub(1) % u32::from(N_COLORS);
        Self(u8::try_from(index).expect("less than N_COLORS"))
    }

    /// Its place in the table.
    pub fn index(self) -> u8 {
        self.0
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..N_COLORS).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_grants_have_different_colours() {
        let color = |grant| TokenColor::of(GrantNo(grant)).index();
        assert_eq!((color(1), color(2), color(9)), (0, 1, 0));
        assert!((1..40).all(|grant| color(grant) != color(grant + 1)));
    }
}

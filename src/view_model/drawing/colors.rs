//! The page's colours by name, for pictures that leave the page: there no style sheet says what a
//! name means. `static/css/base.css` has the same table, and a test compares the two. The tokens'
//! own colours are `palette.rs`.

use super::palette::{DARK, LIGHT, TokenColor};

/// Which of the two looks a picture has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// As the reader's system says: for pages, which can follow it.
    Both,
}

/// A colour: its name in the style sheet, in the light theme, in the dark one.
pub type Named = (&'static str, u32, u32);

/// The colours that marks, texts and grounds of a picture have.
pub const COLORS: [Named; 22] = [
    ("paper", 0x00f8_f7f4, 0x0012_151a),
    ("card", 0x00ff_ffff, 0x001a_1e25),
    ("ink", 0x0019_1d24, 0x00f0_f2f5),
    ("ink2", 0x004d_5561, 0x00b5_bcc8),
    ("ink3", 0x0062_6a77, 0x0098_a1af),
    ("line", 0x00dc_d9d2, 0x0032_3946),
    ("line2", 0x00ee_ece7, 0x0023_2932),
    ("edge", 0x007f_8590, 0x007d_8694),
    ("bad", 0x00c2_183a, 0x00ff_7389),
    ("bads", 0x00fd_eaed, 0x0043_202a),
    ("safe", 0x00e9_f2ee, 0x001b_2b27),
    ("amber", 0x008a_5a00, 0x00f0_b94a),
    ("ambers", 0x00fb_efd6, 0x003a_2d14),
    ("z-safe-g", 0x00d3_e4dc, 0x0029_443b),
    ("z-luck-g", 0x00f8_e2ae, 0x004a_3812),
    ("z-luck-p", 0x008a_5a00, 0x00f0_b94a),
    ("z-half-g", 0x00f8_e2ae, 0x004a_3812),
    ("z-half-p", 0x005c_3a00, 0x00f0_b94a),
    ("z-unav-g", 0x009a_8f81, 0x0078_6c5e),
    ("z-unav-p", 0x0038_2f26, 0x00f1_e7d8),
    ("z-corr-g", 0x00f9_c6ce, 0x005a_1f2c),
    ("z-corr-p", 0x00c2_183a, 0x00ff_7389),
];

/// How much of a token's colour is in its soft fill, in percent, light and dark; as
/// `--tok-soft` in `static/css/timeline.css`.
pub const SOFT: (u32, u32) = (14, 24);

impl Theme {
    /// A named colour as CSS writes it; `None` for a name that is not in the table.
    pub fn named(self, name: &str) -> Option<String> {
        let (_, light, dark) = COLORS.iter().find(|(known, ..)| *known == name)?;
        Some(self.of(*light, *dark))
    }

    /// A token's colour.
    pub fn token(self, color: TokenColor) -> String {
        let index = usize::from(color.index());
        self.of(LIGHT[index], DARK[index])
    }

    /// The soft fill of a token: its colour mixed into the card's.
    pub fn soft(self, color: TokenColor) -> String {
        let index = usize::from(color.index());
        let [_, (_, light, dark), ..] = COLORS;
        self.of(mixed(LIGHT[index], light, SOFT.0), mixed(DARK[index], dark, SOFT.1))
    }

    fn of(self, light: u32, dark: u32) -> String {
        match self {
            Self::Light => format!("#{light:06x}"),
            Self::Dark => format!("#{dark:06x}"),
            Self::Both => format!("light-dark(#{light:06x}, #{dark:06x})"),
        }
    }
}

/// `percent` of one colour mixed into another.
fn mixed(color: u32, into: u32, percent: u32) -> u32 {
    let part = |shift: u32| {
        let (a, b) = (color >> shift & 0xff, into >> shift & 0xff);
        ((a * percent + b * (100 - percent) + 50) / 100) << shift
    };
    part(16) | part(8) | part(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soft_fill_lies_between_the_token_and_the_card() {
        assert_eq!(mixed(0x00ff_0000, 0x0000_00ff, 0), 0x0000_00ff);
        assert_eq!(mixed(0x00ff_0000, 0x0000_00ff, 100), 0x00ff_0000);
        assert_eq!(mixed(0x0064_0000, 0x0000_0064, 50), 0x0032_0032);
        let first = TokenColor::all().next().expect("there are eight");
        assert_eq!(Theme::Light.token(first), "#1f45c8");
        assert_eq!(Theme::Light.soft(first), "#e0e5f7");
        assert_eq!(Theme::Both.token(first), "light-dark(#1f45c8, #7d9cff)");
        assert_eq!(Theme::Dark.named("card").as_deref(), Some("#1a1e25"));
        assert_eq!(Theme::Dark.named("none"), None);
    }
}

//! How wide characters are. The page measures those of the font that it has, once; without a
//! browser they are guessed on the safe side. It knows no browser.

/// What is measured beside ASCII: what the words of the drawing have.
const OTHERS: [char; 12] = ['·', '→', '−', '≠', '×', '…', '–', '“', '”', '’', 'é', 'ü'];

/// The printable characters of ASCII.
const ASCII: usize = 95;
const COUNT: usize = ASCII + OTHERS.len();

/// The widths of characters in thousandths of the text's size, plain and bold.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Advances {
    plain: [u16; COUNT],
    strong: [u16; COUNT],
}

/// On the safe side: as wide as the widest of the usual fonts makes them, bold a tenth wider.
pub static GUESSED: Advances = Advances::guessed();

impl Advances {
    const fn guessed() -> Self {
        let (mut plain, mut strong) = ([0; COUNT], [0; COUNT]);
        let mut index = 0;
        while index < COUNT {
            plain[index] = guess(character(index));
            strong[index] = plain[index] / 10 * 11;
            index += 1;
        }
        Self { plain, strong }
    }

    /// As somebody measures them: the width of a text, bold or not, in thousandths of its size.
    pub fn measured(mut width: impl FnMut(&str, bool) -> u16) -> Self {
        let mut measured = Self { plain: [0; COUNT], strong: [0; COUNT] };
        let mut text = [0; 4];
        for index in 0..COUNT {
            let text = character(index).encode_utf8(&mut text);
            measured.plain[index] = width(text, false);
            measured.strong[index] = width(text, true);
        }
        measured
    }

    /// The width of a character, in thousandths of the text's size.
    pub fn of(&self, character: char, strong: bool) -> u16 {
        let table = if strong { &self.strong } else { &self.plain };
        let ascii = (character as usize).checked_sub(' ' as usize).filter(|index| *index < ASCII);
        let other = || OTHERS.iter().position(|other| *other == character);
        match ascii.or_else(|| Some(ASCII + other()?)) {
            Some(index) => table[index],
            // As wide as high from where the scripts of East Asia begin.
            None if character >= '\u{1100}' => 1_100,
            None => 720,
        }
    }
}

const fn character(index: usize) -> char {
    match index {
        #[expect(clippy::cast_possible_truncation, reason = "ASCII has 95 printable characters")]
        0..ASCII => (index as u8 + b' ') as char,
        _ => OTHERS[index - ASCII],
    }
}

const fn guess(character: char) -> u16 {
    match character {
        'i' | 'j' | 'l' | '\'' => 280,
        ' ' | '.' | ',' | ':' | '·' => 330,
        'f' | 'r' | 't' | '-' => 410,
        'A'..='L' | 'N'..='V' | 'X'..='Z' => 700,
        'w' | '→' | '<' | '=' | '≠' | '+' | '−' | '×' | '>' => 840,
        'm' | 'M' | 'W' | '…' | '@' | '%' => 1_000,
        _ => 640,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_has_its_own_width() {
        let measured = Advances::measured(|text, strong| {
            let first = text.chars().next().map_or(0, |it| u16::try_from(it as u32).unwrap_or(9));
            first + u16::from(strong)
        });
        for character in [' ', 'A', '~', '·', 'ü'] {
            let code = u16::try_from(character as u32).unwrap_or(9);
            assert_eq!(measured.of(character, false), code);
            assert_eq!(measured.of(character, true), code + 1);
        }
        assert_eq!(measured.of('→', false), 0x2192);
        assert_eq!(GUESSED.of('i', false), 280);
        assert_eq!(GUESSED.of('i', true), 308);
        assert_eq!(GUESSED.of('鎖', false), 1_100);
        assert_eq!(GUESSED.of('ж', true), 720);
    }
}

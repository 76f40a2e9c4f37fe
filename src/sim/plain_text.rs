//! Text that people wrote, made plain before it is shown: what a file, a name or a command line
//! says may hold characters that steer a terminal, turn the reading order, hide what follows or
//! begin another line. Here is the one list of them, and what is done about each.

/// Characters between two quotation marks of a message before the rest is cut.
const MAX_QUOTED: usize = 120;
/// Characters of a message or a place.
const MAX_MESSAGE: usize = 1_500;

/// Whether a character breaks lines, or changes how its neighbours are shown: it says nothing by
/// itself, and can make text look like what it is not.
pub fn is_treacherous(char: char) -> bool {
    // Of what joins letters, U+200C and U+200D are left: some scripts and pictures need them.
    let steers = ['\u{61c}', '\u{180e}', '\u{200b}', '\u{200e}', '\u{200f}', '\u{feff}'];
    char.is_control()
        || steers.contains(&char)
        || ('\u{2028}'..='\u{202e}').contains(&char)
        || ('\u{2060}'..='\u{206f}').contains(&char)
        || ('\u{fff9}'..='\u{fffb}').contains(&char)
        || ('\u{e0000}'..='\u{e007f}').contains(&char)
}

/// `text` on one line, in the order in which it is written: in place of what is treacherous stands
/// a space or a replacement character.
pub fn one_line(text: &str) -> String {
    let plain = |char: char| match char {
        '\n' | '\r' | '\t' => ' ',
        _ if is_treacherous(char) => char::REPLACEMENT_CHARACTER,
        _ => char,
    };
    text.chars().map(plain).collect()
}

/// JSON with all that is treacherous written as an escape, so that it is seen by whoever looks at
/// the file, and read back as it was. Outside of its strings JSON has nothing of the kind but line
/// breaks, which inside of them it cannot have: these stay.
pub fn with_escapes(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for char in json.chars() {
        if char != '\n' && is_treacherous(char) {
            push_escape(&mut text, char);
        } else {
            text.push(char);
        }
    }
    text
}

/// Writes a character as JSON's escape.
pub fn push_escape(text: &mut String, char: char) {
    for unit in char.encode_utf16(&mut [0; 2]) {
        text.push_str(&format!("\\u{unit:04x}"));
    }
}

/// A message on one line and of bounded length, whatever it quotes: a long quotation is cut, and
/// what is said around it stays.
pub fn brief(message: &str) -> String {
    let mut text = String::new();
    let mut since_mark = 0;
    for char in one_line(message).chars() {
        since_mark = if matches!(char, '`' | '"' | '“' | '”') { 0 } else { since_mark + 1 };
        if since_mark <= MAX_QUOTED {
            text.push(char);
        } else if since_mark == MAX_QUOTED + 1 {
            text.push('…');
        }
    }
    cut(&text, MAX_MESSAGE)
}

/// The beginning of a text of one line, with a mark where it was cut.
pub fn cut(text: &str, most: usize) -> String {
    let mut cut: String = text.chars().take(most).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

/// What somebody gave, as a message quotes it: its beginning, on one line.
pub fn quoted(text: &str) -> String {
    cut(&one_line(text.trim()), 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_has_no_breaks_and_no_turns() {
        assert_eq!(one_line("a\nb\u{202e}c\u{2066}\0é"), "a b\u{fffd}c\u{fffd}\u{fffd}é");
        assert_eq!(one_line("\u{1b}]0;title\u{7}\u{9b}2J"), "\u{fffd}]0;title\u{fffd}\u{fffd}2J");
        for turn in ['\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{2069}', '\u{61c}'] {
            assert_eq!(one_line(&turn.to_string()), "\u{fffd}");
        }
        assert_eq!(one_line("שלום 👩\u{200d}🚒"), "שלום 👩\u{200d}🚒", "other scripts stay");
    }

    #[test]
    fn json_with_escapes_reads_back_the_same() {
        let text = "a\u{202e}b\u{2066}\u{7f}\u{85}\u{2028}\u{e0041}\u{feff}\n\u{1b}é\\\"";
        let json = serde_json::to_string(text).expect("text always serialises");
        let escaped = with_escapes(&json);
        assert!(escaped.contains("\\u202e") && escaped.contains("\\udb40\\udc41"), "{escaped}");
        assert!(!escaped.chars().any(is_treacherous), "{escaped}");
        assert_eq!(serde_json::from_str::<String>(&escaped).expect("JSON"), text);
        assert_eq!(with_escapes("{\n  \"a\": 1\n}"), "{\n  \"a\": 1\n}");
    }

    #[test]
    fn a_message_is_bounded_and_keeps_what_is_said_around_a_quotation() {
        let long = "k".repeat(900_000);
        let message = format!("unknown field `{long}`, expected one of `seed`, `length`");
        let brief = brief(&message);
        assert!(brief.chars().count() < 250, "{}", brief.len());
        assert!(brief.ends_with("k…`, expected one of `seed`, `length`"), "{brief}");
        let marks = super::brief(&"``x".repeat(300_000));
        assert_eq!(marks.chars().count(), MAX_MESSAGE + 1);
        let short = "“15 parsecs” has an unknown unit “parsecs”: use us, ms, s, min or h";
        assert_eq!(super::brief(short), short);
        assert_eq!(quoted(" a\u{202e}\0b "), "a\u{fffd}\u{fffd}b");
        assert_eq!(quoted(&long).chars().count(), 41);
    }
}

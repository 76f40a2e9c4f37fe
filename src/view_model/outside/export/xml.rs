//! Text and marks as SVG and HTML write them. Whatever people wrote comes in as text and stays
//! text: it is escaped here and nowhere else.

use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::Px;

use crate::sim::plain_text::one_line;

/// `text` inside an element or an attribute, on one line. What XML does not allow at all, and what
/// would turn its neighbours round, is replaced.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in one_line(text).chars() {
        match char {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(char),
        }
    }
    escaped
}

/// Reads what [`escaped`] wrote.
pub fn unescaped(text: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Marks under construction.
#[derive(Default)]
pub(super) struct Xml(pub(super) String);

impl Xml {
    /// Markup of our own.
    pub(super) fn raw(&mut self, markup: &str) -> &mut Self {
        self.0 += markup;
        self
    }

    /// What people may have written.
    pub(super) fn words(&mut self, text: &str) -> &mut Self {
        self.0 += &escaped(text);
        self
    }

    /// A drawing inside the drawing; what leaves it is cut off.
    pub(super) fn open(&mut self, (x, y): (Px, Px), (w, h): (Px, Px), class: &str) -> &mut Self {
        self.0 +=
            &format!("<svg class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\">");
        self
    }

    /// The end of it.
    pub(super) fn close(&mut self) -> &mut Self {
        self.raw("</svg>\n")
    }

    /// A path; `fill`: the pattern that fills it, if one does.
    pub(super) fn path(&mut self, class: &str, fill: &str, d: &str) -> &mut Self {
        let fill = match fill {
            "" => String::new(),
            fill => format!(" fill=\"{fill}\""),
        };
        self.0 += &format!("<path class=\"{class}\"{fill} d=\"{d}\"/>");
        self
    }

    /// A rectangle.
    pub(super) fn rect(&mut self, (x, y): (Px, Px), (w, h): (Px, Px), class: &str) -> &mut Self {
        self.0 +=
            &format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>");
        self
    }

    /// A text at its place.
    pub(super) fn text(&mut self, (x, y): (Px, Px), class: &str, text: &str) -> &mut Self {
        self.anchored((x, y), class, "start", text)
    }

    /// The same, with its `start`, `middle` or `end` at its place.
    pub(super) fn anchored(
        &mut self,
        (x, y): (Px, Px),
        class: &str,
        anchor: &str,
        text: &str,
    ) -> &mut Self {
        self.label((x, y), class, anchor, [text, ""])
    }

    /// The same, with a quieter part behind it.
    pub(super) fn label(
        &mut self,
        (x, y): (Px, Px),
        class: &str,
        anchor: &str,
        [text, tail]: [&str; 2],
    ) -> &mut Self {
        let anchor = match anchor {
            "start" => String::new(),
            other => format!(" text-anchor=\"{other}\""),
        };
        self.0 += &format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{anchor}>");
        self.words(text);
        if !tail.is_empty() {
            let apart = if text.is_empty() { "" } else { " dx=\"8\"" };
            self.raw(&format!("<tspan class=\"x-tail\"{apart}>")).words(tail).raw("</tspan>");
        }
        self.raw("</text>")
    }
}

/// `text` in lines of at most `room`, at most `most` of them; what does not fit ends in “…”.
pub(super) fn lines(
    text: &str,
    metrics: &Metrics,
    strong: bool,
    room: Px,
    most: usize,
) -> Vec<String> {
    let fits = |text: &str| metrics.text_width(text, strong) <= room;
    let mut lines: Vec<String> = Vec::new();
    for word in one_line(text).split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}")).filter(|line| fits(line));
        match longer {
            Some(line) => *lines.last_mut().expect("there is one") = line,
            None => lines.push(word.to_owned()),
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last += " …";
        }
    }
    lines.iter().map(|line| cut(line, &fits)).collect()
}

/// As much of a line as fits.
fn cut(line: &str, fits: &dyn Fn(&str) -> bool) -> String {
    if fits(line) {
        return line.to_owned();
    }
    let mut kept = String::new();
    for char in line.chars() {
        if !fits(&format!("{kept}{char}…")) {
            break;
        }
        kept.push(char);
    }
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</text><script>alert(1)</script>\"'&amp;\u{202e}\u{2028}\0\u{ffff}]]>";

    #[test]
    fn what_people_wrote_is_text_everywhere() {
        let text = escaped(HOSTILE);
        assert!(!text.contains(['<', '>', '"', '\'', '\u{202e}', '\u{2028}', '\0', '\u{ffff}']));
        assert!(text.starts_with("&lt;/text&gt;&lt;script&gt;"), "{text}");
        assert!(text.contains("&amp;amp;"), "{text}");
        assert_eq!(unescaped(&escaped("a&b<c>\"'&lt;")), "a&b<c>\"'&lt;");
        let mut xml = Xml::default();
        xml.text((Px::ZERO, Px::whole(2)), "x-plain", HOSTILE);
        assert_eq!(xml.0.matches('<').count(), 2, "{}", xml.0);
    }

    #[test]
    fn long_text_is_broken_and_cut() {
        let metrics = Metrics::new(Px::whole(800), 12, false);
        let broken = lines("one two three four", &metrics, false, Px::whole(60), 9);
        assert_eq!(broken, ["one two", "three", "four"]);
        let few = lines("one two three four", &metrics, false, Px::whole(60), 2);
        assert_eq!(few, ["one two", "three …"]);
        let wide = lines(&"w".repeat(200), &metrics, false, Px::whole(60), 9);
        assert_eq!(wide.len(), 1);
        assert!(wide[0].ends_with('…') && wide[0].len() < 12, "{}", wide[0]);
        assert!(lines("", &metrics, false, Px::whole(60), 9).is_empty());
    }
}

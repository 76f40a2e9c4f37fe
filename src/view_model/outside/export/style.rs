//! The style of pictures: the page's own rules for marks (`static/css/marks.css`), with each colour
//! written out, because programs that show pictures know no custom properties.

use crate::view_model::drawing::colors::Theme;
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::drawing::zones::{self, Hatch};
use crate::view_model::words::outcome_words::Pattern;

use super::xml::Xml;

const MARKS: &str = include_str!("../../../../static/css/marks.css");

/// What stands around the marks.
const AROUND: &str = "
text { font-family: ui-sans-serif, system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue,
  Arial, sans-serif; font-size: 13px; font-variant-numeric: tabular-nums; fill: var(--ink2); }
path { stroke-linejoin: round; }
.g-paper { fill: var(--paper); }
.g-card { fill: var(--card); }
.g-frame { fill: none; stroke: var(--line); }
.g-bad { fill: var(--bads); }
.g-warned { fill: var(--paper); }
.g-safe { fill: var(--safe); }
.g-gap { fill: var(--card); }
.g-line { fill: var(--line2); }
.g-stack { fill: var(--ink3); }
.g-observed { fill: var(--ink2); stroke: var(--ink2); }
.g-main { fill: none; stroke: var(--line); }
.t-title { font-size: 22px; font-weight: 650; fill: var(--ink); }
.t-name { font-size: 14px; font-weight: 600; fill: var(--ink); }
.t-came { font-size: 15px; fill: var(--ink2); }
.t-verdict { font-size: 15px; font-weight: 650; fill: var(--ink); }
.t-bad { font-size: 15px; font-weight: 650; fill: var(--bad); }
.t-link { fill: var(--ink); text-decoration: underline; }
";

/// The rules for what `drawing` holds: those of a token's colour that it does not have are left
/// out.
pub(super) fn rules(theme: Theme, drawing: &str) -> String {
    let has = |color: &TokenColor| {
        let index = color.index();
        drawing.contains(&format!("tok-{index}\"")) || drawing.contains(&format!("hatch-{index}"))
    };
    let colors: Vec<_> = TokenColor::all().filter(has).collect();
    let mut written = String::new();
    for sheet in [AROUND, MARKS] {
        written += &resolved(sheet, theme, &colors);
    }
    written
}

/// A style sheet with each colour written out, a rule a line.
pub(super) fn resolved(sheet: &str, theme: Theme, colors: &[TokenColor]) -> String {
    let sheet = without_comments(sheet);
    let mut written = String::new();
    for rule in sheet.split('}') {
        let Some((selector, declarations)) = rule.split_once('{') else {
            continue;
        };
        let (selector, declarations) = (squeezed(selector), squeezed(declarations));
        if !declarations.contains("var(--tok") {
            let declarations = with_colors(&declarations, theme, None);
            written += &format!("{selector}{{{declarations}}}\n");
            continue;
        }
        for color in colors {
            let (index, own) = (color.index(), with_colors(&declarations, theme, Some(*color)));
            written += &format!("{selector}.tok-{index},.tok-{index} {selector}{{{own}}}\n");
        }
    }
    written
}

fn without_comments(sheet: &str) -> String {
    let mut rest = sheet;
    let mut kept = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        kept += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    kept + rest
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Declarations with colours in place of their names.
fn with_colors(declarations: &str, theme: Theme, token: Option<TokenColor>) -> String {
    let mut rest = declarations;
    let mut written = String::new();
    while let Some((before, after)) = rest.split_once("var(--") {
        let (name, after) = after.split_once(')').unwrap_or((after, ""));
        let color = match (name, token) {
            ("tok", Some(token)) => Some(theme.token(token)),
            ("tok-soft", Some(token)) => Some(theme.soft(token)),
            _ => theme.named(name),
        };
        written += before;
        written += &color.unwrap_or_else(|| "currentColor".to_owned());
        rest = after;
    }
    written + rest
}

/// A verdict's pattern beside its words, as large as on the page.
pub(super) fn swatch(pattern: Pattern) -> String {
    format!("<path class=\"zone\" fill=\"{}\" d=\"M.5 .5h23v11h-23z\"/>", zones::fill(pattern))
}

/// What `drawing` is filled with: hatches in tokens' colours and for pauses, patterns of verdicts.
pub(super) fn patterns(drawing: &str) -> String {
    let mut xml = Xml::default();
    xml.raw("<defs>");
    let tokens =
        TokenColor::all().map(|it| (it.index().to_string(), format!("tok-{}", it.index())));
    for (name, class) in tokens.chain([("pause".to_owned(), "is-pause".to_owned())]) {
        if drawing.contains(&format!("url(#hatch-{name})")) {
            xml.raw(&format!(
                "<pattern id=\"hatch-{name}\" class=\"{class}\" width=\"6\" height=\"6\" \
                 patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
                 <rect class=\"hatch-ground\" width=\"6\" height=\"6\"/>\
                 <rect class=\"hatch-stripe\" width=\"2\" height=\"6\"/></pattern>"
            ));
        }
    }
    for pattern in Pattern::ALL {
        if drawing.contains(&zones::fill(pattern)) {
            let Hatch { id, class, w, h, turned, marks } = zones::hatch(pattern);
            xml.raw(&format!(
                "<pattern id=\"{id}\" class=\"{class}\" width=\"{w}\" height=\"{h}\" \
                 patternUnits=\"userSpaceOnUse\" patternTransform=\"{turned}\">\
                 <rect class=\"zone-ground\" width=\"{w}\" height=\"{h}\"/>\
                 <path class=\"zone-marks\" d=\"{marks}\"/></pattern>"
            ));
        }
    }
    xml.raw("</defs>\n");
    xml.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_of_the_sheets_is_known() {
        let all: Vec<_> = TokenColor::all().collect();
        for theme in [Theme::Light, Theme::Dark, Theme::Both] {
            for sheet in [AROUND, MARKS] {
                let written = resolved(sheet, theme, &all);
                assert!(!written.contains("var("), "{written}");
                assert!(!written.contains("currentColor"), "{written}");
                assert!(!written.contains("/*"), "{written}");
            }
        }
    }

    #[test]
    fn a_rule_of_tokens_is_written_for_each_of_them() {
        let two: Vec<_> = TokenColor::all().take(2).collect();
        let written = resolved("/* a */ .p-x { fill: var(--tok); }", Theme::Dark, &two);
        assert_eq!(
            written,
            ".p-x.tok-0,.tok-0 .p-x{fill: #7d9cff;}\n.p-x.tok-1,.tok-1 .p-x{fill: #5be0df;}\n"
        );
        let plain = resolved(".p-y { stroke: var(--ink); }", Theme::Light, &two);
        assert_eq!(plain, ".p-y{stroke: #191d24;}\n");
    }
}

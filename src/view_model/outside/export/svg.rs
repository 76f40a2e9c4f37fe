//! The timeline as a picture: title, what the runs came to, the timeline as the page draws it, the
//! legend, and that it is a simulation. Made of the layout; no page is asked. It is one SVG file
//! without a script, which asks no host for anything.

use crate::view_model::drawing::legend::{HEIGHT, LEGEND, WIDTH};
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::Px;
use crate::view_model::sentences::verdict::Tone;

use super::drawing::{CameTo, drawn, notes, sizes, verdicts};
use super::style::{patterns, rules, swatch};
use super::subject::Subject;
use super::xml::{Xml, escaped, lines};

/// Width of a picture in px.
const ACROSS: Px = Px::whole(1_200);
/// Room around everything.
const PAD: Px = Px::whole(24);
/// Columns of the legend.
const COLUMNS: i32 = 3;
/// The title's text.
const TITLE: u16 = 22;

/// What stands at the foot of everything that is taken along.
pub(super) const SIMULATION: &str = "A simulation, made with Fenceline";

/// The picture.
pub fn svg(subject: &Subject) -> String {
    let inner = ACROSS - PAD - PAD;
    let drawing = drawn(subject, inner);
    let (layout, metrics) = (&drawing.layout, sizes(inner));
    let mut xml = Xml::default();
    let mut y = PAD;
    let title = Metrics::new(inner, TITLE, false);
    for line in lines(&subject.file.title, &title, true, inner, 3) {
        y = y + Px::whole(22);
        xml.text((PAD, y), "t-title", &line).raw("\n");
        y = y + Px::whole(6);
    }
    for CameTo { label, text, tone, pattern } in verdicts(&subject.runs) {
        y = y + Px::whole(20);
        let class = if tone == Tone::Damage { "t-bad" } else { "t-verdict" };
        xml.open((PAD, y - Px::whole(11)), (Px::whole(24), Px::whole(12)), "swatch");
        xml.raw(&swatch(pattern)).close();
        let x = PAD + Px::whole(32);
        xml.raw(&format!("<text class=\"t-came\" x=\"{x}\" y=\"{y}\">")).words(&label);
        xml.raw(&format!(": <tspan class=\"{class}\">")).words(&text).raw("</tspan></text>\n");
    }
    y = y + Px::whole(14);
    xml.rect((PAD, y), (inner, layout.height), "g-card");
    xml.open((PAD, y), (inner, layout.height), "timeline").raw(&drawing.marks).close();
    xml.rect((PAD, y), (inner, layout.height), "g-frame");
    y = y + layout.height + Px::whole(6);
    for note in notes(subject, layout) {
        for line in lines(&note, &metrics, false, inner, 3) {
            y = y + Px::whole(18);
            xml.text((PAD, y), "x-plain", &line).raw("\n");
        }
    }
    y = legend(&mut xml, &metrics, y + Px::whole(16));
    y = y + Px::whole(20);
    xml.text((PAD, y), "x-strong", SIMULATION);
    if let Some(link) = &subject.link {
        xml.raw(&format!("<a href=\"{}\">", escaped(link)));
        let text = "Open this run, and change it";
        xml.anchored((ACROSS - PAD, y), "t-link", "end", text).raw("</a>");
    }
    framed(subject, &xml.0, y + PAD)
}

/// All marks with their meanings, in columns; where they end.
fn legend(xml: &mut Xml, metrics: &Metrics, top: Px) -> Px {
    let column = (ACROSS - PAD - PAD).share(1, COLUMNS);
    let size = (Px::whole(i32::from(WIDTH)), Px::whole(i32::from(HEIGHT)));
    let room = column - size.0 - Px::whole(26);
    let n_rows = LEGEND.len().div_ceil(usize::try_from(COLUMNS).unwrap_or(1));
    let (mut x, mut y, mut bottom) = (PAD, top, top);
    for (index, line) in LEGEND.iter().enumerate() {
        if index > 0 && index.is_multiple_of(n_rows) {
            (x, y) = (x + column, top);
        }
        xml.open((x, y), size, "legend");
        for shape in line.shapes {
            xml.path(shape.class, shape.fill, shape.d);
        }
        xml.close();
        let texts = lines(line.meaning, metrics, false, room, 3);
        let mut baseline = y + Px::whole(if texts.len() > 1 { 11 } else { 18 });
        for text in &texts {
            xml.text((x + size.0 + Px::whole(10), baseline), "x-plain", text);
            baseline = baseline + Px::whole(16);
        }
        y = (y + Px::whole(31)).max(baseline - Px::whole(4));
        bottom = bottom.max(y);
    }
    bottom
}

/// The file around the marks.
fn framed(subject: &Subject, marks: &str, height: Px) -> String {
    let title = escaped(&subject.file.title);
    let came_to: Vec<_> = verdicts(&subject.runs)
        .iter()
        .map(|CameTo { label, text, .. }| escaped(&format!("{label}: {text}")))
        .collect();
    let came_to = came_to.join(". ");
    let (style, patterns) = (rules(subject.theme, marks), patterns(marks));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{ACROSS}\" height=\"{height}\" \
         viewBox=\"0 0 {ACROSS} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{title} (simulated)</title>\n\
         <desc id=\"desc\">{SIMULATION}. {came_to}.</desc>\n\
         <style>\n{style}</style>\n{patterns}\
         <rect class=\"g-paper\" width=\"{ACROSS}\" height=\"{height}\"/>\n{marks}\n</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::view_model::drawing::colors::Theme;
    use crate::view_model::outside::export::Subject;
    use crate::view_model::outside::import::{self, Source};
    use crate::view_model::outside::link::{Link, Place};

    const HOSTILE: &str = "</text><script>alert(1)</script>\"'&amp;\u{202e}\u{2066}\0\u{ffff}]]>";

    /// Elements are closed in the order in which they were opened, and no text holds markup.
    fn check_well_formed(svg: &str) -> Vec<String> {
        let (mut open, mut seen) = (Vec::new(), Vec::new());
        for part in svg.split('<').skip(1) {
            let (tag, text) = part.split_once('>').expect("a tag ends");
            assert!(!text.contains(']') || !text.contains("]]>"), "{text}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name));
                continue;
            }
            let name = tag.split([' ', '/']).next().expect("a tag has a name").to_owned();
            seen.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
        seen
    }

    fn subject(index: usize) -> Subject {
        Subject::of(GALLERY[index].file()).expect("valid")
    }

    #[test]
    fn every_scenario_is_a_well_formed_picture_that_says_what_it_is() {
        for index in 0..GALLERY.len() {
            let subject = subject(index);
            let svg = svg(&subject);
            let seen = check_well_formed(&svg);
            let known =
                ["svg", "title", "desc", "style", "defs", "pattern", "rect", "path", "text"];
            let others = seen.iter().filter(|name| !known.contains(&name.as_str()));
            assert!(others.clone().all(|name| name == "tspan"), "{:?}", others.collect::<Vec<_>>());
            assert!(svg.contains("(simulated)</title>") && svg.contains(SIMULATION));
            assert!(svg.contains(&escaped(&subject.file.title)));
            for CameTo { text, .. } in verdicts(&subject.runs) {
                assert!(svg.contains(&escaped(&text)), "{text}");
            }
            assert!(!svg.contains("var("), "{}", subject.file.title);
        }
    }

    #[test]
    fn both_runs_stand_in_it_as_on_the_page() {
        let svg = svg(&subject(0));
        for text in ["if it has no", "if it has a", "Corrupted at 17.1 s", "Safe in this run"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.contains("class=\"p-damage\"") && svg.contains("class=\"p-fence\""));
    }

    #[test]
    fn no_text_is_smaller_than_12_px_and_each_theme_has_its_colours() {
        let mut subject = subject(0);
        let light = svg(&subject);
        subject.theme = Theme::Dark;
        let dark = svg(&subject);
        for (svg, card) in [(&light, "#ffffff"), (&dark, "#1a1e25")] {
            assert!(svg.contains(&format!(".g-card{{fill: {card};}}")));
            let sizes = svg.split("font-size: ").skip(1);
            for size in sizes.map(|rest| rest.split("px").next().expect("a size in px")) {
                assert!(size.parse::<u32>().expect("a number") >= 12, "{size}");
            }
        }
        assert_eq!(light.lines().count(), dark.lines().count());
    }

    #[test]
    fn hostile_names_stay_text() {
        let mut subject = subject(0);
        let mut file = (*subject.file).clone();
        file.title = HOSTILE.to_owned();
        subject.file = file.into();
        subject.link = Some("https://host.example/\"><script>#1.a".to_owned());
        let svg = svg(&subject);
        let seen = check_well_formed(&svg);
        assert!(!seen.iter().any(|name| name == "script"), "{seen:?}");
        assert!(!svg.contains(['\0', '\u{202e}', '\u{2066}', '\u{ffff}']));
        assert!(svg.contains("&lt;/text&gt;&lt;script&gt;"));
    }

    #[test]
    fn an_incident_stands_in_it_as_text_with_its_times() {
        use crate::sim::scenario::Observed;
        use crate::sim::time::SimTime;
        let mut file = GALLERY[0].file();
        let at = SimTime::from_millis(2_000);
        let text = "<b>GC</b>".to_owned();
        file.incident.observed = vec![Observed { at, actor: None, text, is: None, sets: None }];
        file.incident.start = Some("2024-05-01T10:00:00+02:00".parse().expect("valid"));
        file.incident.zone = "Europe/<Berlin>".to_owned();
        let since = svg(&Subject::of(file.clone()).expect("valid"));
        check_well_formed(&since);
        let start = "2024-05-01T10:00:00+02:00 (Europe/&lt;Berlin&gt;)";
        assert!(since.contains(&format!("start of the run, which is {start}")), "{since}");
        assert!(since.contains(">Observed</text>") && since.contains("&lt;b&gt;GC&lt;/b&gt;"));
        file.incident.clock = true;
        let of_day = svg(&Subject::of(file).expect("valid"));
        assert!(of_day.contains(&format!("Times of day are simulated; 0 s is {start}")));
        assert!(
            of_day.contains(">10:00:00</text>") && of_day.contains(">:17.1</text>"),
            "{of_day}"
        );
    }

    #[test]
    fn the_link_inside_comes_back() {
        for entry in GALLERY {
            let mut subject = Subject::of(entry.file()).expect("valid");
            let place = Place { scenario: Some(entry.id.to_owned()), ..Place::default() };
            let link = Link { file: entry.file(), place };
            subject.link = Some(format!("https://host.example/a/?x=1&y#{}", link.to_fragment()));
            assert_eq!(import::read(&svg(&subject), Source::File), Ok(link), "{}", entry.id);
        }
    }

    #[test]
    fn a_stretch_says_which_it_is() {
        use crate::sim::time::SimTime;
        use crate::view_model::drawing::scale::TimeView;
        let mut subject = subject(0);
        assert!(svg(&subject).contains("Shown is the whole run"));
        let (from, to) = (SimTime::from_millis(9_000), SimTime::from_millis(18_000));
        subject.view = TimeView::within(from, to, subject.runs.ends_at());
        assert!(svg(&subject).contains("Shown is 9.0 s to 18.0 s of a run of"));
    }
}

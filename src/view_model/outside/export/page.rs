//! A page that plays the runs by itself: one HTML file with the drawing, what happened as a list,
//! and a small script that moves the playhead over them. Its own policy lets it ask no host for
//! anything. The script is a constant: nothing that people wrote is ever inside it, because it
//! reads the instants from the list's attributes and the words from the list's text.

use std::fmt::Write;

use crate::sim::limits::{MAX_HISTORY_BYTES, MAX_LIST_BYTES, MAX_PLAYED_EVENTS, MAX_TOLD_UNITS};
use crate::sim::time::SimTime;
use crate::view_model::drawing::colors::Theme;
use crate::view_model::drawing::legend::{HEIGHT, LEGEND, WIDTH};
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::drawing::scale::Px;
use crate::view_model::runs::Runs;
use crate::view_model::runs::labels;
use crate::view_model::sentences::verdict::Tone;
use crate::view_model::sentences::why::{spoken_of, why};
use crate::view_model::sentences::{describe, history};
use crate::view_model::timeline::ruler::RulerRows;
use crate::view_model::words::wording;

use super::drawing::{CameTo, Drawing, drawn, notes, verdicts};
use super::style::{patterns, resolved, rules, swatch};
use super::subject::Subject;
use super::svg::SIMULATION;
use super::xml::{Xml, escaped};

const SCRIPT: &str = include_str!("../../../../static/player/player.js");
const STYLE: &str = include_str!("../../../../static/player/player.css");

/// Width of the drawing in px. Where the window is narrower it is scaled, so that all of it is seen
/// and nothing scrolls sideways; its events are a list in full size.
const ACROSS: Px = Px::whole(1_152);

/// What the file may do: show itself and run its own script. Every host is out of its reach.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// The page.
pub fn page(subject: &Subject) -> String {
    // Both themes: the file follows its reader's system.
    let theme = Theme::Both;
    let drawing = drawn(subject, ACROSS);
    let legend = legend();
    let head = head(subject);
    let marks = format!("{head}{}{legend}", drawing.marks);
    let (style, patterns) = (rules(theme, &marks), patterns(&marks));
    let around = resolved(STYLE, theme, &Vec::<TokenColor>::new());
    let title = escaped(&subject.file.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} (simulated)</title>\n<style>\n{style}{around}</style>\n</head>\n<body>\n\
         <main>\n<h1>{title}</h1>\n"
    );
    page += &head;
    page += &timeline(subject, &drawing, &patterns);
    page += CONTROLS;
    page += &events(subject);
    page += &histories(subject);
    page += "<section><h2>Legend</h2>\n<ul class=\"legend\">\n";
    page += &legend;
    page += "</ul></section>\n</main>\n<script>\n";
    page += SCRIPT;
    page += "</script>\n</body>\n</html>\n";
    page
}

/// What this is, and what the runs came to.
fn head(subject: &Subject) -> String {
    let mut head = Xml::default();
    head.raw(&format!("<p class=\"quiet\">{SIMULATION}. Everything is in this file."));
    if let Some(link) = &subject.link {
        head.raw(&format!(
            " <a href=\"{}\" rel=\"noreferrer\">Open this run, and change it</a>",
            escaped(link)
        ));
    }
    head.raw("</p>\n");
    for CameTo { label, text, tone, pattern } in verdicts(&subject.runs) {
        let class = if tone == Tone::Damage { " class=\"bad\"" } else { "" };
        head.raw(&format!(
            "<p><svg class=\"swatch\" width=\"24\" height=\"12\" aria-hidden=\"true\">{}</svg> ",
            swatch(pattern)
        ));
        head.words(&label).raw(&format!(": <b{class}>")).words(&text).raw("</b></p>\n");
    }
    head.0
}

fn timeline(subject: &Subject, drawing: &Drawing, patterns: &str) -> String {
    let layout = &drawing.layout;
    let (height, scale) = (layout.height, &layout.scale);
    let (from, to) = (scale.view.from.micros(), scale.view.to.micros());
    let at = subject.at.clamp(scale.view.from, scale.view.to).micros();
    let bends: Vec<_> = std::iter::once(scale.view.from)
        .chain(scale.bends(scale.view.from, scale.view.to))
        .chain([scale.view.to])
        .map(|at| format!("{},{}", at.micros(), drawing.labels + scale.x(at)))
        .collect();
    let mut xml = Xml::default();
    xml.raw(&format!(
        "<div class=\"drawing\" tabindex=\"0\" role=\"region\" aria-label=\"Timeline\">\n\
         <svg id=\"timeline\" viewBox=\"0 0 {ACROSS} {height}\" data-from=\"{from}\" \
         data-to=\"{to}\" data-at=\"{at}\" data-bends=\"{}\" \
         aria-hidden=\"true\">\n{patterns}",
        bends.join(" ")
    ));
    xml.raw(&drawing.marks);
    let top = RulerRows::of(&layout.metrics).tick;
    xml.raw(&format!(
        "<path id=\"line\" class=\"line\" d=\"M0 {top}V{height}\"/></svg>\n</div>\n\
         <input id=\"playhead\" type=\"range\" min=\"{from}\" max=\"{to}\" step=\"any\" \
         value=\"{at}\" aria-label=\"Playhead\">\n"
    ));
    for note in notes(subject, layout) {
        xml.raw("<p class=\"quiet\">").words(&note).raw("</p>\n");
    }
    xml.0
}

const CONTROLS: &str = "<div class=\"bar\" role=\"group\" aria-label=\"Transport\">
<button type=\"button\" id=\"start\">Start</button>
<button type=\"button\" id=\"previous\">Previous event</button>
<button type=\"button\" id=\"play\">Play</button>
<button type=\"button\" id=\"next\">Next event</button>
<output id=\"now\"></output> <span id=\"place\" class=\"quiet\"></span>
<select id=\"speed\" aria-label=\"Speed\">
<option value=\"0.25\">0.25×</option><option value=\"0.5\">0.5×</option>
<option value=\"1\" selected>1×</option><option value=\"2\">2×</option>
<option value=\"5\">5×</option><option value=\"10\">10×</option>
</select>
<button type=\"button\" id=\"theme\">Theme: system</button>
</div>
<p id=\"caption\" class=\"caption\" aria-live=\"polite\"></p>
<p id=\"why\" class=\"why quiet\"></p>
<noscript><p>This file plays where scripts may run. Without them it is a picture and a list.</p>\
</noscript>
";

/// What happened in the stretch, as a list that can be read without the script.
fn events(subject: &Subject) -> String {
    let (runs, view) = (&subject.runs, subject.view);
    let moments = &runs.moments;
    let first = moments.n_before(view.from);
    let last = moments.n_until(view.to);
    let mut list = String::new();
    let mut n_listed = 0;
    let listed = (first..last).filter_map(|index| Some((index, moments.get(index)?)));
    for (index, moment) in listed {
        if n_listed == MAX_PLAYED_EVENTS || list.len() > MAX_LIST_BYTES {
            break;
        }
        n_listed += 1;
        let at = moment.at;
        let _ = write!(
            list,
            "<li data-at=\"{}\"{}><button type=\"button\"><b>{}</b><span>",
            at.micros(),
            reason(runs, index, at),
            escaped(&wording::time(at))
        );
        for line in describe::moment(runs, &moment) {
            let _ = write!(list, "<span>{}</span>", escaped(&line));
        }
        list += "</span></button></li>\n";
    }
    let left = (last - first).saturating_sub(n_listed);
    let told = match left {
        0 => String::new(),
        _ => format!(
            "<p class=\"quiet\">The first {n_listed} events are listed, {left} are left out: this \
             file takes no more</p>\n"
        ),
    };
    format!("<section><h2>Events</h2>\n{told}<ol id=\"events\">\n{list}</ol></section>\n")
}

/// Why it happened, for the script: of what matters most at an instant, where there is a reason.
fn reason(runs: &Runs, index: u32, at: SimTime) -> String {
    let is_spoken_of = spoken_of(runs, runs.moments.n_until(at)) == Some(index);
    let moment = runs.moments.get(index).filter(|_| is_spoken_of);
    let what = moment.map(|moment| describe::moment(runs, &moment).join(". "));
    let why = what.and_then(|what| Some(why(runs, index)?.text).filter(|text| *text != what));
    why.map_or(String::new(), |why| format!(" data-why=\"{}\"", escaped(&why)))
}

/// The units of work of each run, and in which order they can have run.
fn histories(subject: &Subject) -> String {
    let mut xml = Xml::default();
    xml.raw("<section><h2>History</h2>\n");
    for (run, recording) in subject.runs.shown() {
        xml.raw("<h3>").words(&labels::run_label_capital(&subject.runs, run)).raw("</h3>\n");
        xml.raw("<pre>");
        for line in history::text(&subject.runs.words, recording, MAX_TOLD_UNITS).lines() {
            if xml.0.len() > MAX_HISTORY_BYTES {
                xml.raw("The rest is left out: this file takes no more\n");
                break;
            }
            xml.words(line).raw("\n");
        }
        xml.raw("</pre>\n");
    }
    xml.raw("</section>\n");
    xml.0
}

fn legend() -> String {
    let mut xml = Xml::default();
    for line in LEGEND {
        xml.raw(&format!("<li><svg width=\"{WIDTH}\" height=\"{HEIGHT}\" aria-hidden=\"true\">"));
        for shape in line.shapes {
            xml.path(shape.class, shape.fill, shape.d);
        }
        xml.raw("</svg><span>").words(line.meaning).raw("</span></li>\n");
    }
    xml.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::limits::MAX_FILE_BYTES;
    use crate::sim::scenario::{Length, Repeat};
    use crate::sim::time::SimDuration;
    use crate::view_model::outside::import::{self, Source};
    use crate::view_model::outside::link::{Link, Place};

    const HOSTILE: &str = "</script><script>alert(1)</script><!--\"'&amp;\u{2028}\u{202e}\0";

    fn first() -> Subject {
        Subject::of(GALLERY[0].file()).expect("valid")
    }

    #[test]
    fn it_holds_every_event_and_asks_nobody() {
        let subject = first();
        let page = page(&subject);
        let n_moments = subject.runs.moments.n_moments();
        assert_eq!(page.matches("<li data-at=").count(), usize::try_from(n_moments).unwrap());
        assert!(page.contains(SIMULATION) && page.contains("Corrupted at 17.1 s"));
        assert!(page.contains("data-why=\"Refused: token 33 is lower than 34"), "and says why");
        for reaches_out in ["http:", "https:", "url(h", "import", "fetch(", "src="] {
            assert!(!page.contains(reaches_out), "{reaches_out}");
        }
        assert!(page.contains("light-dark(") && !page.contains("var(--"));
    }

    #[test]
    fn hostile_names_are_text_and_never_inside_the_script() {
        let mut subject = first();
        let plain = page(&subject);
        let mut file = (*subject.file).clone();
        file.title = HOSTILE.to_owned();
        subject.file = file.into();
        subject.link = Some("https://host.example/#1.</script>\"".to_owned());
        let hostile = page(&subject);
        assert_eq!(hostile.matches("<script").count(), 1);
        assert_eq!(hostile.matches("</script").count(), 1);
        assert!(!hostile.contains(['\u{2028}', '\u{202e}', '\0']) && !hostile.contains("<!--"));
        let script = |page: &str| page.split("<script>").nth(1).map(str::to_owned);
        assert_eq!(script(&hostile), script(&plain), "the script is a constant");
    }

    #[test]
    fn the_link_inside_comes_back() {
        let mut subject = first();
        let link = Link { file: GALLERY[0].file(), place: Place::default() };
        subject.link = Some(format!("https://host.example/#{}", link.to_fragment()));
        assert_eq!(import::read(&page(&subject), Source::File), Ok(link));
    }

    #[test]
    fn a_long_run_stays_a_file_that_opens_and_says_what_is_left_out() {
        let mut file = GALLERY[0].file();
        file.scenario.defaults.repeat = Repeat::After(SimDuration::from_millis(10));
        file.scenario.length = Length::Fixed(SimDuration::from_secs(3_000));
        let subject = Subject::of(file).expect("valid");
        let page = page(&subject);
        assert!(page.len() < MAX_FILE_BYTES, "{}", page.len());
        assert!(page.contains("are left out: this file takes no more"));
    }
}

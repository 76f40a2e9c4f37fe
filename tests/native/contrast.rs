//! The contrast of the page's colours, computed from the style sheets' custom properties in both
//! themes: 4.5:1 for text, 3:1 for controls and marks (WCAG 2.2, 1.4.3 and 1.4.11).

use std::collections::BTreeMap;
use std::fs;

/// A colour's red, green and blue.
type Rgb = [f64; 3];

/// The custom properties of one theme.
type Theme = BTreeMap<String, Rgb>;

fn themes() -> [Theme; 2] {
    let mut themes = [Theme::new(), Theme::new()];
    for sheet in ["base", "timeline"] {
        let path = format!("static/css/{sheet}.css");
        let text = fs::read_to_string(&path).expect("tests run in the package's folder");
        for line in text.lines() {
            let Some((name, value)) =
                line.trim().strip_prefix("--").and_then(|l| l.split_once(':'))
            else {
                continue;
            };
            let value = value.trim().trim_end_matches(';');
            let pair = value.strip_prefix("light-dark(").and_then(|v| v.strip_suffix(')'));
            let Some((light, dark)) = pair.and_then(|pair| pair.split_once(',')) else {
                continue;
            };
            for (theme, hex) in themes.iter_mut().zip([light, dark]) {
                if let Some(color) = color(hex.trim()) {
                    theme.insert(name.to_owned(), color);
                }
            }
        }
    }
    themes
}

/// `#fff` or `#12151a`.
fn color(hex: &str) -> Option<Rgb> {
    let digits = hex.strip_prefix('#')?;
    let long: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.to_owned(),
    };
    let part = |at: usize| u8::from_str_radix(long.get(at..at + 2)?, 16).ok();
    Some([part(0)?, part(2)?, part(4)?].map(f64::from))
}

fn luminance(color: Rgb) -> f64 {
    let linear = color.map(|part| {
        let part = part / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(one: Rgb, two: Rgb) -> f64 {
    let (one, two) = (luminance(one), luminance(two));
    (one.max(two) + 0.05) / (one.min(two) + 0.05)
}

/// What stands on what, and how clearly it must.
const TEXT: f64 = 4.5;
const CONTROL: f64 = 3.0;
const PATTERN: f64 = 4.0;
const PAIRS: [(&str, &[&str], f64); 15] = [
    ("ink", &["paper", "card", "line2", "bads", "safe", "ambers"], TEXT),
    ("ink2", &["paper", "card", "line2", "bads", "safe", "ambers"], TEXT),
    // Also what is to come while time passes, on the storages' grounds.
    ("ink3", &["card", "line2", "bads", "safe", "paper"], TEXT),
    ("bad", &["card", "line2", "bads"], TEXT),
    ("amber", &["card", "line2", "ambers"], TEXT),
    // Text on a filled button or a chosen segment.
    ("card", &["ink"], TEXT),
    // The borders of fields and buttons, the track of a slider that is not filled.
    ("edge", &["card", "paper"], CONTROL),
    ("focus", &["card", "paper", "line2"], CONTROL),
    // The patterns of verdicts on their grounds.
    ("z-luck-p", &["z-luck-g"], PATTERN),
    ("z-half-p", &["z-half-g"], PATTERN),
    ("z-unav-p", &["z-unav-g"], PATTERN),
    ("z-corr-p", &["z-corr-g"], PATTERN),
    ("tok-0", &["card"], CONTROL),
    ("tok-1", &["card"], CONTROL),
    ("tok-2", &["card"], CONTROL),
];

#[test]
fn text_and_controls_stand_out_in_both_themes() {
    let mut faint = Vec::new();
    for (theme, name) in themes().iter().zip(["light", "dark"]) {
        let get = |name: &str| *theme.get(name).unwrap_or_else(|| panic!("--{name} is a colour"));
        for (front, backs, least) in PAIRS {
            for back in backs {
                let found = contrast(get(front), get(back));
                if found < least {
                    faint.push(format!(
                        "{name}: --{front} on --{back} is {found:.2}:1, not {least}:1"
                    ));
                }
            }
        }
    }
    assert!(faint.is_empty(), "\n{}\n", faint.join("\n"));
}

#[test]
fn contrast_is_computed_as_the_standard_says() {
    let of = |one: &str, two: &str| {
        contrast(color(one).expect("a colour"), color(two).expect("a colour"))
    };
    assert!((of("#000", "#fff") - 21.0).abs() < 0.01);
    assert!((of("#767676", "#ffffff") - 4.54).abs() < 0.01);
}

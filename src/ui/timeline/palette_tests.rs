//! The tokens' colours, computed: neighbours differ for everybody, nothing is mistaken for another
//! meaning, and all of it stands out from its ground. The style sheet holds what the table does.

use crate::view_model::drawing::colors::{COLORS, SOFT};
use crate::view_model::drawing::palette::{DARK, LIGHT, N_COLORS};

const STYLE: &str = include_str!("../../../static/css/timeline.css");
const BASE: &str = include_str!("../../../static/css/base.css");

/// Linear light.
type Rgb = [f64; 3];

/// What normal sight and the three kinds of colour blindness make of linear light, at their full
/// strength (Machado, Oliveira and Fernandes, 2009).
const SIGHTS: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

fn linear(color: u32) -> Rgb {
    [16, 8, 0].map(|shift| {
        let value = f64::from(color >> shift & 0xff) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

fn times(matrix: &[[f64; 3]; 3], v: Rgb) -> Rgb {
    [0, 1, 2].map(|row| (0..3).map(|i| matrix[row][i] * v[i]).sum::<f64>())
}

/// Oklab, in which distances are about as large as they look; 0.02 is just seen.
fn oklab(rgb: Rgb) -> Rgb {
    let cones = times(
        &[
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ],
        rgb.map(|value| value.clamp(0.0, 1.0)),
    );
    times(
        &[
            [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
        ],
        cones.map(f64::cbrt),
    )
}

fn distance(a: u32, b: u32, sight: &[[f64; 3]; 3]) -> f64 {
    let (a, b) = (oklab(times(sight, linear(a))), oklab(times(sight, linear(b))));
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

fn luminance(rgb: Rgb) -> f64 {
    0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
}

fn contrast(a: u32, b: u32) -> f64 {
    let (a, b) = (luminance(linear(a)), luminance(linear(b)));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The value of a custom property of base.css.
fn base(name: &str, dark: bool) -> u32 {
    let begin = format!("{name}: light-dark(");
    let rest = BASE.split(&begin).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("base.css has {name} for both themes"));
    let pair = rest.split(')').next().expect("a value ends");
    let mut pair = pair.split(',');
    let found = if dark { pair.nth(1) } else { pair.next() };
    let digits = found.expect("two colours").trim().trim_start_matches('#');
    let long: String = match digits.len() {
        3 => digits.chars().flat_map(|c| [c, c]).collect(),
        _ => digits.to_owned(),
    };
    u32::from_str_radix(&long, 16).expect("a colour in hexadecimal")
}

fn themes() -> [(&'static str, [u32; N_COLORS as usize], bool); 2] {
    [("light", LIGHT, false), ("dark", DARK, true)]
}

#[test]
fn the_style_sheet_holds_the_table() {
    for (index, (light, dark)) in LIGHT.iter().zip(DARK).enumerate() {
        let line = format!("--tok-{index}: light-dark(#{light:06x}, #{dark:06x});");
        assert!(STYLE.contains(&line), "timeline.css lacks {line}");
    }
}

#[test]
fn pictures_have_the_colours_of_the_page() {
    for (name, light, dark) in COLORS {
        for (theme, color) in [(false, light), (true, dark)] {
            let found = base(&format!("--{name}"), theme);
            assert_eq!(found, color, "--{name} is #{found:06x} in base.css");
        }
    }
    for percent in [SOFT.0, SOFT.1] {
        let line = format!("color-mix(in srgb, var(--tok) {percent}%, var(--card))");
        assert!(STYLE.contains(&line), "timeline.css lacks {line}");
    }
}

#[test]
fn neighbours_differ_for_everybody() {
    for (theme, colors, _) in themes() {
        for index in 0..colors.len() {
            let next = (index + 1) % colors.len();
            for sight in &SIGHTS {
                let apart = distance(colors[index], colors[next], sight);
                assert!(apart >= 0.115, "{theme}: {index} and {next} are {apart:.3} apart");
            }
        }
    }
}

#[test]
fn no_token_looks_like_damage_a_warning_or_a_control() {
    for (theme, colors, dark) in themes() {
        for (index, &color) in colors.iter().enumerate() {
            for name in ["--bad", "--amber", "--ink"] {
                let apart = distance(color, base(name, dark), &SIGHTS[0]);
                assert!(apart >= 0.12, "{theme}: {index} is {apart:.3} from {name}");
            }
            let [_, a, b] = oklab(linear(color));
            let hue = b.atan2(a).to_degrees().rem_euclid(360.0);
            assert!((185.0..345.0).contains(&hue), "{theme}: {index} has hue {hue:.0}");
        }
    }
}

#[test]
fn tokens_stand_out_from_every_ground() {
    for (theme, colors, dark) in themes() {
        for (index, &color) in colors.iter().enumerate() {
            for ground in ["--card", "--paper", "--bads", "--ambers", "--safe"] {
                let found = contrast(color, base(ground, dark));
                assert!(found >= 3.0, "{theme}: {index} on {ground} is {found:.2}:1");
            }
        }
    }
}

/// Labels stand on bars whose fill is the colour mixed into the card.
#[test]
fn labels_are_legible_on_soft_fills() {
    for (theme, colors, dark) in themes() {
        let share = if dark { 0.24 } else { 0.14 };
        let card = base("--card", dark);
        for (index, &color) in colors.iter().enumerate() {
            let mixed = [16, 8, 0].map(|shift| {
                let (a, b) = (f64::from(color >> shift & 0xff), f64::from(card >> shift & 0xff));
                let mixed = a * share + b * (1.0 - share);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "between two values of a byte"
                )]
                let mixed = mixed.round() as u32;
                mixed << shift
            });
            let soft = mixed.iter().sum();
            for text in ["--ink", "--ink2"] {
                let found = contrast(base(text, dark), soft);
                assert!(found >= 4.5, "{theme}: {text} on {index} is {found:.2}:1");
            }
        }
    }
}

#[test]
fn marks_that_are_no_tokens_stand_out_too() {
    for (theme, _, dark) in themes() {
        for ground in ["--card", "--paper", "--bads", "--ambers", "--safe"] {
            for (name, least) in
                [("--bad", 4.5), ("--amber", 4.5), ("--ink2", 4.5), ("--ink3", 3.0)]
            {
                let found = contrast(base(name, dark), base(ground, dark));
                assert!(found >= least, "{theme}: {name} on {ground} is {found:.2}:1");
            }
        }
    }
}

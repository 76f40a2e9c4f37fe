//! What every drawing is made of: time to pixels, paths, text sizes, colours, patterns. It knows no
//! run.

pub mod advances;
pub mod colors;
pub mod legend;
pub mod merge;
pub mod metrics;
pub mod pace;
pub mod palette;
pub mod path;
pub mod scale;
pub mod tick;
pub mod zones;

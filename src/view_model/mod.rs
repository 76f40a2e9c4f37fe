//! What the page shows, as plain data: merged moments of both runs, sentences, state cards, and the
//! timeline's lanes and marks. It decides nothing about leases and knows no browser.
//!
//! This module may use `crate::sim` and `crate::explore`; never `crate::ui`.

pub mod describe;
pub mod moment;
pub mod runs;
pub mod wording;

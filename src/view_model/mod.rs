//! What the page shows, as plain data: merged moments of both runs, sentences, state cards, and the
//! timeline's lanes and marks. It decides nothing about leases and knows no browser.
//!
//! This module may use `crate::sim` and `crate::explore`; never `crate::ui`.

pub mod controls;
pub mod drawing;
pub mod facts;
pub mod incident;
pub mod outside;
pub mod panels;
pub mod runs;
pub mod sentences;
pub mod setup;
pub mod stories;
pub mod systems;
pub mod timeline;
pub mod tracks;
pub mod transport;
pub mod words;

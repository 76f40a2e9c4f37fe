//! What the page shows, as plain data: merged moments of both runs, sentences, state cards, and the
//! timeline's lanes and marks. It decides nothing about leases and knows no browser.
//!
//! This module may use `crate::sim` and `crate::explore`; never `crate::ui`.

pub mod amount;
pub mod arrow;
pub mod by_hand;
pub mod colors;
pub mod computing;
pub mod control;
pub mod describe;
pub mod edge_words;
pub mod embed;
pub mod export;
pub mod facts;
pub mod flight;
pub mod gallery;
pub mod glossary;
pub mod harm;
pub mod history;
pub mod hit;
pub mod import;
pub mod in_your_system;
pub mod incident;
pub mod inspector;
pub mod keymap;
pub mod lane;
pub mod layout;
pub mod legend;
pub mod link;
pub mod marker;
pub mod merge;
pub mod metrics;
pub mod moment;
pub mod new_fault;
pub mod outcome_words;
pub mod overview;
pub mod paint;
pub mod palette;
pub mod path;
pub mod playback;
pub mod recent;
pub mod remedy_words;
pub mod row;
pub mod runs;
pub mod scale;
pub mod shown;
pub mod snap;
pub mod system_words;
pub mod tick;
pub mod tour;
pub mod tracks;
pub mod verdict;
pub mod why;
pub mod wording;

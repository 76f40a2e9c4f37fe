//! Sentences about runs: what happened and why, what it came to, where it breaks, what would have
//! saved it.

pub mod cause_words;
pub mod describe;
pub mod history;
pub mod race_words;
pub mod range_words;
pub mod remedy_words;
pub mod system_words;
pub mod verdict;
pub mod why;

//! Sentences about runs: what happened and why, what it came to, where it breaks, what would have
//! saved it.

pub mod describe;
pub mod edge_words;
pub mod history;
pub mod remedy_words;
pub mod system_words;
pub mod verdict;
pub mod why;

//! How things are called and written: times, lengths, names, choices, verdicts, kinds of message.
//! The lowest room: it knows what stands in a file and in a log, and no run.

pub mod clock;
pub mod glossary;
pub mod listing;
pub mod message_row;
pub mod names;
pub mod outcome_words;
pub mod struck;
pub mod wording;

//! The controls: the race, the user's numbers, what goes wrong, and the rest. Each turns what the
//! user does into a change of the scenario; none knows what the change does to a run.

mod add_fault;
mod choice;
mod faults;
mod fencing;
mod field;
mod more;
mod numbers;
mod quantity;
mod race;
mod slider;
mod top_bar;
mod track;

pub use faults::WhatGoesWrong;
pub use fencing::FencingChoice;
pub use numbers::YourNumbers;
pub use race::{EdgeSentence, MainQuantity, Race};
pub use top_bar::TopBar;

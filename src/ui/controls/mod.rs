//! The controls: the race, the user's numbers, what goes wrong, and the rest. Each turns what the
//! user does into a change of the scenario; none knows what the change does to a run.

pub mod add_fault;
pub mod choice;
pub mod faults;
pub mod fencing;
pub mod field;
pub mod headline;
pub mod menu;
pub mod numbers;
pub mod quantity;
pub mod race;
pub mod sheet;
pub mod slider;
pub mod strips;
mod table;
pub mod top_bar;

pub use choice::use_chosen;
pub use faults::WhatGoesWrong;
pub use fencing::{Compare, FencingChoice};
pub use headline::{headline, use_acted};
pub use numbers::your_numbers;
pub use race::{MainQuantity, Race, about_scenario, all_ranges, use_race};
pub use top_bar::TopBar;

//! A real incident beside the simulation: the names of its actors, its times of day, what was
//! observed of it and where that differs from the runs. Nothing of it changes a run.

pub mod form;
pub mod observed;
pub mod paste;

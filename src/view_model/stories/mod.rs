//! What there is to look at: the gallery of scenarios and incidents, and the tours.

pub mod gallery;
pub mod tour;
pub mod yours;

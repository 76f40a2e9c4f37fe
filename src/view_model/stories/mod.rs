//! What there is to look at: the gallery of scenarios and incidents, the products by name, and the
//! tours.

pub mod gallery;
pub mod products;
pub mod tour;

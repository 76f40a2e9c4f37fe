//! Questions over many runs: where a verdict changes, and (later) what would have saved us. It runs
//! scenarios and reads recordings; it knows nothing of how they are drawn.

pub mod edges;

pub use edges::{Edge, EdgeSearch, Outcome};

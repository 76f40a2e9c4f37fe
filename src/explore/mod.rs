//! Questions over many runs: where a verdict changes, and what would have saved us. It runs
//! scenarios and reads recordings; it knows nothing of how they are drawn.

pub mod edges;
pub mod remedies;

pub use edges::{Edge, EdgeSearch, Outcome};
pub use remedies::{BreaksFrom, NotTried, RemedyId, RemedySearch, RemedyTable};

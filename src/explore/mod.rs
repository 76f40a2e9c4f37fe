//! Questions over many runs: where a verdict changes, what the bad event does not happen without,
//! what would have saved us, what another lock system would have done. It runs scenarios and reads
//! recordings; it knows nothing of how they are drawn.

mod budget;
pub mod causes;
pub mod edges;
mod outcome;
pub mod ranges;
pub mod remedies;
pub mod systems;

pub use budget::Budget;
pub use causes::{BadEvent, Cause, CauseSearch, CauseSet, Causes};
pub use edges::{Edge, EdgeSearch};
pub use outcome::Outcome;
pub use ranges::{Range, RangeSearch, Ranges, searched_to};
pub use remedies::{BreaksFrom, NotTried, RemedyId, RemedySearch, RemedyTable};
pub use systems::{SystemRow, SystemSearch};

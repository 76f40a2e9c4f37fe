//! Questions over many runs: which values of a quantity come to what, what the bad event does not
//! happen without, what would have saved us, what another lock system would have done. It runs
//! scenarios and reads recordings; it knows nothing of how they are drawn.

mod budget;
pub mod causes;
mod outcome;
pub mod ranges;
pub mod remedies;
pub mod systems;

pub use budget::Budget;
pub use causes::{BadEvent, Cause, CauseSearch, CauseSet, Causes};
pub use outcome::Outcome;
pub use ranges::{Range, RangeSearch, Ranges, searched_to};
pub use remedies::{NotTried, RemedyId, RemedySearch, RemedyTable};
pub use systems::{SystemRow, SystemSearch};

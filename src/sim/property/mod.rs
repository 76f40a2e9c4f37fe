//! What a run is judged by: the properties, each in its own file, the verdict over them, the costs,
//! and the judgement of every write. All of it is a fold over the log; nothing here steers a run.

mod grants;
mod report;

pub use grants::GrantRecord;
pub use report::{
    Costs, PropertyId, PropertyReport, PropertyState, Report, Verdict, VerdictKind, WriteJudgement,
    WriteStatus,
};

//! What no verdict of a scenario speaks of, as far as the scenario has it. It is read from the
//! scenario alone: a run in which none of it came to matter has judged none of it either.

use crate::sim::scenario::{Client, CrashScope, Fault, FaultKind, Operation, Scenario};

/// Something that is not judged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotJudged {
    /// What others read or write at the stores, who are no clients of the lock.
    Others,
    /// What work does elsewhere before it writes.
    WorkElsewhere,
    /// What follows from an act outside: that it was done, how often and in which order is judged.
    AfterActs,
    /// Half a piece of work whose steps are units of their own.
    HalfPieces,
    /// Whether a client that starts again does the same job again. Its pieces are counted on, so
    /// that it counts as another one.
    SameJob,
}

impl NotJudged {
    const ALL: [Self; 5] =
        [Self::Others, Self::WorkElsewhere, Self::AfterActs, Self::HalfPieces, Self::SameJob];

    fn applies(self, scenario: &Scenario) -> bool {
        let any = |test: fn(&Client) -> bool| scenario.clients().iter().any(test);
        match self {
            Self::Others => true,
            Self::WorkElsewhere => any(|client| !client.settings.work.is_zero()),
            Self::AfterActs => any(|client| client.settings.operation == Operation::ExternalEffect),
            Self::HalfPieces => {
                any(|client| client.settings.writes_per_grant > 1 && !client.is_piece_whole())
            }
            Self::SameJob => {
                let mut faults = scenario.spec().faults.iter();
                faults.any(|fault| starts_own_work_again(fault, scenario))
            }
        }
    }
}

/// What is not judged in a scenario, in the order in which it is told.
pub fn not_judged(scenario: &Scenario) -> Vec<NotJudged> {
    NotJudged::ALL.into_iter().filter(|item| item.applies(scenario)).collect()
}

/// Whether the fault lets a client start again whose pieces are its own: a shared list says itself
/// which of them is done. A worker that dies alone does not start again.
fn starts_own_work_again(fault: &Fault, scenario: &Scenario) -> bool {
    let FaultKind::Crash { client, scope: CrashScope::Client, restart_after: Some(_), .. } =
        fault.kind
    else {
        return false;
    };
    fault.enabled && !scenario.clients()[client.index()].is_piece_shared()
}

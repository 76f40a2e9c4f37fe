//! The table in the order of what helps here: the set-up's own mistakes, what makes it safe, what
//! leaves less harm, what was not tried against every fault, and what does not help.

use super::{RemedyId, RemedyTable, Row};
use crate::explore::outcome::Outcome;
use crate::sim::property::VerdictKind;

/// What the rows of a part of the table have in common, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// The schedule as it is.
    AsItIs,
    /// They put a mistake of the set-up right, and that helps.
    Mistakes,
    /// They make the schedule safe.
    Safe,
    /// They come to less harm, and are not safe.
    LessHarm,
    /// They help, and a fault of the schedule never strikes there.
    NotStruck,
    /// They do not help here.
    NoHelp,
}

impl Group {
    /// All of them, in order.
    pub const ALL: [Self; 6] =
        [Self::AsItIs, Self::Mistakes, Self::Safe, Self::LessHarm, Self::NotStruck, Self::NoHelp];
}

impl RemedyId {
    /// Whether it puts a mistake right, and is no argument for something else.
    pub fn mends_a_mistake(self) -> bool {
        self != Self::AsItIs && self < Self::LongerLease
    }
}

impl RemedyTable {
    /// The rows by what they do to the schedule as it is; no group is empty.
    pub fn grouped(&self) -> Vec<(Group, Vec<&Row>)> {
        let as_it_is = self.rows.iter().find(|row| row.id == RemedyId::AsItIs);
        let as_it_is = as_it_is.map(|row| row.outcome);
        let of = |group: Group| {
            let rows = self.rows.iter().filter(|row| row.group(as_it_is) == group);
            (group, rows.collect::<Vec<_>>())
        };
        Group::ALL.into_iter().map(of).filter(|(_, rows)| !rows.is_empty()).collect()
    }
}

impl Row {
    fn group(&self, as_it_is: Option<Outcome>) -> Group {
        let is_safe = |outcome: Outcome| outcome.kind == VerdictKind::Safe && !outcome.by_luck;
        let helps = as_it_is.is_some_and(|before| match is_safe(before) {
            // There is nothing to make safe: what does something, and stays safe.
            true => is_safe(self.outcome) && !self.does_nothing,
            false => self.outcome < before,
        });
        match self.id {
            RemedyId::AsItIs => Group::AsItIs,
            _ if !helps => Group::NoHelp,
            _ if !self.never_strike.is_empty() => Group::NotStruck,
            id if id.mends_a_mistake() => Group::Mistakes,
            _ if is_safe(self.outcome) => Group::Safe,
            _ => Group::LessHarm,
        }
    }
}

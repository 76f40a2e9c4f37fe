//! What a row's run cost, beside its verdict: of everybody who is refused, and everything that is
//! waited for, so that to refuse everything never looks good.

use crate::sim::property::Costs;
use crate::view_model::sentences::verdict;

/// Heads of the columns, in the order of [`verdict::beside`].
pub(super) const HEADS: [&str; 5] =
    ["Done", "Rightful refused", "Held idle", "Nobody worked", "Longest wait"];

/// A cost, in a few words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cost {
    /// How much of what: `1 of 2 done`.
    pub text: String,
    /// What it is, at length.
    pub about: &'static str,
    /// Whether it is another one than that of the schedule as it is.
    pub differs: bool,
}

/// The costs of a row, beside those of the schedule as it is.
pub fn costs(of_row: &Costs, as_it_is: &Costs) -> Vec<Cost> {
    let all = HEADS.iter().zip(verdict::beside(of_row)).zip(verdict::beside(as_it_is));
    let cost = |((head, (about, value)), (_, other)): ((&&str, (_, String)), (_, String))| Cost {
        text: format!("{value} {}", head.to_ascii_lowercase()),
        about,
        differs: value != other,
    };
    all.map(cost).collect()
}

/// The bare values, for columns with [`HEADS`].
pub(super) fn values(costs: &Costs) -> impl Iterator<Item = String> {
    verdict::beside(costs).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::SimDuration;

    #[test]
    fn what_differs_from_the_schedule_as_it_is_is_known() {
        let as_it_is = Costs { units_begun: 2, units_done: 2, ..Costs::default() };
        let refused = Costs {
            units_done: 1,
            refused_rightful: 1,
            longest_wait: SimDuration::from_millis(20_200),
            ..as_it_is
        };
        let told = costs(&refused, &as_it_is);
        let differing = told.iter().filter(|cost| cost.differs).map(|cost| cost.text.as_str());
        let differing: Vec<_> = differing.collect();
        assert_eq!(differing, ["1 of 2 done", "1 rightful refused", "20.2 s longest wait"]);
        assert_eq!(told.len(), HEADS.len(), "the others are there, too");
        assert!(costs(&refused, &refused).iter().all(|cost| !cost.differs));
    }
}

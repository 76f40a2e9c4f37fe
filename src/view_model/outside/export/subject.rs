//! What every export is made of: a file, its runs, and what of them was asked for.

use std::rc::Rc;

use crate::explore::{CauseSearch, RangeSearch, RemedyTable};
use crate::sim::scenario::{ScenarioError, ScenarioFile};
use crate::sim::time::SimTime;

use crate::view_model::drawing::colors::Theme;
use crate::view_model::drawing::scale::{TimeAxis, TimeView};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;
use crate::view_model::sentences::cause_words::{self, CauseText};
use crate::view_model::sentences::range_words::RunRanges;

/// What an export is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Subject {
    /// The scenario with its comparison.
    pub file: Rc<ScenarioFile>,
    /// Its runs.
    pub runs: Rc<Runs>,
    /// Which run, for an export that is of one only.
    pub run: RunNo,
    /// The stretch that pictures show.
    pub view: TimeView,
    /// How pictures draw time.
    pub axis: TimeAxis,
    /// Where the playhead stands.
    pub at: SimTime,
    /// Light or dark, for pictures.
    pub theme: Theme,
    /// The link to what is shown; `None` where there is no page, or it would be too long.
    pub link: Option<String>,
    /// What was found out about the runs.
    pub found: Found,
}

/// What was found out by running them in other ways, as far as that was done.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// The ranges of the main quantity.
    pub ranges: Rc<Vec<RunRanges>>,
    /// What the bad events do not happen without.
    pub causes: Vec<(RunNo, CauseText)>,
    /// What would have saved Run 1's schedule.
    pub remedies: RemedyTable,
}

impl Found {
    /// All of it; `remedies`: those that were run.
    pub fn of(file: &ScenarioFile, runs: &Runs, remedies: RemedyTable) -> Self {
        let quantity = file.main_quantity();
        let ranges = runs.shown().map(|(run, recording)| {
            RunRanges::of(run, &RangeSearch::new(recording.scenario(), quantity).finish())
        });
        let causes = runs.shown().filter_map(|(run, recording)| {
            let search = CauseSearch::new(recording).finish();
            Some((run, cause_words::told(&runs.words, recording, &search)?))
        });
        Self { ranges: Rc::new(ranges.collect()), causes: causes.collect(), remedies }
    }
}

impl Subject {
    /// All of what a file describes, light, without a link.
    ///
    /// # Errors
    /// If the scenario, or the scenario with what is compared, is not valid.
    pub fn of(file: ScenarioFile) -> Result<Self, ScenarioError> {
        let runs = Runs::of(&file)?;
        Ok(Self {
            view: TimeView::whole(runs.ends_at()),
            axis: TimeAxis::Slow,
            at: runs.opens_at(),
            file: Rc::new(file),
            runs: Rc::new(runs),
            run: RunNo::One,
            theme: Theme::Light,
            link: None,
            found: Found::default(),
        })
    }
}

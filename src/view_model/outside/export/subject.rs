//! What every export is made of: a file, its runs, and what of them was asked for.

use std::rc::Rc;

use crate::sim::scenario::{ScenarioError, ScenarioFile};
use crate::sim::time::SimTime;

use crate::view_model::drawing::colors::Theme;
use crate::view_model::drawing::scale::{TimeAxis, TimeView};
use crate::view_model::runs::Runs;
use crate::view_model::runs::moment::RunNo;

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
        })
    }
}

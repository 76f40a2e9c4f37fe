//! One caption under the timeline: what happened at the playhead, and why.

use std::rc::Rc;

use yew::prelude::*;

use crate::ui::store::Selection;
use crate::view_model::runs::Runs;
use crate::view_model::sentences::why::{spoken_of, why};
use crate::view_model::words::wording;

/// Properties of [`WhyCaption`].
#[derive(Properties, PartialEq)]
pub struct WhyProps {
    /// The runs.
    pub runs: Rc<Runs>,
    /// How many moments lie at the playhead or before.
    pub moment: u32,
    /// What is picked out: a moment at the playhead's instant is the one that is spoken of.
    pub selection: Selection,
}

/// The moment that the page speaks of: the picked one if the playhead stands at its instant,
/// otherwise the one of that instant that matters most.
pub fn current(runs: &Runs, moment: u32, selection: Selection) -> Option<u32> {
    let last = runs.moments.get(moment.checked_sub(1)?)?;
    let picked = match selection {
        Selection::Moment(index) => Some(index),
        Selection::Fault(_) | Selection::Nothing => None,
    };
    let is_here = |index: &u32| runs.moments.get(*index).is_some_and(|m| m.at == last.at);
    picked.filter(is_here).or_else(|| spoken_of(runs, moment))
}

/// The region “Why”.
#[component]
pub fn WhyCaption(props: &WhyProps) -> Html {
    let runs = &props.runs;
    let index = current(runs, props.moment, props.selection);
    let caption = index.and_then(|index| why(runs, index));
    html! {
        <section class="why" aria-label="Why">
            if let Some(caption) = caption {
                <b class="why-time">{ wording::time(caption.at) }</b>
                // It can have the focus, so that what is scrolled away is reached by keys.
                <p tabindex="0">{ caption.text }</p>
            } else {
                <b class="why-time">{ wording::time(crate::sim::SimTime::ZERO) }</b>
                <p>{ "Nothing has happened yet." }</p>
            }
        </section>
    }
}

//! The ruler and the lines that run down from it.

use yew::prelude::*;

use crate::view_model::drawing::path::PathData;
use crate::view_model::drawing::scale::Px;
use crate::view_model::drawing::tick::Tick;
use crate::view_model::timeline::paint;

use super::{Laid, attr};

#[derive(Properties, PartialEq)]
pub(super) struct RulerProps {
    pub layout: Laid,
}

#[component]
pub(super) fn Ruler(props: &RulerProps) -> Html {
    let layout = &props.layout;
    let ruler = layout.metrics.ruler();
    let lines = |labelled: bool| {
        let mut path = PathData::new();
        let ticks = layout.ticks.iter();
        for tick in ticks.filter(|tick| tick.label.is_some() == labelled) {
            path.move_to(tick.x, ruler - Px::whole(4)).down_to(layout.height);
        }
        path.into_string()
    };
    html! {
        <>
            <svg class="tl-ruler" height={attr(ruler)} aria-hidden="true">
                { for layout.ticks.iter().filter_map(|tick| label_view(tick, &props.layout)) }
            </svg>
            <svg class="tl-grid" height={attr(layout.height)} aria-hidden="true">
                <path class="is-fine" d={lines(false)} />
                <path class="is-main" d={lines(true)} />
            </svg>
        </>
    }
}

fn label_view(tick: &Tick, layout: &Laid) -> Option<Html> {
    let (label, x, anchor) = layout.tick_label(tick)?;
    let (label, anchor) = (label.to_owned(), paint::anchor(anchor));
    let y = layout.metrics.px(13);
    Some(html! {
        <text class="x-plain" x={attr(x)} y={attr(y)} text-anchor={anchor}>{ label }</text>
    })
}

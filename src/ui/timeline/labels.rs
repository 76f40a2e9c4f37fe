//! The texts of lanes and arrows, each on its ground. They lie over the arrows, which pass under.

use yew::prelude::*;

use crate::view_model::timeline::label::Label;
use crate::view_model::timeline::paint;

use super::{Laid, attr};

#[derive(Properties, PartialEq)]
pub(super) struct LabelsProps {
    pub layout: Laid,
}

/// The list of events says in words what stands here.
#[component]
pub(super) fn Labels(props: &LabelsProps) -> Html {
    let labels = &props.layout.labels;
    html! {
        <g class="tl-labels" aria-hidden="true">
            { for labels.grounds.iter().map(|(ground, d)| html! {
                <path class={paint::ground_class(*ground)} d={d.clone()} />
            }) }
            { for labels.texts.iter().map(label_view) }
        </g>
    }
}

fn label_view(label: &Label) -> Html {
    html! {
        <text
            class={paint::text_class(label.style)}
            x={attr(label.x)}
            y={attr(label.y)}
            text-anchor={paint::anchor(label.anchor)}
        >
            { label.text.clone() }
            if !label.tail.is_empty() {
                <tspan class="x-tail" dx={(!label.text.is_empty()).then_some("8")}>
                    { label.tail.clone() }
                </tspan>
            }
        </text>
    }
}

//! The legend as the page shows it: the lines are the view model's.

use yew::prelude::*;

use crate::view_model::drawing::legend::{HEIGHT, LEGEND, Shape, WIDTH};

/// The legend of all marks.
#[component]
pub fn Legend() -> Html {
    html! {
        <ul class="tl-legend">
            { for LEGEND.iter().map(|line| html! {
                <li>
                    <svg width={WIDTH.to_string()} height={HEIGHT.to_string()} aria-hidden="true">
                        { for line.shapes.iter().map(shape_view) }
                    </svg>
                    <span>{ line.meaning }</span>
                </li>
            }) }
        </ul>
    }
}

fn shape_view(shape: &Shape) -> Html {
    let fill = (!shape.fill.is_empty()).then_some(shape.fill);
    html! { <path class={shape.class} {fill} d={shape.d} /> }
}

/// The legend on paper, where nobody can press K. Not to be made for a screen: it is as many
/// elements as a timeline.
pub fn printed_legend() -> Html {
    html! {
        <section class="card printed" aria-label="Legend">
            <h2>{ "Legend" }</h2>
            <Legend />
            <p class="hint">{ "A simulation, made with Fenceline" }</p>
        </section>
    }
}

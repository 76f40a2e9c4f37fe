//! The ruler and the lines that run down from it.

use yew::prelude::*;

use crate::ui::hooks::use_on_time;
use crate::ui::playhead::PlayheadBus;
use crate::view_model::timeline::ruler::{RulerRows, RulerTime, RulerWords};

use super::playhead::plate_edges;
use super::{Laid, attr};

#[derive(Properties, PartialEq)]
pub(super) struct RulerProps {
    pub layout: Laid,
    pub bus: PlayheadBus,
}

#[component]
pub(super) fn Ruler(props: &RulerProps) -> Html {
    let layout = &props.layout;
    let (ruler, metrics) = (&layout.ruler, &layout.metrics);
    let height = metrics.ruler();
    let root = use_node_ref();
    use_room_for_plate(&root, props);
    html! {
        <>
            <svg ref={root} class="tl-ruler" height={attr(height)} aria-hidden="true">
                <path class="p-squeezed" d={ruler.bands.clone()} />
                <path class="p-bracket" d={ruler.brackets.clone()} />
                if let Some(race) = &ruler.race {
                    <path class="p-race" d={race.bracket.clone()} />
                }
                <path class="p-tick" d={ruler.ticks(metrics)} />
                { for ruler.words.iter().map(|words| words_view(words, layout)) }
                { for ruler.times.iter().map(|time| time_view(time, layout)) }
            </svg>
            <svg class="tl-grid" height={attr(layout.height)} aria-hidden="true">
                <path d={ruler.grid(metrics, layout.height)} />
            </svg>
        </>
    }
}

fn words_view(words: &RulerWords, layout: &Laid) -> Html {
    let class = if words.strong { "x-ink" } else { "x-plain" };
    let y = RulerRows::of(&layout.metrics).words;
    html! {
        <text {class} x={attr(words.middle)} y={attr(y)} text-anchor="middle">
            { words.text.clone() }
        </text>
    }
}

fn time_view(time: &RulerTime, layout: &Laid) -> Html {
    let y = RulerRows::of(&layout.metrics).times;
    html! {
        <text class="x-plain tl-time" x={attr(time.middle)} y={attr(y)} text-anchor="middle">
            { time.label.clone() }
        </text>
    }
}

/// A time that the playhead's plate would touch makes room for it.
#[hook]
fn use_room_for_plate(root: &NodeRef, props: &RulerProps) {
    let (layout, root) = (props.layout.clone(), root.clone());
    use_on_time(&props.bus, layout.clone(), move |now| {
        let Some(svg) = root.cast::<web_sys::Element>() else {
            return;
        };
        let (left, right) = plate_edges(&layout, now);
        let texts = svg.get_elements_by_class_name("tl-time");
        for (index, time) in (0..).zip(&layout.ruler.times) {
            let hidden = time.middle - time.half < right && left < time.middle + time.half;
            if let Some(text) = texts.item(index)
                && text.has_attribute("data-under") != hidden
            {
                // A well-formed name: setting it cannot fail.
                let _ = text.toggle_attribute_with_force("data-under", hidden);
            }
        }
    });
}

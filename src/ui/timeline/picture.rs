//! A small picture of a scenario: the timeline's own lanes and marks, without texts.

use yew::prelude::*;

use super::attr;
use crate::view_model::drawing::scale::Px;
use crate::view_model::sentences::verdict::Tone;
use crate::view_model::stories::gallery::{Picture, PictureLane};
use crate::view_model::timeline::paint;

/// The picture. Decoration: what it shows is said beside it.
pub fn picture(picture: &Picture) -> Html {
    let view_box = format!("0 0 {} {}", Picture::WIDTH, picture.height);
    html! {
        <svg viewBox={view_box} class="tl-picture" aria-hidden="true">
            { for picture.lanes.iter().map(lane) }
            { for picture.arrows.iter().map(|arrows| {
                let fate = paint::arrow_class(arrows);
                html! {
                    <>
                        <path class={classes!("p-flight", fate.clone())} d={arrows.lines.clone()} />
                        <path class={classes!("p-head", fate)} d={arrows.heads.clone()} />
                    </>
                }
            }) }
        </svg>
    }
}

fn lane(lane: &PictureLane) -> Html {
    let ground = match lane.tone {
        None => "",
        Some(Tone::Plain) => "is-safe",
        Some(Tone::Warning) => "is-warned",
        Some(Tone::Damage) => "is-bad",
    };
    html! {
        <g transform={format!("translate(0 {})", lane.top)} class={ground}>
            <rect class={classes!("tl-ground", ground)} width={attr(Picture::WIDTH)}
                height={attr(lane.data.height - Px::whole(2))} />
            { for lane.data.paths.iter().map(super::lane::path_view) }
        </g>
    }
}

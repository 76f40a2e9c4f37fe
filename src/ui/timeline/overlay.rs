//! What lies over all lanes: messages, the faults that can be held, and the cover of the future.

use std::cell::Cell;
use std::rc::Rc;

use web_sys::SvgElement;
use yew::prelude::*;

use crate::ui::hooks::{Mover, use_on_time};
use crate::ui::playhead::PlayheadBus;
use crate::ui::store::{AppAction, Selection};
use crate::view_model::drawing::palette::TokenColor;
use crate::view_model::runs::Runs;
use crate::view_model::timeline::paint;

use super::faults::FaultHandles;
use super::{Laid, attr};

#[derive(Properties, PartialEq)]
pub(super) struct OverlayProps {
    pub layout: Laid,
    pub runs: Rc<Runs>,
    pub bus: PlayheadBus,
    pub selection: Selection,
    pub hide_future: bool,
    pub snaps: bool,
    pub in_hand: Rc<Cell<bool>>,
    /// What is drawn faintly, where its lanes stand at the same places.
    pub ghost: Option<Laid>,
    pub on_action: Callback<AppAction>,
}

#[component]
pub(super) fn Overlay(props: &OverlayProps) -> Html {
    let layout = &props.layout;
    html! {
        <svg class="tl-overlay" height={attr(layout.height)}>
            <Patterns />
            if let Some(ghost) = &props.ghost {
                <g class="tl-ghost" aria-hidden="true">{ arrows_view(ghost) }</g>
            }
            <g aria-hidden="true">{ arrows_view(layout) }</g>
            if props.hide_future {
                <Cover layout={layout.clone()} bus={props.bus.clone()} />
            }
            <FaultHandles
                layout={layout.clone()}
                runs={props.runs.clone()}
                selection={props.selection}
                snaps={props.snaps}
                in_hand={props.in_hand.clone()}
                until={props.hide_future.then(|| props.bus.now())}
                on_action={props.on_action.clone()}
            />
        </svg>
    }
}

fn arrows_view(layout: &Laid) -> Html {
    html! {
        { for layout.arrows.iter().map(|arrows| html! {
            <>
                <path
                    class={classes!("p-flight", paint::arrow_class(arrows))}
                    d={arrows.lines.clone()}
                />
                <path
                    class={classes!("p-head", paint::arrow_class(arrows))}
                    d={arrows.heads.clone()}
                />
            </>
        }) }
    }
}

/// The hatches: one in each token's colour, one for pauses.
#[component]
fn Patterns() -> Html {
    let hatch = |id: String, class: String| {
        html! {
            <pattern
                {id}
                {class}
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
            >
                <rect class="hatch-ground" width="6" height="6" />
                <rect class="hatch-stripe" width="2" height="6" />
            </pattern>
        }
    };
    let tokens = TokenColor::all().map(|color| {
        let index = color.index();
        hatch(format!("hatch-{index}"), format!("tok-{index}"))
    });
    html! {
        <defs>
            { for tokens }
            { hatch("hatch-pause".to_owned(), "is-pause".to_owned()) }
        </defs>
    }
}

#[derive(Properties, PartialEq)]
struct CoverProps {
    layout: Laid,
    bus: PlayheadBus,
}

/// Covers what lies beyond the playhead.
#[component]
fn Cover(props: &CoverProps) -> Html {
    let node = use_node_ref();
    let layout = props.layout.clone();
    let mover = use_memo((), |()| Mover::default());
    use_on_time(&props.bus, (layout.clone(), node.clone()), {
        let (node, bus, mover) = (node.clone(), props.bus.clone(), mover.clone());
        let scale = layout.scale.clone();
        move |_| {
            if let Some(cover) = node.cast::<SvgElement>() {
                mover.follow(&cover.style(), &scale, &bus);
            }
        }
    });
    let top = layout.metrics.ruler();
    html! {
        <rect
            ref={node}
            class="tl-cover"
            y={attr(top)}
            width={attr(layout.metrics.width)}
            height={attr(layout.height - top)}
            aria-hidden="true"
        />
    }
}

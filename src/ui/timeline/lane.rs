//! One lane: its label and its drawing. It is rendered again only when its data differs.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::NodeId;
use crate::ui::icon::{Icon, IconView};
use crate::view_model::timeline::lane::{LaneData, LanePath};
use crate::view_model::timeline::paint;

use super::attr;

#[derive(Properties, PartialEq)]
pub(super) struct LaneProps {
    /// What to draw.
    pub data: Rc<LaneData>,
    /// Whether its label stands above it.
    pub narrow: bool,
    /// Opens or closes the lanes of its single nodes, or itself.
    pub fold: Callback<NodeId>,
    /// Asks what is to befall its node; absent where another lane of the node asks.
    #[prop_or_default]
    pub on_add: Option<Callback<NodeId>>,
    /// Whether that is being asked.
    #[prop_or_default]
    pub adding: bool,
    /// The same lane as it was before, drawn faintly behind.
    #[prop_or_default]
    pub ghost: Option<Rc<LaneData>>,
    /// Whether what is to come is covered: what is known lies above the cover.
    #[prop_or_default]
    pub covered: bool,
    /// The background.
    #[prop_or_default]
    pub class: Classes,
    /// What stands over the drawing.
    #[prop_or_default]
    pub children: Html,
}

#[component]
pub(super) fn Lane(props: &LaneProps) -> Html {
    let data = &props.data;
    let is_client = matches!(data.id.node, NodeId::Client(_));
    html! {
        <div class={classes!("tl-lane", props.class.clone())}>
            <div class="tl-label">
                <b title={data.title.clone()}>
                    if let Some(open) = data.opens {
                        { fold_button(name_view(data), data.id.node, open, &props.fold) }
                    } else {
                        { name_view(data) }
                    }
                </b>
                if !data.subtitle.is_empty() {
                    <span>{ data.subtitle.clone() }</span>
                }
                if let Some((n_nodes, open)) = data.unfolds {
                    {
                        fold_button(format!("{n_nodes} nodes").into(), data.id.node, open,
                            &props.fold)
                    }
                }
                if let Some(on_add) = &props.on_add {
                    { add_button(data.id.node, props, on_add) }
                }
            </div>
            // The list of events says in words what is drawn here.
            <svg
                class={classes!("tl-draw", is_client.then_some("is-client"),
                    props.adding.then_some("is-open"))}
                height={attr(data.height)}
                aria-hidden="true"
            >
                if let Some(ghost) = &props.ghost {
                    <g class="tl-ghost">{ for ghost.paths.iter().map(path_view) }</g>
                }
                { for data.paths.iter().filter(|path| !lifted(path, props)).map(path_view) }
            </svg>
            if props.covered {
                // Above what covers the drawing.
                <svg
                    class={classes!("tl-words", is_client.then_some("is-client"))}
                    height={attr(data.height)}
                    aria-hidden="true"
                >
                    { for data.paths.iter().filter(|path| lifted(path, props)).map(path_view) }
                </svg>
            }
            { props.children.clone() }
        </div>
    }
}

/// Whether a path lies above the cover of the future: a mark at the playhead is seen whole.
fn lifted(path: &LanePath, props: &LaneProps) -> bool {
    props.covered && paint::is_mark(path.paint)
}

/// A name that is cut is read whole.
fn name_view(data: &LaneData) -> Html {
    if data.short == data.title {
        return data.title.clone().into();
    }
    html! {
        <>
            <i aria-hidden="true">{ data.short.clone() }</i>
            <i class="visually-hidden">{ data.title.clone() }</i>
        </>
    }
}

/// The press must not reach the timeline, which would drag or move the playhead.
fn fold_button(name: Html, node: NodeId, open: bool, fold: &Callback<NodeId>) -> Html {
    let onclick = fold.reform(move |_: MouseEvent| node);
    let onpointerdown = Callback::from(|event: PointerEvent| event.stop_propagation());
    html! {
        <button
            type="button"
            class="tl-fold"
            aria-expanded={open.to_string()}
            {onclick}
            {onpointerdown}
        >
            { name }
        </button>
    }
}

/// The “+” at a lane's head. A lane that waits for a drag says so by being pressed.
fn add_button(node: NodeId, props: &LaneProps, on_add: &Callback<NodeId>) -> Html {
    let onclick = on_add.reform(move |_: MouseEvent| node);
    // Over the drawing the press is the button's alone; beside it two fingers may still pinch.
    let over_drawing = props.narrow;
    let onpointerdown = Callback::from(move |event: PointerEvent| {
        if over_drawing {
            event.stop_propagation();
        }
    });
    html! {
        <button
            type="button"
            class="tl-add"
            aria-label={format!("New fault: {}", props.data.called)}
            title="A new fault on this lane"
            aria-pressed={props.adding.to_string()}
            {onclick}
            {onpointerdown}
        >
            <IconView icon={Icon::Plus} />
        </button>
    }
}

pub(super) fn path_view(path: &LanePath) -> Html {
    let (class, fill) = (paint::class(path.paint), paint::fill(path.paint));
    html! { <path {class} {fill} d={path.d.clone()} /> }
}

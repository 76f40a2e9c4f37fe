//! The place of the second storage where it cannot fence: the reason, and the ways out as buttons.

use yew::prelude::*;

use crate::sim::{NodeId, StoreId};
use crate::ui::store::AppAction;
use crate::view_model::drawing::metrics::Metrics;
use crate::view_model::drawing::scale::Px;

use super::TimelineProps;

/// How high the lane is.
pub(super) fn height(metrics: &Metrics) -> Px {
    metrics.px(64)
}

/// The lane, where there is to be one.
pub(super) fn view(props: &TimelineProps) -> Html {
    let TimelineProps { runs, on_action, no_fence: Some((why, ways)), .. } = props else {
        return Html::default();
    };
    let name = runs.words.node(NodeId::Store(StoreId(0)));
    html! {
        <section class="tl-lane is-store tl-no-fence" aria-label="No fence">
            <div class="tl-label"><b>{ name }</b><span>{ "no fence possible" }</span></div>
            <div class="tl-ways">
                <p role="status">{ why }</p>
                { for ways.iter().map(|way| {
                    let action = match way.compared {
                        true => AppAction::Compare(way.changes.clone()),
                        false => AppAction::EditAll(way.changes.clone()),
                    };
                    let onclick = on_action.reform(move |_: MouseEvent| action.clone());
                    html! {
                        <button type="button" class="button" {onclick}>{ way.name }</button>
                    }
                }) }
            </div>
        </section>
    }
}

//! How time is drawn: in slow motion where it matters, or to scale. It changes no run.

use yew::prelude::*;

use crate::ui::controls::choice::Radios;
use crate::ui::store::AppAction;
use crate::view_model::drawing::scale::TimeAxis;

/// Properties of [`AxisChoice`].
#[derive(Properties, PartialEq)]
pub struct AxisProps {
    /// What is chosen.
    pub axis: TimeAxis,
    /// What the user does.
    pub on_action: Callback<AppAction>,
}

const AXES: [TimeAxis; 2] = [TimeAxis::Slow, TimeAxis::ToScale];

/// The switch.
#[component]
pub fn AxisChoice(props: &AxisProps) -> Html {
    let options = ["slow motion", "to scale"].map(AttrValue::from).to_vec();
    let chosen = usize::from(props.axis == TimeAxis::ToScale);
    let on_choose = props.on_action.reform(|index: usize| AppAction::SetAxis(AXES[index]));
    html! {
        <span class="axis">
            <span class="axis-name" aria-hidden="true">{ "Time axis" }</span>
            <Radios label="Time axis" name="time-axis" {options} {chosen} {on_choose}
                hint="Changes only the drawing" />
        </span>
    }
}

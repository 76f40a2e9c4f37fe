//! “Your numbers”: the four quantities that everybody has, the check before the write, and the rest
//! folded away.

use std::rc::Rc;

use yew::prelude::*;

use super::choice::Switch;
use super::more::More;
use super::quantity::QuantityControl;
use crate::sim::scenario::{Change, Check, Quantity, ScenarioFile};
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::amount;

/// Properties of [`YourNumbers`].
#[derive(Properties, PartialEq)]
pub struct NumbersProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
}

const QUANTITIES: [Quantity; 4] =
    [Quantity::Ttl, Quantity::Renew, Quantity::Work, Quantity::Latency];

/// The card “Your numbers”.
#[component]
pub fn YourNumbers(props: &NumbersProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let spec = &props.file.scenario;
    let main = amount::main_quantity(&props.file);
    let checks = spec.defaults.check == Check::AsksService;
    let on_turn = Callback::from(move |on: bool| {
        let check = if on { Check::AsksService } else { Check::Off };
        dispatch.dispatch(AppAction::Edit(Change::Check(check)));
    });
    html! {
        <section class="card numbers" aria-labelledby="numbers-title">
            <h2 id="numbers-title">{ "Your numbers" }</h2>
            { for QUANTITIES.into_iter().filter(|quantity| *quantity != main).map(|quantity| html! {
                <QuantityControl file={props.file.clone()} {quantity}
                    name={amount::name(quantity, spec)} />
            }) }
            <Switch label="Check the lease before the write" on={checks} {on_turn}
                hint={checks.then_some("Asks the service right before each write")} />
            <More file={props.file.clone()} />
        </section>
    }
}

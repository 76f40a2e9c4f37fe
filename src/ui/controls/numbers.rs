//! “Your numbers”: the four quantities that everybody has, the check before the write, and the
//! sheet with all of them.

use std::rc::Rc;

use yew::prelude::*;

use super::choice::Switch;
use super::quantity::QuantityControl;
use super::sheet::Sheet;
use crate::sim::id::{LockNodeId, NodeId};
use crate::sim::lock::info;
use crate::sim::scenario::{Change, Check, Quantity, ScenarioFile};
use crate::ui::store::{AppAction, AppState, Dispatch};
use crate::view_model::controls::amount;
use crate::view_model::runs::{labels, only_run_2};
use crate::view_model::sentences::race_words::RaceText;
use crate::view_model::systems;
use crate::view_model::words::names::Words;

#[derive(Properties, PartialEq)]
struct NumbersProps {
    /// The scenario that the controls show.
    file: Rc<ScenarioFile>,
    /// The same as it came.
    came: Rc<ScenarioFile>,
    /// Whether they change Run 2 alone.
    run_2_only: bool,
    /// The product whose numbers they are.
    product: Option<AttrValue>,
    /// What both runs come to; `None` while nobody is told.
    race: Option<Rc<RaceText>>,
}

/// The card “Your numbers”.
pub fn your_numbers(state: &AppState, race: &Rc<RaceText>, product: Option<AttrValue>) -> Html {
    let run_2_only = state.run_2_only;
    let came = match run_2_only {
        true => Rc::new(only_run_2(&state.came)),
        false => state.came.clone(),
    };
    let race = (!state.hide_future).then(|| race.clone());
    html! { <YourNumbers file={state.controlled()} {came} {run_2_only} {product} {race} /> }
}

const QUANTITIES: [Quantity; 4] =
    [Quantity::Ttl, Quantity::Renew, Quantity::Work, Quantity::Latency];

#[component]
fn YourNumbers(props: &NumbersProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let spec = &props.file.scenario;
    let words = &Words::of(&props.file.incident, &props.file.scenario);
    let main = props.file.main_quantity();
    let checks = spec.defaults.check == Check::AsksService;
    let send = |action: AppAction| {
        let dispatch = dispatch.clone();
        Callback::from(move |_: MouseEvent| dispatch.dispatch(action.clone()))
    };
    let run_2_only = props.run_2_only;
    let both_again = send(AppAction::SetRun2Only(false));
    let service = NodeId::Lock(LockNodeId(0));
    let product = props.product.as_deref();
    let called = words.given(service).or(product).unwrap_or(info(spec.lock).name).to_owned();
    let real = systems::real_defaults(spec);
    let has_real = !real.is_empty();
    let (use_name, use_numbers) = systems::defaults_words(spec);
    let use_real = send(AppAction::EditAll(real));
    let on_turn = Callback::from(move |on: bool| {
        let check = if on { Check::AsksService } else { Check::Off };
        dispatch.dispatch(AppAction::Edit(Change::Check(check)));
    });
    html! {
        <section class="card numbers" aria-labelledby="numbers-title">
            <div class="numbers-head">
                <h2 id="numbers-title">
                    { if run_2_only { "Run 2's numbers" } else { "Your numbers" } }
                </h2>
                if run_2_only {
                    <button type="button" class="link" onclick={both_again}>
                        { "Turn both again" }
                    </button>
                }
            </div>
            if run_2_only {
                <p class="hint">{ run_2_line(&props.file) }</p>
            }
            { for QUANTITIES.into_iter().filter(|quantity| *quantity != main).map(|quantity| html! {
                <QuantityControl key={amount::name(words, quantity, spec)} file={props.file.clone()}
                    {quantity} name={amount::name(words, quantity, spec)} />
            }) }
            <Switch label="Check the lease before the write" on={checks} {on_turn}
                hint={checks.then_some("Asks the service right before each write")} />
            <p class="hint system-line">
                <b>{ called }</b>{ ": " }{ systems::token_line(spec) }
            </p>
            if has_real {
                <button type="button" class="button use-defaults" onclick={use_real}>
                    { use_name }
                    if !use_numbers.is_empty() {
                        <span class="hint">{ use_numbers }</span>
                    }
                </button>
            }
            <Sheet file={props.file.clone()} came={props.came.clone()} race={props.race.clone()} />
        </section>
    }
}

/// What controls change while they change Run 2 alone, and what it has by now.
fn run_2_line(file: &ScenarioFile) -> String {
    match labels::run_2_has(
        &Words::of(&file.incident, &file.scenario),
        &file.compare,
        &file.scenario,
    )
    .as_str()
    {
        "" => "Every control changes Run 2 alone; Run 1 stays as it is".to_owned(),
        has => format!("Run 2 alone is changed; it has: {has}"),
    }
}

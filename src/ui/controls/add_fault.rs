//! The form that adds a fault: what, to whom, when. What it makes can then be moved like any other.

use std::rc::Rc;

use yew::prelude::*;

use super::choice::Choice;
use crate::sim::id::{ClientId, FaultId, LockNodeId, NodeId, StoreId};
use crate::sim::limits;
use crate::sim::message::MessageKind;
use crate::sim::scenario::{
    Change, CrashScope, Fault, FaultKind, MessageAddress, NamedStep, PauseKind, PauseScope,
    ScenarioFile, ScenarioSpec, Start,
};
use crate::sim::time::{SimDuration, SimTime};
use crate::ui::icon::{Icon, IconView};
use crate::ui::store::{AppAction, Dispatch};
use crate::view_model::wording;

/// What can be added, as the form names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Pause(PauseScope),
    Crash { restarts: bool },
    Delay(MessageKind),
}

const WHATS: [(What, &str); 9] = [
    (What::Pause(PauseScope::Client), "Pause the whole client"),
    (What::Pause(PauseScope::Worker), "Pause its worker only"),
    (What::Pause(PauseScope::Renewer), "Pause its renewer only"),
    (What::Crash { restarts: false }, "Crash"),
    (What::Crash { restarts: true }, "Crash and restart"),
    (What::Delay(MessageKind::Write), "Delay its write"),
    (What::Delay(MessageKind::Renew), "Delay its renewal"),
    (
        What::Delay(MessageKind::Acquire),
        "Delay its request for the lock",
    ),
    (
        What::Delay(MessageKind::Granted),
        "Delay the grant on its way to it",
    ),
];

/// When a new fault begins, and how long it lasts: seen at a glance, and moved by the user.
const NEW_START: SimTime = SimTime::from_millis(2_000);
const NEW_LENGTH: SimDuration = SimDuration::from_secs(5);

/// Properties of [`AddFault`].
#[derive(Properties, PartialEq)]
pub struct AddFaultProps {
    /// The scenario.
    pub file: Rc<ScenarioFile>,
}

/// The button “Add a fault” and the form that it opens.
#[component]
pub fn AddFault(props: &AddFaultProps) -> Html {
    let dispatch = use_context::<Dispatch>().expect("App provides it");
    let open = use_state(|| false);
    let what = use_state(|| 0_usize);
    let whom = use_state(|| 0_usize);
    let when = use_state(|| 0_usize);
    let spec = &props.file.scenario;
    let full = spec.faults.len() >= limits::MAX_FAULTS;
    let toggle = {
        let (is_open, open) = (*open, open.setter());
        Callback::from(move |_: MouseEvent| open.set(!is_open))
    };
    let clients = (0..spec.clients.len()).filter_map(|index| u8::try_from(index).ok());
    let whoms: Vec<AttrValue> = clients
        .map(|c| wording::client(ClientId(c)).into())
        .collect();
    let chosen = WHATS[*what].0;
    let add = {
        let (file, open) = (props.file.clone(), open.setter());
        let reset = [what.setter(), whom.setter(), when.setter()];
        let (whom, when) = (*whom, *when);
        Callback::from(move |_: MouseEvent| {
            let client = ClientId(u8::try_from(whom).unwrap_or_default());
            let fault = new_fault(&file.scenario, chosen, client, when);
            dispatch.dispatch(AppAction::Edit(Change::AddFault(fault)));
            open.set(false);
            reset.iter().for_each(|choice| choice.set(0));
        })
    };
    let mut whens: Vec<AttrValue> = vec!["at a time".into()];
    whens.extend(NamedStep::ALL.map(|step| wording::step(step).into()));
    html! {
        <div class="add-fault">
            <button type="button" class="button" onclick={toggle} disabled={full}
                aria-expanded={if *open { "true" } else { "false" }}>
                <IconView icon={Icon::Plus} />{ "Add a fault" }
            </button>
            if full {
                <span class="hint">{ format!("{} faults are the most", limits::MAX_FAULTS) }</span>
            }
            if *open {
                <div class="add-form" role="group" aria-label="New fault">
                    <Choice label="What happens" chosen={*what} on_choose={set(&what)}
                        options={WHATS.map(|(_, name)| name.into()).to_vec()} />
                    <Choice label="To whom" chosen={*whom} on_choose={set(&whom)}
                        options={whoms} />
                    if matches!(chosen, What::Pause(_)) {
                        <Choice label="When" chosen={*when} on_choose={set(&when)}
                            options={whens} />
                    }
                    <button type="button" class="button is-main" onclick={add}>{ "Add" }</button>
                </div>
            }
        </div>
    }
}

fn set(state: &UseStateHandle<usize>) -> Callback<usize> {
    let setter = state.setter();
    Callback::from(move |index| setter.set(index))
}

fn new_fault(spec: &ScenarioSpec, what: What, client: ClientId, when: usize) -> Fault {
    let highest = spec
        .faults
        .iter()
        .map(|fault| fault.id.0)
        .max()
        .unwrap_or(0);
    let taken = |id: u16| spec.faults.iter().any(|fault| fault.id.0 == id);
    // One more than the highest, and the first free one where that is used up.
    let free = (1..=u16::MAX).find(|id| !taken(*id)).unwrap_or_default();
    let id = highest.checked_add(1).unwrap_or(free);
    Fault {
        id: FaultId(id),
        label: String::new(),
        enabled: true,
        kind: new_kind(what, client, when),
    }
}

fn new_kind(what: What, client: ClientId, when: usize) -> FaultKind {
    match what {
        What::Pause(scope) => FaultKind::Pause {
            client,
            scope,
            kind: PauseKind::Process,
            start: match when.checked_sub(1).and_then(|n| NamedStep::ALL.get(n)) {
                Some(&step) => Start::Step { step, nth: 1 },
                None => Start::At(NEW_START),
            },
            length: NEW_LENGTH,
        },
        What::Crash { restarts } => FaultKind::Crash {
            client,
            scope: CrashScope::Client,
            at: NEW_START,
            restart_after: restarts.then_some(NEW_LENGTH),
        },
        What::Delay(kind) => FaultKind::Delay {
            message: address(kind, client),
            by: NEW_LENGTH,
        },
    }
}

/// The first message of a kind that a client sends, or is sent.
fn address(kind: MessageKind, client: ClientId) -> MessageAddress {
    let (client, service) = (NodeId::Client(client), NodeId::Lock(LockNodeId(0)));
    let store = NodeId::Store(StoreId(0));
    let (from, to) = match kind {
        MessageKind::Granted => (service, client),
        MessageKind::Write => (client, store),
        _ => (client, service),
    };
    MessageAddress {
        from,
        to,
        kind,
        nth: 1,
    }
}

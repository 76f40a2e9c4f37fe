//! Redlock's own controls.

use crate::sim::limits::{MAX_LOCK_NODES, MIN_INTERVAL};
use crate::sim::lock::{AskOrder, Persistence, RedlockSettings, Validity, WaitsFor};
use crate::sim::scenario::{Change, ScenarioSpec};
use crate::sim::time::SimDuration;
use crate::view_model::controls::field;
use crate::view_model::controls::{Control, ToChange};
use crate::view_model::words::wording::duration;

fn persistence(persistence: Persistence) -> &'static str {
    match persistence {
        Persistence::Memory => "In memory",
        Persistence::Always => "On disk first (appendfsync always)",
    }
}

fn order(order: AskOrder) -> &'static str {
    match order {
        AskOrder::AtOnce => "All at once",
        AskOrder::InTurn => "One after the other",
    }
}

fn waits_for(waits_for: WaitsFor) -> &'static str {
    match waits_for {
        WaitsFor::Majority => "Until a majority has decided",
        WaitsFor::All => "For every node",
    }
}

fn validity(validity: Validity) -> &'static str {
    match validity {
        Validity::FromTheTry => "The try that succeeded",
        Validity::FromTheFirstTry => "The first try of all",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let own = &spec.systems.redlock;
    let most = i64::try_from(MAX_LOCK_NODES).unwrap_or(i64::MAX);
    let to_nodes = ToChange::new(Change::Systems(spec.systems.clone()), |change, n: i64| {
        if let Change::Systems(all) = change {
            all.redlock.nodes = u8::try_from(n).unwrap_or(1);
        }
    })
    .keyed("nodes");
    let to_persistence = field!(spec, redlock.persistence);
    let to_order = field!(spec, redlock.order);
    let to_waits_for = field!(spec, redlock.waits_for);
    let to_validity = field!(spec, redlock.validity);
    let (in_memory, on_disk) = (Persistence::Memory, Persistence::Always);
    let validities = [Validity::FromTheTry, Validity::FromTheFirstTry];
    let waits = [WaitsFor::Majority, WaitsFor::All];
    vec![
        Control::count("Nodes", None, i64::from(own.nodes), (1, most), to_nodes),
        Control::choice(
            "A node keeps its key",
            None,
            own.persistence,
            &[in_memory, on_disk],
            persistence,
            to_persistence,
        ),
        Control::turn("Delayed restart", None, own.delayed_restart, &{
            field!(spec, redlock.delayed_restart)
        })
        .hinted("A node that was away answers nobody for one time to live"),
        Control::choice(
            "A client asks",
            None,
            own.order,
            &[AskOrder::AtOnce, AskOrder::InTurn],
            order,
            to_order,
        ),
        Control::length("A node has time to answer", None, own.node_timeout, MIN_INTERVAL, {
            field!(spec, redlock.node_timeout)
        })
        .hinted("Small against the time to live, or a slow node eats it up"),
        Control::choice("A client waits", None, own.waits_for, &waits, waits_for, to_waits_for),
        Control::choice(
            "Validity counts from",
            None,
            own.validity,
            &validities,
            validity,
            to_validity,
        ),
        Control::length("Tries again after", None, own.retry, MIN_INTERVAL, {
            field!(spec, redlock.retry)
        }),
        Control::length("and at random up to", None, own.retry_jitter, SimDuration::ZERO, {
            field!(spec, redlock.retry_jitter)
        })
        .hinted("Without it, clients that split the vote split it again"),
    ]
}

pub(super) fn setting(own: &RedlockSettings) -> Vec<String> {
    let usual = RedlockSettings::default();
    let mut parts = Vec::new();
    let mut note = |differs: bool, text: String| {
        if differs {
            parts.push(text);
        }
    };
    note(own.nodes != usual.nodes, format!("{} nodes", own.nodes));
    note(own.persistence != usual.persistence, "keys on disk first".to_owned());
    note(own.delayed_restart, "delayed restart".to_owned());
    note(own.order != usual.order, "asks one after the other".to_owned());
    let timeout = format!("a node has {}", duration(own.node_timeout));
    note(own.node_timeout != usual.node_timeout, timeout);
    note(own.waits_for != usual.waits_for, "waits for every node".to_owned());
    note(own.validity != usual.validity, "validity from the first try".to_owned());
    let retry = (own.retry, own.retry_jitter);
    let text = format!("retry {} + {}", duration(own.retry), duration(own.retry_jitter));
    note(retry != (usual.retry, usual.retry_jitter), text);
    parts
}

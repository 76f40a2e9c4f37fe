//! The controls of a fault beside its start and its length: which message, which link, which clock,
//! what is lost.

use crate::sim::id::{LockNodeId, NodeId, StoreId};
use crate::sim::limits;
use crate::sim::lock;
use crate::sim::scenario::{
    Change, CrashScope, Fault, FaultKind, Loses, MessageAddress, PauseKind, PauseScope,
    ScenarioSpec, Start,
};
use crate::view_model::controls::amount::idle::when;
use crate::view_model::words::struck;
use crate::view_model::words::wording::choice;

use crate::view_model::controls::{Control, ToChange};

/// What of a fault can be set beside its start and its length. Each stands below the fault's name
/// and does not repeat it.
pub fn of_fault(fault: &Fault, spec: &ScenarioSpec) -> Vec<Control> {
    let about = struck::about(&fault.kind);
    let controls = controls(fault, spec);
    controls.into_iter().map(|control| Control { about, ..control }).collect()
}

fn controls(fault: &Fault, spec: &ScenarioSpec) -> Vec<Control> {
    let with = |edit: &dyn Fn(&mut FaultKind)| {
        let mut changed = fault.clone();
        edit(&mut changed.kind);
        Change::ReplaceFault(changed)
    };
    match &fault.kind {
        FaultKind::Pause { scope, kind, start, .. } => {
            let mut controls = Vec::new();
            if let Start::Step { nth, .. } = start {
                let label = "Which time";
                let hint = "1 is the first time that it comes to this step";
                controls.push(which(label, fault, *nth).hinted(hint));
            }
            controls.push(pause_clocks(*scope, *kind, &with));
            controls
        }
        FaultKind::Crash { scope, .. } => vec![crash_scope(*scope, &with)],
        FaultKind::Delay { message, .. }
        | FaultKind::Lose { message }
        | FaultKind::Duplicate { message, .. } => {
            vec![which("Which one", fault, message.nth)]
        }
        FaultKind::Cut { held, .. } => vec![
            cut_from(fault, spec, &with),
            Control::switch(
                "Messages are held, not lost",
                None,
                *held,
                with(&|kind| {
                    if let FaultKind::Cut { held, .. } = kind {
                        *held = !*held;
                    }
                }),
            ),
        ],
        FaultKind::ClockJump { by, .. } => vec![jump_way(by.micros() < 0, &with)],
        FaultKind::ClockRate { ppm, .. } => vec![rate(fault, *ppm)],
        FaultKind::ServiceRestart { loses, .. } => {
            let all = [Loses::Nothing, Loses::Leases, Loses::Everything, Loses::SinceSnapshot];
            let change = |to: Loses| {
                with(&|kind| {
                    if let FaultKind::ServiceRestart { loses, .. } = kind {
                        *loses = to;
                    }
                })
            };
            vec![Control::choice("It loses", None, *loses, &all, choice::loses, change)]
        }
        FaultKind::Failover { lives_on, .. } => {
            let copy = lock::rules(spec).has_standby;
            let idle =
                when(!copy, "no copy", "Without a copy nobody takes over from a node that lives");
            let turned = with(&|kind| {
                if let FaultKind::Failover { lives_on, .. } = kind {
                    *lives_on = !*lives_on;
                }
            });
            let hint = "It serves those who are cut off from the new one";
            vec![Control::switch("The old node lives on", idle, *lives_on, turned).hinted(hint)]
        }
        FaultKind::StoreRestart { .. } | FaultKind::ConnectionLost { .. } => Vec::new(),
    }
}

type With<'a> = &'a dyn Fn(&dyn Fn(&mut FaultKind)) -> Change;

fn pause_clocks(scope: PauseScope, now: PauseKind, with: With<'_>) -> Control {
    // A machine is suspended as a whole.
    let idle = when(
        scope != PauseScope::Client && now == PauseKind::Process,
        "keeps running",
        "A machine is suspended as a whole",
    );
    let change = |to: PauseKind| {
        with(&|kind| {
            if let FaultKind::Pause { kind, .. } = kind {
                *kind = to;
            }
        })
    };
    let all = [PauseKind::Process, PauseKind::Suspend];
    let label = "Its clock during the pause";
    Control::choice(label, idle, now, &all, choice::pause_kind, change).hinted(match now {
        PauseKind::Process => "Garbage collection, SIGSTOP, blocked event loop",
        PauseKind::Suspend => "VM migration, suspended laptop",
    })
}

fn crash_scope(now: CrashScope, with: With<'_>) -> Control {
    let change = |to: CrashScope| {
        with(&|kind| {
            if let FaultKind::Crash { scope, restart_after, .. } = kind {
                *scope = to;
                // A worker alone does not start again.
                *restart_after = restart_after.filter(|_| to == CrashScope::Client);
            }
        })
    };
    let scope_name = |scope| match scope {
        CrashScope::Client => "The whole process",
        CrashScope::Worker => "Its worker alone",
    };
    let all = [CrashScope::Client, CrashScope::Worker];
    Control::choice("Who dies", None, now, &all, scope_name, change)
}

/// Which of several messages, or which of the times that a step is reached.
fn which(label: &str, fault: &Fault, now: u32) -> Control {
    let to = ToChange::new(Change::ReplaceFault(fault.clone()), |change, to: i64| {
        let Change::ReplaceFault(fault) = change else { return };
        if let FaultKind::Delay { message: MessageAddress { nth, .. }, .. }
        | FaultKind::Lose { message: MessageAddress { nth, .. } }
        | FaultKind::Duplicate { message: MessageAddress { nth, .. }, .. }
        | FaultKind::Pause { start: Start::Step { nth, .. }, .. } = &mut fault.kind
        {
            *nth = u32::try_from(to).unwrap_or(1);
        }
    });
    let most = i64::from(limits::MAX_EVENTS);
    Control::count(label, None, i64::from(now), (1, most), to)
}

/// Of a lock service that has several.
const NODE_NAMES: [&str; limits::MAX_LOCK_NODES] =
    ["Node 1", "Node 2", "Node 3", "Node 4", "Node 5", "Node 6", "Node 7", "Node 8", "Node 9"];

fn cut_from(fault: &Fault, spec: &ScenarioSpec, with: With<'_>) -> Control {
    let client = fault.kind.client().map(NodeId::Client);
    let now = match fault.kind {
        FaultKind::Cut { a, b, .. } if client == Some(a) => b,
        FaultKind::Cut { a, .. } => a,
        _ => NodeId::Lock(LockNodeId(0)),
    };
    let n_nodes = lock::info(spec.lock).nodes(spec);
    let nodes = (0..n_nodes).map(|index| NodeId::Lock(LockNodeId(index)));
    let mut all: Vec<_> = nodes.collect();
    all.extend((0..spec.storage.stores).map(|index| NodeId::Store(StoreId(index))));
    let other = |id| match id {
        NodeId::Lock(LockNodeId(n)) if n_nodes > 1 => NODE_NAMES[usize::from(n)],
        NodeId::Lock(_) | NodeId::Client(_) => lock::info(spec.lock).service,
        NodeId::Store(StoreId(0)) => "Storage",
        NodeId::Store(StoreId(1)) => "Storage 2",
        NodeId::Store(StoreId(2)) => "Storage 3",
        NodeId::Store(_) => "Storage 4",
    };
    let change = |to: NodeId| {
        with(&|kind| {
            if let FaultKind::Cut { a, b, .. } = kind {
                (*a, *b) = (client.unwrap_or(*a), to);
            }
        })
    };
    Control::choice("Other end", None, now, &all, other, change)
}

fn jump_way(now: bool, with: With<'_>) -> Control {
    let change = |is_back: bool| {
        with(&|kind| {
            if let FaultKind::ClockJump { by, .. } = kind
                && (by.micros() < 0) != is_back
            {
                *by = crate::sim::time::ClockShift::from_micros(-by.micros());
            }
        })
    };
    let way = |is_back| if is_back { "Back" } else { "Ahead" };
    Control::choice("It is set", None, now, &[false, true], way, change)
}

fn rate(fault: &Fault, now: i32) -> Control {
    let to = ToChange::new(Change::ReplaceFault(fault.clone()), |change, ppm: i64| {
        if let Change::ReplaceFault(fault) = change
            && let FaultKind::ClockRate { ppm: rate, .. } = &mut fault.kind
        {
            *rate = i32::try_from(ppm).unwrap_or_default();
        }
    });
    let range = (i64::from(-limits::MAX_SLOWNESS_PPM), i64::from(limits::MAX_FASTNESS_PPM));
    Control::count("Faster by (ppm)", None, i64::from(now), range, to)
}

//! The controls of what queues and job libraries do with a lease: when its end is acted on, and how
//! an item is settled.

use crate::sim::limits;
use crate::sim::lock::Fixed;
use crate::sim::scenario::{
    Change, Ends, Late, ScenarioSpec, SettleAt, SettleCheck, SettleRefusal,
};
use crate::sim::time::SimDuration;
use crate::view_model::controls::amount::idle;
use crate::view_model::controls::{Control, ToChange};
use crate::view_model::words::wording::choice;

/// How often a service looks for what is over, where the set-up has no time yet.
const LOOKS_EVERY: SimDuration = SimDuration::from_secs(10);

/// When somebody acts on the end of a lease, and what its holder is told until then.
pub(super) fn acted_on(spec: &ScenarioSpec) -> Vec<Control> {
    let lease = &spec.lease;
    let ends = match lease.ends {
        Ends::OnTime | Ends::WhenTaken => None,
        Ends::AtSweep { every, phase } => Some((every, Some(phase))),
        Ends::SecondLook { every } => Some((every, None)),
    };
    let every = ends.map_or(LOOKS_EVERY, |(every, _)| every);
    let phase = ends.and_then(|(_, phase)| phase).unwrap_or_default();
    let (at_sweep, second) = (Ends::AtSweep { every, phase }, Ends::SecondLook { every });
    let mut all = vec![
        Control::choice(
            "A lease ends",
            idle::ends(spec),
            lease.ends,
            &[Ends::OnTime, at_sweep, second, Ends::WhenTaken],
            choice::ends,
            Change::Ends,
        )
        .hinted("When somebody acts on it that the time is over")
        .also("sweep, reaper, rescuer, visibility timeout, stalled"),
    ];
    all.extend(ends.map(|(every, _)| {
        let to = ToChange::new(Change::Ends(lease.ends), |change, value| {
            if let Change::Ends(Ends::AtSweep { every, .. } | Ends::SecondLook { every }) = change {
                *every = value;
            }
        });
        Control::length("It looks every", None, every, limits::MIN_INTERVAL, to)
            .also("sweep, interval")
    }));
    all.extend(ends.and_then(|(_, phase)| phase).map(|phase| {
        let to = ToChange::new(Change::Ends(lease.ends), |change, value| {
            if let Change::Ends(Ends::AtSweep { phase, .. }) = change {
                *phase = value;
            }
        });
        Control::length("It looks first at", None, phase, SimDuration::ZERO, to).also("phase")
    }));
    all.push(
        Control::choice(
            "What a late holder asks is",
            idle::late(spec),
            lease.late,
            &[Late::Accepted, Late::Refused],
            choice::late,
            Change::Late,
        )
        .hinted("While its lease is over and has not ended"),
    );
    all
}

/// Whether the lock stands for an item, and how that is settled.
pub(super) fn item(spec: &ScenarioSpec) -> Vec<Control> {
    let lease = &spec.lease;
    let idle = idle::settling(spec);
    let most = ToChange::new(Change::MaxDeliveries(1), |change, count: i64| {
        *change = Change::MaxDeliveries(u32::try_from(count).unwrap_or(0));
    });
    let range = (0, i64::from(limits::MAX_DELIVERIES));
    vec![
        Control::switch(
            "Stands for one item",
            idle::fixed(spec, Fixed::Item),
            lease.item,
            Change::Item(!lease.item),
        )
        .hinted("A grant is a delivery; who has done the item settles it")
        .also("queue, message, job, task, delivery"),
        Control::choice(
            "An item is settled",
            idle,
            lease.settle_at,
            &[SettleAt::End, SettleAt::Begin],
            choice::settle_at,
            Change::SettleAt,
        )
        .also("ack, acknowledge, complete, delete, acks_late"),
        Control::choice(
            "Whose settling counts",
            idle,
            lease.settle_check,
            &[SettleCheck::Handle, SettleCheck::State, SettleCheck::Item],
            choice::settle_check,
            Change::SettleCheck,
        )
        .also("receipt handle, lock token, ack id"),
        Control::choice(
            "A settling that is not taken is",
            idle,
            lease.settle_refusal,
            &[SettleRefusal::Told, SettleRefusal::Silent],
            choice::settle_refusal,
            Change::SettleRefusal,
        ),
        Control::count(
            "Deliveries until it is dead",
            idle,
            lease.max_deliveries.into(),
            range,
            most,
        )
        .hinted("0: without end")
        .also("dead letter, max receive count, attempts, retries"),
    ]
}

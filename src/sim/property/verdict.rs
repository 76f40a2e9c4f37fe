//! The verdict of a run: the worst that applies, with its first event.

use super::report::{Costs, PropertyId, PropertyReport, PropertyState, Verdict, VerdictKind};
use crate::sim::id::EntrySeq;
use crate::sim::time::SimTime;

/// The properties whose break is corruption.
const CORRUPTING: [PropertyId; 4] = [
    PropertyId::TokensNeverGoBack,
    PropertyId::NoOlderWriteOnceTheNextHolderHasBegun,
    PropertyId::NoLostUpdate,
    PropertyId::NoExternalEffectTwice,
];

/// The properties that decide whether a run is safe, once none is broken.
const DECIDING: [PropertyId; 5] = [
    PropertyId::TokensNeverGoBack,
    PropertyId::NoOlderWriteOnceTheNextHolderHasBegun,
    PropertyId::NoLostUpdate,
    PropertyId::NoExternalEffectTwice,
    PropertyId::SomebodyCanAlwaysGetTheLock,
];

/// The verdict over the properties. `never_served`: a rightful holder was refused there and never
/// served afterwards. `done_twice`: a shared piece of work was done for the second time there.
pub(super) fn of(
    properties: &[PropertyReport],
    never_served: Option<(SimTime, EntrySeq)>,
    done_twice: Option<(SimTime, EntrySeq)>,
    costs: &Costs,
) -> Verdict {
    let wasted = done_twice.map(|(at, entry)| Verdict {
        kind: VerdictKind::WastedWork,
        at: Some(at),
        first: Some(entry),
        because: None,
        by_luck: false,
    });
    let bad = corrupted(properties).or_else(|| unavailable(properties, never_served)).or(wasted);
    bad.unwrap_or_else(|| {
        let undecided = properties.iter().any(|report| {
            DECIDING.contains(&report.id) && report.state == PropertyState::Undecided
        });
        let kind = if undecided { VerdictKind::SafeSoFar } else { VerdictKind::Safe };
        Verdict { kind, at: None, first: None, because: None, by_luck: costs.harmless_late > 0 }
    })
}

fn corrupted(properties: &[PropertyReport]) -> Option<Verdict> {
    let broken = properties.iter().filter(|report| CORRUPTING.contains(&report.id));
    broken.filter_map(|report| verdict(VerdictKind::Corrupted, report)).min_by_key(|bad| bad.at)
}

fn unavailable(
    properties: &[PropertyReport],
    never_served: Option<(SimTime, EntrySeq)>,
) -> Option<Verdict> {
    let nobody = properties
        .iter()
        .filter(|report| report.id == PropertyId::SomebodyCanAlwaysGetTheLock)
        .find_map(|report| verdict(VerdictKind::Unavailable, report));
    let refused = never_served.map(|(at, entry)| Verdict {
        kind: VerdictKind::Unavailable,
        at: Some(at),
        first: Some(entry),
        because: Some(PropertyId::RightfulHolderNeverRefused),
        by_luck: false,
    });
    [nobody, refused].into_iter().flatten().min_by_key(|bad| bad.at)
}

fn verdict(kind: VerdictKind, report: &PropertyReport) -> Option<Verdict> {
    match report.state {
        PropertyState::Broken { at, first, .. } => {
            Some(Verdict { kind, at: Some(at), first, because: Some(report.id), by_luck: false })
        }
        PropertyState::Holds | PropertyState::DoesNotApply | PropertyState::Undecided => None,
    }
}

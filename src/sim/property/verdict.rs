//! The verdict of a run: the worst that applies, with its first event.

use super::report::{
    Costs, Decides, PropertyId, PropertyReport, PropertyState, Verdict, VerdictKind,
};
use crate::sim::history::{Damage, DamageForm, History};
use crate::sim::id::EntrySeq;
use crate::sim::time::SimTime;

/// The verdict. `never_served`: a rightful holder was refused there and never served afterwards.
/// `done_twice`: a shared piece of work was done for the second time there.
pub(super) fn of(
    properties: &[PropertyReport],
    never_served: Option<(SimTime, EntrySeq)>,
    done_twice: Option<(SimTime, EntrySeq)>,
    costs: &Costs,
    history: &History,
) -> Verdict {
    let plain = |kind, (at, entry)| Verdict {
        kind,
        at: Some(at),
        first: Some(entry),
        because: None,
        by_luck: false,
    };
    let nothing_done = history.nothing_done().map(|since| (since.at, since.entry));
    let corrupted = [damaged(history, VerdictKind::Corrupted), item_lost(properties)];
    let corrupted = corrupted.into_iter().flatten().min_by_key(|bad| bad.at);
    let bad = corrupted
        .or_else(|| damaged(history, VerdictKind::HalfWritten))
        .or_else(|| unavailable(properties, never_served))
        .or_else(|| nothing_done.map(|since| plain(VerdictKind::NoWorkFinished, since)))
        .or_else(|| done_twice.map(|since| plain(VerdictKind::WastedWork, since)));
    bad.unwrap_or_else(|| {
        let undecided = properties.iter().any(|report| {
            report.id.decides() != Decides::Nothing && report.state == PropertyState::Undecided
        });
        let kind = if undecided { VerdictKind::SafeSoFar } else { VerdictKind::Safe };
        let by_luck = costs.harmless_late > 0 || history.damages().overlap.is_some();
        Verdict { kind, at: None, first: None, because: None, by_luck }
    })
}

/// The property that a form of damage breaks.
fn broken_by(form: DamageForm) -> PropertyId {
    match form {
        DamageForm::NoOrder(_) => PropertyId::NoLostUpdate,
        DamageForm::OlderOverNewer => PropertyId::NoOlderOverNewer,
        DamageForm::OwnOlderStep => PropertyId::NoOwnOlderStep,
        DamageForm::HalfRead | DamageForm::HalfStands => PropertyId::NoHalfUnit,
        DamageForm::ActedTwice | DamageForm::UpdatedTwice | DamageForm::ActedOutOfOrder => {
            PropertyId::NoExternalEffectTwice
        }
    }
}

/// The first damage that a verdict is about; `None` for a verdict without damage.
pub(in crate::sim) fn damage_of<'a>(verdict: &Verdict, history: &'a History) -> Option<&'a Damage> {
    let is_of_an_item = verdict.because == Some(PropertyId::NoItemLost);
    first_damage(verdict.kind, history).filter(|_| !is_of_an_item)
}

/// The first damage of a kind of verdict.
fn first_damage(kind: VerdictKind, history: &History) -> Option<&Damage> {
    let stands = |form| form == DamageForm::HalfStands;
    match kind {
        VerdictKind::Corrupted => history.damages().first(|form| !stands(form)),
        VerdictKind::HalfWritten => history.damages().first(stands),
        VerdictKind::Safe
        | VerdictKind::SafeSoFar
        | VerdictKind::WastedWork
        | VerdictKind::NoWorkFinished
        | VerdictKind::Unavailable => None,
    }
}

fn damaged(history: &History, kind: VerdictKind) -> Option<Verdict> {
    first_damage(kind, history).map(|Damage { form, at, .. }| Verdict {
        kind,
        at: Some(at.at),
        first: Some(at.entry),
        because: Some(broken_by(*form)),
        by_luck: false,
    })
}

/// An item is done, and nobody did its work.
fn item_lost(properties: &[PropertyReport]) -> Option<Verdict> {
    let report = properties.iter().find(|report| report.id == PropertyId::NoItemLost)?;
    let PropertyState::Broken { at, first, .. } = report.state else {
        return None;
    };
    let (kind, because) = (VerdictKind::Corrupted, Some(report.id));
    Some(Verdict { kind, at: Some(at), first, because, by_luck: false })
}

fn unavailable(
    properties: &[PropertyReport],
    never_served: Option<(SimTime, EntrySeq)>,
) -> Option<Verdict> {
    let nobody = properties
        .iter()
        .filter(|report| report.id == PropertyId::SomebodyCanAlwaysGetTheLock)
        .find_map(|report| match report.state {
            PropertyState::Broken { at, first, .. } => Some(Verdict {
                kind: VerdictKind::Unavailable,
                at: Some(at),
                first,
                because: Some(report.id),
                by_luck: false,
            }),
            PropertyState::Holds | PropertyState::DoesNotApply | PropertyState::Undecided => None,
        });
    let refused = never_served.map(|(at, entry)| Verdict {
        kind: VerdictKind::Unavailable,
        at: Some(at),
        first: Some(entry),
        because: Some(PropertyId::RightfulHolderNeverRefused),
        by_luck: false,
    });
    [nobody, refused].into_iter().flatten().min_by_key(|bad| bad.at)
}

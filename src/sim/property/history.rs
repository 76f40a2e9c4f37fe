//! The properties that a run's history decides: the five forms of damage.

use super::End;
use super::breaks::holds_if;
use super::facts::Facts;
use super::report::{PropertyState, WriteJudgement};
use crate::sim::history::{DamageForm, History};
use crate::sim::scenario::{Client, Operation, Scenario};

/// What the properties are read from.
pub(super) struct Found<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) history: &'a History,
    pub(super) end: &'a End<'a>,
}

/// Whether it is form 1: no order of the units explains the run.
fn is_no_order(form: DamageForm) -> bool {
    matches!(form, DamageForm::NoOrder(_))
}

/// Whether it is form 2.
fn is_older_over_newer(form: DamageForm) -> bool {
    form == DamageForm::OlderOverNewer
}

/// Whether it is form 3.
fn is_own_older_step(form: DamageForm) -> bool {
    form == DamageForm::OwnOlderStep
}

/// Whether it is form 4: half a unit.
fn is_half(form: DamageForm) -> bool {
    matches!(form, DamageForm::HalfRead | DamageForm::HalfStands)
}

/// Whether it is form 5: twice, or out of order, outside.
fn is_outside(form: DamageForm) -> bool {
    matches!(form, DamageForm::ActedTwice | DamageForm::UpdatedTwice | DamageForm::ActedOutOfOrder)
}

impl Found<'_> {
    pub(super) fn no_lost_update(&self) -> PropertyState {
        let updates =
            self.any_client(|client| client.settings.operation == Operation::ReadModifyWrite);
        let several = self.scenario.storage().stores > 1;
        let repeat = Facts::can_writes_repeat(self.scenario);
        if !updates && !several && !repeat && !self.has_long_units() {
            return PropertyState::DoesNotApply;
        }
        self.state(is_no_order, self.is_decided())
    }

    pub(super) fn no_older_over_newer(&self) -> PropertyState {
        self.state(is_older_over_newer, self.is_decided())
    }

    pub(super) fn no_own_older_step(&self) -> PropertyState {
        self.state(is_own_older_step, self.is_decided())
    }

    pub(super) fn no_half_unit(&self) -> PropertyState {
        let acts = self.any_client(|client| client.settings.operation == Operation::ExternalEffect);
        if !acts && !self.has_long_units() && self.scenario.storage().stores == 1 {
            return PropertyState::DoesNotApply;
        }
        self.state(is_half, !self.history.damages().half_undecided)
    }

    pub(super) fn no_external_effect_twice(&self) -> PropertyState {
        let applies = self.any_client(|client| match client.settings.operation {
            Operation::ExternalEffect => true,
            Operation::ReadModifyWrite => client.is_piece_shared(),
            Operation::Overwrite => false,
        });
        if !applies {
            return PropertyState::DoesNotApply;
        }
        self.state(is_outside, self.is_decided())
    }

    /// Whether a unit has several steps: the whole piece is one.
    fn has_long_units(&self) -> bool {
        self.any_client(|client| client.is_piece_whole() && client.settings.writes_per_grant > 1)
    }

    fn any_client(&self, test: fn(&Client) -> bool) -> bool {
        self.scenario.clients().iter().any(test)
    }

    /// Whether nothing under way at the end could still do harm.
    fn is_decided(&self) -> bool {
        !self.end.late_write_pending && !self.history.damages().harm_under_way
    }

    fn state(&self, test: fn(DamageForm) -> bool, is_decided: bool) -> PropertyState {
        let damages = self.history.damages();
        let Some(first) = damages.first(test) else {
            return holds_if(is_decided);
        };
        let times = damages.all.iter().filter(|damage| test(damage.form)).count();
        PropertyState::Broken {
            at: first.at.at,
            first: Some(first.at.entry),
            times: u32::try_from(times).expect("fewer than entries"),
            lasted: None,
        }
    }
}

/// Marks the writes that did damage.
pub(super) fn mark_harm(writes: &mut [WriteJudgement], history: &History) {
    for damage in &history.damages().all {
        let place = writes.binary_search_by_key(&damage.at.entry, |write| write.entry);
        let Some(write) = place.ok().map(|place| &mut writes[place]) else {
            continue;
        };
        if write.accepted && damage.form != DamageForm::HalfStands {
            write.harmful = true;
            write.lost_update |= is_no_order(damage.form);
        }
    }
}

//! A run without some of what went wrong, comparable to the run that had it: it lasts as long, and
//! a fault that names the n-th message still strikes the message that it struck.

use crate::explore::Budget;
use crate::sim::fact::Sending;
use crate::sim::id::FencingToken;
use crate::sim::scenario::{Fault, FaultKind, MessageAddress, Start};
use crate::sim::{Change, Recording, Scenario, SimTime, limits};

/// The run that had it all.
#[derive(Clone, Debug)]
pub(super) struct Base {
    scenario: Scenario,
    ends_at: SimTime,
    /// Which message each fault of one message struck.
    struck: Vec<Struck>,
}

/// The message that a fault struck, and how it is known again.
#[derive(Clone, Debug)]
struct Struck {
    fault: Fault,
    address: MessageAddress,
    /// When it was sent, and the how manieth of those that were then.
    at: SimTime,
    nth_then: usize,
    /// Its token, and the how manieth of those with that.
    token: Option<FencingToken>,
    nth_of_token: usize,
}

/// When a message was sent, and its token.
type Sent = (SimTime, Option<FencingToken>);

/// What came of taking something out.
pub(super) enum Tried {
    /// This run.
    Run(Box<Recording>),
    /// No valid scenario is without it, or no run without it was found in which the other faults
    /// strike what they struck.
    Cannot,
    /// The budget was spent.
    BudgetSpent,
}

impl Base {
    /// A fault that did nothing in this run, because the message or the step that it names was
    /// not there, does nothing in a run without others, either.
    pub(super) fn of(recording: &Recording) -> Self {
        let spec = recording.scenario().spec();
        let enabled = spec.faults.iter().filter(|fault| fault.enabled);
        let (mut struck, mut idle) = (Vec::new(), Vec::new());
        for fault in enabled {
            match address_of(&fault.kind) {
                Some(address) => match struck_by(recording, fault, address) {
                    Some(message) => struck.push(message),
                    None => idle.push(fault.id),
                },
                None if is_at_a_step(&fault.kind)
                    && recording.log().first_of(fault.id).is_none() =>
                {
                    idle.push(fault.id);
                }
                None => {}
            }
        }
        let off = idle.into_iter().map(|id| Change::EnableFault { id, enabled: false });
        let scenario = recording.scenario().with(&off.collect::<Vec<_>>());
        let scenario = scenario.expect("a fault that is there can be switched off");
        Self { scenario, ends_at: recording.ends_at(), struck }
    }

    /// What was run, but for the faults that did nothing.
    pub(super) fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The run with these changes. Counts the runs that it takes.
    pub(super) fn with(&self, changes: &[Change], budget: &mut Budget, n_runs: &mut u32) -> Tried {
        let mut aimed = changes.to_vec();
        for _ in 0..limits::MAX_AIMS {
            let Ok(changed) = self.scenario.with(&aimed) else {
                return Tried::Cannot;
            };
            *n_runs += 1;
            let Some(run) = budget.run_until(&changed, self.ends_at) else {
                return Tried::BudgetSpent;
            };
            let missed = self.missed(&run);
            if missed.is_empty() {
                return Tried::Run(Box::new(run));
            }
            aimed.extend(missed);
        }
        Tried::Cannot
    }

    /// The faults of one message that strike another one in this run, aimed anew, or switched off
    /// where the message is not sent.
    fn missed(&self, run: &Recording) -> Vec<Change> {
        let missed = self.struck.iter().filter_map(|struck| {
            let mut faults = run.scenario().spec().faults.iter();
            let fault = faults.find(|fault| fault.id == struck.fault.id && fault.enabled)?;
            let sent = sent(run, &struck.address);
            let aims_at = address_of(&fault.kind)?.nth;
            match struck.found_in(&sent) {
                Some(nth) => (nth != aims_at).then(|| Change::ReplaceFault(struck.aimed(nth))),
                // It strikes nothing as it is.
                None if aims_at as usize > sent.len() => None,
                None => Some(Change::EnableFault { id: fault.id, enabled: false }),
            }
        });
        missed.collect()
    }
}

impl Struck {
    /// The same message in another run: the one sent at the same instant. Else, of those that are
    /// sent again and again, the first one from there on; of others, which may have been put off or
    /// come sooner, the same one of those with its token, else the same one of all.
    fn found_in(&self, sent: &[Sent]) -> Option<u32> {
        let then = nth_that(sent, self.nth_then, |(at, _)| *at == self.at);
        let alike = || match self.address.kind.is_at_intervals() {
            true => nth_that(sent, 0, |(at, _)| *at >= self.at),
            false => nth_that(sent, self.nth_of_token, |(_, token)| *token == self.token)
                .or_else(|| nth_that(sent, self.address.nth as usize - 1, |_| true)),
        };
        let place = then.or_else(alike)?;
        u32::try_from(place + 1).ok()
    }

    fn aimed(&self, nth: u32) -> Fault {
        let address = MessageAddress { nth, ..self.address };
        let kind = match &self.fault.kind {
            FaultKind::Delay { by, .. } => FaultKind::Delay { message: address, by: *by },
            FaultKind::Lose { .. } => FaultKind::Lose { message: address },
            FaultKind::Duplicate { after, .. } => {
                FaultKind::Duplicate { message: address, after: *after }
            }
            other => other.clone(),
        };
        Fault { kind, ..self.fault.clone() }
    }
}

/// The place of the n-th, from 0, that is so.
fn nth_that(sent: &[Sent], nth: usize, is_so: impl Fn(&Sent) -> bool) -> Option<usize> {
    let those = sent.iter().enumerate().filter(|(_, message)| is_so(message));
    those.map(|(place, _)| place).nth(nth)
}

fn struck_by(recording: &Recording, fault: &Fault, address: MessageAddress) -> Option<Struck> {
    let sent = sent(recording, &address);
    let before = sent.get(..address.nth.checked_sub(1)? as usize)?;
    let &(at, token) = sent.get(before.len())?;
    Some(Struck {
        fault: fault.clone(),
        address,
        at,
        nth_then: before.iter().filter(|earlier| earlier.0 == at).count(),
        token,
        nth_of_token: before.iter().filter(|earlier| earlier.1 == token).count(),
    })
}

/// The messages of a kind between two nodes, in the order sent.
fn sent(recording: &Recording, address: &MessageAddress) -> Vec<Sent> {
    let its_own = |sent: &Sending| {
        (sent.from, sent.to, sent.kind) == (address.from, address.to, address.kind)
    };
    let entries = recording.entries().iter();
    let sent =
        entries.filter_map(|entry| Some((entry.at, entry.fact.sending().filter(its_own)?.token)));
    sent.collect()
}

fn address_of(kind: &FaultKind) -> Option<MessageAddress> {
    match kind {
        FaultKind::Delay { message, .. }
        | FaultKind::Lose { message }
        | FaultKind::Duplicate { message, .. } => Some(*message),
        FaultKind::Pause { .. }
        | FaultKind::Crash { .. }
        | FaultKind::Cut { .. }
        | FaultKind::ClockJump { .. }
        | FaultKind::ClockRate { .. }
        | FaultKind::ServiceRestart { .. }
        | FaultKind::Failover { .. }
        | FaultKind::StoreRestart { .. }
        | FaultKind::ConnectionLost { .. } => None,
    }
}

fn is_at_a_step(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Pause { start: Start::Step { .. }, .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;
    use crate::sim::fact::{Fact, Loss, MessageFact};
    use crate::sim::id::{ClientId, FaultId, LockNodeId, NodeId};
    use crate::sim::message::MessageKind;
    use crate::sim::scenario::{PauseKind, PauseScope};
    use crate::sim::{SimDuration, SimTime};

    /// The first scenario, whose holder's renewer stands still, and whose n-th renewal is lost.
    fn paused_renewer(nth: u32) -> Recording {
        let (a, service) = (NodeId::Client(ClientId(0)), NodeId::Lock(LockNodeId(0)));
        let pause = FaultKind::Pause {
            client: ClientId(0),
            scope: PauseScope::Renewer,
            kind: PauseKind::Process,
            start: Start::At(SimTime::from_millis(3_000)),
            length: SimDuration::from_secs(5),
        };
        let message = MessageAddress { from: a, to: service, kind: MessageKind::Renew, nth };
        let fault = |id, kind| Fault { id: FaultId(id), label: String::new(), enabled: true, kind };
        let changes = [
            Change::ReplaceFault(fault(1, pause)),
            Change::AddFault(fault(2, FaultKind::Lose { message })),
        ];
        let base = GALLERY[0].file().base().expect("valid").with(&changes).expect("it fits");
        Recording::of(&base)
    }

    fn lost_at(run: &Recording) -> Vec<SimTime> {
        let dropped = |fact: &Fact| {
            matches!(fact, Fact::Message(_, MessageFact::Lost { why: Loss::Dropped, .. }))
        };
        let lost = run.entries().iter().filter(|entry| dropped(&entry.fact));
        lost.map(|entry| entry.at).collect()
    }

    fn without_the_pause(recording: &Recording) -> (Recording, u32) {
        let off = Change::EnableFault { id: FaultId(1), enabled: false };
        let mut n_runs = 0;
        let tried = Base::of(recording).with(&[off], &mut { Budget::UNBOUNDED }, &mut n_runs);
        match tried {
            Tried::Run(run) => (*run, n_runs),
            Tried::Cannot | Tried::BudgetSpent => panic!("it can be run"),
        }
    }

    #[test]
    fn a_renewal_that_was_lost_is_lost_without_the_pause() {
        // The pause keeps one renewal back and shifts the rest: the third is that of 14.7 s.
        // Without it the first one from there on is the fifth.
        let recording = paused_renewer(3);
        let (without, n_runs) = without_the_pause(&recording);
        let struck = sent(&recording, &address())[2].0;
        let sent = sent(&without, &address());
        let nth = address_of(&without.scenario().spec().faults[1].kind).map(|it| it.nth);
        assert_eq!(nth, Some(5), "a number alone would lose that of 10.3 s");
        assert!(sent[3].0 < struck && struck < sent[4].0, "{sent:?}");
        assert_eq!(lost_at(&without).len(), 1);
        assert_eq!(n_runs, 2, "one to find the message, and one in which it is lost");
    }

    #[test]
    fn a_message_that_was_never_sent_is_not_lost_without_the_pause() {
        let recording = paused_renewer(9_999);
        assert_eq!(Base::of(&recording).struck.len(), 0);
        let off = Base::of(&recording).scenario().spec().faults[1].enabled;
        assert!(!off, "it is off, whatever is sent then");
    }

    fn address() -> MessageAddress {
        address_of(&paused_renewer(3).scenario().spec().faults[1].kind).expect("it is one")
    }

    #[test]
    fn a_run_without_a_fault_lasts_as_long() {
        let recording = paused_renewer(3);
        let (without, _) = without_the_pause(&recording);
        let off = Change::EnableFault { id: FaultId(1), enabled: false };
        let alone = Recording::of(&recording.scenario().with(&[off]).expect("it fits"));
        assert!(without.ends_at() >= recording.ends_at(), "{}", without.ends_at());
        assert!(alone.ends_at() < recording.ends_at(), "by itself it would be over sooner");
    }
}

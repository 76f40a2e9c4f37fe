//! What several properties need to know of a run: its grants, what each store has accepted, who was
//! paused when; and the judgement of each write, made once.

use super::grants::GrantRecord;
use super::report::{WriteJudgement, WriteStatus};
use crate::sim::fact::{
    ClientFact, Fact, Grant, LeaseEnd, Paused, Said, Seal, ServiceFact, Written,
};
use crate::sim::id::{ClientId, EntrySeq, GrantNo, StoreId, WriteId};
use crate::sim::log::LogEntry;
use crate::sim::message::Message;
use crate::sim::scenario::{FaultKind, PauseScope, Scenario, SettleAt};
use crate::sim::time::SimTime;
use crate::sim::world::{Phase, World};

/// The facts of a run so far.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) grants: Vec<GrantRecord>,
    /// Per store, the newest grant of which it has accepted a write or a seal.
    newest_accepted: Vec<Option<GrantNo>>,
    /// Per client, the pauses that held its worker. Few: a scenario has at most 64 faults.
    pauses: Vec<Vec<PauseSpan>>,
    /// Per store, the accepted writes in order, where one write can arrive twice; `None` where it
    /// cannot, which spares a long run the memory.
    accepted: Option<Vec<Vec<Accepted>>>,
    /// Whether an item is settled before the work on it.
    settles_first: bool,
}

/// A write that a store has accepted.
#[derive(Clone, Copy, Debug)]
struct Accepted {
    write: WriteId,
    grant: GrantNo,
}

#[derive(Clone, Copy, Debug)]
struct PauseSpan {
    entry: EntrySeq,
    since: SimTime,
    until: SimTime,
}

impl Facts {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let n_clients = scenario.clients().len();
        Self {
            grants: Vec::new(),
            newest_accepted: vec![None; usize::from(scenario.storage().stores)],
            pauses: vec![Vec::new(); n_clients],
            accepted: Self::can_writes_repeat(scenario)
                .then(|| vec![Vec::new(); usize::from(scenario.storage().stores)]),
            settles_first: scenario
                .rules()
                .item
                .is_some_and(|item| item.settle_at == SettleAt::Begin),
        }
    }

    /// Whether one write can arrive at a store twice: retried, duplicated, or done by two clients.
    pub(super) fn can_writes_repeat(scenario: &Scenario) -> bool {
        let mut clients = scenario.clients().iter();
        let mut faults = scenario.spec().faults.iter();
        clients.any(|client| client.settings.timeout.is_some() || client.is_piece_shared())
            || faults.any(|fault| matches!(fault.kind, FaultKind::Duplicate { .. }))
    }

    /// Whether this store has accepted this write before: the same piece and step, of the same
    /// client, under the same grant. Who does a shared piece that another one has done makes a
    /// write of its own.
    fn was_applied(&self, store: StoreId, write: WriteId, grant: GrantNo) -> bool {
        let accepted = self.accepted.as_ref().map(|stores| &stores[usize::from(store.0)]);
        let same = |other: &Accepted| other.write == write && other.grant == grant;
        accepted.is_some_and(|writes| writes.iter().any(same))
    }

    pub(super) fn grant(&self, grant: GrantNo) -> Option<&GrantRecord> {
        self.grants.get((grant.0 as usize).checked_sub(1)?)
    }

    /// Takes an entry in; judges it if it answers a write.
    /// `under`: the newest grant that the client had handled when it sent what the entry is due to.
    pub(super) fn observe(
        &mut self,
        entry: &LogEntry,
        before: &World,
        under: Option<GrantNo>,
    ) -> Option<WriteJudgement> {
        match entry.fact {
            Fact::Service(_, fact) => self.observe_service(entry, fact),
            Fact::Client(client, ClientFact::Miscounted { grant, token }) => {
                // Over when it was made.
                let ended = Some((entry.at, LeaseEnd::Expired, entry.seq));
                let (at, entry) = (entry.at, entry.seq);
                self.grants.push(GrantRecord { grant, client, token, at, entry, ended });
            }
            Fact::Fault(_, fact) => {
                if let Some(Paused { client, scope, until, .. }) = fact.paused()
                    && scope != PauseScope::Renewer
                {
                    let span = PauseSpan { entry: entry.seq, since: entry.at, until };
                    self.pauses[client.index()].push(span);
                }
            }
            Fact::Store(store, fact) => {
                if let Some(Seal { grant, below: None, .. }) = fact.seal() {
                    self.accept(store, under.unwrap_or(grant));
                }
                let (Written { write, grant, .. }, said) = fact.written()?;
                let under = under.unwrap_or(grant);
                let judged = self.judge(entry, before, store, (grant, under), (write, said));
                if judged.accepted {
                    self.accept(store, under);
                    if let Some(accepted) = &mut self.accepted {
                        accepted[usize::from(store.0)].push(Accepted { write, grant });
                    }
                }
                return Some(judged);
            }
            Fact::Message(..) | Fact::Client(..) => {}
        }
        None
    }

    fn observe_service(&mut self, entry: &LogEntry, fact: ServiceFact) {
        let (at, entry) = (entry.at, entry.seq);
        if let Some((Grant { no: grant, client, token }, _)) = fact.made() {
            self.grants.push(GrantRecord { grant, client, token, at, entry, ended: None });
        } else if let Some((Grant { no: grant, client, .. }, how)) = fact.ended() {
            // Settling before the work ends the delivery, and not the right to work.
            if self.settles_first && how == LeaseEnd::Settled(client) {
                return;
            }
            let index = (grant.0 as usize).saturating_sub(1);
            if let Some(record) = self.grants.get_mut(index) {
                record.ended.get_or_insert((at, how, entry));
            }
        }
    }

    /// What a seal or write under `grant` is when it arrives at `store` now.
    pub(super) fn status(&self, store: StoreId, grant: GrantNo) -> WriteStatus {
        let ended = self.grant(grant).is_some_and(|record| record.ended.is_some());
        let newer = self.newest_accepted[usize::from(store.0)].is_some_and(|newest| newest > grant);
        match (ended, newer) {
            (false, _) => WriteStatus::Rightful,
            (true, false) => WriteStatus::Late,
            (true, true) => WriteStatus::Stale,
        }
    }

    fn accept(&mut self, store: StoreId, grant: GrantNo) {
        let newest = &mut self.newest_accepted[usize::from(store.0)];
        *newest = (*newest).max(Some(grant));
    }

    fn judge(
        &self,
        entry: &LogEntry,
        before: &World,
        store: StoreId,
        (grant, under): (GrantNo, GrantNo),
        (write, said): (WriteId, Said),
    ) -> WriteJudgement {
        let state = before.stores.get(usize::from(store.0));
        let ended = self.grant(under).and_then(|record| record.ended);
        let spans_end = |span: &&PauseSpan| {
            ended.is_some_and(|(end, ..)| span.since <= end && span.until >= end)
        };
        let pause = self.pauses[write.client.index()].iter().rev().find(spans_end);
        WriteJudgement {
            entry: entry.seq,
            status: self.status(store, under),
            accepted: matches!(said, Said::Applied { .. }),
            lost_update: false,
            seen_before: said == Said::Known || self.was_applied(store, write, grant),
            harmful: false,
            grant_ended: ended.map(|(_, _, entry)| entry),
            highest_set: state.and_then(|store| store.highest).map(|(_, entry)| entry),
            over: state.and_then(|store| store.value).map(|value| value.entry),
            pause: pause.map(|span| span.entry),
        }
    }

    /// Whether at the end a write or an act of a grant that is over may still arrive: it is in
    /// flight, or its worker is between the start of the work and the write. `known`: the newest
    /// grant that a client has handled.
    pub(super) fn late_write_pending(
        &self,
        world: &World,
        in_flight: &[Message],
        known: impl Fn(ClientId) -> Option<GrantNo>,
    ) -> bool {
        let over = |grant: GrantNo| self.grant(grant).is_some_and(|record| record.ended.is_some());
        let flying = in_flight.iter().any(|message| message.body.acts_under().is_some_and(over));
        let mut clients = (0_u8..).map(ClientId).zip(&world.clients);
        flying
            || clients.any(|(id, client)| {
                let at_work = matches!(
                    client.phase,
                    Phase::Buffered { .. }
                        | Phase::Working { .. }
                        | Phase::Checking
                        | Phase::Acting
                );
                let is_able = client.crashed.is_none() && client.worker_crashed.is_none();
                at_work && is_able && known(id).is_some_and(over)
            })
    }
}

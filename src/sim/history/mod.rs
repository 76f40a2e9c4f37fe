//! The history of a run: its units of work, what each read, wrote and did outside, what became of
//! that, and what its client was told. It is a fold over the log, beside the engine, and judges
//! nothing by tokens. Which order of the units explains it: `order.rs`; what is damage:
//! `damage.rs`.
//! Definitions: `docs/model.md`, “The history”.

mod damage;
mod order;
mod reading;
mod units;

use super::id::{ClientId, EntrySeq, GrantNo, StoreId, Version, WriteId};
use super::log::LogEntry;
use super::long_list::LongList;
use super::scenario::{FenceRule, Operation, Piece, Scenario};
use super::time::SimTime;
use crate::sim::fact::{Abandoned, Refusal};
pub use damage::{Damage, DamageForm, Damages, Explained, Overlap};
pub use order::{Cycle, CycleName, Edge, Reason};
pub use units::{Act, History, Read, Unit, UnitNo, Write};

use reading::{Deed, Done, Entry, Told};

/// An instant and the entry that stands for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Moment {
    /// The entry.
    pub entry: EntrySeq,
    /// Its time.
    pub at: SimTime,
}

impl Moment {
    fn of(entry: &LogEntry) -> Self {
        Self { entry: entry.seq, at: entry.at }
    }
}

/// What became of a write on its way and at its store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fate {
    /// It made this version, and was built on that one, if on any.
    Installed {
        /// The version that it made.
        version: Version,
        /// The version that it was built on.
        base: Option<Version>,
    },
    /// The store knows it, and applied it before.
    AlreadyApplied,
    /// The store refused it.
    Refused(Refusal),
    /// The store put it off: it is to be sent again.
    PutOff,
    /// It never arrived.
    Lost,
    /// It had not been answered when the run ended.
    UnderWay,
}

/// How a unit of work ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnitEnd {
    /// Its client was told that all of it is written.
    Done,
    /// Its client gave it up.
    GivenUp,
    /// A store refused it, and its client was told.
    Refused,
    /// Its client, or the worker in it, died.
    Crashed,
    /// It waits for good: no timeout is set, and what it waits for was lost.
    WaitsForGood,
    /// The run ended before it did.
    UnderWay,
}

/// What a client's units are made of, by its settings.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Whether a whole piece is one unit: it is shared, or the scenario says so.
    is_whole: bool,
    /// Whether the piece is the item that the lock stands for.
    is_item: bool,
    /// Whether the piece is found by looking at the list of work.
    is_shared: bool,
    /// Writes of one piece.
    n_steps: u16,
    acts: bool,
    modifies: bool,
    /// Whether an act is built on what was read before it.
    reads_for_acts: bool,
    has_timeout: bool,
}

impl Plan {
    /// Whether anything is read before the work.
    fn reads(self) -> bool {
        self.modifies || self.reads_for_acts || self.is_shared
    }
}

/// Watches a run entry by entry and keeps what its history is made of.
#[derive(Clone, Debug)]
pub struct Historian {
    n_stores: u8,
    plans: Vec<Plan>,
    clients: Vec<AtClient>,
    units: LongList<OpenUnit>,
    requests: LongList<Asked>,
    /// Per entry, the request that it is due to, kept one higher; 0: none.
    due_to: LongList<u32>,
    /// The first grant that a client handled.
    first_grant: Option<(SimTime, ClientId)>,
}

/// What is so at a client.
#[derive(Clone, Debug, Default)]
struct AtClient {
    /// The newest grant that it has handled.
    known: Option<GrantNo>,
    /// The unit that it is at.
    open: Option<UnitNo>,
    /// The step that it is at, inside its unit.
    step: u16,
    /// What it sent since for a unit or step that has no name yet: it looks, or seals.
    nameless: Vec<u32>,
    /// It does the work of its unit once more.
    tries_again: bool,
    /// It, or its worker, is done or dead.
    is_over: bool,
    /// What its next unit will be, where pieces are its own.
    next: (u32, u16),
}

/// A unit while the run goes on.
#[derive(Clone, Copy, Debug)]
struct OpenUnit {
    write: WriteId,
    began: Moment,
    end: UnitEnd,
    ended: Option<Moment>,
    /// What it waits for was lost: when, and which request it was.
    stuck: Option<(Moment, u32)>,
    /// Its last request, kept one higher.
    last_request: u32,
}

/// A request to a store.
#[derive(Clone, Copy, Debug)]
struct Asked {
    client: ClientId,
    store: StoreId,
    kind: reading::Asks,
    sent: Moment,
    /// The newest grant that its client had handled then.
    under: Option<GrantNo>,
    unit: Option<UnitNo>,
    step: u16,
    /// What the store did first because of it, and when.
    done: Option<(Done, Moment)>,
    /// When it was lost, or what its store asked because of it.
    lost_at: Option<Moment>,
    told: Option<(Told, Moment)>,
    /// Where it is a copy of another one that arrived twice.
    is_again: bool,
}

impl Historian {
    /// For a run of `scenario`.
    pub fn new(scenario: &Scenario) -> Self {
        let by_version = scenario.storage().rule == FenceRule::DataVersion;
        let plan = |client: &super::scenario::Client| {
            let settings = &client.settings;
            Plan {
                is_whole: client.is_piece_whole(),
                is_item: client.is_for_item,
                is_shared: settings.piece == Piece::Shared,
                n_steps: u16::try_from(settings.writes_per_grant).unwrap_or(u16::MAX),
                acts: settings.operation == Operation::ExternalEffect,
                modifies: settings.operation == Operation::ReadModifyWrite,
                reads_for_acts: by_version,
                has_timeout: settings.timeout.is_some(),
            }
        };
        let first = AtClient { next: (1, 1), ..AtClient::default() };
        Self {
            n_stores: scenario.storage().stores,
            plans: scenario.clients().iter().map(plan).collect(),
            clients: vec![first; scenario.clients().len()],
            units: LongList::default(),
            requests: LongList::default(),
            due_to: LongList::default(),
            first_grant: None,
        }
    }

    /// The newest grant that a client has handled.
    pub fn known_by(&self, client: ClientId) -> Option<GrantNo> {
        self.clients[client.index()].known
    }

    /// Takes the next entry in. Where a store did something because of a request: the newest grant
    /// that the client had handled when it sent that.
    pub fn observe(&mut self, entry: &LogEntry) -> Option<GrantNo> {
        let read = reading::read(entry);
        let cause = entry.cause.map_or(0, |cause| self.due_to[cause.seq().0]);
        let (due_to, under) = match read {
            Entry::Sent(client, store, kind) => (self.sent(entry, client, store, kind), None),
            Entry::AtStore(done) => {
                self.done(cause, done, Moment::of(entry));
                (cause, self.request(cause).and_then(|request| request.under))
            }
            Entry::Lost { answer } => {
                self.lost(cause, answer, Moment::of(entry));
                (0, None)
            }
            Entry::Told(client, told) => {
                self.told(client, cause, told, Moment::of(entry));
                (0, None)
            }
            Entry::AtClient(client, deed) => {
                self.at_client(client, deed, Moment::of(entry));
                (0, None)
            }
            Entry::AtAnother => (0, None),
            Entry::OnTheWay => (cause, self.request(cause).and_then(|request| request.under)),
        };
        self.due_to.push(due_to);
        under
    }

    fn request(&self, due_to: u32) -> Option<&Asked> {
        self.requests.get(due_to.checked_sub(1)?)
    }

    /// Keeps a request; how an entry refers to it.
    fn sent(
        &mut self,
        entry: &LogEntry,
        client: ClientId,
        store: StoreId,
        kind: reading::Asks,
    ) -> u32 {
        let is_new = matches!(kind, reading::Asks::Seal | reading::Asks::Read);
        let at_client = &self.clients[client.index()];
        // A look that found nothing to do is no unit.
        if is_new && store == StoreId(0) && at_client.open.is_none() {
            let has_looked = |no: &u32| {
                let request = &self.requests[*no - 1];
                request.kind == reading::Asks::Read && request.told.is_some()
            };
            if self.plans[client.index()].is_shared && at_client.nameless.iter().any(has_looked) {
                self.clients[client.index()].nameless.clear();
            }
        }
        let at_client = &mut self.clients[client.index()];
        let request = Asked {
            client,
            store,
            kind,
            sent: Moment::of(entry),
            under: at_client.known,
            unit: at_client.open.filter(|_| !is_new),
            step: at_client.step,
            done: None,
            lost_at: None,
            told: None,
            is_again: false,
        };
        self.requests.push(request);
        let no = self.requests.n_entries();
        if is_new {
            at_client.nameless.push(no);
        }
        let open = at_client.open;
        if let Some(unit) = open {
            self.units[unit.0].last_request = no;
        }
        no
    }

    /// A store did something because of a request.
    fn done(&mut self, due_to: u32, done: Done, at: Moment) {
        let Some(index) = due_to.checked_sub(1) else {
            return;
        };
        let request = &mut self.requests[index];
        if request.done.is_none() {
            request.done = Some((done, at));
        } else if request.kind != reading::Asks::Read {
            // It arrived twice.
            let again = Asked { done: Some((done, at)), told: None, is_again: true, ..*request };
            self.requests.push(again);
        }
    }

    fn lost(&mut self, due_to: u32, answer: bool, at: Moment) {
        let Some(index) = due_to.checked_sub(1) else {
            return;
        };
        let request = &mut self.requests[index];
        if !answer {
            request.lost_at.get_or_insert(at);
        }
        let client = request.client;
        let plan = self.plans[client.index()];
        let open = self.clients[client.index()].open;
        if let Some(unit) = open.filter(|_| !plan.has_timeout) {
            let unit = &mut self.units[unit.0];
            if unit.last_request == due_to {
                unit.stuck = Some((at, due_to));
            }
        }
    }

    /// A client handled an answer.
    fn told(&mut self, client: ClientId, due_to: u32, told: Told, at: Moment) {
        let Some(index) = due_to.checked_sub(1) else {
            return;
        };
        let request = &mut self.requests[index];
        request.told.get_or_insert((told, at));
        let (unit, step, store) = (request.unit, request.step, request.store);
        let at_client = &mut self.clients[client.index()];
        let plan = self.plans[client.index()];
        let Some(open) = at_client.open.filter(|open| unit == Some(*open)) else {
            return;
        };
        let state = &mut self.units[open.0];
        state.stuck = state.stuck.filter(|(_, stuck)| *stuck != due_to);
        let is_last_store = store.0 + 1 == self.n_stores;
        if told != Told::Accepted || !is_last_store || step != at_client.step {
            return;
        }
        if step >= plan.n_steps || !plan.is_whole {
            (state.end, state.ended) = (UnitEnd::Done, Some(at));
            at_client.open = None;
            at_client.next = if step < plan.n_steps {
                (state.write.work, step + 1)
            } else {
                (state.write.work + 1, 1)
            };
        }
    }

    fn at_client(&mut self, client: ClientId, deed: Deed, at: Moment) {
        match deed {
            Deed::Believes(grant) => {
                self.first_grant.get_or_insert((at.at, client));
                let known = &mut self.clients[client.index()].known;
                *known = Some(grant).filter(|grant| *grant != GrantNo::UNKNOWN);
            }
            Deed::Works(write) => self.works(write, at),
            Deed::TriesAgain => self.clients[client.index()].tries_again = true,
            Deed::GivesUp(write, why) => {
                let end = match why {
                    Abandoned::SealRefused | Abandoned::Fenced => UnitEnd::Refused,
                    Abandoned::CheckFailed | Abandoned::NoAnswer | Abandoned::LockLost => {
                        UnitEnd::GivenUp
                    }
                };
                self.ends(client, Some(write), end, at);
            }
            Deed::Ends => {
                self.clients[client.index()].is_over = true;
                self.ends(client, None, UnitEnd::GivenUp, at);
            }
            Deed::Dies => {
                self.clients[client.index()].is_over = true;
                self.ends(client, None, UnitEnd::Crashed, at);
            }
            Deed::StartsAgain => self.clients[client.index()].is_over = false,
        }
    }

    /// Work began: what was sent for it has a name.
    fn works(&mut self, write: WriteId, at: Moment) {
        let at_client = &mut self.clients[write.client.index()];
        let is_again = std::mem::take(&mut at_client.tries_again);
        let open = at_client.open;
        let is_same = open.is_some_and(|open| self.units[open.0].write.work == write.work);
        if let Some(open) = open.filter(|_| is_again && !is_same) {
            // It read again, and found that another had done that piece: it does the next one.
            let refused = &mut self.units[open.0];
            (refused.end, refused.ended) = (UnitEnd::Refused, Some(at));
        }
        let is_new = !self.plans[write.client.index()].is_whole || write.step == 1;
        let unit = open.filter(|_| !is_new || is_again && is_same);
        let unit = unit.unwrap_or_else(|| self.begin(write, at));
        self.name(write.client, unit, write.step);
    }

    /// A new unit of this client.
    fn begin(&mut self, write: WriteId, at: Moment) -> UnitNo {
        let at_client = &mut self.clients[write.client.index()];
        let first = at_client.nameless.first();
        let began = first.map_or(at, |no| self.requests[*no - 1].sent);
        let unit = UnitNo(self.units.n_entries());
        let last_request = at_client.nameless.last().copied().unwrap_or_default();
        self.units.push(OpenUnit {
            write,
            began,
            end: UnitEnd::UnderWay,
            ended: None,
            stuck: None,
            last_request,
        });
        at_client.open = Some(unit);
        unit
    }

    fn name(&mut self, client: ClientId, unit: UnitNo, step: u16) {
        let at_client = &mut self.clients[client.index()];
        at_client.step = step;
        for no in at_client.nameless.drain(..) {
            let request = &mut self.requests[no - 1];
            (request.unit, request.step) = (Some(unit), step);
        }
    }

    /// The unit that this client is at is over, if it is at one.
    fn ends(&mut self, client: ClientId, write: Option<WriteId>, end: UnitEnd, at: Moment) {
        let at_client = &self.clients[client.index()];
        let plan = self.plans[client.index()];
        let (work, step) = at_client.next;
        let unit = match at_client.open {
            Some(open) => Some(open),
            // Which piece it would have been, it had not learnt.
            None if plan.is_shared => {
                write.map(|write| self.begin(WriteId { work: 0, ..write }, at))
            }
            None if write.is_some() || !at_client.nameless.is_empty() => {
                let own = match plan.is_item {
                    true => WriteId { client, work: 1, step: 1, shared: true },
                    false => WriteId { client, work, step, shared: false },
                };
                Some(self.begin(write.unwrap_or(own), at))
            }
            None => None,
        };
        if let Some(unit) = unit {
            let step = self.clients[client.index()].step.max(1);
            self.name(client, unit, step);
            let state = &mut self.units[unit.0];
            (state.end, state.ended, state.stuck) = (end, Some(at), None);
            self.clients[client.index()].next = (state.write.work + 1, 1);
        }
        let at_client = &mut self.clients[client.index()];
        at_client.nameless.clear();
        (at_client.open, at_client.tries_again) = (None, false);
    }
}

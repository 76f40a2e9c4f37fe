//! A store: a value, and the highest token that it has seen, kept durably and changed in one step
//! (unless the scenario says otherwise). It learns a token only from a message that arrives, and
//! asks the lock service under one rule only. Rules and seal: `docs/model.md`, “The fence”.

mod epochs;

use std::collections::BTreeSet;

use super::clock::Now;
use super::effect::Effects;
use super::fact::{EpochFact, Refusal, StoreFact};
use super::id::{
    ClientId, FencingToken, GrantNo, LockNodeId, NodeId, RequestNo, StoreId, Version, WriteId,
};
use super::lock::StoreCheck;
use super::message::{Body, ServiceToStore, StoreAnswer, StoreRequest, StoreToService};
use super::scenario::{FenceRule, StorageSettings};
use epochs::{Epochs, Found};

/// One store.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Store {
    /// Whether this store checks at all.
    checks: bool,
    rule: FenceRule,
    /// Whether holders raise the fence first; it changes what the two stricter rules ask of a
    /// write.
    seal: bool,
    /// Whether a write leaves its own token as the fence, see `StorageSettings::overwrites_fence`.
    overwrites: bool,
    durable: bool,
    /// Nothing is there to be updated.
    missing_row: bool,
    /// The highest token of an accepted seal or write; recorded with fencing off, too. Where check
    /// and write are two steps, that of the last one.
    highest: Option<FencingToken>,
    /// For [`FenceRule::MustMatch`]: the token that a write must carry.
    current: Option<FencingToken>,
    version: Version,
    /// Shared pieces of work that are done.
    done: u32,
    /// Writes about whose token the lock service was asked, each with that request.
    asked: Vec<(RequestNo, ArrivedWrite)>,
    /// How often it was asked.
    n_asked: u32,
    /// With idempotence: the pieces and steps that were applied, and those that acted outside.
    applied: Option<BTreeSet<Piece>>,
    acted: Option<BTreeSet<Piece>>,
    /// What it knows as a broker.
    epochs: Epochs,
}

/// What an idempotent store knows a write by.
type Piece = (Option<ClientId>, u32, u16);

/// A token lower than the fence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StaleToken {
    /// The token that a write or a seal carried.
    pub presented: FencingToken,
    /// Where the fence stands.
    pub highest: FencingToken,
}

/// A write as it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ArrivedWrite {
    from: ClientId,
    request: RequestNo,
    write: WriteId,
    token: FencingToken,
    grant: GrantNo,
    base: Option<Version>,
    finishes: bool,
    sequence: u32,
}

/// What a store is told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoreInput {
    /// A client asks.
    Request(ClientId, StoreRequest),
    /// The lock service tells it something.
    Told(LockNodeId, ServiceToStore),
}

impl StoreInput {
    /// What a message is to a store; `None`: no store is told that.
    pub fn of(from: NodeId, body: Body) -> Option<Self> {
        match (from, body) {
            (NodeId::Client(client), Body::StoreRequest(request)) => {
                Some(Self::Request(client, request))
            }
            (NodeId::Lock(node), Body::ServiceToStore(said)) => Some(Self::Told(node, said)),
            (
                NodeId::Client(_) | NodeId::Lock(_) | NodeId::Store(_),
                Body::StoreRequest(_)
                | Body::ServiceToStore(_)
                | Body::Request(_)
                | Body::Answer(_)
                | Body::StoreAnswer(_)
                | Body::Peer(_)
                | Body::StoreToService(_)
                | Body::Disconnected,
            ) => None,
        }
    }
}

/// What became of a message: done, or a write that has passed the check and is applied later.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Handled {
    /// All is done.
    Done,
    /// The write passed; it is to be applied after the check's gap.
    Passed(ArrivedWrite),
}

impl Store {
    /// An empty store.
    pub fn new(settings: &StorageSettings, id: StoreId) -> Self {
        let known = settings.idempotent.then(BTreeSet::new);
        Self {
            checks: settings.checks(id),
            rule: settings.rule,
            seal: settings.seal,
            overwrites: settings.overwrites_fence(),
            durable: settings.durable,
            missing_row: settings.missing_row,
            highest: None,
            current: None,
            version: Version::EMPTY,
            done: 0,
            asked: Vec::new(),
            n_asked: 0,
            applied: known.clone(),
            acted: known,
            epochs: Epochs::None,
        }
    }

    /// The same, checking as a lock system has its stores do.
    pub fn checking(self, check: StoreCheck) -> Self {
        Self { epochs: Epochs::new(check), ..self }
    }

    /// Takes a message in.
    pub fn handle(&mut self, now: Now, input: StoreInput, effects: &mut Effects) -> Handled {
        match input {
            StoreInput::Request(client, request) => self.serve(now, client, request, effects),
            StoreInput::Told(node, said) => self.is_told(node, said, effects),
        }
    }

    fn serve(
        &mut self,
        now: Now,
        client: ClientId,
        request: StoreRequest,
        effects: &mut Effects,
    ) -> Handled {
        match request {
            StoreRequest::Seal { request, token, grant } => {
                self.seal(client, request, token, grant, effects);
            }
            StoreRequest::Read { request, grant } => {
                let (version, done) = (self.version, self.done);
                effects.fact(StoreFact::ReadServed { client, grant, version });
                effects.send(client, StoreAnswer::Value { request, version, done });
            }
            StoreRequest::Effect { request, write, grant } => {
                let again = self.acted.as_mut().is_some_and(|acted| !acted.insert(write.piece()));
                effects.fact(StoreFact::Effect { write, grant, again });
                effects.send(client, StoreAnswer::EffectDone { request });
            }
            StoreRequest::Write {
                request,
                write,
                token,
                grant,
                base,
                finishes,
                not_after,
                sequence,
            } => {
                let from = client;
                let arrived =
                    ArrivedWrite { from, request, write, token, grant, base, finishes, sequence };
                let too_late = not_after.is_some_and(|not_after| not_after <= now.wall);
                return self.check(arrived, too_late, effects);
            }
        }
        Handled::Done
    }

    /// The lock service tells it something. What it did not ask for it confirms, whatever it makes
    /// of it.
    fn is_told(
        &mut self,
        from: LockNodeId,
        said: ServiceToStore,
        effects: &mut Effects,
    ) -> Handled {
        let (token, found) = match said {
            ServiceToStore::Checked { request, valid, current, .. } => {
                return self.was_told(request, valid, current, effects);
            }
            ServiceToStore::LeaderEpoch { token } => {
                let is_news = self.epochs.learn(token);
                (token, is_news.then_some(EpochFact::Learnt { token }))
            }
            ServiceToStore::Marker { token, commits } => {
                let found = match self.epochs.mark(token) {
                    Ok(()) => EpochFact::MarkerWritten { token, commits },
                    Err(known) => EpochFact::MarkerRefused { token, known },
                };
                (token, Some(found))
            }
        };
        if let Some(found) = found {
            effects.fact(found);
        }
        effects.send(from, StoreToService::Noted { token });
        Handled::Done
    }

    fn check(&mut self, arrived: ArrivedWrite, too_late: bool, effects: &mut Effects) -> Handled {
        let ArrivedWrite { from, request, write, token, grant, base, sequence, .. } = arrived;
        if self.ignores(&arrived, effects) {
            return Handled::Done;
        }
        let asks = self.rule == FenceRule::AsksService && self.checks && !self.missing_row;
        if asks {
            self.n_asked += 1;
            let request = RequestNo(self.n_asked);
            self.asked.push((request, arrived));
            effects.send(LockNodeId(0), StoreToService::Check { request, token });
            return Handled::Done;
        }
        let found = self.epochs.check(token, sequence).filter(|_| self.checks);
        let refused = match found {
            Some(Found::Passes) => None,
            Some(Found::Refused(why, known)) => Some((why, known)),
            Some(Found::Duplicate) => {
                effects.fact(StoreFact::DuplicateIgnored { write, grant, token });
                effects.send(from, StoreAnswer::WriteAccepted { request, write });
                return Handled::Done;
            }
            Some(Found::Unknown(known)) => {
                let client = write.client;
                effects.fact(StoreFact::EpochUnknown { client, token, known });
                effects.send(from, StoreAnswer::UnknownEpoch { request });
                return Handled::Done;
            }
            None => {
                let why = self.refusal(token, base, too_late);
                why.map(|why| (why, self.fence().unwrap_or(token)))
            }
        };
        match refused {
            None => Handled::Passed(arrived),
            Some((why, highest)) => {
                refuse(&arrived, highest, why, effects);
                Handled::Done
            }
        }
    }

    /// Why it refuses a write by its rule; `None`: it does not.
    fn refusal(
        &self,
        token: FencingToken,
        base: Option<Version>,
        too_late: bool,
    ) -> Option<Refusal> {
        match self.rule {
            _ if self.missing_row => Some(Refusal::Missing),
            FenceRule::TimeFence => (self.checks && too_late).then_some(Refusal::TooLate),
            // It does not check.
            FenceRule::AsksService => None,
            FenceRule::DataVersion => {
                let other = base.is_some_and(|base| base != self.version);
                (self.checks && other).then_some(Refusal::Version)
            }
            FenceRule::RejectLower
            | FenceRule::RejectLowerOrEqual
            | FenceRule::MustMatch
            | FenceRule::SameTransaction => self.check_token(token).err().map(|_| Refusal::Token),
        }
    }

    /// The lock service has answered: what it says is as old as its answer was under way.
    fn was_told(
        &mut self,
        request: RequestNo,
        valid: bool,
        current: Option<FencingToken>,
        effects: &mut Effects,
    ) -> Handled {
        let Some(place) = self.asked.iter().position(|(asked, _)| *asked == request) else {
            return Handled::Done;
        };
        let (_, arrived) = self.asked.remove(place);
        if self.ignores(&arrived, effects) {
            return Handled::Done;
        }
        if valid {
            return Handled::Passed(arrived);
        }
        refuse(&arrived, current.unwrap_or(arrived.token), Refusal::NotHeld, effects);
        Handled::Done
    }

    /// Whether a write was applied before; it is then answered as it was then.
    fn ignores(&self, arrived: &ArrivedWrite, effects: &mut Effects) -> bool {
        let ArrivedWrite { from, request, write, token, grant, .. } = *arrived;
        let known = self.applied.as_ref().is_some_and(|it| it.contains(&write.piece()));
        if known {
            effects.fact(StoreFact::DuplicateIgnored { write, grant, token });
            effects.send(from, StoreAnswer::WriteAccepted { request, write });
        }
        known
    }

    /// Applies a write that has passed the check.
    pub fn apply(&mut self, arrived: ArrivedWrite, effects: &mut Effects) {
        let ArrivedWrite { from, request, write, token, grant, base, finishes, sequence } = arrived;
        self.raise(token);
        if self.overwrites {
            self.highest = Some(token);
        }
        self.epochs.applied(token, sequence);
        self.version = self.version.next();
        if write.shared && finishes {
            self.done = self.done.max(write.work);
        }
        if let Some(applied) = &mut self.applied {
            applied.insert(write.piece());
        }
        let version = self.version;
        effects.fact(StoreFact::WriteAccepted { write, grant, token, base, version });
        effects.send(from, StoreAnswer::WriteAccepted { request, write });
    }

    /// Stops and comes back at once. Tells whether it has forgotten where the fence stood.
    pub fn restart(&mut self) -> bool {
        let forgets = !self.durable && self.highest.is_some();
        if forgets {
            self.highest = None;
            if self.rule != FenceRule::SameTransaction {
                self.current = None;
            }
        }
        forgets
    }

    /// The lock that lies beside this value has a new holder.
    pub fn lock_is_held_under(&mut self, token: FencingToken) {
        self.current = Some(token);
    }

    /// The lock that lies beside this value is no longer held under this token.
    pub fn lock_is_free_of(&mut self, token: FencingToken) {
        self.current.take_if(|current| *current == token);
    }

    fn fence(&self) -> Option<FencingToken> {
        match self.rule {
            FenceRule::MustMatch | FenceRule::SameTransaction => self.current,
            FenceRule::RejectLower
            | FenceRule::RejectLowerOrEqual
            | FenceRule::DataVersion
            | FenceRule::AsksService
            | FenceRule::TimeFence => self.highest,
        }
    }

    /// Whether the fence lets a write with this token pass.
    ///
    /// # Errors
    /// The token and where the fence stands.
    pub fn check_token(&self, token: FencingToken) -> Result<(), StaleToken> {
        let fence = self.fence();
        let passes = !self.checks
            || match (self.rule, fence) {
                (FenceRule::RejectLower, fence) => fence.is_none_or(|fence| token >= fence),
                // The claim was the seal: `fence < token`; writes then need `fence = token`, and
                // before any claim no row has that fence.
                (FenceRule::RejectLowerOrEqual, fence) if self.seal => fence == Some(token),
                (FenceRule::RejectLowerOrEqual, fence) => fence.is_none_or(|fence| token > fence),
                (FenceRule::MustMatch, Some(fence)) => token == fence,
                // Without a seal the first write says which token is current.
                (FenceRule::MustMatch, None) => !self.seal,
                // Nobody holds the lock: the comparison fails.
                (FenceRule::SameTransaction, fence) => fence == Some(token),
                (FenceRule::DataVersion | FenceRule::TimeFence | FenceRule::AsksService, _) => true,
            };
        if passes {
            return Ok(());
        }
        // A store that refuses everything until it is sealed has no fence to name yet; it then
        // names the token itself, as a database that says “0 rows” would.
        Err(StaleToken { presented: token, highest: fence.unwrap_or(token) })
    }

    fn raise(&mut self, token: FencingToken) {
        self.highest = Some(self.highest.map_or(token, |highest| highest.max(token)));
        if !self.seal && self.rule != FenceRule::SameTransaction {
            self.current.get_or_insert(token);
        }
    }

    fn seal(
        &mut self,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        grant: GrantNo,
        effects: &mut Effects,
    ) {
        // A claim of a row that is not there changes no row, and names the token itself.
        let missing = self.missing_row.then_some(token);
        let other = match self.rule {
            FenceRule::SameTransaction => self.check_token(token).err().map(|stale| stale.highest),
            FenceRule::RejectLower
            | FenceRule::RejectLowerOrEqual
            | FenceRule::MustMatch
            | FenceRule::DataVersion
            | FenceRule::AsksService
            | FenceRule::TimeFence => {
                self.highest.filter(|&highest| self.checks && token < highest)
            }
        };
        match missing.or(other) {
            Some(highest) => {
                effects.fact(StoreFact::SealRefused { client, grant, token, highest });
                effects.send(client, StoreAnswer::SealRefused { request, highest });
            }
            None => {
                self.raise(token);
                if self.rule != FenceRule::SameTransaction {
                    self.current = Some(token);
                }
                effects.fact(StoreFact::SealAccepted { client, grant, token });
                effects.send(client, StoreAnswer::Sealed { request });
            }
        }
    }
}

fn refuse(arrived: &ArrivedWrite, highest: FencingToken, why: Refusal, effects: &mut Effects) {
    let ArrivedWrite { from, request, write, token, grant, .. } = *arrived;
    effects.fact(StoreFact::WriteRefused { write, grant, token, highest, why });
    effects.send(from, StoreAnswer::WriteRefused { request, write, highest });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::effect::Effect;

    fn store(rule: FenceRule, seal: bool, fencing: bool) -> Store {
        let settings = StorageSettings { fencing, rule, seal, ..StorageSettings::default() };
        Store::new(&settings, StoreId(0))
    }

    /// Writes the tokens in turn and tells which were accepted.
    fn writes(store: &mut Store, tokens: &[i64]) -> Vec<bool> {
        let write = |&token: &i64| {
            let passes = store.check_token(FencingToken(token)).is_ok();
            if passes {
                store.raise(FencingToken(token));
            }
            passes
        };
        tokens.iter().map(write).collect()
    }

    fn seal(store: &mut Store, token: i64) -> bool {
        let mut effects = Effects::default();
        let (request, token, grant) = (RequestNo(0), FencingToken(token), GrantNo(1));
        let seal = StoreRequest::Seal { request, token, grant };
        store.handle(Now::default(), StoreInput::Request(ClientId(0), seal), &mut effects);
        let sealed = Body::from(StoreAnswer::Sealed { request });
        let sealed = |effect: &Effect| matches!(effect, Effect::Send(_, body) if *body == sealed);
        effects.list().iter().any(sealed)
    }

    #[test]
    fn each_rule_refuses_what_its_table_row_says() {
        let tokens = [33, 33, 34, 33, 34];
        let mut lower = store(FenceRule::RejectLower, false, true);
        assert_eq!(writes(&mut lower, &tokens), [true, true, true, false, true]);
        let mut or_equal = store(FenceRule::RejectLowerOrEqual, false, true);
        assert_eq!(writes(&mut or_equal, &tokens), [true, false, true, false, false]);
        // The first writer's token is taken as current: every later rightful holder is refused.
        let mut must_match = store(FenceRule::MustMatch, false, true);
        assert_eq!(writes(&mut must_match, &tokens), [true, true, false, true, false]);
        let mut off = store(FenceRule::RejectLower, false, false);
        assert_eq!(writes(&mut off, &tokens), [true; 5]);
        assert_eq!(off.highest, Some(FencingToken(34)), "recorded with fencing off");
    }

    #[test]
    fn the_seal_raises_the_fence_in_token_order_and_an_equal_one_is_a_retry() {
        for rule in [FenceRule::RejectLower, FenceRule::RejectLowerOrEqual, FenceRule::MustMatch] {
            let mut store = store(rule, true, true);
            assert!(seal(&mut store, 33));
            assert_eq!(writes(&mut store, &[33, 33]), [true, true], "{rule:?}");
            assert!(seal(&mut store, 34), "{rule:?}");
            assert!(seal(&mut store, 34), "{rule:?}: a retry");
            assert!(!seal(&mut store, 33), "{rule:?}");
            assert_eq!(writes(&mut store, &[33, 34]), [false, true], "{rule:?}");
        }
    }
}

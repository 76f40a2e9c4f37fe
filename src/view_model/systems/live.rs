//! What of a run the commands quote: the last answer of each kind, which `World` has.

use super::reply::Reply;
pub(super) use crate::sim::fact::Asked;
use crate::sim::fact::{
    self, Act, Fact, Kept, PutOff, Read, Refusal, Seal, ServiceFact, StoreFact,
};
use crate::sim::id::{ClientId, FencingToken, NodeId, Version, WriteId};
use crate::sim::{LogEntry, Recording, Scenario, SimDuration, SimTime};
use crate::view_model::facts::harm;

/// What a store said to a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claimed {
    /// It raised the fence.
    Raised,
    /// The fence stood there already: it was this holder's own claim, or its write.
    Stood,
    /// The fence is higher.
    Below(FencingToken),
    /// There is no such row.
    NoRow,
}

/// What stands in the store's row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row {
    /// The fence; 0 before the first.
    pub(super) fence: i64,
    /// Which write made the value.
    pub(super) value: Option<WriteId>,
}

/// What a store said to a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// Applied, and the value has this version now.
    Applied(Version),
    /// Refused.
    Refused {
        /// Why.
        why: Refusal,
        /// The highest token that it has seen.
        highest: FencingToken,
        /// Whether this write had been applied before.
        seen_before: bool,
    },
    /// It was applied before, and answered as then.
    Ignored,
}

/// A write and what a store said to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Written {
    pub(super) at: SimTime,
    pub(super) write: WriteId,
    pub(super) token: FencingToken,
    pub(super) base: Option<Version>,
    pub(super) said: Said,
}

/// The last answer of each kind.
pub(super) struct Live<'a> {
    /// The scenario that was run.
    pub(super) scenario: &'a Scenario,
    pub(super) asked: Option<(SimTime, ClientId, Asked)>,
    /// Whose renewal, with which token, and whether it was taken.
    pub(super) renewed: Option<(SimTime, ClientId, FencingToken, bool)>,
    /// Whose release, with which token, and whether it was taken.
    pub(super) released: Option<(SimTime, ClientId, FencingToken, bool)>,
    pub(super) written: Option<Written>,
    /// A write's epoch that a broker did not know yet, and what it knew.
    pub(super) unknown: Option<(SimTime, FencingToken, Option<FencingToken>)>,
    /// Whether the last grant went to one that had waited, and not to one that asked.
    pub(super) had_waited: bool,
    /// The token of the grant that the service names.
    pub(super) holders: Option<FencingToken>,
    /// Whose claim, with which token, and what came of it.
    pub(super) sealed: Option<(SimTime, ClientId, FencingToken, Claimed)>,
    /// What stood in the row right after the last claim, and after the last write.
    pub(super) row_claimed: Option<Row>,
    pub(super) row_written: Option<Row>,
    /// An act outside, and what came of it.
    pub(super) acted: Option<(SimTime, WriteId, &'static str)>,
}

impl<'a> Live<'a> {
    /// What had been said at an instant.
    pub(super) fn at(run: &'a Recording, at: SimTime) -> Self {
        let mut live = Self {
            scenario: run.scenario(),
            asked: None,
            renewed: None,
            released: None,
            written: None,
            unknown: None,
            had_waited: false,
            holders: None,
            sealed: None,
            row_claimed: None,
            row_written: None,
            acted: None,
        };
        let world = run.world_at(at);
        live.holders = world.service.holders.last().map(|holder| holder.token);
        let answers = world.answers;
        for entry in answers.all().filter_map(|seq| run.log().get(seq)) {
            live.take(run, entry);
        }
        live
    }

    fn take(&mut self, run: &Recording, entry: &LogEntry) {
        match entry.fact {
            Fact::Service(_, fact) => {
                if fact.made().is_some() {
                    self.had_waited = !follows_a_request(run, entry);
                }
                self.take_of_service(entry.at, fact);
            }
            Fact::Store(_, fact) => self.take_of_store(run, entry, fact),
            Fact::Message(..) | Fact::Client(..) | Fact::Fault(..) => {}
        }
    }

    fn take_of_service(&mut self, at: SimTime, fact: ServiceFact) {
        let kept = |kept: Kept| (at, kept.client, kept.token, kept.taken);
        if let Some((client, asked)) = fact.asked() {
            self.asked = Some((at, client, asked));
        } else if let Some(renewed) = fact.renewed() {
            self.renewed = Some(kept(renewed));
        } else if let Some(released) = fact.released() {
            self.released = Some(kept(released));
        }
    }

    fn take_of_store(&mut self, run: &Recording, entry: &LogEntry, fact: StoreFact) {
        let at = entry.at;
        if let Some(Seal { client, token, below, .. }) = fact.seal() {
            let before = row(run, entry, entry.seq.0).map(|row| row.fence);
            let stood = self.scenario.storage().fencing && before == Some(token.0);
            let claimed = match below {
                None if stood => Claimed::Stood,
                None => Claimed::Raised,
                Some(highest) if highest == token => Claimed::NoRow,
                Some(highest) => Claimed::Below(highest),
            };
            self.sealed.get_or_insert((at, client, token, claimed));
            self.row_claimed = row(run, entry, entry.seq.0 + 1);
        } else if let Some(Act { write, again, .. }) = fact.act() {
            let said = match again {
                true => "ignored: done before",
                false if harm::is_second_effect(run, entry) => "done, a second time",
                false => "done",
            };
            self.acted.get_or_insert((at, write, said));
        } else if let Some(Read { client, version, .. }) = fact.read() {
            // What a refused write was built on is what its client had read before.
            if let Some(written) = self.written.as_mut().filter(|it| it.write.client == client) {
                written.base.get_or_insert(version);
            }
        } else if let Some(PutOff { token, known, .. }) = fact.put_off() {
            self.unknown.get_or_insert((at, token, known));
        } else if let Some((fact::Written { write, token, .. }, said)) = fact.written() {
            let (base, said) = match said {
                fact::Said::Applied { base, version } => (base, Said::Applied(version)),
                fact::Said::Refused { why, highest } => {
                    let judged = run.write(entry.seq);
                    let seen_before = judged.is_some_and(|judged| judged.seen_before);
                    self.row_written = row(run, entry, entry.seq.0 + 1);
                    (None, Said::Refused { why, highest, seen_before })
                }
                fact::Said::Known => (None, Said::Ignored),
            };
            self.written.get_or_insert(Written { at, write, token, base, said });
        }
    }

    /// The time to live in whole seconds, for tools that take no others; a part counts as one.
    pub(super) fn ttl_secs(&self) -> u64 {
        self.ttl().micros().div_ceil(1_000_000).max(1)
    }

    /// The time to live in whole milliseconds.
    pub(super) fn ttl_millis(&self) -> u64 {
        self.ttl().micros().div_ceil(1_000)
    }

    fn ttl(&self) -> SimDuration {
        self.scenario.ttl().unwrap_or(self.scenario.spec().lease.ttl)
    }

    /// Who asked last; A before anybody has.
    pub(super) fn asker(&self) -> ClientId {
        self.asked.map_or(ClientId(0), |(_, client, _)| client)
    }

    /// What came of asking: what a grant says; what is said where it waits, or where it is taken,
    /// and what that means.
    pub(super) fn of_asking(
        &self,
        granted: impl Fn(FencingToken, ClientId) -> String,
        queued: (&str, &str),
        taken: (&str, &str),
    ) -> Reply {
        let Some((at, client, asked)) = self.asked else {
            return Reply::not_yet();
        };
        let (said, means) = match asked {
            Asked::Granted(token) => {
                return Reply::new(at, granted(token, client), format!("granted to {client}"));
            }
            Asked::Queued => queued,
            Asked::Taken => taken,
        };
        Reply::new(at, said, format!("{means}, for {client}"))
    }

    /// What came of a renewal or release: what is said, and what it means.
    pub(super) fn of_keeping(
        &self,
        what: Option<(SimTime, ClientId, FencingToken, bool)>,
        yes: (&str, &str),
        no: (&str, &str),
    ) -> Reply {
        what.map_or_else(Reply::not_yet, |(at, client, _, taken)| {
            let (said, means) = if taken { yes } else { no };
            Reply::new(at, said, format!("{means}, for {client}"))
        })
    }
}

/// Whether a grant was made because its client asked just then.
fn follows_a_request(run: &Recording, entry: &LogEntry) -> bool {
    let cause = entry.cause.and_then(|cause| run.log().get(cause.seq()));
    let handled = cause.and_then(|cause| cause.fact.handled());
    handled.is_some_and(|it| matches!((it.from, it.to), (NodeId::Client(_), NodeId::Lock(_))))
}

/// What stands in the row of the store that made this entry, after so many entries.
fn row(run: &Recording, entry: &LogEntry, n_entries: u32) -> Option<Row> {
    let NodeId::Store(store) = entry.node() else {
        return None;
    };
    let world = run.world_after(n_entries);
    let state = world.stores.get(usize::from(store.0))?;
    let fence = state.highest.map_or(0, |(token, _)| token.0);
    Some(Row { fence, value: state.value.map(|value| value.write) })
}

/// The token of an answer, or a name for one that is not known yet.
pub(super) fn token(of: Option<FencingToken>) -> String {
    of.map_or_else(|| "$token".to_owned(), |token| token.to_string())
}

/// The same where psql takes it: a name for it is a variable of psql's.
pub(super) fn psql_token(of: Option<FencingToken>) -> String {
    of.map_or_else(|| ":token".to_owned(), |token| token.to_string())
}

/// The token of a renewal or a release, where psql takes it.
pub(super) fn psql_token_of(what: Option<(SimTime, ClientId, FencingToken, bool)>) -> String {
    psql_token(what.map(|(_, _, token, _)| token))
}

/// The token of a renewal or a release.
pub(super) fn token_of(what: Option<(SimTime, ClientId, FencingToken, bool)>) -> String {
    token(what.map(|(_, _, token, _)| token))
}

/// The token of the last write.
pub(super) fn own_token(live: &Live<'_>) -> String {
    token(live.written.map(|written| written.token))
}

/// What is written: the write's own name.
pub(super) fn value(live: &Live<'_>) -> String {
    live.written.map_or_else(|| "$value".to_owned(), |written| written.write.to_string())
}

/// The same as psql takes it.
pub(super) fn psql_value(live: &Live<'_>) -> String {
    let value = |written: Written| format!("'{}'", written.write);
    live.written.map_or_else(|| ":'value'".to_owned(), value)
}

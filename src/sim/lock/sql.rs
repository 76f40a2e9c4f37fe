//! A lock in a SQL database. Either a row `locks(name, owner, fence, expires_at)`, taken by one
//! conditional `UPDATE` that adds one to the fence in the same statement; or a lock that a
//! connection holds: the row's own lock in an open transaction, or an advisory lock.
//!
//! Sources: PostgreSQL, "Explicit Locking" (row locks last until the transaction ends, advisory
//! locks until the session does), "UPDATE" (the number of rows tells), "Client Connection Defaults"
//! (`idle_in_transaction_session_timeout`, `idle_session_timeout`: off by default), `nextval` (is
//! not undone by a rollback); ShedLock's JDBC provider (`usingDbTime` or the node's own clock).

use super::rules::Lateness;
use super::single_node;
use super::{Fixed, Halves, Intent, LockClient, Outcome, Rules, SystemInfo, TokenWorth, TtlRule};
use crate::sim::clock::{ClockKind, Now};
use crate::sim::effect::Effects;
use crate::sim::form::choices;
use crate::sim::id::{ClientId, LockNodeId, RequestNo};
use crate::sim::lock::settings::own_settings;
use crate::sim::message::{Answer, Request, SpecialRequest};
use crate::sim::scenario::{
    ClientSettings, ExpiryJudge, LeaseCap, LockSystem, Scenario, ScenarioSpec, TokenSource, Wait,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Sql,
    name: "SQL row",
    service: "Database",
    token: "A counter that the statement which takes the lock adds one to: it can fence",
    fixes: &[
        Fixed::TokenSource,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::LockDelay,
        Fixed::Grace,
        Fixed::ConnectionBound,
        Fixed::TwoSteps,
        Fixed::Session,
        Fixed::WaiterCheck,
    ],
    fixed: "The database and its statements settle this",
    own: SqlSettings::OWN,
    rules,
    shape,
    halves: Halves { client, ..Halves::TABLE },
};

own_settings! {
    /// How a lock in a database is built.
    pub struct SqlSettings in sql {
        /// What the lock is. Default: a row with an end.
        pub hold: SqlHold = SqlHold::Row, none "which kind of lock it is";
        /// By whose clock a row's end is written and judged. Default: the database's.
        pub clock: SqlClock = SqlClock::Database, neutral SqlClock::Database;
        /// How a row is taken. Default: by one conditional `UPDATE`.
        pub acquire: SqlAcquire = SqlAcquire::ConditionalUpdate,
            neutral SqlAcquire::ConditionalUpdate;
        /// How long the connection that holds the lock may be idle before it is cut. Default: for
        /// ever.
        pub idle_timeout: Option<SimDuration> = None, neutral None;
    }
}

choices! {
    /// What a lock in a database is.
    #[derive(Copy)]
    pub enum SqlHold = Row {
        /// A row that says until when.
        Row,
        /// A row lock in a transaction that stays open. Its counter is part of the transaction.
        Transaction,
        /// An advisory lock of a session. Its counter is a sequence.
        Advisory,
    }
}

choices! {
    /// By whose clock the end of a row is written and judged.
    #[derive(Copy)]
    pub enum SqlClock = Database {
        /// The database's: `now()` in every statement.
        Database,
        /// Each client's own: it sends times.
        Nodes,
    }
}

choices! {
    /// How a row is taken.
    #[derive(Copy)]
    pub enum SqlAcquire = ConditionalUpdate {
        /// One statement, which changes one row or none.
        ConditionalUpdate,
        /// `SELECT`, and if it is free `UPDATE`: somebody can come between the two.
        SelectThenUpdate,
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.sql;
    let lives_with_connection = settings.hold != SqlHold::Row;
    let expiry = match settings.clock {
        SqlClock::Nodes if !lives_with_connection => ExpiryJudge::HoldersTimestamp,
        SqlClock::Database | SqlClock::Nodes => ExpiryJudge::Service,
    };
    let selects = settings.acquire == SqlAcquire::SelectThenUpdate;
    Rules {
        has_ttl: !lives_with_connection,
        ttl: TtlRule::AS_ASKED,
        lateness: Lateness::OnTime,
        worth: TokenWorth::Ordered,
        token_source: TokenSource::Counter,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        cap: match expiry {
            ExpiryJudge::Service if !lives_with_connection => spec.lease.cap,
            ExpiryJudge::Service | ExpiryJudge::HoldersTimestamp | ExpiryJudge::Observers => {
                LeaseCap::Off
            }
        },
        min_hold: if lives_with_connection { SimDuration::ZERO } else { spec.lease.min_hold },
        expiry,
        clock: ClockKind::Wall,
        connection_bound: lives_with_connection,
        two_steps: false,
        waiter_check: false,
        has_queue: lives_with_connection,
        knows_its_holder: lives_with_connection,
        overwrites: selects && !lives_with_connection,
        cuts_idle_after: settings.idle_timeout.filter(|_| lives_with_connection),
        rolls_back: settings.hold == SqlHold::Transaction,
        ..Rules::of_lease_server(spec)
    }
    .ending_as_set(spec)
    .for_an_item_as_set(spec)
}

/// Who wants a lock that a connection holds waits in the database.
fn shape(spec: &ScenarioSpec, _: Option<SimDuration>, settings: &mut ClientSettings) {
    settings.session = false;
    if spec.systems.sql.hold != SqlHold::Row {
        settings.wait = Wait::Queue;
    }
}

/// Who writes over what stands there has looked before.
fn client(scenario: &Scenario, id: ClientId) -> LockClient {
    match scenario.rules().overwrites {
        true => LockClient::Looks(ClientHalf::new(single_node::ClientHalf::of(scenario, id))),
        false => LockClient::single_node(scenario, id),
    }
}

/// The client half that looks first and then takes what it saw free.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClientHalf {
    half: single_node::ClientHalf,
    looking: Option<RequestNo>,
}

impl ClientHalf {
    pub(super) fn new(half: single_node::ClientHalf) -> Self {
        Self { half, looking: None }
    }

    pub(super) fn wait_is_over(&mut self) {
        self.looking = None;
        self.half.wait_is_over();
    }

    pub(super) fn intend(
        &mut self,
        now: Now,
        intent: Intent,
        request: RequestNo,
        effects: &mut Effects,
    ) {
        if intent == Intent::Acquire {
            self.looking = Some(request);
            let look = SpecialRequest::Look { request, stamp: now.wall };
            effects.send(LockNodeId(0), Request::from(look));
        } else {
            self.half.intend(now, intent, request, effects);
        }
    }

    pub(super) fn handle(
        &mut self,
        now: Now,
        answer: Answer,
        effects: &mut Effects,
    ) -> Option<Outcome> {
        let Answer::Looked { request, free } = answer else {
            return self.half.handle(now, answer, effects);
        };
        self.looking.take_if(|open| *open == request)?;
        if !free {
            return Some(Outcome::Taken);
        }
        self.half.intend(now, Intent::Acquire, request, effects);
        None
    }
}

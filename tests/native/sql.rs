//! The fence of the SQL form on a real SQL engine (SQLite, in memory) against the simulation's
//! store: the same random schedule of claims and writes, the same rows changed, every time.

use fenceline::sim::FencingToken;
use fenceline::sim::clock::Now;
use fenceline::sim::effect::{Effect, Effects};
use fenceline::sim::fact::{OwnFact, StoreFact};
use fenceline::sim::id::{ClientId, GrantNo, RequestNo, StoreId, Version, WriteId};
use fenceline::sim::message::StoreRequest;
use fenceline::sim::scenario::{FenceRule, StorageSettings};
use fenceline::sim::storage::{Handled, Store, StoreInput};
use proptest::prelude::*;
use rusqlite::{Connection, params};

/// One statement that a client sends.
#[derive(Clone, Copy, Debug)]
enum Statement {
    /// A new holder raises the fence.
    Claim(i64),
    /// A write of this holder; built on the version that was read so many accepted writes ago.
    Write(i64, u32),
}

/// A protected row in each of the two worlds.
struct Both {
    rule: FenceRule,
    seal: bool,
    store: Store,
    n_writes: u32,
    sql: Connection,
    version: u32,
}

impl Both {
    fn new(rule: FenceRule, seal: bool) -> Self {
        let settings = StorageSettings { rule, seal, ..StorageSettings::default() };
        let sql = Connection::open_in_memory().expect("memory is there");
        // Tokens begin at 1, so 0 is “none seen”.
        sql.execute_batch(
            "CREATE TABLE jobs (id INTEGER PRIMARY KEY, value INTEGER, fence INTEGER NOT NULL \
             DEFAULT 0, version INTEGER NOT NULL DEFAULT 0); INSERT INTO jobs (id) VALUES (7)",
        )
        .expect("the schema is right");
        Self { rule, seal, store: Store::new(&settings, StoreId(0)), n_writes: 0, sql, version: 0 }
    }

    fn changed(&self, statement: &str, parameters: impl rusqlite::Params) -> bool {
        match self.sql.execute(statement, parameters).expect("the statement is right") {
            0 => false,
            1 => true,
            rows => panic!("{rows} rows changed: id 7 is one row"),
        }
    }

    /// The claim, as a program writes it: no row changed means “stale” or “mine already”, and
    /// reading the fence back tells which.
    fn claim_in_sql(&self, token: i64) -> bool {
        let claims = "UPDATE jobs SET fence = ?1 WHERE id = 7 AND fence < ?1";
        self.changed(claims, [token]) || self.fence_in_sql() == token
    }

    fn fence_in_sql(&self) -> i64 {
        let query = "SELECT fence FROM jobs WHERE id = 7";
        self.sql.query_row(query, [], |row| row.get(0)).expect("the row is there")
    }

    fn value_in_sql(&self) -> Option<u32> {
        let query = "SELECT value FROM jobs WHERE id = 7";
        self.sql.query_row(query, [], |row| row.get(0)).expect("the row is there")
    }

    fn write_in_sql(&self, token: i64, value: u32, base: u32) -> bool {
        let set = "UPDATE jobs SET value = ?2, version = version + 1";
        let only = |condition: &str, fence: &str| {
            let statement = format!("{set}{fence} WHERE id = 7 AND {condition}");
            self.changed(&statement, params![token, value])
        };
        match (self.rule, self.seal) {
            (FenceRule::RejectLower, _) => only("fence <= ?1", ", fence = ?1"),
            (FenceRule::RejectLowerOrEqual, false) => only("fence < ?1", ", fence = ?1"),
            (FenceRule::RejectLowerOrEqual | FenceRule::MustMatch, true) => only("fence = ?1", ""),
            (FenceRule::MustMatch, false) => only("fence IN (0, ?1)", ", fence = ?1"),
            (FenceRule::DataVersion, _) => {
                let statement = format!("{set} WHERE id = 7 AND version = ?1");
                self.changed(&statement, params![base, value])
            }
            (FenceRule::TimeFence | FenceRule::SameTransaction | FenceRule::AsksService, _) => {
                unreachable!("it compares no column")
            }
        }
    }

    fn in_model(&mut self, request: StoreRequest) -> Effects {
        let (input, mut effects) = (StoreInput::Request(ClientId(0), request), Effects::default());
        match self.store.handle(Now::default(), input, &mut effects) {
            Handled::Done => {}
            Handled::Passed(write) => self.store.apply(write, &mut effects),
        }
        effects
    }

    /// Runs one statement in both and tells what each came to.
    fn run(&mut self, statement: Statement) -> (bool, bool) {
        let (request, grant) = (RequestNo(0), GrantNo(1));
        let accepted = |effects: &Effects| {
            effects.list().iter().any(|effect| {
                let Effect::Fact(event) = effect else { return false };
                matches!(
                    event,
                    OwnFact::Store(
                        StoreFact::WriteAccepted { .. } | StoreFact::SealAccepted { .. }
                    )
                )
            })
        };
        match statement {
            Statement::Claim(token) => {
                let seal = StoreRequest::Seal { request, token: FencingToken(token), grant };
                (accepted(&self.in_model(seal)), self.claim_in_sql(token))
            }
            Statement::Write(token, behind) => {
                self.n_writes += 1;
                let base = self.version.saturating_sub(behind);
                let write =
                    WriteId { client: ClientId(0), work: self.n_writes, step: 1, shared: false };
                let write = StoreRequest::Write {
                    request,
                    write,
                    token: FencingToken(token),
                    grant,
                    base: Some(Version::after(base)),
                    finishes: true,
                    not_after: None,
                    sequence: 0,
                };
                let in_model = accepted(&self.in_model(write));
                let in_sql = self.write_in_sql(token, self.n_writes, base);
                self.version += u32::from(in_sql);
                (in_model, in_sql)
            }
        }
    }
}

fn statements(seal: bool) -> impl Strategy<Value = Vec<Statement>> {
    let write = (1_i64..6, 0_u32..3).prop_map(|(token, behind)| Statement::Write(token, behind));
    let one = match seal {
        true => prop_oneof![1 => (1_i64..6).prop_map(Statement::Claim), 2 => write].boxed(),
        false => write.boxed(),
    };
    prop::collection::vec(one, 1..20)
}

/// Both come to the same, statement by statement, and hold the same value in the end.
fn agree(rule: FenceRule, seal: bool, schedule: &[Statement]) -> Result<(), TestCaseError> {
    let mut both = Both::new(rule, seal);
    let mut value = None;
    for statement in schedule {
        let (in_model, in_sql) = both.run(*statement);
        prop_assert_eq!(in_model, in_sql, "{:?} of {:?}", statement, schedule);
        if in_model && matches!(statement, Statement::Write(..)) {
            value = Some(both.n_writes);
        }
    }
    prop_assert_eq!(both.value_in_sql(), value);
    Ok(())
}

proptest! {
    #[test]
    fn reject_lower_is_fence_less_or_equal(schedule in statements(false)) {
        agree(FenceRule::RejectLower, false, &schedule)?;
    }

    #[test]
    fn reject_lower_with_claims(schedule in statements(true)) {
        agree(FenceRule::RejectLower, true, &schedule)?;
    }

    #[test]
    fn reject_lower_or_equal_is_fence_less(schedule in statements(false)) {
        agree(FenceRule::RejectLowerOrEqual, false, &schedule)?;
    }

    #[test]
    fn claim_with_less_and_write_with_equal(schedule in statements(true)) {
        agree(FenceRule::RejectLowerOrEqual, true, &schedule)?;
    }

    #[test]
    fn must_match_is_fence_equal(schedule in statements(true), first in statements(false)) {
        agree(FenceRule::MustMatch, true, &schedule)?;
        agree(FenceRule::MustMatch, false, &first)?;
    }

    #[test]
    fn compare_and_set_is_version_equal(schedule in statements(false)) {
        agree(FenceRule::DataVersion, false, &schedule)?;
    }
}

#[test]
fn zero_rows_has_three_meanings_that_reading_back_tells_apart() {
    let both = Both::new(FenceRule::RejectLowerOrEqual, false);
    let write = |token: i64, id: i64| {
        let statement = "UPDATE jobs SET value = 1, fence = ?1 WHERE id = ?2 AND fence < ?1";
        both.changed(statement, params![token, id])
    };
    let read_back = |id: i64| -> Option<i64> {
        let query = "SELECT fence FROM jobs WHERE id = ?1";
        both.sql.query_row(query, [id], |row| row.get(0)).ok()
    };
    assert!(write(34, 7));
    assert!(!write(33, 7), "stale");
    assert!(read_back(7).is_some_and(|fence| fence > 33));
    assert!(!write(34, 7), "applied before, and the answer was lost");
    assert_eq!(read_back(7), Some(34));
    assert!(!write(35, 8), "no such row");
    assert_eq!(read_back(8), None);
}

#[test]
fn a_wrong_rule_is_found() {
    // The twin that must fail: a model that refuses equal tokens against SQL that takes them.
    let mut both = Both::new(FenceRule::RejectLowerOrEqual, false);
    both.rule = FenceRule::RejectLower;
    assert_eq!(both.run(Statement::Write(33, 0)), (true, true));
    assert_eq!(both.run(Statement::Write(33, 0)), (false, true));
}

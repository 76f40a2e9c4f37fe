//! PostgreSQL: the model's store changes a row where the conditional update did, and its row as a
//! lock is granted, renewed and released as the real one was.

use fenceline::sim::clock::Now;
use fenceline::sim::effect::Effects;
use fenceline::sim::fact::{OwnFact, Refusal, StoreFact};
use fenceline::sim::id::{ClientId, GrantNo, RequestNo, StoreId, WriteId};
use fenceline::sim::lock::{NodeInput, SqlHold, SqlSettings};
use fenceline::sim::message::{Body, StoreAnswer, StoreRequest};
use fenceline::sim::scenario::{FenceRule, LockSystem, StorageSettings};
use fenceline::sim::storage::{Handled, Store, StoreInput};
use fenceline::sim::{Change, FencingToken};

use super::{A, B, C, Service, client, ms, scenario};
use crate::recordings::{Line, Part, Recording};

/// The store whose check is this form of the update's condition.
fn store(form: &str) -> Store {
    store_with(form, |_| {})
}

fn store_with(form: &str, set: impl Fn(&mut StorageSettings)) -> Store {
    let base = scenario(LockSystem::Sql, |_| {}, &[]);
    let (rule, seal) = match form {
        "lower" => (FenceRule::RejectLowerOrEqual, false),
        "lower-or-equal" => (FenceRule::RejectLower, false),
        "equal" => (FenceRule::RejectLowerOrEqual, true),
        other => panic!("there is no form `{other}`"),
    };
    let mut settings = StorageSettings { fencing: true, rule, seal, ..base.storage().clone() };
    set(&mut settings);
    Store::new(&settings, StoreId(0))
}

/// A row: the store, and who has written to it last.
struct Row {
    store: Store,
    value: String,
    highest: i64,
    n_requests: u32,
}

impl Row {
    fn new(form: &str) -> Self {
        Self { store: store(form), value: "start".to_owned(), highest: 0, n_requests: 0 }
    }

    fn request(&mut self) -> RequestNo {
        self.n_requests += 1;
        RequestNo(self.n_requests)
    }

    fn write(&mut self, who: ClientId, token: i64) -> StoreInput {
        let request = self.request();
        let write = WriteId { client: who, work: request.0, step: 1, shared: false };
        let (token, grant) = (FencingToken(token), GrantNo(1));
        let (base, finishes, not_after) = (None, true, None);
        let sequence = 0;
        let write = StoreRequest::Write {
            request,
            write,
            token,
            grant,
            base,
            finishes,
            not_after,
            sequence,
        };
        StoreInput::Request(who, write)
    }

    /// How many rows the update changes, and why none.
    fn update(&mut self, line: &Line) -> (i64, Option<Refusal>) {
        let token = line.number("token");
        let write = self.write(client(line.get("who")), token);
        let mut effects = Effects::default();
        let now = Now::default();
        match self.store.handle(now, write, &mut effects) {
            Handled::Passed(arrived) => {
                self.store.apply(arrived, &mut effects);
                self.value = line.get("who").to_owned();
                self.highest = token;
                (1, None)
            }
            Handled::Done => (0, refusal(&effects)),
        }
    }

    fn claim(&mut self, line: &Line) -> i64 {
        let from = client(line.get("who"));
        let (request, token) = (self.request(), FencingToken(line.number("token")));
        let seal = StoreRequest::Seal { request, token, grant: GrantNo(1) };
        let mut effects = Effects::default();
        self.store.handle(Now::default(), StoreInput::Request(from, seal), &mut effects);
        let sealed = |effect: &_| {
            matches!(
                effect,
                fenceline::sim::effect::Effect::Send(
                    _,
                    Body::StoreAnswer(StoreAnswer::Sealed { .. })
                )
            )
        };
        i64::from(effects.list().iter().any(sealed))
    }
}

fn refusal(effects: &Effects) -> Option<Refusal> {
    effects.list().iter().find_map(|effect| match effect {
        fenceline::sim::effect::Effect::Fact(OwnFact::Store(StoreFact::WriteRefused {
            why,
            ..
        })) => Some(*why),
        _ => None,
    })
}

/// Runs the updates of a part; tells how many were run.
fn replay(part: &Part) -> usize {
    let mut row: Option<Row> = None;
    let (mut is_null, mut ran) = (false, 0);
    for line in &part.lines {
        match line.word.as_str() {
            "row" => {
                is_null = line.get("fence") == "null";
                if let Some(row) = row.take_if(|_| !is_null) {
                    assert_eq!(
                        (row.value.as_str(), row.highest),
                        (line.get("value"), line.number("fence"))
                    );
                }
            }
            "claim" => {
                let row = row.get_or_insert_with(|| Row::new("equal"));
                assert_eq!(row.claim(line), line.number("rows"), "{}", line.text);
                ran += 1;
            }
            "write" => {
                let row = row.as_mut().expect("a claim comes first");
                assert_eq!(row.update(line).0, line.number("rows"), "{}", line.text);
                ran += 1;
            }
            // The model's fence has a first value, as a column must have it.
            "update" if is_null => assert_eq!(line.number("rows"), 0),
            "update" => {
                let row = row.get_or_insert_with(|| Row::new(line.get("form")));
                assert_eq!(row.update(line).0, line.number("rows"), "{}", line.text);
                ran += 1;
            }
            other => panic!("`{other}` is not replayed"),
        }
    }
    ran
}

#[test]
fn the_conditional_update_changes_the_same_rows() {
    let recording = Recording::of("postgres");
    assert_eq!(replay(recording.part("orders")), 24, "27 but for the three on a null");
    assert_eq!(replay(recording.part("claim-and-write")), 7);
}

#[test]
fn no_row_means_the_same() {
    let recording = Recording::of("postgres");
    let part = recording.part("zero-rows");
    let case = |name| part.one("update", "case", name);
    let newer = Recording::parse("a: b\n[a]\nt=+1ms update who=B token=34").expect("a line");
    let newer = newer.part("a").all("update")[0];
    let mut stale = Row::new("lower");
    stale.update(newer);
    assert_eq!(stale.update(case("stale")), (0, Some(Refusal::Token)));
    let mut applied = Row::new("lower");
    assert_eq!(applied.update(case("lost-reply")).0, 1, "its reply is lost");
    assert_eq!(applied.update(case("lost-reply")), (0, Some(Refusal::Token)));
    let mut missing = Row::new("lower");
    missing.store = store_with("lower", |settings| settings.missing_row = true);
    assert_eq!(missing.update(case("missing-row")), (0, Some(Refusal::Missing)));
}

#[test]
fn concurrent_updates_come_to_what_one_after_the_other_does() {
    let recording = Recording::of("postgres");
    let part = recording.part("concurrent");
    let mut ran = 0;
    for line in part.all("pair").into_iter().filter(|line| line.get("level") == "read-committed") {
        let text = |which: &str| {
            let (token, form) = (line.get(which), line.get("form"));
            format!("a: b\n[a]\nt=+1ms update who=A token={token} form={form}")
        };
        let update = |row: &mut Row, which| {
            let one = Recording::parse(&text(which)).expect("a line");
            row.update(one.part("a").all("update")[0]).0
        };
        let mut row = Row::new(line.get("form"));
        if line.get("first-end") == "commit" {
            assert_eq!(update(&mut row, "first"), line.number("first-rows"), "{}", line.text);
        }
        assert_eq!(update(&mut row, "second"), line.number("second-rows"), "{}", line.text);
        ran += 1;
    }
    assert_eq!(ran, 12);
}

#[test]
fn a_check_in_a_step_of_its_own_lets_the_older_token_overwrite_the_newer() {
    let recording = Recording::of("postgres");
    let part = recording.part("select-then-update");
    // Both read, then both write: the part's first five lines.
    let (racing, one_step) = part.lines.split_at(5);
    let last = &racing[4];
    let mut row = Row::new("lower");
    row.store = store_with("lower", |settings| settings.check_gap = ms(9));
    let mut passed = Vec::new();
    for line in &racing[..2] {
        let who = line.get("who");
        let token = part.lines.iter().find(|of| of.word == "update" && of.get("who") == who);
        let write = row.write(client(who), token.expect("it writes").number("token"));
        let handled = row.store.handle(Now::default(), write, &mut Effects::default());
        passed.push((client(who), handled));
    }
    for line in &racing[2..4] {
        let from = client(line.get("who"));
        let (_, handled) = passed.iter().find(|(of, _)| *of == from).expect("it has read");
        let Handled::Passed(arrived) = *handled else {
            panic!("the fence stood lower: {}", line.text);
        };
        row.store.apply(arrived, &mut Effects::default());
        assert_eq!(line.number("rows"), 1, "{}", line.text);
    }
    // The row's fence is the older token: its next token passes, and itself does not.
    assert_eq!((last.get("value"), last.number("fence")), ("A", 33));
    assert!(row.store.check_token(FencingToken(34)).is_ok());
    assert!(row.store.check_token(FencingToken(33)).is_err());
    // In one step, as FOR UPDATE makes it, the fence stays where it was.
    assert_eq!(one_step.last().expect("the row at the end").number("fence"), 34);
    let mut row = Row::new("lower");
    for (who, token) in [(B, 34), (A, 33)] {
        let write = row.write(who, token);
        let handled = row.store.handle(Now::default(), write, &mut Effects::default());
        if let Handled::Passed(arrived) = handled {
            row.store.apply(arrived, &mut Effects::default());
        }
    }
    assert!(row.store.check_token(FencingToken(34)).is_err());
    assert!(row.store.check_token(FencingToken(35)).is_ok());
}

fn sql(set: impl Fn(&mut SqlSettings), changes: &[Change]) -> Service {
    let first = Change::FirstToken(FencingToken(33));
    Service::of(
        &scenario(LockSystem::Sql, |all| set(&mut all.sql), &[&[first], changes].concat()),
        1,
    )
}

#[test]
fn a_row_is_leased_renewed_and_taken_over_the_same() {
    let recording = Recording::of("postgres");
    let part = recording.part("lease");
    let mut service: Option<Service> = None;
    for line in &part.lines {
        let who = client(line.get("who"));
        match (line.word.as_str(), line.find("after")) {
            ("acquire", None) => {
                let mut new = sql(|_| {}, &[Change::Ttl(ms(line.length("ttl")))]);
                let token = new.acquire(who).map(|token| token.0);
                assert_eq!(token, Some(line.number("token")), "{}", line.text);
                service = Some(new);
            }
            ("acquire", Some(_)) => {
                let service = service.as_mut().expect("A has taken it");
                let (token, after) = service.acquire_in_the_end(who);
                assert_eq!(token.0, line.number("token"), "{}", line.text);
                assert!(line.measured("after").holds(after), "{after}: {}", line.text);
            }
            ("renew", _) => {
                let service = service.as_mut().expect("A has taken it");
                if line.get("held-by") == "nobody" {
                    service.after(1_001);
                }
                let token = FencingToken(33 + i64::from(who.0));
                let renewed = i64::from(service.renews(who, token));
                assert_eq!(renewed, line.number("rows"), "{}", line.text);
            }
            (other, _) => panic!("`{other}` is not replayed"),
        }
    }
}

#[test]
fn a_late_release_frees_the_same_row() {
    let recording = Recording::of("postgres");
    let part = recording.part("release");
    let asked = part.all("acquire");
    for (line, next) in part.all("release").into_iter().zip(asked) {
        let owner_check = Change::OwnerCheck(line.is("owner-check"));
        let mut service = sql(|_| {}, &[Change::Ttl(ms(100)), owner_check]);
        let old = service.acquire(A).expect("the row is free");
        service.after(100);
        service.acquire(B).expect("A's lease is over");
        assert_eq!(i64::from(service.releases(A, old)), line.number("rows"), "{}", line.text);
        let token = service.acquire(C).map_or("none".to_owned(), |token| token.0.to_string());
        assert_eq!(token, next.get("token"), "{}", next.text);
    }
}

#[test]
fn an_open_transaction_keeps_the_next_one_out_and_its_token_was_never_taken() {
    let recording = Recording::of("postgres");
    let part = recording.part("open-transaction");
    let lines = part.all("acquire");
    let token = |who| lines.iter().rev().find(|line| line.get("who") == who);
    let token = |who| token(who).expect("it has asked").number("token");
    let mut service = sql(|sql| sql.hold = SqlHold::Transaction, &[Change::Ttl(ms(200))]);
    assert_eq!(service.acquire(A).map(|token| token.0), Some(token("A")));
    // It is over, and B waits all the same.
    service.after(1_000);
    assert_eq!(service.acquire(B), None);
    service.after(60_000);
    assert_eq!(super::granted(service.said_to(B)), None);
    service.input(0, NodeInput::Disconnected(A));
    let next = super::granted(service.said_to(B)).expect("A's session has ended");
    assert_eq!(next.0, token("B"));
}

#[test]
fn an_advisory_lock_lives_with_its_session() {
    let recording = Recording::of("postgres");
    let part = recording.part("session-lock");
    assert_eq!(part.column("acquire", "reply"), ["t", "f", "t", "f", "t"]);
    let mut service = sql(|sql| sql.hold = SqlHold::Advisory, &[]);
    let first = service.acquire(A).expect("the lock is free");
    assert_eq!(service.acquire(B), None);
    assert_eq!(service.acquire(A), Some(first), "its own session has it");
    service.input(0, NodeInput::Disconnected(A));
    assert!(super::granted(service.said_to(B)).is_some(), "free when the session is gone");
}

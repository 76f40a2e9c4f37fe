//! PostgreSQL: the rows that a conditional update changes are those that the rule admits, also from
//! two transactions at once; a row as a lock; what open transactions and sessions keep.

use super::{Line, Part, Recording};

/// The database compares with its clock whenever it is asked.
const LATEST: u64 = 1;

/// The row, as the recording says that it is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    value: String,
    /// Nothing where it was never set.
    fence: Option<i64>,
}

impl Row {
    fn of(line: &Line) -> Self {
        Self { value: line.get("value").to_owned(), fence: line.get("fence").parse().ok() }
    }

    /// Whether `fence FORM token` holds. A comparison with null never does.
    fn admits(&self, form: &str, token: i64) -> bool {
        self.fence.is_some_and(|fence| match form {
            "lower" => fence < token,
            "lower-or-equal" => fence <= token,
            "equal" => fence == token,
            "none" => true,
            other => panic!("there is no form `{other}`"),
        })
    }

    /// The conditional update: the number of rows that it changes.
    fn update(&mut self, who: &str, form: &str, token: i64) -> i64 {
        let admits = self.admits(form, token);
        if admits {
            *self = Self { value: who.to_owned(), fence: Some(token) };
        }
        i64::from(admits)
    }
}

/// Runs the rule beside a part: a row before an update is where it begins, a row after it is what
/// it must have come to. Returns the rows changed, in order.
fn run_beside(part: &Part) -> Vec<i64> {
    let mut row: Option<Row> = None;
    let mut updated = false;
    let mut changed = Vec::new();
    for line in &part.lines {
        if line.word == "row" {
            let now = Row::of(line);
            assert!(!updated || row.as_ref() == Some(&now), "{row:?}, and it is {now:?}");
            (row, updated) = (Some(now), false);
        } else if let Some(rows) = line.find("rows") {
            let row = row.as_mut().expect("a part shows the row first");
            let rule = row.update(line.get("who"), line.get("form"), line.number("token"));
            assert_eq!(rows.parse(), Ok(rule), "{row:?}: {}", line.text);
            changed.push(rule);
            updated = true;
        }
    }
    changed
}

#[test]
fn an_update_changes_the_rows_that_the_rule_admits() {
    let recording = Recording::of("postgres");
    let changed = run_beside(recording.part("orders"));
    // Four orders of two tokens and one fence that was never set, for <, <= and =.
    let lower = [1, 1, 1, 0, 1, 0, 1, 0, 0];
    let lower_or_equal = [1, 1, 1, 0, 1, 1, 1, 1, 0];
    assert_eq!(changed, [lower, lower_or_equal, [0; 9]].concat());
}

#[test]
fn a_claim_passes_once_and_its_writes_until_the_next_claim() {
    let recording = Recording::of("postgres");
    let changed = run_beside(recording.part("claim-and-write"));
    assert_eq!(changed, [1, 1, 1, 0, 0, 1, 1]);
}

#[test]
fn no_row_has_three_meanings_that_reading_back_tells_apart() {
    let recording = Recording::of("postgres");
    let part = recording.part("zero-rows");
    assert_eq!(part.column("update", "case"), ["stale", "lost-reply", "missing-row"]);
    assert_eq!(part.numbers("update", "rows"), [0, 0, 0]);
    let mine = part.numbers("update", "token")[0];
    let rows: Vec<Option<i64>> =
        part.all("row").into_iter().map(|line| Row::of(line).fence).collect();
    assert!(rows[0].is_some_and(|fence| fence > mine), "stale: a newer token stands there");
    assert_eq!(rows[1], Some(mine), "lost reply: my own token stands there");
    assert_eq!(rows[2], None, "no row");
}

#[test]
fn two_transactions_at_once_come_to_what_one_after_the_other_does() {
    let recording = Recording::of("postgres");
    let part = recording.part("concurrent");
    let (pairs, rows) = (part.all("pair"), part.all("row"));
    assert_eq!(pairs.len(), 24, "2 levels, 2 forms, 3 orders, 2 ends");
    for (pair, after) in pairs.into_iter().zip(rows) {
        let who = |token| if token == 33 { "A" } else { "B" };
        let (first, second) = (pair.number("first"), pair.number("second"));
        let form = pair.get("form");
        let before = Row { value: "start".to_owned(), fence: Some(0) };
        let mut row = before.clone();
        assert_eq!(pair.number("first-rows"), row.update(who(first), form, first));
        assert!(pair.is("waits"), "{}", pair.text);
        let commits = pair.get("first-end") == "commit";
        if !commits {
            row = before;
        }
        if commits && pair.get("level") == "repeatable-read" {
            // Its snapshot is older than what the first one did.
            assert_eq!(pair.get("second-rows"), "error:40001", "{}", pair.text);
            assert_eq!(pair.get("second-end"), "ROLLBACK");
        } else {
            let rule = row.update(who(second), form, second);
            assert_eq!(pair.number("second-rows"), rule, "{}", pair.text);
        }
        assert_eq!(row, Row::of(after), "{}", pair.text);
    }
}

#[test]
fn a_check_apart_from_its_update_is_no_fence() {
    let recording = Recording::of("postgres");
    let part = recording.part("select-then-update");
    assert_eq!(part.column("read", "fence"), ["0", "0"], "both compare with the same fence");
    let updates = part.all("update");
    assert_eq!((updates[0].number("token"), updates[0].number("rows")), (34, 1));
    assert_eq!((updates[1].number("token"), updates[1].number("rows")), (33, 1));
    let rows = part.all("row");
    assert_eq!(rows[0].number("fence"), 33, "the older token has overwritten the newer");
    // Locking what it reads makes the second one see what the first one wrote.
    assert_eq!(part.column("read-for-update", "fence"), ["0", "34"]);
    assert_eq!(rows[1].number("fence"), 34);
}

#[test]
fn a_row_is_a_lock_with_a_lease_by_the_databases_clock() {
    let recording = Recording::of("postgres");
    let part = recording.part("lease");
    let granted = part.all("acquire");
    for pair in granted.chunks(2) {
        assert_eq!(pair[1].number("token"), pair[0].number("token") + 1);
        assert!(pair[1].number("refused-before") > 0);
        pair[1].assert_ends("after", pair[1].length("ttl"), LATEST);
    }
    for line in part.all("renew") {
        let renews = line.get("who") == line.get("held-by");
        assert_eq!(line.number("rows"), i64::from(renews), "{}", line.text);
    }
}

#[test]
fn a_late_release_frees_the_next_holders_row_unless_it_looks() {
    let recording = Recording::of("postgres");
    let part = recording.part("release");
    assert_eq!(part.column("release", "owner-check"), ["yes", "no"]);
    assert_eq!(part.numbers("release", "rows"), [0, 1]);
    assert_eq!(part.column("holder", "who"), ["B", "null"]);
    assert_eq!(part.column("acquire", "token"), ["none", "35"], "C beside B, who still believes");
}

#[test]
fn now_is_the_time_at_which_the_transaction_began() {
    let recording = Recording::of("postgres");
    let part = recording.part("clocks");
    let age = part.all("transaction")[0].length("age");
    assert!(age >= 400);
    let [now, clock, taken_by_now, taken_by_clock] = part.all("acquire")[..] else {
        panic!("two clocks, each asks and takes");
    };
    // A's lease has ended, which a transaction that began before does not see by now().
    assert_eq!((now.get("clock"), now.get("token")), ("now", "none"));
    assert_eq!((clock.get("clock"), clock.number("token")), ("clock-timestamp", 34));
    let lost = |line: &Line| line.length("ttl") - line.length("left");
    assert!(lost(taken_by_now) >= 400, "a lease that is over before its time");
    assert!(lost(taken_by_clock) < lost(taken_by_now));
}

#[test]
fn an_open_transaction_keeps_the_next_holder_out_after_its_lease() {
    let recording = Recording::of("postgres");
    let part = recording.part("open-transaction");
    let [a, by_lock, by_statement, b] = part.all("acquire")[..] else {
        panic!("A takes it, B asks twice in vain, and then takes it");
    };
    assert!(a.length("ttl") < by_lock.length("lock-timeout"), "the lease is over by then");
    for (line, timeout, code) in [
        (by_lock, "lock-timeout", "error:55P03"),
        (by_statement, "statement-timeout", "error:57014"),
    ] {
        assert_eq!(line.get("reply"), code);
        assert!(line.measured("waited").high >= line.length(timeout));
    }
    assert_eq!(a.number("token"), b.number("token"), "A's token was never committed");
}

#[test]
fn a_sessions_lock_ends_with_the_session_alone() {
    let recording = Recording::of("postgres");
    let part = recording.part("session-lock");
    let replies = |who: &str| -> Vec<(&str, &str)> {
        let of = part.lines.iter().filter(|line| line.find("reply").is_some());
        let of = of.filter(|line| line.get("who") == who);
        of.map(|line| (line.word.as_str(), line.get("reply"))).collect()
    };
    // Taken twice and released once, it is still A's.
    assert_eq!(replies("A"), [("acquire", "t"), ("acquire", "t"), ("release", "t")]);
    let b = [("acquire", "f"), ("release", "f"), ("acquire", "f"), ("acquire", "t")];
    assert_eq!(replies("B"), b);
}

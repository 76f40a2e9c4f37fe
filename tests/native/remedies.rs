//! What would have saved us: the fix of each real case is among the rows of its table, and each row
//! that puts a mistake right does so in a small set-up that has it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use fenceline::explore::remedies::{Group, Row};
use fenceline::explore::systems::Note;
use fenceline::explore::{NotTried, Outcome, RemedyId, RemedySearch, RemedyTable, SystemSearch};
use fenceline::scenarios::{GALLERY, GalleryEntry};
use fenceline::sim::fact::{Fact, FaultFact};
use fenceline::sim::form::{Form, Json};
use fenceline::sim::id::{FaultId, StoreId};
use fenceline::sim::lock::{SYSTEMS, Schedule};
use fenceline::sim::property::VerdictKind;
use fenceline::sim::scenario::{
    ExpiryJudge, FenceRule, LockSystem, NamedStep, Quantity, ScenarioSpec,
};
use fenceline::sim::{Change, Recording, Scenario, ScenarioFile, SimDuration};
use fenceline::view_model::sentences::range_words::About;
use fenceline::view_model::sentences::{remedy_words, system_words};
use fenceline::view_model::words::names::Words;
use proptest::prelude::*;

use crate::sim::random::strategy::scenario;

/// The verdicts of a table, without ranges.
fn verdicts(scenario: &Scenario) -> RemedyTable {
    RemedySearch::new(scenario, None).finish()
}

fn row(table: &RemedyTable, id: RemedyId) -> Option<&Row> {
    table.rows.iter().find(|row| row.id == id)
}

fn case(name: &str) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cases/{name}.json"));
    let text = fs::read_to_string(path).expect("the case is there");
    ScenarioFile::parse(&text).expect("valid").base().expect("valid")
}

fn pairs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let names = fs::read_dir(folder).expect("the cases are there");
    let names = names.map(|entry| entry.expect("it can be read").file_name());
    let mended = names.filter_map(|name| {
        name.to_str().and_then(|name| Some(name.strip_suffix("-mended.json")?.to_owned()))
    });
    let mut pairs: Vec<_> = mended.collect();
    pairs.sort();
    pairs
}

/// Every setting by its name, whoever's it is, with what it is for each.
fn settings(spec: &ScenarioSpec) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    gather("", &spec.write(), &mut found);
    found
}

fn gather(name: &str, value: &Json, found: &mut BTreeMap<String, BTreeSet<String>>) {
    let is_part = ["", "lease", "storage", "systems", "defaults", "clients"].contains(&name)
        || name.starts_with("systems.");
    match value {
        Json::Fields(fields) if is_part && name.matches('.').count() < 2 => {
            for (key, value) in fields {
                let name = match name {
                    "" | "clients" | "lease" | "storage" | "defaults" => key.clone(),
                    name => format!("{name}.{key}"),
                };
                gather(&name, value, found);
            }
        }
        Json::List(list) if name == "clients" => {
            list.iter().for_each(|client| gather(name, client, found));
        }
        other => {
            found.entry(name.to_owned()).or_default().insert(other.indented());
        }
    }
}

/// The settings in which two set-ups differ.
fn differences(one: &ScenarioSpec, other: &ScenarioSpec) -> BTreeSet<String> {
    let (one, other) = (settings(one), settings(other));
    let names: BTreeSet<_> = one.keys().chain(other.keys()).cloned().collect();
    names.into_iter().filter(|name| one.get(name) != other.get(name)).collect()
}

/// The twins that differ in more than their fix, or in which two rows make a half each: what the
/// fix is, and why.
const FIXES: [(&str, &[&str], &str); 18] = [
    ("H2", &["lock"], "the row keeps what is set of the system that it replaces"),
    ("Q7", &["rule"], "the twin is another system with its own numbers"),
    ("E8", &["renew"], "another link is cut in the twin, so that the renewal has something to do"),
    ("K1", &["deadline", "on_loss"], "the margin is client-go's number; none is needed"),
    ("Q1", &["repeat"], "the run is longer, to show it"),
    ("Q5", &["fencing", "seal"], "the row's rule refuses lower tokens, the twin's all but one"),
    ("Q6", &["idempotent"], "it comes to the same verdict, and the rule is a row of its own"),
    ("S1", &["expiry"], "the statement's timeout is how what happened could happen"),
    ("S16", &["lock"], "the row is a database's advisory lock, which lives with its connection"),
    ("S7", &["fencing"], "the owner check is a row of its own"),
    ("V6", &["fencing", "seal"], "as Q5"),
    ("V7", &["lock"], "a plain lock's time to live is not said"),
    ("M1", &["starts_after"], "then nothing waits that could be renewed"),
    ("M5", &["renewed_by"], "how often it renews is the change's number"),
    ("M6", &[], "no row moves the time without progress; others are as good"),
    ("M7", &[], "the twin is Sidekiq Pro's list with its own numbers"),
    ("M9", &[], "the twin has no time to live, with its own numbers"),
    ("M11", &[], "the fix is in the handler, which the fault stands for"),
];

#[test]
fn the_fix_of_a_case_is_among_its_rows() {
    let mut missing = Vec::new();
    for name in pairs() {
        let (broken, mended) = (case(&name), case(&format!("{name}-mended")));
        let mut fix = differences(broken.spec(), mended.spec());
        if let Some((_, of_it, _)) = FIXES.iter().find(|(case, ..)| *case == name) {
            fix.retain(|setting| of_it.contains(&setting.as_str()));
            assert_eq!(fix.len(), of_it.len(), "{name} differs in these");
        }
        let comes_to = Outcome::of(&Recording::of(&mended));
        let table = verdicts(&broken);
        let makes = |row: &Row| {
            let changed = broken.with(&row.patch).expect("it was run");
            differences(broken.spec(), changed.spec()).is_superset(&fix)
        };
        if !table.rows.iter().any(|row| makes(row) && row.outcome <= comes_to) {
            let of_its_kind = table.rows.iter().filter(|row| makes(row)).map(|row| row.id);
            let of_its_kind: Vec<_> = of_its_kind.collect();
            missing.push((name, format!("{fix:?}; of its kind: {of_its_kind:?}")));
        }
    }
    let told: Vec<_> = missing.iter().map(|(name, fix)| format!("{name}: {fix}")).collect();
    assert!(missing.is_empty(), "\n{}\n", told.join("\n"));
}

#[test]
fn every_remedy_is_told_in_the_documents() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/remedies.md");
    let text = fs::read_to_string(path).expect("it is there");
    let is_told = |name: &str| {
        let cells = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        cells.flat_map(|cell| cell.split(" · ")).any(|told| told == name)
    };
    let tried = RemedyId::ALL.iter().filter(|id| **id != RemedyId::AsItIs);
    let untold: Vec<_> =
        tried.map(|id| remedy_words::name(*id)).filter(|it| !is_told(it)).collect();
    assert!(untold.is_empty(), "docs/remedies.md has no row for {untold:?}");
}

/// A set-up of these settings.
fn set_up(scenario: &str) -> Scenario {
    let text = format!(r#"{{ "version": 1, "title": "T", "scenario": {scenario} }}"#);
    let file = ScenarioFile::parse(&text).unwrap_or_else(|error| panic!("{scenario}: {error}"));
    file.base().expect("valid")
}

const TWO: &str = r#""clients": [{ "asks_at": "0.1 s" }, { "asks_at": "1 s" }]"#;

/// A holder that is paused past the end of its lease, with these settings.
fn paused(settings: &str, length: &str, more: &str) -> Scenario {
    set_up(&format!(
        r#"{{ {settings}, {TWO}, "faults": [{{ "id": 1, "kind": {{ "pause": {{ "client": "A",
            "start": {{ "at": "2 s" }}, "length": "{length}" }} }} }}{more}] }}"#
    ))
}

/// Two workers that update one value without a fence, the second one quicker.
fn queue(settings: &str) -> Scenario {
    set_up(&format!(
        r#"{{ "lock": "lease_server", "storage": {{ "fencing": false }}, "defaults": {{
            "operation": "read_modify_write", "release": true, {settings} }},
            "clients": [{{ "asks_at": "0.1 s" }}, {{ "asks_at": "1 s", "work": "1 s",
            "starts_after": "0 s" }}] }}"#
    ))
}

/// The same of what bounds renewal.
fn unbounded() -> Vec<(RemedyId, Scenario)> {
    let lease = r#""lock": "lease_server""#;
    vec![
        (
            RemedyId::RenewalTiedToProgress,
            set_up(&format!(
                r#"{{ {lease}, {TWO}, "faults": [{{ "id": 1, "kind": {{ "crash": {{
                    "client": "A", "scope": "worker", "at": "1 s" }} }} }}] }}"#
            )),
        ),
        (RemedyId::RenewerOfItsOwn, queue(r#""renewed_by": "worker", "work": "15 s""#)),
        (RemedyId::CapAboveWork, queue(r#""renew_cap": { "after": "7 s" }, "work": "30 s""#)),
        (
            RemedyId::NothingFetchedAhead,
            queue(r#""starts_after": "15 s", "renews_waiting": false, "work": "5 s""#),
        ),
        (
            RemedyId::RenewsBeforeTheWork,
            queue(r#""starts_after": "15 s", "renews_waiting": false, "work": "5 s""#),
        ),
        (RemedyId::KillBelowTheLimit, queue(r#""renew": "off", "work": "15 s""#)),
    ]
}

/// Mistakes that no scenario of the gallery and no case has, each with the row that mends it.
fn mistakes() -> Vec<(RemedyId, Scenario)> {
    let lease = r#""lock": "lease_server""#;
    let restart = r#", { "id": 2, "kind": { "store_restart": { "store": "storage",
        "at": "14 s" } } }"#;
    vec![
        (
            RemedyId::RenewalByTheWorker,
            set_up(&format!(
                r#"{{ {lease}, {TWO}, "faults": [{{ "id": 1, "kind": {{ "crash": {{
                    "client": "A", "scope": "worker", "at": "1 s" }} }} }}] }}"#
            )),
        ),
        (
            RemedyId::ReleaseAfterWork,
            set_up(&format!(
                r#"{{ {lease}, "storage": {{ "fencing": false }}, "defaults": {{
                    "release_early": "1 s", "operation": "read_modify_write", "work": "2 s" }},
                    "clients": [{{ "asks_at": "0.1 s", "work": "5 s" }},
                    {{ "asks_at": "1 s" }}] }}"#
            )),
        ),
        (
            RemedyId::SendsTheGrantedToken,
            paused(&format!(r#"{lease}, "defaults": {{ "rereads_token": true }}"#), "15 s", ""),
        ),
        (
            RemedyId::RequestTimeout,
            set_up(&format!(
                r#"{{ {lease}, "storage": {{ "stores": 2 }}, {TWO}, "faults": [{{ "id": 1,
                    "kind": {{ "lose": {{ "message": {{ "from": "A", "to": "storage 2",
                    "kind": "write", "nth": 1 }} }} }} }}] }}"#
            )),
        ),
        (
            RemedyId::OneStepCheck,
            paused(&format!(r#"{lease}, "storage": {{ "check_gap": "3 s" }}"#), "10.9 s", ""),
        ),
        (
            RemedyId::DurableFence,
            paused(&format!(r#"{lease}, "storage": {{ "durable": false }}"#), "15 s", restart),
        ),
        (
            RemedyId::RowIsThere,
            set_up(&format!(
                r#"{{ {lease}, "storage": {{ "resource": "sql_row", "missing_row": true }},
                    {TWO} }}"#
            )),
        ),
        (
            RemedyId::HandOffInOrder,
            set_up(&format!(
                r#"{{ {lease}, "seed": 3, "lease": {{ "token_source": "revision_at_enqueue",
                    "hand_off": "random" }}, "defaults": {{ "release": true }},
                    "clients": [{{ "asks_at": "0.1 s" }}, {{ "asks_at": "0.2 s" }},
                    {{ "asks_at": "0.3 s" }}, {{ "asks_at": "0.4 s" }}, {{ "asks_at": "0.5 s" }},
                    {{ "asks_at": "0.6 s" }}] }}"#
            )),
        ),
        (
            RemedyId::FiveNodes,
            set_up(&format!(
                r#"{{ "lock": "redlock", "systems": {{ "redlock": {{ "nodes": 1 }} }},
                    "storage": {{ "fencing": false }}, "defaults": {{ "work": "6 s",
                    "operation": "read_modify_write" }}, {TWO}, "faults": [{{ "id": 1,
                    "kind": {{ "service_restart": {{ "node": "service", "at": "2 s",
                    "length": "0.1 s", "loses": "everything" }} }} }}] }}"#
            )),
        ),
    ]
}

#[test]
fn a_mistake_has_the_row_that_mends_it() {
    let mut wrong = Vec::new();
    for (id, scenario) in mistakes().into_iter().chain(unbounded()) {
        let table = verdicts(&scenario);
        let as_it_is = table.rows[0].outcome;
        match row(&table, id) {
            Some(row) if row.outcome < as_it_is => {}
            other => wrong.push(format!("{id:?}: {as_it_is:?}, {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Settings that are not as their documentation has them, and do no harm in these schedules: the
/// row is there, and it makes them so.
#[test]
fn what_differs_from_the_documentation_has_its_row() {
    for (id, setting, lock) in [
        (RemedyId::SecondProtocol, r#""kafka_producer": { "version": "one" }"#, "kafka_producer"),
        (RemedyId::UsualMarks, r#""dhcp": { "t1_permille": 900 }"#, "dhcp"),
        (RemedyId::StickyVotes, r#""raft_leader": { "sticky": false }"#, "raft_leader"),
    ] {
        let systems = format!(r#"{{ "lock": "{lock}", "systems": {{ {setting} }}, {TWO} }}"#);
        let scenario = set_up(&systems);
        let table = verdicts(&scenario);
        let row = row(&table, id).unwrap_or_else(|| panic!("{id:?} is not offered"));
        let changed = scenario.with(&row.patch).expect("it was run");
        let usual = set_up(&format!(r#"{{ "lock": "{lock}", {TWO} }}"#));
        assert_eq!(changed.spec().systems, usual.spec().systems, "{id:?}");
        let put_right = RemedySearch::new(&changed, None).finish().not_tried;
        assert!(put_right.contains(&(id, NotTried::NothingCallsForIt)), "{id:?}");
    }
}

fn finding(settings: &str) -> RemedyTable {
    verdicts(&set_up(settings))
}

fn is_safe(row: Option<&Row>) -> bool {
    row.is_some_and(|row| row.outcome.kind == VerdictKind::Safe && !row.outcome.by_luck)
}

#[test]
fn lock_and_value_in_one_database_is_checked_in_the_locks_own_transaction() {
    let window = paused(
        r#""lock": "lease_server", "defaults": { "operation": "read_modify_write" }"#,
        "9 s",
        "",
    );
    let by_nodes = set_up(
        r#"{ "lock": "sql", "lease": { "ttl": "2 min" }, "systems": { "sql": { "clock": "nodes" } },
            "storage": { "fencing": false }, "defaults": { "renew": "off", "work": "60 s",
            "operation": "external_effect", "piece": "shared" },
            "clients": [{ "asks_at": "0.1 s" }, { "asks_at": "10 s" }],
            "faults": [{ "id": 1, "kind": { "clock_jump": { "node": "B", "at": "0 s",
            "by": "3 min" } } }] }"#,
    );
    for scenario in [&window, &by_nodes] {
        let table = verdicts(scenario);
        assert_eq!(table.rows[0].outcome.kind, VerdictKind::Corrupted);
        let row = row(&table, RemedyId::SqlTransaction);
        assert!(is_safe(row), "{row:?}");
        let changed = scenario.with(&row.expect("tried").patch).expect("it was run");
        assert_eq!(changed.spec().lock, LockSystem::Sql);
        assert_eq!(changed.storage().rule, FenceRule::SameTransaction);
        assert_eq!(changed.rules().expiry, ExpiryJudge::Service, "the database's clock");
    }
    assert!(is_safe(row(&verdicts(&window), RemedyId::EtcdTransaction)));
    assert!(is_safe(row(&verdicts(&by_nodes), RemedyId::DatabaseClock)));
}

/// Work that outlives its lease, and nobody renews.
const WITHOUT_RENEWAL: &str = r#"{ "lock": "lease_server", "storage": { "fencing": false },
    "defaults": { "renew": "off", "work": "12 s" },
    "clients": [{ "asks_at": "0.1 s" }, { "asks_at": "1 s", "work": "1 s" }] }"#;

#[test]
fn a_row_is_called_what_it_does_and_a_mistake_comes_first() {
    let table = finding(WITHOUT_RENEWAL);
    assert_eq!(table.rows[1].id, RemedyId::RenewalOn);
    assert!(is_safe(table.rows.get(1)));
    assert_eq!(remedy_words::name(RemedyId::RenewalOn), "Switch renewal on");
    assert!(row(&table, RemedyId::MoreRenewal).is_none(), "there is nothing to do more often");

    let gives_up = r#"{ "lock": "lease_server", "lease": { "ttl": "60 s" },
        "storage": { "fencing": false }, "defaults": { "renew_failure": "gives_up",
        "work": "120 s", "operation": "read_modify_write", "release": true },
        "clients": [{ "asks_at": "0.1 s" }, { "asks_at": "5 s", "work": "20 s" }],
        "faults": [{ "id": 1, "kind": { "lose": { "message": { "from": "A", "to": "service",
        "kind": "renew", "nth": 1 } } } }] }"#;
    assert!(is_safe(row(&finding(gives_up), RemedyId::RenewerTriesAgain)));

    let logged = r#"{ "lock": "kubernetes", "lease": { "ttl": "15 s" }, "latency": "5 ms",
        "storage": { "fencing": false }, "defaults": { "operation": "read_modify_write" },
        "clients": [{ "asks_at": "0.1 s", "work": "3 s", "writes_per_grant": 20 },
        { "asks_at": "1 s", "work": "2 s", "writes_per_grant": 5 }],
        "faults": [{ "id": 1, "kind": { "cut": { "a": "A", "b": "service", "at": "20 s",
        "length": "40 s" } } }] }"#;
    let table = finding(logged);
    assert!(is_safe(row(&table, RemedyId::StopOnLoss)));
    assert!(row(&table, RemedyId::LocalDeadline).is_none(), "client-go has its own");
}

#[test]
fn equal_is_not_refused_where_any_client_writes_twice_under_a_grant() {
    let own = r#"{ "lock": "lease_server", "clients": [{ "asks_at": "0.1 s",
        "writes_per_grant": 3 }, { "asks_at": "1 s" }] }"#;
    let repeats = r#"{ "lock": "lease_server", "defaults": { "repeat": { "after": "1 s" } },
        "clients": [{ "asks_at": "0.1 s" }, { "asks_at": "1 s" }] }"#;
    for settings in [own, repeats] {
        let why = (RemedyId::RejectLowerOrEqual, NotTried::SeveralWritesPerGrant);
        assert!(finding(settings).not_tried.contains(&why), "{settings}");
    }
}

/// The smallest that covers the work: a millisecond less does not.
#[test]
fn a_time_to_live_that_covers_the_work_is_the_smallest() {
    for settings in [
        r#""defaults": { "renew": "off", "work": "12 s" }"#,
        r#""defaults": { "renew": "off", "work": "4 s", "writes_per_grant": 3,
            "operation": "read_modify_write" }, "storage": { "stores": 2 }"#,
        r#""defaults": { "renew": "off", "work": "11 s" }, "storage": { "resource":
            "external_call" }"#,
    ] {
        let scenario = set_up(&format!(r#"{{ "lock": "lease_server", {settings}, {TWO} }}"#));
        let table = verdicts(&scenario);
        let row = row(&table, RemedyId::TtlCoversWork).expect("nothing renews");
        let [Change::Ttl(ttl)] = row.patch[..] else {
            panic!("{:?}", row.patch);
        };
        assert!(is_safe(Some(row)), "{row:?}");
        let less = ttl.minus(SimDuration::from_millis(1));
        let less = Recording::of(&scenario.with(&[Change::Ttl(less)]).expect("fits"));
        let verdict = less.verdict();
        assert!(verdict.by_luck || verdict.kind > VerdictKind::Safe, "{settings}: {verdict:?}");
    }
}

/// Where nobody checks who releases, a release after the lease gives back another's lock.
#[test]
fn a_time_to_live_that_covers_the_work_covers_a_release_that_nobody_checks() {
    let set_up = |check: bool| {
        set_up(&format!(
            r#"{{ "lock": "lease_server", "lease": {{ "owner_check": {check} }},
                "storage": {{ "fencing": false }},
                "defaults": {{ "renew": "off", "release": true }},
                "clients": [{{ "asks_at": "0.1 s", "work": "12 s" }},
                {{ "asks_at": "1 s", "work": "8 s" }}, {{ "asks_at": "2 s", "work": "1 s" }}] }}"#
        ))
    };
    let ttl = |scenario: &Scenario| {
        let table = verdicts(scenario);
        let row = row(&table, RemedyId::TtlCoversWork).expect("nothing renews").clone();
        assert!(is_safe(Some(&row)), "{row:?}");
        let [Change::Ttl(ttl)] = row.patch[..] else { panic!("{:?}", row.patch) };
        ttl
    };
    let (checked, unchecked) = (set_up(true), set_up(false));
    let less = unchecked.with(&[Change::Ttl(ttl(&checked))]).expect("fits");
    assert_eq!(Recording::of(&less).verdict().kind, VerdictKind::Corrupted);
    assert!(ttl(&unchecked) > ttl(&checked), "its release is there, too");
}

#[test]
fn a_deadline_has_a_third_of_each_clients_lease_to_spare() {
    let with = |own: &str| {
        verdicts(&set_up(&format!(
            r#"{{ "lock": "lease_server", "defaults": {{ "deadline": "from_send" }},
                "clients": [{{ "asks_at": "0.1 s", "ttl": "{own}" }}, {{ "asks_at": "1 s" }}] }}"#
        )))
    };
    let third_of_longest = |own: &str| {
        let table = with(own);
        let row = row(&table, RemedyId::DeadlineToSpare).expect("there is a deadline").clone();
        let margin = row.patch.iter().find_map(|change| match change {
            Change::DeadlineMargin(margin) => Some(*margin),
            _ => None,
        });
        margin.expect("it sets one")
    };
    assert_eq!(third_of_longest("24 s"), SimDuration::from_secs(8), "of A's own");
    assert_eq!(third_of_longest("6 s"), SimDuration::from_micros(3_333_333), "of B's");
    let why = (RemedyId::DeadlineToSpare, NotTried::LeasesDiffer);
    assert!(with("3 s").not_tried.contains(&why), "nothing would be left of A's");
}

#[test]
fn what_changes_the_same_is_one_row() {
    let mixed = set_up(
        r#"{ "lock": "lease_server", "clients": [{ "asks_at": "0.1 s", "renew": "off" },
            { "asks_at": "1 s", "renew": { "every": "9 s" } }] }"#,
    );
    let table = verdicts(&mixed);
    let rows = table.rows.iter().map(|row| format!("{:?}", row.patch));
    let patches: BTreeSet<_> = rows.collect();
    assert_eq!(patches.len(), table.rows.len());
    assert!(row(&table, RemedyId::RenewalOn).is_some());
    let why = (RemedyId::RenewEveryThird, NotTried::SameAsAnother);
    assert!(table.not_tried.contains(&why), "{:?}", table.not_tried);
}

#[test]
fn a_failover_without_a_copy_never_strikes() {
    let table = verdicts(&case("H2"));
    let majority = row(&table, RemedyId::MajorityLock).expect("a copy takes over");
    assert_eq!(majority.never_strike, [FaultId(1)], "nobody takes over from a node that lives");
    assert!(table.rows[0].never_strike.is_empty());
    let said = remedy_words::never_strikes(majority, &case("H2"));
    assert_eq!(said.as_deref(), Some("here the failover never strikes"));
}

#[test]
fn another_systems_tokens_are_not_the_connections_merit() {
    let wrap = GalleryEntry::find("zookeeper-wrap").expect("it is there").file();
    let wrap = wrap.base().expect("valid");
    let table = verdicts(&wrap);
    let bound = row(&table, RemedyId::LivesWithConnection).expect("it is tried");
    assert!(is_safe(Some(bound)) && bound.by_its_system, "a row of the database is safe as well");
    let cost = remedy_words::cost(bound, &wrap);
    assert!(cost.ends_with("; a row of the same database comes to the same"), "{cost}");
    let paused = paused(r#""lock": "lease_server", "storage": { "fencing": false }"#, "15 s", "");
    let table = verdicts(&paused);
    let bound = row(&table, RemedyId::LivesWithConnection).expect("it is tried");
    assert!(is_safe(Some(bound)) && !bound.by_its_system, "its connection outlives the pause");
}

#[test]
fn what_has_nothing_to_do_with_a_set_up_is_said_on_demand_alone() {
    let scenario = paused(r#""lock": "lease_server""#, "15 s", "");
    let table = verdicts(&scenario);
    let about = About::of(Quantity::Ttl, scenario.spec());
    let said = remedy_words::as_text("T", &table, &scenario, about);
    let others = remedy_words::why_not(&table, false);
    assert!(!said.contains("Not tried"), "{said}");
    let asked = "Not tried: Five nodes, because nothing here calls for it";
    assert!(others.iter().any(|line| line == asked), "{others:?}");
    let all = RemedyId::ALL.len() + remedy_words::NOT_MODELLED.len();
    assert_eq!(table.rows.len() + others.len(), all, "nothing is left out");
    let pool =
        "Not tried: A connection past the pool, because a pool of connections is not modelled";
    assert!(others.iter().any(|line| line.starts_with(pool)), "{others:?}");
}

proptest! {
    // Each case is some thirty runs.
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// In whatever set-up: every row is a plain run, changes something, and does nothing exactly
    /// if its log is that of the set-up.
    #[test]
    fn rows_are_plain_runs(scenario in scenario()) {
        let table = verdicts(&scenario);
        let as_it_is = Recording::of(&scenario);
        prop_assert_eq!(table.rows.len() + table.not_tried.len(), RemedyId::ALL.len());
        for row in &table.rows {
            let recording = Recording::of(&scenario.with(&row.patch).expect("it was run"));
            prop_assert_eq!(Outcome::of(&recording), row.outcome);
            let same = recording.entries() == as_it_is.entries();
            let is_other = row.id != RemedyId::AsItIs;
            prop_assert_eq!(row.does_nothing, same && is_other, "{:?}", row.id);
            prop_assert_eq!(row.patch.is_empty(), !is_other, "{:?}", row.id);
            let found = table.grouped().into_iter().filter(|(_, rows)| rows.contains(&row));
            let groups: Vec<_> = found.map(|(group, _)| group).collect();
            prop_assert_eq!(groups.len(), 1, "each row once: {:?}", row.id);
            let safe = row.outcome.kind == VerdictKind::Safe && !row.outcome.by_luck;
            prop_assert!(groups[0] != Group::Safe || safe && row.never_strike.is_empty());
            // Without a fault that never strikes, nothing is otherwise, but for how long it lasts.
            for id in &row.never_strike {
                let off = [Change::EnableFault { id: *id, enabled: false }];
                let without = recording.scenario().with(&off).expect("it is there");
                let without = Recording::of(&without);
                let n_both = without.entries().len().min(recording.entries().len());
                prop_assert_eq!(&without.entries()[..n_both], &recording.entries()[..n_both]);
            }
        }
    }
}

fn systems(scenario: &Scenario) -> SystemSearch {
    SystemSearch::new(scenario).finish()
}

#[test]
fn a_fault_at_a_node_that_a_system_has_not_is_not_applicable_and_said_once() {
    let search = systems(&case("L10"));
    let text = system_words::as_text("T", &search, &Words::default());
    for row in search.rows() {
        let missing = row.notes.contains(&Note::NoSuchNode);
        assert_eq!(missing, row.without.is_none(), "{:?}", row.system);
        assert!(!missing || row.with.is_none());
    }
    let said = text.lines().filter(|line| line.starts_with("Not applicable to "));
    let said: Vec<_> = said.collect();
    assert_eq!(said.len(), 1, "{text}");
    assert!(said[0].contains("etcd") && said[0].ends_with("that is not there"), "{said:?}");
}

/// A is paused at 2 s, at work. A Raft group has elected nobody by then.
#[test]
fn a_pause_of_a_holder_begins_at_the_same_step_where_nobody_holds_yet() {
    let scenario = set_up(
        r#"{ "lock": "lease_server", "clients": [{ "asks_at": "0.1 s" }, { "asks_at": "8 s" }],
            "faults": [{ "id": 1, "kind": { "pause": { "client": "A", "start": { "at": "2 s" },
            "length": "15 s" } } }] }"#,
    );
    let search = systems(&scenario);
    let of = |system| search.rows().iter().find(|row| row.system == system).expect("tried");
    let raft = of(LockSystem::RaftLeader);
    let moved = raft.notes.iter().find_map(|note| match note {
        Note::Moved(client, _, step) => Some((client.0, *step)),
        _ => None,
    });
    assert_eq!(moved, Some((0, NamedStep::BeforeWrite)));
    let run = Recording::of(&scenario.with(&raft.without.as_ref().expect("tried").patch).unwrap());
    let pause = run.entries().iter().find_map(|entry| match entry.fact {
        Fact::Fault(_, FaultFact::Paused { client, .. }) => Some((entry.at, client)),
        _ => None,
    });
    let (at, client) = pause.expect("it happens");
    let holders = run.world_at(at).service.holders;
    assert!(holders.iter().any(|held| held.client == client), "A leads when it is paused");
    let etcd = of(LockSystem::Etcd);
    assert!(etcd.notes.is_empty(), "{:?}", etcd.notes);

    // Where B asks at once, its node is elected, and A never comes to its work.
    let search = systems(&paused(r#""lock": "lease_server""#, "15 s", ""));
    let raft = search.rows().iter().find(|row| row.system == LockSystem::RaftLeader);
    let raft = raft.expect("tried");
    assert!(raft.notes.iter().any(|note| matches!(note, Note::NeverThere(_))), "{raft:?}");
    assert_eq!((&raft.without, &raft.with), (&None, &None), "nothing is compared");
}

/// client-go refuses to start with a lease that is no longer than its renew deadline.
#[test]
fn client_go_is_tried_with_numbers_that_it_takes() {
    let scenario = paused(r#""lock": "lease_server""#, "15 s", "");
    let search = systems(&scenario);
    for row in search.rows() {
        let Some(tried) = &row.without else {
            continue;
        };
        let changed = scenario.with(&tried.patch).expect("it was run");
        if let Schedule::Retries { deadline, .. } = changed.rules().schedule {
            assert!(deadline < changed.ttl().expect("it has one"));
            assert!(row.notes.iter().any(|note| matches!(note, Note::RenewDeadline(_))));
        }
    }
    let text = system_words::as_text("T", &search, &Words::default());
    assert!(text.contains("Kubernetes (client-go): with a renew deadline of 6.67 s"), "{text}");
    assert_eq!(search.rows().len(), SYSTEMS.len());
}

/// Twice the time to live is that of a client with one of its own, too.
#[test]
fn twice_the_time_to_live_is_twice_each_clients() {
    let scenario = set_up(
        r#"{ "lock": "lease_server", "lease": { "ttl": "10 s" }, "clients": [
            { "asks_at": "0.1 s", "ttl": "4 s" }, { "asks_at": "1 s" }] }"#,
    );
    let table = verdicts(&scenario);
    let patch = &row(&table, RemedyId::LongerLease).expect("tried").patch;
    let changed = scenario.with(patch).expect("it was run");
    let ttls = |scenario: &Scenario| -> Vec<_> {
        scenario.clients().iter().map(|client| client.ttl.expect("it is a lease")).collect()
    };
    let twice: Vec<_> = ttls(&scenario).iter().map(|ttl| ttl.times(2)).collect();
    assert_eq!(ttls(&changed), twice);
}

/// Renewal twice as often is no less often for any client.
#[test]
fn more_renewal_is_more_for_each_client() {
    let scenario = set_up(
        r#"{ "lock": "lease_server", "lease": { "ttl": "30 s" }, "clients": [
            { "asks_at": "0.1 s" }, { "asks_at": "1 s", "renew": { "every": "2 s" } }] }"#,
    );
    let table = verdicts(&scenario);
    let patch = &row(&table, RemedyId::MoreRenewal).expect("tried").patch;
    let changed = scenario.with(patch).expect("it was run");
    for client in changed.clients() {
        let every = client.settings.renew.interval(client.ttl);
        assert_eq!(every, Some(SimDuration::from_secs(1)), "half of what B does");
    }
}

/// A row with a fence fences: every store looks, at tokens where it is called so.
#[test]
fn a_row_that_is_called_a_fence_leaves_no_store_unchecked() {
    let with = |storage: &str| {
        paused(
            &format!(
                r#""lock": "lease_server", "storage": {{ "stores": 2,
                    "unchecked_stores": ["storage"]{storage} }}"#
            ),
            "15 s",
            "",
        )
    };
    let scenario = with("");
    let table = verdicts(&scenario);
    assert_eq!(table.rows[0].outcome.kind, VerdictKind::Corrupted);
    for id in [
        RemedyId::EveryStoreChecks,
        RemedyId::RejectLower,
        RemedyId::RejectLowerOrEqual,
        RemedyId::Sealed,
        RemedyId::CompareAndSet,
        RemedyId::Etcd,
    ] {
        let row = row(&table, id);
        let Some(row) = row else {
            // What is left of it is another row's.
            assert!(table.not_tried.contains(&(id, NotTried::AlreadyOn)), "{id:?}");
            continue;
        };
        let changed = scenario.with(&row.patch).expect("it was run");
        for store in (0..2).map(StoreId) {
            assert!(changed.storage().checks(store), "{id:?}: {store:?}");
        }
        assert_ne!(row.outcome.kind, VerdictKind::Corrupted, "{id:?}");
    }
    let off = verdicts(&with(r#", "fencing": false"#));
    let why = (RemedyId::EveryStoreChecks, NotTried::NothingCallsForIt);
    assert!(off.not_tried.contains(&why), "where none checks, none is left out");
}

/// A write that is never sent is not held up: what is safe so has not been tried by the delay.
#[test]
fn a_row_in_which_a_fault_never_strikes_says_so() {
    let scenario = GALLERY
        .iter()
        .map(GalleryEntry::file)
        .find(|file| file.title == "A lock-delay, and then a later message")
        .expect("it is in the gallery");
    let base = scenario.base().expect("valid");
    let table = verdicts(&base);
    assert!(table.rows[0].never_strike.is_empty(), "both faults strike as it is");
    let checked = row(&table, RemedyId::CheckBeforeWrite).expect("tried");
    assert_eq!(checked.never_strike, [FaultId(1)], "A crashes before it has asked and written");
    let not_struck = in_group(&table, Group::NotStruck);
    assert!(not_struck.contains(&RemedyId::CheckBeforeWrite), "{not_struck:?}");
    let about = About { what: "delay", present: None, grown: "long", ..ABOUT };
    let text = remedy_words::as_text("T", &table, &base, about);
    let line = text.lines().find(|line| line.starts_with("Check the lease before the write"));
    let line = line.unwrap_or_else(|| panic!("{text}"));
    assert!(line.contains("; here the delay never strikes"), "{line}");
    assert_eq!(text.matches("; here the ").count(), {
        table.rows.iter().filter(|row| !row.never_strike.is_empty()).count()
    });
}

fn in_group(table: &RemedyTable, group: Group) -> Vec<RemedyId> {
    let grouped = table.grouped().into_iter().filter(|(it, _)| *it == group);
    grouped.flat_map(|(_, rows)| rows).map(|row| row.id).collect()
}

/// Mistakes first, then what makes it safe; what is not safe is never among that.
#[test]
fn the_table_is_in_the_order_of_what_helps() {
    let table = finding(WITHOUT_RENEWAL);
    let told: Vec<_> = table.grouped().into_iter().map(|(group, _)| group).collect();
    assert!(told.is_sorted() && told[..2] == [Group::AsItIs, Group::Mistakes], "{told:?}");
    let mistakes = in_group(&table, Group::Mistakes);
    assert_eq!(mistakes[..1], [RemedyId::RenewalOn]);
    let text = remedy_words::as_text("T", &table, &set_up(WITHOUT_RENEWAL), ABOUT);
    let place = |line: &str| text.lines().position(|it| it.starts_with(line)).expect(line);
    assert!(place("As it is") < place("The set-up's own mistakes, put right:"));
    assert!(place("The set-up's own mistakes, put right:") < place("Switch renewal on"));
    assert!(place("What makes it safe:") < place("Fencing token  "));
}

const ABOUT: About<'static> =
    About { what: "work", present: None, grown: "long", is_for_all: false, is_of_some: false };

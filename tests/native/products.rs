//! The products by whose names people know their lock: each is set up as it says, a name is short
//! for its set-up, and what is written stands by itself.

use fenceline::scenarios::products::{Fit, KnownBy, Product, Products};
use fenceline::scenarios::{GALLERY, GalleryEntry};
use fenceline::sim::property::VerdictKind;
use fenceline::sim::scenario::{Change, LockSystem, ScenarioFile};
use fenceline::sim::{Recording, SimDuration};
use fenceline::view_model::runs::Runs;
use fenceline::view_model::stories::products::{called, marked, offered};
use fenceline::view_model::systems::real_defaults;

fn paused() -> ScenarioFile {
    GalleryEntry::find("paused-holder").expect("the first").file()
}

fn in_full(products: &Products) -> impl Iterator<Item = &Product> {
    products.products.iter().filter(|product| product.scenario.is_some())
}

/// A scenario file with this in place of its lock, and more.
fn short(lock: &str, more: &str) -> String {
    format!(
        r#"{{ "version": 1, "title": "t", "scenario": {{ "lock": "{lock}", {more}
            "clients": [{{ "asks_at": "0.1 s" }}, {{ "asks_at": "1 s" }}] }} }}"#
    )
}

#[test]
fn every_product_has_a_name_of_its_own_a_trap_and_a_source() {
    let products = Products::built_in();
    let mut groups = Vec::new();
    for product in &products.products {
        let name = &product.name;
        let is_plain = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit();
        assert!(name.chars().all(|char| is_plain(char) || char == '-'), "{name}");
        assert_eq!(products.find(name), Some(product), "{name} stands there twice");
        assert!(!product.sources.is_empty() && !product.as_of.is_empty(), "{name}");
        for said in [&product.numbers, &product.token, &product.trap, &product.fix] {
            assert!(said.ends_with('.') && said.len() < 260, "{name}: {said}");
        }
        let says_why = !product.not_modelled.is_empty();
        assert!(product.scenario.is_some() || says_why, "{name} does not say what is missing");
        groups.push(product.group);
    }
    assert!(groups.is_sorted(), "the list is not in the order of its groups");
    assert!(products.products.iter().any(|product| product.known_by == KnownBy::Source));
}

#[test]
fn a_name_is_short_for_its_set_up_and_what_is_written_needs_no_list() {
    let products = Products::built_in();
    for product in in_full(&products) {
        let name = product.name.as_str();
        let file = products.parse_file(&short(name, "")).expect(name);
        assert_eq!(file.scenario.product.as_deref(), Some(name));
        let written = file.to_json();
        assert_eq!(ScenarioFile::parse(&written), Ok(file.clone()), "{name}");
        assert!(written.contains(&format!(r#""product": "{name}""#)), "{name}");
        // Set up in place of another lock, the same numbers come out.
        let over = product.set_up(&paused()).expect(name);
        assert_eq!(over.scenario.lock, file.scenario.lock, "{name}");
        assert_eq!(over.scenario.defaults.renew, file.scenario.defaults.renew, "{name}");
        assert_eq!(over.scenario.defaults.wait, file.scenario.defaults.wait, "{name}");
        assert_eq!(over.scenario.faults, paused().scenario.faults, "{name}");
        Recording::of(&over.base().expect(name));
    }
}

#[test]
fn each_set_up_has_a_trap_that_happens_with_its_numbers_and_what_people_did_mends_it() {
    let products = Products::built_in();
    let mut wrong = Vec::new();
    for product in in_full(&products) {
        let name = product.name.as_str();
        let Some(file) = product.trap() else {
            wrong.push(format!("{name}: there is no schedule of its trap"));
            continue;
        };
        let file = match file {
            Ok(file) => file,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        assert_eq!(ScenarioFile::parse(&file.to_compact_json()), Ok(file.clone()), "{name}");
        assert_eq!(file.scenario.product.as_deref(), Some(name));
        // Its trap is told of this product's numbers and no others.
        let set_up = product.set_up(&file).expect(name);
        assert_eq!(set_up.scenario.lock, file.scenario.lock, "{name}");
        assert_eq!(set_up.scenario.lease, file.scenario.lease, "{name}");
        let runs = Runs::of(&file).expect(name);
        let run_2 = runs.run_2.as_ref().expect(name);
        let expected = file.expect.as_ref().expect(name);
        let of_2 = expected.run_2.as_ref().expect(name);
        for (expected, run) in [(&expected.run_1, &runs.run_1), (of_2, run_2)] {
            wrong.extend(expected.problems(run).into_iter().map(|it| format!("{name}: {it}")));
        }
        let (bad, mended) = (runs.run_1.verdict(), run_2.verdict());
        if bad.kind < VerdictKind::WastedWork || mended.kind >= bad.kind || mended.by_luck {
            wrong.push(format!("{name}: {bad:?}, then {mended:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_lock_had_set_before_is_no_part_of_the_next_set_up() {
    let products = Products::built_in();
    let find = |name| products.find(name).expect(name);
    let mut file = paused();
    file.scenario.defaults.work = SimDuration::from_secs(7);
    file.scenario.lease.ttl = SimDuration::from_secs(11);
    // Its expiry by observers and the leader's death go with the products that have them.
    let through = ["dynamodb-lock-client", "client-go", "redis-py-timeout"];
    let by_way = through.iter().try_fold(file.clone(), |file, name| find(*name).set_up(&file));
    let by_way = by_way.expect("valid").scenario;
    let mut straight = find("redis-py-timeout").set_up(&file).expect("valid").scenario;
    // How long the lease is stays the reader's own where the product does not say.
    assert_eq!(straight.lease.ttl, SimDuration::from_secs(11));
    assert_eq!(by_way.lease.ttl, SimDuration::from_secs(15));
    straight.lease.ttl = by_way.lease.ttl;
    straight.systems = by_way.systems.clone();
    assert_eq!(by_way, straight);
    assert_eq!(by_way.defaults.work, SimDuration::from_secs(7));
    assert_eq!(by_way.faults, file.scenario.faults);
}

#[test]
fn what_is_typed_is_offered_by_group_or_answered_with_the_nearest() {
    let products = Products::built_in();
    let all = offered(&products, " ");
    assert_eq!(all.told, format!("{} products", products.products.len()));
    assert!(all.groups.iter().map(|(group, _)| *group).is_sorted());
    let found = offered(&products, "VisibilityTimeout");
    let names: Vec<_> =
        found.groups.iter().flat_map(|(_, it)| it).map(|it| it.name.as_str()).collect();
    assert!(names.contains(&"sqs"), "{names:?}");
    for (typed, meant) in [("redison", "redisson"), ("bulmq", "bullmq"), ("Cellery", "celery-sqs")]
    {
        let near = offered(&products, typed);
        assert!(near.told.starts_with(&format!("Nothing is called “{typed}”")), "{}", near.told);
        let mut names = near.groups.iter().flat_map(|(_, it)| it);
        assert!(names.any(|it| it.name == meant), "{typed}");
    }
    let long = offered(&products, &"\u{202e}x".repeat(9_000)).told;
    assert!(long.chars().count() < 120 && !long.contains('\u{202e}'), "{long}");
    assert_eq!(marked("Celery on SQS", "sq"), ["Celery on ", "SQ", "S"]);
    assert_eq!(marked("Größe", "ö"), ["Gr", "ö", "ße"]);
    assert_eq!(marked("SQS", ""), ["SQS", "", ""]);
}

#[test]
fn a_product_is_called_as_the_list_has_it_and_by_its_name_while_there_is_none() {
    let products = Products::built_in();
    let file = products.find("redisson").expect("there").set_up(&paused()).expect("valid");
    assert_eq!(called(&file, Some(&products)).as_deref(), Some("Redisson"));
    assert_eq!(called(&file, None).as_deref(), Some("redisson"));
    assert_eq!(called(&paused(), Some(&products)), None);
}

#[test]
fn a_text_needs_the_list_where_a_name_stands_that_is_no_lock_systems() {
    assert!(Products::are_needed_by(&short("redisson", "")));
    assert!(Products::are_needed_by(&short("redison", "")));
    assert!(!Products::are_needed_by(&short("redis", "")));
    for text in ["", "{", "[]", r#"{ "scenario": { "lock": 7 } }"#, r#"{ "scenario": {} }"#] {
        assert!(!Products::are_needed_by(text), "{text}");
    }
}

#[test]
fn what_a_file_says_itself_holds_against_its_product() {
    let products = Products::built_in();
    let own = r#""lease": { "ttl": "12 s" }, "defaults": { "renew": "off", "work": "5 s" },"#;
    let file = products.parse_file(&short("redisson", own)).expect("valid");
    assert_eq!(file.scenario.lock, LockSystem::Redis);
    assert_eq!(file.scenario.lease.ttl, SimDuration::from_secs(12));
    assert_eq!(file.scenario.defaults.work, SimDuration::from_secs(5));
    let plain = products.parse_file(&short("redisson", "")).expect("valid");
    assert_eq!(plain.scenario.lease.ttl, SimDuration::from_secs(30));
    assert_ne!(plain.scenario.defaults.renew, file.scenario.defaults.renew);
    assert_eq!(plain.scenario.defaults.wait, file.scenario.defaults.wait);
}

#[test]
fn settings_of_other_systems_stay_where_a_product_is_chosen() {
    let products = Products::built_in();
    let mut file = paused();
    file.scenario.systems.etcd.bump_revision = true;
    let etcd = file.scenario.systems.etcd.clone();
    let file = products.find("redisson").expect("there").set_up(&file).expect("valid");
    assert_eq!(file.scenario.systems.etcd, etcd);
}

#[test]
fn another_lock_system_takes_the_products_name_away() {
    let products = Products::built_in();
    let file = products.find("redisson").expect("there").set_up(&paused()).expect("valid");
    let with = |change| {
        let base = file.base().expect("valid");
        base.with(&[change]).expect("valid").spec().product.clone()
    };
    assert_eq!(with(Change::Lock(LockSystem::Etcd)), None);
    assert_eq!(with(Change::Lock(LockSystem::Redis)).as_deref(), Some("redisson"));
    assert_eq!(with(Change::Fencing(false)).as_deref(), Some("redisson"));
    assert_eq!(with(Change::Product(None)), None);
}

#[test]
fn a_name_that_is_none_is_answered_with_those_that_are_like_it() {
    let products = Products::built_in();
    let said = |lock| products.parse_file(&short(lock, "")).expect_err(lock).to_string();
    assert_eq!(
        said("redison"),
        "This file cannot be read at scenario.lock: “redison” is no lock system and no \
         product; there is “redisson”, “redis”, “redis-py”, “redsync”, “redlock”, “sqs”; right \
         would be \"redisson\""
    );
    let celery = said("celery-redis");
    assert!(celery.contains("is known by its numbers alone: how a queue settles"), "{celery}");
    // A list without products takes lock systems as before.
    let none = Products::parse(r#"{ "products": [] }"#).expect("a list");
    assert!(none.parse_file(&short("redis", "")).is_ok());
    assert!(none.parse_file(&short("redisson", "")).is_err());
}

#[test]
fn where_a_product_is_a_system_its_numbers_are_the_systems_real_defaults() {
    let products = Products::built_in();
    let names = [
        "client-go",
        "etcd-concurrency",
        "consul-lock",
        "zookeeper-lock",
        "chubby-lock",
        "hazelcast-fenced-lock",
        "kafka-producer",
        "kafka-leader",
    ];
    for name in names {
        let product = products.find(name).expect(name);
        let file = product.set_up(&paused()).expect(name);
        let usual = file.base().expect(name).with(&real_defaults(&file.scenario)).expect(name);
        assert_eq!(*usual.spec(), file.scenario, "{name}");
    }
}

#[test]
fn a_lock_that_is_let_go_without_a_look_lets_the_next_ones_go() {
    // ShedLock's unlock deletes whatever is there; that of redis-py compares.
    let products = Products::built_in();
    let late = r#""lease": { "ttl": "5 s" }, "defaults": { "work": "7 s" },
        "storage": { "fencing": false },"#;
    let three = |name: &str| {
        let text = short(name, late)
            .replace(r#"{ "asks_at": "1 s" }"#, r#"{ "asks_at": "1 s" }, { "asks_at": "1.5 s" }"#);
        let file = products.parse_file(&text).expect(name);
        let recording = Recording::of(&file.base().expect(name));
        recording.properties().iter().find(|it| it.id.name() == "One lease at a time").cloned()
    };
    let state = |name| three(name).map(|report| format!("{:?}", report.state));
    assert_ne!(state("shedlock-redis"), None);
    assert_ne!(state("shedlock-redis"), state("redis-py-timeout"));
}

#[test]
fn the_trap_of_a_lock_without_renewal_needs_no_pause() {
    let products = Products::built_in();
    for name in ["redisson-lease-time", "redsync", "laravel-cache-lock"] {
        let long = r#""lease": { "ttl": "8 s" },
            "defaults": { "work": "20 s", "operation": "read_modify_write" },
            "storage": { "fencing": false },"#;
        let file = products.parse_file(&short(name, long)).expect(name);
        let verdict = Recording::of(&file.base().expect(name)).verdict().kind;
        assert_eq!(verdict, VerdictKind::Corrupted, "{name}");
    }
    // The watchdog renews, and nothing happens.
    let long = concat!(
        r#""defaults": { "work": "20 s", "operation": "read_modify_write" }, "#,
        r#""length": { "fixed": "60 s" },"#
    );
    let file = products.parse_file(&short("redisson", long)).expect("valid");
    let verdict = Recording::of(&file.base().expect("valid")).verdict().kind;
    assert!(verdict < VerdictKind::WastedWork, "{verdict:?}");
}

#[test]
fn what_is_typed_finds_names_first() {
    let products = Products::built_in();
    let found = |typed: &str| {
        let fits = products.products.iter().filter_map(|it| Some((it.answers(typed)?, &it.name)));
        let mut fits: Vec<_> = fits.collect();
        fits.sort();
        fits.into_iter().map(|(fit, name)| (fit, name.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(found("sqs")[0], (Fit::Name, "sqs"));
    assert!(found("sq").iter().any(|(_, name)| *name == "hangfire"), "{:?}", found("sq"));
    assert_eq!(found("lockDuration")[0].0, Fit::Also);
    assert!(found("watchdog").iter().any(|(_, name)| *name == "redisson"));
    assert!(found("nothing like it").is_empty());
    assert_eq!(found("").len(), products.products.len());
}

#[test]
fn no_scenario_of_the_gallery_is_called_by_a_product() {
    for entry in GALLERY {
        assert_eq!(entry.file().scenario.product, None, "{}", entry.id);
    }
}

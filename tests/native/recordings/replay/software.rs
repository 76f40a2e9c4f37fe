//! Queues and job libraries: what their recordings say of an item is asked of the model's service,
//! set up as the product works: when an end is acted on, whose settling is taken, who is told.
//! Looks come at even times here; the recordings' came when a script made them.

use fenceline::sim::id::ClientId;
use fenceline::sim::message::{Answer, SpecialRequest};
use fenceline::sim::scenario::{Ends, Late, LockSystem, SettleCheck, SettleRefusal, TokenSource};
use fenceline::sim::{Change, FencingToken};

use super::{A, B, C, Service, client, ms, scenario};
use crate::recordings::{Line, Part, Recording};

/// How long a delivery lasts.
const TTL: u64 = 500;

/// How far apart the looks are: a delivery of the first one is over at the second.
const LOOK: u64 = 600;

/// An item of a queue, and who has been given it under which handle.
struct Item {
    service: Service,
    handles: [FencingToken; 4],
}

impl Item {
    fn of(changes: &[Change]) -> Self {
        let item =
            [Change::Item(true), Change::Ttl(ms(TTL)), Change::TokenSource(TokenSource::Counter)];
        let scenario = scenario(LockSystem::LeaseServer, |_| {}, &[&item, changes].concat());
        Self { service: Service::of(&scenario, 1), handles: [FencingToken(0); 4] }
    }

    fn takes(&mut self, who: ClientId) -> bool {
        let handle = self.service.acquire(who);
        self.has(who, handle)
    }

    fn has(&mut self, who: ClientId, handle: Option<FencingToken>) -> bool {
        self.handles[who.index()] = handle.unwrap_or(self.handles[who.index()]);
        handle.is_some()
    }

    /// Whether who waits for it has been given it by now.
    fn was_given(&mut self, who: ClientId) -> bool {
        let handle = super::granted(self.service.said_to(who));
        self.has(who, handle)
    }

    fn renews(&mut self, who: ClientId) -> bool {
        self.service.renews(who, self.handles[who.index()])
    }

    /// Whether its settling is said to be taken.
    fn settles(&mut self, who: ClientId, back: bool) -> bool {
        let token = self.handles[who.index()];
        let said = self
            .service
            .ask(0, who, |request| SpecialRequest::Settle { request, token, back }.into());
        matches!(said, Some(Answer::Settled { .. }))
    }

    fn is_done(&mut self, asked_by: ClientId) -> bool {
        self.service.acquire(asked_by);
        matches!(self.service.said_to(asked_by), Some(Answer::NothingLeft { .. }))
    }
}

fn every(length: u64) -> Change {
    Change::Ends(Ends::AtSweep { every: ms(length), phase: ms(0) })
}

fn who(line: &Line) -> ClientId {
    client(line.get("who"))
}

#[test]
fn bullmq_gives_the_job_away_by_the_same_looks() {
    let recording = Recording::of("bullmq");
    for (name, begins) in [("looks", LOOK - 1), ("first-look-late", 1)] {
        let part = recording.part(name);
        let mut item = bullmq();
        // With a lock that is held at the first look, or one that is over by then.
        item.service.until(begins);
        assert!(item.takes(A) && !item.takes(B), "B waits");
        let mut n_looks = 0;
        for line in &part.lines {
            match line.word.as_str() {
                "look" => {
                    n_looks += 1;
                    item.service.until(n_looks * LOOK);
                    let state = if item.was_given(B) { "waiting" } else { "active" };
                    assert_eq!(line.get("state"), state, "{name}: {}", line.text);
                }
                // Late enough for its next end to lie behind the next look, and not the one after.
                "renew" => {
                    item.service.until(n_looks * LOOK + TTL - 2);
                    assert_eq!(i64::from(item.renews(A)), line.number("reply"), "{}", line.text);
                }
                _ => assert_eq!(line.word, "take"),
            }
        }
    }
}

/// A lock that is over ends by the second look, and its holder is refused from its time on.
fn bullmq() -> Item {
    let looks = Ends::SecondLook { every: ms(LOOK) };
    Item::of(&[Change::Ends(looks), Change::Late(Late::Refused)])
}

#[test]
fn bullmq_takes_the_same_completions() {
    let recording = Recording::of("bullmq");
    let part = recording.part("finish");
    let mut item = bullmq();
    item.service.until(1);
    assert!(item.takes(A) && !item.takes(B), "B waits");
    item.service.until(TTL + 50);
    let mut n_looks = 0;
    for line in &part.lines {
        match line.word.as_str() {
            "renew" => assert_eq!(i64::from(item.renews(who(line))), line.number("reply")),
            "finish" => {
                let taken = item.settles(who(line), false);
                assert_eq!(taken, line.get("reply") == "OK", "{}", line.text);
            }
            "look" => {
                n_looks += 1;
                item.service.until(n_looks * LOOK);
                assert_eq!(item.was_given(B), line.get("state") == "waiting", "{}", line.text);
            }
            "take" | "job" | "holder" => {}
            other => panic!("`{other}` is not asked of the model"),
        }
    }
    assert!(item.is_done(C));
}

/// Plays a part in which a late worker settles beside the next one: what each is told.
fn settle_in_turn(item: &mut Item, part: &Part, word: &str, is_taken: fn(&Line) -> bool) {
    for line in part.all(word) {
        let taken = item.settles(who(line), false);
        assert_eq!(taken, is_taken(line), "{}", line.text);
    }
}

#[test]
fn pg_boss_frees_and_completes_the_same() {
    let recording = Recording::of("pg-boss");
    let by_state = [every(LOOK), Change::SettleCheck(SettleCheck::State)];
    // Over and not swept: nobody gets it, and its completion is taken.
    let mut item = Item::of(&by_state);
    item.service.until(1);
    assert!(item.takes(A));
    item.service.until(TTL + 50);
    let before = recording.part("late-before-sweep");
    settle_in_turn(&mut item, before, "complete", |line| line.number("rows") == 1);
    assert!(item.is_done(B));
    // Swept, and nobody has it; then B has it.
    let mut item = Item::of(&by_state);
    item.service.until(1);
    assert!(item.takes(A));
    item.service.until(LOOK);
    let late = recording.part("late").all("complete");
    let taken = |item: &mut Item, line: &Line| {
        assert_eq!(item.settles(who(line), false), line.number("rows") == 1, "{}", line.text);
    };
    taken(&mut item, late[0]);
    assert!(item.takes(B));
    taken(&mut item, late[1]);
    taken(&mut item, late[2]);
    assert!(item.is_done(C));
}

#[test]
fn celery_takes_a_late_ack_for_the_next_workers() {
    let recording = Recording::of("celery");
    let part = recording.part("late-ack");
    let mut item = Item::of(&[every(LOOK), Change::SettleCheck(SettleCheck::Item)]);
    item.service.until(1);
    assert!(item.takes(A));
    item.service.until(LOOK);
    assert!(item.takes(B));
    assert!(item.settles(A, false), "A's ack is taken");
    // Nobody gets it again, as in the recording, though B never finishes.
    assert!(item.is_done(C));
    assert_eq!(part.numbers("queue", "unacked").last(), Some(&0));
    assert_eq!(part.all("runs")[0].number("number"), 2);
}

#[test]
fn rabbitmq_takes_an_ack_until_it_looks_and_none_afterwards() {
    let recording = Recording::of("rabbitmq");
    for (name, at) in [("late-before-look", TTL + 50), ("timeout", LOOK)] {
        let mut item = Item::of(&[every(LOOK)]);
        item.service.until(1);
        assert!(item.takes(A) && !item.takes(B), "B waits");
        item.service.until(at);
        let given = recording.part(name).all("deliver").iter().any(|line| line.get("who") == "B");
        assert_eq!(item.was_given(B), given, "{name}");
        let acks = recording.part(name).all("ack");
        for line in acks {
            let taken = item.settles(who(line), false);
            assert_eq!(taken, line.get("reply") == "none", "{name}: {}", line.text);
        }
    }
}

/// Who asks next ends it, the row's id is all that is compared, and nobody is told.
fn by_id() -> Item {
    let silent = Change::SettleRefusal(SettleRefusal::Silent);
    let check = Change::SettleCheck(SettleCheck::Item);
    Item::of(&[Change::Ends(Ends::WhenTaken), check, silent])
}

#[test]
fn laravel_lets_a_late_deletion_take_the_job_away() {
    let recording = Recording::of("laravel");
    let mut item = by_id();
    item.service.until(1);
    let late = recording.part("late");
    let [first, early, next, last] = late.all("pop")[..] else {
        panic!("A, B, B and C ask");
    };
    assert_eq!((item.takes(A), item.takes(B)), (first.is("job"), early.is("job")));
    item.service.until(TTL + 1);
    assert_eq!(item.takes(B), next.is("job"));
    // Neither throws.
    assert!(item.settles(A, false));
    assert_eq!(!item.is_done(C), last.is("job"));
    assert!(item.settles(B, false));
}

#[test]
fn delayed_job_lets_a_late_worker_settle_the_next_ones_row() {
    let recording = Recording::of("delayed-job");
    for (name, back) in [("late", false), ("late-failure", true)] {
        let rows = recording.part(name).all("row");
        let mut item = by_id();
        item.service.until(1);
        assert!(item.takes(A));
        item.service.until(TTL + 1);
        assert!(item.takes(B));
        assert!(item.settles(A, back), "A is told that it is");
        if back {
            assert_eq!(rows[2].get("locked-by"), "nobody", "B's row is unlocked");
            assert!(rows[2].is("there"));
        } else {
            assert!(item.is_done(C) && !rows[2].is("there"));
        }
        assert!(item.settles(B, false), "B is told that it is");
        assert!(item.is_done(C) && !rows[3].is("there"));
    }
}

//! A lock that stands for an item of a queue: deliveries, settling, what of it is taken, and what
//! is lost.

use expect_test::expect_file;
use fenceline::sim::fact::{Fact, ServiceFact};
use fenceline::sim::id::{LockNodeId, NodeId, StoreId};
use fenceline::sim::message::MessageKind;
use fenceline::sim::property::{PropertyId, PropertyState, VerdictKind};
use fenceline::sim::scenario::{
    Ends, ExpiryJudge, FaultKind, FenceRule, MessageAddress, Operation, Piece, Renew, Repeat,
    SettleAt, SettleCheck, SettleRefusal, Wait,
};
use fenceline::sim::world::ItemEnd;
use fenceline::sim::{Change, Recording};

use super::{
    A, B, crash, fault, is_broken, lines, ms, no_fault, pause_for, run, state, verdict, with,
};

/// A delivery without renewal: work of 2 s under 10 s, and A paused from 2 s on.
const ITEM: [Change; 3] = [Change::Item(true), Change::Renew(Renew::Off), Change::Fencing(false)];

fn of_item(changes: &[Change]) -> Recording {
    run(&[&ITEM[..], changes].concat())
}

fn closed(recording: &Recording) -> Option<ItemEnd> {
    recording.world_after(recording.log().n_entries()).service.closed
}

/// What the service decided, without messages.
fn told(recording: &Recording) -> String {
    let text = |entry: &fenceline::sim::LogEntry| {
        format!("{:>8}  {}  {}\n", entry.at.to_string(), entry.node(), entry.fact)
    };
    let decided = recording.entries().iter().filter(|entry| match entry.fact {
        Fact::Service(..) | Fact::Store(..) | Fact::Fault(..) => true,
        Fact::Client(_, fact) => fact.gives_up().is_some() || fact.is_done(),
        Fact::Message(..) => false,
    });
    let lines: String = decided.map(text).collect();
    let verdict = recording.verdict();
    let item = state(recording, PropertyId::NoItemLost);
    format!("{lines}\n{:?}; no item lost: {item:?}\n", verdict.kind)
}

#[test]
fn a_done_item_is_granted_to_nobody_and_waiters_go() {
    let recording = of_item(&[no_fault()]);
    assert_eq!(lines(&recording, "grants").len(), 1);
    assert_eq!(lines(&recording, "has the item done, as A says with 33").len(), 1);
    assert_eq!(lines(&recording, "has nothing left for B").len(), 1);
    assert_eq!(closed(&recording), Some(ItemEnd::Done(A)));
    assert_eq!(verdict(&recording), VerdictKind::Safe);
    assert_eq!(state(&recording, PropertyId::NoItemLost), PropertyState::Holds);
    assert_eq!(recording.costs().redeliveries, 0);
    // Who polls is told when it next asks, and asks no more.
    let polls = Change::Wait(Wait::Poll { every: ms(700), jitter: ms(0) });
    let polled = of_item(&[no_fault(), polls, Change::Repeat(Repeat::After(ms(500)))]);
    assert_eq!(lines(&polled, "has nothing left for").len(), 2, "for A as well");
    assert_eq!(lines(&polled, "grants").len(), 1);
    // Without an item nothing of it is there.
    let lock = run(&[]);
    assert_eq!(state(&lock, PropertyId::NoItemLost), PropertyState::DoesNotApply);
    let base = lock.digest();
    for idle in [
        Change::SettleAt(SettleAt::Begin),
        Change::SettleCheck(SettleCheck::Item),
        Change::SettleRefusal(SettleRefusal::Silent),
        Change::MaxDeliveries(1),
    ] {
        assert_eq!(run(&[idle]).digest(), base);
    }
}

#[test]
fn work_that_outlasts_its_delivery_is_done_twice_and_the_first_ack_counts_for_nothing() {
    // A works from 0.3 s to 15.3 s; B is delivered at 10.2 s.
    let slow = [no_fault(), Change::Work(ms(15_000))];
    let twice = of_item(&slow);
    assert_eq!(lines(&twice, "grants").len(), 2);
    assert_eq!(lines(&twice, "refuses A's ack 33").len(), 1);
    assert_eq!(recording_of(&twice), (VerdictKind::WastedWork, 1));
    let silent = of_item(&[&slow[..], &[Change::SettleRefusal(SettleRefusal::Silent)]].concat());
    assert_eq!(lines(&silent, "ignores A's ack 33, and answers as if not").len(), 1);
    assert_eq!(
        lines(&silent, "A handles").iter().filter(|line| line.contains("settled")).count(),
        1
    );
    // Two effects outside: that is damage.
    let acts = Change::Operation(Operation::ExternalEffect);
    let acted = of_item(&[&slow[..], std::slice::from_ref(&acts)].concat());
    assert!(is_broken(&acted, PropertyId::NoExternalEffectTwice));
    // A key by which the outside knows the item, not the attempt, mends it.
    let known = of_item(&[&slow[..], &[acts, Change::Idempotent(true)]].concat());
    assert!(!is_broken(&known, PropertyId::NoExternalEffectTwice));
    // Who looks first whether it is done, finds it so, where it comes late enough.
    let looks = of_item(&[Change::Piece(Piece::Shared), pause_for(80_000)]);
    assert_eq!(lines(&looks, "has the item done, as B says").len(), 1);
}

fn recording_of(recording: &Recording) -> (VerdictKind, u32) {
    (verdict(recording), recording.costs().redeliveries)
}

#[test]
fn with_the_handle_the_newest_settling_alone_counts() {
    // A wakes at 17 s; B has had the item since 10.2 s, and settled it at 12.6 s.
    let late = of_item(&[pause_for(15_000)]);
    assert_eq!(lines(&late, "has the item done, as B says with 34").len(), 1);
    assert_eq!(lines(&late, "refuses A's ack 33").len(), 1);
    // A comes while B is at work: by the state it ends B's delivery, whose own ack finds nothing.
    for check in [SettleCheck::State, SettleCheck::Item] {
        let stale = of_item(&[pause_for(8_500), Change::SettleCheck(check)]);
        assert_eq!(lines(&stale, "ends B's lease 34: done by A").len(), 1, "{check:?}");
        assert_eq!(lines(&stale, "refuses B's ack 34").len(), 1, "{check:?}");
    }
    let mended = of_item(&[pause_for(8_500)]);
    assert_eq!(lines(&mended, "refuses A's ack 33").len(), 1);
}

#[test]
fn an_ack_after_the_end_and_before_the_next_grant_is_decided_by_when_an_end_is_acted_on() {
    // Nobody else asks; A wakes at 17 s, over since 10.2 s.
    let alone = [Change::RemoveLastClient, pause_for(15_000)];
    let ended = of_item(&alone);
    assert_eq!(lines(&ended, "refuses A's ack 33").len(), 1, "the delivery has ended");
    let by_item = of_item(&[&alone[..], &[Change::SettleCheck(SettleCheck::Item)]].concat());
    assert_eq!(closed(&by_item), Some(ItemEnd::Done(A)));
    let not_ended = of_item(&[&alone[..], &[Change::Ends(Ends::WhenTaken)]].concat());
    assert_eq!(closed(&not_ended), Some(ItemEnd::Done(A)), "it is over and not ended");
}

#[test]
fn an_ack_that_is_lost_is_sent_again_and_answered_as_the_first() {
    let answer = MessageAddress {
        from: NodeId::Lock(LockNodeId(0)),
        to: NodeId::Client(A),
        kind: MessageKind::Settled,
        nth: 1,
    };
    let lost = Change::AddFault(fault(2, FaultKind::Lose { message: answer }));
    let again = [no_fault(), lost, Change::Timeout(Some(ms(1_000))), Change::Retries(2)];
    let recording = of_item(&again);
    assert_eq!(lines(&recording, "has the item done").len(), 1);
    assert!(lines(&recording, "refuses").is_empty());
    assert_eq!(lines(&recording, "A handles").iter().filter(|l| l.contains("settled")).count(), 1);
}

#[test]
fn a_stale_back_frees_an_item_that_another_holds_where_nobody_looks_whose_it_is() {
    // A puts it back 12 s after it began, whatever it has: B has had it since 10.2 s.
    let early = [
        no_fault(),
        Change::Work(ms(60_000)),
        Change::ReleaseEarly(Some(ms(12_000))),
        Change::AddClient(fenceline::sim::scenario::ClientSpec::asking_at(super::at(1_500))),
    ];
    let freed = of_item(&[&early[..], &[Change::SettleCheck(SettleCheck::Item)]].concat());
    assert_eq!(lines(&freed, "ends B's lease 34: released by A").len(), 1);
    assert!(is_broken(&freed, PropertyId::OneLeaseAtATime));
    let kept = of_item(&early);
    assert_eq!(lines(&kept, "refuses A's back 33").len(), 1);
    assert!(!is_broken(&kept, PropertyId::OneLeaseAtATime));
}

#[test]
fn who_gives_its_work_up_puts_its_item_back() {
    let cut = MessageAddress {
        from: NodeId::Client(A),
        to: NodeId::Store(StoreId(0)),
        kind: MessageKind::Write,
        nth: 1,
    };
    let lost = Change::AddFault(fault(2, FaultKind::Lose { message: cut }));
    let recording = of_item(&[no_fault(), lost, Change::Timeout(Some(ms(1_000)))]);
    assert_eq!(lines(&recording, "ends A's lease 33: released").len(), 1);
    assert_eq!(lines(&recording, "has the item done, as B says").len(), 1);
}

#[test]
fn an_item_that_is_delivered_too_often_is_dead_and_not_lost() {
    // Whoever has it dies.
    let poison = [
        no_fault(),
        Change::MaxDeliveries(2),
        crash(2, A, 1_500, None),
        crash(3, B, 11_000, None),
        Change::AddClient(fenceline::sim::scenario::ClientSpec::asking_at(super::at(1_500))),
    ];
    let dead = of_item(&poison);
    assert_eq!(lines(&dead, "has the item dead after 2 deliveries").len(), 1);
    assert_eq!(lines(&dead, "has nothing left for C").len(), 1);
    assert_eq!(closed(&dead), Some(ItemEnd::Dead));
    assert_eq!(state(&dead, PropertyId::NoItemLost), PropertyState::Holds);
    assert_ne!(verdict(&dead), VerdictKind::Unavailable);
    // With one delivery more C does it.
    let done = of_item(&[&poison[..], &[Change::MaxDeliveries(3)]].concat());
    assert_eq!(lines(&done, "has the item done, as C says").len(), 1);
    assert_eq!(done.costs().redeliveries, 2);
}

#[test]
fn settling_first_loses_the_item_with_its_worker_and_is_no_late_write() {
    let first = Change::SettleAt(SettleAt::Begin);
    let dies = of_item(&[no_fault(), first.clone(), crash(2, A, 1_500, None)]);
    assert_eq!(verdict(&dies), VerdictKind::Corrupted);
    assert_eq!(dies.verdict().because, Some(PropertyId::NoItemLost));
    assert_eq!(dies.verdict().at, Some(super::at(1_500)), "when it died");
    assert!(dies.damage().is_none());
    // The same at its end is delivered again.
    let again = of_item(&[no_fault(), crash(2, A, 1_500, None)]);
    assert_eq!(verdict(&again), VerdictKind::Safe);
    assert_eq!(again.costs().redeliveries, 1);
    // Its writes are rightful: settling ends the delivery, and not the right to work.
    let works = of_item(&[first.clone(), pause_for(30_000)]);
    assert_eq!(verdict(&works), VerdictKind::Safe);
    assert!(!works.verdict().by_luck);
    assert!(!is_broken(&works, PropertyId::NoWriteAfterItsLeaseEnded));
    // What may still be done when the run ends is not lost yet.
    let length = Change::Length(fenceline::sim::scenario::Length::Fixed(ms(10_000)));
    let open = of_item(&[first, pause_for(30_000), length]);
    assert_eq!(state(&open, PropertyId::NoItemLost), PropertyState::Undecided);
    assert_eq!(verdict(&open), VerdictKind::SafeSoFar);
}

#[test]
fn an_end_and_a_settling_at_one_instant_the_end_comes_first() {
    // A's last write is answered at 10.1 s, so that its ack lands at 10.2 s.
    let work = Change::Work(ms(9_600));
    let recording = of_item(&[no_fault(), work]);
    assert_eq!(lines(&recording, "refuses A's ack 33")[0].split(' ').next(), Some("10.2"));
}

#[test]
fn settling_first_does_not_go_with_a_fence_that_asks_who_holds() {
    let changes = [
        Change::Item(true),
        Change::SettleAt(SettleAt::Begin),
        Change::Fencing(true),
        Change::Rule(FenceRule::SameTransaction),
    ];
    let refused = with(&[]).with(&changes).expect_err("refused").to_string();
    assert_eq!(
        refused,
        "lease.settle_at: “begin” does not go with a fence that asks who holds the lock: nobody \
         holds it while the work runs; right would be \"end\""
    );
}

/// The edge cases, entry for entry.
#[test]
fn the_edges_are_as_they_were_recorded() {
    let alone = [Change::RemoveLastClient, pause_for(15_000)];
    let first = Change::SettleAt(SettleAt::Begin);
    let item = |check| Change::SettleCheck(check);
    let silent = Change::SettleRefusal(SettleRefusal::Silent);
    let slow = Change::Work(ms(15_000));
    let cases: [(&str, Vec<Change>); 7] = [
        ("late-ack-before-the-next-grant", [&alone[..], &[Change::Ends(Ends::WhenTaken)]].concat()),
        ("late-ack-after-the-end", alone.to_vec()),
        ("silent-refusal", vec![no_fault(), slow, silent]),
        ("stale-ack-by-item", vec![pause_for(8_500), item(SettleCheck::Item)]),
        ("begin-and-crash", vec![no_fault(), first.clone(), crash(2, A, 1_500, None)]),
        ("begin-and-pause", vec![first, pause_for(30_000)]),
        ("end-and-ack-at-one-instant", vec![no_fault(), Change::Work(ms(9_600))]),
    ];
    for (name, changes) in cases {
        let path = format!("{}/tests/snapshots/queue/{name}.log", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&told(&of_item(&changes)));
    }
}

#[test]
fn an_ack_changes_no_store() {
    let recording = of_item(&[pause_for(15_000)]);
    let acks = recording.entries().iter().filter(|entry| {
        matches!(
            entry.fact,
            Fact::Service(_, ServiceFact::ItemDone { .. } | ServiceFact::SettleRefused { .. })
        )
    });
    for ack in acks {
        let before = recording.world_after(ack.seq.0).stores;
        assert_eq!(before, recording.world_after(ack.seq.0 + 1).stores);
    }
}

#[test]
fn no_delivery_is_made_beyond_the_last_where_askers_judge_by_their_clocks() {
    let judges = Change::Expiry(ExpiryJudge::HoldersTimestamp);
    let polls = Change::Wait(Wait::Poll { every: ms(700), jitter: ms(0) });
    let once = of_item(&[judges, polls, pause_for(80_000), Change::MaxDeliveries(1)]);
    assert_eq!(lines(&once, "grants").len(), 1, "{}", once.log());
    assert_eq!(closed(&once), Some(ItemEnd::Dead));
}

#[test]
fn who_puts_back_what_nobody_holds_frees_nothing() {
    // A's delivery ends at 10.2 s, and the item stays blocked for 20 s; A puts it back at 12.3 s.
    let stale = [
        no_fault(),
        Change::SettleCheck(SettleCheck::Item),
        Change::LockDelay(ms(20_000)),
        Change::Work(ms(20_000)),
        Change::ReleaseEarly(Some(ms(12_000))),
    ];
    let recording = of_item(&stale);
    assert_eq!(lines(&recording, "sends m4 back 33 to service").len(), 1);
    let granted = lines(&recording, "grants B");
    assert!(granted.iter().all(|line| line.starts_with("30.2 s")), "{}", recording.log());
}

//! When the end of a lease is acted on: at the next look, at the second, or by the next who asks.
//! Between its time and its end a lease is over and has not ended.

use fenceline::sim::id::LockNodeId;
use fenceline::sim::lock::{SYSTEMS, SqlAcquire, SqlClock, SqlSettings, SystemSettings, rules};
use fenceline::sim::property::{PropertyId, PropertyState};
use fenceline::sim::scenario::{
    Check, Deadline, Ends, ExpiryJudge, FaultKind, Late, LockSystem, Loses, Renew, Wait,
};
use fenceline::sim::{Change, Recording};

use super::{A, B, at, crash, fault, is_broken, lines, ms, no_fault, pause_for, run, state, with};

fn sweep(every: u64, phase: u64) -> Change {
    Change::Ends(Ends::AtSweep { every: ms(every), phase: ms(phase) })
}

const SECOND: fn(u64) -> Change = |every| Change::Ends(Ends::SecondLook { every: ms(every) });

fn polls(every: u64) -> Change {
    Change::Wait(Wait::Poll { every: ms(every), jitter: ms(0) })
}

fn grants(recording: &Recording) -> Vec<String> {
    lines(recording, "grants")
}

#[test]
fn a_sweep_ends_a_lease_at_its_first_look_at_which_it_is_over() {
    // A's time is over at 10.2 s, in each of these.
    for (every, phase, ends) in [(4_000, 0, "12 s"), (4_000, 2_200, "10.2 s"), (60_000, 0, "60 s")]
    {
        let recording = run(&[pause_for(80_000), sweep(every, phase)]);
        let granted = format!("{ends} service grants B token 34 for 10 s");
        assert_eq!(grants(&recording)[1], granted, "every {every} from {phase}");
        let over = lines(&recording, "over, and not ended");
        let is_late = ends != "10.2 s";
        let told = ["10.2 s service has A's lease 33 over, and not ended"];
        assert_eq!(over, if is_late { &told[..] } else { &[] });
    }
}

#[test]
fn a_holder_that_is_over_and_not_ended_renews_and_begins_a_new_promise() {
    // A wakes at 11 s, over since 10.2 s; its renewal lands at 11.1 s, and the look is at 12 s.
    let late = [pause_for(9_000), sweep(4_000, 0)];
    let renewed = run(&late);
    assert_eq!(lines(&renewed, "renews token 33")[0].split(' ').next(), Some("11.1"));
    assert!(lines(&renewed, "ends A's lease").is_empty());
    assert_eq!(state(&renewed, PropertyId::OneLeaseAtATime), PropertyState::Holds);
    assert!(
        renewed
            .world_after(renewed.log().n_entries())
            .service
            .holder()
            .is_some_and(|holder| { holder.client == A && holder.over.is_none() })
    );
    // The same with `late: refused`.
    let refused = run(&[late.as_slice(), &[Change::Late(Late::Refused)]].concat());
    assert_eq!(lines(&refused, "refuses to renew token 33").len(), 1);
    assert_eq!(lines(&refused, "ends A's lease"), ["12 s service ends A's lease 33: expired"]);
}

#[test]
fn a_late_check_and_a_late_release_are_taken_or_refused() {
    let late = [
        pause_for(9_000),
        sweep(60_000, 0),
        Change::Renew(Renew::Off),
        Change::Check(Check::AsksService),
        Change::Release(true),
    ];
    let taken = run(&late);
    assert_eq!(lines(&taken, "answers that A holds token 33").len(), 1);
    assert_eq!(lines(&taken, "ends A's lease 33: released").len(), 1);
    let refused = run(&[late.as_slice(), &[Change::Late(Late::Refused)]].concat());
    assert_eq!(lines(&refused, "answers that A does not hold").len(), 1);
    let no_check = [Change::Late(Late::Refused), Change::Check(Check::Off)];
    let refused = run(&[late.as_slice(), &no_check].concat());
    assert_eq!(lines(&refused, "refuses A's release of token 33").len(), 1);
    assert_eq!(lines(&refused, "ends A's lease"), ["60 s service ends A's lease 33: expired"]);
}

#[test]
fn a_second_look_marks_at_the_first_over_or_not_and_a_renewal_takes_the_mark_away() {
    // Granted at 0.2 s, marked at 7 s, over at 10.2 s, ended at the look after.
    let ended = run(&[pause_for(80_000), SECOND(7_000)]);
    assert_eq!(grants(&ended)[1], "14 s service grants B token 34 for 10 s");
    // Looks every 30 s: marked at 30 s, when it is over already.
    let ended = run(&[pause_for(80_000), SECOND(30_000)]);
    assert_eq!(grants(&ended)[1], "60 s service grants B token 34 for 10 s");
    // A renewal at 31.1 s: the next mark is at 60 s.
    let renewed =
        run(&[pause_for(29_000), Change::Renew(Renew::Every(ms(28_000))), SECOND(30_000)]);
    assert_eq!(lines(&renewed, "renews token 33")[0].split(' ').next(), Some("31.1"));
    assert!(
        lines(&renewed, "ends A's lease 33").first().is_none_or(|line| !line.starts_with("60"))
    );
}

#[test]
fn whoever_asks_next_ends_it_where_nobody_else_does() {
    let changes = [pause_for(80_000), Change::Ends(Ends::WhenTaken), polls(3_000)];
    let taken = run(&changes);
    // B asks at 1 s and every 3.2 s: the first time after 10.2 s it arrives at 10.7 s.
    assert_eq!(
        lines(&taken, "lease 33"),
        [
            "10.2 s service has A's lease 33 over, and not ended",
            "10.7 s service ends A's lease 33: taken over",
        ]
    );
    assert_eq!(grants(&taken)[1], "10.7 s service grants B token 34 for 10 s");
    // There is no queue, whatever the set-up says: who waits asks every second.
    let queued = run(&[pause_for(80_000), Change::Ends(Ends::WhenTaken)]);
    assert!(lines(&queued, "queues").is_empty());
    assert_eq!(lines(&queued, "ends A's lease 33: taken over").len(), 1);
    // Nobody asks: it stands for ever, and a renewal after a minute is taken.
    let alone = [Change::RemoveLastClient, pause_for(60_000), Change::Ends(Ends::WhenTaken)];
    let alone = run(&alone);
    assert!(lines(&alone, "ends A's lease").is_empty());
    assert_eq!(lines(&alone, "renews token 33")[0].split(' ').next(), Some("62.1"));
}

#[test]
fn a_client_with_a_deadline_has_stopped_by_the_time_its_lease_is_over() {
    let recording =
        run(&[pause_for(9_000), sweep(30_000, 0), Change::Deadline(Deadline::FromSend)]);
    let stops = lines(&recording, "A stops believing in token 33");
    assert_eq!(stops, ["11 s A stops believing in token 33: its own deadline has passed"]);
    let told = "10.2 s service has A's lease 33 over, and not ended";
    assert_eq!(lines(&recording, "A's lease 33")[0], told);
}

#[test]
fn a_sweeper_that_is_away_misses_its_looks() {
    // It would look at 12 s and 16 s; away from 11 s to 17 s, it looks at 20 s.
    let kind = FaultKind::ServiceRestart {
        node: Some(LockNodeId(0)),
        at: at(11_000),
        length: ms(6_000),
        loses: Loses::Nothing,
    };
    let away = Change::AddFault(fault(2, kind));
    let recording = run(&[pause_for(80_000), sweep(4_000, 0), away]);
    assert_eq!(grants(&recording)[1], "20 s service grants B token 34 for 10 s");
}

#[test]
fn who_sweeps_goes_by_its_own_clock_where_the_holder_writes_its_time() {
    let by_holder = [
        pause_for(80_000),
        sweep(4_000, 0),
        Change::Expiry(ExpiryJudge::HoldersTimestamp),
        Change::ServiceClock(fenceline::sim::clock::ClockKind::Wall),
        polls(1_000),
    ];
    // A wrote 10.1 s, counted from when it asked.
    let right = run(&by_holder);
    assert_eq!(lines(&right, "ends A's lease"), ["12 s service ends A's lease 33: expired"]);
    // The sweeper's clock is five seconds ahead at 2 s: it looks at what it takes for 12 s.
    let kind = FaultKind::ClockJump {
        node: fenceline::sim::NodeId::Lock(LockNodeId(0)),
        at: at(2_000),
        by: "5 s".parse().expect("a shift"),
    };
    let ahead = run(&[by_holder.as_slice(), &[Change::AddFault(fault(2, kind))]].concat());
    assert_eq!(lines(&ahead, "ends A's lease"), ["7 s service ends A's lease 33: expired"]);
    assert!(is_broken(&ahead, PropertyId::OneLeaseAtATime), "while A's promise runs");
}

#[test]
fn a_dead_holder_is_found_within_one_look_more_and_two_for_a_second() {
    for (ends, last) in [(sweep(30_000, 0), 30_000), (SECOND(30_000), 60_000)] {
        let recording = run(&[no_fault(), crash(2, A, 2_000, None), ends]);
        let granted = format!("{} s service grants B token 34 for 10 s", last / 1_000);
        assert_eq!(grants(&recording)[1], granted);
        let served = state(&recording, PropertyId::SomebodyCanAlwaysGetTheLock);
        assert_eq!(served, PropertyState::Holds);
    }
}

#[test]
fn on_time_is_as_it_was_and_what_is_late_without_a_look_has_no_effect() {
    let digest = |changes: &[Change]| run(changes).digest();
    let base = digest(&[]);
    assert_eq!(base, digest(&[Change::Late(Late::Refused)]));
    assert_ne!(base, digest(&[sweep(4_000, 0)]));
    // Only these leave it to the scenario.
    let spec = with(&[sweep(4_000, 0)]).spec().clone();
    let acts = SYSTEMS.iter().filter(|info| {
        let mut spec = spec.clone();
        spec.lock = info.system;
        rules(&spec).acts().is_some()
    });
    let acts: Vec<_> = acts.map(|info| info.system).collect();
    assert_eq!(acts, [LockSystem::LeaseServer, LockSystem::Sql]);
}

#[test]
fn what_does_not_go_together_is_refused_with_what_would() {
    let refused = |changes: &[Change]| with(&[]).with(changes).expect_err("refused").to_string();
    assert_eq!(
        refused(&[sweep(4_000, 0), Change::Expiry(ExpiryJudge::Observers)]),
        "lease.ends: “at_sweep” does not go with \"expiry\": \"observers\": who takes the lock \
         ends the lease before it; right would be \"on_time\""
    );
    assert_eq!(
        refused(&[Change::Ends(Ends::WhenTaken), Change::LockDelay(ms(1))]),
        "lease.ends: “when_taken” does not go with a lock_delay: it would begin when somebody \
         takes the lock; right would be \"on_time\""
    );
    let _ = B;
}

/// A row that is looked at first, and then updated.
fn looked_at(clock: SqlClock, changes: &[Change]) -> Recording {
    let sql =
        SqlSettings { acquire: SqlAcquire::SelectThenUpdate, clock, ..SqlSettings::default() };
    let systems = Change::Systems(SystemSettings { sql, ..SystemSettings::default() });
    let row = [Change::Lock(LockSystem::Sql), systems, polls(700), pause_for(80_000)];
    run(&[&row[..], changes].concat())
}

#[test]
fn who_looks_first_takes_what_it_may_and_no_more() {
    let when_taken = Change::Ends(Ends::WhenTaken);
    let taken = looked_at(SqlClock::Database, std::slice::from_ref(&when_taken));
    assert_eq!(grants(&taken).len(), 2, "{}", taken.log());
    // A sweeper acts on the end, and nobody sooner, whatever whoever asks sees.
    for clock in [SqlClock::Database, SqlClock::Nodes] {
        let swept = looked_at(clock, &[sweep(60_000, 0)]);
        let ended = lines(&swept, "ends A's lease");
        assert!(ended.iter().all(|line| line.starts_with("60 s")), "{clock:?}: {ended:?}");
    }
}

//! etcd's schedules as whole runs: the simulation must be late by as much as the real service was,
//! grant in the same order and give the same extra time.

use fenceline::scenarios::GALLERY;
use fenceline::sim::id::{ClientId, FaultId};
use fenceline::sim::lock::SystemSettings;
use fenceline::sim::scenario::{ClientSpec, CrashScope, Fault, FaultKind, LockSystem, Loses};
use fenceline::sim::{self, Change, FencingToken, SimTime};

use super::{A, B, C, D, Service, ms};
use crate::recordings::Recording;

/// How much longer a revoke may take than in the model, in milliseconds: the leader's disk and the
/// machine's other work are in a recording.
const DISK: u64 = 90;

fn at(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

/// The first scenario without its fault, under etcd, with these changes.
fn etcd(changes: &[Change]) -> sim::Recording {
    let base = GALLERY[0].file().base().expect("the gallery's scenarios are valid");
    let etcd = [Change::RemoveFault(FaultId(1)), Change::Lock(LockSystem::Etcd)];
    let scenario = base.with(&[&etcd, changes].concat()).expect("the changes fit the scenario");
    sim::Recording::of(&scenario)
}

fn fault(id: u16, kind: FaultKind) -> Change {
    Change::AddFault(Fault { id: FaultId(id), label: String::new(), enabled: true, kind })
}

fn crash(id: u16, client: ClientId, millis: u64) -> Change {
    let scope = CrashScope::Client;
    fault(id, FaultKind::Crash { client, scope, at: at(millis), restart_after: None })
}

/// How long the first grant lasted, in milliseconds.
fn lasted(run: &sim::Recording) -> u64 {
    let grant = &run.grants()[0];
    let (end, _, _) = grant.ended.expect("it ends");
    end.since(grant.at).micros() / 1000
}

#[test]
fn an_etcd_lease_is_late_by_as_much_as_the_real_one() {
    let recording = Recording::of("etcd");
    for line in recording.part("expiry").all("expired") {
        let ttl = line.length("ttl");
        // The holder dies at once; it asks at another time between the leader's looks each time.
        let late = (100..600).step_by(20).map(|asks| {
            let asks_at = Change::AsksAt { client: A, at: at(asks) };
            lasted(&etcd(&[Change::Ttl(ms(ttl)), asks_at, crash(2, A, asks + 250)])) - ttl
        });
        let late: Vec<u64> = late.collect();
        let (least, most) = super::range(&late);
        assert!(most - least > 400, "{late:?}");
        let real = line.measured("after");
        assert!(real.high >= ttl + least && real.low <= ttl + most + DISK, "{}", line.text);
    }
}

#[test]
fn etcds_queue_passes_over_a_waiter_that_has_died() {
    let recording = Recording::of("etcd");
    let part = recording.part("queue");
    let real: Vec<&str> = part
        .all("look")
        .into_iter()
        .filter(|line| line.is("holder"))
        .map(|line| line.get("key"))
        .collect();
    // A holds for 5 s and releases; B dies in the queue, and C while it holds.
    let run = etcd(&[
        Change::Ttl(ms(2_000)),
        Change::Work(ms(5_000)),
        Change::Release(true),
        Change::AddClient(ClientSpec::asking_at(at(1_200))),
        Change::AddClient(ClientSpec::asking_at(at(1_400))),
        crash(2, B, 1_600),
        crash(3, C, 6_500),
    ]);
    let grants = run.grants();
    let holders: Vec<&str> = grants
        .iter()
        .map(|grant| ["lock/A", "lock/B", "lock/C", "lock/D"][usize::from(grant.client.0)])
        .collect();
    assert_eq!(holders, real);
    assert!(grants.windows(2).all(|pair| pair[0].token < pair[1].token));
}

/// The node alone, in a store that nobody else writes to.
fn service(snapshot_every: Option<u64>, first: i64) -> Service {
    let set = |all: &mut SystemSettings| {
        all.etcd.shared_store = false;
        all.etcd.snapshot_every = snapshot_every.map(ms);
    };
    let changes = [Change::FirstToken(FencingToken(first)), Change::Ttl(ms(2_000))];
    Service::of(&super::scenario(LockSystem::Etcd, set, &changes), 1)
}

#[test]
fn etcds_tokens_have_the_same_gaps() {
    let recording = Recording::of("etcd");
    let part = recording.part("tokens");
    let real = part.numbers("joined", "token");
    let mut service = service(None, real[0]);
    // What others wrote in between is no part of this schedule.
    let mut by_others = 0;
    for (line, token) in part.all("joined").into_iter().zip(real) {
        by_others += line.number("writes");
        let model = service.acquire(A).expect("it was released");
        assert_eq!(model.0 + by_others, token, "{}", line.text);
        assert!(service.releases(A, model));
    }
    assert!(by_others > 0, "others wrote");
}

#[test]
fn a_restored_etcd_grants_the_same_tokens_again() {
    let recording = Recording::of("etcd");
    let part = recording.part("snapshot");
    let real = part.numbers("joined", "token");
    let mut service = service(Some(1_000), real[0]);
    service.until(500);
    let first = service.acquire(A).expect("the lock is free");
    // Saved at 1 s, while A holds; B and C hold after it.
    service.until(1_100);
    assert!(service.releases(A, first));
    let hold = |service: &mut Service, client| {
        let token = service.acquire(client).expect("it was released");
        assert!(service.releases(client, token));
        token.0
    };
    let before = [first.0, hold(&mut service, B), hold(&mut service, C)];
    service.until(1_900);
    service.restart(Loses::SinceSnapshot);
    // A's key is there again, under the token that it had.
    assert_eq!(part.all("found")[0].number("token"), first.0);
    assert!(service.renews(A, first));
    // After its end others get the tokens of B and C.
    service.after(3_600);
    let after = [hold(&mut service, D), hold(&mut service, B)];
    assert_eq!([&before[..], &after].concat(), real);
}

#[test]
fn a_new_leader_of_etcd_gives_as_much_time_as_the_real_one() {
    let recording = Recording::of("etcd");
    let part = recording.part("restart");
    let (restarted, expired) = (part.all("restarted")[0], part.all("expired")[0]);
    let ttl = expired.length("ttl");
    let used = restarted.measured("used");
    // Granted at 0.2 s. The server is killed after 3.5 s and is back when it was in the recording.
    let stop = 3_700;
    let length = used.low - 3_500;
    let restart = FaultKind::ServiceRestart {
        node: None,
        at: at(stop),
        length: ms(length),
        loses: Loses::Nothing,
    };
    let run = etcd(&[Change::Ttl(ms(ttl)), crash(2, A, 450), fault(3, restart)]);
    let (end, _, _) = run.grants()[0].ended.expect("it ends");
    let model = end.since(at(stop + length)).micros() / 1000;
    let real = expired.measured("after-leader");
    // Each is late by its own share of the leader's 500 ms.
    assert!(model.abs_diff(real.low) <= 500 + DISK, "{model} and {}", expired.text);
    assert!(model > ttl, "{model}");
}

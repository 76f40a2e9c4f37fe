//! etcd: leases that end late and begin anew with a new leader, the create revision as a token, and
//! what of a lease is none.

use fenceline::sim::lock::EtcdSettings;

use super::{Line, Recording, assert_only_the_watched_wake, grows};

/// The shortest time to live of a server with its default election timeout.
const SHORTEST: u64 = 2000;

/// How much longer than in the model a revoke may take: here the leader's disk and this machine's
/// other work are in it.
const DISK: u64 = 90;

/// How late a lease may end by the model: the leader's next look, and the revoke.
fn latest() -> u64 {
    let EtcdSettings { scan, commit, .. } = EtcdSettings::default();
    (scan.micros() + commit.micros()) / 1000 + DISK
}

/// What a new leader adds to every lease, by the model.
fn gift() -> u64 {
    EtcdSettings::default().election_timeout.micros() / 1000
}

#[test]
fn a_lease_ends_after_its_time_and_by_the_leaders_next_look() {
    let recording = Recording::of("etcd");
    let part = recording.part("expiry");
    let expired = part.all("expired");
    assert_eq!(expired.len(), 9);
    for line in &expired {
        let ttl = line.length("ttl");
        assert_eq!(ttl, line.length("requested").max(SHORTEST));
        line.assert_ends("after", ttl, latest());
        assert!(line.measured("told").high >= ttl, "a watch tells the end, not what is to come");
    }
    let late: Vec<u64> =
        expired.iter().map(|line| line.measured("after").high - line.length("ttl")).collect();
    let (least, most) = (late.iter().min().unwrap(), late.iter().max().unwrap());
    assert!(most - least > 100, "a lease is not late by the same each time: {late:?}");
}

#[test]
fn a_renewal_after_the_end_is_refused_and_revives_nothing() {
    let recording = Recording::of("etcd");
    let part = recording.part("renewal");
    assert_eq!(part.column("renew", "lease"), ["held", "ended", "due"]);
    assert_eq!(part.column("renew", "ttl"), ["2s", "0s", "0s"]);
    let due = part.one("renew", "lease", "due");
    assert!(due.is("key-before") && !due.is("key-after"), "it waits for the end");
    assert!(!part.all("key")[0].is("there"));
    assert!(part.all("put")[0].is("refused"));
    let expired = part.all("expired")[0];
    expired.assert_ends("after", expired.length("ttl"), latest());
}

#[test]
fn a_renewed_lease_lives_on_and_a_revoked_one_does_not() {
    let recording = Recording::of("etcd");
    let part = recording.part("kept-alive");
    assert!(part.all("renewed")[0].is("alive"));
    let expired = part.all("expired")[0];
    expired.assert_ends("after", expired.length("ttl"), latest());
    let revoked = part.all("revoked")[0];
    assert!(revoked.measured("after").high < revoked.length("ttl"));
}

#[test]
fn the_queue_is_in_the_order_of_the_create_revisions() {
    let recording = Recording::of("etcd");
    let part = recording.part("queue");
    assert!(grows(&part.numbers("joined", "token")), "a token is fixed when its client joins");
    let holders: Vec<&str> = part
        .all("look")
        .into_iter()
        .filter(|line| line.is("holder"))
        .map(|line| line.get("key"))
        .collect();
    assert_eq!(holders, ["lock/A", "lock/C", "lock/D"], "B has died in the queue");
    let ends = ["expired", "released", "revoked"];
    assert_only_the_watched_wake(part, "key", |line: &Line| {
        ends.contains(&line.word.as_str()).then(|| line.get("key").to_owned())
    });
}

#[test]
fn acquiring_twice_gives_the_same_token() {
    let recording = Recording::of("etcd");
    let [first, again, later] = recording.part("acquiring-twice").numbers("joined", "token")[..]
    else {
        panic!("it joins three times");
    };
    assert_eq!(first, again);
    assert!(later > again);
}

#[test]
fn a_late_release_frees_the_next_holders_key_unless_it_looks() {
    let recording = Recording::of("etcd");
    let part = recording.part("release");
    assert!(grows(&part.numbers("joined", "token")));
    for line in part.all("released") {
        assert_eq!(line.is("succeeded"), !line.is("owner-check"));
        assert_eq!(line.is("held-by-B"), line.is("owner-check"));
    }
    assert_eq!(part.column("released", "owner-check"), ["yes", "no"]);
}

#[test]
fn every_write_to_the_store_takes_a_revision() {
    let recording = Recording::of("etcd");
    let joined = recording.part("tokens").all("joined");
    assert_eq!(joined.len(), 5);
    for pair in joined.windows(2) {
        let gap = pair[1].number("token") - pair[0].number("token");
        // The release, the writes between, and the key's creation.
        assert_eq!(gap, 1 + pair[1].number("writes") + 1, "{}", pair[1].text);
    }
}

#[test]
fn neither_revision_nor_id_of_a_lease_is_a_token() {
    let recording = Recording::of("etcd");
    let part = recording.part("lease-as-token");
    assert_eq!(part.column("holder", "who"), ["A", "B", "C", "D"]);
    assert!(grows(&part.numbers("holder", "token")));
    let revisions = part.numbers("holder", "lease-revision");
    assert!(revisions[1] < revisions[0], "B holds after A and its lease is older: {revisions:?}");
    assert!(revisions[1] == revisions[2] && revisions[2] == revisions[3], "{revisions:?}");
    let ids = part.numbers("holder", "lease-id");
    assert!(ids[1] < ids[0], "so is its id: {ids:?}");
    assert_eq!(part.all("granted")[0].number("lease-id"), 7, "a client may choose one");
}

#[test]
fn a_transaction_in_the_store_admits_only_the_holder() {
    let recording = Recording::of("etcd");
    let part = recording.part("transaction");
    let tokens = part.numbers("joined", "token");
    assert!(grows(&tokens));
    // A while it holds; A when nobody does; A when B does; B.
    let writes = part.all("write");
    let token = |index: usize| writes[index].number("token");
    assert_eq!([0, 1, 2, 3].map(token), [tokens[0], tokens[0], tokens[0], tokens[1]]);
    assert_eq!(part.column("write", "succeeded"), ["yes", "no", "no", "yes"]);
    assert_eq!(part.all("resource")[0].number("writes-accepted"), 2);
}

#[test]
fn a_new_leader_begins_all_leases_anew() {
    let recording = Recording::of("etcd");
    for (name, since) in [("restart", "after-start"), ("members", "after-kill")] {
        let part = recording.part(name);
        let expired = part.all("expired")[0];
        let ttl = expired.length("ttl");
        assert!(
            expired.measured("after-grant").low > ttl + latest(),
            "much later than without: {}",
            expired.text
        );
        assert!(expired.measured(since).high >= ttl + gift(), "{}", expired.text);
        assert!(expired.measured("after-leader").low <= ttl + gift() + latest());
        assert!(grows(&part.numbers("joined", "token")), "revisions go on");
    }
}

#[test]
fn the_ids_of_leases_are_in_no_order_among_members() {
    let recording = Recording::of("etcd");
    let part = recording.part("members");
    let ids = part.numbers("granted", "lease-id");
    assert_eq!(ids.len(), 6);
    assert!(!grows(&ids), "{ids:?}");
    // First to last and last to first: of each pair the second is granted later by the same member.
    for member in 0..3 {
        assert!(ids[member] < ids[5 - member], "one member counts upwards: {ids:?}");
    }
}

#[test]
fn a_restored_snapshot_takes_revisions_back() {
    let recording = Recording::of("etcd");
    let part = recording.part("snapshot");
    let token = |who| part.one("joined", "who", who).number("token");
    assert!(grows(&["A", "B", "C"].map(token)));
    assert_eq!(part.all("found")[0].number("token"), token("A"), "A holds once more");
    assert_eq!(["D", "E"].map(token), ["B", "C"].map(token), "each token has two holders");
}

//! Redis: every request of its recording is made of the model, whose answers have to be the same.

use fenceline::sim::id::ClientId;
use fenceline::sim::lock::{NodeInput, RedisSettings, RedisToken};
use fenceline::sim::scenario::{LockSystem, Loses};
use fenceline::sim::{Change, FencingToken};

use super::{A, B, C, Service, client, ms, scenario};
use crate::recordings::{Line, Recording};

fn redis(set: impl Fn(&mut RedisSettings), changes: &[Change]) -> Service {
    let scenario = scenario(LockSystem::Redis, |all| set(&mut all.redis), changes);
    let replica = scenario.spec().systems.redis.replica;
    Service::of(&scenario, 1 + u8::from(replica))
}

/// With a counter that begins at `first`.
fn counted(first: i64, replica: bool) -> Service {
    let set = |redis: &mut RedisSettings| {
        (redis.token, redis.replica) = (RedisToken::Counter, replica);
    };
    redis(set, &[Change::FirstToken(FencingToken(first)), Change::Ttl(ms(60_000))])
}

/// Two servers in the same state: scripts that look at the owner, and commands that do not.
struct Both {
    looks: Service,
    does_not: Service,
    holder: Option<ClientId>,
    /// What each client was granted last.
    tokens: [FencingToken; 4],
}

impl Both {
    fn lasting(ttl: u64) -> Self {
        let one =
            |owner_check| redis(|_| {}, &[Change::Ttl(ms(ttl)), Change::OwnerCheck(owner_check)]);
        Self { looks: one(true), does_not: one(false), holder: None, tokens: [FencingToken(0); 4] }
    }

    /// Brings about that the lock is held by whom the line says.
    fn held_by(&mut self, name: &str, ttl: u64) {
        let wanted = (name != "nobody").then(|| client(name));
        if self.holder != wanted {
            for service in [&mut self.looks, &mut self.does_not] {
                service.after(ttl);
                if let Some(client) = wanted {
                    let token = service.acquire(client).expect("the lock before it is over");
                    self.tokens[client.index()] = token;
                }
            }
            self.holder = wanted;
        }
    }

    fn asked(&mut self, line: &Line) -> &mut Service {
        if line.is("owner-check") { &mut self.looks } else { &mut self.does_not }
    }
}

#[test]
fn a_held_lock_is_refused_to_the_same() {
    let recording = Recording::of("redis");
    let mut service = redis(|_| {}, &[Change::Ttl(ms(60_000))]);
    for line in recording.part("acquire").all("set-nx") {
        let got = service.acquire(client(line.get("who"))).is_some();
        assert_eq!(got, line.get("reply") == "OK", "{}", line.text);
    }
}

#[test]
fn a_lock_ends_within_what_was_measured() {
    let recording = Recording::of("redis");
    let lines = recording.part("expiry").all("set-nx");
    for line in lines.into_iter().filter(|line| line.find("after").is_some()) {
        let mut service = redis(|_| {}, &[Change::Ttl(ms(line.length("ttl")))]);
        service.until(line.t);
        service.acquire(A).expect("the lock is free");
        let (_, after) = service.acquire_in_the_end(B);
        assert!(line.measured("after").holds(after), "{after}: {}", line.text);
    }
}

#[test]
fn a_renewal_extends_the_same_locks() {
    let recording = Recording::of("redis");
    let part = recording.part("renewal");
    let ttl = part.all("expired")[0].length("ttl");
    let mut both = Both::lasting(ttl);
    for line in part.all("renew") {
        both.held_by(line.get("held-by"), ttl);
        let who = client(line.get("who"));
        let token = both.tokens[who.index()];
        let service = both.asked(line);
        service.after(1);
        let extends = service.renews(who, token);
        assert_eq!(i64::from(extends), line.number("reply"), "{}", line.text);
    }
    // The last one extended B's: it is held for longer than it would have been.
    assert!(part.all("extended")[0].is("longer"));
    both.does_not.after(ttl - 1);
    assert_eq!(both.does_not.acquire(C), None);
    both.does_not.after(1);
    assert!(both.does_not.acquire(C).is_some());
}

#[test]
fn a_late_release_frees_the_same_locks() {
    let recording = Recording::of("redis");
    let part = recording.part("release");
    let late = part.all("release");
    let asked = part.all("set-nx");
    // In each half A's lock has ended and B has the lock; A releases, then C asks, then B releases.
    for (half, owner_check) in late.chunks(2).zip([true, false]) {
        let mut service = redis(|_| {}, &[Change::Ttl(ms(100)), Change::OwnerCheck(owner_check)]);
        let old = service.acquire(A).expect("the lock is free");
        service.after(100);
        service.acquire(B).expect("A's is over");
        assert_eq!(half[0].is("owner-check"), owner_check);
        let freed = service.releases(A, old);
        assert_eq!(i64::from(freed), half[0].number("reply"), "{}", half[0].text);
        let line = asked[usize::from(!owner_check)];
        assert_eq!(service.acquire(C).is_some(), line.get("reply") == "OK", "{}", line.text);
    }
}

#[test]
fn the_counter_hands_out_the_same_tokens() {
    let recording = Recording::of("redis");
    let mut service = counted(33, false);
    let mut held: Option<(ClientId, FencingToken)> = None;
    for line in recording.part("tokens").all("acquire") {
        let who = client(line.get("who"));
        // D asks while another holds; before every other grant the last holder has released.
        if line.get("who") != "D"
            && let Some((holder, token)) = held.take()
        {
            assert!(service.releases(holder, token));
        }
        let token = service.acquire(who);
        assert_eq!(token.map_or(0, |token| token.0), line.number("token"), "{}", line.text);
        held = token.map(|token| (who, token)).or(held);
    }
}

#[test]
fn a_crash_loses_the_same() {
    let recording = Recording::of("redis");
    for (part, loses) in [("crash-in-memory", Loses::Everything), ("crash-on-disk", Loses::Nothing)]
    {
        let part = recording.part(part);
        let mut service = counted(1, false);
        for line in &part.lines {
            if line.word == "acquire" {
                let token = service.acquire(client(line.get("who")));
                assert_eq!(token.map_or(0, |it| it.0), line.number("token"), "{}", line.text);
            } else if line.word == "restarted" {
                service.restart(loses);
            }
        }
    }
}

#[test]
fn a_failover_grants_the_lock_and_its_token_again() {
    let recording = Recording::of("redis");
    let mut service = counted(1, true);
    for line in &recording.part("failover").lines {
        let at = usize::from(line.find("at") == Some("replica"));
        match line.word.as_str() {
            "acquire" => {
                let copies = service.n_copies;
                let token = service.acquire_at(at, client(line.get("who")));
                assert_eq!(token.map_or(0, |it| it.0), line.number("token"), "{}", line.text);
                if line.find("copies").is_some() {
                    let told = i64::from(service.n_copies - copies);
                    assert_eq!(told, line.number("copies"), "{}", line.text);
                }
            }
            "release" => assert!(service.releases(A, FencingToken(1)), "{}", line.text),
            "cut" => service.is_cut = true,
            "promoted" => service.input(1, NodeInput::TakesOver { named: None }),
            // Who holds it at a node: anybody else is refused there.
            "holder" if line.find("token").is_some() => {
                assert_eq!(service.acquire_at(at, C), None, "{}", line.text);
            }
            "holder" => {}
            other => panic!("`{other}` is not replayed"),
        }
    }
}

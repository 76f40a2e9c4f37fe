//! etcd, by its command line. Sources: etcd, `etcdctl/README.md` (`lease grant`, `lease
//! keep-alive`, `get`) and `client/v3/concurrency` (a session of 60 s, the key under the lock's
//! prefix; `Mutex.Lock` takes its header from the answer that it saw last, which for a waiter is a
//! later revision than its key's; `IsOwner` compares the key's own).

use crate::sim::id::FencingToken;
use crate::sim::lock::{EtcdSettings, EtcdToken};
use crate::sim::scenario::{Change, Ratio, Renew, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::origin;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::transaction::{Transaction, token_and_value};

pub(super) const PRACTICE: Practice = Practice {
    seen: "The key's CreateRevision; in Go, IsOwner() compares it in a transaction. \
           mutex.Header().Revision is a waiter's last look, and no token",
    token,
    defaults,
    whose: "etcd's",
    takes: "etcd",
    counter: None,
    commands,
    transaction,
    origin: |_| [origin::ETCD; 3],
};

fn token(spec: &ScenarioSpec) -> Option<&'static str> {
    match spec.systems.etcd.token {
        EtcdToken::CreateRevision => None,
        EtcdToken::LeaseId => Some("The lease's id, a number without order: it cannot fence"),
        EtcdToken::LeaseRevision => Some(
            "The revision when the lease was made: it can repeat, and be older than an earlier \
             grant's. It cannot fence",
        ),
    }
}

fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.etcd = EtcdSettings::default();
    vec![
        Change::Ttl(SimDuration::from_secs(60)),
        Change::Renew(Renew::Share(Ratio::THIRD)),
        Change::Wait(Wait::Queue),
        Change::Systems(systems),
    ]
}

/// Who joins makes a lease and a key under it; who holds is whose key was created first. This is
/// what `etcdctl lock` and the Go client's `Mutex` do inside.
fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let (ttl, who) = (live.ttl_secs(), live.asker());
    let token = live.scenario.spec().systems.etcd.token;
    let lease = match token {
        EtcdToken::CreateRevision | EtcdToken::LeaseId => {
            format!("lease=$(etcdctl lease grant {ttl} | cut -d ' ' -f 2)")
        }
        // The header of the grant's answer has it.
        EtcdToken::LeaseRevision => format!(
            "etcdctl lease grant {ttl} -w fields | tee grant.txt\n\
             lease=$(printf %x $(awk '/^\"ID\"/ {{ print $3 }}' grant.txt))"
        ),
    };
    let join = format!("{lease}\netcdctl put --lease=$lease job-7/$lease {who}\n");
    let shown = match token {
        EtcdToken::CreateRevision => "\"(Key|CreateRevision)\"",
        EtcdToken::LeaseId => "\"(Key|Lease)\"",
        EtcdToken::LeaseRevision => "\"Key\"",
    };
    let look = format!(
        "etcdctl get job-7/ --prefix --sort-by=CREATE --limit=1 -w fields | grep -E '{shown}'"
    );
    let granted = |number: FencingToken| match token {
        EtcdToken::CreateRevision => format!("\"CreateRevision\" : {number}"),
        // Servers choose it: no run can foresee it.
        EtcdToken::LeaseId => "\"Lease\"".to_owned(),
        EtcdToken::LeaseRevision => "\"Key\"".to_owned(),
    };
    let first = live.holders.map_or_else(|| "\"Key\"".to_owned(), granted);
    let behind = (first.as_str(), "another's key is first, it watches the one before its own");
    let gone = ("etcdserver: requested lease not found", "it has ended");
    [
        (
            if live.had_waited { look } else { join + &look },
            live.of_asking(|token, _| granted(token), behind, behind),
        ),
        (
            "etcdctl lease keep-alive --once $lease".to_owned(),
            live.of_keeping(
                live.renewed,
                (&format!("keepalived with TTL({ttl})"), "it lives on"),
                gone,
            ),
        ),
        (
            "etcdctl lease revoke $lease".to_owned(),
            live.of_keeping(live.released, ("revoked", "its key is gone with it"), gone),
        ),
    ]
}

/// `create` compares the create revision of the lock's key, as `IsOwner()` does in Go.
fn transaction(live: &Live<'_>) -> Transaction {
    let (token, value) = token_and_value(live);
    let text = format!(
        "etcdctl txn <<END\ncreate(\"job-7/$lease\") = \"{token}\"\n\nput jobs/7 {value}\n\n\nEND"
    );
    Transaction { text, yes: "SUCCESS", no: "FAILURE", origin: origin::ETCD }
}

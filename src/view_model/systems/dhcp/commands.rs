//! DHCP, by ISC's client, its server's configuration and `ip`. Sources: dhclient(8) (`-v`, `-r`),
//! dhclient.conf(5), dhcpd.conf(5) (`default-lease-time`), RFC 2131 (messages; 4.1: a client asks
//! again after 4 s, give or take one; 4.4.5: T1 and T2), dnsmasq(8) (a lease of one hour).

use crate::sim::lock::DhcpSettings;
use crate::sim::scenario::{Change, Deadline, Ratio, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;
use crate::view_model::systems::live::Live;
use crate::view_model::systems::reply::Reply;
use crate::view_model::systems::row::Practice;
use crate::view_model::systems::{origin, transaction};
use crate::view_model::words::wording::duration;

pub(super) const PRACTICE: Practice = Practice {
    seen: "ip address shows an address and how long it is valid; the next holder has the same one",
    token: |_| None,
    defaults,
    whose: "these",
    takes: "DHCP",
    counter: None,
    commands,
    transaction: transaction::ones_own,
    origin: |_| [origin::DHCLIENT; 3],
};

fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.dhcp = DhcpSettings::default();
    let secs = SimDuration::from_secs;
    vec![
        Change::Ttl(secs(3600)),
        Change::Deadline(Deadline::FromSend),
        Change::Wait(Wait::Poll { every: secs(3), jitter: secs(2) }),
        Change::Systems(systems),
    ]
}

fn commands(live: &Live<'_>) -> [(String, Reply); 3] {
    let ttl = live.ttl_secs();
    let settings = &live.scenario.spec().systems.dhcp;
    let mark = |permille| {
        let share = Ratio { numerator: permille, denominator: 1000 };
        duration(share.of(live.scenario.ttl().unwrap_or_default()))
    };
    let (t1, t2) = (mark(settings.t1_permille), mark(settings.t2_permille));
    [
        (
            format!(
                "# dhcpd.conf: default-lease-time {ttl};\ndhclient -v eth0\nip address show eth0"
            ),
            live.of_asking(
                |_, _| format!("DHCPACK, valid_lft {ttl}sec"),
                ("", "no answer: no address is free"),
                ("", "no answer: no address is free"),
            ),
        ),
        (
            format!("# dhclient renews by itself: T1 after {t1}, T2 after {t2}\ndhclient -v eth0"),
            live.of_keeping(
                live.renewed,
                (&format!("DHCPACK, valid_lft {ttl}sec"), "bound again"),
                ("DHCPNAK", "the address is another's"),
            ),
        ),
        (
            "dhclient -r eth0".to_owned(),
            live.of_keeping(
                live.released,
                ("DHCPRELEASE", "nobody answers it; the address is free"),
                ("DHCPRELEASE", "nobody answers it; it changes nothing"),
            ),
        ),
    ]
}

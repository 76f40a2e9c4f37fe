//! DHCP, in the words of its messages. Source: RFC 2131, sections 3.1, 4.4.5 and 4.4.6.

use super::Practice;
use super::live::Live;
use crate::sim::lock::DhcpSettings;
use crate::sim::scenario::{Change, Deadline, LockSystem, ScenarioSpec, Wait};
use crate::sim::time::SimDuration;

pub(super) const PRACTICE: Practice = Practice {
    system: LockSystem::Dhcp,
    seen: "A client holds an address, and every holder the same one",
    defaults,
    takes: "DHCPREQUEST",
    counter: None,
    commands,
};

/// An hour, asked for again every ten seconds.
fn defaults(spec: &ScenarioSpec) -> Vec<Change> {
    let mut systems = spec.systems.clone();
    systems.dhcp = DhcpSettings::default();
    let poll = Wait::Poll { every: SimDuration::from_secs(10), jitter: SimDuration::from_secs(1) };
    vec![
        Change::Ttl(SimDuration::from_secs(3600)),
        Change::Deadline(Deadline::FromSend),
        Change::Wait(poll),
        Change::Systems(systems),
    ]
}

fn commands(live: &Live<'_>) -> [(String, String); 3] {
    let (ttl, who) = (live.ttl_secs(), live.asker());
    [
        (
            format!("DHCPREQUEST client-id={who}, requested address 192.0.2.7"),
            live.of_asking(
                |_, client| format!("DHCPACK 192.0.2.7, lease time {ttl}, to {client}"),
                "no answer",
                "DHCPNAK",
            ),
        ),
        (
            "DHCPREQUEST ciaddr=192.0.2.7".to_owned(),
            live.of_keeping(live.renewed, &format!("DHCPACK, lease time {ttl}"), "DHCPNAK"),
        ),
        (
            "DHCPRELEASE ciaddr=192.0.2.7".to_owned(),
            live.of_keeping(live.released, "the address is free", "ignored: not its address"),
        ),
    ]
}

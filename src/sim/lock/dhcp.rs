//! DHCP: an address on lease. Both ends count: the server ends a lease by its clock, and a client
//! must stop by its own, from when it sent the request that gave the lease. No packet is
//! checked for a lease. The probes for a duplicate before an address is given anew, and a client's
//! decline (RFC 2131, 2.2 and 3.1), are not modelled.
//!
//! Sources: RFC 2131, sections 3.3 (whole seconds; intervals on the client's clock), 4.4.1 (counted
//! from when the request was sent), 4.4.5 (T1 0.5 and T2 0.875 of the lease; when to ask again, at
//! least 60 s later; stop at the end); dhcpd.leases(5) (the server writes ends as UTC).

use super::rules::{Lateness, Schedule};
use super::{Fixed, Halves, Reentry, Rules, SystemInfo, TokenWorth, TtlRule};
use crate::sim::clock::ClockKind;
use crate::sim::limits;
use crate::sim::lock::settings::own_settings;
use crate::sim::scenario::{
    ClientSettings, ExpiryJudge, LockSystem, Ratio, Renew, ScenarioSpec, TokenSource,
};
use crate::sim::time::SimDuration;

pub(super) const INFO: SystemInfo = SystemInfo {
    system: LockSystem::Dhcp,
    name: "DHCP",
    service: "DHCP server",
    token: "None: it cannot fence. The network carries whatever the old holder sends",
    fixes: &[
        Fixed::TokenSource,
        Fixed::MinHold,
        Fixed::Cap,
        Fixed::Expiry,
        Fixed::Clock,
        Fixed::OwnerCheck,
        Fixed::LockDelay,
        Fixed::Grace,
        Fixed::Item,
        Fixed::Ends,
        Fixed::Late,
        Fixed::ConnectionBound,
        Fixed::TwoSteps,
        Fixed::Session,
        Fixed::WaiterCheck,
        Fixed::Renew,
    ],
    fixed: "DHCP settles this itself",
    own: DhcpSettings::OWN,
    rules,
    shape,
    halves: Halves::TABLE,
};

own_settings! {
    /// What of DHCP its server can set.
    pub struct DhcpSettings in dhcp {
        /// T1, when a client asks its server for more time, in thousandths of the lease. Default
        /// 500.
        pub t1_permille: u16 = 500, in 1, 1000, neutral 500;
        /// T2, when it asks any server, in thousandths of the lease. Default 875.
        pub t2_permille: u16 = 875, in 1, 1000, neutral 875;
        /// The least that it waits before it asks again without an answer. Default 60 s.
        pub least_retry: SimDuration = SimDuration::from_secs(60),
            in limits::MIN_INTERVAL, limits::MAX_DURATION, none "a quantity";
    }
}

fn rules(spec: &ScenarioSpec) -> Rules {
    let settings = &spec.systems.dhcp;
    let share = |numerator| Ratio { numerator, denominator: 1000 };
    Rules {
        // Whole seconds on the wire.
        ttl: TtlRule {
            least: SimDuration::from_secs(1),
            most: None,
            unit: SimDuration::from_secs(1),
        },
        lateness: Lateness::OnTime,
        worth: TokenWorth::Nothing,
        // What a client could send is the address itself, the same for every holder.
        token_source: TokenSource::Constant,
        owner_check: true,
        lock_delay: SimDuration::ZERO,
        grace: SimDuration::ZERO,
        expiry: ExpiryJudge::Service,
        clock: ClockKind::Wall,
        connection_bound: false,
        two_steps: false,
        waiter_check: false,
        has_queue: false,
        holds_values: false,
        answers_stores: false,
        schedule: Schedule::Marks {
            t1: share(settings.t1_permille),
            t2: share(settings.t2_permille),
            least: settings.least_retry,
        },
        reentry: Reentry::Never,
        ..Rules::of_lease_server(spec)
    }
}

fn shape(spec: &ScenarioSpec, _ttl: Option<SimDuration>, settings: &mut ClientSettings) {
    settings.session = false;
    let numerator = spec.systems.dhcp.t1_permille;
    settings.renew = Renew::Share(Ratio { numerator, denominator: 1000 });
}

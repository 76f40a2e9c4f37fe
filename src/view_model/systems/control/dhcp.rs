//! DHCP's own controls.

use super::{field, thousandths};
use crate::sim::limits::MIN_INTERVAL;
use crate::sim::lock::DhcpSettings;
use crate::sim::scenario::ScenarioSpec;
use crate::view_model::controls::Control;
use crate::view_model::words::wording::duration;

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.dhcp;
    vec![
        Control::count(
            "T1, thousandths of the lease",
            None,
            i64::from(settings.t1_permille),
            (1, 1000),
            thousandths!(spec, dhcp.t1_permille),
        )
        .hinted("Then a client asks its server for more time; counted from its request"),
        Control::count(
            "T2, thousandths of the lease",
            None,
            i64::from(settings.t2_permille),
            (1, 1000),
            thousandths!(spec, dhcp.t2_permille),
        )
        .hinted("Then it asks any server; at the end it must stop"),
        Control::length(
            "Asks again after at least",
            None,
            settings.least_retry,
            MIN_INTERVAL,
            field!(spec, dhcp.least_retry),
        )
        .hinted("Without an answer: half of what is left until T2, then until the end"),
    ]
}

pub(super) fn setting(settings: &DhcpSettings) -> Vec<String> {
    let usual = DhcpSettings::default();
    let mut parts = Vec::new();
    if settings.t1_permille != usual.t1_permille {
        parts.push(format!("T1 at {} ‰", settings.t1_permille));
    }
    if settings.t2_permille != usual.t2_permille {
        parts.push(format!("T2 at {} ‰", settings.t2_permille));
    }
    if settings.least_retry != usual.least_retry {
        parts.push(format!("asks again after {}", duration(settings.least_retry)));
    }
    parts
}

//! DHCP's own controls.

use super::thousandths;
use crate::sim::lock::DhcpSettings;
use crate::sim::scenario::ScenarioSpec;
use crate::view_model::control::Control;

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
        .hinted("From here a client asks its server for more time; counted from its request"),
        Control::count(
            "T2, thousandths of the lease",
            None,
            i64::from(settings.t2_permille),
            (1, 1000),
            thousandths!(spec, dhcp.t2_permille),
        )
        .hinted("From here it asks any server, and at the end it must stop"),
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
    parts
}

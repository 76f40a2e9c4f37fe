//! ZooKeeper's own controls.

use crate::sim::limits::MIN_INTERVAL;
use crate::sim::lock::{AtTheEnd, NameOrder, OnDisconnect, ZooKeeperSettings, ZooKeeperToken};
use crate::sim::scenario::ScenarioSpec;
use crate::sim::time::SimDuration;
use crate::view_model::controls::Control;
use crate::view_model::controls::amount::idle::when;
use crate::view_model::controls::field;
use crate::view_model::words::wording::duration;

fn token(token: ZooKeeperToken) -> &'static str {
    match token {
        ZooKeeperToken::Sequence => "The node's sequence number",
        ZooKeeperToken::Zxid => "The node's zxid",
    }
}

fn order(order: NameOrder) -> &'static str {
    match order {
        NameOrder::Number => "By their numbers",
        NameOrder::Text => "By their names, as text",
    }
}

fn at_the_end(what: AtTheEnd) -> &'static str {
    match what {
        AtTheEnd::StandsStill => "The same again",
        AtTheEnd::Wraps => "\u{2212}2147483648",
    }
}

fn on_disconnect(what: OnDisconnect) -> &'static str {
    match what {
        OnDisconnect::HoldsOn => "Holds on",
        OnDisconnect::LetsGo => "Lets go",
    }
}

const DISCONNECTS: [OnDisconnect; 2] = [OnDisconnect::HoldsOn, OnDisconnect::LetsGo];

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.zookeeper;
    let to_token = field!(spec, zookeeper.token);
    let tokens = [ZooKeeperToken::Sequence, ZooKeeperToken::Zxid];
    let to_order = field!(spec, zookeeper.order);
    let orders = [NameOrder::Number, NameOrder::Text];
    let to_end = field!(spec, zookeeper.at_the_end);
    let ends = [AtTheEnd::StandsStill, AtTheEnd::Wraps];
    let no_container = when(!settings.container, "no container", "The parent is no container");
    let no_election = when(
        settings.token == ZooKeeperToken::Sequence,
        "no zxid",
        "No counter of a zxid is watched in this set-up",
    );
    vec![
        Control::choice("Clients send as token", None, settings.token, &tokens, token, to_token),
        Control::length("Tick", None, settings.tick, MIN_INTERVAL, field!(spec, zookeeper.tick))
            .hinted("A session lasts 2 to 20 ticks, and ends at the tick after its time"),
        Control::choice("Clients order nodes", None, settings.order, &orders, order, to_order),
        Control::turn(
            "A client finds its own node again",
            None,
            settings.guid,
            &field!(spec, zookeeper.guid),
        )
        .hinted("By a GUID in its name; otherwise it queues behind its own orphan"),
        Control::turn(
            "Others make nodes below the same parent",
            None,
            settings.shared_parent,
            &field!(spec, zookeeper.shared_parent),
        ),
        Control::choice(
            "After 2147483647 comes",
            None,
            settings.at_the_end,
            &ends,
            at_the_end,
            to_end,
        ),
        Control::turn(
            "The parent goes when it is empty",
            None,
            settings.container,
            &field!(spec, zookeeper.container),
        )
        .hinted("A container: the numbers below it begin at 0 again"),
        Control::length(
            "Empty containers are looked for every",
            no_container,
            settings.container_check,
            MIN_INTERVAL,
            field!(spec, zookeeper.container_check),
        ),
        Control::length(
            "An election takes",
            no_election,
            settings.election,
            SimDuration::ZERO,
            field!(spec, zookeeper.election),
        )
        .hinted("Forced when the lower 32 bits of the zxid are used up"),
        without_a_connection(spec),
    ]
}

fn without_a_connection(spec: &ScenarioSpec) -> Control {
    Control::choice(
        "A holder without a connection",
        None,
        spec.systems.zookeeper.on_disconnect,
        &DISCONNECTS,
        on_disconnect,
        field!(spec, zookeeper.on_disconnect),
    )
    .hinted("That its session is over it hears only when it is connected again")
}

pub(super) fn setting(settings: &ZooKeeperSettings) -> Vec<String> {
    let usual = ZooKeeperSettings::default();
    let mut parts = Vec::new();
    let mut differs = |differs: bool, text: &dyn Fn() -> String| {
        if differs {
            parts.push(text());
        }
    };
    let said = |text: &'static str| move || text.to_owned();
    differs(settings.token != usual.token, &|| {
        format!("token: {}", token(settings.token).to_ascii_lowercase())
    });
    differs(settings.tick != usual.tick, &|| format!("tick {}", duration(settings.tick)));
    differs(settings.order != usual.order, &said("nodes ordered as text"));
    differs(settings.guid != usual.guid, &said("without a GUID"));
    differs(settings.shared_parent != usual.shared_parent, &said("shared parent"));
    differs(settings.at_the_end != usual.at_the_end, &said("numbers wrap"));
    differs(settings.container != usual.container, &said("container parent"));
    differs(settings.container_check != usual.container_check, &|| {
        format!("containers looked for every {}", duration(settings.container_check))
    });
    differs(settings.election != usual.election, &|| {
        format!("election {}", duration(settings.election))
    });
    differs(settings.on_disconnect != usual.on_disconnect, &said("lets go when disconnected"));
    parts
}

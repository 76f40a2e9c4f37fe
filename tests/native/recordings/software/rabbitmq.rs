//! RabbitMQ: a delivery ends with its channel, also when a look finds it unacknowledged for too
//! long; a late ack is a protocol error.

use super::super::Recording;
use super::{is_before, is_refused, of};

/// How far apart the looks are.
const LOOK: u64 = 3000;

#[test]
fn a_look_closes_the_channel_of_who_has_not_acknowledged_in_time() {
    let recording = Recording::of("rabbitmq");
    let part = recording.part("timeout");
    let again = part.all("again")[0];
    again.assert_ends("after", again.length("timeout"), LOOK + 100);
    assert_eq!(part.column("deliver", "redelivered"), ["no", "yes"]);
    let closed = of(part, "channel-closed", "A")[0];
    assert_eq!(closed.number("code"), 406);
    assert!(closed.get("text").contains("timed_out"), "{}", closed.text);
    // A's program has no channel left on which it could say anything; B's ack is taken.
    assert!(is_refused(of(part, "ack", "A")[0]));
    assert_eq!(of(part, "ack", "B")[0].get("reply"), "none");
}

#[test]
fn until_the_look_an_ack_is_taken() {
    let recording = Recording::of("rabbitmq");
    let part = recording.part("late-before-look");
    let over = part.all("over")[0];
    assert!(over.length("waited") > over.length("timeout"));
    assert_eq!(over.number("deliveries-of-B"), 0);
    assert_eq!(of(part, "ack", "A")[0].get("reply"), "none");
    assert_eq!(part.all("waits")[0].number("deliveries"), 0, "B never gets it");
    assert_eq!(part.all("ready")[0].number("messages"), 0);
}

#[test]
fn a_late_ack_closes_the_channel_that_it_comes_by() {
    let recording = Recording::of("rabbitmq");
    for name in ["late-ack", "ack-twice"] {
        let part = recording.part(name);
        let last = *of(part, "ack", "A").last().expect("there is one");
        assert_eq!(last.get("reply"), "channel-closed", "{name}");
        let closed = of(part, "channel-closed", "A")[0];
        assert_eq!(closed.number("code"), 406, "{name}");
        assert!(closed.get("text").contains("unknown_delivery_tag"), "{name}");
    }
}

#[test]
fn a_closed_connection_frees_its_deliveries_at_once() {
    let recording = Recording::of("rabbitmq");
    let part = recording.part("connection");
    let waits = part.all("waits")[0];
    assert_eq!(waits.number("deliveries"), 0);
    let again = of(part, "deliver", "B")[0];
    assert!(is_before(part, waits, again) && again.is("redelivered"));
    assert!(part.all("again")[0].measured("after").high < LOOK);
}

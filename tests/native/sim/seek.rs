//! Seeking: a snapshot and a short replay give the same world as folding the whole log.

use fenceline::sim::limits::SNAPSHOT_EVERY;
use fenceline::sim::scenario::Length;
use fenceline::sim::{Change, Recording, World};

use super::{at, ms, run};

fn assert_seek_equals_replay(recording: &Recording) {
    let mut world = World::new(recording.scenario());
    assert_eq!(recording.world_after(0), world);
    for entry in recording.entries() {
        world.apply(entry);
        assert_eq!(recording.world_after(entry.seq.0 + 1), world, "after {entry}");
    }
}

#[test]
fn snapshots_equal_replay_at_every_entry() {
    assert_seek_equals_replay(&run(&[Change::Fencing(true)]));
    let long = run(&[Change::Length(Length::Fixed(ms(3_000_000)))]);
    assert!(long.log().n_entries() > 4 * SNAPSHOT_EVERY, "it must cross snapshots");
    assert_seek_equals_replay(&long);
}

#[test]
fn a_time_includes_all_that_happened_then() {
    let recording = run(&[]);
    let world = recording.world_at(at(10_200));
    assert_eq!(world.service.holder().expect("B holds").client, super::B);
    let before = recording.world_after(recording.log().n_before(at(10_200)));
    assert_eq!(before.service.holder().expect("A holds").client, super::A);
    assert_eq!(recording.world_at(at(99_000)).n_entries, recording.log().n_entries());
}

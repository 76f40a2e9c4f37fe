//! Seeking: a snapshot and a short replay give the same world as folding the whole log.

use std::collections::BTreeSet;

use fenceline::scenarios::GALLERY;
use fenceline::sim::fact::{Fact, LeaseEnd, ServiceFact, StoreFact};
use fenceline::sim::limits::SNAPSHOT_EVERY;
use fenceline::sim::scenario::Length;
use fenceline::sim::{Change, EntrySeq, LogEntry, Recording, World};

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

/// The places of the last answers among `entries`, found by looking back from their end.
fn last_answers(entries: &[LogEntry]) -> BTreeSet<EntrySeq> {
    let kind = |entry: &LogEntry| match entry.fact {
        Fact::Service(
            _,
            ServiceFact::Granted { .. }
            | ServiceFact::GrantedAgain { .. }
            | ServiceFact::Queued { .. }
            | ServiceFact::Refused { .. },
        ) => "asked",
        Fact::Service(_, ServiceFact::Renewed { .. } | ServiceFact::RenewRefused { .. }) => {
            "renewed"
        }
        Fact::Service(
            _,
            ServiceFact::ReleaseRefused { .. }
            | ServiceFact::SettleRefused { .. }
            | ServiceFact::LeaseEnded {
                how: LeaseEnd::Released | LeaseEnd::ReleasedBy(_) | LeaseEnd::Settled(_),
                ..
            },
        ) => "released",
        Fact::Store(_, StoreFact::SealAccepted { .. } | StoreFact::SealRefused { .. }) => "sealed",
        Fact::Store(
            _,
            StoreFact::WriteAccepted { .. }
            | StoreFact::WriteRefused { .. }
            | StoreFact::DuplicateIgnored { .. },
        ) => "written",
        Fact::Store(_, StoreFact::EpochUnknown { .. }) => "unknown",
        Fact::Store(_, StoreFact::Effect { .. }) => "acted",
        _ => "",
    };
    let kinds = ["asked", "renewed", "released", "sealed", "written", "unknown", "acted"];
    let last = |of: &str| entries.iter().rfind(|entry| kind(entry) == of);
    let mut found: BTreeSet<_> = kinds.iter().filter_map(|of| Some(last(of)?.seq)).collect();
    if let Some(write) = last("written")
        && let Some(who) = write.fact.about().client
    {
        let before = entries[..write.seq.index()].iter();
        let read = before.rev().find(|entry| {
            matches!(entry.fact, Fact::Store(_, StoreFact::ReadServed { client, .. })
                if client == who)
        });
        found.extend(read.map(|entry| entry.seq));
    }
    found
}

#[test]
fn the_world_has_the_last_answer_of_each_kind() {
    for listed in GALLERY {
        let recording = Recording::of(&listed.file().base().expect("the gallery is valid"));
        let n_entries = recording.log().n_entries();
        for n in (0..n_entries.min(400)).chain([n_entries]) {
            let found = last_answers(&recording.entries()[..n as usize]);
            let kept: BTreeSet<_> = recording.world_after(n).answers.all().collect();
            assert_eq!(kept, found, "{}, after {n}", listed.id);
        }
    }
}

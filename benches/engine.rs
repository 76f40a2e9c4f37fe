//! Native figures: engine, seek, memory, ranges, causes, remedies. `cargo xtask bench` runs it; it
//! prints one line a figure, `name<TAB>value<TAB>unit`. No assertion: speed is measured here and
//! tested nowhere.

use std::hint::black_box;
use std::time::{Duration, Instant};

use fenceline::explore::remedies::Row;
use fenceline::explore::{CauseSearch, RangeSearch, RemedySearch};
use fenceline::scenarios::GALLERY;
use fenceline::sim::course;
use fenceline::sim::id::FaultId;
use fenceline::sim::scenario::{ClientSpec, Length, Quantity, Renew, Repeat};
use fenceline::sim::{
    Change, LogEntry, Recording, Scenario, ScenarioFile, SimDuration, SimTime, World, limits,
};

/// The first scenario with these changes.
fn scenario(changes: &[Change]) -> Scenario {
    let base = GALLERY[0].file().base().expect("the gallery's scenarios are valid");
    base.with(changes).expect("the changes fit")
}

/// Three clients, a minute, about 200 entries.
fn typical() -> Scenario {
    let third = ClientSpec::asking_at(SimTime::from_millis(1_500));
    let minute = Length::Fixed(SimDuration::from_secs(60));
    scenario(&[
        Change::AddClient(third),
        Change::Length(minute),
        Change::Fencing(true),
        Change::Renew(Renew::Every(SimDuration::from_millis(1_500))),
    ])
}

/// Eight busy clients for a day: it reaches the limit of events.
fn longest() -> Scenario {
    let others = (2..8).map(|n| ClientSpec::asking_at(SimTime::from_millis(n * 700)));
    let mut changes: Vec<_> = others.map(Change::AddClient).collect();
    changes.extend([
        Change::Length(Length::Fixed(limits::MAX_DURATION)),
        Change::Release(true),
        Change::Work(SimDuration::from_millis(400)),
        Change::Repeat(Repeat::After(SimDuration::from_millis(300))),
        Change::Renew(Renew::Every(SimDuration::from_millis(200))),
    ]);
    scenario(&changes)
}

/// The median time of one call.
fn median(n_calls: u32, mut call: impl FnMut()) -> Duration {
    let time = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        call();
        start.elapsed()
    };
    let mut times: Vec<_> = (0..n_calls).map(|_| time(&mut call)).collect();
    times.sort();
    times[times.len() / 2]
}

fn print(name: &str, value: impl std::fmt::Display, unit: &str) {
    println!("{name}\t{value}\t{unit}");
}

fn micros(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e6)
}

fn main() {
    let typical = typical();
    let recording = Recording::of(&typical);
    print("typical run: entries", recording.log().n_entries(), "entries");
    let time = median(2_000, || {
        drop(black_box(Recording::of(black_box(&typical))));
    });
    print("typical run", micros(time), "µs");

    let first = scenario(&[]);
    let both = median(2_000, || {
        let fenced = first.with(&[Change::Fencing(true)]).expect("fits");
        drop(black_box((Recording::of(&first), Recording::of(&fenced))));
    });
    print("first scenario, both runs", micros(both), "µs");

    let longest = longest();
    let run = median(3, || drop(black_box(Recording::of(&longest))));
    let recording = Recording::of(&longest);
    let n = recording.log().n_entries();
    print("longest run: entries", n, "entries");
    print("longest run", format!("{:.0}", run.as_secs_f64() * 1e3), "ms");
    print("engine", format!("{:.2}", f64::from(n) / run.as_secs_f64() / 1e6), "M entries/s");
    print("entry", size_of::<LogEntry>(), "bytes");
    print("recording", format!("{:.1}", bytes_per_entry(&recording)), "bytes/entry");
    for of in [10_000, n] {
        seek(&recording, of);
    }

    let pause = Quantity::FaultLength(FaultId(1));
    let search = RangeSearch::new(&first, pause).finish();
    let time = median(5, || {
        drop(black_box(RangeSearch::new(&first, pause).finish()));
    });
    print("ranges of the pause, one run", micros(time), "µs");
    print("ranges of the pause: runs", search.n_runs(), "runs");
    let complete = search.ranges().complete.map_or(0, |(_, to)| to.micros() / 1_000_000);
    print("ranges of the pause: complete up to", complete, "s");
    let recording = Recording::of(&first);
    let search = CauseSearch::new(&recording).finish();
    let time = median(500, || {
        drop(black_box(CauseSearch::new(&recording).finish()));
    });
    print("causes of the first scenario", micros(time), "µs");
    print("causes of the first scenario: runs", search.found().n_runs, "runs");
    let check = median(5, || {
        for changes in [&[][..], &[Change::Fencing(true)]] {
            let run = Recording::of(&first.with(changes).expect("fits"));
            black_box(run.history().units().len());
            drop(black_box(CauseSearch::new(&run).finish()));
            drop(black_box(RangeSearch::new(run.scenario(), pause).finish()));
        }
    });
    print("first scenario, both runs with history, causes and ranges", micros(check), "µs");
    followed(&first);
    remedies();
}

/// What a run takes whose course is followed.
fn followed(scenario: &Scenario) {
    let mut room = Vec::new();
    let time = median(2_000, || {
        drop(black_box(course::followed(&mut room, || Recording::of(scenario))));
    });
    print("first scenario, one run, followed", micros(time), "µs");
    print("first scenario: conditions", room.len(), "conditions");
}

/// The table of remedies of eight clients that poll: until all verdicts are there, and until all
/// ranges are.
fn remedies() {
    let file = ScenarioFile::parse(include_str!("remedies.json")).expect("valid");
    let base = file.base().expect("valid");
    let mut search = RemedySearch::new(&base, Some(file.main_quantity()));
    let start = Instant::now();
    while !search.has_verdicts() {
        search.step(1);
    }
    let print_since = |name, start: Instant| {
        print(name, format!("{:.2}", start.elapsed().as_secs_f64()), "s");
    };
    print_since("remedies of eight polling clients, verdicts", start);
    print("remedies of eight polling clients", search.table().rows.len(), "rows");
    let start = Instant::now();
    let n_threads = search_ranges(&mut search);
    let table = search.finish();
    print("remedies of eight polling clients", n_threads, "threads");
    print_since("remedies of eight polling clients, ranges", start);
    let is_searched = |row: &&Row| row.breaks.ranges().is_none_or(|ranges| !ranges.is_cut);
    let n_searched = table.rows.iter().filter(is_searched).count();
    print("remedies of eight polling clients, within the bound", n_searched, "rows");
}

/// On every core; returns how many.
#[cfg(not(target_family = "wasm"))]
fn search_ranges(search: &mut RemedySearch) -> usize {
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    search.search_in_parallel(n_threads, &|_, _| ());
    n_threads
}

/// A page has no threads.
#[cfg(target_family = "wasm")]
fn search_ranges(search: &mut RemedySearch) -> usize {
    while !search.step(u32::MAX) {}
    1
}

/// Entries and snapshots, which are what grows with a run.
fn bytes_per_entry(recording: &Recording) -> f64 {
    let n = f64::from(recording.log().n_entries());
    let world = recording.world_after(0);
    let heap = world.clients.len() * size_of_val(&world.clients[0])
        + world.stores.len() * size_of_val(&world.stores[0])
        + 8;
    let snapshots = n / f64::from(limits::SNAPSHOT_EVERY);
    let of_snapshots = snapshots * (size_of::<World>() + heap) as f64;
    size_of::<LogEntry>() as f64 + of_snapshots / n
}

/// Seeks to places spread over the first `of` entries; the 99th of a hundred and the worst.
fn seek(recording: &Recording, of: u32) {
    let mut times: Vec<_> = (0..10_000_u32)
        .map(|i| {
            let to = i.wrapping_mul(2_654_435_761) % of;
            let start = Instant::now();
            drop(black_box(recording.world_after(black_box(to))));
            start.elapsed()
        })
        .collect();
    times.sort();
    print(&format!("seek in {of} entries, 99 %"), micros(times[9_899]), "µs");
    print(&format!("seek in {of} entries, worst"), micros(times[9_999]), "µs");
}

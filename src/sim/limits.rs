//! Every limit of the product, in one place, each with its reason. A limit is part of the file
//! format: raising one is compatible, lowering one is not.

use super::time::SimDuration;

/// Clients in a scenario. Eight lanes are what a screen shows and what the known cases need.
pub const MAX_CLIENTS: usize = 8;
/// Nodes of a lock service; Redlock with nine nodes is the largest that its authors discuss.
pub const MAX_LOCK_NODES: usize = 9;
/// Stores that one lock protects.
pub const MAX_STORES: usize = 4;
/// Faults in a scenario: more than fit on a timeline, few enough to scan on every event.
pub const MAX_FAULTS: usize = 64;
/// The longest run and the longest single duration: a day.
pub const MAX_DURATION: SimDuration = SimDuration::from_secs(24 * 3600);
/// The shortest time to live: below it the lease is over before any reply has landed.
pub const MIN_TTL: SimDuration = SimDuration::from_millis(1);
/// The shortest interval of anything that repeats, so that a day of it stays countable.
pub const MIN_INTERVAL: SimDuration = SimDuration::from_millis(1);
/// Entries of one event log. At 56 bytes each the log of a full run takes 56 MB.
pub const MAX_EVENTS: u32 = 1_000_000;
/// Steps of the engine in one run, counted apart from the log so that a run whose steps log
/// nothing still ends.
pub const MAX_STEPS: u32 = 8_000_000;
/// Steps that a question over many runs may take before it says what it has not tried: more than
/// the longest scenario of the gallery takes, and some fifteen seconds natively.
pub const MAX_SEARCH_STEPS: u64 = 100_000_000;
/// Steps that the complete part of a search for ranges may take; beyond it the range is sampled.
/// The first scenario comes to more than a minute with it, in some milliseconds natively.
pub const MAX_WALK_STEPS: u64 = 30_000;
/// The same of the longer search that follows it at leisure in the page, and natively by
/// `check --thorough`: ten minutes of client-go's defaults, which renew every two seconds, take ten
/// million, the first scenario one.
pub const MAX_LONG_WALK_STEPS: u64 = 12_000_000;
/// Steps that the search for causes may take before it says that not all was tried: some twenty
/// faults and settings in threes where a run takes a thousand steps, and some three seconds
/// natively.
pub const MAX_CAUSE_STEPS: u64 = 20_000_000;
/// Faults and settings that are taken out together, at most. More than three that are each needed
/// not to happen are no cause that a sentence could name.
pub const MAX_CAUSES_TOGETHER: usize = 3;
/// Seeds with which a cause is tried in a scenario that draws random numbers.
pub const CAUSE_SEEDS: u32 = 16;
/// Runs that are made to find, in a run without a fault, the messages that the other faults struck:
/// each puts at least one more of them right.
pub const MAX_AIMS: u32 = 8;
/// Bytes of a scenario file.
pub const MAX_FILE_BYTES: usize = 1_000_000;
/// Characters of a link that are read. Links of this program are far shorter; browsers take more.
pub const MAX_LINK_CHARS: usize = 64_000;
/// Events in the list of a page that plays by itself: as many as a browser still scrolls well.
pub const MAX_PLAYED_EVENTS: u32 = 4_000;
/// Bytes of that list. With the drawing, which is bounded by its pixels, the file stays below
/// [`MAX_FILE_BYTES`] and can be opened again.
pub const MAX_LIST_BYTES: usize = 600_000;
/// Units of work that an export tells of a run's history; `fenceline run --history` tells all.
pub const MAX_TOLD_UNITS: usize = 200;
/// Lines of the event list in a write-up: what somebody reads in a post-mortem.
pub const MAX_WRITE_UP_EVENTS: usize = 60;
/// Bytes of the history in a page that plays by itself.
pub const MAX_HISTORY_BYTES: usize = 100_000;
/// Origins whose messages a page inside another page takes.
pub const MAX_EMBED_ORIGINS: usize = 8;
/// Characters of a message from the page around; all that are meant for this page are far shorter.
pub const MAX_MESSAGE_CHARS: usize = 2_000;
/// Scenarios that the page keeps on the device: as many as somebody still recognises in a list.
pub const MAX_RECENT: usize = 20;
/// Bytes of them together. Browsers give a page five million, and other pages of the same address
/// may want some.
pub const MAX_RECENT_BYTES: usize = 500_000;
/// Characters of a title or a label; notes may be longer.
pub const MAX_TITLE_CHARS: usize = 200;
/// Characters of a product's name in files.
pub const MAX_PRODUCT_CHARS: usize = 40;
/// Characters of the notes of a scenario.
pub const MAX_NOTES_CHARS: usize = 20_000;
/// Characters of an actor's name in an incident: host names with their domain mostly fit.
pub const MAX_NAME_CHARS: usize = 60;
/// Names of actors in an incident: one for each node that there can be.
pub const MAX_NAMES: usize = MAX_CLIENTS + MAX_LOCK_NODES + MAX_STORES;
/// Observed lines of an incident: more than can be told apart above the lanes.
pub const MAX_OBSERVED: usize = 200;
/// Characters of an observed line; longer ones are cut when they are pasted.
pub const MAX_LINE_CHARS: usize = 300;
/// Characters that are pasted as observed lines at once.
pub const MAX_PASTED_CHARS: usize = 200_000;
/// Writes that a worker makes under one grant.
pub const MAX_WRITES_PER_GRANT: u32 = 1_000;
/// Deliveries of an item of a queue until it is dead.
pub const MAX_DELIVERIES: u32 = 1_000;
/// Retries of one request.
pub const MAX_RETRIES: u32 = 1_000;
/// How much slower than true time a clock may run, in parts per million: at half the rate.
pub const MAX_SLOWNESS_PPM: i32 = 500_000;
/// How much faster it may run, in parts per million: at twice the rate.
pub const MAX_FASTNESS_PPM: i32 = 1_000_000;
/// The largest clock rate error that a client's deadline may allow for, in parts per million.
pub const MAX_RATE_ERROR_PPM: u32 = 900_000;
/// Changes in a comparison.
pub const MAX_CHANGES: usize = 64;
/// Entries between two snapshots. Folding an entry takes a few nanoseconds, so that a seek replays
/// for a few microseconds; a snapshot of eight clients takes about 2 kB, so that at 512 it adds
/// four bytes to an entry. The worst seek in a million entries stays far below a frame.
pub const SNAPSHOT_EVERY: u32 = 512;
/// The shortest automatic run: below it a reader has no scale to compare with.
pub const MIN_AUTOMATIC_RUN: SimDuration = SimDuration::from_secs(20);

//! Quartz in a cluster: a node is failed by another one that looks at its last check-in, and
//! nothing stops it.

use super::super::Recording;
use super::{is_before, of};

/// How long a node may be silent beyond its interval.
const MISFIRE: u64 = 7_500;

/// How often nodes check in, and look at each other.
const INTERVAL: u64 = 1_000;

#[test]
fn a_node_that_is_silent_for_too_long_has_its_job_run_again_elsewhere() {
    let recording = Recording::of("quartz");
    let part = recording.part("pause");
    let recovered = part.all("recovered")[0];
    // Its last check-in was up to an interval before it stopped.
    recovered.assert_ends("after", MISFIRE, 3 * INTERVAL);
    assert_eq!(part.column("start", "who"), ["A", "B"]);
    assert_eq!(part.column("start", "recovering"), ["no", "yes"]);
    assert_eq!(part.all("tables")[1].get("nodes"), "B", "A's own row is gone");
}

#[test]
fn the_failed_node_runs_on_beside_the_next() {
    let recording = Recording::of("quartz");
    let part = recording.part("pause");
    let (a, b) = (of(part, "write", "A")[0], of(part, "write", "B")[0]);
    assert!(is_before(part, of(part, "start", "B")[0], a) && is_before(part, a, b));
    // A checks in again, and its end changes nothing for B.
    assert_eq!(part.column("tables", "executing"), ["A", "B", "B", "none"]);
    assert_eq!(part.all("tables")[2].get("nodes"), "A,B");
}

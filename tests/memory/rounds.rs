//! Ten runs of a million entries, each made while the one before is shown, as the page does it; and
//! the same with lists that grow by copies, which must not pass. Each is a process of its own.

use std::collections::BTreeMap;
use std::env;
use std::hint::black_box;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;

use fenceline::scenarios::GALLERY;
use fenceline::sim::fact::{Fact, MessageFact};
use fenceline::sim::id::NodeId;
use fenceline::sim::scenario::{ClientSpec, Length, Renew, Repeat};
use fenceline::sim::{Change, ScenarioFile, SimDuration, SimTime, limits};
use fenceline::view_model::runs::Runs;
use fenceline::view_model::runs::computing::Computing;
use fenceline::view_model::runs::moment::Moment;
use fenceline::view_model::tracks::flight::{Fate, Flight};
use fenceline::view_model::tracks::shown::Shown;

use super::grows;

const N_RUNS: usize = 10;
/// How much more there may be after the last run than after the second, which is the first that is
/// made beside another: a twentieth. Seen were 2.0 to 2.7 %, as the pieces happen to fit, and 7.1
/// to 9.8 % with lists that grow by copies.
const PARTS: usize = 20;

/// How a process is told to measure: the runs as they are, or with lists that grow by copies.
const AS_THEY_ARE: &str = "measure-as-they-are";
const BY_COPIES: &str = "measure-by-copies";

pub(crate) fn main() {
    let mut arguments = env::args().skip(1);
    match arguments.find(|argument| argument == AS_THEY_ARE || argument == BY_COPIES) {
        Some(how) => measure(how == BY_COPIES),
        None => compare(),
    }
}

fn compare() {
    let (good, bad) = (start(AS_THEY_ARE), start(BY_COPIES));
    let (good, bad) = (taken(good), taken(bad));
    println!("bytes after each run: {good:?}");
    println!("the same with lists that grow by copies: {bad:?}");
    assert!(!rises(&good), "long runs take more and more memory");
    assert!(rises(&bad), "this test cannot fail: it does not see what grows by copies");
}

fn start(how: &str) -> Child {
    let program = env::current_exe().expect("it runs");
    let mut process = Command::new(program);
    process.arg(how).stdout(Stdio::piped()).spawn().expect("it is there")
}

/// What a process had after each run.
fn taken(process: Child) -> Vec<usize> {
    let output = process.wait_with_output().expect("it was started");
    assert!(output.status.success(), "a process that measures ended with {}", output.status);
    let text = String::from_utf8(output.stdout).expect("it prints numbers");
    let taken: Vec<_> = text.lines().map(|line| line.parse().expect("a number")).collect();
    assert_eq!(taken.len(), N_RUNS);
    taken
}

fn rises(taken: &[usize]) -> bool {
    taken[N_RUNS - 1] - taken[1] > taken[1] / PARTS
}

fn measure(by_copies: bool) {
    let file = longest();
    let mut shown = None;
    for _ in 0..N_RUNS {
        let mut computing = Computing::new(&file).expect("it is valid");
        while !computing.step(2_000) {}
        let runs = Rc::new(computing.finish());
        assert_eq!(runs.run_1.log().n_entries(), limits::MAX_EVENTS);
        let copies = by_copies.then(|| Copies::of(&runs));
        // Both are there until here, as on the page.
        shown = Some((Shown::of(&runs), copies));
        println!("{}", grows::taken());
    }
    drop(black_box(shown));
}

/// Eight busy clients for a day: it reaches the limit of entries.
fn longest() -> ScenarioFile {
    let mut file = GALLERY[0].file();
    file.compare.clear();
    let others = (2..8).map(|n| ClientSpec::asking_at(SimTime::from_millis(n * 700)));
    let others = others.map(Change::AddClient);
    let busy = [
        Change::Length(Length::Fixed(limits::MAX_DURATION)),
        Change::Release(true),
        Change::Work(SimDuration::from_millis(400)),
        Change::Repeat(Repeat::After(SimDuration::from_millis(300))),
        Change::Renew(Renew::Every(SimDuration::from_millis(200))),
    ];
    for change in others.chain(busy) {
        change.apply(&mut file.scenario).expect("it fits");
    }
    file
}

/// The moments and the messages of a run once more, in lists that grow while they are filled.
struct Copies {
    _moments: Vec<Moment>,
    _flights: BTreeMap<(NodeId, NodeId), Vec<Flight>>,
}

impl Copies {
    fn of(runs: &Runs) -> Self {
        let mut moments = Vec::new();
        runs.moments.iter().for_each(|moment| moments.push(moment));
        moments.shrink_to_fit();
        let mut flights: BTreeMap<_, Vec<Flight>> = BTreeMap::new();
        let mut places = Vec::new();
        for entry in runs.run_1.entries() {
            if let Fact::Message(from, MessageFact::Sent { message, to, kind, arrives, .. }) =
                entry.fact
            {
                let route = flights.entry((from, to)).or_default();
                places.push((message, from, to, route.len()));
                let fate = Fate::Arrived;
                route.push(Flight { sent: entry.at, arrives, kind, fate, tells: true });
            }
        }
        drop(black_box(places));
        Self { _moments: moments, _flights: flights }
    }
}

//! Tests of the faults as things to hold: what each grip changes, and what marks are called.

use super::*;
use crate::scenarios::GALLERY;
use crate::sim::id::ClientId;
use crate::sim::message::MessageKind;
use crate::sim::scenario::{Change, PauseKind, PauseScope, Renew, ScenarioFile};
use crate::view_model::drawing::scale::TimeView;
use crate::view_model::runs::Runs;
use crate::view_model::timeline::layout::layout;
use std::rc::Rc;

const SECOND: SimDuration = SimDuration::from_secs(1);

fn at(millis: u64) -> SimTime {
    SimTime::from_millis(millis)
}

fn marks(file: &ScenarioFile) -> Vec<FaultMark> {
    let runs = Runs::of(file).expect("it is valid");
    let shown = Shown::of(&Rc::new(runs));
    let metrics = Metrics::new(Px::whole(796), 12, false);
    layout(&shown, TimeView::whole(shown.ends_at()), metrics).faults
}

fn with(kind: FaultKind) -> (ScenarioFile, Fault) {
    let mut file = GALLERY[0].file();
    let id = FaultId(9);
    let fault = Fault { id, label: String::new(), enabled: true, kind };
    file.scenario.faults = vec![fault.clone()];
    (file, fault)
}

fn pause(millis: u64, length: SimDuration) -> FaultKind {
    FaultKind::Pause {
        client: ClientId(0),
        scope: PauseScope::Client,
        kind: PauseKind::Process,
        start: Start::At(at(millis)),
        length,
    }
}

#[test]
fn a_pause_moves_whole_or_by_one_end() {
    let (file, fault) = with(pause(2_000, SECOND.times(15)));
    let all = marks(&file);
    let mark = &all[0];
    let moved = |grip, millis| mark.moved(&fault, grip, at(millis)).kind;
    assert_eq!(moved(Grip::Body, 3_000), pause(3_000, SECOND.times(15)));
    assert_eq!(moved(Grip::Start, 3_000), pause(3_000, SECOND.times(14)));
    assert_eq!(moved(Grip::End, 3_000), pause(2_000, SECOND));
    // Neither end passes the other.
    assert_eq!(moved(Grip::Start, 30_000), pause(17_000, SimDuration::ZERO));
    assert_eq!(moved(Grip::End, 1_000), pause(2_000, SimDuration::ZERO));
    let open = FaultMark { to: None, end: None, ..mark.clone() };
    let moved = open.moved(&fault, Grip::Start, at(3_000)).kind;
    assert_eq!(moved, pause(3_000, SECOND.times(14)));
}

#[test]
fn a_pause_of_no_length_can_still_be_held() {
    let (file, _) = with(pause(2_000, SimDuration::ZERO));
    let all = marks(&file);
    assert_eq!((all[0].from, all[0].to), (at(2_000), Some(at(2_000))));
}

#[test]
fn two_faults_of_one_name_are_told_apart() {
    let (mut file, fault) = with(pause(2_000, SECOND));
    let mut second = fault;
    second.id = FaultId(10);
    second.kind = pause(8_000, SECOND);
    file.scenario.faults.push(second);
    let names: Vec<_> = marks(&file).into_iter().map(|mark| mark.name).collect();
    assert_eq!(names, ["Client A pause", "Client A pause 2"]);
}

#[test]
fn a_fault_that_both_stacks_show_is_held_in_either() {
    let (mut file, fault) = with(pause(2_000, SECOND.times(15)));
    // Renewal against none: the lock service's lane differs early on.
    file.compare = vec![Change::Renew(Renew::Off)];
    let all = marks(&file);
    let names: Vec<_> = all.iter().map(|mark| (mark.run, mark.name.as_str())).collect();
    let expected = [(RunNo::One, "Client A pause"), (RunNo::Two, "Client A pause in Run 2")];
    assert_eq!(names, expected);
    assert!(all[1].y > all[0].bottom, "in its own stack");
    let moved = all[1].moved(&fault, Grip::Body, at(3_000)).kind;
    assert_eq!(moved, pause(3_000, SECOND.times(15)));
    // What the comparison sets itself no edit of the set-up moves.
    let other = Fault { kind: pause(4_000, SECOND.times(20)), ..fault };
    file.compare.push(Change::ReplaceFault(other));
    assert!(marks(&file).iter().all(|mark| mark.run == RunNo::One));
}

#[test]
fn a_fault_that_only_run_2_has_is_held_where_it_is_drawn() {
    let (mut file, fault) = with(pause(2_000, SECOND.times(15)));
    file.scenario.faults[0].enabled = false;
    file.compare = vec![Change::EnableFault { id: fault.id, enabled: true }];
    let all = marks(&file);
    let names: Vec<_> = all.iter().map(|mark| (mark.run, mark.name.as_str())).collect();
    assert_eq!(names, [(RunNo::Two, "Client A pause in Run 2")]);
}

#[test]
fn a_delayed_message_is_held_at_its_head() {
    let address = MessageAddress {
        from: NodeId::Client(ClientId(0)),
        to: NodeId::Store(crate::sim::id::StoreId(0)),
        kind: MessageKind::Write,
        nth: 1,
    };
    let delay = |by| FaultKind::Delay { message: address, by };
    let (file, fault) = with(delay(SECOND.times(3)));
    let all = marks(&file);
    let mark = &all[0];
    let to = mark.to.expect("it arrives");
    assert_eq!(to.since(mark.from), SimDuration::from_millis(3_100));
    let later = mark.moved(&fault, Grip::End, to + SECOND);
    assert_eq!(later.kind, delay(SECOND.times(4)));
    let sooner = mark.moved(&fault, Grip::End, SimTime::ZERO);
    assert_eq!(sooner.kind, delay(SimDuration::ZERO));
}

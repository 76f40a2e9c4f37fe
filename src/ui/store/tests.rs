//! The state through actions: edits, drags, undo, bad values, long runs.

use super::*;
use crate::scenarios::GALLERY;
use crate::scenarios::products::Products;
use crate::sim::scenario::{Length, LockSystem, Quantity, Repeat};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::drawing::scale::TimeAxis;
use crate::view_model::sentences::verdict;

const PAUSE: Quantity = Quantity::FaultLength(FaultId(1));

fn seconds(seconds: u64) -> SimDuration {
    SimDuration::from_secs(seconds)
}

fn pause(state: &AppState) -> SimDuration {
    PAUSE.value(&state.file.scenario).expect("it has a pause")
}

pub(super) fn verdicts(state: &AppState) -> Vec<String> {
    let shown = state.runs.shown();
    let texts = shown.filter_map(|(run, _)| verdict::of_run(&state.runs, run));
    texts.map(|text| text.text).collect()
}

#[test]
fn the_page_opens_still_at_the_first_bad_event() {
    let state = AppState::initial();
    assert_eq!(state.clock.now(), SimTime::from_millis(17_100));
    assert_eq!(verdicts(&state), ["Corrupted at 17.1 s", "Safe in this run"]);
    assert_eq!(state.fencing, FencingMode::Both);
    assert!(!state.can_undo() && !state.can_redo());
}

#[test]
fn a_drag_is_one_step_and_the_playhead_stays() {
    let mut state = AppState::initial();
    for length in [14, 12, 9, 5] {
        state.apply(AppAction::DragEdit(PAUSE.set(seconds(length))));
        assert!(state.is_dragging());
        assert_eq!(pause(&state), seconds(length));
        assert_eq!(state.clock.now(), SimTime::from_millis(17_100));
    }
    state.apply(AppAction::DragEnd);
    assert_eq!(verdicts(&state), ["Safe in this run", "Safe in this run"]);
    state.apply(AppAction::Undo);
    assert_eq!(pause(&state), seconds(15));
    assert!(!state.can_undo());
    state.apply(AppAction::Redo);
    assert_eq!(pause(&state), seconds(5));
    assert!(!state.can_redo());
}

#[test]
fn every_key_counts_though_none_was_drawn() {
    let mut state = AppState::initial();
    for _ in 0..47 {
        state.apply(AppAction::Slide(PAUSE, Slide::Steps(-1)));
    }
    assert_eq!(pause(&state), SimDuration::from_millis(10_300));
}

#[test]
fn a_drag_that_comes_back_is_no_step() {
    let mut state = AppState::initial();
    state.apply(AppAction::DragEdit(PAUSE.set(seconds(9))));
    state.apply(AppAction::DragEdit(PAUSE.set(seconds(15))));
    state.apply(AppAction::DragEnd);
    assert!(!state.can_undo());
}

#[test]
fn a_bad_value_changes_nothing_but_the_message() {
    let mut state = AppState::initial();
    let before = state.file.clone();
    state.apply(AppAction::Edit(Change::Ttl(SimDuration::ZERO)));
    assert_eq!(state.file, before);
    let problem = state.problem.clone().expect("it says why");
    assert!(problem.contains("0 s is out of range"), "{problem}");
    state.apply(AppAction::Edit(Change::RemoveFault(FaultId(9))));
    assert!(state.problem.is_some());
    assert!(!state.can_undo());
    state.apply(AppAction::Edit(Change::Ttl(seconds(20))));
    assert_eq!(state.problem, None);
    assert_eq!(verdicts(&state)[0], "Safe in this run");
}

#[test]
fn every_edit_is_undone_in_turn() {
    let mut state = AppState::initial();
    let first = state.file.clone();
    state.apply(AppAction::Edit(Change::Ttl(seconds(20))));
    state.apply(AppAction::SetFencing(FencingMode::On));
    state.apply(AppAction::LoadScenario("no-expiry"));
    assert_eq!(verdicts(&state)[0], "Unavailable from 2.0 s");
    assert_eq!(state.clock.now(), SimTime::from_millis(2_000));
    for _ in 0..3 {
        state.apply(AppAction::Undo);
    }
    assert_eq!(state.file, first);
    assert_eq!(state.scenario, "paused-holder");
    assert_eq!(state.fencing, FencingMode::Both);
    for _ in 0..3 {
        state.apply(AppAction::Redo);
    }
    assert_eq!(state.scenario, "no-expiry");
}

#[test]
fn fencing_is_read_from_the_file_and_written_to_it() {
    let mut state = AppState::initial();
    for mode in FencingMode::ALL {
        state.apply(AppAction::SetFencing(mode));
        assert_eq!(FencingMode::of(&state.file), mode);
        assert_eq!(state.runs.run_2.is_some(), mode == FencingMode::Both);
    }
    // Another comparison stays beside off and on.
    state.apply(AppAction::LoadScenario("renew-or-lose-it"));
    state.apply(AppAction::SetFencing(FencingMode::On));
    assert!(state.runs.run_2.is_some());
    assert!(matches!(state.runs.compare[..], [Change::Renew(_)]));
}

fn long_run(state: &mut AppState) {
    let mut repeat = Change::Repeat(Repeat::After(SimDuration::ZERO));
    state.apply(AppAction::Edit(repeat.clone()));
    repeat = Change::Length(Length::Fixed(seconds(24 * 3600)));
    state.apply(AppAction::Edit(repeat));
}

#[test]
fn a_long_run_is_made_aside_and_the_last_picture_stays() {
    let mut state = AppState::initial();
    long_run(&mut state);
    let shown = state.runs.ends_at();
    let pending = state.pending.clone().expect("a day does not fit a frame");
    assert!(shown < SimTime::ZERO + seconds(3600));
    assert_eq!(state.edited(), &pending.file);

    // An edit on top of it takes its place, and what comes too late is not shown.
    state.apply(AppAction::Edit(Change::Length(Length::Fixed(seconds(90)))));
    assert!(state.pending.is_none());
    let late = Rc::new(Runs::of(&state.file).expect("it is valid"));
    state.apply(AppAction::Computed(pending, late));
    assert_eq!(state.runs.ends_at(), SimTime::ZERO + seconds(90));
}

#[test]
fn a_long_run_can_be_given_up_or_undone() {
    let mut state = AppState::initial();
    long_run(&mut state);
    let before = state.file.clone();
    state.apply(AppAction::CancelComputing);
    assert_eq!((state.pending.is_none(), &state.file), (true, &before));
    long_run(&mut state);
    state.apply(AppAction::Undo);
    assert_eq!((state.pending.is_none(), &state.file), (true, &before));
}

#[test]
fn a_long_run_arrives_as_one_edit() {
    let mut state = AppState::initial();
    long_run(&mut state);
    let before = state.file.clone();
    let pending = state.pending.clone().expect("it is under way");
    // Any runs do: what matters is what becomes of them.
    let runs = state.runs.clone();
    state.apply(AppAction::Computed(pending.clone(), runs));
    assert_eq!(state.file, pending.file);
    state.apply(AppAction::Undo);
    assert_eq!(state.file, before);
}

#[test]
fn a_link_opens_where_it_was_made_and_is_one_step() {
    let mut sender = AppState::open(&GALLERY[3]);
    sender.apply(AppAction::Select(Selection::Moment(2)));
    let (start, end) = (SimTime::from_millis(1_000), SimTime::from_millis(9_000));
    sender.apply(AppAction::SetWindow(Window { start, end, fitted: false }));
    sender.apply(AppAction::SetAxis(TimeAxis::ToScale));
    sender.clock.set(SimTime::from_millis(2_500));
    let fragment = sender.fragment();

    let mut state = AppState::initial();
    state.apply(AppAction::Read(fragment.as_str().into(), Source::Link));
    assert_eq!((state.scenario, &state.file), (sender.scenario, &sender.file));
    assert_eq!(state.place(), sender.place());
    assert_eq!((state.axis, &state.notice), (TimeAxis::ToScale, &None));
    let opened = AppState::linked(&fragment, None);
    assert_eq!(opened.place(), sender.place());
    assert!(!opened.can_undo(), "nothing was there before");

    state.apply(AppAction::Undo);
    assert_eq!(state.scenario, GALLERY[0].id);
    assert_eq!(state.clock.now(), SimTime::from_millis(17_100), "it opens still, as at first");
}

#[test]
fn a_bad_link_or_file_changes_nothing_but_the_notice() {
    let mut state = AppState::initial();
    state.apply(AppAction::Edit(PAUSE.set(seconds(9))));
    let before = state.clone();
    for (text, source, begins) in [
        ("1.AAAA", Source::Link, "This link"),
        ("{\"version\": 1}", Source::File, "This file"),
        ("{", Source::Pasted, "This file"),
        ("<script>", Source::Pasted, "This link"),
    ] {
        state.apply(AppAction::Read(text.into(), source));
        let notice = state.notice.take().expect("it is told");
        assert!(notice.starts_with(begins), "{notice}");
        assert_eq!(state, before);
    }
    assert!(AppState::linked("1.AAAA", None).notice.is_some_and(|it| it.starts_with("This link")));
}

#[test]
fn a_file_that_is_short_for_a_product_waits_for_the_list_of_them() {
    let mut state = AppState::initial();
    let before = state.clone();
    let clients = r#""clients": [{ "asks_at": "0.1 s" }]"#;
    let short = |lock: &str| -> Rc<str> {
        let scenario = format!(r#"{{ "lock": "{lock}", {clients} }}"#);
        format!(r#"{{ "version": 1, "title": "t", "scenario": {scenario} }}"#).into()
    };
    for source in [Source::File, Source::Pasted] {
        state.apply(AppAction::Read(short("redisson"), source));
        assert_eq!((state.unread.as_ref(), &state.notice), (Some(&short("redisson")), &None));
        assert_eq!(state.file, before.file);
        state.apply(AppAction::DismissNotice);
        assert_eq!(state, before, "it is no longer wanted");
    }
    // What is opened in its place, or is told, ends the waiting.
    for action in [
        AppAction::Read(short("redis"), Source::File),
        AppAction::Read("{".into(), Source::File),
        AppAction::LoadScenario("no-expiry"),
        AppAction::Tell("no such product".into()),
    ] {
        state.apply(AppAction::Read(short("redisson"), Source::File));
        assert!(state.unread.is_some());
        state.apply(action);
        assert_eq!(state.unread, None);
    }
}

#[test]
fn a_products_numbers_are_one_edit_that_tells_what_no_longer_applies() {
    let products = Products::built_in();
    let mut state = AppState::initial();
    let redisson = products.find("redisson").expect("there");
    let file = redisson.set_up(&state.file).expect("it fits");
    state.apply(AppAction::Put(Rc::new(file)));
    assert_eq!(state.file.scenario.product.as_deref(), Some("redisson"));
    assert_eq!(pause(&state), seconds(15), "the schedule stays");
    let mut by_hand = AppState::initial();
    by_hand.apply(AppAction::Edit(Change::Lock(LockSystem::Redis)));
    assert_eq!(state.notice, by_hand.notice, "as of another lock system");
    state.apply(AppAction::Undo);
    assert_eq!(state.file.scenario.product, None);
}

#[test]
fn a_link_with_other_verdicts_says_so() {
    let file = GALLERY[0].file();
    let verdicts = vec![crate::sim::property::VerdictKind::Safe];
    let place = Place { verdicts, ..Place::default() };
    let fragment = crate::view_model::outside::link::Link { file, place }.to_fragment();
    let state = AppState::linked(&fragment, None);
    assert!(state.notice.is_some_and(|it| it.starts_with("This link was made where")));
}

#[test]
fn a_file_opens_without_what_names_nothing_and_says_so() {
    let mut file = GALLERY[0].file();
    file.view.main = Some(Quantity::FaultLength(FaultId(7)));
    let mut state = AppState::initial();
    state.apply(AppAction::Read(file.to_json().into(), Source::File));
    assert_eq!(state.file.view.main, None);
    let told = "Opened without what is not in this scenario: view.main: there is no fault";
    assert!(state.notice.as_deref().is_some_and(|it| it.starts_with(told)), "{:?}", state.notice);
    // What an edit leaves behind is nothing to tell after a reload.
    file.view.main = Some(PAUSE);
    state.apply(AppAction::Read(file.to_json().into(), Source::File));
    assert_eq!(state.notice, None);
    state.apply(AppAction::Edit(Change::RemoveFault(FaultId(1))));
    assert_eq!(state.file.view.main, Some(PAUSE), "an undo needs it");
    let reloaded = AppState::linked(&state.fragment(), None);
    assert_eq!((reloaded.notice, reloaded.file.view.main), (None, None));
}

#[test]
fn each_work_keeps_its_own_key() {
    let mut state = AppState::initial();
    assert!(!state.edited_here);
    state.apply(AppAction::Edit(PAUSE.set(seconds(9))));
    assert!(state.edited_here);
    let first = state.work.clone();
    let kept = Work::of("kept", 1, &GALLERY[0].file(), (GALLERY[0].id, false));
    state.apply(AppAction::OpenWork(Rc::new(kept)));
    assert_eq!(state.work.key.as_deref(), Some("kept"));
    assert!(!state.edited_here);
    state.apply(AppAction::Undo);
    assert_eq!(state.work, first, "an edit from here on is none of what was opened");
    state.apply(AppAction::Redo);
    assert_eq!(state.work.key.as_deref(), Some("kept"));
}

#[test]
fn what_is_switched_off_or_removed_stays_as_a_ghost_until_the_next_edit() {
    let id = FaultId(1);
    for change in [Change::EnableFault { id, enabled: false }, Change::RemoveFault(id)] {
        let mut state = AppState::initial();
        let before = state.runs.clone();
        state.apply(AppAction::Edit(change));
        assert_eq!(verdicts(&state), ["Safe in this run", "Safe in this run"]);
        let ghost = state.ghost.clone().expect("the old runs stay");
        assert!(Rc::ptr_eq(&ghost.runs, &before));
        assert!(ghost.words.contains("Run 1 Corrupted at 17.1 s"), "{}", ghost.words);
        let mut dropped = state.clone();
        dropped.apply(AppAction::DropGhost);
        assert_eq!(dropped.ghost, None);
        state.apply(AppAction::Undo);
        assert_eq!(state.ghost, None, "what is drawn is what happens");
        assert_eq!(verdicts(&state), ["Corrupted at 17.1 s", "Safe in this run"]);
    }
    let mut state = AppState::initial();
    state.apply(AppAction::Edit(Change::EnableFault { id, enabled: false }));
    state.apply(AppAction::Edit(Change::RemoveFault(id)));
    assert_eq!(state.ghost, None, "what was off did nothing");
}

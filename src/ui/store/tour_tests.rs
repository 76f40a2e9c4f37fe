//! Tours through actions: what they show, what they hide, and that the reader's work comes back.

use super::tests::verdicts;
use super::*;
use crate::sim::time::SimTime;
use crate::view_model::stories::tour::{TOURS, TourPlace};

fn place(link: &str) -> TourPlace {
    TourPlace::parse(link).expect("a tour's").expect(link)
}

fn go(state: &mut AppState, action: TourAction) {
    state.apply(AppAction::Tour(action));
}

#[test]
fn leaving_a_tour_gives_the_readers_own_work_back() {
    let mut state = AppState::initial();
    state.apply(AppAction::Edit(Change::Ttl(crate::sim::SimDuration::from_secs(20))));
    state.clock.set(SimTime::from_millis(5_000));
    let before = state.clone();
    go(&mut state, TourAction::Go(place("tour=beyond.1")));
    assert_eq!(state.scenario, "window-before-first-write");
    assert!(!state.can_undo(), "the tour's steps are not the reader's");
    state.apply(AppAction::SetFencing(FencingMode::Off));
    go(&mut state, TourAction::Next);
    go(&mut state, TourAction::Next);
    state.apply(AppAction::SetTheme(Theme::Dark));
    go(&mut state, TourAction::Leave);
    assert_eq!(state.file, before.file);
    assert_eq!(state.work, before.work);
    assert_eq!(state.clock.now(), SimTime::from_millis(5_000));
    assert!(state.can_undo() && state.tour.is_none() && !state.hide_future);
    assert_eq!(state.theme, Theme::Dark, "how the page is liked is not the tour's");
    state.apply(AppAction::Undo);
    assert_eq!(verdicts(&state)[0], "Corrupted at 17.1 s");
}

#[test]
fn a_question_hides_the_future_until_it_is_answered() {
    let mut state = AppState::initial();
    go(&mut state, TourAction::Go(place("tour=fence.3")));
    assert!(state.hide_future);
    let asked = state.tour.clone().expect("it is taken");
    assert_eq!(asked.ride.until, Some(SimTime::from_millis(17_000)));
    go(&mut state, TourAction::Answer(1));
    let answered = state.tour.clone().expect("it is taken");
    assert!(!state.hide_future && !answered.asks());
    assert_eq!(answered.ride.until, Some(SimTime::from_millis(17_100)));
    go(&mut state, TourAction::Answer(0));
    assert_eq!(state.tour, Some(answered), "an answer stands");
    go(&mut state, TourAction::Replay);
    assert!(state.hide_future, "it is asked again");
    // Whoever only goes on is shown the answer first.
    go(&mut state, TourAction::Next);
    assert_eq!(state.tour.as_ref().map(|touring| touring.place), Some(place("tour=fence.3")));
    assert!(!state.hide_future);
    go(&mut state, TourAction::Next);
    assert_eq!(state.tour.as_ref().map(|touring| touring.place), Some(place("tour=fence.4")));
}

#[test]
fn a_remote_leads_through_all_tours_and_out_again() {
    let mut state = AppState::initial();
    go(&mut state, TourAction::Go(TourPlace::start(0)));
    let mut presses = 0;
    while state.tour.is_some() {
        assert_eq!(state.problem, None);
        assert!(state.pending.is_none(), "every step is there at once");
        go(&mut state, TourAction::Next);
        presses += 1;
    }
    let steps = TOURS.iter().flat_map(|tour| tour.steps);
    let questions = steps.clone().filter(|step| step.question().is_some()).count();
    assert_eq!(presses, steps.count() + questions);
    assert_eq!(state.scenario, "paused-holder");
}

#[test]
fn a_link_opens_its_step_and_an_unknown_one_only_says_so() {
    let state = AppState::linked("tour=check.2", None);
    assert_eq!(state.fragment(), "tour=check.2");
    assert_eq!(state.clock.now(), SimTime::from_millis(17_500), "where its question is asked");
    let state = AppState::linked("tour=check.9", None);
    assert!(state.tour.is_none());
    assert!(state.notice.as_ref().is_some_and(|text| text.starts_with("This link asks")));
    let mut state = AppState::initial();
    let link = "https://host.example/a/#tour=fence.2".into();
    state.apply(AppAction::Read(link, Source::Pasted));
    assert_eq!(state.fragment(), "tour=fence.2");
    state.apply(AppAction::Read("tour=no".into(), Source::Link));
    assert_eq!(state.fragment(), "tour=fence.2", "a bad link loses nothing");
    assert!(state.notice.as_ref().is_some_and(|text| text.starts_with("This link names")));
    state.apply(AppAction::LoadScenario("no-expiry"));
    assert!(state.tour.is_none() && !state.hide_future);
    state.apply(AppAction::Undo);
    assert_eq!(state.scenario, "paused-holder", "what was there before the tour");
}

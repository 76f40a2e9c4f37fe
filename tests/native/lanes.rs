//! The lanes of the timeline and the state cards tell one run: at every entry of a log, what a lane
//! shows (the highest token, the value, the holder, a belief, a pause, who waits, whose key a node
//! of the service has and whom it leads) is what `World`
//! says there. Lanes hold times and no places in a log, so each is compared as the whole list of
//! steps that `World` takes, entry by entry.

use std::fs;
use std::path::Path;

use fenceline::scenarios::GALLERY;
use fenceline::sim::id::{ClientId, EntrySeq, FencingToken, GrantNo};
use fenceline::sim::scenario::PauseScope;
use fenceline::sim::world::{ClientState, NodeWork, Phase};
use fenceline::sim::{Recording, ScenarioFile, SimTime, World};
use fenceline::view_model::drawing::palette::TokenColor;
use fenceline::view_model::tracks::RunTracks;
use fenceline::view_model::tracks::nodes::NodeDoes;
use proptest::prelude::*;

use super::sim::random::strategy::scenario;

/// What was so, from when to when, in the order begun.
type Spans<T> = Vec<(SimTime, SimTime, T)>;

/// What `World` says of one thing over a whole run: what it was, since which instant, and from
/// which value to which it went at each entry.
fn steps<T: PartialEq>(run: &Recording, of: impl Fn(&World) -> T) -> Vec<(SimTime, T)> {
    let mut world = World::new(run.scenario());
    let mut steps = vec![(SimTime::ZERO, of(&world))];
    for entry in run.entries() {
        world.apply(entry);
        let now = of(&world);
        if steps.last().is_none_or(|(_, last)| *last != now) {
            steps.push((entry.at, now));
        }
    }
    steps
}

/// The same as stretches of what is so; nothing where it is `None`.
fn spans<T: PartialEq + Clone>(run: &Recording, of: impl Fn(&World) -> Option<T>) -> Spans<T> {
    let steps = steps(run, of);
    let ends = steps.iter().skip(1).map(|(at, _)| *at).chain([run.ends_at()]);
    let spans = steps.iter().zip(ends);
    spans.filter_map(|((from, what), to)| Some((*from, to, what.clone()?))).collect()
}

/// Joined where they touch or overlap, without those of no length: what is so between two instants.
fn joined(mut spans: Spans<()>, ends_at: SimTime) -> Spans<()> {
    spans.iter_mut().for_each(|span| span.1 = span.1.min(ends_at));
    spans.retain(|span| span.0 < span.1);
    spans.sort();
    let mut joined: Spans<()> = Vec::new();
    for span in spans {
        match joined.last_mut().filter(|last| span.0 <= last.1) {
            Some(last) => last.1 = last.1.max(span.1),
            None => joined.push(span),
        }
    }
    joined
}

/// Where the first of two lists that should be equal differs from the second.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, lane: &[T], cards: &[T]) -> Result<(), String> {
    let n_same = lane.iter().zip(cards).take_while(|(a, b)| a == b).count();
    match (lane.get(n_same), cards.get(n_same)) {
        (None, None) => Ok(()),
        (lane, cards) => {
            Err(format!("{what}, step {n_same}: the lane has {lane:?}, the cards {cards:?}"))
        }
    }
}

/// Every lane of a run against its cards.
fn compare(run: &Recording) -> Result<(), String> {
    let tracks = RunTracks::of(run);
    holder(run, &tracks)?;
    for (index, _) in tracks.nodes.iter().enumerate() {
        node(run, &tracks, index)?;
    }
    for (index, _) in tracks.clients.iter().enumerate() {
        client(run, &tracks, ClientId(u8::try_from(index).expect("few clients")))?;
    }
    for (index, _) in tracks.stores.iter().enumerate() {
        store(run, &tracks, index)?;
    }
    Ok(())
}

fn holder(run: &Recording, tracks: &RunTracks) -> Result<(), String> {
    let cards: Spans<(GrantNo, FencingToken, ClientId, bool)> = spans(run, |world| {
        let holder = world.service.holder()?;
        Some((holder.grant, holder.token, holder.client, holder.over.is_some()))
    });
    let cards: Vec<_> = cards
        .into_iter()
        .map(|(from, to, (grant, token, client, over))| {
            (from, to, TokenColor::of(grant), token, client, over)
        })
        .collect();
    let lane: Vec<_> = tracks
        .service
        .iter()
        .map(|lease| (lease.from, lease.to, lease.color, lease.token, lease.client, lease.over))
        .collect();
    same("the holder", &lane, &cards)
}

/// What one of several nodes of the service is at. Keeping out is drawn over a key that is kept.
fn node(run: &Recording, tracks: &RunTracks, index: usize) -> Result<(), String> {
    let of = |world: &World| world.service.nodes[index];
    let outs = steps(run, |world| of(world).keeps_out_until);
    let outs: Vec<_> = outs.into_iter().filter_map(|(at, until)| Some((at, until?))).collect();
    let works = |world: &World| {
        let (since, what) = of(world).works?;
        match what {
            NodeWork::Key { gone: Some(_), .. } => None,
            NodeWork::Key { client, token, gone: None } => {
                Some((since, NodeDoes::Key { client, token, color: None, how: None }))
            }
            NodeWork::Leads { client, term } => {
                Some((since, NodeDoes::Leads { client, term, color: None }))
            }
            NodeWork::LeadsService(term) => Some((since, NodeDoes::LeadsService(term))),
            NodeWork::Campaigns(term) => Some((since, NodeDoes::Campaigns(term))),
        }
    };
    let mut cards: Vec<_> = spans(run, works)
        .into_iter()
        .map(|(from, to, (_, what))| match what {
            // It gives up in silence.
            NodeDoes::Campaigns(_) => (from, from, what),
            what => {
                let out = outs.iter().find(|(out, _)| from < *out && *out < to);
                (from, out.map_or(to, |(out, _)| *out), what)
            }
        })
        .chain(outs.iter().map(|(at, until)| (*at, *until, NodeDoes::KeepsOut)))
        .collect();
    cards.sort_by_key(|(from, ..)| *from);
    let without = |what| match what {
        NodeDoes::Key { client, token, .. } => {
            NodeDoes::Key { client, token, color: None, how: None }
        }
        NodeDoes::Leads { client, term, .. } => NodeDoes::Leads { client, term, color: None },
        what => what,
    };
    let lane: Vec<_> = tracks.nodes[index]
        .spans
        .iter()
        .map(|span| (span.from, span.to, without(span.what)))
        .collect();
    same(&format!("node {index}"), &lane, &cards)
}

fn client(run: &Recording, tracks: &RunTracks, id: ClientId) -> Result<(), String> {
    let lane = &tracks.clients[id.index()];
    let of = |world: &World| -> ClientState { world.clients[id.index()].clone() };

    let beliefs = spans(run, |world| of(world).belief);
    let beliefs: Vec<_> =
        beliefs.iter().map(|(from, to, held)| (*from, *to, TokenColor::of(held.grant))).collect();
    let drawn: Vec<_> = lane.beliefs.iter().map(|span| (span.from, span.to, span.color)).collect();
    same(&format!("{id}'s belief"), &drawn, &beliefs)?;

    for scope in [PauseScope::Client, PauseScope::Worker, PauseScope::Renewer] {
        let paused = spans(run, |world| of(world).paused[scope as usize].map(|_| ()));
        let drawn = lane.pauses.iter().filter(|pause| pause.scope == scope);
        let drawn = drawn.map(|pause| (pause.from, pause.to, ())).collect();
        let (drawn, paused) = (joined(drawn, run.ends_at()), joined(paused, run.ends_at()));
        same(&format!("{id}'s pauses of {scope:?}"), &drawn, &paused)?;
    }

    // A wait is drawn from when it asked; whoever asks and is granted did not wait.
    let asks = |phase| matches!(phase, Phase::Asking | Phase::Waiting);
    let asked = spans(run, |world| asks(of(world).phase).then_some(()));
    let waited = spans(run, |world| (of(world).phase == Phase::Waiting).then_some(()));
    let waits: Vec<_> = asked
        .into_iter()
        .filter(|ask| waited.iter().any(|wait| ask.0 <= wait.0 && wait.1 <= ask.1))
        .filter(|ask| ask.0 < ask.1)
        .map(|(from, to, ())| (from, to))
        .collect();
    let drawn: Vec<_> = lane.waits.iter().map(|wait| (wait.from, wait.to)).collect();
    same(&format!("{id}'s waits"), &drawn, &waits)
}

fn store(run: &Recording, tracks: &RunTracks, index: usize) -> Result<(), String> {
    let lane = &tracks.stores[index];

    let highest = steps(run, |world| world.stores[index].highest.map(|(token, _)| token));
    let highest: Vec<_> = highest.into_iter().skip(1).collect();
    let drawn: Vec<_> = lane.highest.iter().map(|raise| (raise.at, raise.token)).collect();
    same(&format!("store {index}'s highest token"), &drawn, &highest)?;

    let values: Spans<(EntrySeq, ClientId, GrantNo)> = spans(run, |world| {
        let value = world.stores[index].value?;
        Some((value.entry, value.write.client, value.grant))
    });
    let values: Vec<_> = values
        .into_iter()
        .map(|(from, to, (_, client, grant))| (from, to, client, TokenColor::of(grant)))
        .collect();
    let drawn: Vec<_> =
        lane.values.iter().map(|value| (value.from, value.to, value.client, value.color)).collect();
    same(&format!("store {index}'s values"), &drawn, &values)
}

/// Both runs of a file.
fn compare_both(name: &str, file: &ScenarioFile) -> Vec<String> {
    let base = file.base().expect("it was checked when it was read");
    let patched = base.with(&file.compare).expect("the comparison fits");
    let runs = [("Run 1", base), ("Run 2", patched)];
    let differ = runs.iter().filter_map(|(run, scenario)| {
        compare(&Recording::of(scenario)).err().map(|what| format!("{name}, {run}: {what}"))
    });
    differ.collect()
}

#[test]
fn lanes_and_cards_tell_one_run_in_the_gallery() {
    let wrong: Vec<_> =
        GALLERY.iter().flat_map(|entry| compare_both(entry.id, &entry.file())).collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn lanes_and_cards_tell_one_run_in_the_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).expect("the cases are there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("it can be read");
        let file = ScenarioFile::parse(&text).expect("the cases are valid");
        wrong.extend(compare_both(&path.display().to_string(), &file));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

proptest! {
    #[test]
    fn lanes_and_cards_tell_one_run(scenario in scenario()) {
        let run = Recording::of(&scenario);
        let told = compare(&run);
        prop_assert!(told.is_ok(), "{}\n{}", told.unwrap_err(), run.log());
    }
}

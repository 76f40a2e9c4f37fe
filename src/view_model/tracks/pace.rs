//! What of some runs bends time: the flights that are worth an arrow, and when pauses, leases and
//! beliefs begin and end. Two runs have one pace, so that they stand under one ruler.

use crate::sim::id::NodeId;
use crate::sim::time::SimTime;

use super::flight::Flight;
use super::incident::Incident;
use super::{ClientTracks, MarkKind, RunTracks};
use crate::view_model::drawing::pace::{Beat, Loud, Pace, Worth};
use crate::view_model::words::message_row;

/// How many pixels the write that decides wants, and an answer to it.
const DECIDES: u16 = 92;
const ANSWER: u16 = 60;

/// The pace of the runs: that of the messages between nodes that are told.
pub(super) fn pace(tracks: &[RunTracks], is_told: &dyn Fn(NodeId) -> bool) -> Pace {
    let decides = decides(tracks);
    let mut louds = Vec::new();
    let mut beats = Vec::new();
    for run in tracks {
        for (&(from, to), route) in &run.flights.routes {
            let is_told = is_told(from) && is_told(to);
            let told = route.flights.iter().filter(|flight| flight.tells && is_told);
            for flight in told {
                let loud = loud(flight, to, decides);
                let is_answer = loud.wants == ANSWER;
                let arrives = match (loud.decides, is_answer) {
                    (true, _) => Worth::Decides,
                    (false, true) => Worth::Answer,
                    (false, false) => Worth::Arrival,
                };
                beats.push(Beat { at: flight.arrives, worth: arrives });
                beats.push(Beat { at: flight.sent, worth: Worth::Departure });
                louds.push(loud);
            }
        }
        of_run(run, &mut beats);
    }
    Pace::of(louds, beats)
}

/// When the write arrives that decides: the first that did damage, or else the first that a fence
/// refused; of Run 1 if it has one.
fn decides(tracks: &[RunTracks]) -> Option<SimTime> {
    let first = |run: &RunTracks, kinds: &[MarkKind]| {
        let marks = run
            .stores
            .iter()
            .flat_map(|store| kinds.iter().filter_map(|kind| store.marks.get(kind)?.first()));
        marks.map(|mark| mark.at).min()
    };
    tracks.iter().find_map(|run| {
        let damage = first(run, &[MarkKind::Damage, MarkKind::EffectTwice]);
        damage.or_else(|| first(run, &[MarkKind::Refused]))
    })
}

fn loud(flight: &Flight, to: NodeId, decides: Option<SimTime>) -> Loud {
    let to_store = matches!(to, NodeId::Store(_));
    let is_it = decides == Some(flight.arrives) && to_store;
    let wants = match flight.kind {
        _ if is_it => DECIDES,
        _ if decides == Some(flight.sent) => ANSWER,
        kind => message_row::room(kind),
    };
    Loud { from: flight.sent, to: flight.arrives, wants, decides: is_it }
}

fn of_run(run: &RunTracks, beats: &mut Vec<Beat>) {
    let mut beat = |at, worth| beats.push(Beat { at, worth });
    for lease in &run.service {
        beat(lease.from, Worth::Grant);
        if lease.ended.is_some() {
            beat(lease.to, Worth::LeaseEnds);
        }
    }
    for client in &run.clients {
        of_client(client, &mut beat);
    }
    for store in &run.stores {
        store.marks.values().flatten().for_each(|mark| beat(mark.at, Worth::Write));
        of_incidents(&store.incidents, &mut beat);
    }
    of_incidents(&run.service_incidents, &mut beat);
    run.nodes.iter().for_each(|node| of_incidents(&node.incidents, &mut beat));
}

fn of_client(client: &ClientTracks, beat: &mut impl FnMut(SimTime, Worth)) {
    for belief in &client.beliefs {
        beat(belief.from, Worth::Unsaid);
        beat(belief.to, Worth::Unsaid);
    }
    for pause in &client.pauses {
        beat(pause.from, Worth::PauseBegins);
        beat(pause.to, Worth::PauseEnds);
    }
    for death in &client.deaths {
        beat(death.from, Worth::PauseBegins);
        if death.restarted {
            beat(death.to, Worth::PauseEnds);
        }
    }
    of_incidents(&client.incidents, beat);
}

fn of_incidents(incidents: &[Incident], beat: &mut impl FnMut(SimTime, Worth)) {
    for incident in incidents {
        beat(incident.from, Worth::PauseBegins);
        if incident.to > incident.from {
            beat(incident.to, Worth::PauseEnds);
        }
    }
}

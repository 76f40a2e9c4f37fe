//! What a node of the lock service did that only some systems do, for every list, sentence and mark
//! that an event appears in: one file, so that a system that adds a fact adds its words here. It
//! decides nothing.

use super::moment::MomentKind;
use super::row::Mark;
use super::wording::{duration, time};
use crate::sim::event::{LeaseEnd, NodeEvent};
use crate::sim::id::{ClientId, FencingToken};
use crate::sim::time::SimTime;
use crate::view_model::incident::names::short;

/// In a few words, without a full stop. `node`: who did it.
pub fn event(node: &str, event: NodeEvent) -> String {
    match event {
        NodeEvent::Refreshed { client, ttl, .. } => {
            format!(
                "{node} counts {client}'s lease anew, {}",
                duration(ttl),
                client = short(client)
            )
        }
        NodeEvent::Copied { held: Some((client, _)) } => {
            format!("{node} is told that {client} holds the lock", client = short(client))
        }
        NodeEvent::Copied { held: None } => format!("{node} is told that the lock is free"),
        NodeEvent::TookOver { client, .. } => {
            format!("{node} takes over, with {client} as holder", client = short(client))
        }
        NodeEvent::TookOverFree => format!("{node} takes over, with a free lock"),
        NodeEvent::MadeAnew => "The lock's own node is made anew".to_owned(),
        NodeEvent::Election { lasts } => {
            format!("{node} elects a new leader, {}", duration(lasts))
        }
        NodeEvent::Unserved { client } => {
            format!("No leader answers {client}", client = short(client))
        }
        NodeEvent::Jeopardy { client, .. } => {
            format!("{client}'s session is in jeopardy: it waits", client = short(client))
        }
        NodeEvent::Safe { client, .. } => {
            format!("{client}'s session is safe again", client = short(client))
        }
        NodeEvent::KeepsOut { ttl } => format!("{node} answers nobody for {}", duration(ttl)),
        NodeEvent::Lasts { client, ttl, .. } => {
            format!(
                "With {node}, {client}'s majority lasts {}",
                duration(ttl),
                client = short(client)
            )
        }
        NodeEvent::Miscounted { .. } => {
            format!("{node} counts a majority that never stood at one time")
        }
        NodeEvent::Campaigns { term } => format!("{node} asks for votes in term {term}"),
        NodeEvent::Elected { client, token } => {
            format!("{node} is elected for {client} in term {token}", client = short(client))
        }
        NodeEvent::LeadsOn { client, ttl, .. } => {
            format!(
                "A majority hears {client}'s node, for {}",
                duration(ttl),
                client = short(client)
            )
        }
        NodeEvent::Deposed { client, token, .. } => {
            format!("{client}'s node no longer leads in term {token}", client = short(client))
        }
        NodeEvent::StoreAsked { token, valid } => {
            let is = if valid { "is" } else { "is not" };
            format!("{node} tells a storage that {token} {is} the lock's token")
        }
        NodeEvent::Leads { term } => format!("{node} is elected in term {term}"),
        NodeEvent::LeadsNoMore { term } => format!("{node} no longer leads in term {term}"),
        NodeEvent::KeySet { .. } | NodeEvent::KeyExtended { .. } | NodeEvent::KeyGone { .. } => {
            of_keys(node, event)
        }
        NodeEvent::Reentered { .. } | NodeEvent::ReentryRefused { .. } => of_reentry(node, event),
        NodeEvent::EpochLearnt { .. }
        | NodeEvent::EpochUnknown { .. }
        | NodeEvent::EpochRaised { .. }
        | NodeEvent::MarkerWritten { .. }
        | NodeEvent::MarkerRefused { .. } => of_epochs(node, event),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "`event` sends what is about a node's key")]
fn of_keys(node: &str, event: NodeEvent) -> String {
    match event {
        NodeEvent::KeySet { client, ttl, .. } => {
            format!("{node} sets its key for {client}, {}", duration(ttl), client = short(client))
        }
        NodeEvent::KeyExtended { client, ttl, .. } => {
            format!("{node} extends {client}'s key, {}", duration(ttl), client = short(client))
        }
        NodeEvent::KeyGone { client, how: LeaseEnd::Forgotten, .. } => {
            format!("{node} has forgotten {client}'s key", client = short(client))
        }
        NodeEvent::KeyGone { client, how: LeaseEnd::Expired, .. } => {
            format!("{client}'s key at {node} expires", client = short(client))
        }
        NodeEvent::KeyGone { client, .. } => {
            format!("{node} deletes {client}'s key", client = short(client))
        }
        _ => node.to_owned(),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "`event` sends what is about a lock taken twice"
)]
fn of_reentry(node: &str, event: NodeEvent) -> String {
    match event {
        NodeEvent::Reentered { client, token, anew: true, .. } => {
            format!(
                "{client} takes the lock again and gets a new token, {token}",
                client = short(client)
            )
        }
        NodeEvent::Reentered { client, token, .. } => {
            format!(
                "{client} takes the lock again and keeps its token, {token}",
                client = short(client)
            )
        }
        NodeEvent::ReentryRefused { client, .. } => {
            format!("{client} takes the lock again and is refused", client = short(client))
        }
        _ => node.to_owned(),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "`event` sends what is about epochs")]
fn of_epochs(node: &str, event: NodeEvent) -> String {
    match event {
        NodeEvent::EpochLearnt { token } => format!("{node} learns that the epoch is {token}"),
        NodeEvent::EpochUnknown { client, token, known } => {
            let why = known.map_or("it knows no epoch".to_owned(), |it| format!("{token} > {it}"));
            format!("{node} puts {client}'s write off: {why}", client = short(client))
        }
        NodeEvent::EpochRaised { client, token } => {
            format!("{node} aborts {client}'s transaction, epoch {token}", client = short(client))
        }
        NodeEvent::MarkerWritten { token, commits } => {
            let what = if commits { "commit" } else { "abort" };
            format!("{node} writes the {what} marker, {token}")
        }
        NodeEvent::MarkerRefused { token, known } => {
            format!("{node} refuses a marker: {token} against {known}")
        }
        _ => node.to_owned(),
    }
}

/// Why, in a sentence.
pub fn why(at: SimTime, event: NodeEvent) -> String {
    match event {
        NodeEvent::Refreshed { client, ttl, .. } => refreshed(client, at + ttl),
        NodeEvent::Copied { .. } => copied(),
        NodeEvent::TookOver { ttl: Some(ttl), .. } => format!(
            "It knows what was copied before, or saved: this lease, until {}. Later changes are \
             lost, and nobody is told.",
            time(at + ttl)
        ),
        NodeEvent::TookOver { .. } | NodeEvent::TookOverFree => took_over(),
        NodeEvent::MadeAnew => MADE_ANEW.to_owned(),
        NodeEvent::Election { lasts } => format!(
            "The lower half of the number was used up, so the leader steps down. Until {} nobody \
             is served, and then the upper half is one higher: the token still grows.",
            time(at + lasts)
        ),
        NodeEvent::Unserved { .. } => UNSERVED.to_owned(),
        NodeEvent::Reentered { client, token, anew, .. } => reentered(client, token, anew),
        NodeEvent::StoreAsked { valid, .. } => store_asked(valid),
        NodeEvent::ReentryRefused { .. } => {
            "By now the lock is not its own, and this tells it so.".to_owned()
        }
        NodeEvent::Jeopardy { client, .. } => format!(
            "By {client}'s own clock its lease is over, and it has not heard from the master. \
             There may be none, and its session may live: until it hears, it does nothing.",
            client = short(client)
        ),
        NodeEvent::Safe { .. } => {
            "It heard from the master within the grace period: nothing was lost, and it goes on."
                .to_owned()
        }
        NodeEvent::KeySet { client, .. } => key_set(client),
        NodeEvent::KeyExtended { ttl, .. } => format!(
            "Its key holds the value that was sent, so it lasts until {} by its own wall clock.",
            time(at + ttl)
        ),
        NodeEvent::KeyGone { client, how, .. } => key_gone(client, how),
        NodeEvent::KeepsOut { ttl } => format!(
            "It does not know what it has promised. By {} every key that it may have forgotten is \
             over.",
            time(at + ttl)
        ),
        NodeEvent::Lasts { ttl, .. } => {
            format!("A majority of the keys runs until {} by its nodes' clocks.", time(at + ttl))
        }
        NodeEvent::Miscounted { .. } => "Each node said yes, but the first keys were gone before \
             the last was set. The client cannot know: it has only the answers."
            .to_owned(),
        NodeEvent::Campaigns { .. } => "It has heard no leader for the time that it waits at \
             random. In a new term each node has one vote."
            .to_owned(),
        NodeEvent::Elected { token, .. } | NodeEvent::Leads { term: token } => elected(token),
        NodeEvent::LeadsOn { ttl, .. } => format!(
            "A majority has answered its heartbeat. Counted from when that was sent, they vote for \
             nobody else until {}.",
            time(at + ttl)
        ),
        NodeEvent::Deposed { how, .. } => deposed(how),
        NodeEvent::LeadsNoMore { .. } => leads_no_more(),
        NodeEvent::EpochLearnt { token } => epoch_learnt(token),
        NodeEvent::EpochUnknown { client, .. } => epoch_unknown(client),
        NodeEvent::EpochRaised { client, token } => epoch_raised(client, token),
        NodeEvent::MarkerWritten { .. } => MARKER_WRITTEN.to_owned(),
        NodeEvent::MarkerRefused { .. } => MARKER_REFUSED.to_owned(),
    }
}

fn store_asked(valid: bool) -> String {
    let said = match valid {
        true => {
            "So it is at this instant. The answer is on its way for a while, and nothing keeps the \
             lock from changing hands meanwhile."
        }
        false => "Its holder is another one by now, or nobody. The storage will refuse the write.",
    };
    said.to_owned()
}

fn copied() -> String {
    "A copy is told of a change after the client has its answer. What it was not told is lost when \
     it has to take over."
        .to_owned()
}

fn refreshed(client: ClientId, until: SimTime) -> String {
    format!(
        "A new leader cannot know how much of a lease is over, so it gives {client} the whole time \
         again: until {}. A dead holder's lock comes free that much later.",
        time(until),
        client = short(client)
    )
}

fn took_over() -> String {
    "It knows what the other node had told it. Later changes are lost, and nobody is told."
        .to_owned()
}

fn reentered(client: ClientId, token: FencingToken, anew: bool) -> String {
    let then = match anew {
        true => format!(
            ". The code inside writes with {token}. The code outside knows nothing of that number \
             and writes with the old one."
        ),
        false => ", under the token that it has: code inside and outside write with the same one."
            .to_owned(),
    };
    format!("{client} holds the lock, so it is let in once more{then}", client = short(client))
}

const MADE_ANEW: &str = "It was removed while nobody was there, and what counts below it begins \
                         anew.";
const UNSERVED: &str = "Without a leader nothing is answered. Whoever waits for an answer must ask \
                        again.";
const MARKER_WRITTEN: &str = "From here this broker refuses writes under a lower epoch, although \
                              nobody has written under this one yet.";
const MARKER_REFUSED: &str = "It would end another transaction than the one that it is of.";

fn epoch_learnt(token: FencingToken) -> String {
    format!(
        "Word of the leader has come through the metadata log. Until here this broker took the \
         epoch before for the present one; from here it refuses what is lower than {token}."
    )
}

fn epoch_unknown(client: ClientId) -> String {
    format!(
        "The epoch is newer than what this broker knows: it has not heard of {client} as leader. \
         It cannot judge, so it does not refuse: {client} tries again.",
        client = short(client)
    )
}

fn epoch_raised(client: ClientId, token: FencingToken) -> String {
    format!(
        "Nobody is given epoch {token}. It goes to the brokers with the abort marker, so that \
         {client}'s next write is refused there, whether {client} is dead or only slow.",
        client = short(client)
    )
}

fn key_set(client: ClientId) -> String {
    format!(
        "It held no key, so it sets one for {client}. It knows nothing of the other nodes: only \
         {client} can count whether a majority said yes.",
        client = short(client)
    )
}

fn key_gone(client: ClientId, how: LeaseEnd) -> String {
    if how == LeaseEnd::Forgotten {
        format!(
            "The key was in memory only. Whoever asks this node next can set it, although \
             {client} was promised more time.",
            client = short(client)
        )
    } else if how == LeaseEnd::Expired {
        "Its time is over by this node's own wall clock.".to_owned()
    } else {
        format!("{client} took it back: the value is its own.", client = short(client))
    }
}

fn elected(token: FencingToken) -> String {
    format!(
        "A majority voted for it in term {token}. No other node can be elected in that term: each \
         has one vote, and two majorities share a node."
    )
}

fn deposed(how: LeaseEnd) -> String {
    let said = match how == LeaseEnd::Released {
        true => "Its client gave it back.",
        false => {
            "It heard of a newer term, or started again. It can commit nothing more in its own."
        }
    };
    said.to_owned()
}

fn leads_no_more() -> String {
    "It heard of a newer term, heard no majority for an election timeout, or started again. It \
     refuses what clients ask until there is a leader that has a majority."
        .to_owned()
}

/// The filter of the event list that it falls under; `None`: it is not listed.
pub fn kind(event: NodeEvent) -> Option<MomentKind> {
    match event {
        NodeEvent::Refreshed { .. }
        | NodeEvent::Copied { .. }
        | NodeEvent::TookOver { .. }
        | NodeEvent::TookOverFree
        | NodeEvent::MadeAnew
        | NodeEvent::Election { .. }
        | NodeEvent::Jeopardy { .. }
        | NodeEvent::Safe { .. }
        | NodeEvent::KeyGone { how: LeaseEnd::Forgotten, .. }
        | NodeEvent::Miscounted { .. }
        | NodeEvent::Reentered { .. }
        | NodeEvent::ReentryRefused { .. }
        | NodeEvent::StoreAsked { .. }
        | NodeEvent::Campaigns { .. }
        | NodeEvent::Leads { .. }
        | NodeEvent::LeadsNoMore { .. }
        | NodeEvent::EpochRaised { .. }
        | NodeEvent::Deposed { .. } => Some(MomentKind::Lease),
        NodeEvent::EpochLearnt { .. }
        | NodeEvent::EpochUnknown { .. }
        | NodeEvent::MarkerWritten { .. }
        | NodeEvent::MarkerRefused { .. } => Some(MomentKind::Write),
        NodeEvent::KeepsOut { .. } => Some(MomentKind::Fault),
        // The node's own lane shows its key; what it comes to for the lock is listed.
        NodeEvent::Unserved { .. }
        | NodeEvent::KeySet { .. }
        | NodeEvent::KeyExtended { .. }
        | NodeEvent::KeyGone { .. }
        | NodeEvent::Lasts { .. }
        | NodeEvent::Elected { .. }
        | NodeEvent::LeadsOn { .. } => None,
    }
}

/// Its mark in the event list.
pub fn mark(event: NodeEvent) -> Mark {
    match event {
        NodeEvent::Refreshed { .. }
        | NodeEvent::Copied { .. }
        | NodeEvent::TookOver { .. }
        | NodeEvent::TookOverFree
        | NodeEvent::Safe { .. }
        | NodeEvent::KeySet { .. }
        | NodeEvent::KeyExtended { .. }
        | NodeEvent::Lasts { .. }
        | NodeEvent::EpochLearnt { .. }
        | NodeEvent::MarkerWritten { .. }
        | NodeEvent::StoreAsked { valid: true, .. }
        | NodeEvent::LeadsOn { .. } => Mark::Renewal,
        NodeEvent::MadeAnew
        | NodeEvent::Election { .. }
        | NodeEvent::Unserved { .. }
        | NodeEvent::Jeopardy { .. }
        | NodeEvent::Deposed { .. }
        | NodeEvent::LeadsNoMore { .. }
        | NodeEvent::ReentryRefused { .. }
        | NodeEvent::EpochRaised { .. }
        | NodeEvent::MarkerRefused { .. }
        | NodeEvent::StoreAsked { valid: false, .. }
        | NodeEvent::KeyGone { .. } => Mark::LeaseEnd,
        NodeEvent::KeepsOut { .. }
        | NodeEvent::EpochUnknown { .. }
        | NodeEvent::Campaigns { .. }
        | NodeEvent::Leads { .. } => Mark::Wait,
        NodeEvent::Miscounted { .. } | NodeEvent::Elected { .. } | NodeEvent::Reentered { .. } => {
            Mark::Grant
        }
    }
}

/// How much it matters when several things happen at one instant; see `why`.
pub fn weight(event: NodeEvent) -> u8 {
    match event {
        NodeEvent::Copied { .. }
        | NodeEvent::MadeAnew
        | NodeEvent::Election { .. }
        | NodeEvent::Unserved { .. }
        | NodeEvent::Jeopardy { .. }
        | NodeEvent::Safe { .. } => 5,
        NodeEvent::TookOver { .. } | NodeEvent::TookOverFree => 8,
        NodeEvent::Refreshed { .. }
        | NodeEvent::Miscounted { .. }
        | NodeEvent::Reentered { .. }
        | NodeEvent::ReentryRefused { .. } => 5,
        NodeEvent::KeyGone { .. }
        | NodeEvent::KeepsOut { .. }
        | NodeEvent::Leads { .. }
        | NodeEvent::LeadsNoMore { .. }
        | NodeEvent::EpochLearnt { .. }
        | NodeEvent::EpochUnknown { .. }
        | NodeEvent::EpochRaised { .. }
        | NodeEvent::MarkerWritten { .. }
        | NodeEvent::MarkerRefused { .. }
        | NodeEvent::StoreAsked { .. }
        | NodeEvent::Deposed { .. } => 4,
        NodeEvent::KeySet { .. }
        | NodeEvent::KeyExtended { .. }
        | NodeEvent::Lasts { .. }
        | NodeEvent::Campaigns { .. }
        | NodeEvent::Elected { .. }
        | NodeEvent::LeadsOn { .. } => 1,
    }
}

//! What a node of the lock service did: how it is listed, what it was in a few words, and why.

use std::cmp::Ordering;

use crate::sim::fact::{Fact, FaultFact, KeyFact, LeaseEnd, RaftFact, ServiceFact};
use crate::sim::id::{ClientId, EntrySeq, FencingToken, GrantNo, NodeId};
use crate::sim::log::LogEntry;
use crate::sim::message::MessageKind;
use crate::sim::scenario::{ExpiryJudge, FaultKind, HandOff, PauseScope};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::words::names::Words;
use crate::view_model::words::wording::{duration, time};

use super::{Listed, Listing, Mark, MomentKind, Teller};

impl Listed for ServiceFact {
    fn listing(&self) -> Listing {
        match self {
            Self::Granted { .. } => Listing::of(MomentKind::Lease, Mark::Grant, 6),
            Self::GrantedAgain { .. } => Listing::of(MomentKind::Lease, Mark::Grant, 2),
            Self::Queued { .. } | Self::Refused { .. } => {
                Listing::of(MomentKind::Lease, Mark::Wait, 4)
            }
            Self::WaiterLeft { .. } => Listing::of(MomentKind::Lease, Mark::LeaseEnd, 5),
            Self::Renewed { .. } => Listing::of(MomentKind::Renewal, Mark::Renewal, 1),
            Self::ItemDone { .. } | Self::ItemDead { .. } => {
                Listing::of(MomentKind::Lease, Mark::LeaseEnd, 7)
            }
            Self::NothingLeft { .. } => Listing::of(MomentKind::Lease, Mark::Wait, 3),
            Self::RenewRefused { .. }
            | Self::ReleaseRefused { .. }
            | Self::SettleRefused { .. } => Listing::of(MomentKind::Lease, Mark::LeaseEnd, 4),
            Self::LeaseEnded { .. } | Self::Overdue { .. } => {
                Listing::of(MomentKind::Lease, Mark::LeaseEnd, 5)
            }
            Self::CapReached { .. } => Listing::of(MomentKind::Lease, Mark::LeaseEnd, 4),
            Self::KeptOn { .. } => Listing::of(MomentKind::Lease, Mark::Wait, 5),
            Self::Checked { .. } => Listing::of(MomentKind::Work, Mark::Work, 6),
            Self::Refreshed { .. } | Self::Copied { .. } => {
                Listing::of(MomentKind::Lease, Mark::Renewal, 5)
            }
            Self::TookOver { .. } | Self::TookOverFree => {
                Listing::of(MomentKind::Lease, Mark::Renewal, 8)
            }
            Self::MadeAnew | Self::Election { .. } => {
                Listing::of(MomentKind::Lease, Mark::LeaseEnd, 5)
            }
            Self::Unserved { .. } => Listing::unlisted(Mark::LeaseEnd, 5),
            Self::Reentered { .. } => Listing::of(MomentKind::Lease, Mark::Grant, 5),
            Self::ReentryRefused { .. } => Listing::of(MomentKind::Lease, Mark::LeaseEnd, 5),
            Self::EpochRaised { .. } => Listing::of(MomentKind::Lease, Mark::LeaseEnd, 4),
            Self::StoreAsked { valid: true, .. } => {
                Listing::of(MomentKind::Lease, Mark::Renewal, 4)
            }
            Self::StoreAsked { valid: false, .. } => {
                Listing::of(MomentKind::Lease, Mark::LeaseEnd, 4)
            }
            Self::Key(fact) => fact.listing(),
            Self::Raft(fact) => fact.listing(),
        }
    }
}

impl Listed for KeyFact {
    fn listing(&self) -> Listing {
        match self {
            Self::Set { .. } | Self::Extended { .. } | Self::Lasts { .. } => {
                Listing::unlisted(Mark::Renewal, 1)
            }
            Self::Gone { how: LeaseEnd::Forgotten, .. } => {
                Listing::of(MomentKind::Lease, Mark::LeaseEnd, 4)
            }
            Self::Gone { .. } => Listing::unlisted(Mark::LeaseEnd, 4),
            Self::KeepsOut { .. } => Listing::of(MomentKind::Fault, Mark::Wait, 4),
        }
    }
}

impl Listed for RaftFact {
    fn listing(&self) -> Listing {
        match self {
            Self::Campaigns { .. } => Listing::of(MomentKind::Lease, Mark::Wait, 1),
            Self::Leads { .. } => Listing::of(MomentKind::Lease, Mark::Wait, 4),
            Self::LeadsNoMore { .. } | Self::Deposed { .. } => {
                Listing::of(MomentKind::Lease, Mark::LeaseEnd, 4)
            }
            Self::Elected { .. } => Listing::unlisted(Mark::Grant, 1),
            Self::LeadsOn { .. } => Listing::unlisted(Mark::Renewal, 1),
        }
    }
}

impl Teller<'_> {
    /// What happened, in a few words, without a full stop. `node`: who did it.
    pub(super) fn service_did(&self, node: &str, fact: ServiceFact) -> String {
        match fact {
            ServiceFact::Granted { client, grant, token, .. } if self.is_for_item() => {
                let client = self.words.short(client);
                format!("{node} delivers to {client}, delivery {}, handle {token}", grant.0)
            }
            ServiceFact::Granted { client, token, .. } => {
                let client = self.words.short(client);
                // A random value is no token.
                match self.token_word() {
                    "value" => format!("{node} grants the lock to {client}"),
                    word => format!("{node} grants {client} {word} {token}"),
                }
            }
            ServiceFact::GrantedAgain { client, token, .. } => {
                format!(
                    "{node} tells {client} that it holds {token} already",
                    client = self.words.short(client)
                )
            }
            ServiceFact::Queued { client, ahead: 0 } => {
                format!("{client} waits in the queue", client = self.words.short(client))
            }
            ServiceFact::Queued { client, ahead } => {
                format!(
                    "{client} waits in the queue, {ahead} ahead",
                    client = self.words.short(client)
                )
            }
            ServiceFact::Refused { client } => {
                format!(
                    "{node} tells {client} that the lock is taken",
                    client = self.words.short(client)
                )
            }
            ServiceFact::WaiterLeft { client } => {
                format!("{client} loses its place in the queue", client = self.words.short(client))
            }
            ServiceFact::Renewed { by, token, grant, .. } => match self.owner(grant) {
                Some(owner) if owner != by => {
                    format!(
                        "{node} renews {owner}'s lease{token}: {by} asked",
                        token = self.told_token(token),
                        owner = self.words.short(owner),
                        by = self.words.short(by)
                    )
                }
                Some(_) | None => {
                    let (by, token) = (self.words.short(by), self.told_token(token));
                    format!("{node} renews {by}'s lease{token}")
                }
            },
            ServiceFact::RenewRefused { client, token } => {
                let (client, token) = (self.words.short(client), self.told_token(token));
                format!("{node} refuses {client}'s renewal{token}")
            }
            ServiceFact::LeaseEnded { client, how, .. } => lease_ended(self.words, client, how),
            ServiceFact::CapReached { client, longest, cut, .. } => {
                let (client, longest) = (self.words.short(client), duration(longest));
                match cut {
                    true => format!("{node} lets {client}'s lease last {longest}, no longer"),
                    false => format!("{node} has let {client}'s lease last {longest}, its most"),
                }
            }
            ServiceFact::KeptOn { left, .. } => {
                format!("{node} keeps the lock taken for {} more", duration(left))
            }
            ServiceFact::ItemDone { .. }
            | ServiceFact::ItemDead { .. }
            | ServiceFact::SettleRefused { .. }
            | ServiceFact::NothingLeft { .. } => self.item_did(node, fact),
            ServiceFact::Overdue { client, .. } => {
                format!("{}'s lease is over, and has not ended", self.words.short(client))
            }
            ServiceFact::ReleaseRefused { client, token } => {
                let (client, token) = (self.words.short(client), self.told_token(token));
                format!("{node} refuses {client}'s release{token}")
            }
            ServiceFact::Checked { client, .. } if self.rereads(client) => {
                format!(
                    "{node} tells {client} the present token",
                    client = self.words.short(client)
                )
            }
            ServiceFact::Checked { client, valid, .. } => match valid {
                true => format!(
                    "{node} says that {client} holds the lock",
                    client = self.words.short(client)
                ),
                false => {
                    format!(
                        "{node} says that {client} does not hold the lock",
                        client = self.words.short(client)
                    )
                }
            },
            ServiceFact::Refreshed { client, ttl, .. } => {
                format!(
                    "{node} counts {client}'s lease anew, {}",
                    duration(ttl),
                    client = self.words.short(client)
                )
            }
            ServiceFact::Copied { held: Some((client, _)) } => {
                format!(
                    "{node} is told that {client} holds the lock",
                    client = self.words.short(client)
                )
            }
            ServiceFact::Copied { held: None } => format!("{node} is told that the lock is free"),
            ServiceFact::TookOver { client, .. } => {
                format!(
                    "{node} takes over, with {client} as holder",
                    client = self.words.short(client)
                )
            }
            ServiceFact::TookOverFree => format!("{node} takes over, with a free lock"),
            ServiceFact::MadeAnew => "The lock's own node is made anew".to_owned(),
            ServiceFact::Election { lasts } => {
                format!("{node} elects a new leader, {}", duration(lasts))
            }
            ServiceFact::Unserved { client } => {
                format!("No leader answers {client}", client = self.words.short(client))
            }
            ServiceFact::Reentered { client, token, anew: true, .. } => {
                format!(
                    "{client} takes the lock again and gets a new token, {token}",
                    client = self.words.short(client)
                )
            }
            ServiceFact::Reentered { client, token, .. } => {
                format!(
                    "{client} takes the lock again and keeps its token, {token}",
                    client = self.words.short(client)
                )
            }
            ServiceFact::ReentryRefused { client, .. } => {
                format!(
                    "{client} takes the lock again and is refused",
                    client = self.words.short(client)
                )
            }
            ServiceFact::EpochRaised { client, token } => {
                format!(
                    "{node} aborts {client}'s transaction, epoch {token}",
                    client = self.words.short(client)
                )
            }
            ServiceFact::StoreAsked { token, valid } => {
                let is = if valid { "is" } else { "is not" };
                format!("{node} tells a storage that {token} {is} the lock's token")
            }
            ServiceFact::Key(fact) => key_did(self.words, node, fact),
            ServiceFact::Raft(fact) => raft_did(self.words, node, fact),
        }
    }

    /// Why, in a sentence.
    pub(super) fn why_service(&self, entry: &LogEntry, fact: ServiceFact) -> String {
        let at = entry.at;
        match fact {
            ServiceFact::Granted { grant, client, token, ttl } => {
                self.granted(entry, (grant, client, token), ttl)
            }
            ServiceFact::GrantedAgain { client, .. } => {
                format!(
                    "{client} holds this lease already: the same grant, the same token.",
                    client = self.words.short(client)
                )
            }
            ServiceFact::Queued { client, .. } => self.queued(entry, client),
            ServiceFact::Refused { client } => self.taken(entry, client),
            ServiceFact::WaiterLeft { client } => self.waiter_left(entry, client),
            ServiceFact::Renewed { grant, by, ttl, .. } => self.renewed(entry, grant, by, ttl),
            ServiceFact::RenewRefused { client, .. } => self.renew_refused(entry, client),
            ServiceFact::LeaseEnded { grant, how, .. } => self.lease_ended(entry, grant, how),
            ServiceFact::CapReached { longest, cut, .. } => format!(
                "Counted from the grant a lease lasts {} here, however often it is renewed. This \
                 renewal would pass that: {}.",
                duration(longest),
                if cut { "it is given what is left" } else { "it is refused, and the end stays" }
            ),
            ServiceFact::KeptOn { client, left, .. } => format!(
                "{client} gave it back sooner than a lock is held at least: it is nobody's, and \
                 free at {}.",
                time(at + left),
                client = self.words.short(client)
            ),
            ServiceFact::ItemDone { .. }
            | ServiceFact::ItemDead { .. }
            | ServiceFact::SettleRefused { .. }
            | ServiceFact::NothingLeft { .. } => self.why_item(entry, fact),
            ServiceFact::Overdue { client, .. } => self.overdue(entry, client),
            ServiceFact::ReleaseRefused { client, .. } => {
                format!(
                    "The lock is no longer {client}'s to give back.",
                    client = self.words.short(client)
                )
            }
            ServiceFact::Checked { client, .. } if self.rereads(client) => {
                self.read_again(entry, client)
            }
            ServiceFact::Checked { client, valid, .. } => checked(self.words, client, valid),
            ServiceFact::Refreshed { client, ttl, .. } => refreshed(self.words, client, at + ttl),
            ServiceFact::Copied { .. } => copied(),
            ServiceFact::TookOver { ttl: Some(ttl), .. } => format!(
                "It knows what was copied before, or saved: this lease, until {}. Later changes \
                are lost, and nobody is told.",
                time(at + ttl)
            ),
            ServiceFact::TookOver { .. } | ServiceFact::TookOverFree => took_over(),
            ServiceFact::MadeAnew => MADE_ANEW.to_owned(),
            ServiceFact::Election { lasts } => format!(
                "The lower half of the number was used up, so the leader steps down. Until {} \
                nobody is served, and then the upper half is one higher: the token still grows.",
                time(at + lasts)
            ),
            ServiceFact::Unserved { .. } => UNSERVED.to_owned(),
            ServiceFact::Reentered { client, token, anew, .. } => {
                reentered(self.words, client, token, anew)
            }
            ServiceFact::ReentryRefused { .. } => {
                "By now the lock is not its own, and this tells it so.".to_owned()
            }
            ServiceFact::EpochRaised { client, token } => epoch_raised(self.words, client, token),
            ServiceFact::StoreAsked { valid, .. } => store_asked(valid),
            ServiceFact::Key(fact) => why_key(self.words, entry.at, fact),
            ServiceFact::Raft(fact) => why_raft(entry.at, fact),
        }
    }
}

/// How a lease ended, in a few words.
fn lease_ended(words: &Words, client: ClientId, how: LeaseEnd) -> String {
    let client = words.short(client);
    match how {
        LeaseEnd::Expired => format!("{client}'s lease expires"),
        LeaseEnd::Released => format!("{client}'s lease ends: released"),
        LeaseEnd::ReleasedBy(other) => {
            format!("{client}'s lease ends: {} released it", words.short(other))
        }
        LeaseEnd::Settled(by) => {
            format!("{client}'s delivery ends: {} says that the item is done", words.short(by))
        }
        LeaseEnd::TakenOver => format!("{client}'s lease ends: taken over"),
        LeaseEnd::Disconnected => format!("{client}'s lease ends with its connection"),
        LeaseEnd::Overtaken => format!("Another's node comes before {client}'s"),
        LeaseEnd::Forgotten => format!("{client}'s lease is forgotten"),
    }
}

/// What happened, in a few words, without a full stop. `node`: who did it.
fn key_did(words: &Words, node: &str, fact: KeyFact) -> String {
    match fact {
        KeyFact::Set { client, ttl, .. } => {
            format!(
                "{node} sets its key for {client}, {}",
                duration(ttl),
                client = words.short(client)
            )
        }
        KeyFact::Extended { client, ttl, .. } => {
            format!(
                "{node} extends {client}'s key, {}",
                duration(ttl),
                client = words.short(client)
            )
        }
        KeyFact::Gone { client, how: LeaseEnd::Forgotten, .. } => {
            format!("{node} has forgotten {client}'s key", client = words.short(client))
        }
        KeyFact::Gone { client, how: LeaseEnd::Expired, .. } => {
            format!("{client}'s key at {node} expires", client = words.short(client))
        }
        KeyFact::Gone { client, .. } => {
            format!("{node} deletes {client}'s key", client = words.short(client))
        }
        KeyFact::KeepsOut { ttl } => format!("{node} answers nobody for {}", duration(ttl)),
        KeyFact::Lasts { client, ttl, .. } => {
            format!(
                "With {node}, {client}'s majority lasts {}",
                duration(ttl),
                client = words.short(client)
            )
        }
    }
}

/// Why, in a sentence.
fn why_key(words: &Words, at: SimTime, fact: KeyFact) -> String {
    match fact {
        KeyFact::Set { client, .. } => key_set(words, client),
        KeyFact::Extended { ttl, .. } => format!(
            "Its key holds the value that was sent, so it lasts until {} by its own wall clock.",
            time(at + ttl)
        ),
        KeyFact::Gone { client, how, .. } => key_gone(words, client, how),
        KeyFact::KeepsOut { ttl } => format!(
            "It does not know what it has promised. By {} every key that it may have forgotten is \
             over.",
            time(at + ttl)
        ),
        KeyFact::Lasts { ttl, .. } => {
            format!("A majority of the keys runs until {} by its nodes' clocks.", time(at + ttl))
        }
    }
}

/// What happened, in a few words, without a full stop. `node`: who did it.
fn raft_did(words: &Words, node: &str, fact: RaftFact) -> String {
    match fact {
        RaftFact::Campaigns { term } => format!("{node} asks for votes in term {term}"),
        RaftFact::Elected { client, token } => {
            format!("{node} is elected for {client} in term {token}", client = words.short(client))
        }
        RaftFact::LeadsOn { client, ttl, .. } => {
            format!(
                "A majority hears {client}'s node, for {}",
                duration(ttl),
                client = words.short(client)
            )
        }
        RaftFact::Deposed { client, token, .. } => {
            format!("{client}'s node no longer leads in term {token}", client = words.short(client))
        }
        RaftFact::Leads { term } => format!("{node} is elected in term {term}"),
        RaftFact::LeadsNoMore { term } => format!("{node} no longer leads in term {term}"),
    }
}

/// Why, in a sentence.
fn why_raft(at: SimTime, fact: RaftFact) -> String {
    match fact {
        RaftFact::Campaigns { .. } => "It has heard no leader for the time that it waits at \
             random. In a new term each node has one vote."
            .to_owned(),
        RaftFact::Elected { token, .. } | RaftFact::Leads { term: token } => elected(token),
        RaftFact::LeadsOn { ttl, .. } => format!(
            "A majority has answered its heartbeat. Counted from when that was sent, they vote for \
             nobody else until {}.",
            time(at + ttl)
        ),
        RaftFact::Deposed { how, .. } => deposed(how),
        RaftFact::LeadsNoMore { .. } => leads_no_more(),
    }
}

fn store_asked(valid: bool) -> String {
    let said = match valid {
        true => {
            "So it is at this instant. The answer is on its way for a while, and nothing keeps the \
             lock from changing hands meanwhile."
        }
        false => "Its holder is another one by now, or nobody.",
    };
    said.to_owned()
}

fn copied() -> String {
    "A copy is told of a change after the client has its answer. What it was not told is lost when \
     it has to take over."
        .to_owned()
}

fn refreshed(words: &Words, client: ClientId, until: SimTime) -> String {
    format!(
        "A new leader cannot know how much of a lease is over, so it gives {client} the whole time \
         again: until {}. A dead holder's lock comes free that much later.",
        time(until),
        client = words.short(client)
    )
}

fn took_over() -> String {
    "It knows what the other node had told it. Later changes are lost, and nobody is told."
        .to_owned()
}

fn reentered(words: &Words, client: ClientId, token: FencingToken, anew: bool) -> String {
    let then = match anew {
        true => format!(
            ". The code inside writes with {token}. The code outside knows nothing of that number \
             and writes with the old one."
        ),
        false => ", under the token that it has: code inside and outside write with the same one."
            .to_owned(),
    };
    format!(
        "{client} holds the lock, so it is let in once more{then}",
        client = words.short(client)
    )
}

const MADE_ANEW: &str = "It was removed while nobody was there, and what counts below it begins \
                         anew.";
const UNSERVED: &str = "Without a leader nothing is answered. Whoever waits for an answer must ask \
                        again.";

fn epoch_raised(words: &Words, client: ClientId, token: FencingToken) -> String {
    format!(
        "Nobody is given epoch {token}. It goes to the brokers with the abort marker: a broker \
         that has it refuses what {client} writes, whether {client} is dead or only slow.",
        client = words.short(client)
    )
}

fn key_set(words: &Words, client: ClientId) -> String {
    format!(
        "It held no key, so it sets one for {client}. It knows nothing of the other nodes: only \
         {client} can count whether a majority said yes.",
        client = words.short(client)
    )
}

fn key_gone(words: &Words, client: ClientId, how: LeaseEnd) -> String {
    if how == LeaseEnd::Forgotten {
        format!(
            "The key was in memory only. Whoever asks this node next can set it, although \
             {client} was promised more time.",
            client = words.short(client)
        )
    } else if how == LeaseEnd::Expired {
        "Its time is over by this node's own wall clock.".to_owned()
    } else {
        format!("{client} took it back: the value is its own.", client = words.short(client))
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

fn checked(words: &Words, client: ClientId, valid: bool) -> String {
    match valid {
        true => format!(
            "True at this instant. The answer travels back while the lease runs on, and \
            {client} can be paused before it writes.",
            client = words.short(client)
        ),
        false => {
            format!(
                "The service does not name {client} as the holder.",
                client = words.short(client)
            )
        }
    }
}

/// How the lease before ended, as a clause.
fn came_free(words: &Words, client: ClientId, how: LeaseEnd) -> String {
    let client = words.short(client);
    match how {
        LeaseEnd::Expired => format!("{client}'s lease expired"),
        LeaseEnd::Released => format!("{client} gave the lock back"),
        LeaseEnd::ReleasedBy(other) => {
            format!("{} gave back what was {client}'s", words.short(other))
        }
        LeaseEnd::Settled(by) => format!("{} said that the item is done", words.short(by)),
        LeaseEnd::TakenOver => format!("{client}'s lease was taken over"),
        LeaseEnd::Disconnected => format!("{client}'s lease ended with its connection"),
        LeaseEnd::Forgotten => format!("The service had forgotten {client}'s lease"),
        LeaseEnd::Overtaken => format!("Another's node came before {client}'s"),
    }
}

impl Teller<'_> {
    fn granted(
        &self,
        entry: &LogEntry,
        (grant, client, token): (GrantNo, ClientId, FencingToken),
        ttl: Option<SimDuration>,
    ) -> String {
        let previous = grant.0.checked_sub(1);
        let previous = previous.and_then(|no| self.recording.grant(GrantNo(no)));
        let freed = previous.and_then(|record| record.ended);
        let reason = match (previous, freed) {
            (Some(record), Some((_, LeaseEnd::TakenOver, _))) => {
                self.took_over(client, record.client)
            }
            _ => self.why_it_was_free(entry, client),
        };
        let lasts = ttl.map_or("It lasts until it is given back.".to_owned(), |ttl| {
            format!("It lasts until {} unless {}.", time(entry.at + ttl), self.ends_otherwise())
        });
        let ordered = previous.filter(|_| self.are_ordered());
        let higher = ordered.map_or(String::new(), |record| match token.cmp(&record.token) {
            Ordering::Greater => format!(" Token {token} is higher than {}.", record.token),
            Ordering::Equal => format!(" Token {token} is the one of the grant before."),
            Ordering::Less => format!(" Token {token} is lower than {}.", record.token),
        });
        format!("{reason} {lasts}{higher}")
    }

    /// What led to a grant, by its own cause, and how its client was chosen.
    fn why_it_was_free(&self, entry: &LogEntry, client: ClientId) -> String {
        let waited = self.waited(entry, client);
        let came_free = match self.cause_of(entry).map(|cause| cause.fact) {
            Some(Fact::Service(_, ServiceFact::LeaseEnded { client: before, how, .. })) => {
                Some(came_free(self.words, before, how))
            }
            Some(Fact::Fault(_, FaultFact::ServiceBack { .. })) => {
                Some("The service is back".to_owned())
            }
            _ => None,
        };
        let chosen = match (waited, self.recording.scenario().rules().hand_off) {
            (true, HandOff::InOrder) => "was next in the queue",
            (true, HandOff::Random) => "was drawn from those that wait",
            (false, _) => "had asked",
        };
        match came_free {
            Some(came_free) => {
                format!("{came_free}, and {client} {chosen}.", client = self.words.short(client))
            }
            None if waited => {
                format!(
                    "The lock had come free, and {client} {chosen}.",
                    client = self.words.short(client)
                )
            }
            None => {
                format!(
                    "The lock was free when {client}'s request arrived.",
                    client = self.words.short(client)
                )
            }
        }
    }

    /// Whether a client asks for the present token before it writes, and sends that.
    pub(super) fn rereads(&self, client: ClientId) -> bool {
        let clients = self.recording.scenario().clients();
        clients.get(client.index()).is_some_and(|own| own.settings.rereads_token)
    }

    /// What a client that asks for the present token is told.
    fn read_again(&self, entry: &LogEntry, client: ClientId) -> String {
        let world = self.recording.world_after(entry.seq.0);
        match world.service.holder() {
            Some(holder) if holder.client == client => {
                format!("It is {}, {}'s own.", holder.token, self.words.short(client))
            }
            Some(holder) => format!(
                "It is {}, {other}'s: sent with {client}'s write, it tells no storage that \
                {client} is not the holder.",
                holder.token,
                other = self.words.short(holder.client),
                client = self.words.short(client)
            ),
            None => "There is none: nobody holds the lock.".to_owned(),
        }
    }

    /// Whether a client stood in the queue just before.
    fn waited(&self, entry: &LogEntry, client: ClientId) -> bool {
        let before = self.recording.world_after(entry.seq.0);
        before.service.queue.contains(&client)
    }

    fn queued(&self, entry: &LogEntry, client: ClientId) -> String {
        let world = self.recording.world_after(entry.seq.0);
        let Some(holder) = world.service.holder() else {
            return "Somebody else is ahead in the queue.".to_owned();
        };
        let until = holder.until.map_or("it gives it back".to_owned(), |until| {
            format!("{} at the earliest, unless it gives it back", time(until))
        });
        let rules = self.recording.scenario().rules();
        let clients = self.recording.scenario().clients();
        let has_session = clients.get(client.index()).is_some_and(|own| own.settings.session);
        let kept = match (has_session, rules.connection_bound) {
            (true, _) => "as long as its session lives",
            (false, true) => "as long as its connection stands",
            (false, false) => "even through a pause",
        };
        format!(
            "{} holds the lock until {until}. The place in the queue is kept, {kept}.",
            self.words.short(holder.client)
        )
    }

    fn renewed(&self, entry: &LogEntry, grant: GrantNo, by: ClientId, ttl: SimDuration) -> String {
        let owner = self.recording.grant(grant).map(|record| record.client);
        let reason = match owner {
            Some(owner) if owner != by => "The service does not check who asks".to_owned(),
            Some(_) | None => {
                format!("{by} held the lease when it asked", by = self.words.short(by))
            }
        };
        let (ttl, until) = (duration(ttl), time(entry.at + ttl));
        format!("{reason}: it now lasts {ttl} from here, until {until}.")
    }

    fn renew_refused(&self, entry: &LogEntry, client: ClientId) -> String {
        let world = self.recording.world_after(entry.seq.0);
        let before = entry.seq.0.checked_sub(1).and_then(|seq| self.entry(EntrySeq(seq)));
        if let Some(Fact::Service(_, ServiceFact::CapReached { longest, .. })) =
            before.map(|before| before.fact)
        {
            return format!(
                "It would make the lease last longer than {}. The lease runs on to its end, and \
                 {client} takes it for lost.",
                duration(longest),
                client = self.words.short(client)
            );
        }
        let ended = world.clients[client.index()].lease.and_then(|l| l.ended);
        let over = ended.map_or(
            format!("{client} is not the holder", client = self.words.short(client)),
            |(at, ..)| {
                format!("{client}'s lease ended at {}", time(at), client = self.words.short(client))
            },
        );
        let other = world.service.holder().filter(|h| h.client != client);
        let held = other.map_or(String::new(), |holder| {
            format!(" and {} holds the lock", self.words.short(holder.client))
        });
        format!("{over}{held}: a renewal does not bring an ended lease back.")
    }

    /// When a client hears that the connection is gone which its lease lived with.
    fn hears_of_its_connection(&self, entry: &LogEntry) -> Option<&'static str> {
        let cause = &self.recording.entries()[entry.cause?.seq().index()];
        let Fact::Fault(id, FaultFact::ServiceStopped { .. }) = cause.fact else {
            return None;
        };
        let faults = &self.recording.scenario().spec().faults;
        let fault = faults.iter().find(|fault| fault.id == id)?;
        Some(match matches!(fault.kind, FaultKind::Failover { .. }) {
            true => "hears of it once its request timeout has passed, if it has one",
            false => "hears of it one message time later",
        })
    }

    fn lease_ended(&self, entry: &LogEntry, grant: GrantNo, how: LeaseEnd) -> String {
        let Some(record) = self.recording.grant(grant) else {
            return String::new();
        };
        let client = record.client;
        match how {
            LeaseEnd::Released => {
                format!("{client} gave it back.", client = self.words.short(client))
            }
            LeaseEnd::Settled(by) => self.settled_by(client, by),
            LeaseEnd::TakenOver => self.taken_from(client),
            LeaseEnd::Disconnected => {
                let told = self.hears_of_its_connection(entry).unwrap_or("is not told");
                format!(
                    "The lease lives with {client}'s connection. {client} {told}.",
                    client = self.words.short(client)
                )
            }
            LeaseEnd::Overtaken => format!(
                "A node was made whose name comes before that of {client}'s. {client}'s session \
                 lives, it watches nobody, and it is not told.",
                client = self.words.short(client)
            ),
            LeaseEnd::Forgotten => {
                format!(
                    "The service has lost it in its restart. {client} is not told.",
                    client = self.words.short(client)
                )
            }
            LeaseEnd::ReleasedBy(other) => format!(
                "{other} gave back what was {client}'s: the service does not check who asks.",
                other = self.words.short(other),
                client = self.words.short(client)
            ),
            LeaseEnd::Expired => {
                let applied = self.last_applied(entry, grant).unwrap_or(record.entry);
                let since = self.entry(applied).map_or(record.at, |applied| applied.at);
                let length = duration(entry.at.since(since));
                format!(
                    "No renewal was applied for {length}.{}{}",
                    self.silence(entry, client, applied),
                    self.ended_late(entry)
                )
            }
        }
    }

    /// The last renewal of a grant that the service applied before this entry.
    fn last_applied(&self, entry: &LogEntry, grant: GrantNo) -> Option<EntrySeq> {
        let of = self.recording.grant(grant)?;
        let entries = &self.recording.entries()[of.entry.index()..entry.seq.index()];
        let is_renewal = |fact: &Fact| match *fact {
            Fact::Service(_, ServiceFact::Raft(RaftFact::LeadsOn { client, token, .. })) => {
                (client, token) == (of.client, of.token)
            }
            Fact::Service(_, fact) => fact.prolonged().is_some_and(|(longer, _)| longer == grant),
            _ => false,
        };
        entries.iter().rev().find(|entry| is_renewal(&entry.fact)).map(|entry| entry.seq)
    }

    /// What became of the renewals that a client sent since.
    fn silence(&self, entry: &LogEntry, client: ClientId, since: EntrySeq) -> String {
        let between = &self.recording.entries()[since.index()..entry.seq.index()];
        let of = NodeId::Client(client);
        let count = |is: fn(&Fact) -> Option<(MessageKind, NodeId)>| {
            between.iter().filter(|it| is(&it.fact) == Some((MessageKind::Renew, of))).count()
        };
        let n_sent = count(|fact| fact.sending().map(|sent| (sent.kind, sent.from)));
        let n_lost = count(|fact| fact.lost().map(|lost| (lost.kind, lost.from)));
        let before = self.recording.world_after(entry.seq.0);
        let state = &before.clients[client.index()];
        let client = self.words.short(client);
        match (n_sent, state.crashed, state.pause_of(PauseScope::Renewer)) {
            (0, Some(at), _) => format!(
                " {client} sent none: it is down since {}; the service sees silence and nothing \
                else.",
                time(at)
            ),
            (0, None, Some(pause)) => format!(
                " {client} sent none: it is paused since {}; the service cannot tell a pause from \
                a crash.",
                time(pause.since)
            ),
            (0, None, None) => format!(" {client} sent none."),
            (n, ..) if n == n_lost => {
                let them = if n == 1 { "it was lost" } else { "all were lost" };
                format!(" {client} sent {n}, and {them}: the service sees silence.")
            }
            (n, ..) => {
                let none = if n == 1 { "it was not applied" } else { "none was applied" };
                format!(" {client} sent {n} meanwhile, and {none}.")
            }
        }
    }

    fn taken(&self, entry: &LogEntry, client: ClientId) -> String {
        let rules = self.recording.scenario().rules();
        let world = self.recording.world_after(entry.seq.0);
        let holder = world.service.holder().map(|holder| holder.client);
        let held = holder.map_or("The lock is not free yet.".to_owned(), |holder| {
            format!("{holder} holds the lock.", holder = self.words.short(holder))
        });
        match rules.expiry {
            ExpiryJudge::HoldersTimestamp => format!(
                "{held} By {client}'s clock the time that the holder wrote is not over. {client} \
                has to ask again.",
                client = self.words.short(client)
            ),
            ExpiryJudge::Observers => format!(
                "{held} By its own clock {client} has not yet seen its record unchanged for a \
                whole lease. {client} has to ask again.",
                client = self.words.short(client)
            ),
            ExpiryJudge::Service => {
                format!(
                    "{held} {client} has no place in a queue: it has to ask again.",
                    client = self.words.short(client)
                )
            }
        }
    }

    fn waiter_left(&self, entry: &LogEntry, client: ClientId) -> String {
        let client = self.words.short(client);
        let cause = self.cause_of(entry).map(|cause| cause.fact);
        let is_lost = cause.is_some_and(|cause| match cause {
            Fact::Fault(_, fact) => matches!(fact, FaultFact::ConnectionLost { .. }),
            cause => cause.handled().is_some(),
        });
        match cause {
            Some(Fact::Fault(_, FaultFact::ServiceBack { .. })) => {
                format!("The service has lost its queue in the restart. {client} is not told.")
            }
            _ if is_lost => format!(
                "{client}'s place lives with its connection, and that was lost. {client} is not \
                told."
            ),
            _ => format!(
                "{client}'s own session was not renewed in time: a waiter that is silent is taken \
                for dead."
            ),
        }
    }
}

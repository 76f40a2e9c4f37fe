//! What is said of an item of a queue that the lock stands for: its deliveries, its settling, and
//! what of that was not taken.

use super::Teller;
use crate::sim::fact::ServiceFact;
use crate::sim::id::ClientId;
use crate::sim::log::LogEntry;
use crate::sim::scenario::{SettleAt, SettleCheck};
use crate::view_model::words::wording::plural;

impl Teller<'_> {
    /// Whether the lock stands for an item.
    pub(super) fn is_for_item(&self) -> bool {
        self.recording.scenario().rules().item.is_some()
    }

    /// What happened, in a few words, without a full stop. `node`: who did it.
    pub(super) fn item_did(&self, node: &str, fact: ServiceFact) -> String {
        match fact {
            ServiceFact::ItemDone { by, .. } => {
                format!("The item is done, as {} says", self.words.short(by))
            }
            ServiceFact::ItemDead { deliveries } => {
                let deliveries = plural(u64::from(deliveries), "delivery", "deliveries");
                format!("The item is dead after {deliveries}")
            }
            ServiceFact::SettleRefused { client, token, back, told } => {
                let (client, what) = (self.words.short(client), settling(back));
                match told {
                    true => format!("{node} refuses {client}'s {what}, {token}"),
                    false => format!("{node} ignores {client}'s {what}, {token}, in silence"),
                }
            }
            ServiceFact::NothingLeft { client } => {
                format!("{node} has nothing left for {}", self.words.short(client))
            }
            _ => String::new(),
        }
    }

    /// Why, in a sentence.
    pub(super) fn why_item(&self, entry: &LogEntry, fact: ServiceFact) -> String {
        match fact {
            ServiceFact::ItemDone { by, .. } => self.why_done(by),
            ServiceFact::ItemDead { deliveries } => format!(
                "It may be delivered {} at most, and no ack was taken. Nobody is granted it any \
                 more.",
                plural(u64::from(deliveries), "time", "times")
            ),
            ServiceFact::SettleRefused { client, back, told, .. } => {
                let refused = self.why_not_settled(entry, client, back);
                let client = self.words.short(client);
                match told {
                    true => format!("{refused} {client} is told so."),
                    false => format!(
                        "{refused} {client} is answered as if it had been, and no more is said."
                    ),
                }
            }
            ServiceFact::NothingLeft { .. } => {
                "The item is done, or dead: there is nothing to wait for.".to_owned()
            }
            _ => String::new(),
        }
    }

    fn why_done(&self, by: ClientId) -> String {
        let item = self.recording.scenario().rules().item;
        let by = self.words.short(by);
        match item.map(|item| item.settle_at) {
            Some(SettleAt::Begin) => format!(
                "{by} settles before it works: nobody is granted the item any more, whatever \
                 becomes of the work."
            ),
            Some(SettleAt::End) | None => {
                format!("{by} settles when its work is done. Nobody is granted the item any more.")
            }
        }
    }

    fn why_not_settled(&self, entry: &LogEntry, client: ClientId, back: bool) -> String {
        let world = self.recording.world_after(entry.seq.0);
        let what = settling(back);
        if world.service.closed.is_some() {
            return format!("The item is closed already: this {what} finds nothing.");
        }
        let holder = world.service.holder();
        if holder.is_some_and(|holder| holder.over.is_some())
            && self.recording.scenario().rules().refuses_late()
        {
            return format!("The time of the delivery is over, and a late {what} is refused.");
        }
        let other = holder.filter(|holder| holder.client != client);
        let check = self.recording.scenario().rules().item.map(|item| item.check);
        match (check, other) {
            (Some(SettleCheck::Handle), Some(holder)) => format!(
                "By now the newest delivery is {}'s, and its handle alone is taken.",
                self.words.short(holder.client)
            ),
            (Some(SettleCheck::Handle), None) if world.service.holder().is_some() => {
                "The delivery has another handle by now, or is over.".to_owned()
            }
            _ => "Nobody holds the item: the delivery has ended.".to_owned(),
        }
    }

    /// Why a delivery ended by settling.
    pub(super) fn settled_by(&self, client: ClientId, by: ClientId) -> String {
        let (of, who) = (self.words.short(client), self.words.short(by));
        match client == by {
            true => format!("{who} settled it: the item is done."),
            false => format!(
                "{who} settled what was delivered to {of}: the service does not look whose \
                 delivery it is."
            ),
        }
    }
}

/// What a settling is called.
fn settling(back: bool) -> &'static str {
    if back { "putting back" } else { "ack" }
}

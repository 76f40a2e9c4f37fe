//! What actors are called and by which clock times are told. Both come with the file, so whoever
//! writes a sentence is handed them: a card of another scenario has its own. Names are text that
//! people wrote; what is made of them is escaped where it leaves the page.

use std::borrow::Borrow;
use std::rc::Rc;

use crate::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use crate::sim::plain_text::one_line;
use crate::sim::scenario::{ActorName, Incident, MessageAddress};

use super::clock::Clock;
use super::message_row::message;

/// Names and clock of a file. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    names: Rc<[ActorName]>,
    /// The clock on the wall, where the file says when the incident began.
    pub clock: Option<Clock>,
}

impl Words {
    /// What a file says. Each name is held on one line and has no characters that turn text around.
    pub fn of(incident: &Incident) -> Self {
        let plain =
            |name: &ActorName| ActorName { actor: name.actor, name: one_line(name.name.trim()) };
        Self { names: incident.names.iter().map(plain).collect(), clock: Clock::of(incident) }
    }

    /// What a node is called in the incident, if it is.
    pub fn given(&self, node: NodeId) -> Option<&str> {
        let mut names = self.names.iter();
        names.find(|name| name.actor == node).map(|name| name.name.as_str())
    }

    fn given_or(&self, node: NodeId, usual: impl FnOnce() -> String) -> String {
        self.given(node).map_or_else(usual, str::to_owned)
    }

    /// A client in a sentence: `A`, or its name.
    pub fn short(&self, client: impl Borrow<ClientId>) -> String {
        let client = *client.borrow();
        self.given_or(NodeId::Client(client), || client.to_string())
    }

    /// A client in a ring or a disc, which has room for one letter: `A`, whatever it is called.
    pub fn letter(&self, client: ClientId) -> String {
        let named = self.short(client);
        if named.chars().count() == 1 { named } else { client.to_string() }
    }

    /// A client's full name: `Client A`.
    pub fn client(&self, id: ClientId) -> String {
        self.given_or(NodeId::Client(id), || format!("Client {id}"))
    }

    /// A node as the subject of a sentence: `A`, `Lock service`, `Storage`.
    pub fn node(&self, node: NodeId) -> String {
        self.given_or(node, || match node {
            NodeId::Client(client) => client.to_string(),
            NodeId::Lock(LockNodeId(0)) => "Lock service".to_owned(),
            NodeId::Lock(LockNodeId(index)) => format!("Lock service {}", index + 1),
            NodeId::Store(StoreId(0)) => "Storage".to_owned(),
            NodeId::Store(StoreId(index)) => format!("Storage {}", index + 1),
        })
    }

    /// A node in a list to choose from: `Client A`, `Lock service`, `Storage`.
    pub fn actor(&self, id: NodeId) -> String {
        match id {
            NodeId::Client(id) => self.client(id),
            NodeId::Lock(_) | NodeId::Store(_) => self.node(id),
        }
    }

    /// A node inside a sentence: `A`, `lock service`, `storage 2`.
    pub fn inside(&self, id: NodeId) -> String {
        self.given_or(id, || match id {
            NodeId::Client(client) => client.to_string(),
            NodeId::Lock(_) | NodeId::Store(_) => self.node(id).to_ascii_lowercase(),
        })
    }

    /// A message of a run by its address: `A's write`, `the grant to B`, `A's write no. 2`.
    pub fn addressed(&self, address: &MessageAddress) -> String {
        let what = message(address.kind);
        let named = match (address.from, address.to) {
            (NodeId::Client(client), _) => format!("{}'s {what}", self.short(client)),
            (NodeId::Lock(_) | NodeId::Store(_), to) => {
                format!("the {what} to {}", self.node(to))
            }
        };
        match address.nth {
            1 => named,
            nth => format!("{named} no. {nth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_takes_the_place_of_the_letter_and_nothing_else() {
        let a = NodeId::Client(ClientId(0));
        let name = "bill\ning \u{202e}<b>".to_owned();
        let names = vec![ActorName { actor: a, name }];
        let words = Words::of(&Incident { names, ..Incident::default() });
        assert_eq!(words.short(ClientId(0)), "bill ing \u{fffd}<b>");
        assert_eq!(words.client(ClientId(0)), "bill ing \u{fffd}<b>");
        assert_eq!(words.node(a), "bill ing \u{fffd}<b>");
        assert_eq!(words.client(ClientId(1)), "Client B");
        assert_eq!(Words::default().client(ClientId(0)), "Client A");
    }
}

//! What actors are called and by which clock times are told. Both come with the file, so whoever
//! writes a sentence is handed them: a card of another scenario has its own. Names are text that
//! people wrote; what is made of them is escaped where it leaves the page.

use std::borrow::Borrow;
use std::rc::Rc;

use crate::sim::id::{ClientId, LockNodeId, NodeId, StoreId};
use crate::sim::lock::{LOCK_SERVICE, info};
use crate::sim::plain_text::one_line;
use crate::sim::scenario::{ActorName, Incident, MessageAddress, ScenarioSpec};

use super::clock::Clock;
use super::message_row::message;

/// Names up to this length, in characters, stand whole on a label.
const MAX_TAG: usize = 8;

/// Where parts of a name meet.
pub fn is_joint(character: char) -> bool {
    matches!(character, '-' | '_' | '.' | '/' | ':' | ' ')
}

/// Names and clock of a file. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    names: Rc<[ActorName]>,
    /// What grants the lock, by the system's name: a product is often but its client.
    service: Option<Rc<str>>,
    /// The clock on the wall, where the file says when the incident began.
    pub clock: Option<Clock>,
}

impl Words {
    /// What a file says. Each name is held on one line and has no characters that turn text around.
    pub fn of(incident: &Incident, spec: &ScenarioSpec) -> Self {
        let plain =
            |name: &ActorName| ActorName { actor: name.actor, name: one_line(name.name.trim()) };
        let names = incident.names.iter().map(plain).collect();
        Self { names, service: None, clock: Clock::of(incident) }.with_system_of(spec)
    }

    /// The same with another scenario's lock system.
    pub fn with_system_of(&self, spec: &ScenarioSpec) -> Self {
        let system = Some(info(spec.lock).service).filter(|service| *service != LOCK_SERVICE);
        let service = system.map(Rc::from);
        Self { service, ..self.clone() }
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

    /// A client on a label of the drawing: `A`; of a long name the shortest end that tells it from
    /// the others, as `1a` of `billing-worker-eu-central-1a`.
    pub fn tag(&self, client: ClientId) -> String {
        let whole = self.short(client);
        let node = NodeId::Client(client);
        let is_client = |name: &&ActorName| matches!(name.actor, NodeId::Client(_));
        let others = self.names.iter().filter(is_client).filter(|name| name.actor != node);
        let others: Vec<&str> = others.map(|name| name.name.as_str()).collect();
        let mut ends: Vec<&str> =
            whole.match_indices(is_joint).map(|(at, joint)| &whole[at + joint.len()..]).collect();
        ends.reverse();
        // A bare number is no name, and a letter is that of a client without one.
        let tells = |end: &&str| {
            let is_word = end.chars().count() > 1 && end.chars().any(char::is_alphabetic);
            is_word && others.iter().all(|other| !other.ends_with(end))
        };
        let end = ends.into_iter().find(tells).filter(|_| whole.chars().count() > MAX_TAG);
        end.map_or_else(|| whole.clone(), str::to_owned)
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
            NodeId::Lock(LockNodeId(0)) => {
                self.service.as_deref().unwrap_or(LOCK_SERVICE).to_owned()
            }
            NodeId::Lock(LockNodeId(index)) => format!("Node {}", index + 1),
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
            NodeId::Lock(LockNodeId(0)) if self.service.is_some() => self.node(id),
            NodeId::Lock(_) | NodeId::Store(_) => self.node(id).to_ascii_lowercase(),
        })
    }

    /// What grants the lock, inside a sentence: `the lock service`, or its name.
    pub fn the_service(&self) -> String {
        let service = NodeId::Lock(LockNodeId(0));
        match (self.given(service), &self.service) {
            (None, None) => format!("the {}", self.inside(service)),
            _ => self.inside(service),
        }
    }

    /// Both ends of a link; of nodes of one service the first has its number, too.
    pub fn ends(&self, a: NodeId, b: NodeId) -> String {
        let end = |node| match node {
            NodeId::Lock(LockNodeId(0)) if matches!((a, b), (NodeId::Lock(_), NodeId::Lock(_))) => {
                self.given_or(node, || "node 1".to_owned())
            }
            _ => self.inside(node),
        };
        format!("{} and {}", end(a), end(b))
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
    use crate::scenarios::GALLERY;
    use crate::sim::scenario::LockSystem;

    #[test]
    fn a_name_takes_the_place_of_the_letter_and_nothing_else() {
        let a = NodeId::Client(ClientId(0));
        let name = "bill\ning \u{202e}<b>".to_owned();
        let names = vec![ActorName { actor: a, name }];
        let words =
            Words::of(&Incident { names, ..Incident::default() }, &GALLERY[0].file().scenario);
        assert_eq!(words.short(ClientId(0)), "bill ing \u{fffd}<b>");
        assert_eq!(words.client(ClientId(0)), "bill ing \u{fffd}<b>");
        assert_eq!(words.node(a), "bill ing \u{fffd}<b>");
        assert_eq!(words.client(ClientId(1)), "Client B");
        assert_eq!(Words::default().client(ClientId(0)), "Client A");
    }

    #[test]
    fn a_label_has_the_end_of_a_name_that_tells_it_from_the_others() {
        let tags = |names: [&str; 2]| {
            let client = |index| NodeId::Client(ClientId(index));
            let named = |(index, name): (u8, &str)| ActorName {
                actor: client(index),
                name: name.to_owned(),
            };
            let names = (0..).zip(names).map(named).collect();
            let words =
                Words::of(&Incident { names, ..Incident::default() }, &GALLERY[0].file().scenario);
            [0, 1].map(|index| words.tag(ClientId(index)))
        };
        let long = ["billing-worker-eu-central-1a", "billing-worker-eu-central-1b"];
        assert_eq!(tags(long), ["1a", "1b"]);
        // A bare number and a letter are no names.
        assert_eq!(tags(["billing-worker-1", "billing-worker-2"]), ["worker-1", "worker-2"]);
        assert_eq!(tags(["invoices-a", "invoices-b"]), ["invoices-a", "invoices-b"]);
        assert_eq!(tags(["eu-1a", "nobody"]), ["eu-1a", "nobody"]);
        assert_eq!(tags(["first-worker", "second-worker"]), ["first-worker", "second-worker"]);
        assert_eq!(Words::default().tag(ClientId(0)), "A");
    }

    #[test]
    fn a_service_is_called_by_its_system_or_as_the_incident_has_it() {
        let service = NodeId::Lock(LockNodeId(0));
        let mut spec = GALLERY[0].file().scenario;
        let said = |words: &Words| [words.node(service), words.the_service()];
        let of = |spec: &ScenarioSpec| Words::of(&Incident::default(), spec);
        assert_eq!(said(&of(&spec)), ["Lock service", "the lock service"]);
        spec.lock = LockSystem::Redis;
        assert_eq!(said(&of(&spec)), ["Redis", "Redis"]);
        spec.product = Some("redisson".to_owned());
        assert_eq!(said(&of(&spec)), ["Redis", "Redis"]);
        let names = vec![ActorName { actor: service, name: "locks-eu".to_owned() }];
        let named = Words::of(&Incident { names, ..Incident::default() }, &spec);
        assert_eq!(said(&named), ["locks-eu", "locks-eu"]);
        let node = |index| NodeId::Lock(LockNodeId(index));
        let client = NodeId::Client(ClientId(0));
        assert_eq!(of(&spec).ends(node(0), node(1)), "node 1 and node 2");
        assert_eq!(of(&spec).ends(client, node(0)), "A and Redis");
    }
}

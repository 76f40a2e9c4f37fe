//! What actors are called: the names that the file on screen gives them are in force for everything
//! that is worded, as a language would be. Words are made in a hundred places, each of which would
//! have to be handed the names; whoever shows other runs puts theirs in force. Names are text that
//! people wrote: what is made of them is escaped where it leaves the page.

use std::borrow::Borrow;
use std::cell::RefCell;

use crate::sim::id::{ClientId, NodeId};
use crate::sim::plain_text::one_line;
use crate::sim::scenario::ActorName;

thread_local! {
    static NAMES: RefCell<Vec<ActorName>> = const { RefCell::new(Vec::new()) };
}

/// Puts names in force, in place of those before. Each is held on one line and has no characters
/// that turn text around.
pub fn put_in_force(names: &[ActorName]) {
    let plain =
        |name: &ActorName| ActorName { actor: name.actor, name: one_line(name.name.trim()) };
    NAMES.replace(names.iter().map(plain).collect());
}

/// What a node is called in the incident, if it is.
pub fn of(node: NodeId) -> Option<String> {
    NAMES.with_borrow(|names| {
        let mut names = names.iter();
        names.find(|name| name.actor == node).map(|name| name.name.clone())
    })
}

/// A client in a sentence: `A`, or its name.
pub fn short(client: impl Borrow<ClientId>) -> String {
    let client = *client.borrow();
    of(NodeId::Client(client)).unwrap_or_else(|| client.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::words::wording;

    #[test]
    fn a_name_takes_the_place_of_the_letter_and_nothing_else() {
        let a = NodeId::Client(ClientId(0));
        let name = "bill\ning \u{202e}<b>".to_owned();
        put_in_force(&[ActorName { actor: a, name }]);
        assert_eq!(short(ClientId(0)), "bill ing \u{fffd}<b>");
        assert_eq!(wording::client(ClientId(0)), "bill ing \u{fffd}<b>");
        assert_eq!(wording::node(a), "bill ing \u{fffd}<b>");
        assert_eq!(wording::client(ClientId(1)), "Client B");
        put_in_force(&[]);
        assert_eq!(wording::client(ClientId(0)), "Client A");
    }
}

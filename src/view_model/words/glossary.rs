//! The field's terms, explained: all of them in Help, and each beside the control that it stands
//! on. The project's GLOSSARY.md says the same at length.

/// What the controls of a pause are about: their names begin with a client's.
pub const A_PAUSE: &str = "A pause";

/// Terms, what they mean, and how the names of controls begin that need the explanation; in the
/// order in which a newcomer meets them. A control whose name begins with somebody's says what it
/// is about.
pub const GLOSSARY: [(&str, &str, &[&str]); 28] = [
    ("Lease", "A lock that expires: it is its holder's until its time to live is over.", &[]),
    (
        "Time to live (TTL)",
        "How long a lease lasts from its grant, or from its last renewal.",
        &["Time to live"],
    ),
    ("Grant", "The lock service gives the lock to a client, with a token.", &[]),
    (
        "Renewal",
        "The holder asks for more time. It does not bring back a lease that has ended.",
        &["Renew every", "When a renewal fails"],
    ),
    (
        "Fencing token",
        "A number that grows with every grant. The holder sends it along with every write.",
        &["Tokens come from", "Clients send as token"],
    ),
    (
        "Fence",
        "The storage refuses a write whose token is lower than the highest it has seen. Off: \
         tokens are recorded and not checked.",
        &["Fencing"],
    ),
    (
        "Highest seen",
        "The highest token in a write or seal that this storage has accepted.",
        &["Refuses a token that is", "Highest seen survives"],
    ),
    (
        "Seal",
        "A new holder raises the fence at the storage before it reads or writes.",
        &["New holder seals first"],
    ),
    ("Belief", "What a client thinks it holds. It can go on after the lease has ended.", &[]),
    (
        "Pause",
        "A client stands still and does not notice: garbage collection, a suspended machine.",
        &[A_PAUSE],
    ),
    (
        "Late write",
        "It arrives after its lease ended, before this storage has accepted anything of a newer \
         holder.",
        &[],
    ),
    (
        "Stale write",
        "It arrives after its lease ended, and the storage has accepted something of a newer \
         holder. Accepted, it can be damage.",
        &[],
    ),
    (
        "Cause",
        "What the bad event does not happen without. Each fault was taken out, each setting that \
         has a neutral value put back, and the run made again.",
        &[],
    ),
    ("Lost update", "A write that is built on an old value wipes out an accepted one.", &[]),
    (
        "Safe by luck",
        "Something late was accepted or done, or the work of two holders overlapped, and it did \
         no harm.",
        &[],
    ),
    (
        "Check before the write",
        "The worker looks whether it still holds the lock, right before it writes. The answer can \
         be old when it is used.",
        &["Check the lease", "Looked at before a write"],
    ),
    (
        "Work",
        "What a client does between its grant and its write. That the lease ends does not stop it: \
         only the client can, once it learns of it.",
        &["Work takes", "Work is"],
    ),
    (
        "Message time",
        "How long every message travels, one way. What was sent travels on, whatever becomes of \
         its sender.",
        &["Message takes"],
    ),
    (
        "Local deadline",
        "A holder's own idea of when its lease ends. Counted from when the request was sent it is \
         never late if the rates of the two clocks differ little, its own clock runs on while \
         it is suspended, it does not pause between the look and the write, and nothing is still \
         under way.",
        &["Local deadline", "Deadline margin"],
    ),
    (
        "Owner check",
        "The service refuses a release or a renewal of a lease that is somebody else's.",
        &["Owner check"],
    ),
    (
        "Lock-delay",
        "After a holder failed, nobody is granted the lock for a while, so that what it sent can \
         arrive first. Never after a release.",
        &["Lock-delay", "Lock delay"],
    ),
    ("Grace", "How much later than promised the service ends a lease.", &["Grace"]),
    (
        "Operation",
        "An overwrite needs no older value; a read-modify-write is built on one and can lose \
         another's update; an external effect happens where no fence stands.",
        &["Operation"],
    ),
    (
        "Idempotent",
        "Doing it twice is the same as doing it once: the piece of work is known by its id.",
        &["Work is idempotent"],
    ),
    (
        "Piece of work",
        "What a worker does before it releases or rests: one write or several. Clients that share \
         it may do it twice; otherwise each has its own.",
        &["Piece of work"],
    ),
    ("Store", "A place that is written to, with a highest token of its own.", &["Stores"]),
    (
        "Waiter",
        "A client that wants a lock which somebody holds: it stands in a queue, or asks again and \
         again.",
        &["A waiter", "A client waits"],
    ),
    (
        "Expiry",
        "A lease is over because its time has passed, by the clock of whoever judges it. Clocks \
         can differ, jump, and run at another rate.",
        &["Expiry is judged by"],
    ),
];

/// The term in the name of a control or in what it is about, and what that means.
pub fn explained(label: &str) -> Option<(&'static str, &'static str)> {
    let begins = |starts: &[&str]| {
        let length = starts.iter().filter(|start| label.starts_with(**start)).map(|s| s.len());
        length.max()
    };
    // “Work is idempotent” is more than “Work is”.
    let found = GLOSSARY.iter().filter_map(|entry| Some((begins(entry.2)?, entry)));
    found.max_by_key(|(length, _)| *length).map(|(_, (term, meaning, _))| (*term, *meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_explains_a_control() {
        let term = |label| explained(label).map(|(term, _)| term);
        assert_eq!(term("Work is idempotent"), Some("Idempotent"));
        assert_eq!(term("Work is"), Some("Work"));
        assert_eq!(term(A_PAUSE), Some("Pause"));
        assert_eq!(term("Time to live"), Some("Time to live (TTL)"));
        assert_eq!(term("Nodes"), None);
    }

    #[test]
    fn every_entry_is_a_sentence() {
        for (term, meaning, _) in GLOSSARY {
            assert!(meaning.ends_with('.') && !term.ends_with('.'), "{term}");
        }
    }
}

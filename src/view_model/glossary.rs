//! The field's terms, explained for Help. The project's GLOSSARY.md says the same at length.

/// Terms and what they mean, in the order in which a newcomer meets them.
pub const GLOSSARY: [(&str, &str); 14] = [
    ("Lease", "A lock that expires: it is its holder's until its time to live is over."),
    ("Time to live (TTL)", "How long a lease lasts from its grant, or from its last renewal."),
    ("Grant", "The lock service gives the lock to a client, with a token."),
    ("Renewal", "The holder asks for more time. It does not bring back a lease that has ended."),
    (
        "Fencing token",
        "A number that grows with every grant. The holder sends it along with every write.",
    ),
    ("Fence", "The storage refuses a write whose token is lower than the highest it has seen."),
    ("Highest seen", "The highest token in a write or seal that this storage has accepted."),
    ("Seal", "A new holder raises the fence at the storage before it reads or writes."),
    ("Belief", "What a client thinks it holds. It can go on after the lease has ended."),
    (
        "Pause",
        "A client stands still and does not notice: garbage collection, a suspended machine.",
    ),
    ("Late write", "It arrives after its lease ended, and before the next holder has written."),
    ("Stale write", "It arrives after the next holder has written. Accepted, it is damage."),
    ("Lost update", "A write that is built on an old value wipes out an accepted one."),
    ("Safe by luck", "A late write was accepted, and happened to do no harm."),
];

//! The first three tours: why a lock expires, and what follows from that. Their words; what they
//! claim is tested against the runs.

use super::{AT_THE_END, Cast, Look, Question, Step, Task, Tour, Truth};
use crate::sim::property::VerdictKind::{Safe, Unavailable};
use crate::view_model::runs::moment::RunNo::{One, Two};

pub(super) const DEADLOCK: Tour = Tour {
    id: "deadlock",
    title: "A lock without expiry deadlocks",
    line: "The holder dies, and nobody else ever gets the lock.",
    steps: &[
        Step {
            title: "One lock, two clients",
            text: "Client A asks first and is granted the lock at 0.2 s. Client B asks after it, \
                   and stands in the queue at 1.1 s. This lock has no time to live: it is A's \
                   until A gives it back.",
            scenario: "no-expiry",
            cast: Cast::First,
            plays: (0, 1_100),
            look: Look::Why,
            task: Task::Watch,
            claims: &[Truth::GrantAt(One, 200)],
        },
        Step {
            title: "The holder dies",
            text: "A will crash at 2.0 s. From then on it knows nothing, so it will not give the \
                   lock back. B waits.",
            scenario: "no-expiry",
            cast: Cast::First,
            plays: (200, 1_100),
            look: Look::Why,
            task: Task::Predict(Question {
                ask: "Is B ever granted the lock?",
                options: &[
                    ("Yes, a little later", Truth::Grants(One, 2)),
                    ("Never", Truth::Grants(One, 1)),
                ],
                seen_at: AT_THE_END,
                because: "The service cannot tell a dead holder from a slow one, and a lock \
                          without an end is never taken from its holder. Somebody has to come and \
                          delete it by hand.",
            }),
            claims: &[Truth::Verdict(One, Unavailable)],
        },
        Step {
            title: "A fence frees nothing",
            text: "Run 2 has a fence: the storage refuses old tokens. It changes nothing here. A \
                   fence stops writes that come too late; it gives no lock to those who wait.",
            scenario: "no-expiry",
            cast: Cast::Both,
            plays: (1_100, 2_000),
            look: Look::Storage(Two),
            task: Task::Watch,
            claims: &[Truth::Verdict(One, Unavailable), Truth::Verdict(Two, Unavailable)],
        },
    ],
};

pub(super) const LEASE: Tour = Tour {
    id: "lease",
    title: "A lease frees itself",
    line: "A lock that expires comes free although nobody gives it back.",
    steps: &[
        Step {
            title: "A lock with an end",
            text: "The same two clients. This lock is a lease: A is granted it at 0.2 s for ten \
                   seconds, and renews it as long as it lives. With the grant comes a number, the \
                   token: 33.",
            scenario: "lease-frees-itself",
            cast: Cast::First,
            plays: (0, 1_100),
            look: Look::Why,
            task: Task::Watch,
            claims: &[Truth::GrantAt(One, 200)],
        },
        Step {
            title: "The holder dies again",
            text: "A will crash at 2.0 s, before its first renewal.",
            scenario: "lease-frees-itself",
            cast: Cast::First,
            plays: (200, 1_100),
            look: Look::Why,
            task: Task::Predict(Question {
                ask: "When is B granted the lock?",
                options: &[
                    ("At once, when A crashes", Truth::GrantAt(One, 2_000)),
                    ("When A's ten seconds are over", Truth::GrantAt(One, 10_200)),
                    ("Never", Truth::Grants(One, 1)),
                ],
                seen_at: 10_200,
                because: "The service does not know that A is dead. It knows how long it promised \
                          the lock to A, waits that long, and gives it to whoever is next, with a \
                          higher token.",
            }),
            claims: &[Truth::Verdict(One, Safe)],
        },
        Step {
            title: "Slow or dead?",
            text: "In Run 1 A is paused, in Run 2 its connection is cut. The service sees the same \
                   silence in both and decides the same at 10.2 s. This is the price of a lease: \
                   whoever loses it may still be alive.",
            scenario: "slow-or-dead",
            cast: Cast::Both,
            plays: (1_100, 10_200),
            look: Look::Why,
            task: Task::Watch,
            claims: &[Truth::GrantAt(One, 10_200), Truth::GrantAt(Two, 10_200)],
        },
    ],
};

pub(super) const PAUSED: Tour = Tour {
    id: "paused",
    title: "The paused holder",
    line: "A holder freezes, wakes, and writes as if nothing had happened.",
    steps: &[
        Step {
            title: "A freezes",
            text: "A has the lock and works. At 2.0 s it stands still: a garbage collection, a \
                   suspended machine, a disk that does not answer. It will not notice.",
            scenario: "paused-holder",
            cast: Cast::First,
            plays: (0, 2_000),
            look: Look::Fault,
            task: Task::Watch,
            claims: &[],
        },
        Step {
            title: "Its lease ends",
            text: "Nothing renews the lease, so it ends at 10.2 s, and B is granted the lock at \
                   that instant. Everybody has done what they should.",
            scenario: "paused-holder",
            cast: Cast::First,
            plays: (2_000, 10_200),
            look: Look::Why,
            task: Task::Watch,
            claims: &[Truth::GrantAt(One, 10_200), Truth::Grants(One, 2)],
        },
        Step {
            title: "B writes",
            text: "B does its work. Its write reaches the storage at 12.4 s, and the value is now \
                   B's.",
            scenario: "paused-holder",
            cast: Cast::First,
            plays: (10_200, 12_400),
            look: Look::Storage(One),
            task: Task::Watch,
            claims: &[Truth::Accepted(One, 12_400, true)],
        },
        Step {
            title: "A wakes",
            text: "A wakes at 17.0 s. For A no time has passed: it believes that it holds the \
                   lock, and sends the write that it was about to send.",
            scenario: "paused-holder",
            cast: Cast::First,
            plays: (12_400, 17_000),
            look: Look::Storage(One),
            task: Task::Predict(Question {
                ask: "The storage does not look at tokens. What becomes of A's write?",
                options: &[
                    ("Accepted", Truth::Accepted(One, 17_100, true)),
                    ("Refused", Truth::Accepted(One, 17_100, false)),
                ],
                seen_at: 17_100,
                because: "The storage has no reason to refuse it. B's value is overwritten, and \
                          B is not told. A hears that its write was accepted.",
            }),
            claims: &[],
        },
        Step {
            title: "How long is too long?",
            text: "The damage depends on how long A stands still, and nobody promises how long \
                   that is.",
            scenario: "paused-holder",
            cast: Cast::First,
            plays: (17_000, 17_100),
            look: Look::Slider,
            task: Task::Try {
                what: "Make the pause so short that nothing is corrupted",
                done: &[Truth::Verdict(One, Safe)],
                says: "Below 8.1 s the write arrives in time. From there to 10.3 s it is late, \
                       and harmless by luck.",
            },
            claims: &[],
        },
    ],
};

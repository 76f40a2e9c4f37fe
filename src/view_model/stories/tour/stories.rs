//! The other four tours: what does not help, what does, and what that leaves open. Their words;
//! what they claim is tested against the runs.

use super::{Cast, Look, Question, Step, Task, Tour, Truth};
use crate::sim::property::VerdictKind::{Corrupted, Safe, WastedWork};
use crate::view_model::runs::moment::RunNo::{One, Two};

pub(super) const CHECK: Tour = Tour {
    id: "check",
    title: "Checking before the write does not help",
    line: "However careful the holder is, its check is old when it writes.",
    steps: &[
        Step {
            title: "A asks first",
            text: "This client is careful: right before its write it asks the service whether it \
                   holds the lock. The service says yes at 2.4 s, and that is true.",
            scenario: "checked-still-late",
            cast: Cast::First,
            plays: (0, 2_400),
            look: Look::Why,
            task: Task::Watch,
            claims: &[],
        },
        Step {
            title: "Between the check and the write",
            text: "A has the answer in its hands at 2.5 s, and is paused right there, for fifteen \
                   seconds. B is granted the lock and writes; A wakes at 17.5 s.",
            scenario: "checked-still-late",
            cast: Cast::First,
            plays: (2_400, 17_500),
            look: Look::Fault,
            task: Task::Predict(Question {
                ask: "A has checked. What becomes of its write?",
                options: &[
                    ("Accepted, over B's value", Truth::Accepted(One, 17_600, true)),
                    ("Not accepted", Truth::Accepted(One, 17_600, false)),
                ],
                seen_at: 17_600,
                because: "The answer was true when it was given, and fifteen seconds old when it \
                          was used. However short the gap is, a pause fits into it.",
            }),
            claims: &[Truth::Accepted(One, 12_600, true), Truth::Verdict(One, Corrupted)],
        },
        Step {
            title: "Who could check",
            text: "Only the storage can check at the moment of the write itself. In Run 2 it does, \
                   and the same write is refused at 17.6 s.",
            scenario: "checked-still-late",
            cast: Cast::Both,
            plays: (17_500, 17_600),
            look: Look::Storage(Two),
            task: Task::Watch,
            claims: &[Truth::Accepted(Two, 17_600, false), Truth::Verdict(Two, Safe)],
        },
    ],
};

pub(super) const FENCE: Tour = Tour {
    id: "fence",
    title: "The fence",
    line: "The storage compares two numbers, and the stale write is refused.",
    steps: &[
        Step {
            title: "A number with every grant",
            text: "The paused holder once more. Every grant has a token, a number that only grows: \
                   A's is 33, and B's, granted at 10.2 s, is 34.",
            scenario: "paused-holder",
            cast: Cast::Second,
            plays: (0, 10_200),
            look: Look::Why,
            task: Task::Watch,
            claims: &[Truth::GrantAt(One, 10_200), Truth::Grants(One, 2)],
        },
        Step {
            title: "The storage remembers",
            text: "A client sends its token along with every write. The storage accepts B's at \
                   12.4 s, and remembers 34 as the highest that it has seen.",
            scenario: "paused-holder",
            cast: Cast::Second,
            plays: (10_200, 12_400),
            look: Look::Storage(One),
            task: Task::Watch,
            claims: &[Truth::Accepted(One, 12_400, true)],
        },
        Step {
            title: "A wakes with 33",
            text: "A wakes at 17.0 s, as wrong as ever, and sends its write with token 33.",
            scenario: "paused-holder",
            cast: Cast::Second,
            plays: (12_400, 17_000),
            look: Look::Storage(One),
            task: Task::Predict(Question {
                ask: "Accepted or refused?",
                options: &[
                    ("Accepted", Truth::Accepted(One, 17_100, true)),
                    ("Refused", Truth::Accepted(One, 17_100, false)),
                ],
                seen_at: 17_100,
                because: "33 is lower than 34. The storage needs no clock and asks nobody. A still \
                          believes what it believed, and its belief does no harm.",
            }),
            claims: &[Truth::Verdict(One, Safe)],
        },
        Step {
            title: "Turn it on yourself",
            text: "The same schedule without a fence. Turn it on and drag the pause: once B has \
                   written, no write of A's gets past the fence. From 8.1 to 10.3 s A's late \
                   write still comes first, and does no harm by luck.",
            scenario: "paused-holder",
            cast: Cast::First,
            plays: (17_000, 17_100),
            look: Look::Fencing,
            task: Task::Try {
                what: "Turn fencing on",
                done: &[Truth::Verdict(One, Safe), Truth::Verdict(Two, Safe)],
                says: "The write is refused. “Compare both” shows the two runs one under the \
                       other.",
            },
            claims: &[Truth::Verdict(One, Corrupted)],
        },
        Step {
            title: "Somebody has to look",
            text: "In Run 1 the token is sent, and the storage does not compare it: the stale \
                   write is accepted at 17.1 s. A token that nobody checks is decoration.",
            scenario: "nobody-checks",
            cast: Cast::Both,
            plays: (17_000, 17_100),
            look: Look::Storage(One),
            task: Task::Watch,
            claims: &[Truth::Verdict(One, Corrupted), Truth::Verdict(Two, Safe)],
        },
    ],
};

pub(super) const BEYOND: Tour = Tour {
    id: "beyond",
    title: "What the fence does not do",
    line: "It leaves a window that the seal closes, and it guards nothing but the storage.",
    steps: &[
        Step {
            title: "Before the first new write",
            text: "Fencing is on. B is granted token 34 and has read the value; it has not written \
                   yet. A wakes at 11.0 s and sends its write with 33.",
            scenario: "window-before-first-write",
            cast: Cast::First,
            plays: (2_000, 11_000),
            look: Look::Storage(One),
            task: Task::Predict(Question {
                ask: "Accepted or refused?",
                options: &[
                    ("Accepted", Truth::Accepted(One, 11_100, true)),
                    ("Refused", Truth::Accepted(One, 11_100, false)),
                ],
                seen_at: 11_100,
                because: "The storage learns of 34 from a message that carries it, and none has \
                          come yet. B then writes what it built on the older value, and A's update \
                          is lost.",
            }),
            claims: &[Truth::Accepted(One, 12_600, true), Truth::Verdict(One, Corrupted)],
        },
        Step {
            title: "The seal",
            text: "In Run 2 a new holder raises the fence before it reads: B's seal is at the \
                   storage at 10.4 s, and A's write is refused at 11.1 s.",
            scenario: "window-before-first-write",
            cast: Cast::Both,
            plays: (10_300, 11_100),
            look: Look::Storage(Two),
            task: Task::Watch,
            claims: &[Truth::Accepted(Two, 11_100, false), Truth::Verdict(Two, Safe)],
        },
        Step {
            title: "A payment",
            text: "This work makes a payment and then writes. B has made it at 12.6 s. A wakes at \
                   17.0 s, in the middle of the same piece of work. Fencing is on.",
            scenario: "outside-the-fence",
            cast: Cast::First,
            plays: (10_200, 17_000),
            look: Look::Storage(One),
            task: Task::Predict(Question {
                ask: "Is the payment made a second time?",
                options: &[
                    ("Yes", Truth::Verdict(One, Corrupted)),
                    ("No, the fence stops it", Truth::Verdict(One, Safe)),
                ],
                seen_at: 17_100,
                because: "The fence stands at the storage. It refuses A's write a moment later, \
                          and cannot take the payment back.",
            }),
            claims: &[Truth::Accepted(One, 17_300, false)],
        },
        Step {
            title: "Idempotence",
            text: "In Run 2 whoever is paid knows the piece of work by its id, and does nothing \
                   the second time, at 17.1 s. Work is wasted, and nothing is wrong.",
            scenario: "outside-the-fence",
            cast: Cast::Both,
            plays: (17_000, 17_100),
            look: Look::Storage(Two),
            task: Task::Watch,
            claims: &[Truth::Verdict(One, Corrupted), Truth::Verdict(Two, WastedWork)],
        },
    ],
};

pub(super) const LONGER: Tour = Tour {
    id: "longer",
    title: "A longer lease is no fix",
    line: "What a lease is good for, and when that is enough.",
    steps: &[
        Step {
            title: "A whole minute",
            text: "Six times the lease: a minute instead of ten seconds. A is paused at 2.0 s, for \
                   75 s. There is no fence.",
            scenario: "longer-lease",
            cast: Cast::Second,
            plays: (0, 2_000),
            look: Look::Fault,
            task: Task::Predict(Question {
                ask: "Is a minute enough?",
                options: &[
                    ("Yes", Truth::Verdict(One, Safe)),
                    ("No", Truth::Verdict(One, Corrupted)),
                ],
                seen_at: 77_100,
                because: "The lease ended after a minute, B wrote, and A woke later still. \
                          Whatever the lease, a pause can be longer.",
            }),
            claims: &[Truth::GrantAt(One, 60_200), Truth::Accepted(One, 77_100, true)],
        },
        Step {
            title: "What it costs",
            text: "Run 1 has the short lease: B is granted the lock at 10.2 s. In Run 2 everybody \
                   waits until the minute is over, at 60.2 s. A dead holder blocks all others for \
                   a whole lease.",
            scenario: "longer-lease",
            cast: Cast::Both,
            plays: (2_000, 60_200),
            look: Look::Why,
            task: Task::Watch,
            claims: &[Truth::GrantAt(One, 10_200), Truth::GrantAt(Two, 60_200)],
        },
        Step {
            title: "Try it",
            text: "The time to live stands under “Your numbers”.",
            scenario: "longer-lease",
            cast: Cast::First,
            plays: (77_000, 77_100),
            look: Look::Ttl,
            task: Task::Try {
                what: "Make this run safe by the lease alone",
                done: &[Truth::Verdict(One, Safe)],
                says: "Safe in this run: the next pause may be longer. And the longer the lease, \
                       the longer a dead holder keeps the lock.",
            },
            claims: &[Truth::Verdict(One, Corrupted)],
        },
        Step {
            title: "Is it so bad?",
            text: "Like a plain Redis lock, this one gives no growing number: nothing can be \
                   fenced. A and B do the same piece of work, and doing it twice changes nothing. \
                   A wakes at 17.0 s.",
            scenario: "efficiency",
            cast: Cast::Second,
            plays: (10_000, 17_000),
            look: Look::Storage(One),
            task: Task::Predict(Question {
                ask: "What does the second time do?",
                options: &[
                    ("Damage", Truth::Verdict(One, Corrupted)),
                    ("It wastes time, and no more", Truth::Verdict(One, WastedWork)),
                ],
                seen_at: 17_100,
                because: "A lock that only saves work may fail now and then. That is a lock for \
                          efficiency, and any lease will do.",
            }),
            claims: &[],
        },
        Step {
            title: "Efficiency or correctness",
            text: "In Run 1 the work must not be done twice, and the same schedule corrupts it at \
                   17.1 s. Ask first what a second holder costs. If it is only time, a lease is \
                   enough. If it is your data, the storage has to check: a token that grows, say.",
            scenario: "efficiency",
            cast: Cast::Both,
            plays: (17_000, 17_100),
            look: Look::Storage(One),
            task: Task::Watch,
            claims: &[Truth::Verdict(One, Corrupted), Truth::Verdict(Two, WastedWork)],
        },
    ],
};

//! What goes wrong in a scenario: pauses, crashes and delayed messages, each with a stable id.

use crate::sim::form::{choices, fields};
use crate::sim::id::{ClientId, FaultId, LockNodeId, NodeId, StoreId};
use crate::sim::limits;
use crate::sim::message::MessageKind;
use crate::sim::time::{ClockShift, SimDuration, SimTime};

fields! {
    /// One fault. It can be switched off without being removed.
    pub struct Fault {
        /// Unique in the scenario; stays the same when the fault is edited.
        pub id: FaultId;
        /// What the user calls it, such as “full GC”. May be empty.
        pub label: String => String::new(), in 0, limits::MAX_TITLE_CHARS;
        /// Off: the fault stays in the list and does not happen.
        pub enabled: bool => true;
        /// What happens.
        pub kind: FaultKind;
    }
}

choices! {
    /// The kinds of fault.
    pub enum FaultKind {
        /// A client stands still and then goes on as if nothing had been.
        Pause {
            /// Who.
            client: ClientId;
            /// Which part of it.
            scope: PauseScope = PauseScope::Client;
            /// Whether its clocks run on.
            kind: PauseKind = PauseKind::Process;
            /// When it begins.
            start: Start;
            /// How long it lasts, 0 to 24 h.
            length: SimDuration;
        },
        /// A client loses everything it knew.
        Crash {
            /// Who.
            client: ClientId;
            /// Whether the process dies or its worker alone.
            scope: CrashScope = CrashScope::Client;
            /// When.
            at: SimTime;
            /// How long until it starts again, knowing nothing; never, if absent.
            restart_after: Option<SimDuration> => None;
        },
        /// One message travels longer.
        Delay {
            /// Which message.
            message: MessageAddress;
            /// How much longer than the network's latency, 0 to 24 h.
            by: SimDuration;
        },
        /// One message is lost.
        Lose {
            /// Which message.
            message: MessageAddress;
        },
        /// One message arrives a second time.
        Duplicate {
            /// Which message.
            message: MessageAddress;
            /// How long after the first arrival, 0 to 24 h.
            after: SimDuration;
        },
        /// A link carries nothing, in both directions.
        Cut {
            /// One end.
            a: NodeId;
            /// The other end.
            b: NodeId;
            /// When.
            at: SimTime;
            /// How long, 0 to 24 h.
            length: SimDuration;
            /// Whether messages are held until the link returns; otherwise they are lost.
            held: bool = false;
        },
        /// A node's wall clock is set.
        ClockJump {
            /// Whose.
            node: NodeId;
            /// When.
            at: SimTime;
            /// How far ahead; back, if negative.
            by: ClockShift;
        },
        /// A node's clocks run at another rate, from the start.
        ClockRate {
            /// Whose.
            node: NodeId;
            /// How much faster than true time, in parts per million; −500,000 to 1,000,000.
            ppm: i32, in -limits::MAX_SLOWNESS_PPM, limits::MAX_FASTNESS_PPM;
        },
        /// The lock service stops and comes back.
        ServiceRestart {
            /// Which of its nodes; all of them, if absent.
            node: Option<LockNodeId> => None;
            /// When it stops.
            at: SimTime;
            /// How long it is away.
            length: SimDuration;
            /// What it no longer knows when it is back.
            loses: Loses = Loses::Nothing;
        },
        /// The node that serves fails, and another takes its place with what it has: a copy that
        /// may lag behind, where the system has one; otherwise one that knows everything.
        Failover {
            /// When it fails.
            at: SimTime;
            /// How long until the other serves.
            length: SimDuration;
            /// It does not fail: it is only taken for dead, and serves on whom it reaches.
            lives_on: bool => false;
        },
        /// A store stops and comes back at once. It keeps its value, and its highest token if that
        /// is durable.
        StoreRestart {
            /// Which.
            store: StoreId;
            /// When.
            at: SimTime;
        },
        /// The connection between a client and the lock service is lost and made anew at once. The
        /// client is not told.
        ConnectionLost {
            /// Whose.
            client: ClientId;
            /// When.
            at: SimTime;
        },
    }
}

choices! {
    /// What dies in a crash.
    #[derive(Copy)]
    pub enum CrashScope = Client {
        /// The whole process.
        Client,
        /// Its worker; the renewer lives on. It does not start again.
        Worker,
    }
}

choices! {
    /// What a lock service no longer knows after a restart or a failover.
    #[derive(Copy)]
    pub enum Loses = Nothing {
        /// Nothing: its state was durable.
        Nothing,
        /// Leases and queue; its counter goes on.
        Leases,
        /// Leases, queue and counter: the first token is handed out again.
        Everything,
        /// What has changed since the last snapshot, its counter of tokens included.
        SinceSnapshot,
    }
}

impl Loses {
    /// Of two that strike together, the one that forgets more.
    pub(crate) fn and(self, other: Self) -> Self {
        let order = [Self::Nothing, Self::Leases, Self::SinceSnapshot, Self::Everything];
        let worse = order.into_iter().rfind(|it| *it == self || *it == other);
        worse.unwrap_or_default()
    }
}

choices! {
    /// Which part of a client stands still.
    #[derive(Copy)]
    pub enum PauseScope = Client {
        /// All of it, as in a stop-the-world collection or a VM migration.
        Client,
        /// The worker only; its renewer goes on renewing.
        Worker,
        /// The renewer only; its worker goes on working.
        Renewer,
    }
}

choices! {
    /// What a pause does to the client's clocks.
    #[derive(Copy)]
    pub enum PauseKind = Process {
        /// The process stands still, its clocks run on.
        Process,
        /// The machine is suspended: the monotonic clock stops, the wall clock does not.
        Suspend,
    }
}

choices! {
    /// When a pause begins.
    #[derive(Copy)]
    pub enum Start {
        /// At an instant.
        At(SimTime),
        /// When the client is about to take a named step for the n-th time.
        Step {
            /// The step.
            step: NamedStep;
            /// The n-th time, from 1.
            nth: u32, in 1, u32::MAX;
        },
    }
}

choices! {
    /// Places in a client's life where a pause does the most harm.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum NamedStep {
        /// Before the acquire is sent.
        BeforeAcquire,
        /// After the grant, before its reply is handled.
        BeforeReply,
        /// After the reply, before the first read (or the start of the work).
        BeforeRead,
        /// Between the read (or the start of the work) and the write.
        BeforeWrite,
        /// Between the check and the write.
        AfterCheck,
        /// In the renewer, before a renewal is sent.
        InRenewer,
        /// A new holder, before the first write of its grant.
        BeforeFirstWrite,
    }
}

impl NamedStep {
    /// All of them, in the order of a client's life.
    pub const ALL: [Self; 7] = [
        Self::BeforeAcquire,
        Self::BeforeReply,
        Self::BeforeRead,
        Self::BeforeWrite,
        Self::AfterCheck,
        Self::InRenewer,
        Self::BeforeFirstWrite,
    ];
}

fields! {
    /// Names one message of a run: the n-th of its kind from one node to another.
    #[derive(Copy)]
    pub struct MessageAddress {
        /// The sender.
        pub from: NodeId;
        /// The receiver.
        pub to: NodeId;
        /// What it is.
        pub kind: MessageKind;
        /// The n-th such message, from 1.
        pub nth: u32, in 1, u32::MAX;
    }
}

impl FaultKind {
    /// The client that the fault strikes, if it strikes one; of a message or a link, the client
    /// at either end.
    pub fn client(&self) -> Option<ClientId> {
        let end = |one: NodeId, other: NodeId| match (one, other) {
            (NodeId::Client(client), _) | (_, NodeId::Client(client)) => Some(client),
            _ => None,
        };
        match self {
            Self::Pause { client, .. }
            | Self::Crash { client, .. }
            | Self::ConnectionLost { client, .. } => Some(*client),
            Self::Delay { message, .. }
            | Self::Lose { message }
            | Self::Duplicate { message, .. } => end(message.from, message.to),
            Self::Cut { a, b, .. } => end(*a, *b),
            Self::ClockJump { node, .. } | Self::ClockRate { node, .. } => end(*node, *node),
            Self::ServiceRestart { .. } | Self::Failover { .. } | Self::StoreRestart { .. } => None,
        }
    }

    /// When it begins, where that is an instant that the scenario names.
    pub fn starts_at(&self) -> Option<SimTime> {
        match self {
            Self::Pause { start: Start::At(at), .. }
            | Self::Crash { at, .. }
            | Self::Cut { at, .. }
            | Self::ClockJump { at, .. }
            | Self::ServiceRestart { at, .. }
            | Self::Failover { at, .. }
            | Self::StoreRestart { at, .. }
            | Self::ConnectionLost { at, .. } => Some(*at),
            Self::Pause { start: Start::Step { .. }, .. }
            | Self::Delay { .. }
            | Self::Lose { .. }
            | Self::Duplicate { .. }
            | Self::ClockRate { .. } => None,
        }
    }

    /// Moves its beginning; a pause at a named step becomes one at a time. Tells whether it has
    /// one.
    pub fn start_at(&mut self, when: SimTime) -> bool {
        match self {
            Self::Pause { start, .. } => *start = Start::At(when),
            Self::Crash { at, .. }
            | Self::Cut { at, .. }
            | Self::ClockJump { at, .. }
            | Self::ServiceRestart { at, .. }
            | Self::Failover { at, .. }
            | Self::StoreRestart { at, .. }
            | Self::ConnectionLost { at, .. } => *at = when,
            Self::Delay { .. }
            | Self::Lose { .. }
            | Self::Duplicate { .. }
            | Self::ClockRate { .. } => return false,
        }
        true
    }

    /// How long it lasts: a crash until the restart, a delay or a duplicate its own length.
    pub fn length(&self) -> Option<SimDuration> {
        match self {
            Self::Pause { length, .. }
            | Self::Cut { length, .. }
            | Self::ServiceRestart { length, .. }
            | Self::Failover { length, .. } => Some(*length),
            Self::Delay { by, .. } => Some(*by),
            Self::Duplicate { after, .. } => Some(*after),
            Self::ClockJump { by, .. } => Some(by.length()),
            Self::Crash { restart_after, .. } => *restart_after,
            Self::Lose { .. }
            | Self::ClockRate { .. }
            | Self::StoreRestart { .. }
            | Self::ConnectionLost { .. } => None,
        }
    }

    /// Sets how long it lasts. Tells whether it has a length.
    pub fn set_length(&mut self, value: SimDuration) -> bool {
        match self {
            Self::Pause { length, .. }
            | Self::Cut { length, .. }
            | Self::ServiceRestart { length, .. }
            | Self::Failover { length, .. } => *length = value,
            Self::Delay { by, .. } => *by = value,
            Self::Duplicate { after, .. } => *after = value,
            Self::ClockJump { by, .. } => *by = by.with_length(value),
            Self::Crash { restart_after, .. } => *restart_after = Some(value),
            Self::Lose { .. }
            | Self::ClockRate { .. }
            | Self::StoreRestart { .. }
            | Self::ConnectionLost { .. } => return false,
        }
        true
    }
}

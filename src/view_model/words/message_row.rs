//! What is said of a message, a row for each kind: its name inside a sentence, what its sender
//! does, how it is listed, and whether it is drawn quietly.

use super::listing::{Listing, Mark, MomentKind};
use crate::sim::id::FencingToken;
use crate::sim::message::MessageKind;

/// What is said of a kind of message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageRow {
    /// What it is, after “A's” or “Storage's”.
    pub name: &'static str,
    /// What its sender does, where it is more than sending it.
    pub does: Option<&'static str>,
    /// Whether the token that it carries is told with it.
    pub tells_token: bool,
    /// How its sending is listed. An answer is not, because what was decided is.
    pub listing: Listing,
    /// Whether it is an answer that says what everybody expected.
    pub is_quiet: bool,
}

/// Not listed.
const UNLISTED: Listing = Listing::unlisted(Mark::Work, 2);
const LEASE: Listing = Listing::of(MomentKind::Lease, Mark::Work, 2);
const RENEWAL: Listing = Listing::of(MomentKind::Renewal, Mark::Renewal, 2);
const WORK: Listing = Listing::of(MomentKind::Work, Mark::Work, 2);
const WRITE: Listing = Listing::of(MomentKind::Write, Mark::Sent, 2);

impl MessageRow {
    /// A request that is listed when it is sent.
    const fn request(name: &'static str, does: &'static str, listing: Listing) -> Self {
        Self { name, does: Some(does), tells_token: false, listing, is_quiet: false }
    }

    /// The same, told with its token.
    const fn with_token(self) -> Self {
        Self { tells_token: true, ..self }
    }

    /// A message that tells something.
    const fn news(name: &'static str) -> Self {
        Self { name, does: None, tells_token: false, listing: UNLISTED, is_quiet: false }
    }

    /// A message that says what everybody expected.
    const fn quiet(name: &'static str) -> Self {
        Self { is_quiet: true, ..Self::news(name) }
    }
}

/// The row of a kind.
pub fn row(kind: MessageKind) -> MessageRow {
    match kind {
        MessageKind::Acquire => MessageRow::request(
            "request for the lock",
            "asks for the lock",
            Listing::of(MomentKind::Lease, Mark::Wait, 2),
        ),
        MessageKind::Renew => {
            MessageRow::request("renewal", "sends a renewal", RENEWAL).with_token()
        }
        MessageKind::Release => MessageRow::request(
            "release",
            "releases the lock",
            Listing::of(MomentKind::Lease, Mark::LeaseEnd, 2),
        ),
        MessageKind::Ack => MessageRow::request(
            "ack",
            "settles its item: done",
            Listing::of(MomentKind::Lease, Mark::LeaseEnd, 2),
        ),
        MessageKind::Back => MessageRow::request(
            "putting back",
            "puts its item back",
            Listing::of(MomentKind::Lease, Mark::LeaseEnd, 2),
        ),
        MessageKind::Settled => MessageRow::quiet("answer to a settling"),
        MessageKind::SettleRefused => MessageRow::news("refusal of a settling"),
        MessageKind::NothingLeft => MessageRow::quiet("answer that nothing is left"),
        MessageKind::Check => {
            MessageRow::request("check", "asks whether it still holds the lock", WORK)
        }
        MessageKind::Look => {
            MessageRow::request("look at the lock", "looks whether the lock is free", LEASE)
        }
        MessageKind::Reenter => MessageRow::request(
            "second request for the lock",
            "takes the lock again, inside",
            LEASE,
        ),
        MessageKind::SetExpiry => {
            MessageRow::request("request for a time to live", "sets the time to live", LEASE)
                .with_token()
        }
        MessageKind::KeepAlive => {
            MessageRow::request("sign of life", "sends a sign of life", RENEWAL)
        }
        MessageKind::Seal => MessageRow::request("seal", "sends its seal", WRITE).with_token(),
        MessageKind::Read => MessageRow::request("read", "reads", WORK),
        MessageKind::Write => MessageRow::request(
            "write",
            "sends its write",
            Listing::of(MomentKind::Write, Mark::Sent, 7),
        )
        .with_token(),
        MessageKind::Effect => MessageRow::request("act outside", "asks the outside to act", WRITE),
        MessageKind::OpenSession => MessageRow::quiet("request for a session"),
        MessageKind::Unlock => MessageRow::quiet("unlocking"),
        MessageKind::Disconnected => MessageRow::quiet("closed connection"),
        MessageKind::Granted => MessageRow::news("grant"),
        MessageKind::Queued => MessageRow::quiet("place in the queue"),
        MessageKind::Renewed => MessageRow::quiet("answer to a renewal"),
        MessageKind::RenewRefused => MessageRow::news("refusal of a renewal"),
        MessageKind::Released => MessageRow::quiet("answer to a release"),
        MessageKind::ReleaseRefused => MessageRow::news("refusal of a release"),
        MessageKind::Checked => MessageRow::news("answer to a check"),
        MessageKind::Taken => MessageRow::quiet("answer that the lock is taken"),
        MessageKind::Alive => MessageRow::quiet("answer to a sign of life"),
        MessageKind::SessionOver => MessageRow::news("notice that the session is over"),
        MessageKind::Looked => MessageRow::quiet("what it saw of the lock"),
        MessageKind::Reentered => MessageRow::quiet("answer to a second request"),
        MessageKind::NotLeader => MessageRow::quiet("answer that it does not lead"),
        MessageKind::Sealed => MessageRow::quiet("answer to a seal"),
        MessageKind::SealRefused => MessageRow::news("refusal of a seal"),
        MessageKind::Value => MessageRow::quiet("value"),
        MessageKind::WriteAccepted => MessageRow::quiet("acceptance of a write"),
        MessageKind::WriteRefused => MessageRow::news("refusal of a write"),
        MessageKind::EffectDone => MessageRow::quiet("answer from outside"),
        MessageKind::UnknownEpoch => MessageRow::news("answer that it does not know the epoch"),
        MessageKind::Copy => MessageRow::quiet("copy of the lock"),
        MessageKind::AskVote => MessageRow::quiet("request for a vote"),
        MessageKind::Vote => MessageRow::quiet("vote"),
        MessageKind::Append => MessageRow::quiet("heartbeat"),
        MessageKind::Appended => MessageRow::quiet("answer to a heartbeat"),
        MessageKind::LeaderEpoch => MessageRow::news("leader epoch"),
        MessageKind::Marker => MessageRow::news("marker"),
        MessageKind::Noted => MessageRow::quiet("confirmation"),
    }
}

/// What stands beside the arrow of a message. Behind the name of its sender where it asks for the
/// lock, before its token where it carries one that is told there.
pub fn at_arrow(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Acquire => "asks",
        MessageKind::Look => "looks",
        MessageKind::Reenter => "asks again",
        MessageKind::OpenSession => "session",
        MessageKind::Renew => "renew",
        MessageKind::KeepAlive => "sign of life",
        MessageKind::Release => "release",
        MessageKind::Ack => "ack",
        MessageKind::Back => "back",
        MessageKind::Settled => "settled",
        MessageKind::NothingLeft => "nothing left",
        MessageKind::Unlock => "unlock",
        MessageKind::Check => "check",
        MessageKind::SetExpiry => "set expiry",
        MessageKind::Seal => "seal",
        MessageKind::Read => "read",
        MessageKind::Write => "write",
        MessageKind::Effect => "act outside",
        MessageKind::Disconnected => "closed",
        MessageKind::Granted => "grant",
        MessageKind::Queued => "queued",
        MessageKind::Renewed => "renewed",
        MessageKind::Released => "released",
        MessageKind::RenewRefused
        | MessageKind::ReleaseRefused
        | MessageKind::SettleRefused
        | MessageKind::SealRefused
        | MessageKind::WriteRefused => "refused",
        MessageKind::Checked => "checked",
        MessageKind::Taken => "taken",
        MessageKind::Alive => "alive",
        MessageKind::SessionOver => "session over",
        MessageKind::Looked => "seen",
        MessageKind::Reentered => "granted again",
        MessageKind::NotLeader => "not leader",
        MessageKind::Sealed => "sealed",
        MessageKind::Value => "value",
        MessageKind::WriteAccepted => "accepted",
        MessageKind::EffectDone => "done",
        MessageKind::UnknownEpoch => "unknown epoch",
        MessageKind::Copy => "copy",
        MessageKind::AskVote => "vote for me",
        MessageKind::Vote => "vote",
        MessageKind::Append => "heartbeat",
        MessageKind::Appended => "heard",
        MessageKind::LeaderEpoch => "epoch",
        MessageKind::Marker => "marker",
        MessageKind::Noted => "noted",
    }
}

/// Whether a message of a kind always tells something: it neither goes to and fro without end, nor
/// says what everybody expected. A refusal ends what went to and fro.
pub fn tells(kind: MessageKind) -> bool {
    let refuses = matches!(kind, MessageKind::RenewRefused | MessageKind::SessionOver);
    refuses || !(kind.is_routine() || row(kind).is_quiet)
}

/// Whether a message turns its receiver away.
pub fn turns_away(kind: MessageKind) -> bool {
    matches!(
        kind,
        MessageKind::RenewRefused
            | MessageKind::ReleaseRefused
            | MessageKind::SettleRefused
            | MessageKind::SessionOver
            | MessageKind::WriteRefused
            | MessageKind::SealRefused
    )
}

/// How many pixels the flight of a message wants, at text of 12 px.
pub fn room(kind: MessageKind) -> u16 {
    match kind {
        MessageKind::Granted => 48,
        MessageKind::Write | MessageKind::Effect => 56,
        _ => 40,
    }
}

/// What a message is called beside it, where there is little room: `write 33`, `renew`.
pub fn short(kind: MessageKind, token: Option<FencingToken>) -> String {
    let (name, tells_token) = match kind {
        MessageKind::Acquire => ("asks", false),
        MessageKind::Renew => ("renew", false),
        MessageKind::Granted => ("grant", true),
        MessageKind::RenewRefused
        | MessageKind::ReleaseRefused
        | MessageKind::SettleRefused
        | MessageKind::SealRefused
        | MessageKind::WriteRefused => ("refused", false),
        MessageKind::Back => ("back", false),
        kind => (row(kind).name, row(kind).tells_token),
    };
    match token.filter(|_| tells_token) {
        Some(token) => format!("{name} {token}"),
        None => name.to_owned(),
    }
}

/// What a message is, after “A's” or “Storage's”.
pub fn message(kind: MessageKind) -> &'static str {
    row(kind).name
}

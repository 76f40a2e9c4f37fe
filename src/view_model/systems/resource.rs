//! The write to what is protected: the conditional update of a database, the conditional put of an
//! object store, and what is left to say where nothing is compared.

use super::live::{
    Claimed, Live, Row, Said, Written, own_token, psql_token, psql_value, token, value,
};
use super::reply::Reply;
use super::row::Command;
use super::transaction::Transaction;
use super::{Origin, origin, practice};
use crate::sim::fact::Refusal;
use crate::sim::lock::StoreCheck;
use crate::sim::lock::kafka::ProducerEpoch;
use crate::sim::scenario::{FenceRule, Resource};

/// Raising the fence first, if holders do so, and the write.
pub(super) fn commands(live: &Live<'_>) -> Vec<Command> {
    let storage = live.scenario.storage();
    match storage.resource {
        Resource::SqlRow => sql(live),
        Resource::Generic => match live.scenario.store_check() {
            StoreCheck::AsSet => generic(live),
            StoreCheck::LeaderEpoch => vec![leader_epoch(live)],
            StoreCheck::ProducerEpoch { .. } => vec![produced(live)],
        },
        Resource::ObjectStore => {
            let condition = match live.written.and_then(|written| written.base) {
                _ if !storage.fencing => String::new(),
                Some(base) if base.n_writes() == 0 => " --if-none-match '*'".to_owned(),
                _ => format!(" --if-match '{}'", etag(live)),
            };
            let text = format!(
                "aws s3api put-object --bucket jobs --key 7 --body {}{condition}",
                value(live)
            );
            let applied = |version| (format!("ETag \"v{version}\""), "put".to_owned());
            let answer = written(live, applied, |_, why| ("PreconditionFailed".to_owned(), why));
            vec![write(live, text, answer, origin::S3)]
        }
        Resource::CannotCheck => {
            let text = format!("PUT /files/7 {{\"value\": \"{}\"}}", value(live));
            let applied = |_| ("200".to_owned(), "it compares nothing".to_owned());
            let answer = written(live, applied, |_, why| (String::new(), why));
            vec![Command { what: "Write", ..write(live, text, answer, Origin::Ours) }]
        }
        Resource::ExternalCall => {
            let key = match storage.idempotent {
                true => format!("\nIdempotency-Key: {}", acted_value(live)),
                false => String::new(),
            };
            let text = format!("POST /payments {{\"for\": \"{}\"}}{key}", acted_value(live));
            let answer =
                live.acted.map_or_else(Reply::not_yet, |(at, _, said)| Reply::new(at, "", said));
            let by = live.acted.map(|(_, write, _)| write.client);
            vec![Command { what: "Call", text, answer, origin: Origin::Ours, by }]
        }
    }
}

/// A write, by who wrote last.
fn write(live: &Live<'_>, text: String, answer: Reply, origin: Origin) -> Command {
    let what = if live.scenario.storage().fencing { "Fenced write" } else { "Write" };
    let by = live.written.map(|written| written.write.client);
    Command { what, text, answer, origin, by }
}

/// A store that is whatever its settings say.
fn generic(live: &Live<'_>) -> Vec<Command> {
    let storage = live.scenario.storage();
    let mut all = Vec::new();
    if storage.seal {
        let by = live.sealed.map(|(_, client, ..)| client);
        let sealed = token(live.sealed.map(|(_, _, token, _)| token));
        let text = format!("PUT /jobs/7/fence {sealed}");
        let answer = live.sealed.map_or_else(Reply::not_yet, |(at, _, token, claimed)| {
            let (said, means) = match claimed {
                Claimed::Raised | Claimed::Stood => ("204", format!("the fence stands at {token}")),
                Claimed::Below(highest) => ("409", format!("{token} < {highest}")),
                Claimed::NoRow => ("404", "there is no such value".to_owned()),
            };
            Reply::new(at, said, means)
        });
        all.push(Command { what: "Raise the fence", text, answer, origin: Origin::Ours, by });
    }
    let put = format!("PUT /jobs/7 {{\"value\": \"{}\"}}", value(live));
    let condition = match storage.rule {
        _ if !storage.fencing => String::new(),
        FenceRule::SameTransaction => {
            let of_system = practice(live.scenario.spec().lock).transaction;
            return vec![transaction(live, of_system(live))];
        }
        FenceRule::RejectLower | FenceRule::RejectLowerOrEqual | FenceRule::MustMatch => {
            format!("\nFencing-Token: {}", own_token(live))
        }
        FenceRule::DataVersion => format!("\nIf-Match: {}", etag(live)),
        FenceRule::TimeFence => "\nNot-After: $deadline".to_owned(),
        FenceRule::AsksService => format!("\nLock-Token: {}", own_token(live)),
    };
    let applied = |_| ("204".to_owned(), "applied".to_owned());
    let answer = written(live, applied, |_, why| ("409".to_owned(), why));
    all.push(write(live, put + &condition, answer, Origin::Ours));
    all
}

/// The transaction of the last write, where the value lies in the lock service.
fn transaction(live: &Live<'_>, transaction: Transaction) -> Command {
    let Transaction { text, yes, no, origin } = transaction;
    let applied = |_| (yes.to_owned(), "applied".to_owned());
    let answer = written(live, applied, |_, why| (no.to_owned(), why));
    write(live, text, answer, origin)
}

/// What goes from one broker to another carries the epoch that its sender goes by. Brokers compare
/// it in reads: a fetch stands for the write here.
fn leader_epoch(live: &Live<'_>) -> Command {
    let storage = live.scenario.storage();
    let answered = live.written.map(|written| (written.at, written.token));
    // What is not known yet comes again until it is answered.
    let put_off = live.unknown.filter(|(at, ..)| answered.is_none_or(|last| last.0 < *at));
    let epoch = token(put_off.map(|(_, epoch, _)| epoch).or(answered.map(|(_, epoch)| epoch)));
    let compared = if storage.fencing { epoch } else { "-1".to_owned() };
    let text = format!("Fetch(jobs-7, currentLeaderEpoch: {compared})");
    let answer = match put_off {
        Some((at, epoch, known)) => {
            let knows = known.map_or("it knows none".to_owned(), |it| format!("{epoch} > {it}"));
            Reply::new(at, "UNKNOWN_LEADER_EPOCH", knows)
        }
        None => written(
            live,
            |_| ("NONE".to_owned(), "taken".to_owned()),
            |_, why| ("FENCED_LEADER_EPOCH".to_owned(), why),
        ),
    };
    let what = if storage.fencing { "Fenced request" } else { "Request, epoch not compared" };
    Command { what, ..write(live, text, answer, origin::KAFKA_PROTOCOL) }
}

/// A record of a transactional producer.
fn produced(live: &Live<'_>) -> Command {
    let value = value(live);
    let storage = live.scenario.storage();
    let epoch = live.written.filter(|_| storage.fencing).map(|written| {
        let ProducerEpoch { id, epoch } = ProducerEpoch::of(written.token);
        format!("  // producerId {id}, epoch {epoch}")
    });
    let epoch = epoch.unwrap_or_default();
    let text = format!("producer.send(new ProducerRecord(\"jobs\", \"7\", \"{value}\")){epoch}");
    let applied =
        |version: u32| (format!("offset {}", version.saturating_sub(1)), "appended".to_owned());
    let code = match live.written.map(|written| written.said) {
        Some(Said::Refused { why: Refusal::Gap, .. }) => "OUT_OF_ORDER_SEQUENCE_NUMBER",
        _ => "INVALID_PRODUCER_EPOCH",
    };
    let answer = written(live, applied, |_, why| (code.to_owned(), why));
    write(live, text, answer, origin::KAFKA_PRODUCER)
}

/// The claim, if holders raise the fence first, the update, and, where a statement changed no row,
/// the read that tells why.
fn sql(live: &Live<'_>) -> Vec<Command> {
    let storage = live.scenario.storage();
    let value = psql_value(live);
    let new = psql_token(live.written.map(|written| written.token));
    let mut all = Vec::new();
    if storage.seal {
        let token = psql_token(live.sealed.map(|(_, _, token, _)| token));
        let condition = match storage.fencing {
            true => format!(" AND fence < {token}"),
            false => String::new(),
        };
        let text = format!("UPDATE jobs SET fence = {token} WHERE id = 7{condition};");
        let by = live.sealed.map(|(_, client, ..)| client);
        let answer = live.sealed.map_or_else(Reply::not_yet, |(at, client, token, claimed)| {
            let (said, means) = match claimed {
                Claimed::Raised => ("UPDATE 1", format!("the fence stands at {token}")),
                _ => ("UPDATE 0", "refused, claimed before, or no such row".to_owned()),
            };
            Reply::new(at, said, format!("{means}, for {client}"))
        });
        all.push(Command { what: "Claim", text, answer, origin: origin::POSTGRES, by });
        all.extend(claim_read_back(live));
    }
    let text = match (storage.fencing, storage.check_gap.is_zero(), storage.seal) {
        (false, ..) => format!("UPDATE jobs SET value = {value} WHERE id = 7;"),
        (true, false, _) => format!(
            "SELECT fence FROM jobs WHERE id = 7;\n-- lower than {new}? then, in a second \
             statement, which is no fence:\nUPDATE jobs SET value = {value}, fence = {new} WHERE \
             id = 7;"
        ),
        (true, true, true) => {
            format!("UPDATE jobs SET value = {value} WHERE id = 7 AND fence = {new};")
        }
        (true, true, false) => format!(
            "UPDATE jobs SET value = {value}, fence = {new} WHERE id = 7 AND fence < {new};"
        ),
    };
    // Who does not see a lower fence in the first statement does not make the second.
    let not_made = storage.fencing && !storage.check_gap.is_zero() && was_refused(live);
    let text = match not_made {
        true => "SELECT fence FROM jobs WHERE id = 7;".to_owned(),
        false => text,
    };
    let applied = |_| ("UPDATE 1".to_owned(), "applied".to_owned());
    let answer = written(live, applied, |_, why| match (not_made, live.row_written) {
        (true, Some(row)) => (row.fence.to_string(), why),
        (true, None) | (false, _) => ("UPDATE 0".to_owned(), why),
    });
    all.push(write(live, text, answer, origin::POSTGRES));
    all.extend(write_read_back(live).filter(|_| !not_made));
    all
}

const READ_BACK: &str = "SELECT fence, value FROM jobs WHERE id = 7;";

/// What stands in the row tells the meanings of a claim that changed none apart.
fn claim_read_back(live: &Live<'_>) -> Option<Command> {
    let (at, client, token, claimed) = live.sealed?;
    let row = live.row_claimed?;
    let (said, means) = match claimed {
        Claimed::Raised => return None,
        Claimed::Stood => (printed(row), format!("{token} is its own, claimed before: it goes on")),
        Claimed::Below(highest) => (printed(row), format!("{token} < {highest}: refused")),
        Claimed::NoRow => ("(0 rows)".to_owned(), "there is no such row".to_owned()),
    };
    let answer = Reply::new(at, said, format!("{means}, for {client}"));
    let what = "Read back after the claim";
    let text = READ_BACK.to_owned();
    Some(Command { what, text, answer, origin: origin::POSTGRES, by: Some(client) })
}

/// The same for a write.
fn write_read_back(live: &Live<'_>) -> Option<Command> {
    let Written { at, write: id, token, said, .. } = live.written?;
    let Said::Refused { why, .. } = said else {
        return None;
    };
    let row = live.row_written?;
    let (said, means) = match why {
        Refusal::Missing => ("(0 rows)".to_owned(), "there is no such row".to_owned()),
        _ if row.value == Some(id) => (printed(row), "its own value: applied before".to_owned()),
        _ if row.fence == token.0 => {
            (printed(row), format!("{token} is its own, the value is of another write"))
        }
        _ if row.fence > token.0 => (printed(row), format!("{token} is stale")),
        _ => (printed(row), format!("{token} was never claimed here")),
    };
    let what = "Read back after the write";
    let text = READ_BACK.to_owned();
    let answer = Reply::new(at, said, format!("{means}, for {}", id.client));
    Some(Command { what, text, answer, origin: origin::POSTGRES, by: Some(id.client) })
}

/// A row as psql prints it.
fn printed(Row { fence, value }: Row) -> String {
    let value = value.map_or_else(String::new, |value| format!(" {value}"));
    format!("{fence} |{value}")
}

fn was_refused(live: &Live<'_>) -> bool {
    live.written.is_some_and(|written| matches!(written.said, Said::Refused { .. }))
}

fn acted_value(live: &Live<'_>) -> String {
    live.acted.map_or_else(|| "$piece".to_owned(), |(_, write, _)| write.to_string())
}

fn etag(live: &Live<'_>) -> String {
    let base = live.written.and_then(|written| written.base);
    base.map_or_else(|| "$etag".to_owned(), |base| format!("\"v{}\"", base.n_writes()))
}

/// What came of the last write: what is said and meant where it was applied as a version, and where
/// it was refused, why.
fn written(
    live: &Live<'_>,
    applied: impl Fn(u32) -> (String, String),
    refused: impl Fn(Refusal, String) -> (String, String),
) -> Reply {
    let Some(Written { at, token, said, write, .. }) = live.written else {
        return Reply::not_yet();
    };
    let (said, means) = match said {
        Said::Applied(version) => applied(version.n_writes()),
        Said::Ignored => (String::new(), "ignored: applied before".to_owned()),
        Said::Refused { seen_before: true, why, .. } => refused(why, "applied already".to_owned()),
        Said::Refused { why, highest, .. } => refused(
            why,
            match why {
                Refusal::Missing => "no such row".to_owned(),
                Refusal::Version => "another version".to_owned(),
                Refusal::TooLate => "too late".to_owned(),
                Refusal::Gap => "a write before it is missing".to_owned(),
                Refusal::NotHeld => "not the lock's".to_owned(),
                Refusal::Token => {
                    let sign = if token < highest { "<" } else { "=" };
                    let sign = if token > highest { ">" } else { sign };
                    format!("{token} {sign} {highest}")
                }
            },
        ),
    };
    Reply::new(at, said, format!("{means}, for {}", write.client))
}

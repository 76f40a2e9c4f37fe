//! The write to what is protected: the conditional update of a database, the conditional put of an
//! object store, and what is left to say where nothing is compared.

use super::live::{Live, Said, Written, token, told};
use super::row::Command;
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
            let applied = |version| format!("200, ETag \"v{version}\"");
            let answer = written(live, applied, |why| format!("412 Precondition Failed, {why}"));
            vec![Command { what: what(storage.fencing), text, answer }]
        }
        Resource::CannotCheck => {
            let text = format!("PUT /files/7 {{\"value\": \"{}\"}}", value(live));
            let answer = written(live, |_| "200, it compares nothing".to_owned(), str::to_owned);
            vec![Command { what: "Write", text, answer }]
        }
        Resource::ExternalCall => {
            let key = match storage.idempotent {
                true => format!("\nIdempotency-Key: {}", acted_value(live)),
                false => String::new(),
            };
            let text = format!("POST /payments {{\"for\": \"{}\"}}{key}", acted_value(live));
            let answer = told(live.acted.map(|(at, _, said)| (at, said.to_owned())));
            vec![Command { what: "Call", text, answer }]
        }
    }
}

/// A store that is whatever its settings say.
fn generic(live: &Live<'_>) -> Vec<Command> {
    let storage = live.scenario.storage();
    let mut all = Vec::new();
    if storage.seal {
        let text = format!("PUT /jobs/7/fence {}", sealed_token(live));
        all.push(Command { what: "Raise the fence", text, answer: sealed(live) });
    }
    let put = format!("PUT /jobs/7 {{\"value\": \"{}\"}}", value(live));
    let condition = match storage.rule {
        _ if !storage.fencing => String::new(),
        FenceRule::SameTransaction => return vec![same_transaction(live)],
        FenceRule::RejectLower | FenceRule::RejectLowerOrEqual | FenceRule::MustMatch => {
            format!("\nFencing-Token: {}", own_token(live))
        }
        FenceRule::DataVersion => format!("\nIf-Match: {}", etag(live)),
        FenceRule::TimeFence => "\nNot-After: $deadline".to_owned(),
        FenceRule::AsksService => format!("\nLock-Token: {}", own_token(live)),
    };
    let text = put + &condition;
    let answer = written(live, |_| "204".to_owned(), |why| format!("409, {why}"));
    all.push(Command { what: what(storage.fencing), text, answer });
    all
}

/// What goes from one broker to another carries the epoch that its sender goes by.
fn leader_epoch(live: &Live<'_>) -> Command {
    let storage = live.scenario.storage();
    let answered = live.written.map(|written| (written.at, written.token));
    // What is not known yet comes again until it is answered.
    let put_off = live.unknown.filter(|(at, ..)| answered.is_none_or(|last| last.0 < *at));
    let epoch = token(put_off.map(|(_, epoch, _)| epoch).or(answered.map(|(_, epoch)| epoch)));
    let text = match storage.fencing {
        true => format!("Fetch(jobs-7, currentLeaderEpoch: {epoch})"),
        false => "Fetch(jobs-7, currentLeaderEpoch: -1)  # not compared".to_owned(),
    };
    let answer = match put_off {
        Some((at, epoch, known)) => {
            let knows = known.map_or("it knows none".to_owned(), |it| format!("{epoch} > {it}"));
            told(Some((at, format!("UNKNOWN_LEADER_EPOCH, {knows}"))))
        }
        None => written(live, |_| "NONE".to_owned(), |why| format!("FENCED_LEADER_EPOCH, {why}")),
    };
    Command { what: what(storage.fencing), text, answer }
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
    let applied = |version: u32| format!("offset {}", version.saturating_sub(1));
    let code = match live.written.map(|written| written.said) {
        Some(Said::Refused { why: Refusal::Gap, .. }) => "OUT_OF_ORDER_SEQUENCE_NUMBER",
        _ => "INVALID_PRODUCER_EPOCH",
    };
    let answer = written(live, applied, |why| format!("{code}, {why}"));
    Command { what: what(storage.fencing), text, answer }
}

fn what(is_fenced: bool) -> &'static str {
    if is_fenced { "Fenced write" } else { "Write" }
}

/// A value that lies in the lock service itself: one transaction looks at the lock and writes.
fn same_transaction(live: &Live<'_>) -> Command {
    let text = format!(
        "etcdctl txn\n# compares: c(\"job-7/$lease\") = \"{}\"\n# success requests: put jobs/7 {}",
        own_token(live),
        value(live)
    );
    let applied = |_| "SUCCESS".to_owned();
    let answer = written(live, applied, |why| format!("FAILURE, {why}"));
    Command { what: what(true), text, answer }
}

/// The claim, if holders raise the fence first, and the update.
fn sql(live: &Live<'_>) -> Vec<Command> {
    let storage = live.scenario.storage();
    let (new, value) = (own_token(live), value(live));
    let mut all = Vec::new();
    if storage.seal {
        let token = sealed_token(live);
        let text = format!("UPDATE jobs SET fence = {token} WHERE id = 7 AND fence < {token}");
        all.push(Command { what: "Claim", text, answer: sealed(live) });
    }
    let text = match (storage.fencing, storage.check_gap.is_zero(), storage.seal) {
        (false, ..) => format!("UPDATE jobs SET value = '{value}' WHERE id = 7"),
        (true, false, _) => format!(
            "SELECT fence FROM jobs WHERE id = 7\n-- lower than {new}? then, in a second \
             statement, which is no fence:\nUPDATE jobs SET value = '{value}', fence = {new} \
             WHERE id = 7"
        ),
        (true, true, true) => {
            format!("UPDATE jobs SET value = '{value}' WHERE id = 7 AND fence = {new}")
        }
        (true, true, false) => format!(
            "UPDATE jobs SET value = '{value}', fence = {new} WHERE id = 7 AND fence < {new}"
        ),
    };
    let answer = written(live, |_| "1 row".to_owned(), |why| format!("0 rows: {why}"));
    all.push(Command { what: what(storage.fencing), text, answer });
    all
}

/// The token of the last write, otherwise of the last grant.
fn own_token(live: &Live<'_>) -> String {
    token(live.written.map(|written| written.token))
}

fn sealed_token(live: &Live<'_>) -> String {
    token(live.sealed.map(|(_, _, token, _)| token))
}

/// What is written: the write's own name.
fn value(live: &Live<'_>) -> String {
    live.written.map_or_else(|| "$value".to_owned(), |written| written.write.to_string())
}

fn acted_value(live: &Live<'_>) -> String {
    live.acted.map_or_else(|| "$piece".to_owned(), |(_, write, _)| write.to_string())
}

fn etag(live: &Live<'_>) -> String {
    let base = live.written.and_then(|written| written.base);
    base.map_or_else(|| "$etag".to_owned(), |base| format!("\"v{}\"", base.n_writes()))
}

fn sealed(live: &Live<'_>) -> String {
    told(live.sealed.map(|(at, client, token, higher)| {
        let text = match higher {
            None => format!("{client}: 1 row, the fence stands at {token}"),
            Some(highest) if highest == token => format!("{client}: 0 rows, no such row"),
            Some(highest) => format!("{client}: 0 rows, {token} < {highest}"),
        };
        (at, text)
    }))
}

fn written(
    live: &Live<'_>,
    applied: impl Fn(u32) -> String,
    refused: impl Fn(&str) -> String,
) -> String {
    told(live.written.map(|Written { at, token, said, .. }| {
        let text = match said {
            Said::Applied(version) => applied(version.n_writes()),
            Said::Ignored => "ignored: applied before".to_owned(),
            Said::Refused { seen_before: true, .. } => refused("applied already"),
            Said::Refused { why: Refusal::Missing, .. } => refused("no such row"),
            Said::Refused { why: Refusal::Version, .. } => refused("another version"),
            Said::Refused { why: Refusal::TooLate, .. } => refused("too late"),
            Said::Refused { why: Refusal::Gap, .. } => refused("a write before it is missing"),
            Said::Refused { why: Refusal::NotHeld, .. } => refused("not the lock's"),
            Said::Refused { why: Refusal::Token, highest, .. } => {
                let sign = if token < highest { "<" } else { "=" };
                let sign = if token > highest { ">" } else { sign };
                refused(&format!("{token} {sign} {highest}"))
            }
        };
        (at, text)
    }))
}

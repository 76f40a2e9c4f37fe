//! The form of an incident: its fields with what they hold, and the file that what was typed makes.
//! A named time zone is looked up by whoever shows the form, because only browsers know them.

use crate::sim::id::{ClientId, FaultId, FencingToken, LockNodeId, NodeId, StoreId};
use crate::sim::limits;
use crate::sim::lock;
use crate::sim::plain_text::quoted;
use crate::sim::scenario::timestamp::{self, Civil, Timestamp};
use crate::sim::scenario::{ActorName, FaultKind, Incident, Observed, ScenarioFile};
use crate::sim::time::{SimDuration, SimTime};
use crate::view_model::controls::amount;
use crate::view_model::words::names::Words;

use super::observed::line_words;

/// A field of the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// What the scenario is called.
    Title,
    /// What happens and why.
    Notes,
    /// When the run's time 0 was.
    Start,
    /// In which zone.
    Zone,
    /// The first token.
    FirstToken,
    /// What an actor is called.
    Name(NodeId),
    /// What caused a fault.
    Cause(FaultId),
}

/// A field with what it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Which.
    pub field: Field,
    /// What it is called.
    pub label: String,
    /// What it holds.
    pub value: String,
    /// An example, or what is so if it is empty.
    pub hint: String,
}

/// The fields of a file's incident.
pub fn entries(file: &ScenarioFile) -> Vec<Entry> {
    let incident = &file.incident;
    let entry = |field, label: &str, value: String, hint: &str| Entry {
        field,
        label: label.to_owned(),
        value,
        hint: hint.to_owned(),
    };
    let start = incident.start.map(|start| start.to_string()).unwrap_or_default();
    let token = file.scenario.lease.first_token.to_string();
    let mut entries = vec![
        entry(Field::Title, "Title", file.title.clone(), ""),
        entry(Field::Notes, "Notes", file.notes.clone(), ""),
        entry(Field::Start, "Start, the run's 0 s", start, "2024-05-01T10:00:00+02:00"),
        entry(Field::Zone, "Zone", incident.zone.clone(), "Europe/Berlin"),
        entry(Field::FirstToken, "First token", token, ""),
    ];
    let (words, usually) =
        (Words::of(incident, &file.scenario), Words::of(&Incident::default(), &file.scenario));
    for actor in actors(file) {
        let name = incident.names.iter().find(|name| name.actor == actor);
        let value = name.map(|name| name.name.clone()).unwrap_or_default();
        let usual = usually.actor(actor);
        entries.push(entry(Field::Name(actor), &format!("{usual} is called"), value, &usual));
    }
    for fault in &file.scenario.faults {
        let name = amount::fault_name(&words, fault.id, &file.scenario);
        let hint = match fault.kind {
            FaultKind::Pause { .. } => "full GC",
            _ => "",
        };
        let label = format!("Cause of {name}");
        entries.push(entry(Field::Cause(fault.id), &label, fault.label.clone(), hint));
    }
    entries
}

/// Everybody that can be given a name.
fn actors(file: &ScenarioFile) -> Vec<NodeId> {
    let spec = &file.scenario;
    let n_clients = u8::try_from(spec.clients.len()).unwrap_or(u8::MAX);
    let clients = (0..n_clients).map(|index| NodeId::Client(ClientId(index)));
    let n_nodes = lock::info(spec.lock).nodes(spec);
    let nodes = (0..n_nodes).map(|index| NodeId::Lock(LockNodeId(index)));
    let stores = (0..spec.storage.stores).map(|index| NodeId::Store(StoreId(index)));
    clients.chain(nodes).chain(stores).collect()
}

/// Looks up how far a named zone is ahead of UTC, in minutes, when its clocks show this.
pub type ZoneOf<'a> = &'a dyn Fn(&str, Civil) -> Option<i16>;

/// The file with what was typed.
///
/// # Errors
/// Quotes what cannot be taken and says what would be right.
pub fn applied(
    file: &ScenarioFile,
    typed: &[(Field, String)],
    zone_of: ZoneOf<'_>,
) -> Result<ScenarioFile, String> {
    let text = |field: Field| {
        let found = typed.iter().find(|(of, _)| *of == field);
        found.map(|(_, text)| text.trim().to_owned()).unwrap_or_default()
    };
    let mut changed = file.clone();
    changed.title = text(Field::Title);
    changed.notes = text(Field::Notes);
    let zone = text(Field::Zone);
    let start = start(&text(Field::Start), &zone, zone_of)?;
    let observed = &mut changed.incident.observed;
    keep_times_of_day(observed, file.incident.start, start).map_err(|(line, where_to)| {
        let line = line_words(&Words::of(&file.incident, &file.scenario), &line);
        format!("“{line}” would lie {where_to}")
    })?;
    changed.incident.start = start;
    changed.incident.zone = zone;
    changed.incident.clock &= start.is_some();
    let token: FencingToken =
        text(Field::FirstToken).parse().map_err(|_| bad_token(&text(Field::FirstToken)))?;
    changed.scenario.lease.first_token = token;
    for (field, value) in typed {
        match field {
            Field::Name(actor) => {
                changed.incident.names.retain(|name| name.actor != *actor);
                let name = value.trim().to_owned();
                if !name.is_empty() {
                    changed.incident.names.push(ActorName { actor: *actor, name });
                }
            }
            Field::Cause(id) => {
                let mut faults = changed.scenario.faults.iter_mut();
                if let Some(fault) = faults.find(|fault| fault.id == *id) {
                    fault.label = value.trim().to_owned();
                }
            }
            Field::Title | Field::Notes | Field::Start | Field::Zone | Field::FirstToken => {}
        }
    }
    changed.incident.names.sort_by_key(|name| name.actor);
    changed.validate().map_err(|error| error.to_string())?;
    Ok(changed)
}

fn bad_token(given: &str) -> String {
    format!("“{}” is no token: write a whole number", quoted(given))
}

/// The start; a time without a zone is one of the zone's clocks.
fn start(text: &str, zone: &str, zone_of: ZoneOf<'_>) -> Result<Option<Timestamp>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    match timestamp::parse(text) {
        Some((civil, None)) if !zone.is_empty() => {
            let offset = timestamp::offset(zone).or_else(|| zone_of(zone, civil));
            let offset = offset.ok_or_else(|| {
                let zone = quoted(zone);
                format!("“{zone}” is no time zone: write one like Europe/Berlin, or +02:00")
            })?;
            let start = Timestamp::from_civil(civil, offset);
            start.map(Some).ok_or_else(|| {
                format!(
                    "“{text}” is too early or too late there: write a day of the years 1 to 9999"
                )
            })
        }
        Some(_) | None => text.parse().map(Some).map_err(|error| format!("{error}")),
    }
}

/// Another start leaves what was observed where it was on the calendar. A line that would lie
/// outside of what a run can show is given back, with where that is and what would help.
fn keep_times_of_day(
    lines: &mut [Observed],
    before: Option<Timestamp>,
    now: Option<Timestamp>,
) -> Result<(), (Observed, &'static str)> {
    let (Some(before), Some(now)) = (before, now) else {
        return Ok(());
    };
    let later = now.unix_micros() - before.unix_micros();
    let by = SimDuration::from_micros(later.unsigned_abs());
    for line in lines {
        let at = line.at.since(SimTime::ZERO);
        let moved = match later < 0 {
            true => at + by,
            false if at < by => return Err((line.clone(), BEFORE)),
            false => SimDuration::from_micros(at.micros() - by.micros()),
        };
        if moved > limits::MAX_DURATION {
            return Err((line.clone(), AFTER));
        }
        line.at = SimTime::ZERO + moved;
    }
    Ok(())
}

const BEFORE: &str = "before the new start: remove it first, or start earlier";
const AFTER: &str = "more than 24 h after the new start: remove it first, or start later";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::GALLERY;

    fn typed(file: &ScenarioFile, edits: &[(Field, &str)]) -> Vec<(Field, String)> {
        let value = |entry: Entry| {
            let edit = edits.iter().find(|(field, _)| *field == entry.field);
            (entry.field, edit.map_or(entry.value, |(_, text)| (*text).to_owned()))
        };
        entries(file).into_iter().map(value).collect()
    }

    fn berlin(zone: &str, civil: Civil) -> Option<i16> {
        (zone == "Europe/Berlin").then_some(if (4..10).contains(&civil.month) { 120 } else { 60 })
    }

    fn apply(file: &ScenarioFile, edits: &[(Field, &str)]) -> Result<ScenarioFile, String> {
        applied(file, &typed(file, edits), &berlin)
    }

    const A: NodeId = NodeId::Client(ClientId(0));

    #[test]
    fn nothing_typed_changes_nothing() {
        for entry in GALLERY {
            let file = entry.file();
            assert_eq!(apply(&file, &[]).as_ref(), Ok(&file), "{}", entry.id);
        }
    }

    #[test]
    fn everything_that_is_typed_stands_in_the_file() {
        let file = GALLERY[0].file();
        let edits = [
            (Field::Title, " Orders lost "),
            (Field::Start, "2024-05-01 10:00:00"),
            (Field::Zone, "Europe/Berlin"),
            (Field::FirstToken, "41052"),
            (Field::Name(A), "billing-7"),
            (Field::Cause(FaultId(1)), "full GC"),
        ];
        let changed = apply(&file, &edits).expect("it can be taken");
        assert_eq!(changed.title, "Orders lost");
        let start = changed.incident.start.map(|start| start.to_string());
        assert_eq!(start.as_deref(), Some("2024-05-01T10:00:00+02:00"));
        assert_eq!(changed.scenario.lease.first_token, FencingToken(41_052));
        assert_eq!(changed.incident.names, [ActorName { actor: A, name: "billing-7".to_owned() }]);
        assert_eq!(changed.scenario.faults[0].label, "full GC");
        let text = changed.to_json();
        assert_eq!(ScenarioFile::parse(&text).as_ref(), Ok(&changed), "{text}");
        let nameless = apply(&changed, &[(Field::Name(A), " "), (Field::Start, "")]);
        let nameless = nameless.expect("it can be taken");
        assert_eq!((nameless.incident.names.len(), nameless.incident.start), (0, None));
    }

    #[test]
    fn what_cannot_be_taken_is_quoted() {
        let file = GALLERY[0].file();
        let why = |field, text| apply(&file, &[(field, text)]).expect_err(text);
        assert!(why(Field::Start, "yesterday").starts_with("“yesterday” is not a timestamp"));
        assert!(why(Field::Start, "2024-05-01 10:00").contains("with a zone"));
        assert!(why(Field::FirstToken, "many").contains("“many”"));
        assert!(
            why(Field::Name(A), &"x".repeat(61))
                .contains("61 characters is out of range; it lies between 1 and 60")
        );
        let edits = [(Field::Start, "2024-05-01 10:00"), (Field::Zone, "Mars/Olympus")];
        assert!(apply(&file, &edits).expect_err("no zone").contains("“Mars/Olympus”"));
        // In UTC these lie in the years 0 and 10000.
        for (start, zone) in [("0001-01-01 00:00", "+02:00"), ("9999-12-31 23:30", "-01:00")] {
            let edits = [(Field::Start, start), (Field::Zone, zone)];
            let why = apply(&file, &edits).expect_err(start);
            assert!(why.starts_with(&format!("“{start}”")) && why.contains("1 to 9999"), "{why}");
        }
    }

    #[test]
    fn another_start_leaves_what_was_observed_on_its_time_of_day() {
        let mut file = GALLERY[0].file();
        file.incident.start = "2024-05-01T10:00:00Z".parse().ok();
        let at = SimTime::from_millis(3_000);
        let text = "lease lost".to_owned();
        file.incident.observed = vec![Observed { at, actor: None, text, is: None, sets: None }];
        let to = |start: &str| apply(&file, &[(Field::Start, start)]);
        let at = |file: ScenarioFile| file.incident.observed[0].at;
        let earlier = to("2024-05-01T09:59:58Z").map(at);
        assert_eq!(earlier, Ok(SimTime::from_millis(5_000)));
        let later = to("2024-05-01T12:00:02+02:00").map(at);
        assert_eq!(later, Ok(SimTime::from_millis(1_000)));
        let error = to("2024-05-01T10:00:04Z").expect_err("it would lie before");
        assert!(error.contains("“10:00:03.000 · lease lost” would lie before"), "{error}");
        let error = to("0001-01-01T00:00:00Z").expect_err("two thousand years earlier");
        assert!(error.contains("lease lost” would lie more than 24 h after"), "{error}");
        file.incident.observed[0].at = SimTime::ZERO + limits::MAX_DURATION;
        assert_eq!(file.validate(), Ok(()));
        file.incident.observed[0].at =
            SimTime::ZERO + limits::MAX_DURATION + SimDuration::from_micros(1);
        let error = file.validate().expect_err("no file could say so").to_string();
        assert!(error.contains("incident.observed[0].at: 86400.000001 s"), "{error}");
    }
}

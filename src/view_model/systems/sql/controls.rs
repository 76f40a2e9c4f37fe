//! A SQL lock's own controls.

use crate::sim::lock::{SqlAcquire, SqlClock, SqlHold, SqlSettings};
use crate::sim::scenario::ScenarioSpec;
use crate::sim::time::SimDuration;
use crate::view_model::controls::Control;
use crate::view_model::controls::amount::idle::when;
use crate::view_model::controls::field;
use crate::view_model::words::wording::duration;

fn hold(hold: SqlHold) -> &'static str {
    match hold {
        SqlHold::Row => "A row with an end",
        SqlHold::Transaction => "A row lock in an open transaction",
        SqlHold::Advisory => "An advisory lock",
    }
}

fn clock(clock: SqlClock) -> &'static str {
    match clock {
        SqlClock::Database => "The database's",
        SqlClock::Nodes => "Each client's own",
    }
}

fn acquire(acquire: SqlAcquire) -> &'static str {
    match acquire {
        SqlAcquire::ConditionalUpdate => "One conditional UPDATE",
        SqlAcquire::SelectThenUpdate => "SELECT, then UPDATE",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.sql;
    let (to_hold, to_clock) = (field!(spec, sql.hold), field!(spec, sql.clock));
    let to_acquire = field!(spec, sql.acquire);
    let holds = [SqlHold::Row, SqlHold::Transaction, SqlHold::Advisory];
    let clocks = [SqlClock::Database, SqlClock::Nodes];
    let ways = [SqlAcquire::ConditionalUpdate, SqlAcquire::SelectThenUpdate];
    let is_row = settings.hold == SqlHold::Row;
    let with_connection = when(!is_row, "no row", "The lock lives with its connection");
    let no_connection = when(is_row, "no connection", "The row stands there without a connection");
    let held = Control::choice("The lock is", None, settings.hold, &holds, hold, to_hold);
    vec![
        match settings.hold {
            SqlHold::Row => held.hinted("Nobody watches it: it is over when somebody asks"),
            SqlHold::Transaction => {
                held.hinted("A cut connection undoes the counter's step as well")
            }
            SqlHold::Advisory => held.hinted("The counter is a sequence, which nothing undoes"),
        },
        Control::choice(
            "The row's clock",
            with_connection,
            settings.clock,
            &clocks,
            clock,
            to_clock,
        ),
        Control::choice(
            "The row is taken by",
            with_connection,
            settings.acquire,
            &ways,
            acquire,
            to_acquire,
        ),
        Control::optional(
            "An idle connection is cut after",
            no_connection,
            (settings.idle_timeout, "never"),
            SimDuration::ZERO,
            field!(spec, sql.idle_timeout),
        )
        .hinted("idle_in_transaction_session_timeout, which is off unless it is set"),
    ]
}

pub(super) fn setting(settings: &SqlSettings) -> Vec<String> {
    let usual = SqlSettings::default();
    let mut parts = Vec::new();
    if settings.hold != usual.hold {
        parts.push(hold(settings.hold).to_ascii_lowercase());
    }
    if settings.clock != usual.clock {
        parts.push("each client's own clock".to_owned());
    }
    if settings.acquire != usual.acquire {
        parts.push(acquire(settings.acquire).to_owned());
    }
    if let Some(timeout) = settings.idle_timeout {
        parts.push(format!("idle connections cut after {}", duration(timeout)));
    }
    parts
}

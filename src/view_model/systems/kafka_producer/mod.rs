//! A Kafka producer: what using it is like, and what can be set of it alone.

mod commands;
mod controls;

use super::row::SystemRow;

pub(super) const ROW: SystemRow = SystemRow {
    practice: commands::PRACTICE,
    controls: |_, spec| controls::controls(spec),
    setting: |spec| controls::setting(&spec.systems.kafka_producer),
};

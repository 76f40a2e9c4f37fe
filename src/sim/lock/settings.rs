//! The settings that only one lock system has, side by side, so that choosing another system and
//! coming back loses none of them. Each is defined with its system.

use serde::{Deserialize, Serialize};

use super::etcd::EtcdSettings;
use super::redis::RedisSettings;
use crate::sim::limits::{MAX_DURATION, MIN_INTERVAL};
use crate::sim::scenario::ScenarioError;
use crate::sim::time::SimDuration;

/// What only one lock system has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(not(target_family = "wasm"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SystemSettings {
    /// etcd's.
    #[serde(skip_serializing_if = "is_default")]
    pub etcd: EtcdSettings,
    /// Redis'.
    #[serde(skip_serializing_if = "is_default")]
    pub redis: RedisSettings,
}

/// A setting that stands at its default is not written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl SystemSettings {
    /// Whether all systems' settings are as everywhere.
    pub fn is_default(&self) -> bool {
        is_default(self)
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// The first field that is out of its range, with its path and value.
    pub fn check(&self) -> Result<(), ScenarioError> {
        let Self { etcd, redis } = self;
        let lengths = [
            ("systems.etcd.scan", etcd.scan),
            ("systems.etcd.commit", etcd.commit),
            ("systems.etcd.election_timeout", etcd.election_timeout),
            ("systems.etcd.snapshot_every", etcd.snapshot_every.unwrap_or_default()),
            ("systems.redis.lag", redis.lag),
        ];
        if let Some(given) = etcd.snapshot_every.filter(|every| *every < MIN_INTERVAL) {
            let (path, least) = ("systems.etcd.snapshot_every".to_owned(), MIN_INTERVAL);
            return Err(ScenarioError::OutOfRange { path, given, least, most: MAX_DURATION });
        }
        for (path, given) in lengths {
            if given > MAX_DURATION {
                let (path, least) = (path.to_owned(), SimDuration::ZERO);
                return Err(ScenarioError::OutOfRange { path, given, least, most: MAX_DURATION });
            }
        }
        Ok(())
    }
}

//! The settings that only one lock system has, side by side, so that choosing another system and
//! coming back loses none of them. Each is defined with its system, by [`own_settings`], and names
//! there its neutral value, with which it causes nothing (the system's documented one, or “off”),
//! or says why it has none: a quantity is a matter of the margin.

use super::chubby::ChubbySettings;
use super::consul::ConsulSettings;
use super::dhcp::DhcpSettings;
use super::etcd::EtcdSettings;
use super::kafka::{KafkaLeaderSettings, KafkaProducerSettings};
use super::kubernetes::KubernetesSettings;
use super::raft::leader::RaftLeaderSettings;
use super::raft::lease::RaftLeaseSettings;
use super::redis::RedisSettings;
use super::redlock::RedlockSettings;
use super::sql::SqlSettings;
use super::zookeeper::ZooKeeperSettings;
use crate::sim::form::fields;

fields! {
    /// What only one lock system has.
    pub struct SystemSettings: Default {
        /// etcd's.
        pub etcd: EtcdSettings => EtcdSettings::default();
        /// Redis'.
        pub redis: RedisSettings => RedisSettings::default();
        /// `ZooKeeper`'s.
        pub zookeeper: ZooKeeperSettings => ZooKeeperSettings::default();
        /// Chubby's.
        pub chubby: ChubbySettings => ChubbySettings::default();
        /// Consul's.
        pub consul: ConsulSettings => ConsulSettings::default();
        /// Redlock's.
        pub redlock: RedlockSettings => RedlockSettings::default();
        /// A SQL database's.
        pub sql: SqlSettings => SqlSettings::default();
        /// DHCP's.
        pub dhcp: DhcpSettings => DhcpSettings::default();
        /// A Raft leader's.
        pub raft_leader: RaftLeaderSettings => RaftLeaderSettings::default();
        /// client-go's.
        pub kubernetes: KubernetesSettings => KubernetesSettings::default();
        /// A Raft-backed lease service's.
        pub raft_lease: RaftLeaseSettings => RaftLeaseSettings::default();
        /// A Kafka partition leader's.
        pub kafka_leader: KafkaLeaderSettings => KafkaLeaderSettings::default();
        /// A Kafka producer's.
        pub kafka_producer: KafkaProducerSettings => KafkaProducerSettings::default();
    }
}

/// A setting of one lock system alone that has a neutral value.
#[derive(Clone, Copy, Debug)]
pub struct OwnSetting {
    /// Its name in files.
    pub name: &'static str,
    /// Puts its neutral value back.
    pub put_back: fn(&mut SystemSettings),
}

/// What only one lock system has: as [`fields`], and after each field its neutral value, or why it
/// has none. `in` names where it stands in [`SystemSettings`].
macro_rules! own_settings {
    (
        $(#[doc = $about:literal])*
        pub struct $Name:ident in $place:ident {
            $(
                $(#[doc = $doc:literal])*
                pub $field:ident: $T:ty $(= $default:expr)? $(=> $unless:expr)?
                    $(, in $least:expr, $most:expr)? $(, neutral $neutral:expr)?
                    $(, none $why:literal)?;
            )*
        }
    ) => {
        $crate::sim::form::fields! {
            $(#[doc = $about])*
            pub struct $Name: Default {
                $(
                    $(#[doc = $doc])*
                    pub $field: $T $(= $default)? $(=> $unless)? $(, in $least, $most)?;
                )*
            }
        }

        impl $Name {
            /// Those that have a neutral value.
            pub(in crate::sim::lock) const OWN: &'static [$crate::sim::lock::OwnSetting] =
                &$crate::sim::lock::settings::neutral!($place
                    [$([$field $(, neutral $neutral)? $(, none $why)?])*]
                );
        }
    };
}
pub(in crate::sim::lock) use own_settings;

/// A list of those that have a neutral value: each has one, or a reason, and not both.
macro_rules! neutral {
    ($place:ident [$($fields:tt)*]) => {
        $crate::sim::lock::settings::neutral!($place [$($fields)*] [])
    };
    ($place:ident [] [$($own:tt)*]) => { [$($own)*] };
    ($place:ident [[$field:ident, neutral $neutral:expr] $($rest:tt)*] [$($own:tt)*]) => {
        $crate::sim::lock::settings::neutral!($place [$($rest)*] [$($own)*
            $crate::sim::lock::OwnSetting {
                name: stringify!($field),
                put_back: |all| all.$place.$field = $neutral,
            },
        ])
    };
    ($place:ident [[$field:ident, none $why:literal] $($rest:tt)*] [$($own:tt)*]) => {
        $crate::sim::lock::settings::neutral!($place [$($rest)*] [$($own)*])
    };
}
pub(in crate::sim::lock) use neutral;

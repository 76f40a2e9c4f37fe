//! From one row per setting (`settings.rs`): the fields of the scenario's parts and their defaults,
//! each client's own values, the change that sets it, the quantity that a slider drags, its neutral
//! value, and, through [`crate::sim::form`], reader, writer, ranges and JSON Schema.
//!
//! A row is `name: Type = default, in least, most, unless default => Change, drag Quantity, fix
//! Fixed, neutral value;`. With `unless` it is not written where it has that value. What is not
//! named in it is not so: a setting without `neutral` has no such value, and one without `fix` is
//! settled by no lock system and no protected resource.

macro_rules! settings {
    (
        clients { $($own:tt)* }
        clients_alike { $($alike:tt)* }
        lease { $($lease:tt)* }
        storage { $($storage:tt)* }
        run { $($run:tt)* }
        changes { $($changes:tt)* }
    ) => {
        rows! {
            /// How one client behaves. The same fields stand in a scenario's defaults and, but for
            /// the last two, each optional, in every client.
            fields ClientSettings { $($own)* $($alike)* }
        }
        rows! { own { $($own)* } alike { $($alike)* } }
        rows! {
            /// The lease's settings.
            fields LeaseSpec { $($lease)* }
        }
        rows! {
            /// The stores that the lock protects.
            fields StorageSettings { $($storage)* }
        }
        rows! { spec { $($run)* } }
        rows! {
            all { $($changes)* }
            clients { $($own)* }
            clients_alike { $($alike)* }
            lease { $($lease)* }
            storage { $($storage)* }
            run { $($run)* }
        }
    };
}

macro_rules! rows {
    ($(#[doc = $about:literal])* fields $Name:ident { $(
        $(#[doc = $doc:literal])*
        $name:ident: $T:ty = $default:expr $(, in $least:expr, $most:expr)?
            $(, unless $unless:expr)? => $Change:ident
            $(, drag $Quantity:ident)? $(, fix $Fixed:ident)? $(, neutral $neutral:expr)?;
    )* }) => {
        fields! {
            $(#[doc = $about])*
            pub struct $Name: Default {
                $(
                    $(#[doc = $doc])*
                    pub $name: $T = $default $(, in $least, $most)? $(, unless $unless)?;
                )*
            }
        }
    };
    (own { $(
        $(#[doc = $doc:literal])*
        $name:ident: $T:ty = $default:expr $(, in $least:expr, $most:expr)?
            $(, unless $unless:expr)? => $Change:ident
            $(, drag $Quantity:ident)? $(, fix $Fixed:ident)? $(, neutral $neutral:expr)?;
    )* } alike { $(
        $(#[doc = $alike_doc:literal])*
        $alike:ident: $AlikeT:ty = $alike_default:expr $(, in $from:expr, $to:expr)?
            => $AlikeChange:ident $(, neutral $alike_neutral:expr)?;
    )* }) => {
        fields! {
            /// One client: when it first asks, and where it differs from the defaults. Every field
            /// but `asks_at`, `ttl` and `session_at` overrides the one of the same name in
            /// `defaults`.
            #[derive(Default)]
            pub struct ClientSpec {
                /// When its worker first asks for the lock (sends the acquire).
                pub asks_at: SimTime;
                /// The time to live of its own leases, if it differs from the scenario's.
                pub ttl: Option<SimDuration> => None, in limits::MIN_TTL, limits::MAX_DURATION;
                /// When its session is made, if that is before it asks. Default: when it asks.
                pub session_at: Option<SimTime> => None;
                $(
                    /// The same as in `defaults`, for this client alone.
                    pub $name: Option<$T> => None $(, in $least, $most)?;
                )*
            }
        }

        impl ClientSpec {
            /// The settings that hold for this client.
            pub fn settings(&self, defaults: &ClientSettings) -> ClientSettings {
                ClientSettings {
                    $($name: self.$name.unwrap_or(defaults.$name),)*
                    $($alike: defaults.$alike,)*
                }
            }
        }
    };
    (spec { $(
        $(#[doc = $doc:literal])*
        $name:ident: $T:ty = $default:expr => $Change:ident $(, drag $Quantity:ident)?;
    )* }) => {
        fields! {
            /// Everything that determines a run.
            pub struct ScenarioSpec {
                $($(#[doc = $doc])* pub $name: $T = $default;)*
                /// Which lock system grants the lease.
                pub lock: LockSystem;
                /// The product that set it up, by its name in the list of products. It changes no
                /// run: the settings that came with it stand here, too.
                pub product: Option<String> => None, in 1, limits::MAX_PRODUCT_CHARS;
                /// The lease's own settings, for systems that have leases.
                pub lease: LeaseSpec = LeaseSpec::default();
                /// What only one lock system has.
                pub systems: SystemSettings => SystemSettings::default();
                /// The stores.
                pub storage: StorageSettings = StorageSettings::default();
                /// What every client does, unless it says otherwise.
                pub defaults: ClientSettings = ClientSettings::default();
                /// The clients, A first; 1 to 8.
                pub clients: Vec<ClientSpec>, in 1, limits::MAX_CLIENTS;
                /// What goes wrong.
                pub faults: Vec<Fault> = Vec::new(), in 0, limits::MAX_FAULTS;
            }
        }
    };
    (all { $($changes:tt)* } $($part:ident { $(
        $(#[doc = $doc:literal])*
        $name:ident: $T:ty = $default:expr $(, in $least:expr, $most:expr)?
            $(, unless $unless:expr)? => $Change:ident
            $(, drag $Quantity:ident)? $(, fix $Fixed:ident)? $(, neutral $neutral:expr)?;
    )* })*) => {
        choices! {
            /// One change of a scenario.
            pub enum Change {
                $($($(#[doc = $doc])* $Change($T $(, in $least, $most)?),)*)*
                $($changes)*
            }
        }

        choices! {
            /// A length of time in a scenario that a user can drag.
            #[derive(Copy)]
            pub enum Quantity {
                $($($(/// The setting of that name.
                $Quantity,)?)*)*
                /// How long a fault lasts (of a crash: until the restart; of a delay: its length).
                FaultLength(FaultId),
                /// When a fault begins.
                FaultStart(FaultId),
            }
        }

        /// A setting of the run, the lease, the clients or the storage.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Setting { $($($(#[doc = $doc])* $Change,)*)* }

        /// A setting that a lock system or a protected resource can settle itself. A control for
        /// it has no effect then, and says so.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Fixed {
            $($($(/// The setting of that name.
            $Fixed,)?)*)*
        }

        /// A change of a setting, as a pattern.
        macro_rules! any_setting {
            () => { $($($crate::sim::scenario::Change::$Change(_))|*)|* };
        }
        pub(crate) use any_setting;

        impl Setting {
            /// All of them.
            pub const ALL: &'static [Self] = &[$($(Self::$Change,)*)*];

            /// What it is called in files.
            pub fn key(self) -> &'static str {
                match self { $($(Self::$Change => stringify!($name),)*)* }
            }

            /// The change to what a scenario has for all.
            pub fn of(self, spec: &ScenarioSpec) -> Change {
                match self {
                    $($(Self::$Change => Change::$Change(get_in!($part spec $name).clone()),)*)*
                }
            }

            /// The lower end of its range, if its row names one.
            fn least(self) -> Option<u64> {
                match self {
                    $($(Self::$Change => {
                        let least: Option<i64> = None$(.or(Some(End::end($least))))?;
                        least.and_then(|least| u64::try_from(least).ok())
                    })*)*
                }
            }

            /// The change to its neutral value, with which it causes nothing; `None` if it has
            /// none, as every quantity.
            pub fn neutral(self) -> Option<Change> {
                match self {
                    $($(Self::$Change => {
                        None::<$T>$(.or(Some($neutral)))?.map(Change::$Change)
                    })*)*
                }
            }
        }

        impl Change {
            /// The setting that it sets, if it sets one.
            pub fn setting(&self) -> Option<Setting> {
                match self { $($(Self::$Change(_) => Some(Setting::$Change),)*)* _ => None, }
            }

            /// Sets the setting that it is about.
            pub(super) fn set(&self, spec: &mut ScenarioSpec) {
                match self {
                    $($(Self::$Change(value) => set_in!($part spec $name value.clone()),)*)*
                    _ => {}
                }
            }
        }

        impl Quantity {
            /// What it is of each client, where clients may have their own; else its one value.
            /// `None` where this scenario has none (a fault that is gone, renewal that is off).
            pub(super) fn values(self, spec: &ScenarioSpec) -> Vec<Option<SimDuration>> {
                match self {
                    $($($(Self::$Quantity => {
                        let all = all_in!($part spec $name).into_iter();
                        all.map(|of_one| Dragged::length(&of_one, spec)).collect()
                    })?)*)*
                    Self::FaultLength(id) => {
                        vec![fault_kind(spec, id).and_then(|kind| kind.length())]
                    }
                    Self::FaultStart(id) => {
                        let starts = fault_kind(spec, id).and_then(|kind| kind.starts_at());
                        vec![starts.map(SimTime::since_start)]
                    }
                }
            }

            /// The change that sets it, and the least that it may be.
            pub(super) fn change(self, value: SimDuration) -> (Change, SimDuration) {
                match self {
                    $($($(Self::$Quantity => {
                        let least = Setting::$Change.least().map(SimDuration::from_micros);
                        let least = least.unwrap_or(<$T as Dragged>::LEAST);
                        (Change::$Change(Dragged::of_length(value)), least)
                    })?)*)*
                    Self::FaultLength(id) => {
                        (Change::FaultLength { id, length: value }, SimDuration::ZERO)
                    }
                    Self::FaultStart(id) => {
                        (Change::FaultStart { id, at: SimTime::ZERO + value }, SimDuration::ZERO)
                    }
                }
            }
        }
    };
}

/// Where in a scenario the settings of a part stand.
macro_rules! get_in {
    (clients $spec:ident $name:ident) => {
        $spec.defaults.$name
    };
    (clients_alike $spec:ident $name:ident) => {
        $spec.defaults.$name
    };
    (lease $spec:ident $name:ident) => {
        $spec.lease.$name
    };
    (storage $spec:ident $name:ident) => {
        $spec.storage.$name
    };
    (run $spec:ident $name:ident) => {
        $spec.$name
    };
}

/// The values of a setting that hold: of a client's setting that of each client.
macro_rules! all_in {
    (clients $spec:ident $name:ident) => {
        (($spec.clients).iter())
            .map(|client| client.$name.unwrap_or($spec.defaults.$name))
            .collect::<Vec<_>>()
    };
    ($part:ident $spec:ident $name:ident) => {
        vec![get_in!($part $spec $name)]
    };
}

/// Sets one. “For all clients” means all: the default changes and every client's own value goes, so
/// that the control that was moved is the one that holds.
macro_rules! set_in {
    (clients $spec:ident $name:ident $value:expr) => {{
        $spec.defaults.$name = $value;
        $spec.clients.iter_mut().for_each(|client| client.$name = None);
    }};
    ($part:ident $spec:ident $name:ident $value:expr) => { get_in!($part $spec $name) = $value };
}

pub(super) use {all_in, get_in, rows, set_in, settings};

//! What people run: products by name, with their numbers in their own words, the trap that they are
//! known for, and what sets the simulation up like them. In a scenario file `"lock": "redisson"` is
//! short for that set-up; what is written is the lock system with all its settings, and the name
//! beside it, so that no later number changes an old file.
//!
//! The list is `static/products.json`. The program for the terminal has it built in; the page
//! fetches it when somebody looks for a product or a file names one.

use crate::sim::form::{At, Form, Given, Json, Refusal, choices, distance, fields};
use crate::sim::limits::MAX_PRODUCT_CHARS;
use crate::sim::scenario::{FILE_VERSION, FileError, LockSystem, ScenarioFile};

fields! {
    /// All products.
    pub struct Products {
        /// By group, in the order in which they are offered.
        pub products: Vec<Product>;
    }
}

fields! {
    /// A product.
    pub struct Product {
        /// Its name in files: small letters, digits, hyphens.
        pub name: String, in 1, MAX_PRODUCT_CHARS;
        /// What people call it.
        pub title: String, in 1, MAX_PRODUCT_CHARS;
        /// Where it stands in the list.
        pub group: Group;
        /// Other words that find it.
        pub also: Vec<String> => Vec::<String>::new();
        /// Its numbers and what is fixed, in its own words.
        pub numbers: String;
        /// By what a grant is known, and what compares that.
        pub token: String;
        /// How people lose data with it.
        pub trap: String;
        /// What people then did.
        pub fix: String;
        /// Its settings by its own names, each with what it is here: `leaseTime: time to live`.
        pub settings: Vec<String> => Vec::<String>::new();
        /// By what calls or commands it is taken, renewed and let go.
        pub calls: String => String::new();
        /// What a scenario has that is set up like it: a part of a scenario; absent where the
        /// simulation lacks what makes the product what it is.
        pub scenario: Option<Json> => None;
        /// A schedule in which its trap happens, mended in Run 2, and what both come
        /// to: a part of a scenario file, which lies over the set-up.
        pub schedule: Option<Json> => None;
        /// What of it is not modelled.
        pub not_modelled: String => String::new();
        /// Where that stands: files, manuals, issues.
        pub sources: Vec<String>;
        /// As of when.
        pub as_of: String;
        /// How it is known.
        pub known_by: KnownBy;
    }
}

choices! {
    /// The groups of products.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum Group {
        /// Clients of Redis.
        RedisClients,
        /// Services that are there for locks and leaders.
        LockServices,
        /// Locks in databases.
        Databases,
        /// Queues.
        Queues,
        /// Job libraries.
        JobLibraries,
        /// Object stores and tables of files.
        ObjectStores,
        /// Clusters and disks.
        ClustersAndDisks,
        /// Logs and leaders.
        LogsAndLeaders,
    }
}

choices! {
    /// How something is known.
    #[derive(Copy)]
    pub enum KnownBy {
        /// Its source was read.
        Source,
        /// Its documentation was read, or what its maintainers wrote.
        Documentation,
        /// A survey of such products says so, from these places; they were not read again.
        Survey,
    }
}

impl Products {
    /// Reads the list.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        let json = Json::parse(text)?;
        Ok(Self::read(&Given::whole(&json))?)
    }

    /// The list that comes with the program.
    pub fn built_in() -> Self {
        Self::parse(include_str!("../../static/products.json")).expect("a test reads the list")
    }

    /// The product of this name.
    pub fn find(&self, name: &str) -> Option<&Product> {
        self.products.iter().find(|product| product.name == name)
    }

    /// Those whose names are most like what somebody typed, the nearest first.
    pub fn nearest(&self, typed: &str) -> Vec<&Product> {
        const MOST: usize = 4;
        let typed = typed.trim().to_ascii_lowercase();
        let all = self.products.iter().map(|product| (product.differs(&typed), product));
        least(all.collect(), MOST)
    }

    /// Reads a scenario file in which a product's name may stand in place of a lock system. What
    /// the file says itself holds against what the product would set.
    ///
    /// # Errors
    /// As [`ScenarioFile::parse`]; a name that is neither is answered with those that are like it.
    pub fn parse_file(&self, text: &str) -> Result<ScenarioFile, FileError> {
        let mut json = ScenarioFile::json(text)?;
        if let Some(scenario) = field(&mut json, "scenario") {
            self.write_out(scenario)?;
        }
        ScenarioFile::of_json(&json)
    }

    /// Whether a text is a scenario file in which a name stands that is no lock system's, and so
    /// perhaps a product's.
    pub fn are_needed_by(text: &str) -> bool {
        let json = ScenarioFile::json(text).ok();
        let scenario = json.and_then(|mut json| field(&mut json, "scenario").cloned());
        scenario.is_some_and(|mut scenario| other_lock(&mut scenario).is_some())
    }

    /// Puts what a product sets in the place of its name.
    fn write_out(&self, scenario: &mut Json) -> Result<(), Refusal> {
        let Some(name) = other_lock(scenario) else { return Ok(()) };
        let lock = Json::text(&name);
        let at = At::ROOT.key("scenario");
        let given = Given { value: &lock, at: at.key("lock") };
        let Some(product) = self.find(&name) else {
            let like = self.like(&name);
            let names: Vec<_> = like.iter().map(|name| format!("“{name}”")).collect();
            let known = format!("is no lock system and no product; there is {}", names.join(", "));
            return Err(given.refuse(&known, &Json::text(like[0])));
        };
        let Some(sets) = &product.scenario else {
            let missing = format!("is known by its numbers alone: {}", product.not_modelled);
            return Err(given.refuse(&missing, &LockSystem::example()));
        };
        let own = std::mem::replace(scenario, sets.clone());
        over(scenario, without(own, "lock"));
        over(scenario, Json::one("product", Json::Text(name)));
        Ok(())
    }

    /// Names that are most like this one, the nearest first: of lock systems and products.
    fn like(&self, name: &str) -> Vec<&str> {
        const MOST: usize = 6;
        let products = self.products.iter().filter(|product| product.scenario.is_some());
        let names = products.map(|product| product.name.as_str());
        least(names.chain(SYSTEMS).map(|known| (distance(name, known), known)).collect(), MOST)
    }
}

/// The name that stands for the lock, if that is no lock system's.
fn other_lock(scenario: &mut Json) -> Option<String> {
    let lock = field(scenario, "lock")?;
    let is_other = LockSystem::read(&Given { value: lock, at: At::ROOT.key("lock") }).is_err();
    match lock {
        Json::Text(name) if is_other => Some(name.clone()),
        _ => None,
    }
}

/// Those with the least distances, the nearest first, of equal ones the first. A sort would be many
/// times as large in the page.
fn least<T: Copy>(mut all: Vec<(usize, T)>, most: usize) -> Vec<T> {
    let mut found = Vec::new();
    while found.len() < most
        && let Some(nearest) = all.iter().map(|(distance, _)| *distance).min()
        && let Some(at) = all.iter().position(|(distance, _)| *distance == nearest)
    {
        found.push(all.remove(at).1);
    }
    found
}

/// The lock systems that one thinks of first.
const SYSTEMS: [&str; 8] =
    ["lease_server", "redis", "redlock", "etcd", "zookeeper", "consul", "sql", "kubernetes"];

impl Product {
    /// A file that is set up like this product: its lock system, its settings and its name. The
    /// schedule stays as it was: clients, faults, work, storage, and how long the lease is where
    /// the product leaves that to whoever uses it. What the lock or its library had set before is
    /// no part of that.
    ///
    /// # Errors
    /// If the file's faults or its Run 2 do not go with the lock system; if the product is known
    /// by its numbers alone.
    pub fn set_up(&self, file: &ScenarioFile) -> Result<ScenarioFile, FileError> {
        let mut json = file.write();
        if let (Some(scenario), Some(sets)) = (field(&mut json, "scenario"), &self.scenario) {
            for (part, keys) in [("lease", OF_THE_LEASE), ("defaults", OF_THE_LIBRARY)] {
                leave_out(scenario, part, keys);
            }
            if let Some(Json::Text(lock)) = field(&mut sets.clone(), "lock") {
                leave_out(scenario, "systems", &[lock]);
            }
            self.put_over(scenario, sets);
        }
        ScenarioFile::of_json(&json)
    }

    /// The scenario in which its trap happens with its own numbers; `None`: there is none.
    ///
    /// # Errors
    /// If the list has none that is valid, which a test looks for.
    pub fn trap(&self) -> Option<Result<ScenarioFile, FileError>> {
        let (sets, schedule) = (self.scenario.as_ref()?, self.schedule.as_ref()?);
        let Json::Fields(parts) = schedule else { return None };
        let mut scenario = Json::Fields(Vec::new());
        let notes = format!("{} Run 2: {}", self.trap, self.fix);
        let mut file = vec![
            ("version".to_owned(), FILE_VERSION.write()),
            ("notes".to_owned(), Json::Text(notes)),
        ];
        self.put_over(&mut scenario, sets);
        for (key, value) in parts.clone() {
            match key.as_str() {
                "scenario" => over(&mut scenario, value),
                _ => file.push((key, value)),
            }
        }
        file.push(("scenario".to_owned(), scenario));
        Some(ScenarioFile::of_json(&Json::Fields(file)))
    }

    fn put_over(&self, scenario: &mut Json, sets: &Json) {
        over(scenario, sets.clone());
        over(scenario, Json::one("product", Json::text(&self.name)));
    }

    /// In how many letters the nearest of its names differs from what somebody typed.
    fn differs(&self, typed: &str) -> usize {
        let title = self.title.to_ascii_lowercase();
        let also = self.also.iter().map(|word| word.to_ascii_lowercase());
        let words: Vec<_> = title.split([' ', '/', '(']).map(str::to_owned).chain(also).collect();
        let names = words.iter().chain([&title, &self.name]);
        names.map(|name| distance(typed, name)).min().unwrap_or_default()
    }

    /// How well it answers what somebody types, the best first; `None`: not at all.
    pub fn answers(&self, typed: &str) -> Option<Fit> {
        let typed = typed.trim().to_ascii_lowercase();
        let title = self.title.to_ascii_lowercase();
        let mut words = title.split([' ', '/', '(']).chain(self.name.split('-'));
        let has_word = words.any(|word| word.starts_with(&typed));
        let also = self.also.iter().any(|word| word.to_ascii_lowercase().contains(&typed));
        match () {
            () if title == typed || self.name == typed => Some(Fit::Name),
            () if title.starts_with(&typed) => Some(Fit::Begin),
            () if has_word => Some(Fit::Word),
            () if title.contains(&typed) || self.name.contains(&typed) => Some(Fit::Part),
            () if also => Some(Fit::Also),
            () if self.numbers.to_ascii_lowercase().contains(&typed) => Some(Fit::Said),
            () => None,
        }
    }
}

/// What of the lease is the lock's; how long it is, and its first token, may be the reader's own.
const OF_THE_LEASE: &[&str] = &[
    "token_source",
    "owner_check",
    "lock_delay",
    "grace",
    "item",
    "settle_at",
    "settle_check",
    "settle_refusal",
    "max_deliveries",
    "ends",
    "late",
    "cap",
    "min_hold",
    "expiry",
    "clock",
    "connection_bound",
    "two_steps",
    "waiter_check",
    "hand_off",
];

/// What of a client's settings a library settles, or its manual.
const OF_THE_LIBRARY: &[&str] = &[
    "renew",
    "renew_failure",
    "renew_cap",
    "renewed_by",
    "progress",
    "renews_waiting",
    "deadline",
    "deadline_margin",
    "deadline_rate_error_ppm",
    "on_loss",
    "wait",
    "session",
    "identity",
];

impl Fit {
    /// All, the best first.
    pub const ALL: [Self; 6] =
        [Self::Name, Self::Begin, Self::Word, Self::Part, Self::Also, Self::Said];
}

/// How well a product answers what was typed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fit {
    /// It is its name.
    Name,
    /// Its name begins so.
    Begin,
    /// A word of its name begins so.
    Word,
    /// Its name has it somewhere.
    Part,
    /// Another word for it has it.
    Also,
    /// Its numbers name it.
    Said,
}

fn field<'a>(json: &'a mut Json, key: &str) -> Option<&'a mut Json> {
    let Json::Fields(fields) = json else { return None };
    fields.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// Takes fields of a part away, so that they are as if nobody had set them.
fn leave_out(scenario: &mut Json, part: &str, keys: &[&str]) {
    if let Some(Json::Fields(fields)) = field(scenario, part) {
        fields.retain(|(key, _)| !keys.contains(&key.as_str()));
    }
}

fn without(json: Json, key: &str) -> Json {
    match json {
        Json::Fields(fields) => {
            Json::Fields(fields.into_iter().filter(|(name, _)| name != key).collect())
        }
        other => other,
    }
}

/// Puts the fields of a part of a scenario over those of another.
fn over(under: &mut Json, upper: Json) {
    if let Json::Fields(fields) = upper {
        for (key, value) in fields {
            let depth = depth(&key);
            put(under, key, value, depth);
        }
    }
}

/// In how many steps from here single fields are set; what lies deeper is one value.
fn depth(key: &str) -> u8 {
    match key {
        // Each system's own settings.
        "systems" => 2,
        "lease" | "storage" | "defaults" => 1,
        _ => 0,
    }
}

fn put(under: &mut Json, key: String, value: Json, depth: u8) {
    match (field(under, &key), value) {
        (Some(old @ Json::Fields(_)), Json::Fields(fields)) if depth > 0 => {
            for (key, value) in fields {
                put(old, key, value, depth - 1);
            }
        }
        (Some(old), value) => *old = value,
        (None, value) => {
            if let Json::Fields(all) = under {
                all.push((key, value));
            }
        }
    }
}

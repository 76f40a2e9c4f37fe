//! Where each command is from: a server that ran the very line, or a document that says so. A test
//! holds the lines that a server is said to have run to those that it was recorded with
//! (`tests/recordings/commands`), and the versions to the recordings' heads.

/// Where a command is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was run as it stands, with a run's numbers.
    Ran(&'static Server),
    /// This document says so; it was not run here.
    Documented(&'static Document),
    /// An interface of one's own: there is nothing to run and no document.
    Ours,
}

/// A real server that ran commands.
#[derive(PartialEq, Eq, Debug)]
pub struct Server {
    /// Its name.
    pub name: &'static str,
    /// The version that ran them.
    pub version: &'static str,
    /// Into what they are typed.
    pub program: Program,
}

/// What commands are typed into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Program {
    /// A shell.
    Bash,
    /// PostgreSQL's client.
    Psql,
    /// `ZooKeeper`'s client.
    ZkCli,
}

impl Program {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Psql => "psql",
            Self::ZkCli => "zkCli.sh",
        }
    }
}

/// A document.
#[derive(PartialEq, Eq, Debug)]
pub struct Document {
    /// What it is.
    pub name: &'static str,
    /// Where it is.
    pub url: &'static str,
}

impl Origin {
    /// What is said of a command's origin, before the document's name and after it.
    pub fn words(self) -> (String, &'static str) {
        match self {
            Self::Ran(Server { name, version, program }) => {
                (format!("Run in {} on {name} {version}, recorded", program.name()), "")
            }
            Self::Documented(_) => ("From ".to_owned(), "; not run here"),
            Self::Ours => ("An interface of one's own; not run".to_owned(), ""),
        }
    }

    /// The document, if it is from one.
    pub fn document(self) -> Option<&'static Document> {
        match self {
            Self::Documented(document) => Some(document),
            Self::Ran(_) | Self::Ours => None,
        }
    }
}

macro_rules! servers {
    ($($name:ident = $server:literal $version:literal in $program:ident;)*) => {
        $(pub(super) const $name: Origin = Origin::Ran(&Server {
            name: $server,
            version: $version,
            program: Program::$program,
        });)*
    };
}

servers! {
    REDIS = "Redis" "7.0.15" in Bash;
    POSTGRES = "PostgreSQL" "15.18" in Psql;
    ETCD = "etcd" "3.4.23" in Bash;
    ZOOKEEPER = "ZooKeeper" "3.8.0" in ZkCli;
    ZOOKEEPER_BY_KAZOO = "ZooKeeper" "3.8.0" in Bash;
}

macro_rules! documents {
    ($($document:ident = $name:literal $url:literal;)*) => {
        $(pub(super) const $document: Origin =
            Origin::Documented(&Document { name: $name, url: $url });)*
    };
}

documents! {
    CHUBBY = "the paper, Burrows 2006"
        "https://research.google.com/archive/chubby.html";
    CONSUL_KV = "Consul's HTTP API, /kv" "https://developer.hashicorp.com/consul/api-docs/kv";
    CONSUL_SESSIONS = "Consul's HTTP API, /session"
        "https://developer.hashicorp.com/consul/api-docs/session";
    CONSUL_TXN = "Consul's HTTP API, /txn" "https://developer.hashicorp.com/consul/api-docs/txn";
    DHCLIENT = "dhclient(8)"
        "https://manpages.debian.org/bookworm/isc-dhcp-client/dhclient.8.en.html";
    KAFKA_OPERATIONS = "Kafka's documentation, “Operations”"
        "https://kafka.apache.org/documentation/#operations";
    KAFKA_PROTOCOL = "Kafka's protocol" "https://kafka.apache.org/protocol";
    KAFKA_PRODUCER = "KafkaProducer's javadoc"
        "https://kafka.apache.org/38/javadoc/org/apache/kafka/clients/producer/KafkaProducer.html";
    CLIENT_GO = "client-go's leaderelection"
        "https://pkg.go.dev/k8s.io/client-go/tools/leaderelection";
    RAFT = "etcd's raft package" "https://pkg.go.dev/go.etcd.io/raft/v3";
    HAZELCAST = "Hazelcast's FencedLock"
        "https://docs.hazelcast.com/hazelcast/5.5/data-structures/fencedlock";
    S3 = "Amazon S3's conditional writes"
        "https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html";
    KAZOO = "kazoo's transactions"
        "https://kazoo.readthedocs.io/en/latest/api/client.html";
    ZOOKEEPER_CLI = "ZooKeeper's command line"
        "https://zookeeper.apache.org/doc/r3.8.0/zookeeperCLI.html";
}

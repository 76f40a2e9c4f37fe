//! A real server for the time of a recording: its package, its folder, its port, its process, and
//! the end of all of them.

use crate::shell::{Outcome, find, run, say};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What Debian's packages ask whether they may start a service.
const POLICY: &str = "/usr/sbin/policy-rc.d";

/// A policy that lets no package start one.
const START_NOTHING: &str = "#!/bin/sh\nexit 101\n";

/// How long a server may take to listen.
const START: Duration = Duration::from_secs(60);

/// How long a server may take to end when it is asked to.
const END: Duration = Duration::from_secs(20);

/// Makes sure that `program` is there, and installs these packages of Debian if it is not.
pub(crate) fn need(program: &str, packages: &[&str]) -> Outcome<PathBuf> {
    if let Some(path) = find(&[program]) {
        return Ok(path);
    }
    let line = format!("apt-get install {}", packages.join(" "));
    if find(&["apt-get"]).is_none() {
        return Err(format!(
            "there is no `{program}`. Recordings are made on Debian, from its packages ({line})"
        ));
    }
    say(&format!("Installing {} (once; a minute)", packages.join(", ")));
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    install.env("DEBIAN_FRONTEND", "noninteractive");
    let installed = {
        let _quiet = Policy::start_nothing()?;
        run(&mut install)
    };
    installed.map_err(|error| {
        format!("{error}\nIt needs the rights of root and current lists: `apt-get update`")
    })?;
    find(&[program]).ok_or_else(|| format!("`{line}` has brought no `{program}`"))
}

/// Keeps packages from starting their services while it lives, unless the machine's own policy is
/// already in place.
struct Policy {
    is_ours: bool,
}

impl Policy {
    fn start_nothing() -> Outcome<Self> {
        if Path::new(POLICY).exists() {
            return Ok(Self { is_ours: false });
        }
        std::fs::write(POLICY, START_NOTHING)
            .map_err(|error| format!("cannot write {POLICY}: {error}. Installing needs root"))?;
        let policy = Self { is_ours: true };
        run(Command::new("chmod").args(["755", POLICY]))?;
        Ok(policy)
    }
}

impl Drop for Policy {
    fn drop(&mut self) {
        if self.is_ours {
            // Nothing can be done here about a failure, and the next installation is not harmed.
            let _ = std::fs::remove_file(POLICY);
        }
    }
}

/// An empty folder that is gone when this is dropped.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Outcome<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let n = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("fenceline-record-{}-{n}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path)
            .map_err(|error| format!("cannot make {}: {error}", path.display()))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A path in it, as text.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left lies among the system's temporary files, which it clears itself.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A port on loopback that nobody listens on.
pub(crate) fn free_port() -> Outcome<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let address = listener.and_then(|listener| listener.local_addr());
    address.map(|address| address.port()).map_err(|error| format!("no port is free: {error}"))
}

/// A connection to a port of this machine.
pub(crate) fn connect(port: u16) -> Outcome<TcpStream> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| format!("port {port} does not answer: {error}"))?;
    // Small questions are timed here, and must not wait to be sent together.
    stream.set_nodelay(true).map_err(|error| format!("port {port}: {error}"))?;
    Ok(stream)
}

/// A server's process. It ends when this is dropped.
pub(crate) struct Server {
    name: String,
    child: Child,
    port: u16,
}

impl Server {
    /// Starts it and waits until it listens.
    pub(crate) fn start(name: &str, port: u16, command: &mut Command) -> Outcome<Self> {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = quiet.spawn().map_err(|error| format!("cannot start {name}: {error}"))?;
        let mut server = Self { name: name.to_owned(), child, port };
        let started = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if let Ok(Some(status)) = server.child.try_wait() {
                return Err(format!("{name} has ended while it started ({status})"));
            }
            if started.elapsed() > START {
                return Err(format!("{name} does not listen after {} s", START.as_secs()));
            }
            sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Sends a signal, as `STOP` or `INT`.
    pub(crate) fn signal(&self, signal: &str) -> Outcome {
        let mut kill = Command::new("kill");
        kill.arg(format!("-{signal}")).arg(self.child.id().to_string());
        let status = kill.status().map_err(|error| format!("cannot start kill: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("{} is not there", self.name)) }
    }

    /// Ends it as its manual says, by this signal, with time to write what it has.
    pub(crate) fn end(mut self, signal: &str) -> Outcome {
        self.signal(signal)?;
        let asked = Instant::now();
        while asked.elapsed() < END {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return Ok(());
            }
            sleep(Duration::from_millis(20));
        }
        Err(format!("{} does not end by {signal}", self.name))
    }

    /// Ends it at once, as a crash does.
    pub(crate) fn crash(self) {
        drop(self);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

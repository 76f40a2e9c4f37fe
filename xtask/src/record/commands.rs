//! The commands of the page, typed as they stand: `cargo xtask record commands` reads the lines of
//! each file in `tests/recordings/commands`, types them into the program that they are for, against
//! a real server, at the times of the run that they are from, and keeps what was printed. A test
//! writes the lines (`tests/native/recordings/commands`); nothing here knows any of them.

use super::server::{Folder, Server, need};
use super::{etcd, postgres, redis, zookeeper};
use crate::shell::{Outcome, read, say, write};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{scope, sleep, spawn};
use std::time::{Duration, Instant};

const FOLDER: &str = "tests/recordings/commands";

/// How many scripts run at once: they wait most of the time.
const AT_ONCE: usize = 4;

/// How long a line may take.
const LIMIT: Duration = Duration::from_secs(30);

/// After this long a statement that is to wait is seen to wait.
const WAITS: Duration = Duration::from_secs(1);

/// Who waits for the lock asks again until the lease is over, which is late by up to this.
const LATE: Duration = Duration::from_secs(8);

/// What is typed at one time.
struct Event {
    /// As it stands in the file: who, into what, what for, when.
    head: String,
    lines: Vec<String>,
    said: String,
    printed: Vec<String>,
}

/// A file.
struct Script {
    head: String,
    server: String,
    events: Vec<Event>,
}

/// A real server, and what reaches it.
struct Target {
    version: String,
    /// Ended when this is dropped.
    _servers: Vec<Server>,
    _folders: Vec<Folder>,
    port: u16,
    nodes: String,
}

/// Records these files, or all.
pub(super) fn record(names: &[&str]) -> Outcome {
    for (program, packages) in [
        ("redis-server", ["redis-server"].as_slice()),
        ("redis-cli", &["redis-tools"]),
        ("psql", &["postgresql-client"]),
        ("etcd", &["etcd-server"]),
        ("etcdctl", &["etcd-client"]),
        ("java", &["default-jre-headless"]),
        (zookeeper::JAR, &["zookeeper"]),
        ("/usr/lib/python3/dist-packages/kazoo/client.py", &["python3-kazoo"]),
        ("openssl", &["openssl"]),
    ] {
        need(program, packages)?;
    }
    postgres::need_it()?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(FOLDER)
        .map_err(|error| format!("cannot read {FOLDER}: {error}"))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(other) = names.iter().find(|one| !files.iter().any(|path| name(path) == **one)) {
        return Err(format!("there is no `{other}.txt` in {FOLDER}"));
    }
    files.retain(|path| names.is_empty() || names.contains(&name(path).as_str()));
    files.sort();
    let next = std::sync::Mutex::new(files.iter());
    let take = || next.lock().ok().and_then(|mut files| files.next());
    let failed = std::sync::Mutex::new(Vec::new());
    scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(path) = take() {
                    say(&format!("Typing {}", path.display()));
                    if let (Err(error), Ok(mut failed)) = (record_file(path), failed.lock()) {
                        failed.push(format!("{}: {error}", path.display()));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_default();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

fn record_file(path: &Path) -> Outcome {
    let mut script = Script::parse(&read(path)?)?;
    let target = Target::start(&script.server)?;
    let folder = Folder::new()?;
    play(&mut script, &target, &folder)?;
    write(path, &script.told(&target.version))
}

impl Script {
    fn parse(text: &str) -> Outcome<Self> {
        let mut script = Self { head: String::new(), server: String::new(), events: Vec::new() };
        for line in text.lines().filter(|line| !line.is_empty()) {
            let rest = || line.get(2..).unwrap_or_default().to_owned();
            match (line.as_bytes()[0], script.events.last_mut()) {
                (b'[', _) => script.events.push(Event {
                    head: line.to_owned(),
                    lines: Vec::new(),
                    said: String::new(),
                    printed: Vec::new(),
                }),
                (b'$', Some(event)) => event.lines.push(rest()),
                (b'?', Some(event)) => event.said = rest(),
                // What was printed another time.
                (b'>', Some(_)) => {}
                (_, None) if line.starts_with("version: ") => {}
                (_, None) => {
                    if let Some(server) = line.strip_prefix("server: ") {
                        server.clone_into(&mut script.server);
                    }
                    script.head.push_str(&format!("{line}\n"));
                }
                (_, Some(_)) => return Err(format!("`{line}` is no line of a script")),
            }
        }
        Ok(script)
    }

    fn told(&self, version: &str) -> String {
        let mut text = self.head.replacen('\n', &format!("\nversion: {version}\n"), 1);
        for Event { head, lines, said, printed } in &self.events {
            let _ = write!(text, "\n{head}\n");
            lines.iter().for_each(|line| text.push_str(&format!("$ {line}\n")));
            if !said.is_empty() {
                let _ = writeln!(text, "? {said}");
            }
            printed.iter().for_each(|line| text.push_str(&format!("> {line}\n")));
        }
        text
    }
}

impl Event {
    /// Who does it, and what: `A`, `in psql: Acquire, waits`, or `pauses`.
    fn who_and_what(&self) -> (&str, &str) {
        let inside = self.head.trim_start_matches('[').trim_end_matches(']');
        inside.split_once(' ').unwrap_or((inside, ""))
    }

    fn program(&self) -> &str {
        let what = self.who_and_what().1.trim_start_matches("in ");
        what.split([':', ',']).next().unwrap_or_default()
    }

    fn has(&self, word: &str) -> bool {
        self.head.contains(word)
    }

    /// The second of the run at which it is typed; the first lines have none.
    fn at(&self) -> Option<Duration> {
        let (_, time) = self.head.trim_end_matches(']').rsplit_once(", ")?;
        let seconds: f64 = time.strip_suffix(" s")?.parse().ok()?;
        Some(Duration::from_secs_f64(seconds))
    }
}

fn play(script: &mut Script, target: &Target, folder: &Folder) -> Outcome {
    let mut typists: Vec<(String, Typist)> = Vec::new();
    let clients: Vec<(String, String)> = script
        .events
        .iter()
        .filter(|event| !event.lines.is_empty())
        .map(|event| (event.who_and_what().0.to_owned(), event.program().to_owned()))
        .collect();
    for (who, program) in clients {
        let name = format!("{who} in {program}");
        if !typists.iter().any(|(of, _)| *of == name) {
            typists.push((name, Typist::start(&program, target, folder)?));
        }
    }
    let mut started = None;
    for event in &mut script.events {
        if let Some(at) = event.at() {
            let started = *started
                .get_or_insert_with(|| Instant::now().checked_sub(at).unwrap_or_else(Instant::now));
            sleep(at.saturating_sub(started.elapsed()));
        }
        let (who, what) = event.who_and_what();
        if let Some(signal) = ["pauses", "wakes"].iter().position(|word| what.starts_with(word)) {
            let signal = ["-STOP", "-CONT"][signal];
            let start = format!("{who} in zkCli.sh");
            let typist = typists.iter().find(|(name, _)| *name == start);
            typist.map_or(Ok(()), |(_, typist)| typist.signal(signal))?;
            continue;
        }
        let name = format!("{who} in {}", event.program());
        let typist = typists.iter_mut().find(|(of, _)| *of == name);
        let (_, typist) = typist.ok_or(format!("{}: nobody types this", event.head))?;
        let asked = Instant::now();
        event.printed = if event.has(", answers") {
            typist.rest(LIMIT)?
        } else if event.has(", waits") {
            typist.begin(&event.lines)?;
            match typist.rest(WAITS) {
                Err(_) => Vec::new(),
                Ok(_) => return Err(format!("{} has not waited", event.head)),
            }
        } else if event.program() == "zkCli.sh" && event.lines.iter().all(|line| is_comment(line)) {
            // It says by itself what becomes of its session.
            if event.said.is_empty() { Vec::new() } else { typist.says_by_itself(&event.said)? }
        } else {
            loop {
                let printed = typist.run(&event.lines)?;
                let is_so = printed.iter().any(|line| line.contains(&event.said));
                if is_so || !event.has("Acquire") || asked.elapsed() > LATE {
                    break printed;
                }
                sleep(Duration::from_millis(100));
            }
        };
    }
    Ok(())
}

/// Whether a line is none that is typed: zkCli knows no comments.
fn is_comment(line: &str) -> bool {
    line.starts_with('#')
}

/// A program into which lines are typed.
struct Typist {
    program: String,
    child: Child,
    printed: Receiver<String>,
    n_marks: u32,
}

impl Typist {
    fn start(program: &str, target: &Target, folder: &Folder) -> Outcome<Self> {
        let port = target.port;
        let mut command = Command::new("bash");
        command.current_dir(folder.path()).env("nodes", &target.nodes);
        command.env("zookeeper", format!("127.0.0.1:{port}"));
        command.env("ETCDCTL_API", "3").env("ETCDCTL_ENDPOINTS", format!("127.0.0.1:{port}"));
        // All that is printed comes by one way, in its order.
        match program {
            "bash" => command.args(["--norc", "-c", "exec bash --norc 2>&1"]),
            "psql" => command
                .arg("-c")
                .arg(format!("exec psql -X -P pager=off -h 127.0.0.1 -p {port} -U postgres 2>&1")),
            // What zkCli.sh starts.
            "zkCli.sh" => command.arg("-c").arg(format!(
                "exec java -Xmx64m -cp {} org.apache.zookeeper.ZooKeeperMain -timeout 10000 \
                 -server 127.0.0.1:{port} 2>&1",
                zookeeper::JAR
            )),
            other => return Err(format!("there is no program `{other}`")),
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("cannot start: {error}"))?;
        let (sender, printed) = channel();
        let out = child.stdout.take().ok_or("it prints nothing")?;
        spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut typist = Self { program: program.to_owned(), child, printed, n_marks: 0 };
        if program == "bash" {
            // The port of this server, and answers as a person sees them.
            let cli = format!("redis-cli() {{ command redis-cli --no-raw -p {port} \"$@\"; }}");
            let python = "python3() { /usr/bin/python3 \"$@\"; }";
            typist.run(&[cli, python.to_owned()])?;
        } else {
            // Who asks is there already, and has been greeted.
            typist.run(&[])?;
        }
        Ok(typist)
    }

    /// Types lines, and awaits what is printed.
    fn run(&mut self, lines: &[String]) -> Outcome<Vec<String>> {
        self.begin(lines)?;
        self.rest(LIMIT)
    }

    fn begin(&mut self, lines: &[String]) -> Outcome {
        self.n_marks += 1;
        let mut text = String::new();
        lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        let mark = self.mark();
        match self.program.as_str() {
            "bash" => text.push_str(&format!("echo {mark}\n")),
            "psql" => text.push_str(&format!("\\echo {mark}\n")),
            _ => text.push_str(&format!("stat /{mark}\n")),
        }
        let input = self.child.stdin.as_mut().ok_or("it takes no lines")?;
        let sent = input.write_all(text.as_bytes()).and_then(|()| input.flush());
        sent.map_err(|error| format!("{} has ended: {error}", self.program))
    }

    /// Awaits what is printed until the mark.
    fn rest(&mut self, limit: Duration) -> Outcome<Vec<String>> {
        let until = Instant::now() + limit;
        let mark = self.mark();
        let mut all = Vec::new();
        loop {
            match self.printed.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) if line.contains(&mark) => return Ok(all),
                // An expired session of zkCli says so once, and then answers nothing.
                Ok(line) if line == "Not connected" && !all.is_empty() => return Ok(all),
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => all.push(line.trim_end().to_owned()),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("{} does not answer: {all:?}", self.program));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("{} has ended: {all:?}", self.program));
                }
            }
        }
    }

    /// Awaits what it prints without being asked.
    fn says_by_itself(&mut self, said: &str) -> Outcome<Vec<String>> {
        let until = Instant::now() + LATE;
        let mut all: Vec<String> = Vec::new();
        while !all.iter().any(|line| line.contains(said)) {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.printed.recv_timeout(left);
            let line =
                line.map_err(|_| format!("{} does not say `{said}`: {all:?}", self.program))?;
            all.extend(Some(line.trim_end().to_owned()).filter(|line| !line.is_empty()));
        }
        Ok(all)
    }

    fn mark(&self) -> String {
        format!("typed-{}", self.n_marks)
    }

    fn signal(&self, signal: &str) -> Outcome {
        let mut kill = Command::new("kill");
        let status = kill.arg(signal).arg(self.child.id().to_string()).status();
        status.map(|_| ()).map_err(|error| format!("cannot start kill: {error}"))
    }
}

impl Drop for Typist {
    fn drop(&mut self) {
        // It may have ended by itself; a stopped one ends by this as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Target {
    fn start(server: &str) -> Outcome<Self> {
        let mut folders = Vec::new();
        let (version, servers, port, nodes) = match server {
            "Redis" => {
                let (one, version, folder) = redis::for_commands(true)?;
                let mut servers = vec![one];
                folders.push(folder);
                let mut nodes = Vec::new();
                for _ in 0..5 {
                    let (node, _, folder) = redis::for_commands(false)?;
                    nodes.push(format!("127.0.0.1:{}", node.port()));
                    servers.push(node);
                    folders.push(folder);
                }
                let port = servers[0].port();
                (version, servers, port, nodes.join(" "))
            }
            "PostgreSQL" => {
                let folder = Folder::new()?;
                let (server, version) = postgres::for_commands(&folder)?;
                folders.push(folder);
                let port = server.port();
                (version, vec![server], port, String::new())
            }
            "etcd" => {
                let (server, version, folder) = etcd::for_commands()?;
                folders.push(folder);
                let port = server.port();
                (version, vec![server], port, String::new())
            }
            "ZooKeeper" => {
                let (server, version, folder) = zookeeper::for_commands()?;
                folders.push(folder);
                let port = server.port();
                (version, vec![server], port, String::new())
            }
            other => return Err(format!("there is no server `{other}`")),
        };
        Ok(Self { version, _servers: servers, _folders: folders, port, nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::Script;
    use std::time::Duration;

    #[test]
    fn a_file_is_read_and_told_with_what_was_printed() {
        let text = "server: Redis\nabout: a lock\n\n[first in bash]\n$ one\n\n\
                    [A in bash: Acquire, waits, 0.2 s]\n$ SET\n? OK\n> old\n";
        let mut script = Script::parse(text).unwrap();
        assert_eq!(script.server, "Redis");
        let event = &mut script.events[1];
        assert_eq!((event.who_and_what().0, event.program()), ("A", "bash"));
        assert!(event.has(", waits") && event.printed.is_empty());
        assert_eq!(event.at(), Some(Duration::from_millis(200)));
        event.printed.push("OK".to_owned());
        assert_eq!(script.events[0].at(), None);
        assert_eq!(script.events[0].program(), "bash");
        let told = script.told("7.0");
        assert!(told.starts_with("server: Redis\nversion: 7.0\nabout"), "{told}");
        assert!(told.ends_with("? OK\n> OK\n"), "{told}");
    }
}

//! Software that keeps its jobs or its locks in one of the servers: queues, job libraries, clients.
//! What each does at its trap is played by a short script in its own language, as its users write
//! it (`tests/recordings/scripts`). The script prints the lines of the recording; here it is given
//! a server, its packages in the versions that are named, and what it prints is written down.

mod rabbitmq;

use super::server::{Folder, need};
use super::writer::Recorder;
use super::{postgres, redis};
use crate::node::{need_node, npm};
use crate::shell::{Outcome, run, say};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const SCRIPTS: &str = "tests/recordings/scripts";

/// Packages that are fetched for a recording alone are kept here.
const PACKAGES: &str = "target/record";

pub(super) fn bullmq(recorder: &mut Recorder) -> Outcome {
    let node = of_npm("bullmq.cjs", &["bullmq@6.7.0", "ioredis@6.0.0"])?;
    on_redis(recorder, node)
}

pub(super) fn node_redlock(recorder: &mut Recorder) -> Outcome {
    let node = of_npm("node_redlock.cjs", &["redlock@4.2.0", "ioredis@6.0.0"])?;
    on_redis(recorder, node)
}

pub(super) fn celery(recorder: &mut Recorder) -> Outcome {
    let packages = ["celery[redis]==5.7.0", "kombu==5.7.0", "redis==8.1.0", "packaging"];
    let mut python = of_pypi("celery_on_redis.py", &packages)?;
    // Workers that run as root are refused otherwise.
    python.env("C_FORCE_ROOT", "1");
    on_redis(recorder, python)
}

pub(super) fn redis_py(recorder: &mut Recorder) -> Outcome {
    on_redis(recorder, of_pypi("redis_py_lock.py", &["redis==8.1.0"])?)
}

pub(super) fn pg_boss(recorder: &mut Recorder) -> Outcome {
    on_postgres(recorder, of_npm("pg_boss.cjs", &["pg-boss@10.4.2"])?)
}

pub(super) fn rabbitmq(recorder: &mut Recorder) -> Outcome {
    let mut python = of_pypi("rabbitmq.py", &["pika==1.4.4"])?;
    let broker = rabbitmq::Broker::start()?;
    python.env("AMQP_PORT", broker.port().to_string());
    play(recorder, python)?;
    broker.end()
}

pub(super) fn sidekiq(recorder: &mut Recorder) -> Outcome {
    need("sidekiq", &["ruby-sidekiq"])?;
    on_redis(recorder, of_debian("ruby", "sidekiq.rb")?)
}

pub(super) fn delayed_job(recorder: &mut Recorder) -> Outcome {
    need("ruby", &["ruby"])?;
    let gems = "/usr/share/rubygems-integration/all/specifications";
    let adapter = format!("{gems}/delayed_job_active_record-4.1.6.gemspec");
    need(&adapter, &["ruby-delayed-job-active-record", "ruby-pg"])?;
    on_postgres(recorder, of_debian("ruby", "delayed_job.rb")?)
}

pub(super) fn laravel(recorder: &mut Recorder) -> Outcome {
    need("php", &["php-cli"])?;
    let queue = "/usr/share/php/Illuminate/Queue/DatabaseQueue.php";
    let more = ["php-illuminate-database", "php-illuminate-events", "php-pgsql"];
    need(queue, &[&["php-illuminate-queue"][..], &more].concat())?;
    on_postgres(recorder, of_debian("php", "laravel.php")?)
}

pub(super) fn quartz(recorder: &mut Recorder) -> Outcome {
    need("javac", &["default-jdk-headless"])?;
    let (folder, _) = packages("quartz", &[])?;
    let mut path = folder.to_string_lossy().into_owned();
    for (jar, package) in [
        ("quartz2", "libquartz2-java"),
        ("postgresql", "libpostgresql-jdbc-java"),
        ("c3p0", "libc3p0-java"),
        ("slf4j-api", "libslf4j-java"),
        ("slf4j-nop", "libslf4j-java"),
    ] {
        let jar = need(&format!("/usr/share/java/{jar}.jar"), &[package])?;
        path.push_str(&format!(":{}", jar.display()));
    }
    let mut compile = Command::new("javac");
    run(compile.arg("-d").arg(&folder).args(["-cp", &path]).arg(script("Quartz.java")?))?;
    let mut java = Command::new("java");
    // The pool of connections says what it is made of.
    java.args(["-cp", &path, "Quartz"]).stderr(Stdio::null());
    on_postgres(recorder, java)
}

/// Plays a script against a Redis of its own.
fn on_redis(recorder: &mut Recorder, mut command: Command) -> Outcome {
    need("redis-server", &["redis-server"])?;
    let (server, _, _folder) = redis::for_commands(false)?;
    command.env("REDIS_PORT", server.port().to_string());
    play(recorder, command)?;
    server.end("TERM")
}

/// Plays a script against a PostgreSQL of its own.
fn on_postgres(recorder: &mut Recorder, mut command: Command) -> Outcome {
    let folder = Folder::new()?;
    let (server, version) = postgres::for_commands(&folder)?;
    recorder.head("server", &format!("PostgreSQL {version}"));
    command.env("PG_PORT", server.port().to_string());
    play(recorder, command)?;
    server.end("INT")
}

/// Runs a script, whose lines are a head, a part or an observation each, until it ends.
fn play(recorder: &mut Recorder, mut command: Command) -> Outcome {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let shown = format!("{command:?}");
    let mut playing =
        Playing(command.spawn().map_err(|error| format!("cannot start {shown}: {error}"))?);
    let out = playing.0.stdout.take().ok_or("it prints nothing")?;
    for line in BufReader::new(out).lines() {
        let line = line.map_err(|error| format!("{shown}: {error}"))?;
        put(recorder, line.trim())?;
    }
    let status = playing.0.wait().map_err(|error| format!("{shown}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown} failed ({status})")) }
}

/// Writes down a line that a script has printed.
fn put(recorder: &mut Recorder, line: &str) -> Outcome {
    if line.is_empty() {
        return Ok(());
    }
    if let Some((name, value)) = line.strip_prefix("head ").and_then(|rest| rest.split_once(": ")) {
        recorder.head(name, value);
    } else if let Some((name, about)) =
        line.strip_prefix('[').and_then(|rest| rest.split_once("] "))
    {
        recorder.part(name, about);
    } else if is_observation(line) {
        recorder.saw(line);
    } else {
        return Err(format!("`{line}` is no line of a recording"));
    }
    Ok(())
}

/// A word, and fields behind it.
fn is_observation(line: &str) -> bool {
    let mut words = line.split(' ');
    let is_word = words.next().is_some_and(|word| !word.is_empty() && !word.contains('='));
    is_word && words.all(|field| field.split_once('=').is_some_and(|(name, _)| !name.is_empty()))
}

/// A script that runs. It ends when this is dropped.
struct Playing(Child);

impl Drop for Playing {
    fn drop(&mut self) {
        // It has ended by itself, unless something failed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn script(name: &str) -> Outcome<PathBuf> {
    let path = Path::new(SCRIPTS).join(name);
    path.canonicalize().map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The folder for what a script needs, and whether just that is there.
fn packages(of: &str, wanted: &[&str]) -> Outcome<(PathBuf, bool)> {
    let folder = Path::new(PACKAGES).join(of);
    std::fs::create_dir_all(&folder)
        .and_then(|()| folder.canonicalize())
        .map(|folder| {
            let there = std::fs::read_to_string(folder.join("wanted")).ok();
            let is_there = there.as_deref() == Some(&*wanted.join("\n"));
            (folder, is_there)
        })
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

/// Notes that these are there now.
fn is_there(folder: &Path, wanted: &[&str]) -> Outcome {
    let stamp = folder.join("wanted");
    std::fs::write(&stamp, wanted.join("\n"))
        .map_err(|error| format!("cannot write {}: {error}", stamp.display()))
}

/// A command that runs a script by a program of Debian's, with what Debian has for it.
fn of_debian(program: &str, name: &str) -> Outcome<Command> {
    let mut command = Command::new(program);
    command.arg(script(name)?);
    Ok(command)
}

/// A command that runs a script by Node, with these packages of npm.
fn of_npm(name: &str, wanted: &[&str]) -> Outcome<Command> {
    need_node()?;
    let (folder, there) = packages(name, wanted)?;
    if !there {
        say(&format!("Installing {} into {PACKAGES} (once; seconds)", wanted.join(", ")));
        let mut install = Command::new(npm()?);
        install.arg("install").arg("--prefix").arg(&folder);
        install.args(["--no-audit", "--no-fund", "--ignore-scripts"]).args(wanted);
        run(&mut install)?;
        is_there(&folder, wanted)?;
    }
    let mut command = Command::new("node");
    command.arg(script(name)?).env("NODE_PATH", folder.join("node_modules"));
    Ok(command)
}

/// A command that runs a script by Python, with these packages of PyPI.
fn of_pypi(name: &str, wanted: &[&str]) -> Outcome<Command> {
    let python = need("python3", &["python3", "python3-venv"])?;
    let (folder, there) = packages(name, wanted)?;
    if !there {
        say(&format!("Installing {} into {PACKAGES} (once; seconds)", wanted.join(", ")));
        run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
        let mut install = Command::new(folder.join("bin/pip"));
        run(install.args(["install", "--quiet", "--disable-pip-version-check"]).args(wanted))?;
        is_there(&folder, wanted)?;
    }
    let mut command = Command::new(folder.join("bin/python"));
    command.arg("-B").arg(script(name)?);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::super::writer::Recorder;
    use super::put;

    #[test]
    fn what_a_script_prints_is_a_head_a_part_or_an_observation() {
        let mut recorder = Recorder::new("bullmq");
        for line in ["head version: 6.7", "[looks] A takes the job.", "take who=A job=1", ""] {
            assert_eq!(put(&mut recorder, line), Ok(()), "{line}");
        }
        for line in ["Error: no such file", "who=A", "take who", "take =A"] {
            assert!(put(&mut recorder, line).is_err_and(|error| error.contains(line)), "{line}");
        }
        let text = recorder.to_string();
        assert!(text.starts_with("system: bullmq\nversion: 6.7\n\n[looks]\n# A takes"), "{text}");
        assert!(text.ends_with("ms take who=A job=1\n"), "{text}");
    }
}

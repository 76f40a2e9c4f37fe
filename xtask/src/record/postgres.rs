//! PostgreSQL: a row as the protected resource (the conditional update, alone and from two
//! transactions at once), a row as a lock with a lease, a row lock, and a lock of the session.

mod lock;
mod update;

use super::pg::Session;
use super::server::{Folder, Server, free_port, need};
use super::writer::{Recorder, until};
use crate::shell::{Outcome, find, output, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Drives PostgreSQL and writes down what it does.
pub(crate) fn drive(recorder: &mut Recorder) -> Outcome {
    let folder = Folder::new()?;
    let (server, version) = for_commands(&folder)?;
    let port = server.port();
    let mut session = Session::new(port)?;
    recorder.head("version", &version);
    let isolation = session.must("SHOW default_transaction_isolation")?.row();
    recorder
        .head("settings", &format!("default isolation {isolation}; others where a part says so"));
    session.must("CREATE TABLE jobs (id int PRIMARY KEY, value text, fence bigint)")?;
    session.must(
        "CREATE TABLE locks (name text PRIMARY KEY, holder text, token bigint, ends timestamptz)",
    )?;
    drop(session);
    update::drive(recorder, port)?;
    lock::drive(recorder, port)?;
    server.end("INT")
}

/// A server that lets sessions in, and its version.
pub(super) fn for_commands(folder: &Folder) -> Outcome<(Server, String)> {
    let server = start(folder)?;
    let port = server.port();
    // It listens before it lets anybody in.
    let limit = Duration::from_secs(30);
    let (_, mut session) = until("it lets a session in", limit, || Ok(Session::new(port).ok()))?;
    let version = session.must("SHOW server_version")?.row();
    Ok((server, version.split(' ').next().unwrap_or("unknown").to_owned()))
}

/// Makes sure that it is there.
pub(super) fn need_it() -> Outcome {
    programs().map(|_| ())
}

/// A cluster of its own. PostgreSQL refuses to run as root: the package's user runs it then.
fn start(folder: &Folder) -> Outcome<Server> {
    let programs = programs()?;
    let data = folder.file("data");
    let mut init = as_user(&programs.join("initdb"))?;
    init.args(["--pgdata", &data, "--username", "postgres", "--auth", "trust"]);
    init.args(["--encoding", "UTF8", "--locale", "C", "--no-sync"]);
    if is_root()? {
        run(Command::new("chown").arg("postgres:").arg(folder.path()))?;
    }
    output(&mut init)?;
    let port = free_port()?;
    let mut command = as_user(&programs.join("postgres"))?;
    command.args(["-D", &data, "-h", "127.0.0.1", "-p", &port.to_string()]);
    // No socket in a folder that others share.
    command.args(["-c", "unix_socket_directories="]);
    Server::start("postgres", port, &mut command)
}

/// The folder of the server's programs, which Debian keeps off PATH, one for each version.
fn programs() -> Outcome<PathBuf> {
    let newest = || {
        let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let folders = versions.map(|version| version.path().join("bin"));
        let version = |folder: &PathBuf| -> Option<u32> {
            folder.parent()?.file_name()?.to_str()?.parse().ok()
        };
        folders.filter(|folder| folder.join("initdb").is_file()).max_by_key(version)
    };
    if let Some(folder) = newest() {
        return Ok(folder);
    }
    if find(&["initdb"]).is_none() {
        // The package brings a program of this name, and the versioned folder with it.
        need("pg_lsclusters", &["postgresql"])?;
    }
    let on_path = || find(&["initdb"]).and_then(|path| path.parent().map(Path::to_owned));
    newest().or_else(on_path).ok_or_else(|| "PostgreSQL's initdb is not to be found".to_owned())
}

fn is_root() -> Outcome<bool> {
    Ok(output(Command::new("id").arg("-u"))?.trim() == "0")
}

/// A command that runs `program` as a user who may.
fn as_user(program: &Path) -> Outcome<Command> {
    if !is_root()? {
        return Ok(Command::new(program));
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"])
        .arg(program);
    // Root's own folder is closed to it.
    command.current_dir("/");
    Ok(command)
}

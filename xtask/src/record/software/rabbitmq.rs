//! RabbitMQ, as Debian's package has it, with a port mapper of its own: nothing of the machine's
//! own broker is touched, and both end with the recording.

use super::super::server::{Folder, Server, free_port, need};
use crate::shell::Outcome;
use std::process::Command;

/// The package's own program would become the package's user, and use that one's folders.
const PROGRAM: &str = "/usr/lib/rabbitmq/bin/rabbitmq-server";

/// A delivery that is not acknowledged for 2 s is over; channels look every 3 s.
const ADVANCED: &str = "[{rabbit, [{consumer_timeout, 2000}, {channel_tick_interval, 3000}]}].\n";

pub(super) struct Broker {
    broker: Server,
    /// Without it the broker would leave one behind.
    mapper: Server,
    _folder: Folder,
}

impl Broker {
    pub(super) fn start() -> Outcome<Self> {
        need(PROGRAM, &["rabbitmq-server"])?;
        let folder = Folder::new()?;
        let (mapper_port, port, between) = (free_port()?, free_port()?, free_port()?);
        let mapper_port_text = mapper_port.to_string();
        let mut mapper = Command::new(need("epmd", &["erlang-base"])?);
        mapper.args(["-port", &mapper_port_text, "-address", "127.0.0.1"]);
        let mapper = Server::start("epmd", mapper_port, &mut mapper)?;
        for (name, text) in [
            ("advanced.config", ADVANCED.to_owned()),
            ("rabbitmq.conf", format!("listeners.tcp.1 = 127.0.0.1:{port}\n")),
        ] {
            let path = folder.file(name);
            std::fs::write(&path, text).map_err(|error| format!("cannot write {path}: {error}"))?;
        }
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.path()).env("HOME", folder.path());
        // It is then the process that was started, and no child of it.
        command.env("RUNNING_UNDER_SYSTEMD", "1");
        command.env("ERL_EPMD_PORT", mapper_port_text).env("ERL_EPMD_ADDRESS", "127.0.0.1");
        command.env("RABBITMQ_NODENAME", "fenceline@localhost");
        command.env("RABBITMQ_DIST_PORT", between.to_string());
        for (name, file) in [
            ("RABBITMQ_CONFIG_FILE", "rabbitmq.conf"),
            ("RABBITMQ_ADVANCED_CONFIG_FILE", "advanced.config"),
            ("RABBITMQ_ENABLED_PLUGINS_FILE", "plugins"),
            ("RABBITMQ_MNESIA_BASE", "mnesia"),
            ("RABBITMQ_LOG_BASE", "log"),
        ] {
            command.env(name, folder.file(file));
        }
        let broker = Server::start("rabbitmq-server", port, &mut command)?;
        Ok(Self { broker, mapper, _folder: folder })
    }

    pub(super) fn port(&self) -> u16 {
        self.broker.port()
    }

    pub(super) fn end(self) -> Outcome {
        self.broker.end("TERM")?;
        self.mapper.end("TERM")
    }
}

//! `cargo xtask serve`: the app from the development profile, rebuilt whenever a source changes.

use crate::shell::{Outcome, say};
use crate::tools;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Child;
use std::thread::sleep;
use std::time::Duration;

const PORT: u16 = 8080;

/// Builds, serves and watches until it is interrupted.
pub(crate) fn serve(options: &[&str]) -> Outcome {
    let (port, open) = parse(options)?;
    if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err() {
        return Err(format!(
            "port {port} is in use: end what listens there, or take another, as in \
             `cargo xtask serve --port {}`",
            port.saturating_add(1)
        ));
    }
    tools::need_trunk()?;
    say("Building the app (the first time about 1 minute, later seconds)");
    // A folder of its own, so that dist/ holds an optimised build or nothing.
    let number = port.to_string();
    let mut arguments = vec!["serve", "--dist", "target/serve"];
    arguments.extend(["--address", "127.0.0.1", "--port", &number]);
    if open {
        arguments.push("--open");
    }
    let mut command = tools::trunk(&arguments)?;
    let mut trunk = command.spawn().map_err(|error| format!("cannot start trunk: {error}"))?;
    announce(&mut trunk, port);
    let status = trunk.wait().map_err(|error| format!("trunk is lost: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("trunk ended ({status})")) }
}

/// Prints the address once it answers: before, it would only invite a failure.
fn announce(trunk: &mut Child, port: u16) {
    while matches!(trunk.try_wait(), Ok(None)) {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            say(&format!("Fenceline is at http://127.0.0.1:{port}/ (Ctrl-C ends it)"));
            return;
        }
        sleep(Duration::from_millis(100));
    }
}

fn parse(options: &[&str]) -> Outcome<(u16, bool)> {
    let (mut port, mut open, mut rest) = (PORT, false, options);
    loop {
        rest = match rest {
            [] => return Ok((port, open)),
            ["--open", more @ ..] => {
                open = true;
                more
            }
            ["--port", number, more @ ..] => {
                port = number
                    .parse()
                    .map_err(|_| format!("`--port {number}`: a port is a number up to 65535"))?;
                more
            }
            [unknown, ..] => {
                return Err(format!("`{unknown}`: serve takes --open and --port NUMBER"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PORT, parse};

    #[test]
    fn options_in_any_order() {
        assert_eq!(parse(&[]), Ok((PORT, false)));
        assert_eq!(parse(&["--port", "9000", "--open"]), Ok((9000, true)));
        assert!(parse(&["--port", "99999"]).is_err_and(|error| error.contains("99999")));
        assert!(parse(&["--fast"]).is_err_and(|error| error.contains("--fast")));
    }
}

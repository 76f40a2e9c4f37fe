//! Nobody reads, or there is no room: judging goes on, and the exit code says what happened.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::process::Stdio;

use super::{Files, files, program, ran};

/// A device on which every write fails.
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("Linux has it").into()
}

/// A pipe that nobody reads any more.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    writer.into()
}

fn with_output(arguments: &[&str], output: Stdio) -> (Option<i32>, String) {
    let arguments: Vec<_> = arguments.iter().map(OsStr::new).collect();
    let ran = ran(program(&arguments).stdout(output));
    (ran.code, ran.err)
}

#[test]
fn a_red_check_stays_red_when_nobody_reads() {
    let Files { good, unmet, bad } = files("red");
    let piped = |arguments: &[&str]| with_output(arguments, closed());
    assert_eq!(piped(&["check", &good]), (Some(0), String::new()));
    assert_eq!(piped(&["check", &unmet]), (Some(1), String::new()));
    assert_eq!(piped(&["check", &good, &good, &unmet]), (Some(1), String::new()));
    assert_eq!(piped(&["check", &unmet, &bad]).0, Some(2));
}

#[test]
fn an_output_that_cannot_be_written_is_told() {
    let Files { good, unmet, bad } = files("full");
    for arguments in [&["check", &good][..], &["check", &unmet], &["check", &good, &bad]] {
        let (code, err) = with_output(arguments, full());
        assert_eq!(code, Some(3), "{arguments:?}: 3 wins");
        assert!(err.contains("fenceline: the output could not be written: No space"), "{err}");
    }
}

#[test]
fn commands_that_judge_nothing_end_well_behind_a_closed_pipe() {
    let Files { good, .. } = files("others-closed");
    for arguments in [
        &["run", &good][..],
        &["run", "--json", &good],
        &["run", "--history", &good],
        &["run", "--history", "--json", &good],
        &["run", "--at", "1 s", &good],
        &["remedies", &good],
        &["remedies", "--json", &good],
        &["systems", &good],
        &["picture", &good],
        &["write-up", "--budget", "1", &good],
        &["picture", "--html", &good],
        &["schema"],
        &["--help"],
        &["check", "--help"],
        &["--version"],
    ] {
        assert_eq!(with_output(arguments, closed()), (Some(0), String::new()), "{arguments:?}");
        let (code, err) = with_output(arguments, full());
        assert_eq!(code, Some(3), "{arguments:?}");
        assert!(err.starts_with("fenceline: the output could not be written"), "{err}");
    }
}

#[test]
fn a_message_that_nobody_can_read_aborts_nothing() {
    let Files { good, bad, .. } = files("silent");
    for error in [closed, full] {
        let code = |arguments: &[&str], output: Stdio| {
            let arguments: Vec<_> = arguments.iter().map(OsStr::new).collect();
            ran(program(&arguments).stdout(output).stderr(error())).code
        };
        assert_eq!(code(&["check", &bad], Stdio::null()), Some(2));
        assert_eq!(code(&["nope"], Stdio::null()), Some(2));
        assert_eq!(code(&[], Stdio::null()), Some(2));
        assert_eq!(code(&["check", &good], full()), Some(3));
    }
}

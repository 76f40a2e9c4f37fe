//! What the program says of itself: all of it, and each command.

/// What a command is called, and its own help.
#[derive(Clone, Copy)]
pub(crate) struct Command {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its options, for a message about one that it has not.
    pub(crate) options: &'static str,
    /// What `--help` prints after it.
    pub(crate) help: &'static str,
}

/// `run`.
pub(crate) const RUN: Command = Command {
    name: "run",
    options: "--run, --json, --history, --causes or --at",
    help: "\
fenceline run FILE [--run 1|2] [--json] [--history | --causes | --at TIME]

Prints the event log of a run.

OPTIONS
  --run 2      with the changes under `compare`; --run 1, the scenario as it stands, is the default
  --json       one JSON object a line
  --history    its units of work instead, each with what it read, wrote and was told; then the
               order that explains them, or the circle that forbids one
  --causes     what the bad event does not happen without instead: each fault taken out and each
               setting that has a neutral value put back, singly and together, and run
  --at TIME    the state at that time of the run instead, such as 17.1 s

EXIT CODES
  0  done
  2  the file or the command line is wrong; the message says what would be right
  3  the output could not be written",
};

/// `check`.
pub(crate) const CHECK: Command = Command {
    name: "check",
    options: "--thorough",
    help: "\
fenceline check FILE... [--thorough]

Prints the verdict of each run, what the bad event does not happen without or what a safe verdict
does not judge, the properties, in which ranges of the main quantity the run breaks, what it cost,
and in what verdict and properties are not as the file expects. A file that is wrong does not keep
the others from being checked.

OPTIONS
  --thorough   search the ranges for up to 12 million steps of simulation, instead of 30,000:
               what was a sample is mostly complete then, after some seconds

EXIT CODES
  0  every run is as expected
  1  a run is not as expected, or a file expects nothing of it
  2  a file or the command line is wrong; the message says what would be right
  3  the output could not be written
3 wins over 2, and 2 over 1. A reader that has seen enough, such as head, changes none of them.",
};

/// `remedies`.
pub(crate) const REMEDIES: Command = Command {
    name: "remedies",
    options: "--why-not, --json or --budget",
    help: "\
fenceline remedies FILE [--why-not] [--json] [--budget N]

Tries on this schedule first what would put the set-up's own mistakes right, then the usual answers:
what each comes to, what its run cost, in which ranges of the main quantity it breaks, and what it
costs whatever the schedule.

OPTIONS
  --why-not    also those that have nothing to do with this set-up, each with the reason
  --json       one JSON object a line: each row, and each remedy that was not tried
  --budget N   at most about N million steps of simulation, instead of 100; what was not tried
               is said

EXIT CODES
  0  done
  2  the file or the command line is wrong; the message says what would be right
  3  the output could not be written",
};

/// `systems`.
pub(crate) const SYSTEMS: Command = Command {
    name: "systems",
    options: "--budget",
    help: "\
fenceline systems FILE [--budget N]

Tries every lock system on this schedule, without a fence and with one.

OPTIONS
  --budget N   at most about N million steps of simulation, instead of 100; what was not tried
               is said

EXIT CODES
  0  done
  2  the file or the command line is wrong; the message says what would be right
  3  the output could not be written",
};

/// `products`.
pub(crate) const PRODUCTS: Command = Command {
    name: "products",
    options: "none but --help",
    help: "\
fenceline products [WORDS]

Lists the products that answer these words, such as redisson, sqs or lockDuration, with their
numbers; one that is named as files name it, with its trap, what people do about it, where that
stands, and the scenario that its name is short for. In a scenario file \"lock\": \"redisson\" sets
the simulation up like Redisson; what the file says itself holds.

EXIT CODES
  0  done
  2  no product answers; the command line is wrong
  3  the output could not be written",
};

/// `picture`.
pub(crate) const PICTURE: Command = Command {
    name: "picture",
    options: "--dark, --to-scale, --html or --page",
    help: "\
fenceline picture FILE [--dark] [--to-scale] [--html] [--page ADDRESS]

Prints the timeline as SVG, with both runs and the legend.

OPTIONS
  --dark           dark colours
  --to-scale       time to scale; without it in slow motion where it matters
  --html           a page that plays by itself instead
  --page ADDRESS   with a link to a page that runs Fenceline

EXIT CODES
  0  done
  2  the file or the command line is wrong; the message says what would be right
  3  the output could not be written",
};

/// `write-up`.
pub(crate) const WRITE_UP: Command = Command {
    name: "write-up",
    options: "--budget",
    help: "\
fenceline write-up FILE [--budget N]

Prints a write-up in Markdown, for a post-mortem: what happened and when (times of day, if the file
has an incident's start), causes, the ranges of the main quantity, the remedies that were run, and
the timeline as a picture, inside as a data URI.

OPTIONS
  --budget N   at most about N million steps of simulation for the remedies, instead of 100; what
               was not tried is said

EXIT CODES
  0  done
  2  the file or the command line is wrong; the message says what would be right
  3  the output could not be written",
};

/// `schema`.
#[cfg(not(target_family = "wasm"))]
pub(crate) const SCHEMA: Command = Command {
    name: "schema",
    options: "none but --help",
    help: "\
fenceline schema

Prints the JSON Schema of scenario files, with which an editor completes and checks them.

EXIT CODES
  0  done
  2  the command line is wrong; the message says what would be right
  3  the output could not be written",
};

/// The whole program.
pub(crate) const HELP: &str = "\
fenceline: run lease and fencing-token scenarios

USAGE
  fenceline run FILE [--run 1|2] [--json] [--history | --causes | --at TIME]
                                                        print the event log, the units of work, the
                                                        causes, or the state at a time
  fenceline check FILE...                               print verdict, causes, properties, ranges
                                                        and costs; compare with what it expects
  fenceline remedies FILE [--why-not] [--json] [--budget N]
                                                        what would have saved this schedule
  fenceline systems FILE [--budget N]                   every lock system on this schedule
  fenceline products [WORDS]                            products by name: numbers, trap, source
  fenceline picture FILE [--dark] [--to-scale] [--html] [--page ADDRESS]
                                                        print the timeline as SVG, or as a page that
                                                        plays by itself; with a link to that page
  fenceline write-up FILE [--budget N]                  print a write-up for a post-mortem, in
                                                        Markdown, with the picture inside
  fenceline schema                                      print the JSON Schema of scenario files
  fenceline COMMAND --help                              a command's options
  fenceline --help | --version

FILE is a scenario file (docs/scenario.md); `-` reads standard input. After `--` everything is a
file's name. TIME is a time of the run such as 17.1 s. `--run 2` takes the changes under `compare`
into account.

EXIT CODES
  0  done; for `check`: every expectation is met
  1  `check`: an expectation is not met, or a file has none
  2  a file or the command line is wrong; the message says what would be right
  3  the output could not be written
3 wins over 2, and 2 over 1. A reader that has seen enough, such as head, changes none of them.";

//! Fenceline's commands. `cargo xtask` without arguments lists them.

fn main() {}

//! Tests that run on the developer's machine, one module per subject, linked as one binary.
#![cfg(not(target_family = "wasm"))]
#![allow(unreachable_pub, reason = "a test binary has no outside to reach")]

mod cases;
mod causes;
mod command_line;
mod contrast;
mod controls;
mod exhaustive;
mod export;
mod fuzz;
mod gallery;
mod lanes;
mod links;
mod logs;
mod names;
mod outcomes;
mod products;
mod raft;
mod recordings;
mod refusals;
mod remedies;

mod schema;
mod sim;
mod sql;
mod tidy;
mod timestamps;
mod tours;
mod words;

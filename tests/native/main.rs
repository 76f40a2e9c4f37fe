//! Tests that run on the developer's machine, one module per subject, linked as one binary.
#![cfg(not(target_family = "wasm"))]

mod cases;
mod contrast;
mod exhaustive;
mod gallery;
mod sim;
mod tidy;

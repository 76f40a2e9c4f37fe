//! Holds that long runs, one after the other, use the memory of those before them. It is a program
//! of its own, because an allocator is one for a whole program and counts what all of it takes.
#![allow(unsafe_code, reason = "an allocator is unsafe by its traits; nothing else here is")]

#[cfg(not(target_family = "wasm"))]
mod grows;
#[cfg(not(target_family = "wasm"))]
mod rounds;

fn main() {
    #[cfg(not(target_family = "wasm"))]
    rounds::main();
}

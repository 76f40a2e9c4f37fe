//! The groups of controls, as the page lists them: clients, lease and service, storage, faults.

pub mod client;
pub mod fault;
pub mod new_fault;
pub mod service;

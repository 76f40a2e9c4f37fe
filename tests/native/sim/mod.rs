//! The simulation, from outside: exact logs, edges, properties, determinism.

mod first_scenario;

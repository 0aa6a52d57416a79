//! The checker of traces against oracles that try every order, on random traces.
//!
//! `MEMPLAN_CASES=N` makes the properties run N traces instead of their own number,
//! `MEMPLAN_SEED=N` makes them start elsewhere.

#![expect(dead_code, reason = "each test file uses its own part of the oracles")]

#[path = "replay_oracle/classes.rs"]
mod classes;
#[path = "replay_oracle/core_oracle.rs"]
mod core_oracle;
#[path = "replay_oracle/core_program.rs"]
mod core_program;
#[path = "replay_oracle/core_random.rs"]
mod core_random;
#[path = "replay_oracle/cores.rs"]
mod cores;
#[path = "replay_oracle/dice.rs"]
mod dice;
#[path = "replay_oracle/launches.rs"]
mod launches;
#[path = "replay_oracle/pool_reuse.rs"]
mod pool_reuse;
#[path = "replay_oracle/pool_rules.rs"]
mod pool_rules;
#[path = "replay_oracle/stream_oracle.rs"]
mod stream_oracle;
#[path = "replay_oracle/stream_program.rs"]
mod stream_program;
#[path = "replay_oracle/stream_random.rs"]
mod stream_random;
#[path = "replay_oracle/streams.rs"]
mod streams;

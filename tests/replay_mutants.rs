//! Correct kernels and stream programs with one mistake each: every mistake that can do harm is found.
//!
//! What the checker does not object to must be harmless by the oracle, which tries every order; how
//! many mutants of each kind are harmless is pinned.

#![expect(dead_code, reason = "each test file uses its own part of the oracles")]

#[path = "replay_oracle/classes.rs"]
mod classes;
#[path = "replay_oracle/core_mutants.rs"]
mod core_mutants;
#[path = "replay_oracle/core_oracle.rs"]
mod core_oracle;
#[path = "replay_oracle/core_program.rs"]
mod core_program;
#[path = "replay_oracle/kernels.rs"]
mod kernels;
#[path = "replay_oracle/pool_rules.rs"]
mod pool_rules;
#[path = "replay_oracle/stream_mutants.rs"]
mod stream_mutants;
#[path = "replay_oracle/stream_oracle.rs"]
mod stream_oracle;
#[path = "replay_oracle/stream_program.rs"]
mod stream_program;
#[path = "replay_oracle/survivors.rs"]
mod survivors;

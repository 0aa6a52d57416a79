//! Orders other than the one written: what they find, that they can be repeated, and what must not
//! change a verdict.

#![expect(dead_code, reason = "each test file uses its own part of the oracles")]

#[path = "replay_oracle/classes.rs"]
mod classes;
#[path = "replay_oracle/core_oracle.rs"]
mod core_oracle;
#[path = "replay_oracle/core_program.rs"]
mod core_program;
#[path = "replay_oracle/core_random.rs"]
mod core_random;
#[path = "replay_oracle/dice.rs"]
mod dice;
#[path = "replay_oracle/metamorphic.rs"]
mod metamorphic;
#[path = "replay_oracle/pool_rules.rs"]
mod pool_rules;
#[path = "replay_oracle/redundant.rs"]
mod redundant;
#[path = "replay_oracle/schedules.rs"]
mod schedules;
#[path = "replay_oracle/stream_oracle.rs"]
mod stream_oracle;
#[path = "replay_oracle/stream_program.rs"]
mod stream_program;
#[path = "replay_oracle/stream_random.rs"]
mod stream_random;

pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// A machine that lets every pipe reach every byte: the tests are about order.
pub(crate) fn machine() -> memplan::model::machine::Machine {
    let mut machine = memplan::model::machine::Machine::named("910B3").expect("a known chip");
    machine.scopes.clear();
    machine
}

//! Offsets for HLO modules: XLA's heaps (spec/xla-memory.md 8) and the proven smallest one.

pub mod heap;
pub mod pack;

#[cfg(test)]
mod sample;

//! What holds for any HIVM program: random ones, planned by the compatible planner and by ours, and
//! executed.
//!
//! `MEMPLAN_CASES=N` makes each property run N cases instead of its own number, `MEMPLAN_SEED=N` makes
//! it run others.

#[path = "hivm_properties/auto.rs"]
mod auto;
#[path = "hivm_properties/brute.rs"]
mod brute;
#[path = "hivm_properties/choose.rs"]
mod choose;
#[path = "hivm_properties/compat.rs"]
mod compat;
#[path = "hivm_properties/emitted.rs"]
mod emitted;
#[path = "hivm_properties/experiment.rs"]
mod experiment;
#[path = "hivm_properties/generate.rs"]
mod generate;
#[path = "hivm_properties/generic.rs"]
mod generic;
#[path = "hivm_properties/hazards.rs"]
mod hazards;
#[path = "hivm_properties/interpret.rs"]
mod interpret;
#[path = "hivm_properties/memory.rs"]
mod memory;
#[path = "hivm_properties/oracle.rs"]
mod oracle;
#[path = "hivm_properties/print.rs"]
mod print;
#[path = "hivm_properties/property.rs"]
mod property;
#[path = "hivm_properties/shrink.rs"]
mod shrink;
#[path = "hivm_properties/solve.rs"]
mod solve;
#[path = "hivm_properties/statements.rs"]
mod statements;
#[path = "hivm_properties/survival.rs"]
mod survival;
#[path = "hivm_properties/tree.rs"]
mod tree;

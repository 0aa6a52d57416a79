//! The machine: does things, forbids nothing. Sees `model` and `diag` only.
//!
//! Two executors. `program` runs a function of a problem, one op after the other, in all its states.
//! `run` runs a trace: host threads, streams and the pipes of cores as actors with clocks, on the
//! parts of the machine: `svm` (allocations, mappings, sharing), `uvm` (managed pages), `soma` (pools),
//! `pipes` (cores), `sections` and `hostpool` (what the host keeps for compiled programs). The parts know no clocks and no shadow, unless a rule of theirs asks what happened
//! before what. Section numbers are those of runtime-model.

pub mod clock;
pub mod context;
pub mod counters;
pub mod hostpool;
pub mod injected;
pub mod lines;
pub mod memory;
pub mod objects;
pub mod pipes;
pub mod pointer;
pub mod program;
pub mod quirks;
pub mod run;
pub mod schedule;
pub mod sections;
pub mod share;
pub mod soma;
pub mod status;
pub mod svm;
pub mod uvm;
pub mod vmm;
pub mod watch;

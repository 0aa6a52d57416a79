//! The `memplan` command: the only stair that touches every floor, and the only place that reads
//! files, writes files, looks at terminals and decides exit codes.

mod args;
mod bench;
mod cache;
mod capacity;
mod choices;
mod codes;
mod completions;
mod config;
mod defect;
mod diff;
mod exit;
mod explain;
mod findings;
mod gate;
mod input;
mod inspect;
mod jobs;
mod judge;
mod kernels;
mod log;
mod machine;
mod modules;
mod output;
mod owing;
mod pictures;
mod placing;
mod planning;
mod plans;
mod progress;
mod replay;
mod run;
mod schedule;
mod schema;
mod seconds;
mod shard;
mod solve;
mod streams;
mod subject;
mod verify;
mod what_if;

pub use exit::Exit;
pub use run::main;

//! Every serde type of the house: what files and reports look like.

pub mod chrome;
pub mod json;
pub mod json_bench;
pub mod json_diagnosis;
pub mod json_explain;
pub mod json_hlo;
pub mod json_inspect;
pub mod json_replay;
pub mod json_solve;
pub mod json_verify;
pub mod machine;
pub mod memory_info;
pub mod plan;
pub mod read;
pub mod spec;
pub mod spec_sync;
pub mod target;
pub mod trace;
pub mod tree;
pub mod tree_json;
pub mod values;

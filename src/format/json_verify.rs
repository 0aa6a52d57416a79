//! The JSON body of `memplan verify`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::json_replay::{OwedEdge, Timeline};

/// The judgement of all inputs.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Verify {
    /// Everything found, in the order of the inputs.
    pub findings: Vec<Finding>,
    /// Orderings that placements make necessary and programs do not have.
    pub owed: Vec<OwedEdge>,
    /// One for each function whose ops run on pipes.
    pub timelines: Vec<Timeline>,
    /// The sum of their makespans.
    pub makespan: u64,
    /// What was counted on the way; what is 0 is left out.
    pub counters: BTreeMap<&'static str, u64>,
}

/// One thing found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// The stable code, such as `memplan::verify::overlap`.
    pub code: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// One sentence with the numbers.
    pub message: String,
    /// The input, as given on the command line.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope, where there is one.
    pub scope: Option<String>,
    /// The buffers at fault, by name.
    pub buffers: Vec<String>,
    /// The op at which it shows.
    pub op: Option<String>,
    /// `file:line:column` of the first buffer or op.
    pub loc: Option<String>,
    /// The bytes of the scope at fault, `[start, end)`.
    pub bytes: Option<[u64; 2]>,
    /// How to see it.
    pub witness: Option<String>,
}

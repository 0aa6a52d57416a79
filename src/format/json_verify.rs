//! The JSON body of `memplan verify`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::json_diagnosis::Fragmentation;
use super::json_gate::Change;
use super::json_kernel::Kernel;
use super::json_replay::{OwedEdge, Placed, Timeline};

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
    /// What device runtimes make of the plans, where `--runtime` asks for it.
    pub runtimes: Vec<Placed>,
    /// Holes of plans from outside that keep a buffer out or that a move would make use of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fragmentation: Vec<Fragmented>,
    /// What kernels take; under `--budget` and `--baseline`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<Kernel>,
    /// What changed since the baseline; under `--baseline`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// Free bytes of one scope that are no room.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Fragmented {
    /// The input, as given on the command line.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// The holes, who is in the way, and the smallest move that cures it.
    #[serde(flatten)]
    pub found: Fragmentation,
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
    /// What a replay saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// What a finding of a replay rests on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Evidence {
    /// What happened first, or is written first.
    pub earlier: Option<Witness>,
    /// At what it shows.
    pub later: Option<Witness>,
    /// The bytes by their logical name.
    pub logical: Option<String>,
    /// The bytes where they lie.
    pub physical: Option<String>,
    /// The edge that is missing, or the bound that is violated.
    pub missing: Option<String>,
    /// An order that shows it, for `--schedule`.
    pub schedule: Option<String>,
}

/// One operation that a finding points at.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Witness {
    /// Its label, or the name of an op.
    pub op: String,
    /// Its position in the trace or program, from 0.
    pub index: u64,
    /// Who does it.
    pub actor: String,
    /// What it does.
    pub what: String,
    /// `file:line:column`.
    pub loc: Option<String>,
}

//! What a placement owes and where the time goes, in the JSON of `solve`, `verify` and `replay`; the
//! JSON body of `memplan replay`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::json_verify::Verify;

/// An ordering that a placement makes necessary and the program does not have.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OwedEdge {
    /// The input, as given on the command line.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope in which the bytes lie.
    pub scope: String,
    /// The op that has to be complete.
    pub first: String,
    /// Before this one starts.
    pub second: String,
    /// The buffer that `first` touches.
    pub first_buffer: String,
    /// The buffer that `second` touches.
    pub second_buffer: String,
    /// The bytes that both touch, `[start, end)`; sorted, disjoint.
    pub bytes: Vec<[u64; 2]>,
    /// The pipes of the two.
    pub pipes: [String; 2],
    /// True when the pipes differ: one waits for the other.
    pub stall: bool,
    /// Trips of the innermost common loop from the first to the second; 0 in one trip or no loop.
    pub distance: u64,
    /// What would do: `set_flag(MTE3, V) after st, wait_flag(MTE3, V) before v1`.
    pub edge: String,
    /// `file:line:column` of the first op.
    pub first_loc: Option<String>,
    /// `file:line:column` of the second op.
    pub second_loc: Option<String>,
}

/// Where the time of one function, or of a trace, goes. Ticks by the machine's cost table.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Timeline {
    /// The input, as given on the command line.
    pub input: String,
    /// The function; empty for a trace.
    pub function: String,
    /// The end of the last op.
    pub makespan: u64,
    /// The end without the owed edges.
    pub without_reuse: u64,
    /// True when loops were cut, so that it is the time of a prefix.
    pub prefix: bool,
    /// Owed edges that delay something: the position in `owed`, and the ticks that the makespan loses
    /// without this edge alone; largest first.
    pub delays: Vec<(usize, u64)>,
}

/// The judgement of all traces: what `memplan verify` says, and how they were run.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Replay {
    /// Findings, owed edges, times, counters.
    #[serde(flatten)]
    pub judged: Verify,
    /// The orders that were run, where there is one trace.
    pub schedule: Option<String>,
    /// How many orders were run.
    pub runs: u64,
    /// True when these are all orders that matter, for every trace.
    pub complete: bool,
    /// What calls answered that answer with a value.
    pub answers: Vec<Answer>,
    /// Each trace.
    pub traces: Vec<Run>,
}

/// What a call answered.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answer {
    /// The input, as given on the command line.
    pub input: String,
    /// The label of the call.
    pub op: String,
    /// The value.
    pub value: String,
}

/// How one trace was run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Run {
    /// The input, as given on the command line.
    pub input: String,
    /// The machine.
    pub machine: String,
    /// The orders that were run.
    pub schedule: String,
    /// How many.
    pub runs: u64,
    /// True when these are all orders that matter.
    pub complete: bool,
    /// The end of the last op, in ticks.
    pub makespan: u64,
    /// What was counted.
    pub counters: BTreeMap<&'static str, u64>,
}

/// What one device runtime makes of a plan.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Placed {
    /// The input, as given on the command line.
    pub input: String,
    /// `svm`, `vmm`, `uvm` or `soma`.
    pub runtime: &'static str,
    /// The plan's device memory, by function and scope.
    pub arenas: Vec<Arena>,
    /// The most device memory that was in use, in bytes.
    pub device_peak: u64,
    /// Bytes that functions save by taking turns on one handle (`vmm`).
    pub saved: u64,
    /// The end of the last action, in ticks.
    pub makespan: u64,
    /// What was counted; what is 0 is left out.
    pub counters: BTreeMap<&'static str, u64>,
}

/// The device memory of one function in one scope.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Arena {
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// Bytes that the plan needs.
    pub planned: u64,
    /// Bytes that the runtime holds for it.
    pub held: u64,
    /// `soma`: with a block of the pool for each buffer, the most bytes in use at a time.
    pub per_buffer: Option<u64>,
}

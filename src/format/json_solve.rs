//! The JSON body of `memplan solve`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::json_diagnosis::{Advice, Diagnosis};
use super::json_replay::{OwedEdge, Placed, Timeline};

/// The answer to all inputs.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Solve {
    /// One for each function planned, in the order of the inputs.
    pub functions: Vec<Function>,
    /// Orderings that placements make necessary and programs do not have.
    pub owed: Vec<OwedEdge>,
    /// One for each function that has a plan and whose ops run on pipes.
    pub timelines: Vec<Timeline>,
    /// The sum of their makespans.
    pub makespan: u64,
    /// What was counted on the way; what is 0 is left out.
    pub counters: BTreeMap<&'static str, u64>,
    /// What device runtimes make of the plans, where `--runtime` asks for it.
    pub runtimes: Vec<Placed>,
}

/// The answer for one function.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The input that it stands in, as given on the command line.
    pub input: String,
    /// What its plan is for; plan files carry it.
    pub fingerprint: String,
    /// The worst verdict of its scopes.
    pub verdict: &'static str,
    /// An error that belongs to no scope.
    pub message: Option<String>,
    /// The scopes that it uses; of an HLO module its heaps.
    pub scopes: Vec<Scope>,
    /// Of an HLO module, the allocations that are no heap, in XLA's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allocations: Vec<Allocation>,
}

/// An allocation of an HLO module that is no heap.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Allocation {
    /// `parameter`, `constant`, `output`, `thread-local`, `tuple` or `temporary`.
    pub kind: &'static str,
    /// Its bytes.
    pub size: u64,
    /// `S(n)` of layouts; 0 is the device's memory, 5 the host's.
    pub memory_space: u32,
    /// The number of the parameter.
    pub parameter: Option<u32>,
    /// The node of the parameter, such as `{1}`.
    pub index: Option<String>,
    /// True for a parameter that an output lies on.
    pub aliased: bool,
    /// The values in it.
    pub values: Vec<String>,
}

/// The answer for one scope of a function.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Scope {
    /// `ub`, `l1`, `arena`, `workspace:%arg0`, ...
    pub name: String,
    /// Physical size in bytes; null where unbounded.
    pub capacity: Option<u64>,
    /// Capacity less the reserved bytes; null where unbounded.
    pub usable: Option<u64>,
    /// Largest end of a placed buffer; null without a plan.
    pub peak: Option<u64>,
    /// Largest sum of bytes alive at once.
    pub max_load: u64,
    /// Where it occurs first.
    pub max_load_at: At,
    /// The best proven bound on the peak at level `lifetime`, at least `max_load`.
    pub lower_bound: u64,
    /// `optimal`, `feasible`, `undecided`, `not-found` or `infeasible`.
    pub verdict: &'static str,
    /// Sum of the costs of stalling reuses.
    pub reuse_cost: u64,
    /// The best proven bound on that sum at the level of the plan.
    pub reuse_cost_bound: u64,
    /// `sequential` or `reuse`.
    pub mode: &'static str,
    /// `pipe`, `loop`, `slot` or `lifetime`; null where levels do not apply.
    pub level: Option<&'static str>,
    /// The solver whose packing it is.
    pub strategy: String,
    /// The error when there is no plan, else the reason for the level.
    pub message: Option<String>,
    /// Things to know that are not errors.
    pub warnings: Vec<String>,
    /// Search nodes opened.
    pub nodes: u64,
    /// `nodes`, `time` or `interrupt` when the search was ended early. Answers limited by time or
    /// interrupt do not repeat.
    pub limited_by: Option<&'static str>,
    /// The buffers of the scope, in the order of the input.
    pub buffers: Vec<Buffer>,
    /// Pairs that share bytes at different times.
    pub reuse: Vec<Reuse>,
    /// Every rung of the ladder that was tried.
    pub attempts: Vec<Attempt>,
    /// Why it does not fit; null with a plan.
    pub overflow: Option<Overflow>,
    /// The verdict in three parts: impossible, possible, possible only if.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Diagnosis>,
}

/// A moment of a function.
#[derive(Debug, Serialize, JsonSchema)]
pub struct At {
    /// The step.
    pub step: u64,
    /// The op there, or a word for the step.
    pub name: Option<String>,
    /// `file:line:column` of the op.
    pub loc: Option<String>,
}

/// A buffer and where it lies.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Buffer {
    /// Its ordinal in its function (names may repeat).
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Bytes of one slot.
    pub size: u64,
    /// Copies in rotation, as the input has it.
    pub slots: u32,
    /// The offset of each slot; empty without a plan. More than `slots`: it was promoted.
    pub offsets: Vec<u64>,
    /// Half-open live ranges in steps.
    pub live: Vec<[u64; 2]>,
    /// `file:line:column` where it is written.
    pub loc: Option<String>,
}

/// Two buffers that share bytes at different times.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reuse {
    /// The id of the buffer that is alive first.
    pub first: u32,
    /// The id of the other.
    pub second: u32,
    /// The name of the first.
    pub first_name: String,
    /// The name of the second.
    pub second_name: String,
    /// The strictest level that allows the pair; null where levels do not apply.
    pub level: Option<&'static str>,
    /// True when the sharing makes one pipe wait for another in a way that the data flow does not,
    /// or the input puts a price on it.
    pub stall: bool,
    /// The pipes that the sharing ties together.
    pub pipes: Vec<String>,
    /// What it costs by the cost model; 0 when it does not stall.
    pub cost: u64,
    /// Why the input puts a price on it; null where it does not, or does not say.
    pub reason: Option<String>,
    /// True for an in-place pair.
    pub inplace: bool,
}

/// One rung of the ladder.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Attempt {
    /// The level; null where levels do not apply.
    pub level: Option<&'static str>,
    /// The solver.
    pub solver: String,
    /// `found`, `refuted` (a proof that there is none), `gave-up` or `skipped`.
    pub end: &'static str,
    /// Why it was skipped.
    pub reason: Option<String>,
    /// The peak of its best packing.
    pub peak: Option<u64>,
    /// Its best lower bound at its level.
    pub bound: u64,
    /// Nodes opened.
    pub nodes: u64,
    /// A remark.
    pub note: Option<String>,
}

/// Why a scope does not fit.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Overflow {
    /// True when no plan exists; false when none was found.
    pub impossible: bool,
    /// The owner in whose part it does not fit; null where the buffers belong to nobody.
    pub owner: Option<String>,
    /// The bytes required.
    pub requires: u64,
    /// Which number that is: `max_load`, `lower_bound` or `heuristic peak`.
    pub requires_is: String,
    /// `requires` in bits, as compilers print it.
    pub bits: u128,
    /// The usable capacity in bits.
    pub available_bits: Option<u128>,
    /// Where the largest load occurs.
    pub at: At,
    /// The buffers alive there, largest first.
    pub live: Vec<Alive>,
    /// Ids of the buffers of the proof.
    pub core: Vec<u32>,
    /// `proven`: drop any one of the core and the rest fits; `load witness`: together they do not fit, but
    /// not each was shown to be needed for that; `unknown`: no core was found.
    pub core_is: &'static str,
    /// The smallest capacity that did work.
    pub works_at: Option<u64>,
    /// Changes that make it fit, cheapest first.
    pub advice: Vec<Advice>,
}

/// A buffer alive at the largest load.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Alive {
    /// Its ordinal in its function.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Bytes of one slot.
    pub size: u64,
    /// Copies in rotation.
    pub slots: u32,
    /// Bytes it takes there, all slots, rounded where the scope says so.
    pub bytes: u64,
    /// True for hidden memory that one op needs for itself.
    pub temporary: bool,
    /// The owner in whose part it lies.
    pub owner: Option<String>,
    /// `file:line:column` where it is written.
    pub loc: Option<String>,
}

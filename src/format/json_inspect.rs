//! The JSON body of `memplan inspect`: what follows from an input before anything is placed.
//!
//! Buffers are named by their ordinal in the function (`id`), since names may repeat; steps list
//! names. Lists that may grow with the square of the input are bounded, and `left_out` says by how much.

use schemars::JsonSchema;
use serde::Serialize;

pub use super::json_reasons::{
    Alias, Conflict, Inplace, LeftOut, NearMiss, Rederived, Rule, Sharing, Together, With,
};
use super::json_solve::At;

/// The facts of all functions.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Inspect {
    /// One for each function, in the order of the inputs.
    pub functions: Vec<Function>,
}

/// The facts of one function.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectFunction")]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The input that it stands in.
    pub input: String,
    /// What a plan of it is for.
    pub fingerprint: String,
    /// The order in which time is counted; empty where live ranges are given.
    pub steps: Vec<Step>,
    /// Where live ranges are given: what begins and what ends at each step at which something does.
    pub moments: Vec<Moment>,
    /// The buffers in the order of the input.
    pub buffers: Vec<Buffer>,
    /// Names for bytes of buffers, other than the buffers' own.
    pub aliases: Vec<Alias>,
    /// Groups of buffers that must lie on the same bytes.
    pub together: Vec<Together>,
    /// Pairs that may share in place.
    pub inplace: Vec<Inplace>,
    /// Operands and results that may not share in place, and why; at most 10,000.
    pub near_misses: Vec<NearMiss>,
    /// For each buffer asked about (`--buffer`, `-v` for all, else the 40 largest alive at the peaks):
    /// how many others may share with it, and what keeps the rest from it.
    pub sharing: Vec<Sharing>,
    /// The same pair by pair, without those that may share at `pipe` and those in other scopes; at
    /// most 20,000.
    pub conflicts: Vec<Conflict>,
    /// Buffers whose given live ranges are not those that follow from the ops.
    pub rederived: Vec<Rederived>,
    /// The buffers that `--buffer` names.
    pub selected: Vec<u32>,
    /// What the limits of the lists have cut off.
    pub left_out: LeftOut,
    /// The scopes that it uses.
    pub scopes: Vec<Scope>,
}

/// One step of the order.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectStep")]
pub struct Step {
    /// The step.
    pub step: u64,
    /// The op, or which end of a loop or branch it is.
    pub name: String,
    /// How many loops and branches are around it.
    pub depth: u64,
    /// The pipe of the op.
    pub pipe: Option<String>,
    /// All pipes of the op: its own, and those of its operands.
    pub pipes: Vec<String>,
    /// What the op reads, by name.
    pub reads: Vec<String>,
    /// What the op writes, by name; temporaries are listed here, too.
    pub writes: Vec<String>,
    /// What the op uses as scratch, by name.
    pub temporaries: Vec<String>,
    /// The buffers that a live range of begins here.
    #[serde(rename = "gen")]
    pub born: Vec<String>,
    /// The buffers that a live range of ends here: this is the last step at which their bytes matter.
    #[serde(rename = "kill")]
    pub dies: Vec<String>,
    /// `file:line:column` of the op, loop or branch.
    pub loc: Option<String>,
}

/// What begins and ends at a step of given time.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectMoment")]
pub struct Moment {
    /// The step.
    pub step: u64,
    /// The buffers that a live range of begins here.
    #[serde(rename = "gen")]
    pub born: Vec<String>,
    /// The buffers for which this is the last step of a live range.
    #[serde(rename = "kill")]
    pub dies: Vec<String>,
}

/// A buffer and what follows for it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectBuffer")]
pub struct Buffer {
    /// Its ordinal in its function.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The scope that it lies in.
    pub scope: String,
    /// Bytes of one slot.
    pub size: u64,
    /// Copies in rotation.
    pub slots: u32,
    /// Bytes it takes: all slots, rounded where the scope says so.
    pub bytes: u64,
    /// Offsets are multiples of it.
    pub alignment: u64,
    /// Half-open live ranges in steps.
    pub live: Vec<[u64; 2]>,
    /// Why it lives so long, range by range.
    pub why: Vec<Why>,
    /// Of a heap of an HLO module: when XLA has it alive, in logical times of its flattened schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xla_live: Option<[u64; 2]>,
    /// The pipes that touch it.
    pub pipes: Vec<String>,
    /// Who may share with it at level `pipe`: `unknown` (no pipe known), the name of one pipe,
    /// `dma` (nobody) or `mixed` (nobody that a pipe touches).
    pub class: String,
    /// The innermost loop that holds its whole life.
    pub home: Option<String>,
    /// `local`, `parameter`, `output`, `constant`, `donated`, `persistent` or `thread_local`.
    pub lifetime: &'static str,
    /// True for memory that the input calls temporary, or that ops use as scratch and nothing else.
    pub temporary: bool,
    /// True when it shares bytes with nobody.
    pub unique: bool,
    /// The owner whose partition it lies in.
    pub owner: Option<String>,
    /// Its fixed offsets, one a slot.
    pub pin: Option<Vec<u64>>,
    /// The loop whose trips its slots rotate with.
    pub rotates_in: Option<String>,
    /// Names of (parts of) it alone, see `aliases`.
    pub aliases: Vec<String>,
    /// `file:line:column` where it is written.
    pub loc: Option<String>,
}

/// Why a live range is as it is.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectWhy")]
pub struct Why {
    /// The live range.
    pub live: [u64; 2],
    /// What begins it: `given`, `class`, `read`, `write`, `temporary`, `fresh`, `carried`, `preload`,
    /// `zero_trips`, `branch`, `unwritten` or `flow`.
    pub start: &'static str,
    /// What ends it: the same words.
    pub end: &'static str,
    /// Both in words.
    pub message: String,
    /// `file:line:column` of what ends it.
    pub loc: Option<String>,
}

/// The bytes alive in a scope over time.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectScope")]
pub struct Scope {
    /// Its name.
    pub name: String,
    /// Physical size; null where unbounded.
    pub capacity: Option<u64>,
    /// Capacity less the reserved bytes; null where unbounded.
    pub usable: Option<u64>,
    /// The largest sum alive at one step.
    pub peak_load: u64,
    /// Where it occurs first.
    pub at: At,
    /// The sum alive from each step at which it changes: `[step, bytes]`. In-place pairs,
    /// buffers that must lie on the same bytes and exclusive ones are counted once.
    pub load: Vec<[u64; 2]>,
    /// Who makes the peak, the largest first; at most 100.
    pub contributors: Vec<Contributor>,
    /// Contributors more than those.
    pub contributors_left_out: u64,
    /// The bytes of the peak by who holds them, and what is reserved.
    pub parts: Vec<Part>,
}

/// A buffer alive at the peak.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectContributor")]
pub struct Contributor {
    /// Its ordinal in its function.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// Bytes of all its slots.
    pub bytes: u64,
    /// True when these bytes are counted with another buffer at that step: in place, because
    /// both must lie there, or because they are exclusive.
    pub shared: bool,
    /// True for memory that the input calls temporary, or that ops use as scratch and nothing else.
    pub temporary: bool,
    /// The owner whose partition it lies in.
    pub owner: Option<String>,
    /// `file:line:column` where it is written.
    pub loc: Option<String>,
}

/// A part of a scope.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectPart")]
pub struct Part {
    /// `buffers`, `temporaries`, `owner` (its buffers, temporaries included) or `reserved`.
    pub kind: &'static str,
    /// The owner, or who holds reserved bytes.
    pub name: Option<String>,
    /// Bytes at the peak; of `reserved` its own.
    pub bytes: u64,
    /// Buffers among them.
    pub buffers: u64,
    /// The bytes of an owner's partition.
    pub partition: Option<u64>,
}

//! The JSON body of `memplan inspect`: what follows from an input before anything is placed.

use schemars::JsonSchema;
use serde::Serialize;

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
    /// The buffers in the order of the input.
    pub buffers: Vec<Buffer>,
    /// Pairs that may share in place.
    pub inplace: Vec<Inplace>,
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
    /// What the op reads, by name.
    pub reads: Vec<String>,
    /// What the op writes, by name.
    pub writes: Vec<String>,
    /// `file:line:column` of the op, loop or branch.
    pub loc: Option<String>,
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
    /// Half-open live ranges in steps.
    pub live: Vec<[u64; 2]>,
    /// The pipes that touch it.
    pub pipes: Vec<String>,
    /// Who may share with it at level `pipe`: `unknown` (no pipe known), the name of one pipe,
    /// `dma` (nobody) or `mixed` (nobody that a pipe touches).
    pub class: String,
    /// The innermost loop that holds its whole life.
    pub home: Option<String>,
    /// `file:line:column` where it is written.
    pub loc: Option<String>,
}

/// A pair that may share in place.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectInplace")]
pub struct Inplace {
    /// The id of the operand that dies.
    pub from: u32,
    /// The id of the result.
    pub into: u32,
    /// The op at which one becomes the other; null for a pair that the input gave.
    pub op: Option<String>,
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
    /// The sum alive from each step at which it changes: `[step, bytes]`. In-place pairs are
    /// counted once.
    pub load: Vec<[u64; 2]>,
}

//! The reasons in the JSON body of `memplan inspect`: aliases, in-place pairs, near misses, conflicts.

use schemars::JsonSchema;
use serde::Serialize;

/// A name for bytes of a buffer.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectAlias")]
pub struct Alias {
    /// The name.
    pub value: String,
    /// `view`, `select`, `carry`, `loop_result`, `branch_result` or `buffer` (another name of all of it).
    pub kind: &'static str,
    /// What it is a view of, or is chosen from.
    pub of: Vec<String>,
    /// Bytes from the start of what it is a view of; null where unknown.
    pub delta: Option<u64>,
    /// The ids of the buffers that it may stand for.
    pub buffers: Vec<u32>,
    /// The bytes of the one buffer, where both are known.
    pub range: Option<[u64; 2]>,
    /// `file:line:column` where it is written.
    pub loc: Option<String>,
}

/// Buffers that must lie on the same bytes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectTogether")]
pub struct Together {
    /// Their ids.
    pub buffers: Vec<u32>,
    /// `colocate` (names of one thing), `handover` (one takes over from the other) or `mixed`.
    pub rule: &'static str,
    /// The reason that the input gives first.
    pub why: Option<String>,
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
    /// Who allowed it: `given` (the input names the pair), `any` (the op, by its semantics) or `isa`
    /// (the op, and the instruction set guarantees it).
    pub rule: &'static str,
    /// The rule in words.
    pub message: String,
    /// The strictest level at which the two may share.
    pub level: &'static str,
    /// `file:line:column` of the op, or of the relation.
    pub loc: Option<String>,
}

/// An operand and a result that are no in-place pair.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectNearMiss")]
pub struct NearMiss {
    /// The id of the operand.
    pub from: u32,
    /// The id of the result that is born at the op.
    pub into: u32,
    /// The op.
    pub op: String,
    /// The step of the op.
    pub step: u64,
    /// True when the operand dies there; false when nothing but its longer life is in the way.
    pub dies: bool,
    /// The rules that forbid it: `never`, `only_isa`, `no_pairs`, `scope`, `larger`, `slots`, `unique`,
    /// `wanted`, `filled`, `relation`, `unknown_bytes`, `shifted`, `wider`, `read_twice`,
    /// `touched_otherwise`, `still_read` or `alive_together`.
    pub rules: Vec<&'static str>,
    /// The rules in words.
    pub message: String,
    /// `file:line:column` of the op.
    pub loc: Option<String>,
}

/// What stands between a buffer and all others.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectSharing")]
pub struct Sharing {
    /// The id of the buffer.
    pub id: u32,
    /// From what keeps most to what keeps least.
    pub rules: Vec<Rule>,
}

/// The buffers that one rule keeps from sharing with another.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectRule")]
pub struct Rule {
    /// `scope`, `partition`, `unique`, `colocate`, `handover`, `separate`, `alive`, `through`
    /// (alive together with a third that must lie on the same bytes), `pins`, `inplace` (only from the
    /// identical start on), `loop`, `slot`, `pipes` or `none`.
    pub rule: &'static str,
    /// The strictest level at which they may share; null for none.
    pub level: Option<&'static str>,
    /// How many there are.
    pub count: u64,
    /// The sum of their bytes.
    pub bytes: u64,
    /// The largest of them, at most 8.
    pub with: Vec<With>,
}

/// One buffer that a rule is about.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectWith")]
pub struct With {
    /// Its id.
    pub id: u32,
    /// The particulars: steps, pipes, the loop, the reason given.
    pub note: String,
}

/// Two buffers and what stands between them.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectConflict")]
pub struct Conflict {
    /// The id of one.
    pub first: u32,
    /// The id of the other.
    pub second: u32,
    /// The rule, see `sharing`.
    pub rule: &'static str,
    /// The strictest level at which they may share; null for none.
    pub level: Option<&'static str>,
    /// The rule in words.
    pub message: String,
    /// The first steps at which both are alive, half-open.
    pub steps: Option<[u64; 2]>,
    /// `file:line:column` of the relation.
    pub loc: Option<String>,
}

/// A buffer whose given live ranges are not those that follow from the ops.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "InspectRederived")]
pub struct Rederived {
    /// Its id.
    pub id: u32,
    /// As given.
    pub given: Vec<[u64; 2]>,
    /// As they follow from the ops.
    pub derived: Vec<[u64; 2]>,
}

/// What the limits of lists have cut off.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "InspectLeftOut")]
pub struct LeftOut {
    /// Near misses.
    pub near_misses: u64,
    /// Buffers asked about that `sharing` says nothing about: at most 4,000,000 pairs are looked at.
    pub sharing: u64,
    /// Pairs that `conflicts` does not list.
    pub conflicts: u64,
}

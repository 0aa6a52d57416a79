//! The verdict about a scope in three parts, in the JSON body of `memplan solve`.

use schemars::JsonSchema;
use serde::Serialize;

/// The verdict about a failed or tight scope.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diagnosis {
    /// `impossible` (a proof), `possible` (the plan is here) or `open` (neither a plan nor a proof).
    pub ruling: &'static str,
    /// What is possible costs so many bytes above the proven bound; null without a plan.
    pub excess: Option<u64>,
    /// Pairs that stall; null without a plan.
    pub stalls: Option<u64>,
    /// What they cost; null without a plan.
    pub reuse_cost: Option<u64>,
    /// What makes the plan tight.
    pub tight: Vec<Tight>,
    /// Possible, or better, only if one of these changes is made; each was solved again; cheapest first.
    pub only_if: Vec<Advice>,
    /// Who holds bytes when most are in use.
    pub holders: Vec<Holder>,
    /// Free bytes that are no room; null where it was not looked at.
    pub fragmentation: Option<Fragmentation>,
    /// Questions asked of the planner for this.
    pub tries: u32,
    /// False when the budget of questions ended before all changes were tried.
    pub complete: bool,
}

/// What makes a plan tight.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Tight {
    /// `stalls`, `level` or `slack`.
    pub kind: &'static str,
    /// The same in words.
    pub text: String,
}

/// A sum of bytes in use.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Holder {
    /// `buffers`, `temporaries`, `owner` (the part of another owner), `reserved`, or `workspace` (not in this
    /// memory, but of the same function).
    pub kind: &'static str,
    /// The owner, the reason or the workspace.
    pub name: Option<String>,
    /// Bytes.
    pub bytes: u64,
    /// How many buffers that is.
    pub buffers: usize,
}

/// Free bytes of a plan, and the largest hole.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Fragmentation {
    /// Free bytes at the tightest step; for a buffer without a place, while it lives.
    pub free: u64,
    /// The largest of them in one piece.
    pub hole: u64,
    /// The step.
    pub at: u64,
    /// The id of the buffer without a place.
    pub wants: Option<u32>,
    /// The id of the buffer in the way.
    pub blocking: Option<u32>,
    /// The smallest single move that cures it; null where there is none.
    pub moved: Option<Moved>,
}

/// A move of one buffer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Moved {
    /// The id of the buffer.
    pub buffer: u32,
    /// Its slot.
    pub slot: u32,
    /// Its offset now.
    pub from: u64,
    /// Its offset then.
    pub to: u64,
    /// Where the buffer without a place then lies.
    pub place: Option<u64>,
    /// The peak then.
    pub new_peak: u64,
}

/// Changes of the input that make it fit, or make a tight plan better.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Advice {
    /// The change; with others in `with`, the first of them.
    #[serde(flatten)]
    pub change: Change,
    /// Changes to be made together with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Change>,
    /// Bytes given up.
    pub cost: u64,
    /// The peak with the change.
    pub peak: u64,
    /// The level with the change; null in sequential mode.
    pub level: Option<&'static str>,
    /// Pairs that stall with the change.
    pub stalls: usize,
    /// The sum of their costs.
    pub reuse_cost: u64,
    /// For `capacity`: true when no smaller one works.
    pub proven: Option<bool>,
    /// The same in words.
    pub text: String,
}

/// One change of the input.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Change {
    /// `unpin`, `share`, `relax`, `align`, `slots`, `size`, `reserved`, `partition`, `level`, `order`, `planner`,
    /// `move` or `capacity`.
    pub change: &'static str,
    /// The id of the buffer; for `relax` the first of the pair.
    pub buffer: Option<u32>,
    /// For `relax` the id of the other buffer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<u32>,
    /// Slots or bytes now.
    pub from: Option<u64>,
    /// Slots or bytes then.
    pub to: Option<u64>,
    /// The rule, the owner, the reason of reserved bytes, the level, the order, the planner or the memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// For `reserved` the bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[u64; 2]>,
}

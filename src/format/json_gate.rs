//! What changed since a baseline, as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::json_verify::Finding;

/// The JSON body of `memplan diff` of plans, reports and inputs other than two HLO modules.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Changes {
    /// One side, as given on the command line: what was.
    pub a: String,
    /// The other: what is.
    pub b: String,
    /// One for each kernel that is not the same.
    pub changes: Vec<Change>,
    /// What is worse, new or gone.
    pub findings: Vec<Finding>,
}

/// One kernel that is not what it was.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Change {
    /// The input now, as given on the command line.
    pub input: String,
    /// The function now.
    pub function: String,
    /// The input then, where the kernel was matched by another name; null where it was the same.
    pub was_input: Option<String>,
    /// The function then, in the same case.
    pub was_function: Option<String>,
    /// What changed.
    pub causes: Vec<Cause>,
    /// What that did; only what is not the same.
    pub effects: Vec<Effect>,
    /// Which buffers make the difference of the largest load.
    pub loads: Vec<LoadShift>,
    /// What could not be compared, and why.
    pub unknown: Vec<String>,
    /// The reason in one line.
    pub text: String,
}

/// One change.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Cause {
    /// `capacity`, `sizes`, `slots`, `live-ranges`, `schedule`, `added`, `removed`, `renamed`, `scope`,
    /// `problem` or `placement`.
    pub kind: &'static str,
    /// The buffers, largest effect first.
    pub buffers: Vec<String>,
    /// How many more buffers there are; left out for none.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
    /// The change in words.
    pub text: String,
}

/// What a change did to one measure.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Effect {
    /// The scope; null for what is of the whole kernel.
    pub scope: Option<String>,
    /// `verdict`, `peak`, `excess`, `level`, `stalls`, `reuse_cost`, `owed`, `max_load`, `lower_bound` or
    /// `makespan`.
    pub measure: &'static str,
    /// Its value then: a number, or the word of a level or verdict; null for none (no plan; nothing
    /// shared).
    pub old: Value,
    /// Its value now.
    pub new: Value,
    /// True when it got worse.
    pub worse: bool,
}

/// A value of a measure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// Bytes, ticks, a count.
    Number(u64),
    /// A level or a verdict.
    Word(&'static str),
    /// None.
    Null,
}

/// Who makes the difference between two largest loads of a scope.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LoadShift {
    /// The scope.
    pub scope: String,
    /// The largest load then, in bytes.
    pub old: u64,
    /// The largest load now, in bytes.
    pub new: u64,
    /// Where it occurs now.
    pub at: String,
    /// What each buffer takes more there, largest first.
    pub shares: Vec<Share>,
}

/// What one buffer adds to a load.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Share {
    /// The buffer.
    pub buffer: String,
    /// Bytes more than before; below zero for less.
    pub bytes: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

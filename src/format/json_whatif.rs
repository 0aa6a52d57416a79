//! The JSON body of `memplan what-if`.

use schemars::JsonSchema;
use serde::Serialize;

/// Variants of inputs, each planned; and the smallest capacities.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct WhatIf {
    /// One for each variant and scope of a function; the first of each function is the input as it is.
    pub variants: Vec<Variant>,
    /// With `--min-capacity`: one for each scope of each function.
    pub min_capacity: Vec<MinCapacity>,
}

/// One scope of a function in one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "WhatIfVariant")]
pub struct Variant {
    /// The input.
    pub input: String,
    /// The function; null for a variant that cannot be read.
    pub function: Option<String>,
    /// The scope; null for a variant that cannot be planned.
    pub scope: Option<String>,
    /// What is different: `as it is`, `tile: 1 slot`, `m x 1/2`, `target ascend950`, ..
    pub variant: String,
    /// `optimal`, `feasible`, `undecided`, `not-found` or `infeasible`; null with a `reason`.
    pub verdict: Option<&'static str>,
    /// Why the variant cannot be planned; null where it was.
    pub reason: Option<String>,
    /// Bytes that may be used; null where unbounded.
    pub usable: Option<u64>,
    /// The peak; null without a plan.
    pub peak: Option<u64>,
    /// Bytes required where there is no plan: a bound at its level, or the smallest peak known; else null.
    pub requires: Option<u64>,
    /// `sequential` (everything has bytes of its own) or `reuse`; null without a plan.
    pub mode: Option<&'static str>,
    /// The level of the plan; null in sequential mode, without a plan and where levels do not apply.
    pub level: Option<&'static str>,
    /// Pairs whose sharing makes one pipe wait for another; null without a plan.
    pub stalls: Option<u64>,
    /// The sum of their costs; null without a plan.
    pub reuse_cost: Option<u64>,
    /// The best proven bound on the peak at level `lifetime`; null with a `reason`.
    pub lower_bound: Option<u64>,
    /// The peak less that of the input as it is; null where one of them has none.
    pub delta: Option<i64>,
    /// True for a verdict that is a proof: `optimal` and `infeasible`.
    pub proven: bool,
}

/// The smallest capacity of one scope of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MinCapacity {
    /// The input.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// The level that buffers may go down to; null where levels do not apply.
    pub level: Option<&'static str>,
    /// The capacity now; null where unbounded.
    pub capacity: Option<u64>,
    /// The smallest capacity for which there is a plan, which was checked; null where none is known.
    pub found: Option<u64>,
    /// No capacity below this works; null with a `reason`.
    pub lower_bound: Option<u64>,
    /// True when `found` is `lower_bound`: one byte less does not work.
    pub proven: bool,
    /// Why there is no such number; null where there is.
    pub reason: Option<String>,
}

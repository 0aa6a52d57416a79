//! The tables of the budget file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::rules::{Grade, LevelLimit};
use crate::format::values::{Number, Size};

/// The version of budget files that this memplan reads and writes.
pub const VERSION: u64 = 1;

/// A budget file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "memplan budget")]
pub struct BudgetFile {
    /// Version of the format; this is 1.
    #[schemars(with = "u64", range(min = 1, max = 1))]
    pub version: Spanned<Number>,
    /// What a kernel without an entry is.
    pub unlisted: Option<Grade>,
    /// What an entry without a kernel is.
    pub unused: Option<Grade>,
    /// What too much of a measure is.
    #[serde(default)]
    pub severity: SeverityTable,
    /// Growth that is let pass.
    #[serde(default)]
    pub allow: AllowTable,
    /// What is otherwise for `--baseline`.
    #[serde(default)]
    pub baseline: BaselineTable,
    /// What kernels may take.
    #[serde(default)]
    pub kernel: Vec<KernelTable>,
}

/// What too much of a measure is.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeverityTable {
    /// Of the peak.
    pub peak: Option<Grade>,
    /// Of the reuse level: a lower one.
    pub level: Option<Grade>,
    /// Of stalling pairs.
    pub stalls: Option<Grade>,
    /// Of owed edges.
    pub owed: Option<Grade>,
    /// Of the cost of stalling pairs; for baselines.
    pub reuse_cost: Option<Grade>,
    /// Of the makespan; for baselines.
    pub makespan: Option<Grade>,
}

/// Growth that is let pass: a number, a size, or a share in percent of the number that it is added to.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllowTable {
    /// Of the peak, in bytes.
    #[schemars(with = "Option<Size>")]
    pub peak: Option<Spanned<Size>>,
    /// Of stalling pairs.
    #[schemars(with = "Option<Size>")]
    pub stalls: Option<Spanned<Size>>,
    /// Of owed edges.
    #[schemars(with = "Option<Size>")]
    pub owed: Option<Spanned<Size>>,
    /// Of the cost of stalling pairs.
    #[schemars(with = "Option<Size>")]
    pub reuse_cost: Option<Spanned<Size>>,
    /// Of the makespan, in ticks.
    #[schemars(with = "Option<Size>")]
    pub makespan: Option<Spanned<Size>>,
}

/// What is otherwise for `--baseline`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineTable {
    /// What more of a measure than in the baseline is.
    #[serde(default)]
    pub severity: SeverityTable,
    /// Growth since the baseline that is let pass.
    #[serde(default)]
    pub allow: AllowTable,
    /// What a kernel is that the baseline does not have.
    pub new: Option<Grade>,
    /// What a kernel of the baseline is that is not there any more.
    pub gone: Option<Grade>,
}

/// What one kernel, or several of one pattern, may take.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelTable {
    /// The input, relative to the folder of the budget file; `*`, `**` and `?` make a pattern.
    #[schemars(with = "Option<String>")]
    pub input: Option<Spanned<String>>,
    /// The function; without it, all functions of the input.
    #[schemars(with = "Option<String>")]
    pub function: Option<Spanned<String>>,
    /// What too much of a measure is, where it is not as above.
    #[serde(default)]
    pub severity: SeverityTable,
    /// Growth that is let pass, where it is not as above.
    #[serde(default)]
    pub allow: AllowTable,
    /// What it may take in each scope.
    #[serde(default)]
    pub scope: BTreeMap<String, LimitTable>,
}

/// What a kernel may take in one scope; what is not there is not held against it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitTable {
    /// The largest peak, in bytes.
    #[schemars(with = "Option<Size>")]
    pub peak: Option<Spanned<Size>>,
    /// The lowest reuse level that its pairs may need.
    pub level: Option<LevelLimit>,
    /// The most stalling pairs.
    #[schemars(with = "Option<u64>")]
    pub stalls: Option<Spanned<Number>>,
    /// The most owed edges.
    #[schemars(with = "Option<u64>")]
    pub owed: Option<Spanned<Number>>,
}

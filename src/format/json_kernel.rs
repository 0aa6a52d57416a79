//! What a kernel takes, as JSON: in reports of `verify`, in baselines and in the cache.
//!
//! Read as well as written: keys that are not known are skipped, and those that are missing are not told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::diag;
use crate::model;
use crate::model::{ReuseLevel, Verdict};

/// One function with its plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Kernel {
    /// The input, as given on the command line.
    pub input: String,
    /// The function.
    pub name: String,
    /// Where the function is written.
    #[serde(default)]
    pub place: Option<Place>,
    /// The fingerprint of the problem.
    #[serde(default)]
    pub fingerprint: Option<String>,
    /// `optimal`, `feasible`, `undecided`, `not-found` or `infeasible`; null for a plan from outside.
    #[serde(default)]
    pub verdict: Option<String>,
    /// What runs, in order: the names of ops, `loop i`, `end i`; null where live ranges are given.
    #[serde(default)]
    pub steps: Option<Vec<String>>,
    /// The end of the last op in ticks; null for functions whose ops do not run on pipes.
    #[serde(default)]
    pub makespan: Option<u64>,
    /// The scopes that it uses, in the order of the problem.
    #[serde(default)]
    pub scopes: Vec<Scope>,
}

/// One scope of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scope {
    /// `ub`, `l1`, `arena`, `temp`, ...
    pub name: String,
    /// Bytes that may be used; null where unbounded.
    #[serde(default)]
    pub usable: Option<u64>,
    /// Largest end of a placed buffer; null without a plan.
    #[serde(default)]
    pub peak: Option<u64>,
    /// The largest sum of bytes alive at once.
    #[serde(default)]
    pub max_load: Option<u64>,
    /// The best proven bound on the peak.
    #[serde(default)]
    pub lower_bound: Option<u64>,
    /// Its verdict; null for a plan from outside.
    #[serde(default)]
    pub verdict: Option<String>,
    /// `pipe`, `loop`, `slot` or `lifetime`: the lowest level that a pair which shares bytes needs; null
    /// where nothing is shared or levels do not apply.
    #[serde(default)]
    pub level: Option<String>,
    /// Pairs whose sharing makes one pipe wait for another.
    #[serde(default)]
    pub stalls: Option<u64>,
    /// The sum of their costs.
    #[serde(default)]
    pub reuse_cost: Option<u64>,
    /// Sync edges that the placement makes necessary and the program does not have.
    #[serde(default)]
    pub owed: Option<u64>,
    /// The buffers in the order of the input.
    #[serde(default)]
    pub buffers: Vec<Buffer>,
}

/// One buffer of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Buffer {
    /// Its name; may repeat.
    pub name: String,
    /// Bytes of one slot.
    #[serde(default)]
    pub size: Option<u64>,
    /// Copies in rotation.
    #[serde(default)]
    pub slots: Option<u32>,
    /// Half-open live ranges in steps.
    #[serde(default)]
    pub live: Option<Vec<[u64; 2]>>,
    /// The offset of each slot; empty without a plan.
    #[serde(default)]
    pub offsets: Vec<u64>,
    /// Where it is written.
    #[serde(default)]
    pub place: Option<Place>,
}

/// A place in a text. Lines and columns count from 1; the end is one past the last character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The text.
    pub file: String,
    /// The line of the first character.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The line of the end.
    pub end_line: u32,
    /// The column of the end.
    pub end_column: u32,
}

impl From<&diag::Place> for Place {
    fn from(place: &diag::Place) -> Self {
        let diag::Place { file, line, column, end_line, end_column } = place;
        let (line, column, end_line, end_column) = (*line, *column, *end_line, *end_column);
        Self { file: file.clone(), line, column, end_line, end_column }
    }
}

impl From<Place> for diag::Place {
    fn from(place: Place) -> Self {
        let Place { file, line, column, end_line, end_column } = place;
        Self { file, line, column, end_line, end_column }
    }
}

impl From<&model::Kernel> for Kernel {
    fn from(kernel: &model::Kernel) -> Self {
        Self {
            input: kernel.input.clone(),
            name: kernel.name.clone(),
            place: kernel.place.as_ref().map(Place::from),
            fingerprint: kernel.fingerprint.clone(),
            verdict: kernel.verdict.map(|v| v.name().to_owned()),
            steps: kernel.steps.clone(),
            makespan: kernel.makespan,
            scopes: kernel.scopes.iter().map(Scope::from).collect(),
        }
    }
}

impl From<&model::KernelScope> for Scope {
    fn from(scope: &model::KernelScope) -> Self {
        Self {
            name: scope.name.clone(),
            usable: scope.usable,
            peak: scope.peak,
            max_load: scope.max_load,
            lower_bound: scope.lower_bound,
            verdict: scope.verdict.map(|v| v.name().to_owned()),
            level: scope.level.map(|l| l.name().to_owned()),
            stalls: scope.stalls,
            reuse_cost: scope.reuse_cost,
            owed: scope.owed,
            buffers: scope.buffers.iter().map(Buffer::from).collect(),
        }
    }
}

impl From<&model::KernelBuffer> for Buffer {
    fn from(buffer: &model::KernelBuffer) -> Self {
        Self {
            name: buffer.name.clone(),
            size: buffer.size,
            slots: buffer.slots,
            live: buffer.live.clone(),
            offsets: buffer.offsets.clone(),
            place: buffer.place.as_ref().map(Place::from),
        }
    }
}

/// A word that is not one is not told.
impl From<Kernel> for model::Kernel {
    fn from(kernel: Kernel) -> Self {
        Self {
            verdict: kernel.verdict.as_deref().and_then(Verdict::find),
            input: kernel.input,
            name: kernel.name,
            place: kernel.place.map(Into::into),
            fingerprint: kernel.fingerprint,
            steps: kernel.steps,
            makespan: kernel.makespan,
            scopes: kernel.scopes.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Scope> for model::KernelScope {
    fn from(scope: Scope) -> Self {
        Self {
            verdict: scope.verdict.as_deref().and_then(Verdict::find),
            level: scope.level.as_deref().and_then(level),
            name: scope.name,
            usable: scope.usable,
            peak: scope.peak,
            max_load: scope.max_load,
            lower_bound: scope.lower_bound,
            stalls: scope.stalls,
            reuse_cost: scope.reuse_cost,
            owed: scope.owed,
            buffers: scope.buffers.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Buffer> for model::KernelBuffer {
    fn from(buffer: Buffer) -> Self {
        let Buffer { name, size, slots, live, offsets, place } = buffer;
        Self { name, size, slots, live, offsets, place: place.map(Into::into) }
    }
}

/// The level of a word.
pub(super) fn level(name: &str) -> Option<ReuseLevel> {
    ReuseLevel::ALL.into_iter().find(|level| level.name() == name)
}

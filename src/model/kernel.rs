//! What a kernel takes: the numbers that a gate compares and a team looks at every day.
//!
//! A [`Kernel`] stands for one planned function, whoever planned it: an [`super::Answer`] of ours, a plan
//! from outside that was measured, or a report of an earlier run. What its source does not tell is none.

use super::{ReuseLevel, Verdict};
use crate::diag::Place;

/// One function with its plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// The input, as given on the command line; in a baseline, as given then.
    pub input: String,
    /// The function.
    pub name: String,
    /// Where the function is written.
    pub place: Option<Place>,
    /// The fingerprint of the problem; none where the source does not tell it.
    pub fingerprint: Option<String>,
    /// The worst verdict of its scopes; none for a plan from outside.
    pub verdict: Option<Verdict>,
    /// What runs, in order: the names of ops, `loop i`, `end i`. None where live ranges are given or
    /// the source does not tell it.
    pub steps: Option<Vec<String>>,
    /// The end of the last op in ticks; none for functions whose ops do not run on pipes.
    pub makespan: Option<u64>,
    /// The scopes that it uses, in the order of the problem.
    pub scopes: Vec<KernelScope>,
}

/// One scope of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelScope {
    /// `ub`, `l1`, `arena`, `temp`, ...
    pub name: String,
    /// Bytes that may be used; none where unbounded or not told.
    pub usable: Option<u64>,
    /// Largest end of a placed buffer; none without a plan.
    pub peak: Option<u64>,
    /// The largest sum of bytes alive at once.
    pub max_load: Option<u64>,
    /// The best proven bound on the peak.
    pub lower_bound: Option<u64>,
    /// Its verdict; none for a plan from outside.
    pub verdict: Option<Verdict>,
    /// The lowest level that a pair which shares bytes needs; none where nothing is shared, levels do not
    /// apply or the source does not tell it.
    pub level: Option<ReuseLevel>,
    /// Pairs whose sharing makes one pipe wait for another.
    pub stalls: Option<u64>,
    /// The sum of their costs.
    pub reuse_cost: Option<u64>,
    /// Sync edges that the placement makes necessary and the program does not have.
    pub owed: Option<u64>,
    /// The buffers in the order of the input.
    pub buffers: Vec<KernelBuffer>,
}

/// One buffer of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelBuffer {
    /// Its name; may repeat.
    pub name: String,
    /// Bytes of one slot.
    pub size: Option<u64>,
    /// Copies in rotation.
    pub slots: Option<u32>,
    /// Half-open live ranges in steps.
    pub live: Option<Vec<[u64; 2]>>,
    /// The offset of each slot; empty without a plan.
    pub offsets: Vec<u64>,
    /// Where it is written.
    pub place: Option<Place>,
}

impl KernelScope {
    /// Peak less bound: bytes that a better plan might save.
    pub fn excess(&self) -> Option<u64> {
        Some(self.peak?.saturating_sub(self.lower_bound?))
    }

    /// True when two buffers have a byte in common; none where sizes or offsets are not known.
    pub fn shares(&self) -> Option<bool> {
        let mut ranges = Vec::new();
        for buffer in &self.buffers {
            let size = buffer.size?;
            if size > 0 && buffer.offsets.is_empty() {
                return None;
            }
            let here = buffer.offsets.iter().filter(|_| size > 0);
            ranges.extend(here.map(|&offset| (offset, offset.saturating_add(size))));
        }
        ranges.sort_unstable();
        Some(ranges.windows(2).any(|pair| pair[1].0 < pair[0].1))
    }
}

//! Blocks in units of the alignment, as the solvers take them.

use std::collections::BTreeMap;

use memplan_packing::{Instance, Item, Span};

use super::Packed;
use super::blocks::{Block, sweep};
use crate::model::Attempt;
use crate::plan::options::{Options, Progress, Strategy};
use crate::plan::rung::{Reporter, Rung, run};

/// Looks at pairs of a gap and a block, at most, to close gaps.
const MAX_PAIRS: usize = 20_000_000;

/// The packing problem of some blocks.
#[derive(Clone, Debug)]
pub(super) struct Granules {
    pub(super) alignment: u64,
    /// One item for each block, sizes in granules.
    pub(super) instance: Instance,
    /// By block the bytes in its last granule, 1 up to the alignment.
    pub(super) last: Vec<u64>,
    load_bound: u64,
}

impl Granules {
    /// The problem without a capacity.
    pub(super) fn new(blocks: &[Block], alignment: u64) -> Self {
        let size = |block: &Block| block.size.div_ceil(alignment);
        let lives = closed(blocks);
        let item =
            |(block, live): (&Block, Vec<Span>)| Item { live, ..Item::new(size(block), 1, 0, 1) };
        let items = blocks.iter().zip(lives).map(item).collect();
        let last: Vec<u64> =
            blocks.iter().map(|b| b.size - (size(b).saturating_sub(1)) * alignment).collect();
        // At each step the blocks alive fill at least their granules, less what the top one leaves.
        let (mut load, mut bound) = (0u64, 0u64);
        let mut alive: BTreeMap<u64, usize> = BTreeMap::new();
        sweep(blocks, |_, started, ended| {
            for &at in ended {
                load = load.saturating_sub(size(&blocks[at]));
                if let Some(count) = alive.get_mut(&last[at]) {
                    *count -= 1;
                    if *count == 0 {
                        alive.remove(&last[at]);
                    }
                }
            }
            for &at in started {
                load = load.saturating_add(size(&blocks[at]));
                *alive.entry(last[at]).or_default() += 1;
            }
            let least = alive.first_key_value().map_or(0, |(&last, _)| last);
            bound =
                bound.max(load.saturating_sub(1).saturating_mul(alignment).saturating_add(least));
        });
        Self {
            alignment,
            instance: Instance { items, ..Instance::default() },
            last,
            load_bound: bound,
        }
    }

    /// A bound on the heap by what is alive at one step, in bytes.
    pub(super) fn load_bound(&self) -> u64 {
        self.load_bound
    }

    /// A bound on the heap when so many granules are needed.
    pub(super) fn bound(&self, granules: u64) -> u64 {
        let least = self.last.iter().copied().min().unwrap_or(0);
        granules.checked_sub(1).map_or(0, |full| full.saturating_mul(self.alignment) + least)
    }

    /// Offsets in bytes.
    pub(super) fn bytes(&self, offsets: &[u64]) -> Vec<u64> {
        offsets.iter().map(|offset| offset.saturating_mul(self.alignment)).collect()
    }

    /// Asks the solvers for as few granules as possible.
    pub(super) fn solve(&self, options: &Options) -> Rung {
        self.run(&Options { strategy: Strategy::Optimal, ..options.clone() })
    }

    /// Asks the solvers that the strategy names.
    pub(super) fn run(&self, options: &Options) -> Rung {
        let start = Progress {
            function: String::new(),
            scope: String::new(),
            level: None,
            solver: "",
            nodes: 0,
            best: None,
            bound: 0,
        };
        run(&self.instance, None, options, &Reporter { on: &|_| (), start })
    }

    /// Takes in how the solvers fared, in bytes.
    pub(super) fn take(&self, packed: &mut Packed, rung: &Rung) {
        packed.nodes = packed.nodes.saturating_add(rung.nodes);
        packed.limited = packed.limited.or(rung.limited_by);
        let bytes = |granules: u64| granules.saturating_mul(self.alignment);
        packed.attempts.extend(rung.attempts.iter().map(|attempt| Attempt {
            peak: attempt.peak.map(bytes),
            bound: bytes(attempt.bound),
            ..attempt.clone()
        }));
    }
}

/// The lives of the blocks. A gap in a life is closed when whoever is alive in it meets the block
/// anyway: the same pairs conflict then, and most blocks become rectangles.
fn closed(blocks: &[Block]) -> Vec<Vec<Span>> {
    let gaps: usize = blocks.iter().map(|block| block.spans.len() - 1).sum();
    let patient = gaps.saturating_mul(blocks.len()) <= MAX_PAIRS;
    let life = |block: &Block| {
        let mut live: Vec<Span> = Vec::new();
        for span in &block.spans {
            let last = live.last_mut();
            let free = |gap: &std::ops::Range<u64>| {
                let there = |other: &&Block| {
                    other.spans.iter().any(|span| span.start < gap.end && gap.start < span.end)
                };
                patient && blocks.iter().filter(there).all(|other| other.meets(block))
            };
            match last {
                Some(last) if free(&(last.end..span.start)) => last.end = span.end,
                _ => live.push(Span::new(span.start, span.end)),
            }
        }
        live
    };
    blocks.iter().map(life).collect()
}

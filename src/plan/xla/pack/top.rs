//! The bytes in the top granule: blocks that fill their last granule the most go below it.

use std::collections::BTreeSet;

use memplan_packing::Instance;

use super::blocks::Block;
use super::granules::Granules;
use super::{Packed, laid};
use crate::plan::options::Options;

/// Questions that are asked at most.
const MAX_QUESTIONS: usize = 8;

/// Looks for a heap with as many granules and a lower end: for one last size after the other, from
/// the least that is not refuted yet, may all blocks with a longer one stay below the top granule?
pub(super) fn lower(granules: &Granules, blocks: &[Block], packed: &mut Packed, options: &Options) {
    let top = packed.heap.size.div_ceil(granules.alignment);
    let Some(full) = top.checked_sub(1).map(|below| below.saturating_mul(granules.alignment))
    else {
        return;
    };
    // As long as the answers are proofs, each question that is left is a bound.
    let mut proven = packed.lower_bound > full;
    let ends: BTreeSet<u64> = granules.last.iter().copied().collect();
    let least = packed.lower_bound.saturating_sub(full).max(1);
    for (asked, &last) in ends.range(least..).enumerate() {
        let end = full.saturating_add(last);
        if proven {
            packed.bound(end);
        }
        if end >= packed.heap.size || asked == MAX_QUESTIONS {
            return;
        }
        let rung = granules.ask(&within(granules, top, last), options);
        granules.take(packed, &rung);
        if let Some(packing) = &rung.packing {
            packed.offer(laid(blocks, &packed.heap, &granules.bytes(&packing.offsets)));
        }
        proven &= rung.refuted.is_some();
    }
}

/// The instance with so many granules, the top one for blocks whose last granule holds at most
/// `last` bytes.
fn within(granules: &Granules, top: u64, last: u64) -> Instance {
    let mut instance = granules.instance.clone();
    instance.capacity = Some(top);
    for (item, &of) in instance.items.iter_mut().zip(&granules.last) {
        if of > last {
            item.window = Some(0..top - 1);
        }
    }
    instance
}

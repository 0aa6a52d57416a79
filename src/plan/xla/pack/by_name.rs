//! One named heuristic, or the MILP, on a heap: to compare with.

use super::granules::Granules;
use super::{Packed, blocks, laid};
use crate::analyze::hlo::Event;
use crate::plan::options::Options;
use crate::plan::xla::heap;

/// Packs as the strategy says; `None` when it finds nothing or cannot take such blocks.
pub fn pack_by(events: &[Event], alignment: u64, options: &Options) -> Option<Packed> {
    let alignment = alignment.max(1);
    let blocks = blocks(events);
    let granules = Granules::new(&blocks, alignment);
    let rung = granules.run(options);
    let offsets = granules.bytes(&rung.packing.as_ref()?.offsets);
    // Values without bytes lie where XLA has them.
    let old = heap::choose_best(events, alignment);
    let mut packed = Packed {
        heap: laid(&blocks, &old, &offsets),
        max_load: super::blocks::max_load(&blocks),
        lower_bound: granules.load_bound(),
        optimal: false,
        fewest_granules: false,
        nodes: 0,
        limited: None,
        attempts: Vec::new(),
    };
    granules.take(&mut packed, &rung);
    packed.bound(granules.load_bound());
    packed.bound(granules.bound(rung.bound));
    Some(packed)
}

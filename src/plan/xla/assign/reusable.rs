//! Allocations that later buffers may share (spec/xla-memory.md 9.2, 9.3).

use super::Allocation;
use super::fit::Fit;
use super::occupied::{Blocks, Occupied};
use crate::analyze::hlo::{GroupId, Range, ValueId};

/// The reusable allocations, in the order in which they were made.
pub(super) struct Reusable {
    /// Their numbers, and what they hold when.
    list: Vec<(usize, Occupied)>,
    blocks: Blocks,
    /// The place in the list of each allocation, by number.
    place: Vec<Option<usize>>,
}

/// A buffer that looks for a place.
pub(super) struct Offer<'o> {
    pub(super) group: GroupId,
    pub(super) size: u64,
    pub(super) memory_space: u32,
    pub(super) live_out: bool,
    /// When its values are alive.
    pub(super) ranges: &'o [(ValueId, Range)],
    /// Allocations of what its copies read, by number: a copy may not lie on its source.
    pub(super) sources: &'o [usize],
}

impl Reusable {
    /// For a clock with times `0..=end`.
    pub(super) fn new(end: u32) -> Self {
        Self { list: Vec::new(), blocks: Blocks::new(end), place: Vec::new() }
    }

    /// Allocation `number` may be shared from now on.
    pub(super) fn add(&mut self, number: usize, ranges: &[(ValueId, Range)]) {
        let place = self.blocks.add();
        self.list.push((number, Occupied::default()));
        self.place.resize(self.place.len().max(number + 1), None);
        self.place[number] = Some(place);
        self.occupy(place, ranges);
    }

    /// The allocation of that number holds these values, too.
    pub(super) fn hold(&mut self, number: usize, ranges: &[(ValueId, Range)]) {
        if let Some(place) = self.place.get(number).copied().flatten() {
            self.occupy(place, ranges);
        }
    }

    fn occupy(&mut self, place: usize, ranges: &[(ValueId, Range)]) {
        let Some((_, held)) = self.list.get_mut(place) else { return };
        for &(value, range) in ranges {
            held.insert(value, range);
            self.blocks.occupy(place, range);
        }
    }

    /// True when allocation `number` takes the buffer.
    pub(super) fn takes(
        &self,
        number: usize,
        allocations: &[Allocation],
        offer: &Offer<'_>,
        fit: &mut Fit<'_, '_>,
    ) -> bool {
        let Some(place) = self.place.get(number).copied().flatten() else { return false };
        let (Some(to), Some((_, held))) = (allocations.get(number), self.list.get(place)) else {
            return false;
        };
        to.memory_space == offer.memory_space
            && offer.size <= to.size
            && (!offer.live_out || offer.size == to.size)
            && !to.is_read_only()
            && !offer.sources.contains(&number)
            && fit.fits(offer.group, held)
    }

    /// The allocation added last that takes the buffer.
    pub(super) fn find(
        &self,
        allocations: &[Allocation],
        offer: &Offer<'_>,
        fit: &mut Fit<'_, '_>,
    ) -> Option<usize> {
        let ranges: Vec<Range> = offer.ranges.iter().map(|&(_, range)| range).collect();
        self.blocks
            .candidates(&ranges)
            .filter_map(|place| self.list.get(place).map(|&(number, _)| number))
            .find(|&number| self.takes(number, allocations, offer, fit))
    }
}

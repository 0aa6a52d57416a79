//! Rectangles of sections and units.

use memplan_packing::sections::Sections;
use memplan_packing::{Goal, Instance, ItemId, Packing};

use super::level::Level;
use crate::units::{MAX_UNITS, Unit, granule, limit};

/// Rectangles taken at most: every node looks at all that are left.
pub const MAX_RECTS: u64 = 5_000;

/// An item with bytes and a life.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rect<L> {
    pub(super) item: ItemId,
    /// First section.
    pub(super) lo: u32,
    /// Past the last section.
    pub(super) hi: u32,
    pub(super) size: L,
    /// Rectangles of the same class live in the same sections.
    pub(super) class: u32,
    /// Rectangles of the same twin number have the same size, too.
    pub(super) twin: u32,
}

impl<L> Rect<L> {
    /// How many sections it lives in.
    pub(super) fn width(&self) -> u32 {
        self.hi - self.lo
    }
}

/// What is to be packed.
#[derive(Clone, Debug)]
pub(super) struct Problem<L> {
    pub(super) rects: Vec<Rect<L>>,
    /// The sections of each, `[lo, hi)`, side by side for fast scans.
    pub(super) spans: Vec<(u32, u32)>,
    /// The least size.
    pub(super) smallest: L,
    /// Sum of sizes by section.
    pub(super) loads: Vec<Unit>,
    /// How many different classes there are.
    pub(super) classes: usize,
    granule: u64,
    items: usize,
}

/// True when the items are rectangles that any multiples of the granule will do for.
pub(crate) fn is_pure(instance: &Instance, goal: Goal) -> bool {
    let granule = granule(instance);
    let free = instance.reserved.is_empty()
        && instance.separate.is_empty()
        && instance.exclusive.is_empty()
        && instance.colocated.is_empty()
        && instance.inplace.is_empty()
        && instance.promotions.is_empty()
        && (instance.costs.is_empty() || goal != Goal::CostThenPeak);
    free && instance.items.iter().all(|item| {
        let free = item.pin.is_none() && item.window.is_none() && !item.alone;
        free && item.live.len() <= 1 && granule.is_multiple_of(item.align)
    })
}

/// True when a pure instance is not too large.
pub(crate) fn takes(instance: &Instance) -> bool {
    let granule = granule(instance);
    let largest = instance.items.iter().map(|item| item.size / granule).max().unwrap_or(0);
    let few = instance.items.len() as u64 <= MAX_RECTS;
    few && largest <= MAX_UNITS as u64 && limit(instance, granule).is_some()
}

impl<L: Level> Problem<L> {
    /// The rectangles of a pure instance. What has no bytes or no life is in nobody's way.
    pub(super) fn new(instance: &Instance) -> Self {
        let granule = granule(instance);
        let sections = Sections::new(instance);
        let mut loads = vec![0; sections.len()];
        let mut rects = Vec::new();
        for (item, of) in instance.items.iter().enumerate() {
            for range in sections.of(item as ItemId) {
                let size = (of.size / granule) as Unit;
                let (lo, hi) = (range.start, range.end);
                loads[lo as usize..hi as usize].iter_mut().for_each(|load| *load += size);
                let size = L::of(size);
                rects.push(Rect { item: item as ItemId, lo, hi, size, class: 0, twin: 0 });
            }
        }
        let key = |rect: &Rect<L>| (rect.lo, rect.hi, rect.size);
        let mut order: Vec<usize> = (0..rects.len()).collect();
        order.sort_by_key(|&r| key(&rects[r]));
        let (mut class, mut twin) = (0, 0);
        for pair in 1..order.len() {
            let (a, b) = (key(&rects[order[pair - 1]]), key(&rects[order[pair]]));
            class += u32::from((a.0, a.1) != (b.0, b.1));
            twin += u32::from(a != b);
            rects[order[pair]].class = class;
            rects[order[pair]].twin = twin;
        }
        let spans = rects.iter().map(|rect| (rect.lo, rect.hi)).collect();
        let smallest = rects.iter().map(|rect| rect.size).min().unwrap_or_default();
        let (classes, items) = (class as usize + 1, instance.items.len());
        Self { rects, spans, smallest, loads, classes, granule, items }
    }

    /// Bytes for units.
    pub(super) fn bytes(&self, units: Unit) -> u64 {
        (units.max(0) as u64).saturating_mul(self.granule)
    }

    /// Units that hold so many bytes.
    pub(super) fn units(&self, bytes: u64) -> Unit {
        bytes.div_ceil(self.granule).min(Unit::MAX as u64) as Unit
    }

    /// The packing that puts the rectangles at these offsets, and what is in nobody's way at 0.
    pub(super) fn packing(&self, offsets: &[L]) -> Packing {
        let mut packing = Packing { offsets: vec![0; self.items], promoted: Vec::new() };
        for (rect, &offset) in self.rects.iter().zip(offsets) {
            packing.offsets[rect.item as usize] = self.bytes(offset.units());
        }
        packing
    }

    /// The largest end.
    pub(super) fn peak(&self, offsets: &[L]) -> Unit {
        let ends =
            self.rects.iter().zip(offsets).map(|(rect, &offset)| (rect.size + offset).units());
        ends.max().unwrap_or(0)
    }
}

//! Valid random instances, by seed: for tests and benches.

use crate::instance::{Colocation, Inplace, Instance, Item, ItemId, PairCost, Promotion, Span};
use crate::random::SplitMix64;

/// What a random instance may contain. Every instance made from it passes
/// [`Instance::validate`]; it need not be feasible when there are pins or windows.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How many items.
    pub items: usize,
    /// Lives lie in `0..steps`.
    pub steps: u64,
    /// The longest span.
    pub longest: u64,
    /// The largest size.
    pub largest: u64,
    /// Several spans.
    pub gaps: bool,
    /// Alignments above 1, powers of two and others.
    pub aligns: bool,
    /// Pins and windows.
    pub places: bool,
    /// Reserved ranges.
    pub reserved: bool,
    /// Items that are alone, `separate` and `exclusive` pairs.
    pub pairs: bool,
    /// Colocation and in-place pairs.
    pub sharing: bool,
    /// Promotions.
    pub promotions: bool,
    /// Pair costs.
    pub costs: bool,
}

impl Shape {
    /// Sizes and lives only.
    pub fn plain(items: usize) -> Self {
        Self {
            items,
            steps: 2 * items as u64 + 2,
            longest: (items as u64 / 2).max(3),
            largest: 64,
            gaps: false,
            aligns: false,
            places: false,
            reserved: false,
            pairs: false,
            sharing: false,
            promotions: false,
            costs: false,
        }
    }

    /// Everything that an instance can contain.
    pub fn full(items: usize) -> Self {
        Self {
            gaps: true,
            aligns: true,
            places: true,
            reserved: true,
            pairs: true,
            sharing: true,
            promotions: true,
            costs: true,
            ..Self::plain(items)
        }
    }

    /// Small enough to try every packing: few steps, few bytes.
    pub fn tiny(self) -> Self {
        Self { steps: 6, longest: 4, largest: 5, ..self }
    }

    /// The instance of this shape that belongs to a seed.
    pub fn instance(&self, seed: u64) -> Instance {
        let mut maker = Maker { shape: self, random: SplitMix64::new(seed) };
        let mut instance = Instance::default();
        for _ in 0..self.items {
            let item = maker.item();
            instance.items.push(item);
        }
        maker.relate(&mut instance);
        instance
    }
}

struct Maker<'a> {
    shape: &'a Shape,
    random: SplitMix64,
}

impl Maker<'_> {
    fn item(&mut self) -> Item {
        let (shape, random) = (self.shape, &mut self.random);
        let mut at = random.below(shape.steps);
        let end = at + 1 + random.below(shape.longest);
        let size = if random.chance(1, 16) { 0 } else { 1 + random.below(shape.largest) };
        let mut item = Item::new(size, 1, at, end);
        while shape.gaps && random.chance(1, 4) {
            at = item.hull().end + random.below(3);
            item.live.push(Span::new(at, at + 1 + random.below(shape.longest)));
        }
        if shape.gaps && random.chance(1, 32) {
            item.live.clear();
        }
        if shape.aligns && random.chance(1, 2) {
            item.align = [2, 3, 4, 8][random.below(4) as usize];
        }
        if shape.places && random.chance(1, 10) {
            item.pin = Some(random.below(2 * shape.largest).next_multiple_of(item.align));
        } else if shape.places && random.chance(1, 8) {
            let start = random.below(2 * shape.largest);
            item.window = Some(start..start + item.size + random.below(2 * shape.largest));
        }
        item.alone = shape.pairs && random.chance(1, 12);
        item
    }

    /// Two different items.
    fn pair(&mut self, n: u64) -> (ItemId, ItemId) {
        let a = self.random.below(n);
        let b = (a + 1 + self.random.below(n - 1)) % n;
        (a as ItemId, b as ItemId)
    }

    fn relate(&mut self, instance: &mut Instance) {
        let n = instance.items.len() as u64;
        if self.shape.reserved {
            let mut at = 0;
            for _ in 0..self.random.below(3) {
                let start = at + self.random.below(2 * self.shape.largest);
                at = start + 1 + self.random.below(self.shape.largest.div_ceil(2));
                instance.reserved.push(start..at);
            }
        }
        if n < 2 {
            return;
        }
        for _ in 0..n {
            let (first, second) = self.pair(n);
            if self.shape.pairs && self.random.chance(1, 4) {
                instance.separate.push((first, second));
            }
            if self.shape.costs && self.random.chance(1, 2) {
                let (first, second) = self.pair(n);
                instance.costs.push(PairCost { first, second, cost: 1 + self.random.below(9) });
            }
            if self.shape.pairs && self.random.chance(1, 4) {
                let pair = self.pair(n);
                instance.exclusive.push(pair);
            }
            let (from, into) = self.pair(n);
            let larger = instance.items[into as usize].size > instance.items[from as usize].size;
            if self.shape.sharing && self.random.chance(1, 3) && !larger {
                instance.inplace.push(Inplace { from, into });
            }
            let (first, second) = self.pair(n);
            if self.shape.sharing && self.random.chance(1, 8) {
                let delta = self.random.below(3) * self.random.below(self.shape.largest);
                instance.colocated.push(Colocation { first, second, delta });
                drop_last_if_invalid(instance, |i| &mut i.colocated);
            }
        }
        for _ in 0..n.div_ceil(2) {
            if n > 2 && self.shape.promotions {
                self.promotion(instance, n);
            }
        }
    }

    fn promotion(&mut self, instance: &mut Instance, n: u64) {
        let single = self.random.below(n) as ItemId;
        let count = 2 + self.random.below(2);
        let slots: Vec<ItemId> = (0..count).map(|_| self.random.below(n) as ItemId).collect();
        let usual = self.random.chance(7, 8);
        let before = instance.promotions.len();
        instance.promotions.push(Promotion { single, slots: slots.clone() });
        drop_last_if_invalid(instance, |i| &mut i.promotions);
        // As a planner does: the single shares with the slots only if it is promoted.
        if usual && instance.promotions.len() > before {
            instance.separate.extend(slots.into_iter().map(|slot| (single, slot)));
        }
    }
}

fn drop_last_if_invalid<T>(instance: &mut Instance, list: impl Fn(&mut Instance) -> &mut Vec<T>) {
    if instance.validate().is_err() {
        list(instance).pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_is_valid() {
        for seed in 0..500 {
            let items = 1 + seed as usize % 12;
            assert_eq!(Shape::full(items).instance(seed).validate(), Ok(()));
            assert_eq!(Shape::full(items).tiny().instance(seed).validate(), Ok(()));
        }
    }
}

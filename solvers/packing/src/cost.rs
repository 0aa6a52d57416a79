//! What a packing pays for sharing.

use crate::instance::{Instance, ItemId};
use crate::outcome::Packing;

impl Packing {
    /// The summed cost of all pairs whose bytes overlap; `u64::MAX` when the sum is larger.
    ///
    /// A promoted single is looked at on all of its slots, pays each pair once, and pays nothing
    /// for the slots themselves.
    pub fn cost(&self, instance: &Instance) -> u64 {
        let overlap = |a: u64, b: u64, first: ItemId, second: ItemId| {
            let (x, y) =
                (instance.items[first as usize].size, instance.items[second as usize].size);
            x > 0 && y > 0 && a < b.saturating_add(y) && b < a.saturating_add(x)
        };
        let slots = |item: ItemId| {
            let mut promoted = self.promoted.iter().map(|&p| &instance.promotions[p as usize]);
            promoted.find(|p| p.single == item).map(|p| p.slots.as_slice())
        };
        let mut total = 0u64;
        for c in &instance.costs {
            let paid = if self.promoted.is_empty() {
                overlap(
                    self.offsets[c.first as usize],
                    self.offsets[c.second as usize],
                    c.first,
                    c.second,
                )
            } else {
                let (mine, theirs) = (slots(c.first), slots(c.second));
                let exempt = mine.is_some_and(|s| s.contains(&c.second))
                    || theirs.is_some_and(|s| s.contains(&c.first));
                let (own, other) = ([c.first], [c.second]);
                let firsts = mine.unwrap_or(&own);
                let seconds = theirs.unwrap_or(&other);
                let at = |id: &ItemId| self.offsets[*id as usize];
                let meet = |a| seconds.iter().any(|b| overlap(at(a), at(b), c.first, c.second));
                !exempt && firsts.iter().any(meet)
            };
            if paid {
                total = total.saturating_add(c.cost);
            }
        }
        total
    }
}

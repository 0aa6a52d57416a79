//! What a packing pays.

use memplan_packing::{Instance, ItemId, Packing};

/// The sum of the costs of all pairs whose bytes overlap.
///
/// A promoted single holds bytes on every slot, and pays nothing for sharing with the slots.
pub(crate) fn cost(instance: &Instance, packing: &Packing) -> u64 {
    let in_force = || packing.promoted.iter().filter_map(|&p| instance.promotions.get(p as usize));
    let places = |item: ItemId| -> Vec<u64> {
        match in_force().find(|promotion| promotion.single == item) {
            Some(promotion) => {
                promotion.slots.iter().map(|&s| packing.offsets[s as usize]).collect()
            }
            None => vec![packing.offsets[item as usize]],
        }
    };
    let joined = |a: ItemId, b: ItemId| {
        in_force().any(|p| {
            (p.single == a && p.slots.contains(&b)) || (p.single == b && p.slots.contains(&a))
        })
    };
    let share = |a: ItemId, b: ItemId| {
        let (sa, sb) = (instance.items[a as usize].size, instance.items[b as usize].size);
        let theirs = places(b);
        sa > 0
            && sb > 0
            && places(a).iter().any(|&x| {
                theirs.iter().any(|&y| x < y.saturating_add(sb) && y < x.saturating_add(sa))
            })
    };
    let paid = instance.costs.iter().filter(|c| !joined(c.first, c.second));
    let paid = paid.filter(|c| share(c.first, c.second));
    paid.fold(0, |sum, c| sum.saturating_add(c.cost))
}

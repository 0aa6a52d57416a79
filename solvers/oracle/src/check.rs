//! Whether a packing is right, straight from the sentences of the contract.

use memplan_packing::{Instance, ItemId, Packing};

use crate::apart::{Apart, Place, apart, joined};

/// True when the packing breaks no rule of the instance.
pub fn check(instance: &Instance, packing: &Packing) -> bool {
    let Some(places) = all_places(instance, packing) else {
        return false;
    };
    let colocated = |c: &memplan_packing::Colocation| {
        let (a, b) = (packing.offsets[c.first as usize], packing.offsets[c.second as usize]);
        i128::from(b) == i128::from(a) + i128::from(c.delta)
    };
    if !instance.colocated.iter().all(colocated) {
        return false;
    }
    let n = instance.items.len();
    (0..n).all(|i| sits_well(instance, packing, i, &places[i]))
        && (0..n).all(|i| {
            (0..=i).all(|j| {
                overlaps(instance, &places, i, j).iter().all(|&(x, y)| {
                    let (x, y) = (places[i][x], places[j][y]);
                    match apart(instance, &packing.promoted, x.1, y.1) {
                        Apart::Free => true,
                        Apart::UnlessEqual => x.0 == y.0,
                        Apart::Always => false,
                    }
                })
            })
        })
}

/// What the packing pays: the cost of every listed pair whose bytes overlap.
///
/// A promoted single pays nothing with the slots that it joined.
pub fn cost(instance: &Instance, packing: &Packing) -> u64 {
    let Some(places) = all_places(instance, packing) else {
        return u64::MAX;
    };
    let paid = |c: &&memplan_packing::PairCost| {
        !joined(instance, &packing.promoted, c.first, c.second)
            && !overlaps(instance, &places, c.first as usize, c.second as usize).is_empty()
    };
    instance.costs.iter().filter(paid).fold(0, |sum, c| sum.saturating_add(c.cost))
}

/// Where each item holds bytes: at its offset, or on each slot when it is promoted.
fn all_places(instance: &Instance, packing: &Packing) -> Option<Vec<Vec<(u64, Place)>>> {
    if packing.offsets.len() != instance.items.len() {
        return None;
    }
    let item =
        |(item, &offset): (usize, &u64)| vec![(offset, Place { item: item as ItemId, slot: None })];
    let mut places: Vec<_> = packing.offsets.iter().enumerate().map(item).collect();
    if !packing.promoted.windows(2).all(|w| w[0] < w[1]) {
        return None;
    }
    let mut singles = Vec::new();
    for &p in &packing.promoted {
        let promotion = instance.promotions.get(p as usize)?;
        let item = promotion.single;
        let on = |&s: &ItemId| (packing.offsets[s as usize], Place { item, slot: Some(s) });
        let slots: Vec<_> = promotion.slots.iter().map(on).collect();
        let on_a_slot = slots.iter().any(|slot| slot.0 == packing.offsets[item as usize]);
        if !on_a_slot || singles.contains(&item) {
            return None;
        }
        singles.push(item);
        places[item as usize] = slots;
    }
    // Nobody joins a slot that joined others itself.
    let chained =
        |&p: &u32| instance.promotions[p as usize].slots.iter().any(|slot| singles.contains(slot));
    if packing.promoted.iter().any(chained) {
        return None;
    }
    Some(places)
}

/// Alignment, pin, window, capacity and reserved ranges of one item.
fn sits_well(instance: &Instance, packing: &Packing, i: usize, places: &[(u64, Place)]) -> bool {
    let item = &instance.items[i];
    if item.pin.is_some_and(|pin| pin != packing.offsets[i]) {
        return false;
    }
    places.iter().all(|&(start, _)| {
        if !start.is_multiple_of(item.align) {
            return false;
        }
        if item.size == 0 {
            return true;
        }
        let Some(end) = start.checked_add(item.size) else {
            return false;
        };
        instance.capacity.is_none_or(|capacity| end <= capacity)
            && item.window.as_ref().is_none_or(|w| w.start <= start && end <= w.end)
            && instance.reserved.iter().all(|r| end <= r.start || r.end <= start)
    })
}

/// The places of the two items that share bytes, by their indices.
fn overlaps(
    instance: &Instance,
    places: &[Vec<(u64, Place)>],
    i: usize,
    j: usize,
) -> Vec<(usize, usize)> {
    let (a, b) = (instance.items[i].size, instance.items[j].size);
    let overlap = |x: u64, y: u64| {
        let (x, y) = (i128::from(x), i128::from(y));
        a > 0 && b > 0 && x < y + i128::from(b) && y < x + i128::from(a)
    };
    let mut found = Vec::new();
    for (x, place) in places[i].iter().enumerate() {
        let mut theirs = places[j].iter().enumerate();
        let shared = theirs.by_ref().filter(|(_, other)| overlap(place.0, other.0));
        found.extend(shared.map(|(y, _)| (x, y)));
    }
    found
}

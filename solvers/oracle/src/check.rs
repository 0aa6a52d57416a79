//! Whether a packing is right, straight from the sentences of the contract.

use memplan_packing::{Instance, ItemId, Packing};

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
            (0..i).all(|j| {
                let shared = share(instance, &places, i, j);
                !shared || !forbidden(instance, packing, i as ItemId, j as ItemId)
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
        !joined(instance, packing, c.first, c.second)
            && share(instance, &places, c.first as usize, c.second as usize)
    };
    instance.costs.iter().filter(paid).fold(0, |sum, c| sum.saturating_add(c.cost))
}

/// The offsets at which each item holds bytes: one, or one for each slot when it is promoted.
fn all_places(instance: &Instance, packing: &Packing) -> Option<Vec<Vec<u64>>> {
    if packing.offsets.len() != instance.items.len() {
        return None;
    }
    let mut places: Vec<Vec<u64>> = packing.offsets.iter().map(|&o| vec![o]).collect();
    if !packing.promoted.windows(2).all(|w| w[0] < w[1]) {
        return None;
    }
    let mut singles = Vec::new();
    for &p in &packing.promoted {
        let promotion = instance.promotions.get(p as usize)?;
        let slots: Vec<u64> =
            promotion.slots.iter().map(|&s| packing.offsets[s as usize]).collect();
        let on_a_slot = slots.contains(&packing.offsets[promotion.single as usize]);
        if !on_a_slot || singles.contains(&promotion.single) {
            return None;
        }
        singles.push(promotion.single);
        places[promotion.single as usize] = slots;
    }
    Some(places)
}

/// Alignment, pin, window, capacity and reserved ranges of one item.
fn sits_well(instance: &Instance, packing: &Packing, i: usize, places: &[u64]) -> bool {
    let item = &instance.items[i];
    if item.pin.is_some_and(|pin| pin != packing.offsets[i]) {
        return false;
    }
    places.iter().all(|&start| {
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

/// True when some bytes belong to both items.
fn share(instance: &Instance, places: &[Vec<u64>], i: usize, j: usize) -> bool {
    let (a, b) = (instance.items[i].size, instance.items[j].size);
    let overlap = |x: u64, y: u64| {
        let (x, y) = (i128::from(x), i128::from(y));
        a > 0 && b > 0 && x < y + i128::from(b) && y < x + i128::from(a)
    };
    places[i].iter().any(|&x| places[j].iter().any(|&y| overlap(x, y)))
}

/// True when the two items must not share bytes as they lie.
fn forbidden(instance: &Instance, packing: &Packing, i: ItemId, j: ItemId) -> bool {
    let same_offset = packing.offsets[i as usize] == packing.offsets[j as usize];
    must_differ(instance, &packing.promoted, i, j) && !(inplace(instance, i, j) && same_offset)
}

/// True when the items conflict, leaving in-place pairs aside.
pub(crate) fn must_differ(instance: &Instance, promoted: &[u32], i: ItemId, j: ItemId) -> bool {
    let (a, b) = (&instance.items[i as usize], &instance.items[j as usize]);
    let groups = instance.groups().unwrap_or_default();
    let same_group = groups.get(i as usize).map(|g| g.0) == groups.get(j as usize).map(|g| g.0);
    if a.size == 0 || b.size == 0 || same_group || is_joined(instance, promoted, i, j) {
        return false;
    }
    let listed = |pairs: &[(ItemId, ItemId)]| pairs.contains(&(i, j)) || pairs.contains(&(j, i));
    let hard = a.alone || b.alone || listed(&instance.separate);
    hard || (a.meets(b) && !listed(&instance.exclusive))
}

/// True when the two may share at one offset.
pub(crate) fn inplace(instance: &Instance, i: ItemId, j: ItemId) -> bool {
    instance.inplace.iter().any(|p| (p.from, p.into) == (i, j) || (p.from, p.into) == (j, i))
}

fn joined(instance: &Instance, packing: &Packing, i: ItemId, j: ItemId) -> bool {
    is_joined(instance, &packing.promoted, i, j)
}

/// True when one is a promoted single and the other one of the slots that it joined.
pub(crate) fn is_joined(instance: &Instance, promoted: &[u32], i: ItemId, j: ItemId) -> bool {
    promoted
        .iter()
        .filter_map(|&p| instance.promotions.get(p as usize))
        .any(|p| (p.single == i && p.slots.contains(&j)) || (p.single == j && p.slots.contains(&i)))
}

//! Slow, obvious twins of what the crate does fast.

use memplan_packing::{Fault, Instance, ItemId, Packing};

/// The byte ranges of an item, each with the slot whose place it takes.
fn ranges(instance: &Instance, packing: &Packing, item: ItemId) -> Vec<(Option<ItemId>, u64)> {
    match force(instance, packing, item) {
        None => vec![(None, packing.offsets[item as usize])],
        Some(p) => {
            let slots = &instance.promotions[p as usize].slots;
            slots.iter().map(|&s| (Some(s), packing.offsets[s as usize])).collect()
        }
    }
}

fn force(instance: &Instance, packing: &Packing, item: ItemId) -> Option<u32> {
    let mut promoted = packing.promoted.iter().copied();
    promoted.find(|&p| instance.promotions[p as usize].single == item)
}

/// Whether two items that lie at these offsets break a rule.
pub(crate) fn clash(
    instance: &Instance,
    a: (ItemId, u64),
    b: (ItemId, u64),
    separate: bool,
) -> bool {
    let (x, y) = (&instance.items[a.0 as usize], &instance.items[b.0 as usize]);
    let bytes = |o: u64, size: u64| o..o + size;
    let (p, q) = (bytes(a.1, x.size), bytes(b.1, y.size));
    if p.is_empty() || q.is_empty() || p.end <= q.start || q.end <= p.start {
        return false;
    }
    let is = |l: ItemId, r: ItemId| (l, r) == (a.0, b.0) || (l, r) == (b.0, a.0);
    if x.alone || y.alone || (separate && instance.separate.iter().any(|&(l, r)| is(l, r))) {
        return true;
    }
    let inplace = instance.inplace.iter().any(|i| is(i.from, i.into));
    let exclusive = instance.exclusive.iter().any(|&(l, r)| is(l, r));
    let meets = x.live.iter().any(|s| y.live.iter().any(|t| s.start < t.end && t.start < s.end));
    meets && !exclusive && !(inplace && a.1 == b.1)
}

/// All faults, in the order of the checker.
pub(crate) fn check(instance: &Instance, packing: &Packing) -> Vec<Fault> {
    let groups = groups(instance);
    let n = instance.items.len() as ItemId;
    let mut faults = Vec::new();
    for id in 0..n {
        let item = &instance.items[id as usize];
        let offsets: Vec<u64> = ranges(instance, packing, id).into_iter().map(|(_, o)| o).collect();
        let own = packing.offsets[id as usize];
        let any = |f: &dyn Fn(u64, u64) -> bool| {
            item.size > 0 && offsets.iter().any(|&o| f(o, o.saturating_add(item.size)))
        };
        let overflow = |o: u64, _| o.checked_add(item.size).is_none();
        if any(&overflow) || any(&|_, end| instance.capacity.is_some_and(|c| end > c)) {
            faults.push(Fault::Capacity(id));
        }
        if offsets.iter().chain([&own]).any(|o| o % item.align != 0) {
            faults.push(Fault::Misaligned(id));
        }
        if item.pin.is_some_and(|pin| own != pin) {
            faults.push(Fault::Pin(id));
        }
        let window = item.window.clone().unwrap_or(0..u64::MAX);
        if any(&|o, end| o < window.start || end > window.end) {
            faults.push(Fault::Window(id));
        }
        if any(&|o, end| instance.reserved.iter().any(|r| r.start < end && o < r.end)) {
            faults.push(Fault::Reserved(id));
        }
    }
    for c in &instance.colocated {
        let first = packing.offsets[c.first as usize];
        if first.checked_add(c.delta) != Some(packing.offsets[c.second as usize]) {
            faults.push(Fault::Apart(c.first, c.second));
        }
    }
    for (at, &p) in packing.promoted.iter().enumerate() {
        let promotion = &instance.promotions[p as usize];
        let (single, slots) = (promotion.single, &promotion.slots);
        let twice =
            force(instance, packing, single) != Some(p) || packing.promoted[..at].contains(&p);
        let off =
            slots.iter().all(|&s| packing.offsets[s as usize] != packing.offsets[single as usize]);
        let chained = slots.iter().any(|&s| force(instance, packing, s).is_some());
        let copies = ranges(instance, packing, single);
        let item = &instance.items[single as usize];
        let crossed = (item.alone || !item.live.is_empty())
            && force(instance, packing, single) == Some(p)
            && copies.iter().any(|&(s, o)| {
                copies.iter().any(|&(t, u)| {
                    let group = |slot: Option<ItemId>| slot.map(|slot| groups[slot as usize]);
                    group(s) != group(t) && o < u + item.size && u < o + item.size
                })
            });
        if (twice || off || chained || crossed) && faults.last() != Some(&Fault::Promotion(p)) {
            faults.push(Fault::Promotion(p));
        }
    }
    for a in 0..n {
        for b in a + 1..n {
            let mut bad = false;
            for (slot_a, at_a) in ranges(instance, packing, a) {
                for (slot_b, at_b) in ranges(instance, packing, b) {
                    let takes = |slot: Option<ItemId>, single: ItemId, other: ItemId| {
                        let index = force(instance, packing, single)?;
                        let slots = &instance.promotions[index as usize].slots;
                        slots.contains(&other).then_some(groups[slot? as usize])
                    };
                    let mut separate = true;
                    let mut excused = slot_a.is_none()
                        && slot_b.is_none()
                        && groups[a as usize] == groups[b as usize];
                    if slot_b.is_none()
                        && let Some(group) = takes(slot_a, a, b)
                    {
                        separate = false;
                        excused |= group == groups[b as usize];
                    }
                    if slot_a.is_none()
                        && let Some(group) = takes(slot_b, b, a)
                    {
                        separate = false;
                        excused |= group == groups[a as usize];
                    }
                    bad |= !excused && clash(instance, (a, at_a), (b, at_b), separate);
                }
            }
            if bad {
                faults.push(Fault::Overlap(a, b));
            }
        }
    }
    faults
}

/// The smallest peak below `limit` of any packing at all, found by trying them all.
pub(crate) fn optimum(instance: &Instance, limit: u64) -> Option<u64> {
    let subsets = 1u32 << instance.promotions.len();
    let sets = (0..subsets).map(|set| {
        let has = |p: &u32| set >> p & 1 == 1;
        (0..instance.promotions.len() as u32).filter(has).collect::<Vec<u32>>()
    });
    let sets: Vec<Vec<u32>> = sets.collect();
    let groups: Vec<u32> = groups(instance);
    (0..limit).find(|&peak| {
        sets.iter().any(|promoted| {
            let mut packing = Packing { offsets: Vec::new(), promoted: promoted.clone() };
            extend(instance, &groups, &mut packing, peak)
        })
    })
}

fn groups(instance: &Instance) -> Vec<u32> {
    instance.groups().expect("valid").into_iter().map(|(group, _)| group).collect()
}

/// Whether the packing of the first items can be completed without passing the peak.
fn extend(instance: &Instance, groups: &[u32], packing: &mut Packing, peak: u64) -> bool {
    let id = packing.offsets.len();
    let Some(item) = instance.items.get(id) else {
        return check(instance, packing).is_empty();
    };
    let capacity = instance.capacity.unwrap_or(u64::MAX).min(peak);
    let single = |id: usize| force(instance, packing, id as ItemId).is_some();
    let me = single(id);
    // A promoted single lies on more bytes than its own: only the complete packing is judged.
    let near: Vec<usize> =
        (0..id).filter(|&o| groups[o] != groups[id] && !me && !single(o)).collect();
    let slots: Option<Vec<u64>> = force(instance, packing, id as ItemId).map(|p| {
        let placed = |&s: &ItemId| packing.offsets.get(s as usize).copied();
        let slots: Vec<Option<u64>> =
            instance.promotions[p as usize].slots.iter().map(placed).collect();
        let all: Option<Vec<u64>> = slots.into_iter().collect();
        all.unwrap_or_else(|| (0..=capacity).collect())
    });
    for offset in 0..=capacity.saturating_sub(item.size) {
        let end = offset + item.size;
        let fits = (item.size == 0 || end <= capacity)
            && offset.is_multiple_of(item.align)
            && item.pin.is_none_or(|pin| pin == offset)
            && item.size.min(1) * u64::from(reserved(instance, offset, end)) == 0
            && slots.as_ref().is_none_or(|slots| slots.contains(&offset));
        let clashes = |&o: &usize| {
            clash(instance, (o as ItemId, packing.offsets[o]), (id as ItemId, offset), true)
        };
        if !fits || near.iter().any(clashes) {
            continue;
        }
        packing.offsets.push(offset);
        if extend(instance, groups, packing, peak) {
            return true;
        }
        packing.offsets.pop();
    }
    false
}

fn reserved(instance: &Instance, lo: u64, hi: u64) -> bool {
    instance.reserved.iter().any(|r| r.start < hi && lo < r.end)
}

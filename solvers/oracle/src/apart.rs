//! Whether two things may share bytes.

use memplan_packing::{Instance, ItemId};

/// An item, or a copy of a promoted one on one of its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) item: ItemId,
    pub(crate) slot: Option<ItemId>,
}

/// What is asked of two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    /// They may share bytes.
    Free,
    /// They may share bytes only at one offset: an in-place pair.
    UnlessEqual,
    /// They may not.
    Always,
}

/// Reads the contract about two places.
pub(crate) fn apart(instance: &Instance, promoted: &[u32], x: Place, y: Place) -> Apart {
    let groups = instance.groups().unwrap_or_default();
    let group = |id: ItemId| groups.get(id as usize).map(|g| g.0);
    if x.item == y.item {
        // Two copies of a single are disjoint unless their slots are names of one thing.
        return match (x.slot, y.slot) {
            (Some(s), Some(t)) if group(s) != group(t) => Apart::Always,
            _ => Apart::Free,
        };
    }
    let (a, b) = (&instance.items[x.item as usize], &instance.items[y.item as usize]);
    if a.size == 0 || b.size == 0 {
        return Apart::Free;
    }
    let listed = |pairs: &[(ItemId, ItemId)]| {
        pairs.contains(&(x.item, y.item)) || pairs.contains(&(y.item, x.item))
    };
    let alone = a.alone || b.alone;
    if joined(instance, promoted, x.item, y.item) {
        // The copy on a slot lies as if colocated with it; other slots are not `separate` from it.
        let on = x.slot.or(y.slot);
        let slot = if x.slot.is_some() { y.item } else { x.item };
        let own = on.is_some_and(|on| group(on) == group(slot));
        return if alone && !own { Apart::Always } else { Apart::Free };
    }
    if x.slot.is_none() && y.slot.is_none() && group(x.item) == group(y.item) {
        return Apart::Free;
    }
    if alone || listed(&instance.separate) {
        return Apart::Always;
    }
    if !a.meets(b) || listed(&instance.exclusive) {
        return Apart::Free;
    }
    let pair = |p: &memplan_packing::Inplace| {
        (p.from, p.into) == (x.item, y.item) || (p.from, p.into) == (y.item, x.item)
    };
    if instance.inplace.iter().any(pair) { Apart::UnlessEqual } else { Apart::Always }
}

/// True when one is a promoted single and the other one of the slots that it joined.
pub(crate) fn joined(instance: &Instance, promoted: &[u32], i: ItemId, j: ItemId) -> bool {
    promoted
        .iter()
        .filter_map(|&p| instance.promotions.get(p as usize))
        .any(|p| (p.single == i && p.slots.contains(&j)) || (p.single == j && p.slots.contains(&i)))
}

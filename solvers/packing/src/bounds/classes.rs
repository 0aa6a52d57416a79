//! Classes of items that never share bytes with each other.

use crate::instance::{Instance, ItemId};
use crate::relations::{Conflict, Relations};

/// Up to so many items the classes are looked for: in the worst case every pair is looked at.
const CLASSED_ITEMS: usize = 10_000;

/// The connected parts of the graph of pairs that may share bytes, among items with bytes.
///
/// Items of different classes conflict, be it in time, as `separate`, or because one is alone. So
/// the loads of the classes add up, each taken at its own heaviest step:
///
/// ```text
///   vector  +---+                          the vector buffers never share with the copy
///           | v |    +----+                buffers: the peak is at least v + c although
///   copy    +---+    | c  |                the two are never alive together
///                    +----+
/// ```
///
/// `None` when there is nothing to gain: no such pairs, or too many items.
pub(super) fn classes(instance: &Instance, relations: &Relations) -> Option<Vec<Vec<ItemId>>> {
    let items = &instance.items;
    let apart = !instance.separate.is_empty() || items.iter().any(|item| item.alone);
    if !apart || items.len() > CLASSED_ITEMS {
        return None;
    }
    let mut rest: Vec<ItemId> =
        (0..items.len() as ItemId).filter(|&id| items[id as usize].size > 0).collect();
    let mut classes = Vec::new();
    while let Some(first) = rest.pop() {
        let mut class = vec![first];
        let mut next = 0;
        while let Some(&here) = class.get(next) {
            next += 1;
            let (near, far): (Vec<ItemId>, Vec<ItemId>) =
                rest.into_iter().partition(|&other| may_share(instance, relations, here, other));
            class.extend(near);
            rest = far;
        }
        class.sort_unstable();
        classes.push(class);
    }
    classes.sort_unstable();
    (classes.len() > 1).then_some(classes)
}

/// True unless the bytes of the two are disjoint in every packing.
///
/// An in-place pair may share here whatever else holds: weaker than the rules, never wrong.
fn may_share(instance: &Instance, relations: &Relations, a: ItemId, b: ItemId) -> bool {
    relations.inplace.has(a, b)
        || relations.conflict(instance, a, b) == Conflict::None
        || promotable(instance, a, b)
}

/// True when a promotion may put one of the two into the place of the other.
pub(super) fn promotable(instance: &Instance, a: ItemId, b: ItemId) -> bool {
    let takes = |single: ItemId, slot: ItemId| {
        let mut promotions = instance.promotions.iter();
        promotions.any(|p| p.single == single && p.slots.contains(&slot))
    };
    takes(a, b) || takes(b, a)
}

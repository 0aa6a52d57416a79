//! Bounds from places: reserved ranges, pins, windows and alignments.

use std::ops::Range;

use super::Load;
use super::classes::promotable;
use super::load::{self, Loads, Weights};
use crate::composite::Composites;
use crate::instance::{Instance, ItemId};
use crate::relations::Relations;

/// So many different windows get a sweep of their own; more are left to the search.
const WINDOWS: usize = 32;

/// The smallest `P` such that `load` bytes of `from..P` are not reserved.
///
/// ```text
///   from        reserved        P
///    |  6 bytes |########|4 bytes|          lift(10) is past the reserved range
/// ```
pub(super) fn lift(load: u64, from: u64, reserved: impl Iterator<Item = Range<u64>>) -> u64 {
    if load == 0 {
        return 0;
    }
    let (mut at, mut need) = (from, load);
    for range in reserved.filter(|range| range.end > from) {
        let free = range.start.saturating_sub(at);
        if free >= need {
            break;
        }
        need -= free;
        at = at.max(range.end);
    }
    at.saturating_add(need)
}

/// A byte range, and the load of the items that have to lie inside it.
pub(super) struct Window {
    pub(super) range: Range<u64>,
    pub(super) load: Load,
}

/// For each window (up to a limit) the heaviest step of the items that lie inside it, be it
/// because of their own window, or a pin, or what they are colocated with.
///
/// The ranges `start..` and `..end` are windows as well: many items at the upper end need room
/// there, wherever their windows begin.
pub(super) fn windows(
    instance: &Instance,
    relations: &Relations,
    composites: &Composites,
) -> Vec<Window> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for item in instance.items.iter().filter(|item| item.size > 0) {
        if let Some(window) = &item.window {
            let whole = [window.clone(), window.start..u64::MAX, 0..window.end];
            ranges.extend(whole.into_iter().filter(|range| range.start < range.end));
        }
        if ranges.len() > 64 * WINDOWS {
            break;
        }
    }
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    ranges.dedup();
    ranges.truncate(WINDOWS);

    let weights = Weights::rounded(instance, 1);
    let of = |range: Range<u64>| {
        let inside = |id: ItemId| {
            let (group, delta) = relations.group[id as usize];
            let shape = composites.get(group);
            let size = instance.items[id as usize].size;
            shape.low <= shape.high
                && shape.low.saturating_add(delta) >= range.start
                && shape.high.saturating_add(delta).saturating_add(size) <= range.end
        };
        let load = load::heaviest(instance, relations, &weights, &inside);
        Window { range, load }
    };
    ranges.into_iter().map(of).collect()
}

/// See [`super::lower_bound()`].
pub(super) fn lower_bound(
    instance: &Instance,
    relations: &Relations,
    composites: &Composites,
    loads: &Loads,
    windows: &[Window],
) -> u64 {
    let reserved = || instance.reserved.iter().cloned();
    let mut bound = lift(loads.full.sum, 0, reserved()).max(aligned(instance, loads));
    for window in windows {
        bound = bound.max(lift(window.load.sum, window.range.start, reserved()));
    }
    for composite in 0..composites.len() as u32 {
        let ends = composites.members(composite).iter().filter(|m| m.size > 0);
        let Some(end) = ends.map(|m| m.delta.saturating_add(m.size)).max() else { continue };
        let base = composites.lowest(composite, 0);
        bound = bound.max(base.map_or(u64::MAX, |base| base.saturating_add(end)));
    }
    for &(a, b) in &instance.separate {
        bound = bound.max(lift(beside(instance, relations, a, b), 0, reserved()));
    }
    bound
}

/// What two separate items need; 0 when a promotion or colocation may excuse the pair.
pub(super) fn beside(instance: &Instance, relations: &Relations, a: ItemId, b: ItemId) -> u64 {
    let (x, y) = (instance.items[a as usize].size, instance.items[b as usize].size);
    if x == 0 || y == 0 || relations.colocated(a, b) || relations.inplace.has(a, b) {
        return 0;
    }
    if promotable(instance, a, b) { 0 } else { x + y }
}

/// The bound from rounding sizes up to the granule, the common divisor of all alignments.
///
/// All offsets are multiples of the granule, so two items that are disjoint are disjoint after
/// rounding, too. Only the topmost item may stick out of the peak with its padding:
///
/// ```text
///   granule 4:  |aaaa|aa..|bbbb|b...|       6 + 5 = 11 bytes, but the peak is 13
///                                ^ peak
/// ```
///
/// Reserved ranges are rounded the other way: the rounded items keep off what is left of them.
fn aligned(instance: &Instance, loads: &Loads) -> u64 {
    let Some(load) = &loads.rounded else { return 0 };
    let g = loads.granule;
    let up = |n: u64| n.checked_next_multiple_of(g).unwrap_or(u64::MAX - u64::MAX % g);
    let reserved = instance.reserved.iter().map(|r| up(r.start)..up(r.end));
    lift(load.sum, 0, reserved).saturating_sub(padding(instance, load, g))
}

/// The largest padding among the items of a load.
pub(super) fn padding(instance: &Instance, load: &Load, granule: u64) -> u64 {
    let pads = load.items.iter().map(|&id| {
        let size = instance.items[id as usize].size;
        size.next_multiple_of(granule) - size
    });
    pads.max().unwrap_or(0)
}

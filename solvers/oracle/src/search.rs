//! The smallest peak and the least cost, by trying every order of every pair.
//!
//! For a given order the offsets are the least ones that obey it, and every right packing obeys
//! some order; so the best over all orders is the best there is.

use memplan_packing::{Instance, ItemId, Packing};

use crate::apart::{Apart, apart, joined};
use crate::check::cost;
use crate::pieces::{Pieces, every_way};

/// `base(group) >= base(after) + by`.
#[derive(Clone, Copy)]
struct Above {
    group: usize,
    after: usize,
    by: i128,
}

/// Two pieces that must not share bytes, unless they start at one offset.
struct Pair {
    first: usize,
    second: usize,
    equal: bool,
}

/// The smallest peak within the capacity and a packing that has it; `None` when there is none.
pub fn optimum(instance: &Instance) -> Option<(u64, Packing)> {
    let mut best: Option<(u64, Packing)> = None;
    for way in every_way(instance) {
        let pairs = pairs(instance, &way, &[]);
        let mut keep = |packing: Packing| {
            let peak = packing.peak(instance);
            if best.as_ref().is_none_or(|b| peak < b.0) {
                best = Some((peak, packing));
            }
        };
        orders(instance, &way, &pairs, 0, &mut Vec::new(), &mut keep);
    }
    best
}

/// The least cost, the smallest peak that goes with it, and a packing that has both.
pub fn least_cost(instance: &Instance) -> Option<(u64, u64, Packing)> {
    let mut best: Option<(u64, u64, Packing)> = None;
    for way in every_way(instance) {
        for free in 0..1u32 << instance.costs.len() {
            let unpaid: Vec<(ItemId, ItemId)> = instance
                .costs
                .iter()
                .enumerate()
                .filter(|(k, _)| free >> k & 1 == 1)
                .map(|(_, c)| (c.first, c.second))
                .collect();
            let pairs = pairs(instance, &way, &unpaid);
            let mut keep = |packing: Packing| {
                let key = (cost(instance, &packing), packing.peak(instance));
                if best.as_ref().is_none_or(|b| key < (b.0, b.1)) {
                    best = Some((key.0, key.1, packing));
                }
            };
            orders(instance, &way, &pairs, 0, &mut Vec::new(), &mut keep);
        }
    }
    best
}

/// Every pair of pieces that must not share bytes; `unpaid` items must not share either.
fn pairs(instance: &Instance, way: &Pieces, unpaid: &[(ItemId, ItemId)]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for second in 0..way.pieces.len() {
        for first in 0..second {
            let (x, y) = (&way.pieces[first], &way.pieces[second]);
            if x.size == 0 || y.size == 0 {
                continue;
            }
            let (i, j) = (x.place.item, y.place.item);
            let bought = (unpaid.contains(&(i, j)) || unpaid.contains(&(j, i)))
                && !joined(instance, &way.promoted, i, j);
            let asked = apart(instance, &way.promoted, x.place, y.place);
            if bought || asked != Apart::Free {
                let equal = !bought && asked == Apart::UnlessEqual;
                pairs.push(Pair { first, second, equal });
            }
        }
    }
    pairs
}

/// Decides the pairs from `next` on in every way and hands over each packing that results.
fn orders(
    instance: &Instance,
    way: &Pieces,
    pairs: &[Pair],
    next: usize,
    decided: &mut Vec<Above>,
    keep: &mut dyn FnMut(Packing),
) {
    let Some(bases) = least(instance, way, decided) else {
        return;
    };
    let Some(pair) = pairs.get(next) else {
        let items = way.pieces.iter().take(instance.items.len());
        let offsets = items.map(|p| (bases[p.group] + p.shift) as u64).collect();
        keep(Packing { offsets, promoted: way.promoted.clone() });
        return;
    };
    let (a, b) = (&way.pieces[pair.first], &way.pieces[pair.second]);
    let over = |top: &crate::pieces::Piece, low: &crate::pieces::Piece, by: i128| Above {
        group: top.group,
        after: low.group,
        by: by + low.shift - top.shift,
    };
    let mut ways = vec![vec![over(b, a, a.size)], vec![over(a, b, b.size)]];
    if pair.equal {
        ways.push(vec![over(a, b, 0), over(b, a, 0)]);
    }
    for above in ways {
        let before = decided.len();
        decided.extend(above);
        orders(instance, way, pairs, next + 1, decided, keep);
        decided.truncate(before);
    }
}

/// The least bases that obey what is decided, within the capacity.
fn least(instance: &Instance, way: &Pieces, decided: &[Above]) -> Option<Vec<i128>> {
    if decided.iter().any(|above| above.group == above.after && above.by > 0) {
        return None;
    }
    let ceiling = ceiling(instance, way);
    let mut bases = vec![0i128; way.groups];
    loop {
        let before = bases.clone();
        for above in decided {
            bases[above.group] = bases[above.group].max(bases[above.after] + above.by);
        }
        for piece in &way.pieces {
            let start = bases[piece.group] + piece.shift;
            let right = lift(instance, piece.place.item as usize, start, ceiling)?;
            bases[piece.group] = right - piece.shift;
        }
        if bases == before {
            return Some(bases);
        }
    }
}

/// The least right offset of one item at or above `start`, looking at nothing else.
fn lift(instance: &Instance, item: usize, start: i128, ceiling: Ceiling) -> Option<i128> {
    let item = &instance.items[item];
    let (size, align) = (i128::from(item.size), i128::from(item.align));
    let mut at = start;
    loop {
        let before = at;
        at += (align - at.rem_euclid(align)) % align;
        if let Some(pin) = item.pin {
            at = at.max(i128::from(pin));
            if at > i128::from(pin) {
                return None;
            }
        }
        if size > 0 {
            if let Some(window) = &item.window {
                at = at.max(i128::from(window.start));
                if at + size > i128::from(window.end) {
                    return None;
                }
            }
            for r in &instance.reserved {
                if at < i128::from(r.end) && i128::from(r.start) < at + size {
                    at = i128::from(r.end);
                }
            }
        }
        // A zero-sized item takes no bytes, so it may lie past the capacity.
        if at + size > if size > 0 { ceiling.bytes } else { ceiling.compact } {
            return None;
        }
        if at == before {
            return Some(at);
        }
    }
}

/// Offsets beyond which no search is needed.
#[derive(Clone, Copy)]
struct Ceiling {
    /// The smaller of the capacity and `compact`.
    bytes: i128,
    /// A bound that compact packings keep.
    compact: i128,
}

/// Above every fixed byte (pins, windows' starts, reserved ranges) a gap as wide as the common
/// multiple of all alignments can be closed by moving down everything above it.
fn ceiling(instance: &Instance, way: &Pieces) -> Ceiling {
    let gcd = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let lcm = instance.items.iter().fold(1i128, |l, item| {
        let a = i128::from(item.align);
        (l / gcd(l, a)).saturating_mul(a).min(1 << 64)
    });
    let mut fixed = instance.reserved.iter().map(|r| i128::from(r.end)).max().unwrap_or(0);
    for item in &instance.items {
        fixed = fixed.max(i128::from(item.pin.unwrap_or(0)) + i128::from(item.size));
        fixed = fixed.max(item.window.as_ref().map_or(0, |w| i128::from(w.start)));
    }
    let sizes: i128 = way.pieces.iter().map(|p| p.size + p.shift).sum();
    let compact = fixed + sizes + lcm * (way.groups as i128 + 1);
    Ceiling { bytes: instance.capacity.map_or(compact, i128::from).min(compact), compact }
}

//! Bytes in units of the granule.
//!
//! Push every item of a packing down as far as it goes: its offset is then a sum of sizes and
//! deltas on top of a pin, a window's start, a reserved range's end or nothing, rounded up to
//! alignments. All of these are multiples of the granule, so no other offsets are needed, and
//! upper limits (capacity, window ends, starts of reserved ranges) may be rounded down to it.

use memplan_packing::Instance;

/// Bytes divided by the granule; signed, as differences of offsets are units too.
pub(crate) type Unit = i64;

/// Larger than any offset or size, small enough to add a few.
pub(crate) const FAR: Unit = 1 << 61;

/// The largest offset that the search takes, in units.
pub(crate) const MAX_UNITS: Unit = 1 << 58;

/// The greatest common divisor; of 0 and `a` it is `a`.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The granule of an instance, at least 1.
pub(crate) fn granule(instance: &Instance) -> u64 {
    let mut g = 0;
    for item in &instance.items {
        g = gcd(g, item.size);
        g = gcd(g, item.pin.unwrap_or(0));
        g = gcd(g, item.window.as_ref().map_or(0, |w| w.start));
    }
    g = instance.colocated.iter().fold(g, |g, c| gcd(g, c.delta));
    g = instance.reserved.iter().fold(g, |g, r| gcd(g, r.end));
    if g == 0 {
        return 1;
    }
    // An alignment that divides the granule asks for nothing; any other one joins it.
    loop {
        let joined = instance
            .items
            .iter()
            .fold(g, |g, item| if g.is_multiple_of(item.align) { g } else { gcd(g, item.align) });
        if joined == g {
            return g;
        }
        g = joined;
    }
}

/// An upper limit on the offsets of compact packings, in units; `None` when it is too large.
///
/// Above every fixed byte, a gap as wide as the common multiple of all alignments can be closed
/// by moving down everything above it.
pub(crate) fn compact(instance: &Instance, granule: u64) -> Option<Unit> {
    let g = i128::from(granule);
    let mut lcm = 1i128;
    let mut fixed = instance.reserved.iter().map(|r| i128::from(r.end)).max().unwrap_or(0);
    let mut sizes = 0i128;
    for item in &instance.items {
        let align = item.align.max(granule);
        lcm = lcm / i128::from(gcd(lcm as u64, align)) * i128::from(align);
        if lcm > 1 << 62 {
            return None;
        }
        fixed = fixed.max(i128::from(item.pin.unwrap_or(0)) + i128::from(item.size));
        fixed = fixed.max(item.window.as_ref().map_or(0, |w| i128::from(w.start)));
        sizes += i128::from(item.size);
    }
    sizes += instance.colocated.iter().map(|c| i128::from(c.delta)).sum::<i128>();
    let bound = (fixed + sizes + lcm * (instance.items.len() as i128 + 1)) / g + 1;
    Unit::try_from(bound).ok().filter(|&bound| bound <= MAX_UNITS)
}

/// The capacity in units as the search sees it: `None` when the instance is out of its range.
pub(crate) fn limit(instance: &Instance, granule: u64) -> Option<Unit> {
    let compact = compact(instance, granule);
    match instance.capacity {
        None => compact,
        Some(capacity) => {
            let units = Unit::try_from(capacity / granule).ok().filter(|&u| u <= MAX_UNITS);
            match (units, compact) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            }
        }
    }
}

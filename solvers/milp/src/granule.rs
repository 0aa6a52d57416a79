//! The unit of the program: everything is a multiple of it.

use memplan_packing::Instance;

/// The granule of an instance, at least 1.
///
/// Offsets of packings that are pushed down are sums of sizes and deltas on top of pins, window
/// starts and ends of reserved ranges, rounded up to alignments: multiples of the granule.
pub(crate) fn granule(instance: &Instance) -> u64 {
    let mut g = 0;
    for item in &instance.items {
        let window = item.window.as_ref().map_or(0, |w| w.start);
        g = [item.size, item.pin.unwrap_or(0), window].into_iter().fold(g, gcd);
    }
    g = instance.colocated.iter().fold(g, |g, c| gcd(g, c.delta));
    g = instance.reserved.iter().fold(g, |g, r| gcd(g, r.end)).max(1);
    loop {
        // An alignment that divides the granule asks for nothing; any other one joins it.
        let join = |g: u64, a: u64| if g.is_multiple_of(a) { g } else { gcd(g, a) };
        let joined = instance.items.iter().fold(g, |g, item| join(g, item.align));
        if joined == g {
            return g;
        }
        g = joined;
    }
}

/// The greatest common divisor; of 0 and `a` it is `a`.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

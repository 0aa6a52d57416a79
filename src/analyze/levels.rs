//! The strictest reuse level that lets a pair share bytes (ARCHITECTURE 4), and what a stall costs.

use super::Facts;
use crate::model::{BufferId, Function, LoopId, Order, ReuseLevel};

/// The strictest level at which two buffers with disjoint live ranges may share bytes.
///
/// * `pipe`: the sharing ties no two pipes together;
/// * `loop`: the two do not live in one common loop (outside all loops counts as different);
/// * `slot`: one is a single, the other a multi-buffer that rotates in a loop around both: the
///   single may take its place by becoming multi-buffered;
/// * `lifetime`: any other pair.
pub fn allowed_at(function: &Function, facts: &Facts, a: BufferId, b: BufferId) -> ReuseLevel {
    if facts.class[a].shares_with(facts.class[b]) {
        return ReuseLevel::Pipe;
    }
    if common_loops(function, facts, a, b).is_empty() {
        return ReuseLevel::Loop;
    }
    if promotable(function, facts, a, b) || promotable(function, facts, b, a) {
        return ReuseLevel::Slot;
    }
    ReuseLevel::Lifetime
}

/// True when `single` may become multi-buffered to take the place of `multi`.
pub fn promotable(function: &Function, facts: &Facts, single: BufferId, multi: BufferId) -> bool {
    let (s, m) = (&function.buffers[single], &function.buffers[multi]);
    let Some(rotation) = m.rotates_in else { return false };
    let free = s.pin.is_none() && !s.unique && !m.unique && s.owner == m.owner;
    // What outlives the loop has one place.
    let local = !s.class.filled_at_entry() && !s.class.wanted_at_exit();
    s.slots == 1
        && m.slots > 1
        && s.scope == m.scope
        && s.size <= m.size
        && free
        && local
        && Order::chain(function, facts.home[single]).contains(&rotation)
}

/// The loops that both buffers live in, outermost first.
pub fn common_loops(function: &Function, facts: &Facts, a: BufferId, b: BufferId) -> Vec<LoopId> {
    let one = Order::chain(function, facts.home[a]);
    let two = Order::chain(function, facts.home[b]);
    one.into_iter().zip(two).take_while(|(x, y)| x == y).map(|(x, _)| x).collect()
}

/// How often a stall of the pair can occur in one run of the function: the product of the trip
/// counts of the common loops (unknown = 16), at least 1.
pub fn stall_cost(function: &Function, facts: &Facts, a: BufferId, b: BufferId) -> u64 {
    let trips = common_loops(function, facts, a, b).into_iter();
    let trips = trips.map(|l| function.loops[l].usual_trips());
    trips.fold(1u64, u64::saturating_mul).max(1)
}

//! In which order composites are placed.

use std::cmp::Reverse;

use crate::problem::Problem;

/// The first key of an order; size, start and number break ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// Earliest start first.
    Start,
    /// Largest first.
    Size,
    /// Largest product of bytes and steps first.
    Area,
    /// Longest life first.
    Duration,
    /// Most neighbours first.
    Conflicts,
}

/// The movable composites in this order.
pub(crate) fn order(problem: &Problem<'_>, key: Key) -> Vec<u32> {
    let first: Vec<u128> = match key {
        Key::Start => {
            (0..problem.len() as u32).map(|c| u128::from(problem.hull(c).start)).collect()
        }
        _ => weights(problem, key).into_iter().map(|weight| u128::MAX - weight).collect(),
    };
    let mut order: Vec<u32> = problem.movable().collect();
    order.sort_by_cached_key(|&c| {
        (first[c as usize], Reverse(problem.shape(c).extent), problem.hull(c).start, c)
    });
    order
}

/// What counts first, by composite; larger goes first. Start has no weight.
pub(crate) fn weights(problem: &Problem<'_>, key: Key) -> Vec<u128> {
    let all = 0..problem.len() as u32;
    match key {
        Key::Start => vec![0; problem.len()],
        Key::Size => all.map(|c| u128::from(problem.shape(c).extent)).collect(),
        Key::Duration => all.map(|c| u128::from(steps(problem, c))).collect(),
        Key::Area => all.map(|c| area(problem, c)).collect(),
        Key::Conflicts => conflicts(problem),
    }
}

/// Steps in which some member is alive; members that meet count twice.
fn steps(problem: &Problem<'_>, composite: u32) -> u64 {
    let live = problem.members(composite).iter();
    let live = live.flat_map(|m| &problem.instance.items[m.item as usize].live);
    live.fold(0, |sum, span| sum.saturating_add(span.end - span.start))
}

fn area(problem: &Problem<'_>, composite: u32) -> u128 {
    let members = problem.members(composite).iter();
    members.fold(0, |sum: u128, m| {
        let live = &problem.instance.items[m.item as usize].live;
        let steps: u128 = live.iter().map(|span| u128::from(span.end - span.start)).sum();
        sum.saturating_add(steps.saturating_mul(u128::from(m.size)))
    })
}

/// How many items each composite is in the way of: by the hull of its life, counted from sorted
/// starts and ends, so that nobody looks at pairs.
fn conflicts(problem: &Problem<'_>) -> Vec<u128> {
    let items = &problem.instance.items;
    let hulls = || items.iter().filter(|i| i.size > 0 && !i.live.is_empty()).map(|i| i.hull());
    let mut starts: Vec<u64> = hulls().map(|hull| hull.start).collect();
    let mut ends: Vec<u64> = hulls().map(|hull| hull.end).collect();
    starts.sort_unstable();
    ends.sort_unstable();
    let of = |c: u32| {
        let alone = problem.members(c).iter().any(|m| items[m.item as usize].alone);
        if alone {
            return items.len() as u128;
        }
        let hull = problem.hull(c);
        let started = starts.partition_point(|&start| start < hull.end);
        let ended = ends.partition_point(|&end| end <= hull.start);
        let members = problem.members(c).iter();
        let separate: usize =
            members.clone().map(|m| problem.relations.separate.of(m.item).len()).sum();
        let exclusive: usize = members.map(|m| problem.relations.exclusive.of(m.item).len()).sum();
        (started.saturating_sub(ended) + separate).saturating_sub(exclusive) as u128
    };
    (0..problem.len() as u32).map(of).collect()
}

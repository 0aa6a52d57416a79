//! In which order composites are placed.

use std::cmp::Reverse;
use std::ops::Range;

use memplan_packing::sections::Sections;

use crate::niche::lives;
use crate::problem::Problem;

/// What an order looks at.
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
    /// Widest first: who is alive at the most moments that differ.
    Width,
}

/// As they come to life, the largest first.
pub(crate) const BY_START: &[Key] = &[Key::Start, Key::Size];
/// The largest first, of equal ones the longest.
pub(crate) const BY_SIZE: &[Key] = &[Key::Size, Key::Duration];
/// The longest first, of equal ones the largest.
pub(crate) const BY_DURATION: &[Key] = &[Key::Duration, Key::Size];
/// The largest product of bytes and steps first.
pub(crate) const BY_AREA: &[Key] = &[Key::Area];
/// Those with the most neighbours first, of equal ones the largest.
pub(crate) const BY_CONFLICTS: &[Key] = &[Key::Conflicts, Key::Size];

/// Those who are alive at the most moments that differ first, of equal ones the largest.
pub(crate) const BY_WIDTH: &[Key] = &[Key::Width, Key::Size];

/// The movable composites in the order of the first key; up to two others break ties, and then
/// numbers.
pub(crate) fn order(problem: &Problem<'_>, keys: &[Key]) -> Vec<u32> {
    let [first, second, third] = [0, 1, 2].map(|at| keys.get(at).map(|&k| weights(problem, k)));
    let weight = |weights: &Option<Vec<u128>>, c: u32| {
        Reverse(weights.as_ref().map_or(0, |weights| weights[c as usize]))
    };
    // With its keys beside it, nothing is looked up while sorting.
    let with_keys = |c| (weight(&first, c), weight(&second, c), weight(&third, c), c);
    let mut order: Vec<_> = problem.movable().map(with_keys).collect();
    order.sort_unstable();
    order.into_iter().map(|(.., c)| c).collect()
}

/// The order as numbers by composite; the first one has the largest.
pub(crate) fn ranks(problem: &Problem<'_>, keys: &[Key]) -> Vec<u128> {
    let mut ranks = vec![0; problem.len()];
    for (at, composite) in order(problem, keys).into_iter().rev().enumerate() {
        ranks[composite as usize] = at as u128 + 1;
    }
    ranks
}

/// What counts, by composite; larger goes first.
pub(crate) fn weights(problem: &Problem<'_>, key: Key) -> Vec<u128> {
    let all = 0..problem.len() as u32;
    match key {
        Key::Start => all.map(|c| u128::from(u64::MAX - problem.hull(c).start)).collect(),
        Key::Size => all.map(|c| u128::from(problem.shape(c).extent)).collect(),
        Key::Duration => all.map(|c| u128::from(steps(problem, c))).collect(),
        Key::Area => all.map(|c| area(problem, c)).collect(),
        Key::Conflicts => conflicts(problem),
        Key::Width => width(problem),
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

/// Sections from the first start to the last end.
fn width(problem: &Problem<'_>) -> Vec<u128> {
    let lives = lives(problem, &Sections::new(problem.instance));
    let width = |life: Option<Range<u32>>| life.map_or(0, |life| (life.end - life.start).into());
    lives.into_iter().map(width).collect()
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

//! Lowest first by niches: no item is ever looked at in vain.

use std::cmp::Reverse;
use std::ops::Range;

use memplan_packing::sections::Sections;
use memplan_packing::{Budget, Stop};

use crate::greedy::clock;
use crate::inside::{Inside, Taken};
use crate::problem::Problem;
use crate::skyline::Skyline;
use crate::slack::Slack;

/// So many composites wait in a stretch for the skyline to reach a reserved range; with more the
/// lowest goes first, or each step would look at all of them again.
const WAITING: usize = 32;

/// So many composites that would block a tighter neighbour are passed over before a stretch is
/// lifted without a look at the rest.
const HELD: usize = 32;

/// Composites as rectangles of time and bytes, ready for many orders of priority.
///
/// In a plain problem that is what they are. In others the rectangle reaches from the first start
/// to the last end and holds all members, pairs that may share are not seen to do so, and pairs
/// that must not share while they are dead are not seen either: the offsets are a good guess.
pub(crate) struct Niches {
    sections: usize,
    inside: Inside,
    /// What each section has to spare under the heaviest one.
    slack: Slack,
}

impl Niches {
    /// Prepares a problem.
    pub(crate) fn new(problem: &Problem<'_>) -> Self {
        let sections = Sections::new(problem.instance);
        let mut lives = lives(problem, &sections);
        problem.pinned().for_each(|c| lives[c as usize] = None);
        let inside = Inside::new(&lives);
        let extent = |composite: usize| problem.shape(composite as u32).extent;
        let slack = Slack::new(&loads(sections.len(), &lives, extent));
        Self { sections: sections.len(), inside, slack }
    }

    /// Repeatedly takes the lowest stretch of the skyline. The item with the largest priority
    /// among those that live inside it is placed there. When there is none, everybody who lives
    /// there reaches past an end of it, so it is lifted to the lower one of its neighbours:
    ///
    /// ```text
    ///   --+        +---      --+        +---     --+
    ///     |        +--+  ->    |  +--+  +--+  ->   +--------+
    ///     +--------+  |        +--+  +--+  |                +--+     nobody lives inside the
    ///      niche                placed                   lifted      left rest: it is lost
    /// ```
    ///
    /// This is lowest first: whoever lives inside the lowest stretch can lie lowest. (Alignment
    /// may push it up a little; the stretch counts.)
    ///
    /// A careful run wastes bytes where there are some to spare. Whoever would stick out over a
    /// neighbour that has less to spare is passed over, because it would make the room there
    /// narrower, which costs bytes that nobody has:
    ///
    /// ```text
    ///                   +--+
    ///     +---+         |  |  +---+      the stretch on the left can afford to be lifted; the
    ///     |   |   not   |  +--+          tight one on its right keeps its full width
    ///     |   +------+  |     |------+
    ///     +---+tight |  +-----+tight |
    /// ```
    ///
    /// Answers a base for each composite; 0 for what has no bytes, no life or a pin.
    pub(crate) fn bases(
        &self,
        problem: &Problem<'_>,
        priority: &[u128],
        careful: bool,
        budget: &Budget,
    ) -> Result<Vec<u64>, Stop> {
        let mut clock = clock(budget);
        let mut bases = vec![0; problem.len()];
        let mut order: Vec<u32> = (0..problem.len() as u32).collect();
        order.sort_by_cached_key(|&c| (Reverse(priority[c as usize]), c));
        let mut inside = self.inside.clone();
        inside.rank(&order);

        let mut skyline = Skyline::new(self.sections as u32);
        let mut slack = careful.then(|| self.slack.clone());
        while let Some((from, to)) = skyline.lowest() {
            clock()?;
            let floor = skyline.height(from);
            if let Some(range) = reserved_at(problem, floor) {
                skyline.set_height(from, range.end);
                continue;
            }
            let top = slack.as_ref().and_then(|slack| highest_top(&skyline, slack, from, to));
            match choose(problem, &mut inside, &skyline, from..to, top.unwrap_or(u64::MAX)) {
                Some((taken, base)) => {
                    // Only a guess can lack a place; its offset is of no importance.
                    let base = base.or((!problem.plain).then_some(floor)).ok_or(Stop::Failed)?;
                    bases[taken.item as usize] = base;
                    let top = base.saturating_add(problem.shape(taken.item).extent);
                    skyline.put(from, taken.life(), top);
                }
                None => {
                    let Some(wall) = skyline.beside(from) else { break };
                    if let Some(slack) = &mut slack {
                        slack.take(from..to, wall - floor);
                    }
                    skyline.set_height(from, wall);
                }
            }
        }
        Ok(bases)
    }
}

/// The reserved range that holds this byte.
fn reserved_at<'p>(problem: &'p Problem<'_>, byte: u64) -> Option<&'p Range<u64>> {
    let reserved = &problem.instance.reserved;
    let range = reserved.get(reserved.partition_point(|range| range.end <= byte))?;
    (range.start <= byte).then_some(range)
}

/// The sections that each composite with bytes lives in, from the first start to the last end.
pub(crate) fn lives(problem: &Problem<'_>, sections: &Sections) -> Vec<Option<Range<u32>>> {
    let life = |composite: u32| {
        let members = problem.members(composite).iter();
        let ranges = members.flat_map(|m| sections.of(m.item)).cloned();
        ranges.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end))
    };
    (0..problem.len() as u32).map(life).collect()
}

/// The bytes that rectangles with these lives need in each section.
pub(crate) fn loads(
    sections: usize,
    lives: &[Option<Range<u32>>],
    extent: impl Fn(usize) -> u64,
) -> Vec<u64> {
    // Differences wrap around, the loads themselves do not: all sizes together fit.
    let mut load = vec![0u64; sections + 1];
    for (at, life) in lives.iter().enumerate() {
        let Some(life) = life else { continue };
        let (start, end) = (life.start as usize, life.end as usize);
        load[start] = load[start].wrapping_add(extent(at));
        load[end] = load[end].wrapping_sub(extent(at));
    }
    let mut sum = 0u64;
    for step in &mut load {
        sum = sum.wrapping_add(*step);
        *step = sum;
    }
    load.pop();
    load
}

/// How high whatever is put on the stretch may reach: not over a neighbour that has less to spare,
/// as long as the stretch can afford to be lifted instead.
fn highest_top(skyline: &Skyline, slack: &Slack, from: u32, to: u32) -> Option<u64> {
    let own = slack.least(from..to);
    let lift = skyline.beside(from)? - skyline.height(from);
    if i64::try_from(lift).map_or(true, |lift| lift > own) {
        return None;
    }
    let neighbours = [skyline.left(from), skyline.right(to)].into_iter().flatten();
    let tighter = neighbours.filter(|&beside| slack.least(beside..skyline.end(beside)) < own);
    tighter.map(|beside| skyline.height(beside)).min()
}

/// The composite that comes next in the lowest stretch, and its base if it has one: the best that
/// can lie on the stretch. Those that have to jump over a reserved range or up to their window
/// wait until nobody else is left; then the lowest of them comes, unless it would lie above a
/// neighbour of the stretch anyway. Those that would reach above `top` do not come at all.
fn choose(
    problem: &Problem<'_>,
    inside: &mut Inside,
    skyline: &Skyline,
    Range { start: from, end: to }: Range<u32>,
    top: u64,
) -> Option<(Taken, Option<u64>)> {
    let floor = skyline.height(from);
    let mut waiting: Vec<(Option<u64>, Taken)> = Vec::new();
    let mut held: Vec<Taken> = Vec::new();
    while waiting.len() < WAITING && held.len() < HELD {
        let Some(taken) = inside.take(from, to) else { break };
        if floor.saturating_add(problem.shape(taken.item).extent) > top {
            held.push(taken);
            continue;
        }
        let base = problem.composites.lowest(taken.item, floor);
        if base.is_none_or(|base| base - floor < problem.shape(taken.item).modulus) {
            held.extend(waiting.into_iter().map(|(_, taken)| taken));
            held.into_iter().for_each(|taken| inside.give_back(taken));
            return Some((taken, base));
        }
        waiting.push((base, taken));
    }
    let crowded = waiting.len() == WAITING;
    let lowest = |at: &usize| (waiting[*at].0, Reverse(waiting[*at].1.rank()));
    let next = (0..waiting.len()).min_by_key(lowest);
    let limit = skyline.beside(from).filter(|_| !crowded).unwrap_or(u64::MAX);
    let next = next.filter(|&at| waiting[at].0.is_none_or(|base| base < limit));
    let chosen = next.map(|at| waiting.swap_remove(at));
    held.extend(waiting.into_iter().map(|(_, taken)| taken));
    held.into_iter().for_each(|taken| inside.give_back(taken));
    chosen.map(|(base, taken)| (taken, base))
}

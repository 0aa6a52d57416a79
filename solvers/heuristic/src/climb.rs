//! Hill climbing over the order of placement.

use memplan_packing::random::SplitMix64;
use memplan_packing::{Budget, Packing, Stop};

use crate::engine::Rule;
use crate::greedy::in_order;
use crate::order::{BY_SIZE, order};
use crate::problem::Problem;

/// At most so many orders are tried,
const ATTEMPTS: u64 = 500;
/// and at most so many looks at placed items are taken: a fraction of a second.
const LOOKS: u64 = 400_000_000;
/// The first attempts take a worse order in one of so many cases, later ones ever more rarely.
const ONE_OF: u64 = 4;

/// Places by size, each at its lowest place. Then, again and again, somebody who reaches the peak
/// and somebody who is in its way and comes before it change their turns, and everything is placed
/// anew. What is not higher is kept; what is higher is kept now and then, less and less often. The
/// best packing counts. The same problem gives the same packing.
pub(crate) fn hill_climb(problem: &Problem<'_>, budget: &Budget) -> Result<Packing, Stop> {
    let instance = problem.instance;
    let mut order = order(problem, BY_SIZE);
    let mut now = in_order(problem, order.clone(), Rule::First, budget)?;
    let mut best = now.clone();
    let n = problem.len() as u64;
    let attempts = ATTEMPTS.min(LOOKS / (n * problem.looks()).max(1));
    let mut random = SplitMix64::new(0);
    for attempt in 0..attempts {
        let Some((a, b)) = pair_to_swap(problem, &order, &now, &mut random) else { break };
        order.swap(a, b);
        let next = match in_order(problem, order.clone(), Rule::First, budget) {
            Ok(next) => Some(next),
            Err(Stop::Failed) => None,
            // The limit that was met; what was found until then is an answer, too.
            Err(_) => break,
        };
        let chance = random.below(ATTEMPTS * ONE_OF) < ATTEMPTS - attempt;
        let better = |next: &Packing| next.peak(instance) <= now.peak(instance);
        match next.filter(|next| better(next) || chance) {
            Some(next) => now = next,
            None => order.swap(a, b),
        }
        if now.peak(instance) < best.peak(instance) {
            best = now.clone();
        }
    }
    Ok(best)
}

/// The turns of somebody at the peak and of somebody before it who lives at the same time.
fn pair_to_swap(
    problem: &Problem<'_>,
    order: &[u32],
    packing: &Packing,
    random: &mut SplitMix64,
) -> Option<(usize, usize)> {
    let peak = packing.peak(problem.instance);
    let at_peak = |c: u32| {
        let mut members = problem.members(c).iter().filter(|m| m.size > 0);
        members.any(|m| packing.offsets[m.item as usize].saturating_add(m.size) == peak)
    };
    let high: Vec<usize> = (0..order.len()).filter(|&at| at_peak(order[at])).collect();
    let one = *high.get(random.below(high.len() as u64) as usize)?;
    let hull = problem.hull(order[one]);
    let before = |&at: &usize| problem.hull(order[at]).meets(hull);
    let before: Vec<usize> = (0..one).filter(before).collect();
    let other = *before.get(random.below(before.len() as u64) as usize)?;
    Some((one, other))
}

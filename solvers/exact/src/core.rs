//! Why there is no packing: items that do not fit together, though any of them less would.

use memplan_packing::{
    Budget, Colocation, Goal, Instance, ItemId, Meter, Outcome, Promotion, Refutation, Solver,
};

use crate::Exact;

/// Nodes for the first tries at a question; four times as many whenever none of a round is answered.
const FIRST: u64 = 400;

/// An irreducible infeasible core: the items alone have no packing; drop any one and they have.
///
/// `None` when the instance has a packing or some answer on the way was not proven in the budget.
pub fn core(instance: &Instance, budget: &Budget) -> Option<Vec<ItemId>> {
    let mut asker = Asker { instance, budget, spent: 0 };
    let mut core: Vec<ItemId> = (0..instance.items.len() as ItemId).collect();
    // A witness is a core already, but for items that it does not need.
    let witness = match asker.fits(&core, u64::MAX)?.err()? {
        Refutation::Load { items, .. } => items,
        Refutation::NoPlace(item) => vec![item],
        Refutation::Clash(a, b) => vec![a, b],
        Refutation::Exhausted => core.clone(),
    };
    if asker.fits(&witness, u64::MAX)?.is_err() {
        core = witness;
    }
    // Who does not meet the rest of a core seldom matters to it: runs are runs in time.
    core.sort_by_key(|&item| (instance.items[item as usize].hull().start, item));
    // Deletion filter, in halves first: what is infeasible without a run of items needs none of it.
    // Whoever is needed once is needed by every core that is left.
    let mut needed = vec![false; instance.items.len()];
    let mut run = core.len().div_ceil(2).max(1);
    let mut nodes = FIRST;
    loop {
        let mut answered = run > 1;
        let mut at = 0;
        while at < core.len() {
            let end = (at + run).min(core.len());
            if core[at..end].iter().any(|&item| needed[item as usize]) {
                at = if run == 1 { end } else { at + 1 };
                continue;
            }
            let rest: Vec<ItemId> = core[..at].iter().chain(&core[end..]).copied().collect();
            match asker.fits(&rest, nodes) {
                Some(Err(_)) => {
                    core = rest;
                    answered = true;
                    continue;
                }
                Some(Ok(())) if run == 1 => {
                    needed[core[at] as usize] = true;
                    answered = true;
                }
                Some(Ok(())) => {}
                None => asker.left()?,
            }
            at = end;
        }
        if core.iter().all(|&item| needed[item as usize]) {
            core.sort_unstable();
            return Some(core);
        }
        if !answered {
            nodes = nodes.saturating_mul(4);
        }
        run = run.div_ceil(2);
    }
}

/// Asks whether items fit, and counts what that takes.
struct Asker<'a> {
    instance: &'a Instance,
    budget: &'a Budget,
    spent: u64,
}

impl Asker<'_> {
    /// `None` when so many nodes do not tell.
    fn fits(&mut self, items: &[ItemId], most: u64) -> Option<Result<(), Refutation>> {
        let mut items = items.to_vec();
        items.sort_unstable();
        let part = keep(self.instance, &items);
        let rest = self.budget.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.spent));
        let nodes = Some(rest.min(most)).filter(|&nodes| nodes < u64::MAX);
        let left = Budget { nodes, ..self.budget.clone() };
        Meter::new(&left).poll().ok()?;
        Exact::default().can(&part, Goal::Fit).ok()?;
        let outcome = Exact::default().solve(&part, Goal::Fit, None, &left, &mut |_| ());
        let (Outcome::Packed { nodes, .. }
        | Outcome::Refuted { nodes, .. }
        | Outcome::GaveUp { nodes, .. }) = outcome;
        self.spent = self.spent.saturating_add(nodes);
        match outcome {
            Outcome::Packed { .. } => Some(Ok(())),
            // A refutation speaks of the items that were kept.
            Outcome::Refuted { why, .. } => Some(Err(named(why, &items))),
            Outcome::GaveUp { .. } => None,
        }
    }

    /// `None` when the budget is used up.
    fn left(&self) -> Option<()> {
        Meter::new(self.budget).poll().ok()?;
        let spent = self.budget.nodes.is_some_and(|nodes| self.spent >= nodes);
        (!spent).then_some(())
    }
}

/// A refutation of the instance of `items`, in terms of the whole.
fn named(why: Refutation, items: &[ItemId]) -> Refutation {
    let name = |id: ItemId| items[id as usize];
    match why {
        Refutation::Load { at, items, sum } => {
            Refutation::Load { at, items: items.into_iter().map(name).collect(), sum }
        }
        Refutation::NoPlace(item) => Refutation::NoPlace(name(item)),
        Refutation::Clash(a, b) => Refutation::Clash(name(a), name(b)),
        Refutation::Exhausted => Refutation::Exhausted,
    }
}

/// The colocations among some of the items (sorted), those through items left out too.
fn tied(instance: &Instance, items: &[ItemId]) -> Vec<Colocation> {
    if instance.colocated.is_empty() {
        return Vec::new();
    }
    let groups = instance.groups().unwrap_or_default();
    let mut members: Vec<(u32, u64, ItemId)> = (items.iter().zip(0..))
        .filter_map(|(&item, new)| groups.get(item as usize).map(|group| (group.0, group.1, new)))
        .collect();
    members.sort_unstable();
    let pairs = members.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    pairs.map(|w| Colocation { first: w[0].2, second: w[1].2, delta: w[1].1 - w[0].1 }).collect()
}

/// The instance of some of the items (sorted), with all that is said about them.
///
/// Less items never have less packings: a promotion keeps the slots that are left.
pub fn keep(instance: &Instance, items: &[ItemId]) -> Instance {
    let new = |id: ItemId| items.binary_search(&id).ok().map(|index| index as ItemId);
    let pairs = |pairs: &[(ItemId, ItemId)]| {
        pairs.iter().filter_map(|&(a, b)| new(a).zip(new(b))).collect()
    };
    let mut part = Instance {
        items: items.iter().map(|&id| instance.items[id as usize].clone()).collect(),
        capacity: instance.capacity,
        reserved: instance.reserved.clone(),
        separate: pairs(&instance.separate),
        exclusive: pairs(&instance.exclusive),
        ..Instance::default()
    };
    part.colocated = tied(instance, items);
    for i in &instance.inplace {
        if let (Some(from), Some(into)) = (new(i.from), new(i.into)) {
            part.inplace.push(memplan_packing::Inplace { from, into });
        }
    }
    for p in &instance.promotions {
        let mut slots: Vec<ItemId> = p.slots.iter().filter_map(|&s| new(s)).collect();
        if let (Some(single), Some(&slot)) = (new(p.single), slots.first()) {
            if slots.len() == 1 {
                // A promotion has two slots at least; the same one twice asks for no more.
                slots.push(slot);
            }
            part.promotions.push(Promotion { single, slots });
        }
    }
    for c in &instance.costs {
        if let (Some(first), Some(second)) = (new(c.first), new(c.second)) {
            part.costs.push(memplan_packing::PairCost { first, second, cost: c.cost });
        }
    }
    part
}

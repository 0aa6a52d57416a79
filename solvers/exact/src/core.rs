//! Why there is no packing: items that do not fit together, though any of them less would.

use memplan_packing::{
    Budget, Goal, Instance, ItemId, Meter, Outcome, Promotion, Refutation, Solver,
};

use crate::Exact;

/// An irreducible infeasible core: the items alone have no packing; drop any one and they have.
///
/// `None` when the instance has a packing or some answer on the way was not proven in the budget.
pub fn core(instance: &Instance, budget: &Budget) -> Option<Vec<ItemId>> {
    let mut spent = 0;
    let mut fits = |items: &[ItemId]| -> Option<Result<(), Refutation>> {
        let part = keep(instance, items);
        let left = Budget {
            nodes: budget.nodes.map(|nodes| nodes.saturating_sub(spent)),
            ..budget.clone()
        };
        Meter::new(&left).poll().ok()?;
        Exact::default().can(&part, Goal::Fit).ok()?;
        match Exact::default().solve(&part, Goal::Fit, None, &left, &mut |_| ()) {
            Outcome::Packed { nodes, .. } => {
                spent += nodes;
                Some(Ok(()))
            }
            Outcome::Refuted { why, nodes, .. } => {
                spent += nodes;
                Some(Err(why))
            }
            Outcome::GaveUp { .. } => None,
        }
    };
    let mut core: Vec<ItemId> = (0..instance.items.len() as ItemId).collect();
    // A witness is a core already, but for items that it does not need.
    match fits(&core)?.err()? {
        Refutation::Load { items, .. } if fits(&items)?.is_err() => core = items,
        Refutation::NoPlace(item) if fits(&[item])?.is_err() => core = vec![item],
        Refutation::Clash(a, b) if fits(&[a.min(b), a.max(b)])?.is_err() => {
            core = vec![a.min(b), a.max(b)];
        }
        _ => {}
    }
    // Deletion filter, in halves first: what is infeasible without a run of items needs none of it.
    let mut run = core.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < core.len() {
            let end = (at + run).min(core.len());
            let mut rest = core[..at].to_vec();
            rest.extend(&core[end..]);
            if fits(&rest)?.is_err() {
                core = rest;
            } else {
                at = end;
            }
        }
        if run == 1 {
            return Some(core);
        }
        run = run.div_ceil(2);
    }
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
    for c in &instance.colocated {
        if let (Some(first), Some(second)) = (new(c.first), new(c.second)) {
            part.colocated.push(memplan_packing::Colocation { first, second, delta: c.delta });
        }
    }
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

//! One arena at one level as a packing problem.

use std::collections::{BTreeMap, BTreeSet};

use memplan_packing::{Colocation, Inplace, Instance, Item, ItemId, PairCost, Promotion, Span};

use super::Arena;
use crate::analyze::{Facts, SlotUse, Stalls, allowed_at, promotable, stall_cost};
use crate::model::{Buffer, BufferId, Function, Live, Problem, RelationKind, ReuseLevel, ScopeId};

/// Extra pairs of one instance, at most; past that a level is not tried.
const MAX_PAIRS: usize = 2_000_000;

/// Pairs whose stall is worked out for the cost of an instance, at most.
const MAX_COSTS: usize = 200_000;

/// Promotions of one instance, at most: each may add a copy for every slot. Past that a level is
/// tried without the rest, and not called refuted.
const MAX_PROMOTIONS: usize = 400;

/// What an instance is built from.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The function.
    pub function: &'a Function,
    /// What follows from it.
    pub facts: &'a Facts,
    /// The scope.
    pub scope: ScopeId,
}

/// How items may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Everything has bytes of its own.
    Sequential,
    /// The hard facts alone, as at `lifetime`, without costs: what every level must respect.
    Hard,
    /// As a level allows. At `slot` a single that is also half of an in-place pair can keep only
    /// one of its two chances; `promote` says which.
    Level {
        /// The level.
        level: ReuseLevel,
        /// True when promotions win over in-place pairs.
        promote: bool,
    },
}

/// An instance and what its items are.
#[derive(Clone, Debug)]
pub struct Built {
    /// The packing problem.
    pub instance: Instance,
    /// The buffer and slot of each item.
    pub items: Vec<(BufferId, u32)>,
    /// The first item of each buffer; its slots follow.
    pub first: BTreeMap<BufferId, ItemId>,
    /// True when the level allows more than the instance says: a single lost its promotions to an
    /// in-place pair, or the other way round, or there were too many promotions. That the instance
    /// has no packing is then no proof about the level.
    pub partial: bool,
    /// True when there are too many pairs to price: stalls are then not minimised.
    pub unpriced: bool,
}

/// Bytes of one slot as placed: rounded up where the scope says so.
pub(super) fn rounded(problem: &Problem, buffer: &Buffer) -> u64 {
    let size = buffer.size.0;
    if problem.scopes[buffer.scope].round_up {
        // The reader has checked that sizes with their alignment fit.
        size.checked_next_multiple_of(buffer.alignment).unwrap_or(size)
    } else {
        size
    }
}

fn spans(live: &[Live]) -> Vec<Span> {
    live.iter().map(|l| Span::new(l.start.0, l.end.0)).collect()
}

/// Builds the instance; `Err` says why this level is not tried.
pub fn build(scene: &Scene<'_>, arena: &Arena, sharing: Sharing) -> Result<Built, String> {
    let mut built = Built {
        instance: Instance {
            capacity: arena.capacity,
            reserved: arena.reserved.clone(),
            ..Instance::default()
        },
        items: Vec::new(),
        first: BTreeMap::new(),
        partial: false,
        unpriced: false,
    };
    for &id in &arena.buffers {
        let buffer = &scene.function.buffers[id];
        built.first.insert(id, built.items.len() as ItemId);
        for slot in 0..buffer.slots {
            built.items.push((id, slot));
            built.instance.items.push(Item {
                size: rounded(scene.problem, buffer),
                align: buffer.alignment,
                live: spans(&scene.facts.live[id]),
                pin: buffer.pin.as_ref().and_then(|p| p.get(slot as usize).copied()),
                window: None,
                alone: buffer.unique || sharing == Sharing::Sequential,
            });
        }
    }
    relations(scene, &mut built, sharing);
    if let Sharing::Level { level, promote } = sharing {
        pairs(scene, arena, &mut built, level, promote)?;
    }
    match built.instance.validate() {
        Ok(()) => Ok(built),
        Err(why) => Err(format!("the instance is not valid: {why:?}")),
    }
}

/// Relations that hold at every level, and in-place pairs as far as the level allows them.
fn relations(scene: &Scene<'_>, built: &mut Built, sharing: Sharing) {
    let slots = |id: BufferId| scene.function.buffers[id].slots;
    // A pair may be priced twice, for two reasons: both are paid.
    let mut prices: BTreeMap<(ItemId, ItemId), u64> = BTreeMap::new();
    for relation in &scene.function.relations {
        let (a, b) = (built.first.get(&relation.first), built.first.get(&relation.second));
        let (Some(&a), Some(&b)) = (a, b) else { continue };
        let all = || {
            let (m, n) = (slots(relation.first), slots(relation.second));
            (0..m).flat_map(move |i| (0..n).map(move |j| (a + i, b + j)))
        };
        match relation.kind {
            RelationKind::Colocate { delta } => {
                for i in 0..slots(relation.first) {
                    let pair = Colocation { first: a + i, second: b + i, delta };
                    built.instance.colocated.push(pair);
                }
            }
            RelationKind::Handover => {
                let pair = Colocation { first: a, second: b, delta: 0 };
                built.instance.colocated.push(pair);
            }
            RelationKind::Separate => built.instance.separate.extend(all()),
            RelationKind::Exclusive => built.instance.exclusive.extend(all()),
            // A fact of the program, not of the relation: see `analyze`.
            RelationKind::Inplace => {}
            RelationKind::Cost { cost } => {
                if matches!(sharing, Sharing::Level { .. }) {
                    for (i, j) in all() {
                        let sum = prices.entry((i.min(j), i.max(j))).or_default();
                        *sum = u64::saturating_add(*sum, cost);
                    }
                }
            }
        }
    }
    let price = |((first, second), cost)| PairCost { first, second, cost };
    built.instance.costs.extend(prices.into_iter().map(price));
    let level = match sharing {
        Sharing::Sequential => return,
        Sharing::Hard => ReuseLevel::Lifetime,
        Sharing::Level { level, .. } => level,
    };
    for pair in &scene.facts.inplace {
        let (from, into) = (built.first.get(&pair.from), built.first.get(&pair.into));
        let (Some(&from), Some(&into)) = (from, into) else { continue };
        let (f, i) = (&scene.function.buffers[pair.from], &scene.function.buffers[pair.into]);
        if rounded(scene.problem, i) > rounded(scene.problem, f) {
            continue;
        }
        if allowed_at(scene.function, scene.facts, pair.from, pair.into) <= level {
            for slot in 0..slots(pair.from) {
                let pair = Inplace { from: from + slot, into: into + slot };
                built.instance.inplace.push(pair);
            }
        }
    }
}

/// What the level forbids between buffers that are never alive together, what it lets a single do
/// with a multi-buffer, and what sharing costs.
fn pairs(
    scene: &Scene<'_>,
    arena: &Arena,
    built: &mut Built,
    level: ReuseLevel,
    promote: bool,
) -> Result<(), String> {
    let (function, facts) = (scene.function, scene.facts);
    // Buffers that no pipe is known to touch share freely and cost nothing.
    let touched = |id: &BufferId| !facts.pipes[*id].is_empty() && !function.buffers[*id].unique;
    let known: Vec<BufferId> = arena.buffers.iter().copied().filter(touched).collect();
    let stalls = Stalls::new(scene.problem, function, facts);
    let buffer = |item: ItemId| built.items[item as usize].0;
    let pairs = built.instance.inplace.iter().flat_map(|p| [p.from, p.into]);
    let tied: BTreeSet<BufferId> = pairs.map(buffer).collect();
    let pairs = built.instance.colocated.iter().flat_map(|c| [c.first, c.second]);
    let fixed: BTreeSet<BufferId> = pairs.map(buffer).collect();
    let exclusive = built.instance.exclusive.iter();
    let exclusive: BTreeSet<(ItemId, ItemId)> =
        exclusive.map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let mut promoted: BTreeSet<BufferId> = BTreeSet::new();
    let count = known.len().saturating_mul(known.len()) / 2;
    for (at, &a) in known.iter().enumerate() {
        for &b in &known[at + 1..] {
            let strictest = allowed_at(function, facts, a, b);
            if strictest == ReuseLevel::Pipe {
                continue;
            }
            let items = slot_pairs(function, built, a, b);
            let (x, y) = items[0];
            let item = |i: ItemId| &built.instance.items[i as usize];
            let together = item(x).meets(item(y));
            if together && !exclusive.contains(&(x.min(y), x.max(y))) {
                continue;
            }
            let plain = strictest == ReuseLevel::Slot && level == ReuseLevel::Slot;
            if plain && !together {
                for (single, multi) in [(a, b), (b, a)] {
                    let first = built.first[&multi];
                    // Rounding and alignment may make the single the larger one.
                    let size = |b: &BufferId| built.instance.items[built.first[b] as usize].size;
                    if !promotable(function, facts, single, multi)
                        || fixed.contains(&single)
                        || size(&single) > size(&multi)
                    {
                        continue;
                    }
                    let many = built.instance.promotions.len() >= MAX_PROMOTIONS;
                    if many || (tied.contains(&single) && !promote) {
                        built.partial = true;
                        continue;
                    }
                    let slots = (0..function.buffers[multi].slots).map(|s| first + s).collect();
                    let single_item = built.first[&single];
                    built.instance.promotions.push(Promotion { single: single_item, slots });
                    promoted.insert(single);
                }
            }
            if strictest > level || plain {
                built.instance.separate.extend(&items);
                if built.instance.separate.len() > MAX_PAIRS {
                    return Err(format!("more than {MAX_PAIRS} pairs that may not share"));
                }
            } else if count > MAX_COSTS {
                built.unpriced = true;
            } else {
                let cost = stall_cost(function, facts, a, b);
                for (i, j) in items {
                    let [x, y] = [i, j].map(|item| slot_use(function, built, item));
                    if stalls.between(x, y).is_some() {
                        built.instance.costs.push(PairCost { first: i, second: j, cost });
                    }
                }
            }
        }
    }
    if promote && !promoted.is_empty() {
        let before = built.instance.inplace.len();
        let lost = |item: ItemId| promoted.contains(&built.items[item as usize].0);
        built.instance.inplace.retain(|p| !lost(p.from) && !lost(p.into));
        built.partial |= built.instance.inplace.len() < before;
    }
    Ok(())
}

fn slot_pairs(
    function: &Function,
    built: &Built,
    a: BufferId,
    b: BufferId,
) -> Vec<(ItemId, ItemId)> {
    let (x, y) = (built.first[&a], built.first[&b]);
    let (m, n) = (function.buffers[a].slots, function.buffers[b].slots);
    (0..m).flat_map(|i| (0..n).map(move |j| (x + i, y + j))).collect()
}

pub(super) fn slot_use(function: &Function, built: &Built, item: ItemId) -> SlotUse {
    let (buffer, slot) = built.items[item as usize];
    let b = &function.buffers[buffer];
    SlotUse { buffer, slot, slots: b.slots, rotates_in: b.rotates_in }
}

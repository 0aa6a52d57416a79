//! An instance with everything that a heuristic looks up.

use std::sync::OnceLock;

use memplan_packing::composite::{Composite, Composites, Member};
use memplan_packing::relations::{Conflict, Relations};
use memplan_packing::{Instance, Item, ItemId, Packing, Span};

/// An instance, its relations, and its colocated items as composites. Heuristics place
/// composites; an item without colocation is a composite of one.
pub(crate) struct Problem<'a> {
    pub(crate) instance: &'a Instance,
    pub(crate) relations: Relations,
    pub(crate) composites: Composites,
    /// Nothing but sizes, alignments, reserved ranges and one span for each item.
    pub(crate) plain: bool,
    /// Some pairs are more than an overlap in time.
    pub(crate) related: bool,
    sparse: OnceLock<bool>,
}

/// A tree that lists who is alive with an item takes so many times as long for each of them as a
/// scan of everything placed takes for each item.
const LISTING: u64 = 64;

impl<'a> Problem<'a> {
    pub(crate) fn new(instance: &'a Instance) -> Self {
        let relations = Relations::new(instance);
        let composites = Composites::new(instance, &relations);
        let items = &instance.items;
        let alone = items.iter().any(|item| item.alone);
        let pairs = instance.separate.len() + instance.exclusive.len() + instance.inplace.len();
        let related = pairs > 0 || alone || !instance.colocated.is_empty();
        let simple =
            |item: &Item| item.live.len() == 1 && item.window.is_none() && item.pin.is_none();
        let plain = !related && items.iter().all(simple);
        Self { instance, relations, composites, plain, related, sparse: OnceLock::new() }
    }

    /// How many composites there are.
    pub(crate) fn len(&self) -> usize {
        self.composites.len()
    }

    pub(crate) fn shape(&self, composite: u32) -> &Composite {
        self.composites.get(composite)
    }

    pub(crate) fn members(&self, composite: u32) -> &[Member] {
        self.composites.members(composite)
    }

    /// The composites of which a pin fixes the base.
    pub(crate) fn pinned(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).filter(|&c| self.shape(c).pinned)
    }

    /// The others, in the order of their numbers.
    pub(crate) fn movable(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).filter(|&c| !self.shape(c).pinned)
    }

    /// True when so few items are alive with each other that listing them is faster than a look at
    /// everything placed.
    pub(crate) fn sparse(&self) -> bool {
        *self.sparse.get_or_init(|| {
            let n = self.instance.items.len() as u64;
            LISTING * pairs(self.instance) < n * n / 2
        })
    }

    /// From the first start to the last end of its members.
    pub(crate) fn hull(&self, composite: u32) -> Span {
        let live =
            self.members(composite).iter().map(|m| self.instance.items[m.item as usize].hull());
        let live = live.filter(|hull| hull.start < hull.end);
        live.reduce(|a, b| Span::new(a.start.min(b.start), a.end.max(b.end)))
            .unwrap_or(Span::new(0, 0))
    }

    /// How many items a placement looks at, roughly: all that are placed, and the partners that
    /// conflict or cost something whenever they live.
    pub(crate) fn looks(&self) -> u64 {
        let n = self.instance.items.len().max(1) as u64;
        let alone = self.instance.items.iter().filter(|item| item.alone).count() as u64;
        let pairs = self.instance.separate.len() + self.instance.costs.len();
        n + 2 * pairs as u64 / n + alone
    }

    /// Whether two items of different composites conflict.
    pub(crate) fn conflict(&self, a: ItemId, b: ItemId) -> Conflict {
        if self.related {
            return self.relations.conflict(self.instance, a, b);
        }
        let (x, y) = (&self.instance.items[a as usize], &self.instance.items[b as usize]);
        if x.size > 0 && y.size > 0 && x.meets(y) { Conflict::Always } else { Conflict::None }
    }

    /// The packing with these bases.
    pub(crate) fn packing(&self, bases: &[u64]) -> Packing {
        let place = |&(group, delta): &(u32, u64)| bases[group as usize] + delta;
        let offsets = self.relations.group.iter().map(place).collect();
        Packing { offsets, promoted: Vec::new() }
    }
}

/// How many pairs of items have hulls that meet.
fn pairs(instance: &Instance) -> u64 {
    let hulls =
        || instance.items.iter().filter(|i| i.size > 0 && !i.live.is_empty()).map(Item::hull);
    let mut events: Vec<(u64, bool)> =
        hulls().flat_map(|hull| [(hull.start, true), (hull.end, false)]).collect();
    // At one moment ends come before starts.
    events.sort_unstable();
    let (mut alive, mut pairs) = (0, 0);
    for (_, starts) in events {
        if starts {
            pairs += alive;
            alive += 1;
        } else {
            alive -= 1;
        }
    }
    pairs
}

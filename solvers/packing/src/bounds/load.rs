//! The heaviest step of an instance.

use super::{Load, classes, clique};
use crate::components::UnionFind;
use crate::instance::{Instance, ItemId};
use crate::relations::Relations;

/// What each item weighs, and who counts at every step.
pub(super) struct Weights {
    /// Bytes by item.
    pub(super) size: Vec<u64>,
    /// Items that count whether they are alive or not.
    pub(super) always: Vec<ItemId>,
}

impl Weights {
    /// The sizes themselves, of what is alive.
    pub(super) fn plain(instance: &Instance) -> Self {
        Self { size: instance.items.iter().map(|item| item.size).collect(), always: Vec::new() }
    }

    /// Sizes rounded up to `granule`; items that are alone count at every step.
    ///
    /// The single and the slots of a promotion may share bytes although they are alone, so they
    /// count only while they live.
    pub(super) fn rounded(instance: &Instance, granule: u64) -> Self {
        let mut alone: Vec<bool> = instance.items.iter().map(|i| i.alone && i.size > 0).collect();
        for p in &instance.promotions {
            for &id in p.slots.iter().chain([&p.single]) {
                alone[id as usize] = false;
            }
        }
        // Validated: the sum of all sizes and alignments fits.
        let size = instance.items.iter().map(|i| i.size.next_multiple_of(granule)).collect();
        let always = (0..alone.len()).filter(|&id| alone[id]).map(|id| id as ItemId).collect();
        Self { size, always }
    }
}

/// The loads that bounds and refutations share.
pub(super) struct Loads {
    /// See [`super::max_load`].
    pub(super) plain: Load,
    /// The same with everybody who is alone at every step, and with the heaviest steps of classes
    /// that never share added up.
    pub(super) full: Load,
    /// The greatest common divisor of all alignments.
    pub(super) granule: u64,
    /// The full load of the sizes rounded up to the granule, when it is not 1.
    pub(super) rounded: Option<Load>,
}

impl Loads {
    pub(super) fn new(instance: &Instance, relations: &Relations) -> Self {
        let plain = heaviest(instance, relations, &Weights::plain(instance), &|_| true);
        let classes = classes::classes(instance, relations);
        let weights = Weights::rounded(instance, 1);
        let full = match &classes {
            None if weights.always.is_empty() => plain.clone(),
            _ => everywhere(instance, relations, &weights, classes.as_deref()),
        };
        let aligns = instance.items.iter().filter(|i| i.size > 0).map(|i| i.align);
        let granule = aligns.fold(0, gcd).max(1);
        let even = instance.items.iter().all(|i| i.size.is_multiple_of(granule));
        let rounded = (!even).then(|| {
            let weights = Weights::rounded(instance, granule);
            everywhere(instance, relations, &weights, classes.as_deref())
        });
        Self { plain, full, granule, rounded }
    }
}

/// The heaviest step, or the heaviest steps of all classes together.
fn everywhere(
    instance: &Instance,
    relations: &Relations,
    weights: &Weights,
    classes: Option<&[Vec<ItemId>]>,
) -> Load {
    let whole = heaviest(instance, relations, weights, &|_| true);
    let mut sum = Load { at: whole.at, ..Load::default() };
    for class in classes.unwrap_or_default() {
        let part = match class[..] {
            [only] => Load { at: 0, sum: weights.size[only as usize], items: vec![only] },
            _ => heaviest(instance, relations, weights, &|id| class.binary_search(&id).is_ok()),
        };
        sum.sum += part.sum;
        sum.items.extend(part.items);
    }
    sum.items.sort_unstable();
    if sum.sum > whole.sum { sum } else { whole }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Items that may share with someone alive, kept together.
struct Tied {
    /// For each item its set, `NONE` for items that share with nobody.
    set: Vec<u32>,
    /// For each set who counts now.
    live: Vec<Vec<ItemId>>,
    /// For each set at most what it needs now: what it needed when it was last looked at, and
    /// who came since.
    need: Vec<u128>,
    /// The sum of these.
    sum: u128,
    /// Sets whose live items changed since.
    stale: Vec<u32>,
    is_stale: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Tied {
    fn new(instance: &Instance, relations: &Relations) -> Self {
        let n = instance.items.len();
        let ties = relations.inplace.is_empty() && relations.exclusive.is_empty();
        if ties && instance.colocated.is_empty() {
            return Self {
                set: vec![NONE; n],
                live: Vec::new(),
                need: Vec::new(),
                sum: 0,
                stale: Vec::new(),
                is_stale: Vec::new(),
            };
        }
        let mut sets = UnionFind::new(n);
        for id in 0..n as ItemId {
            let partners = relations.inplace.of(id).iter().chain(relations.exclusive.of(id));
            for &partner in partners {
                sets.join(id, partner);
            }
        }
        for c in &instance.colocated {
            sets.join(c.first, c.second);
        }
        let mut set = vec![NONE; n];
        let mut count = 0;
        for members in sets.sets().into_iter().filter(|members| members.len() > 1) {
            for id in members {
                set[id as usize] = count;
            }
            count += 1;
        }
        let count = count as usize;
        Self {
            set,
            live: vec![Vec::new(); count],
            need: vec![0; count],
            sum: 0,
            stale: Vec::new(),
            is_stale: vec![false; count],
        }
    }

    fn touch(&mut self, set: u32) -> &mut Vec<ItemId> {
        if !self.is_stale[set as usize] {
            self.is_stale[set as usize] = true;
            self.stale.push(set);
        }
        &mut self.live[set as usize]
    }

    fn add(&mut self, set: u32, item: ItemId, weight: u64) {
        self.touch(set).push(item);
        // Rough needs may add up to more than all items together, which fits 64 bits.
        self.need[set as usize] += u128::from(weight);
        self.sum += u128::from(weight);
    }

    fn remove(&mut self, set: u32, item: ItemId) {
        let live = self.touch(set);
        if let Some(at) = live.iter().position(|&other| other == item) {
            live.swap_remove(at);
        }
    }

    /// Looks at the sets that changed.
    fn refresh(&mut self, clique: &mut clique::Search<'_>) {
        while let Some(set) = self.stale.pop() {
            let at = set as usize;
            self.is_stale[at] = false;
            self.sum -= self.need[at];
            self.need[at] = u128::from(clique.heaviest(&mut self.live[at].clone()).0);
            self.sum += self.need[at];
        }
    }
}

/// The heaviest step, looking only at the items that `keep` accepts.
pub(super) fn heaviest(
    instance: &Instance,
    relations: &Relations,
    weights: &Weights,
    keep: &dyn Fn(ItemId) -> bool,
) -> Load {
    let mut always = vec![false; if weights.always.is_empty() { 0 } else { instance.items.len() }];
    for &id in &weights.always {
        always[id as usize] = true;
    }
    let is_always = |id: ItemId| always.get(id as usize).copied().unwrap_or(false);
    let counts = |id: ItemId| weights.size[id as usize] > 0 && keep(id);

    let mut tied = Tied::new(instance, relations);
    let mut free = 0u64;
    for &id in weights.always.iter().filter(|&&id| counts(id)) {
        match tied.set[id as usize] {
            NONE => free += weights.size[id as usize],
            set => tied.add(set, id, weights.size[id as usize]),
        }
    }
    // Who counts always starts before time, so that the first batch sees it.
    let mut events: Vec<(u64, bool, ItemId)> = vec![(0, true, ItemId::MAX)];
    for (id, item) in instance.items.iter().enumerate() {
        let id = id as ItemId;
        if counts(id) && !is_always(id) {
            for span in &item.live {
                events.push((span.start, true, id));
                events.push((span.end, false, id));
            }
        }
    }
    events.sort_unstable();

    let mut clique = clique::Search::new(instance, relations, weights);
    let mut best = Load::default();
    for batch in events.chunk_by(|a, b| a.0 == b.0) {
        for &(_, starts, id) in batch.iter().filter(|&&(_, _, id)| id != ItemId::MAX) {
            match (tied.set[id as usize], starts) {
                (NONE, true) => free += weights.size[id as usize],
                (NONE, false) => free -= weights.size[id as usize],
                (set, true) => tied.add(set, id, weights.size[id as usize]),
                (set, false) => tied.remove(set, id),
            }
        }
        // Most steps cannot be the heaviest whatever their sets need exactly.
        let at_most = u128::from(free) + tied.sum;
        if at_most <= u128::from(best.sum) {
            continue;
        }
        tied.refresh(&mut clique);
        // Exact needs are those of different items, and all items together fit 64 bits.
        let sum = u64::try_from(u128::from(free) + tied.sum).unwrap_or(u64::MAX);
        if sum > best.sum {
            best = Load { at: batch[0].0, sum, items: Vec::new() };
        }
    }

    // A second look at the best step finds the witness.
    let alive = |id: ItemId| {
        let live = &instance.items[id as usize].live;
        is_always(id) || live.iter().any(|span| span.start <= best.at && best.at < span.end)
    };
    let mut sets: Vec<Vec<ItemId>> = vec![Vec::new(); tied.live.len()];
    for id in (0..instance.items.len() as ItemId).filter(|&id| counts(id) && alive(id)) {
        match tied.set[id as usize] {
            NONE => best.items.push(id),
            set => sets[set as usize].push(id),
        }
    }
    for mut live in sets {
        best.items.extend(clique.heaviest(&mut live).1);
    }
    best.items.sort_unstable();
    if best.sum == 0 {
        best.items.clear();
    }
    best
}

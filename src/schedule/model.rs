//! One computation as a search sees it: instructions, the bytes that each brings to life and lets go, what
//! must run before what. Everything around the computation stays as it is under the order at hand.

use std::collections::BTreeMap;

use super::fixed::{Fixed, Moment};
use super::graph::{Graph, distinct};
use super::state::run;
use crate::ir::hlo::{ComputationId, InstructionId};

/// A value that is born or that may die in the computation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Bytes.
    pub(crate) size: u64,
    /// Items of one number are the same bytes.
    pub(crate) group: u32,
    /// How many instructions must run before it dies: its definer, those where it stands and its users.
    /// One more than there are for what outlives the computation.
    pub(crate) touches: u32,
    /// True when it is alive from the start.
    pub(crate) enters: bool,
}

/// A computation and what its instructions do to memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    /// The instructions by place.
    pub(crate) ids: Vec<InstructionId>,
    /// How many others each waits for.
    pub(crate) waits: Vec<u32>,
    /// What each waits for.
    pub(crate) before: Vec<Vec<u32>>,
    /// What waits for each.
    pub(crate) after: Vec<Vec<u32>>,
    /// Values.
    pub(crate) items: Vec<Item>,
    /// Items born at each place.
    pub(crate) born: Vec<Vec<u32>>,
    /// Items touched at each place, those born there included.
    pub(crate) touched: Vec<Vec<u32>>,
    /// For each place and each item born there that may take the bytes of another: which.
    pub(crate) takes: Vec<Vec<Vec<u32>>>,
    /// What the computations that it runs need beyond what is alive here, by place.
    pub(crate) inner: Vec<u64>,
    /// True for places of which an item shares its group with another item.
    pub(crate) is_joint: Vec<bool>,
    /// Number of groups.
    pub(crate) groups: usize,
    /// Bytes that are alive whatever the order in here.
    pub(crate) base: u64,
}

impl Model {
    /// The model of a computation under an order; `None` when its bytes do not fit 62 bits.
    pub(crate) fn of(fixed: &Fixed<'_>, computation: ComputationId, at: &Moment) -> Option<Self> {
        let module = fixed.meter.facts.module;
        let graph = Graph::of(module, &fixed.places, computation);
        let mut model = Self { after: vec![Vec::new(); graph.len()], ..Self::default() };
        for (place, &id) in graph.ids.iter().enumerate() {
            let extra = &fixed.edges[id];
            let extra = extra.iter().filter_map(|&on| fixed.places.get(module, computation, on));
            let before = graph.operands[place].iter().chain(&graph.control_before[place]).copied();
            model.before.push(distinct(before.chain(extra).collect()));
        }
        for (place, before) in (0_u32..).zip(&model.before) {
            before.iter().for_each(|&on| model.after[on as usize].push(place));
        }
        model.waits = model.before.iter().map(|list| number(list.len())).collect();
        model.ids = graph.ids;
        model.add_items(fixed, computation, at);
        model.add_inner(fixed, computation, at);
        let sizes = model.items.iter().map(|item| item.size).chain(model.inner.iter().copied());
        let total = sizes.chain([model.base]).try_fold(0_u64, u64::checked_add)?;
        (total < 1 << 62).then_some(model)
    }

    fn add_items(&mut self, fixed: &Fixed<'_>, computation: ComputationId, at: &Moment) {
        let meter = &fixed.meter;
        let module = meter.facts.module;
        let len = self.ids.len();
        (self.born, self.touched) = (vec![Vec::new(); len], vec![Vec::new(); len]);
        (self.takes, self.is_joint) = (vec![Vec::new(); len], vec![false; len]);
        let past = at.clock.at(meter.times.past(computation)).unwrap_or(0);
        let mut item_of = BTreeMap::new();
        let mut groups = BTreeMap::new();
        let mut takers = Vec::new();
        for touches in fixed.touches[computation].chunk_by(|a, b| a.0 == b.0) {
            let entry = touches[0].0;
            let value = &meter.entries[entry as usize];
            let Some((_, end)) = at.lives[entry as usize] else { continue };
            let at_home = fixed.place_around(computation, value.definer);
            let is_parameter = module.instructions[value.definer].parameter.is_some();
            let deeper = module.instructions[value.definer].computation != computation;
            let enters = at_home.is_none() || (is_parameter && !deeper);
            // What lives and dies in a computation that runs in this one is none of its items.
            let passes = deeper && touches.iter().all(|&(_, place)| Some(place) == at_home);
            let stays = end >= past;
            let alone = meter.facts.groups.groups[value.group].len() == 1;
            if passes || (enters && stays && alone) {
                continue;
            }
            let next = number(groups.len());
            let group = *groups.entry(value.group).or_insert(next);
            let item = number(self.items.len());
            item_of.insert(entry, item);
            for &(_, place) in touches {
                self.touched[place as usize].push(item);
            }
            if let (Some(place), false) = (at_home, enters) {
                self.born[place as usize].push(item);
                if !value.may_take.is_empty() {
                    takers.push((place, entry));
                }
            }
            let count = number(touches.len()) + u32::from(stays);
            self.items.push(Item { size: value.size, group, touches: count, enters });
        }
        self.groups = groups.len();
        let mut members = vec![0_u32; self.groups];
        self.items.iter().for_each(|item| members[item.group as usize] += 1);
        for (place, touched) in self.touched.iter().enumerate() {
            let joint = |&item: &u32| members[self.items[item as usize].group as usize] > 1;
            self.is_joint[place] = touched.iter().any(joint);
        }
        for (place, entry) in takers {
            let from = &meter.entries[entry as usize].may_take;
            let from: Vec<u32> =
                from.iter().filter_map(|from| item_of.get(from).copied()).collect();
            if !from.is_empty() {
                self.takes[place as usize].push(from);
            }
        }
    }

    /// What the profile has beyond the items: everywhere, and where other computations run.
    fn add_inner(&mut self, fixed: &Fixed<'_>, computation: ComputationId, at: &Moment) {
        self.inner = vec![0; self.ids.len()];
        let (meter, times) = (&fixed.meter, &fixed.meter.times);
        let profile = meter.profile(&at.lives);
        let order = fixed.places(computation, at);
        let own = |place: u32| {
            let time = at.clock.at(times.instruction(self.ids[place as usize]))?;
            profile.get(time as usize).copied()
        };
        let alone = run(self, &order);
        // A value at the root of what ran before is alive for one more moment: the least is what stays.
        // What is called may have let go of its operands already.
        let plain = |place: &u32| times.runs(self.ids[*place as usize]).is_empty();
        let rest = order.iter().zip(&alone).filter(|(place, _)| plain(place));
        let rest = rest.filter_map(|(&place, &bytes)| Some(own(place)?.saturating_sub(bytes)));
        let base = rest.min().unwrap_or(0);
        let mut inner = self.inner.clone();
        for (&place, &bytes) in order.iter().zip(&alone) {
            let id = self.ids[place as usize];
            let callees = times.runs(id).iter().filter(|&&c| fixed.nest.parent(c) == Some(id));
            for &callee in callees {
                let first = at.clock.at(times.first(callee)).unwrap_or(0) as usize;
                let past = at.clock.at(times.past(callee)).unwrap_or(0) as usize;
                let inside = profile.get(first..=past).unwrap_or(&[]);
                let most = inside.iter().copied().max().unwrap_or(0);
                let inner = &mut inner[place as usize];
                *inner = (*inner).max(most.saturating_sub(base.saturating_add(bytes)));
            }
        }
        (self.base, self.inner) = (base, inner);
    }

    /// How many instructions there are.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }
}

fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

//! One computation as a search sees it: instructions, the bytes that each brings to life and lets go, what
//! must run before what. Everything around the computation stays as it is under the order at hand.

use super::edges::Edges;
use super::graph::{Graph, Places, distinct};
use super::meter::{Life, Meter};
use super::nest::Nest;
use super::times::Clock;
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
    /// The model of a computation under an order: `lives` and `profile` are its, `clock` its times.
    pub(crate) fn of(
        meter: &Meter<'_>,
        nest: &Nest,
        edges: &Edges,
        computation: ComputationId,
        at: &Moment<'_>,
    ) -> Self {
        let module = meter.facts.module;
        let places = &at.places;
        let graph = Graph::of(module, places, computation);
        let len = graph.len();
        let mut model = Self { ids: graph.ids.clone(), ..Self::default() };
        for (place, &id) in graph.ids.iter().enumerate() {
            let extra = edges[id].iter().filter_map(|&on| places.get(module, computation, on));
            let control = graph.control_before[place].iter().copied().chain(extra);
            let before = graph.operands[place].iter().copied().chain(control);
            model.before.push(distinct(before.collect()));
        }
        model.after = vec![Vec::new(); len];
        for (place, before) in (0_u32..).zip(&model.before) {
            before.iter().for_each(|&on| model.after[on as usize].push(place));
        }
        let count = |list: &Vec<u32>| u32::try_from(list.len()).unwrap_or(u32::MAX);
        model.waits = model.before.iter().map(count).collect();
        model.add_items(meter, computation, at);
        model.add_inner(meter, nest, computation, at);
        model
    }

    fn add_items(&mut self, meter: &Meter<'_>, computation: ComputationId, at: &Moment<'_>) {
        let module = meter.facts.module;
        let len = self.ids.len();
        (self.born, self.touched) = (vec![Vec::new(); len], vec![Vec::new(); len]);
        (self.takes, self.is_joint) = (vec![Vec::new(); len], vec![false; len]);
        let past = at.clock.at(meter.times.past(computation)).unwrap_or(0);
        let of = |entry: u32| at.touched.get(&(computation, entry)).map_or(&[][..], Vec::as_slice);
        let mut item_of = std::collections::BTreeMap::new();
        let mut groups = std::collections::BTreeMap::new();
        for &entry in at.entries.get(&computation).into_iter().flatten() {
            let value = &meter.entries[entry as usize];
            let Some((_, end)) = at.lives[entry as usize] else { continue };
            let definer = &module.instructions[value.definer];
            let enters = definer.computation != computation || definer.parameter.is_some();
            let stays = end >= past;
            let alone = meter.facts.groups.groups[value.group].len() == 1;
            if enters && stays && alone {
                continue;
            }
            let next = u32::try_from(groups.len()).unwrap_or(u32::MAX);
            let group = *groups.entry(value.group).or_insert(next);
            let item = u32::try_from(self.items.len()).unwrap_or(u32::MAX);
            item_of.insert(entry, item);
            let touched = of(entry);
            for &place in touched {
                self.touched[place as usize].push(item);
            }
            if !enters && let Some(place) = at.places.get(module, computation, value.definer) {
                self.born[place as usize].push(item);
            }
            let touches = u32::try_from(touched.len()).unwrap_or(u32::MAX - 1) + u32::from(stays);
            self.items.push(Item { size: value.size, group, touches, enters });
        }
        self.groups = groups.len();
        let mut members = vec![0_u32; self.groups];
        self.items.iter().for_each(|item| members[item.group as usize] += 1);
        for (place, touched) in self.touched.iter().enumerate() {
            let joint = |&item: &u32| members[self.items[item as usize].group as usize] > 1;
            self.is_joint[place] = touched.iter().any(joint);
        }
        for (&entry, &item) in &item_of {
            let value = &meter.entries[entry as usize];
            let from = value.may_take.iter().filter_map(|from| item_of.get(from).copied());
            let from: Vec<u32> = from.collect();
            let place = at.places.get(module, computation, value.definer);
            if let (Some(place), false, false) = (place, from.is_empty(), self.items[item as usize].enters) {
                self.takes[place as usize].push(from);
            }
        }
    }

    fn add_inner(
        &mut self,
        meter: &Meter<'_>,
        nest: &Nest,
        computation: ComputationId,
        at: &Moment<'_>,
    ) {
        self.inner = vec![0; self.ids.len()];
        for (place, &id) in self.ids.iter().enumerate() {
            let Some(own) = at.time(meter, id) else { continue };
            for &callee in meter.times.runs(id).iter().filter(|&&c| nest.parent(c) == Some(id)) {
                let first = at.clock.at(meter.times.first(callee)).unwrap_or(0) as usize;
                let past = at.clock.at(meter.times.past(callee)).unwrap_or(0) as usize;
                let inside = at.profile.get(first..past.max(first)).unwrap_or(&[]);
                let most = inside.iter().copied().max().unwrap_or(0);
                self.inner[place] = self.inner[place].max(most.saturating_sub(own));
            }
        }
        // What is alive here and not in the items is whatever the profile has besides.
        let sequence = &at.order.0[computation];
        let first = sequence.iter().find_map(|&id| {
            let place = at.places.get(meter.facts.module, computation, id)?;
            Some((place, at.time(meter, id)?))
        });
        if let Some((place, own)) = first {
            let mut state = super::state::State::of(self);
            let needs = state.step(self, place).saturating_sub(self.inner[place as usize]);
            self.base = own.saturating_sub(needs);
        }
    }

    /// How many instructions there are.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }
}

/// An order and what follows from it.
pub(crate) struct Moment<'a> {
    /// The order.
    pub(crate) order: &'a super::super::ir::hlo::Sequences,
    /// Places in the text.
    pub(crate) places: Places,
    /// Times.
    pub(crate) clock: Clock,
    /// When values are alive.
    pub(crate) lives: Vec<Life>,
    /// Bytes by time.
    pub(crate) profile: Vec<u64>,
    /// The places of a computation at which an entry is touched, there or in what runs there.
    pub(crate) touched: std::collections::BTreeMap<(ComputationId, u32), Vec<u32>>,
    /// The entries that a computation touches.
    pub(crate) entries: std::collections::BTreeMap<ComputationId, Vec<u32>>,
}

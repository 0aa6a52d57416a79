//! A computation as a graph of its instructions.

use std::collections::BinaryHeap;

use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{ComputationId, InstructionId, Module};
use crate::model::IdVec;

/// Where each instruction stands in the text of its computation; `u32::MAX` for those that stand in
/// none.
#[derive(Clone, Debug)]
pub(crate) struct Places(IdVec<InstructionId, u32>);

/// Instructions of a computation, by their place in the text, and what waits for what.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// The instruction at each place.
    pub(crate) ids: Vec<InstructionId>,
    /// The operands of each: distinct, in the order of slots.
    pub(crate) operands: Vec<Vec<u32>>,
    /// The users of each: distinct, in text order.
    pub(crate) users: Vec<Vec<u32>>,
    /// Those that must run before it besides its operands.
    pub(crate) control_before: Vec<Vec<u32>>,
    /// Those that must run after it besides its users.
    pub(crate) control_after: Vec<Vec<u32>>,
    /// The place of the root.
    pub(crate) root: u32,
}

impl Places {
    /// The places of a module.
    pub(crate) fn of(module: &Module) -> Self {
        let mut places = IdVec::filled(u32::MAX, module.instructions.len());
        for computation in module.computations.iter() {
            for (place, &id) in (0..).zip(&computation.instructions) {
                places[id] = place;
            }
        }
        Self(places)
    }

    /// The place of an instruction of that computation; `None` for those of others.
    pub(crate) fn get(&self, module: &Module, of: ComputationId, id: InstructionId) -> Option<u32> {
        let inside = module.instructions[id].computation == of;
        self.0.get(id).copied().filter(|&place| inside && place != u32::MAX)
    }
}

impl Graph {
    /// The graph of a computation.
    pub(crate) fn of(module: &Module, places: &Places, computation: ComputationId) -> Self {
        let ids = module.computations[computation].instructions.clone();
        let none = || vec![Vec::new(); ids.len()];
        let (mut operands, mut users) = (none(), none());
        let (mut control_before, mut control_after) = (none(), none());
        let local = |ids: &[InstructionId]| -> Vec<u32> {
            let found = ids.iter().filter_map(|&id| places.get(module, computation, id));
            distinct(found.collect())
        };
        for (place, &id) in (0_u32..).zip(&ids) {
            let instruction = &module.instructions[id];
            operands[place as usize] = local(&instruction.operands);
            control_before[place as usize] = local(instruction.control_predecessors());
            for &operand in &operands[place as usize] {
                users[operand as usize].push(place);
            }
            for &before in &control_before[place as usize] {
                control_after[before as usize].push(place);
            }
        }
        let root = places.get(module, computation, module.root(computation)).unwrap_or(0);
        Self { ids, operands, users, control_before, control_after, root }
    }

    /// How many instructions there are.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// How many operands and control predecessors each waits for.
    pub(crate) fn waits(&self) -> Vec<u32> {
        let sizes = self.operands.iter().zip(&self.control_before);
        sizes.map(|(a, b)| u32::try_from(a.len() + b.len()).unwrap_or(u32::MAX)).collect()
    }

    /// Those that wait for it: users in text order, then control successors.
    pub(crate) fn after(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let (users, control) = (&self.users[place as usize], &self.control_after[place as usize]);
        users.iter().chain(control).copied()
    }

    /// The instructions at these places.
    pub(crate) fn named(&self, places: &[u32]) -> Vec<InstructionId> {
        places.iter().map(|&place| self.ids[place as usize]).collect()
    }

    /// The text's own order, or the nearest to it in which nothing runs too early.
    ///
    /// # Errors
    ///
    /// `HloCycle` when instructions wait for each other.
    pub(crate) fn given(&self, module: &Module) -> Result<Vec<u32>, Diagnostic> {
        let mut waits = self.waits();
        let ready = (0_u32..).zip(&waits).filter(|(_, count)| **count == 0);
        let mut ready: BinaryHeap<_> = ready.map(|(place, _)| std::cmp::Reverse(place)).collect();
        let mut order = Vec::with_capacity(self.len());
        while let Some(std::cmp::Reverse(place)) = ready.pop() {
            order.push(place);
            for next in self.after(place) {
                waits[next as usize] -= 1;
                if waits[next as usize] == 0 {
                    ready.push(std::cmp::Reverse(next));
                }
            }
        }
        self.complete(module, order, &waits)
    }

    /// The order, if it holds every instruction.
    ///
    /// # Errors
    ///
    /// `HloCycle`: the rest wait for each other.
    pub(crate) fn complete(
        &self,
        module: &Module,
        order: Vec<u32>,
        waits: &[u32],
    ) -> Result<Vec<u32>, Diagnostic> {
        if order.len() == self.len() {
            return Ok(order);
        }
        let stuck = waits.iter().position(|&count| count > 0).unwrap_or(0);
        let stuck = &module.instructions[self.ids[stuck]];
        let left = self.len() - order.len();
        let message = format!("`{}` waits for itself, {left} instructions never run", stuck.name);
        Err(Diagnostic::error(Code::HloCycle, message)
            .at(stuck.loc, "on a cycle of operands and control predecessors, or after one"))
    }
}

/// The items without repetitions, in the order of their first appearance.
pub(crate) fn distinct(items: Vec<u32>) -> Vec<u32> {
    if items.len() < 2 {
        return items;
    }
    let mut by_item: Vec<(u32, usize)> = items.iter().copied().zip(0..).collect();
    by_item.sort_unstable();
    by_item.dedup_by_key(|(item, _)| *item);
    by_item.sort_unstable_by_key(|(_, at)| *at);
    by_item.into_iter().map(|(item, _)| item).collect()
}

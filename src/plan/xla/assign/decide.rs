//! Where each buffer goes (spec/xla-memory.md 9.2).

use std::collections::{BTreeMap, BTreeSet};

use super::fit::Fit;
use super::reusable::{Offer, Reusable};
use super::{Allocation, Placed};
use crate::analyze::hlo::{Analysis, GroupId, Range, ValueId};
use crate::ir::hlo::{InstructionId, Module, Opcode, ShapeIndex, Sharing};
use crate::model::IdVec;

/// Decides buffer after buffer of the computations that are executed in time.
pub(super) struct Decider<'a, 'm> {
    analysis: &'a Analysis<'m>,
    spaces: &'a IdVec<GroupId, u32>,
    fit: Fit<'a, 'm>,
    reusable: Reusable,
    /// The allocation of each group that has one.
    allocation: IdVec<GroupId, Option<usize>>,
    /// What was made so far.
    pub(super) allocations: Vec<Allocation>,
    /// Values left to the heap of each memory space.
    pub(super) left: BTreeMap<u32, BTreeSet<ValueId>>,
    /// Nodes of the entry's parameters on which results are written.
    aliased: BTreeSet<(u32, &'m ShapeIndex)>,
}

impl<'a, 'm> Decider<'a, 'm> {
    pub(super) fn new(
        analysis: &'a Analysis<'m>,
        sharing: &'a Sharing<'m>,
        spaces: &'a IdVec<GroupId, u32>,
    ) -> Self {
        let aliases = analysis.module.aliases.iter();
        Self {
            analysis,
            spaces,
            fit: Fit::new(analysis, sharing),
            reusable: Reusable::new(analysis.ranges.end),
            allocation: IdVec::filled(None, analysis.groups.groups.len()),
            allocations: Vec::new(),
            left: BTreeMap::new(),
            aliased: aliases.map(|alias| (alias.parameter, &alias.index)).collect(),
        }
    }

    pub(super) fn decide(&mut self, group: GroupId) {
        let analysis = self.analysis;
        let values = &analysis.groups.groups[group];
        let ranges: Option<Vec<(ValueId, Range)>> = values
            .iter()
            .map(|&value| analysis.ranges.live[value].map(|range| (value, range)))
            .collect();

        if let Some(fixed) = self.fixed(group) {
            let reusable = fixed.aliased;
            let number = self.make(group, fixed);
            if let (true, Some(ranges)) = (reusable, &ranges) {
                self.reusable.add(number, ranges);
            }
            return;
        }
        // What is never executed in time has no range; nothing may share with it.
        let Some(ranges) = ranges else {
            self.make(group, new(analysis, self.spaces, group));
            return;
        };
        if let Some(number) = self.shared(group, &ranges) {
            self.put(group, number);
            self.reusable.hold(number, &ranges);
        } else if analysis.groups.live_out[group] {
            let number = self.make(group, new(analysis, self.spaces, group));
            self.reusable.add(number, &ranges);
        } else {
            let space = self.spaces[group];
            self.left.entry(space).or_default().extend(values);
        }
    }

    /// The allocation of a constant, a parameter of the entry, or a tuple's table.
    fn fixed(&self, group: GroupId) -> Option<Allocation> {
        let Analysis { module, values, .. } = self.analysis;
        let plain = new(self.analysis, self.spaces, group);
        if holds_constant(self.analysis, group) {
            return Some(Allocation { constant: true, ..plain });
        }
        let of_group = &self.analysis.groups.groups[group];
        let born = of_group.iter().map(|&value| &values.values[value].definition);
        let mut parameters = born.clone().filter_map(|born| {
            let number = entry_parameter(module, born.instruction)?;
            Some((number, born.index.clone()))
        });
        if let Some((number, index)) = parameters.next() {
            let aliased = self.aliased.contains(&(number, &index));
            return Some(Allocation { parameter: Some((number, index)), aliased, ..plain });
        }
        let is_tuple = born.clone().any(|born| {
            let shape = module.instructions[born.instruction].shape.at(&born.index);
            shape.is_some_and(|shape| shape.is_tuple())
        });
        is_tuple.then_some(Allocation { tuple: true, ..plain })
    }

    /// An allocation that takes the buffer: those of its operands are asked first.
    fn shared(&mut self, group: GroupId, ranges: &[(ValueId, Range)]) -> Option<usize> {
        let analysis = self.analysis;
        let mut operands = Vec::new();
        let mut sources = Vec::new();
        for &value in &analysis.groups.groups[group] {
            let born = &analysis.values.values[value].definition;
            if !born.index.is_top() {
                continue;
            }
            let instruction = &analysis.module.instructions[born.instruction];
            for &operand in &instruction.operands {
                let on_top = analysis.values.at[operand].first().into_iter().flatten();
                let numbers =
                    on_top.filter_map(|&value| self.allocation[analysis.groups.of[value]]);
                let list =
                    if instruction.opcode == Opcode::Copy { &mut sources } else { &mut operands };
                list.extend(numbers);
            }
        }
        sources.sort_unstable();
        sources.dedup();
        let offer = Offer {
            group,
            size: analysis.groups.size[group],
            memory_space: self.spaces[group],
            live_out: analysis.groups.live_out[group],
            ranges,
            sources: &sources,
        };
        let mut asked = BTreeSet::new();
        operands
            .into_iter()
            .filter(|&number| asked.insert(number))
            .find(|&number| self.reusable.takes(number, &self.allocations, &offer, &mut self.fit))
            .or_else(|| self.reusable.find(&self.allocations, &offer, &mut self.fit))
    }

    /// Puts the group into a new allocation.
    fn make(&mut self, group: GroupId, allocation: Allocation) -> usize {
        let number = self.allocations.len();
        self.allocations.push(allocation);
        self.allocation[group] = Some(number);
        number
    }

    /// Puts the group into an allocation that has others.
    fn put(&mut self, group: GroupId, number: usize) {
        self.allocation[group] = Some(number);
        if let Some(allocation) = self.allocations.get_mut(number) {
            allocation.live_out |= self.analysis.groups.live_out[group];
            allocation.values.extend(placed(self.analysis, group));
        }
    }
}

/// The allocation of a buffer of a computation that is called for each element.
pub(super) fn embedded(
    analysis: &Analysis<'_>,
    spaces: &IdVec<GroupId, u32>,
    group: GroupId,
) -> Allocation {
    let constant = holds_constant(analysis, group);
    Allocation { constant, thread_local: !constant, ..new(analysis, spaces, group) }
}

/// An allocation for the group alone.
fn new(analysis: &Analysis<'_>, spaces: &IdVec<GroupId, u32>, group: GroupId) -> Allocation {
    let mut allocation = Allocation::new(analysis.groups.size[group], spaces[group]);
    allocation.live_out = analysis.groups.live_out[group];
    allocation.values.extend(placed(analysis, group));
    allocation
}

fn placed<'a>(analysis: &'a Analysis<'_>, group: GroupId) -> impl Iterator<Item = Placed> + 'a {
    analysis.groups.groups[group].iter().map(|&value| Placed {
        value,
        offset: 0,
        size: analysis.values.values[value].size,
    })
}

fn holds_constant(analysis: &Analysis<'_>, group: GroupId) -> bool {
    analysis.groups.groups[group].iter().any(|&value| {
        let at = analysis.values.values[value].definition.instruction;
        analysis.module.instructions[at].opcode == Opcode::Constant
    })
}

fn entry_parameter(module: &Module, at: InstructionId) -> Option<u32> {
    let instruction = &module.instructions[at];
    instruction.parameter.filter(|_| instruction.computation == module.entry)
}

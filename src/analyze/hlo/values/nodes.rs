//! The nodes of all instructions' shapes, numbered.

use crate::ir::hlo::{Calls, InstructionId, Module, ShapeIndex};
use crate::model::IdVec;

/// The nodes of the instructions that take part: those of one instruction side by side, in pre-order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nodes {
    first: IdVec<InstructionId, u32>,
    /// Pre-order is the order of [`ShapeIndex`], so a node is found by bisection.
    paths: IdVec<InstructionId, Vec<ShapeIndex>>,
    len: u32,
}

impl Nodes {
    /// The nodes of a module, with or without those of fused computations.
    pub(super) fn of(module: &Module, calls: &Calls, fused: bool) -> Self {
        let mut len = 0;
        let mut out = Self { first: IdVec::default(), paths: IdVec::default(), len: 0 };
        for instruction in module.instructions.iter() {
            let takes_part = fused || !calls.fused[instruction.computation];
            let nodes = if takes_part { instruction.shape.nodes() } else { Vec::new() };
            out.first.push(len);
            len = len.saturating_add(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
            out.paths.push(nodes.into_iter().map(|(index, _)| index).collect());
        }
        out.len = len;
        out
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// The nodes of an instruction in pre-order; none when it takes no part.
    pub(super) fn paths(&self, id: InstructionId) -> &[ShapeIndex] {
        &self.paths[id]
    }

    /// Which of the instruction's nodes it is, in pre-order.
    pub(super) fn within(&self, id: InstructionId, index: &ShapeIndex) -> Option<usize> {
        let paths = self.paths.get(id)?;
        if index.is_top() && !paths.is_empty() {
            return Some(0);
        }
        paths.binary_search(index).ok()
    }

    /// The numbers of all nodes of an instruction.
    pub(super) fn numbers(&self, id: InstructionId) -> std::ops::Range<u32> {
        let first = self.first[id];
        let len = u32::try_from(self.paths[id].len()).unwrap_or(u32::MAX);
        first..first.saturating_add(len)
    }

    /// The number of a node.
    pub(super) fn find(&self, id: InstructionId, index: &ShapeIndex) -> Option<u32> {
        let within = u32::try_from(self.within(id, index)?).ok()?;
        self.first[id].checked_add(within)
    }
}

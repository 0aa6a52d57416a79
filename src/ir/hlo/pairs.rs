//! In-place pairs: an output that must be the bytes of an operand (spec/xla-memory.md 5.1).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{ComputationId, InstructionId, Module, Opcode, ShapeIndex, aliasing, walk::Node};
use crate::model::IdVec;

/// A node of an instruction's output that must be the same bytes as a node of one of its operands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InPlacePair {
    /// The operand's slot; below the number of operands.
    pub operand: u32,
    /// A node of the operand's shape.
    pub operand_index: ShapeIndex,
    /// A node of the instruction's shape.
    pub output_index: ShapeIndex,
}

/// The pairs of one instruction. Those of a fusion are found in its computation: the walk costs as
/// much as the computations inside it.
pub fn in_place_pairs(module: &Module, instruction: InstructionId) -> Vec<InPlacePair> {
    let mut discovered = Discovered::default();
    if let Some(fused) = module.fused(instruction) {
        discovered.add(module, fused);
    }
    discovered.pairs(module, instruction)
}

/// The pairs of all instructions; every fused computation is walked once.
pub fn all_in_place_pairs(module: &Module) -> IdVec<InstructionId, Vec<InPlacePair>> {
    let mut discovered = Discovered::default();
    module
        .instructions
        .ids()
        .filter_map(|i| module.fused(i))
        .for_each(|c| discovered.add(module, c));
    module.instructions.ids().map(|i| discovered.pairs(module, i)).collect()
}

/// What was found in fused computations: it depends on them alone, not on who calls them.
#[derive(Default)]
struct Discovered(BTreeMap<ComputationId, Vec<InPlacePair>>);

impl Discovered {
    /// Finds the pairs of a fused computation and of all that are fused into it.
    fn add(&mut self, module: &Module, computation: ComputationId) {
        let mut todo = vec![(computation, false)];
        while let Some((at, inner_known)) = todo.pop() {
            if inner_known {
                let found = self.discover(module, at);
                self.0.insert(at, found);
            } else if let Entry::Vacant(unknown) = self.0.entry(at) {
                // Until it is known it has no pairs: a computation that calls itself ends here.
                unknown.insert(Vec::new());
                todo.push((at, true));
                let inside = &module.computations[at].instructions;
                todo.extend(inside.iter().filter_map(|i| module.fused(*i)).map(|c| (c, false)));
            }
        }
    }

    /// The pairs of a computation of a fusion, by its parameters.
    fn discover(&self, module: &Module, computation: ComputationId) -> Vec<InPlacePair> {
        let root = module.root(computation);
        let leaves = module.instructions[root].shape.leaves();
        let arrays = leaves.into_iter().filter(|(_, shape)| shape.array().is_some());
        let found = arrays.filter_map(|(leaf, _)| {
            let (operand, operand_index) = self.source(module, root, &leaf)?;
            Some(InPlacePair { operand, operand_index, output_index: leaf })
        });
        found.collect()
    }

    /// The parameter in whose bytes a leaf of the root is updated. The walk goes one update deep:
    /// of two chained ones the first has bytes of its own.
    fn source(
        &self,
        module: &Module,
        root: InstructionId,
        leaf: &ShapeIndex,
    ) -> Option<(u32, ShapeIndex)> {
        let mut node = Node::new(root, leaf);
        let through_bitcast = node.back_through_bitcasts(module);
        let updater = node.instruction;
        let mut pair = if through_bitcast && module.fused(updater).is_some() {
            self.inner(module, &node).cloned()
        } else {
            self.pairs(module, updater).into_iter().find(|p| node.is_at(&p.output_index))
        }?;
        loop {
            let operand =
                module.instructions[node.instruction].operands.get(pair.operand as usize)?;
            node = Node::new(*operand, &pair.operand_index);
            node.back_through_bitcasts(module);
            match self.inner(module, &node) {
                Some(next) => pair = next.clone(),
                None => break,
            }
        }
        Some((module.instructions[node.instruction].parameter?, node.index()))
    }

    /// The pair that was found in the fusion at this node.
    fn inner(&self, module: &Module, node: &Node) -> Option<&InPlacePair> {
        let found = self.0.get(&module.fused(node.instruction)?)?;
        found.iter().find(|pair| node.is_at(&pair.output_index))
    }

    /// All pairs of an instruction whose fused computation is known.
    fn pairs(&self, module: &Module, instruction: InstructionId) -> Vec<InPlacePair> {
        let known = module.fused(instruction).and_then(|fused| self.0.get(&fused));
        let mut pairs = known.cloned().unwrap_or_default();
        for pair in direct(module, instruction) {
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        // What does not fit the shapes is dropped, so that callers may index.
        let op = &module.instructions[instruction];
        pairs.retain(|pair| {
            let operand = op.operands.get(pair.operand as usize);
            let from = operand.and_then(|o| module.instructions[*o].shape.at(&pair.operand_index));
            from.is_some() && op.shape.at(&pair.output_index).is_some()
        });
        pairs
    }
}

/// The pairs that an instruction has by what it does, or by its annotation.
fn direct(module: &Module, instruction: InstructionId) -> Vec<InPlacePair> {
    let op = &module.instructions[instruction];
    let pair =
        |operand, operand_index, output_index| InPlacePair { operand, operand_index, output_index };
    let top = |operand| vec![pair(operand, ShapeIndex::TOP, ShapeIndex::TOP)];
    // Operands in front whose updated forms are the elements of the output.
    let updated = |count: usize| match u32::try_from(count) {
        Ok(1) => top(0),
        Ok(count) => (0..count).map(|i| pair(i, ShapeIndex::TOP, ShapeIndex::one(i))).collect(),
        Err(_) => Vec::new(),
    };
    // The destination buffers of a permutation are operand 1.
    let permuted = |output: ShapeIndex| {
        let to = op.operands.get(1).map(|o| module.instructions[*o].shape.leaves());
        let leaves = if op.operands.len() == 4 { to.unwrap_or_default() } else { Vec::new() };
        leaves.into_iter().map(|(i, _)| pair(1, i.clone(), output.join(&i))).collect()
    };
    match op.opcode {
        Opcode::DynamicUpdateSlice | Opcode::SetDimensionSize => top(0),
        Opcode::Scatter => updated(op.operands.len() / 2),
        Opcode::AllReduceStart if names_nvshmem(op.raw("backend_config")) => Vec::new(),
        Opcode::AllReduceStart => updated(op.operands.len()),
        Opcode::RaggedAllToAll => top(1),
        Opcode::CollectivePermute => permuted(ShapeIndex::TOP),
        Opcode::CollectivePermuteStart => permuted(ShapeIndex::one(1)),
        Opcode::CustomCall
        | Opcode::AsyncStart
        | Opcode::AsyncUpdate
        | Opcode::AsyncDone
        | Opcode::Call
        | Opcode::Fusion => aliasing::annotated(op),
        _ => Vec::new(),
    }
}

/// True for a backend config that leaves a reduction to NVSHMEM, which does not work in place.
fn names_nvshmem(config: Option<&str>) -> bool {
    config.is_some_and(|text| text.to_ascii_uppercase().contains("NVSHMEM"))
}

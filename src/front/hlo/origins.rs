//! What only passes through loops and branches: such a node has no bytes of its own there.

use std::collections::BTreeMap;

use crate::ir::hlo::{Calls, InstructionId, Module, Opcode, ShapeIndex, Source};

/// A node of an instruction.
type Node = (InstructionId, ShapeIndex);

/// Where nodes come from, within the computation that they are in.
pub(super) struct Origins<'m> {
    module: &'m Module,
    calls: &'m Calls,
    /// Of nodes of loops, branches and calls.
    known: BTreeMap<Node, Node>,
}

impl<'m> Origins<'m> {
    pub(super) fn new(module: &'m Module, calls: &'m Calls) -> Self {
        Self { module, calls, known: BTreeMap::new() }
    }

    /// True for a node of a loop or branch whose bytes are those of something outside.
    pub(super) fn passes(&mut self, id: InstructionId, index: &ShapeIndex) -> bool {
        let node = (id, index.clone());
        self.of(node.clone()) != node
    }

    /// Follows a node to the instruction of the same computation that makes it, or to a parameter.
    /// Computations call each other to a depth that the reader limits.
    fn of(&mut self, mut node: Node) -> Node {
        // A step leads to an earlier instruction: there are not more of them than instructions.
        for _ in 0..=self.module.instructions.len() {
            let (id, index) = &node;
            let next = match self.module.source(self.calls, *id, index) {
                Source::Operand { operand, index } => {
                    let from = self.module.instructions[*id].operands.get(operand as usize);
                    from.map(|&from| (from, index))
                }
                Source::While { .. } | Source::Conditional | Source::Root { .. } => {
                    let found = match self.known.get(&node) {
                        Some(found) => found.clone(),
                        None => {
                            let found = self.through(&node).unwrap_or_else(|| node.clone());
                            self.known.insert(node.clone(), found.clone());
                            found
                        }
                    };
                    (found != node).then_some(found)
                }
                Source::Defined | Source::Parameter => None,
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }

    /// What passes through a loop, a branch or a call at a node.
    fn through(&mut self, (id, index): &Node) -> Option<Node> {
        let module = self.module;
        let made = &module.instructions[*id];
        let operand = |slot: usize| made.operands.get(slot).copied();
        match made.opcode {
            Opcode::While => self.loop_state(*id, index),
            Opcode::Conditional => {
                let branches = made.branches();
                let mut found = None;
                for (branch, slot) in branches.into_iter().zip(1..) {
                    let root = self.of((module.root(branch), index.clone()));
                    let is_parameter = module.instructions[root.0].opcode == Opcode::Parameter;
                    let outside = self.of((operand(slot).filter(|_| is_parameter)?, root.1));
                    if found.get_or_insert_with(|| outside.clone()) != &outside {
                        return None;
                    }
                }
                found
            }
            Opcode::Call => {
                let root = self.of((module.root(made.called().next()?), index.clone()));
                let number = module.instructions[root.0].parameter?;
                Some((operand(number as usize)?, root.1))
            }
            _ => None,
        }
    }

    /// The states of a loop that change places with each other are one, if all enter as one.
    fn loop_state(&mut self, id: InstructionId, index: &ShapeIndex) -> Option<Node> {
        let module = self.module;
        let made = &module.instructions[id];
        let (&init, &body) = (made.operands.first()?, made.computations("body").first()?);
        let mut seen = vec![index.clone()];
        let enters = self.of((init, index.clone()));
        loop {
            let at = seen.last()?.clone();
            let next = self.of((module.root(body), at));
            if module.instructions[next.0].opcode != Opcode::Parameter {
                return None;
            }
            if seen.contains(&next.1) {
                return Some(enters);
            }
            if self.of((init, next.1.clone())) != enters {
                return None;
            }
            seen.push(next.1);
        }
    }
}

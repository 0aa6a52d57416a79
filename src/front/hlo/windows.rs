//! Asynchronous work: from its start to its end it holds its operands and its results.

use std::collections::BTreeSet;

use super::Lowering;
use super::lower::{Env, Here};
use super::names::{self, Nodes};
use crate::diag::Diagnostic;
use crate::ir::hlo::{ComputationId, InstructionId, Opcode, bound_operands};
use crate::model::{LifetimeClass, ValueId};

impl Lowering<'_> {
    /// `async-start`, `async-update`, `async-done`. The wrapped computation runs where all its
    /// operands are known; what it leaves must be there until the end.
    pub(super) fn asynchronous(
        &mut self,
        id: InstructionId,
        env: &Env,
        here: &mut Here<'_>,
    ) -> Result<Nodes, Diagnostic> {
        let module = self.module;
        let made = &module.instructions[id];
        let chain = self.chain(id);
        let wrapped = module.async_callee(id);
        let mut bound: Vec<Nodes> = Vec::new();
        // The link before it, if any, is the first operand of an update and the only one of a done.
        for link in chain.iter().rev() {
            let link = &module.instructions[*link];
            let own = usize::from(link.opcode != Opcode::AsyncStart);
            let nodes = link.operands.iter().skip(own).filter_map(|o| env.get(o).cloned());
            bound.extend(nodes);
        }
        let before = chain.get(1).and_then(|link| env.get(link)).cloned();
        // The work begins after its operands were read, and may write over them.
        let read = self.reads(id, env);
        self.op(id, &read, &[], here);
        let complete =
            |callee: &ComputationId| module.computations[*callee].parameters.len() <= bound.len();
        let known_before = chain.iter().skip(1).any(|link| self.is_complete(*link));
        let ran = match wrapped.filter(complete) {
            Some(callee) if !known_before => Some(self.computation(callee, &bound, here)?),
            _ => None,
        };
        if made.opcode == Opcode::AsyncDone {
            let result = match &ran {
                Some(root) => root.clone(),
                None => self.result(&chain, before.as_deref().unwrap_or_default()),
            };
            let tables = self.tables(id, &result)?;
            self.op(id, &[], &tables.1, here);
            return Ok(tables.0);
        }
        // ((operands), result, context..)
        let mut nodes = Nodes::new();
        let mut written = Vec::new();
        let result = ran.or_else(|| before.as_ref().map(|b| self.result(&chain, b)));
        let mut operands = bound.concat().into_iter();
        for (node, (index, shape)) in (0..).zip(made.shape.nodes()) {
            let passed = match index.0.first() {
                Some(0) if index.0.len() >= 2 => operands.next(),
                Some(1) => result.as_ref().and_then(|root| {
                    let before = nodes.len().checked_sub(self.first_of(id, 1))?;
                    root.get(before).copied()
                }),
                _ => None,
            };
            match passed.filter(|_| !shape.is_tuple()) {
                Some(value) => nodes.push(value),
                None => {
                    let value = self.buffer(id, (node, &index, shape), LifetimeClass::Local)?;
                    written.push(value);
                    nodes.push(value);
                }
            }
        }
        self.op(id, &[], &written, here);
        self.in_place(id, env);
        Ok(nodes)
    }

    /// The links of an asynchronous chain, from this one back to the start.
    fn chain(&self, id: InstructionId) -> Vec<InstructionId> {
        let mut chain = vec![id];
        let mut at = id;
        while self.module.instructions[at].opcode != Opcode::AsyncStart {
            let Some(&before) = self.module.instructions[at].operands.first() else { break };
            // A link comes from the same computation; a chain that bites its tail was refused.
            if chain.contains(&before) {
                break;
            }
            chain.push(before);
            at = before;
        }
        chain
    }

    /// True when all operands of the wrapped computation are known at this link.
    fn is_complete(&self, link: InstructionId) -> bool {
        let bound = bound_operands(&self.module.instructions[link].shape) as usize;
        let wrapped = self.module.async_callee(link);
        wrapped.is_none_or(|callee| self.module.computations[callee].parameters.len() <= bound)
    }

    /// The node of an instruction's shape at which element `at` begins.
    fn first_of(&self, id: InstructionId, at: usize) -> usize {
        match &self.module.instructions[id].shape {
            crate::ir::hlo::Shape::Tuple(parts) => {
                1 + parts.iter().take(at).map(names::count).sum::<usize>()
            }
            _ => 0,
        }
    }

    /// The result among the nodes of the link before.
    fn result(&self, chain: &[InstructionId], before: &[ValueId]) -> Nodes {
        let Some(link) = chain.get(1) else { return Nodes::new() };
        names::element(&self.module.instructions[*link].shape, 1, before)
    }

    /// The nodes of a done: what is no tuple is passed on, tables are made anew; and those tables.
    fn tables(
        &mut self,
        id: InstructionId,
        result: &[ValueId],
    ) -> Result<(Nodes, Vec<ValueId>), Diagnostic> {
        let (mut nodes, mut written) = (Nodes::new(), Vec::new());
        let module = self.module;
        let shapes = module.instructions[id].shape.nodes();
        for (node, (index, shape)) in (0..).zip(shapes) {
            match result.get(node as usize).filter(|_| !shape.is_tuple()) {
                Some(&value) => nodes.push(value),
                None => {
                    let value = self.buffer(id, (node, &index, shape), LifetimeClass::Local)?;
                    written.push(value);
                    nodes.push(value);
                }
            }
        }
        Ok((nodes, written))
    }

    /// Operands that the end of asynchronous work holds by name, but whose bytes the work itself has
    /// taken over: nobody needs what they held.
    pub(super) fn spent(&self, id: InstructionId, env: &Env) -> BTreeSet<ValueId> {
        let made = &self.module.instructions[id];
        let ends = made.opcode.name().ends_with("-done") || made.opcode == Opcode::AsyncUpdate;
        let mut spent = BTreeSet::new();
        if !ends {
            return spent;
        }
        for nodes in made.operands.iter().filter_map(|o| env.get(o)) {
            let taken = |value: &&ValueId| self.relations.is_taken(**value, nodes);
            spent.extend(nodes.iter().filter(taken));
        }
        spent
    }
}

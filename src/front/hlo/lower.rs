//! Computations, instruction by instruction.

use std::collections::BTreeMap;

use super::names::{self, Nodes};
use super::origins::Origins;
use super::{Lowering, MAX_EXECUTED, relations::Relations};
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{
    Calls, ComputationId, InstructionId, Module, Opcode, Platform, Sequences, ShapeIndex, Sharing,
    Source,
};
use crate::model::{
    Access, AccessMode, BufferId, Function, LifetimeClass, LoopId, Node, Op, Region, ScopeId,
    ValueId,
};

/// The buffers of a lowered module.
pub(super) type Buffers = BTreeMap<(InstructionId, u32), BufferId>;

/// What stands at the nodes of the instructions of a computation, while it is executed.
pub(super) type Env = BTreeMap<InstructionId, Nodes>;

/// A place where ops are put.
pub(super) struct Here<'r> {
    pub(super) region: &'r mut Region,
    /// The loop around it.
    pub(super) inside: Option<LoopId>,
}

/// Lowers the entry and all that it calls.
pub(super) fn module(
    module: &Module,
    calls: &Calls,
    order: &Sequences,
    platform: Platform,
    scope: ScopeId,
) -> Result<(Function, Buffers), Diagnostic> {
    let entry = module.entry();
    let mut lowering = Lowering {
        module,
        calls,
        order,
        sharing: Sharing::new(module, platform),
        alignment: platform.alignment(),
        scope,
        function: Function {
            name: module.name.clone(),
            loc: Some(module.loc),
            ..Function::default()
        },
        buffers: Buffers::new(),
        relations: Relations::default(),
        origins: Origins::new(module, calls),
        executed: 0,
    };
    let mut arguments = Vec::new();
    for &parameter in &entry.parameters {
        arguments.push(lowering.argument(parameter)?);
    }
    let mut body = Region::default();
    let mut here = Here { region: &mut body, inside: None };
    let root = lowering.computation(module.entry, &arguments, &mut here)?;
    lowering.hand_out(&root, &mut here);
    lowering.aliases(&arguments, &root);
    lowering.function.body = body;
    let Lowering { mut function, buffers, relations, .. } = lowering;
    function.relations = relations.finish(&function);
    Ok((function, buffers))
}

impl Lowering<'_> {
    /// The nodes of a parameter of the entry. What is aliased with an output is ours to overwrite.
    fn argument(&mut self, parameter: InstructionId) -> Result<Nodes, Diagnostic> {
        let made = &self.module.instructions[parameter];
        let mut nodes = Nodes::new();
        for (node, (index, shape)) in (0..).zip(made.shape.nodes()) {
            let donated = self
                .module
                .aliases
                .iter()
                .any(|a| Some(a.parameter) == made.parameter && a.index == index);
            let class = if donated { LifetimeClass::Donated } else { LifetimeClass::Parameter };
            nodes.push(self.buffer(parameter, (node, &index, shape), class)?);
        }
        Ok(nodes)
    }

    /// The caller reads all nodes of the result.
    fn hand_out(&mut self, root: &[ValueId], here: &mut Here<'_>) {
        let entry = self.module.entry();
        let loc = Some(self.module.instructions[entry.root].loc);
        let accesses = root.iter().map(|&value| access(value, AccessMode::Read)).collect();
        let op = Op { name: "return".to_owned(), loc, accesses, ..Op::default() };
        self.put(op, here);
    }

    /// Executes a computation on arguments; the nodes of its root.
    pub(super) fn computation(
        &mut self,
        id: ComputationId,
        arguments: &[Nodes],
        here: &mut Here<'_>,
    ) -> Result<Nodes, Diagnostic> {
        let mut env = Env::new();
        let order = self.order;
        for &instruction in &order.0[id] {
            self.executed += 1;
            if self.executed > MAX_EXECUTED {
                let made = &self.module.instructions[instruction];
                let message =
                    format!("calls expand to more than {MAX_EXECUTED} executed instructions");
                return Err(Diagnostic::error(Code::HloNestingTooDeep, message).at(made.loc, ""));
            }
            let nodes = self.instruction(instruction, arguments, &env, here)?;
            env.insert(instruction, nodes);
        }
        Ok(env.remove(&self.module.root(id)).unwrap_or_default())
    }

    fn instruction(
        &mut self,
        id: InstructionId,
        arguments: &[Nodes],
        env: &Env,
        here: &mut Here<'_>,
    ) -> Result<Nodes, Diagnostic> {
        let made = &self.module.instructions[id];
        let operands: Vec<&[ValueId]> =
            made.operands.iter().map(|o| env.get(o).map_or(&[][..], |nodes| nodes)).collect();
        match made.opcode {
            Opcode::Parameter => {
                let number = made.parameter.unwrap_or(0) as usize;
                Ok(arguments.get(number).cloned().unwrap_or_default())
            }
            Opcode::Constant => self.fresh(id, LifetimeClass::Constant),
            Opcode::Tuple => {
                let whole = (0, &ShapeIndex::TOP, &made.shape);
                let table = self.buffer(id, whole, LifetimeClass::Local)?;
                self.op(id, &[], &[table], here);
                Ok([table].into_iter().chain(operands.concat()).collect())
            }
            Opcode::GetTupleElement => {
                let table: Vec<ValueId> =
                    operands.iter().flat_map(|o| o.first()).copied().collect();
                self.op(id, &table, &[], here);
                let at = made.tuple_index().unwrap_or(0);
                let whole = made.operands.first().map(|o| &self.module.instructions[*o].shape);
                let nodes = operands.first().copied().unwrap_or_default();
                Ok(whole.map_or_else(Nodes::new, |shape| names::element(shape, at, nodes)))
            }
            Opcode::Call => {
                let arguments: Vec<Nodes> = operands.iter().map(|o| o.to_vec()).collect();
                match made.called().next() {
                    Some(callee) => self.computation(callee, &arguments, here),
                    None => Ok(Nodes::new()),
                }
            }
            Opcode::While => self.repeat(id, operands.first().copied().unwrap_or_default(), here),
            Opcode::Conditional => self.choose(id, &operands, here),
            Opcode::AsyncStart | Opcode::AsyncUpdate | Opcode::AsyncDone => {
                self.asynchronous(id, env, here)
            }
            _ => self.plain(id, env, here),
        }
    }

    /// New buffers at all nodes, which nobody writes.
    fn fresh(&mut self, id: InstructionId, class: LifetimeClass) -> Result<Nodes, Diagnostic> {
        let module = self.module;
        let nodes = (0..).zip(module.instructions[id].shape.nodes());
        nodes.map(|(node, (index, shape))| self.buffer(id, (node, &index, shape), class)).collect()
    }

    /// What is neither flow nor a name: reads its operands, makes what it defines (4.1), and passes
    /// on the rest.
    fn plain(
        &mut self,
        id: InstructionId,
        env: &Env,
        here: &mut Here<'_>,
    ) -> Result<Nodes, Diagnostic> {
        let module = self.module;
        let made = &module.instructions[id];
        let (mut nodes, mut written) = (Nodes::new(), Vec::new());
        for (node, (index, shape)) in (0..).zip(made.shape.nodes()) {
            let passed = match module.source(self.calls, id, &index) {
                Source::Operand { operand, index: at } => {
                    let from = made.operands.get(operand as usize);
                    from.and_then(|from| self.node(*from, &at, env))
                }
                _ => None,
            };
            let value = match passed {
                Some(value) => value,
                None => {
                    let value = self.buffer(id, (node, &index, shape), LifetimeClass::Local)?;
                    written.push(value);
                    value
                }
            };
            nodes.push(value);
        }
        let read = self.reads(id, env);
        if !matches!(made.opcode, Opcode::Bitcast | Opcode::OptBarrier | Opcode::Domain)
            && made.opcode != Opcode::AddDependency
        {
            self.op(id, &read, &written, here);
            self.in_place(id, env);
        }
        Ok(nodes)
    }

    /// What an instruction reads: all nodes of its operands, of a copy only the top (4.2), and
    /// nothing twice.
    pub(super) fn reads(&self, id: InstructionId, env: &Env) -> Vec<ValueId> {
        let made = &self.module.instructions[id];
        let mut read = Vec::new();
        for operand in &made.operands {
            let nodes = env.get(operand).map_or(&[][..], |nodes| nodes);
            let used = if made.opcode == Opcode::Copy { nodes.get(..1) } else { Some(nodes) };
            read.extend_from_slice(used.unwrap_or_default());
        }
        let spent = self.spent(id, env);
        read.retain(|value| !spent.contains(value));
        read.sort_unstable();
        read.dedup();
        read
    }

    /// The name at a node of an instruction.
    pub(super) fn node(
        &self,
        instruction: InstructionId,
        index: &ShapeIndex,
        env: &Env,
    ) -> Option<ValueId> {
        let nodes = env.get(&instruction)?;
        if index.is_top() {
            return nodes.first().copied();
        }
        let shape = &self.module.instructions[instruction].shape;
        let at = shape.nodes().iter().position(|(i, _)| i == index)?;
        nodes.get(at).copied()
    }

    /// One op.
    pub(super) fn op(
        &mut self,
        id: InstructionId,
        read: &[ValueId],
        written: &[ValueId],
        here: &mut Here<'_>,
    ) {
        if read.is_empty() && written.is_empty() {
            return;
        }
        let made = &self.module.instructions[id];
        let reads = read.iter().map(|&value| access(value, AccessMode::Read));
        let writes = written.iter().map(|&value| access(value, AccessMode::Write));
        let op = Op {
            name: made.name.clone(),
            loc: Some(made.loc),
            accesses: reads.chain(writes).collect(),
            ..Op::default()
        };
        self.put(op, here);
    }

    fn put(&mut self, op: Op, here: &mut Here<'_>) {
        let id = self.function.ops.push(op);
        here.region.nodes.push(Node::Op(id));
    }
}

fn access(value: ValueId, mode: AccessMode) -> Access {
    Access { value, range: None, mode, partial: false, pipe: None, loc: None }
}

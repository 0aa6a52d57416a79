//! Where the value at a node of an instruction comes from (spec/xla-memory.md 4.1).

use super::{Calls, ComputationId, Instruction, InstructionId, Module, Opcode, Shape, ShapeIndex};

/// Where the value at a node comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A new value is born here.
    Defined,
    /// The value at a node of an operand.
    Operand {
        /// The operand slot.
        operand: u32,
        /// The node of the operand.
        index: ShapeIndex,
    },
    /// The value at a node of the root of a called computation.
    Root {
        /// The called computation.
        computation: ComputationId,
        /// The node of its root.
        index: ShapeIndex,
    },
    /// A `while` at this node: operand 0 and the body's root meet, both at the same node.
    While {
        /// The body.
        body: ComputationId,
    },
    /// A `conditional` at this node: the roots of the branches ([`Instruction::branches`]) meet, all
    /// at the same node.
    Conditional,
    /// A parameter of a computation that is called by call, while, conditional or async-start: what
    /// its callers pass ([`super::Arguments`]) at the same node.
    Parameter,
}

impl Instruction {
    /// The branches of a `conditional`, in the order in which operands 1, 2 .. are passed to them.
    pub fn branches(&self) -> Vec<ComputationId> {
        ["branch_computations", "true_computation", "false_computation"]
            .iter()
            .flat_map(|name| self.computations(name).iter().copied())
            .collect()
    }
}

impl Module {
    /// The `async-start` of a chain, from any link of it.
    pub fn async_start(&self, link: InstructionId) -> Option<InstructionId> {
        let mut at = link;
        // A link is an operand of the next one; more steps than instructions would be a circle.
        for _ in 0..self.instructions.len() {
            let instruction = self.instructions.get(at)?;
            match instruction.opcode {
                Opcode::AsyncStart => return Some(at),
                Opcode::AsyncUpdate | Opcode::AsyncDone => at = *instruction.operands.first()?,
                _ => return None,
            }
        }
        None
    }

    /// The computation that an asynchronous chain runs, from any link of it.
    pub fn async_callee(&self, link: InstructionId) -> Option<ComputationId> {
        let own = self.instructions.get(link)?.called().next();
        own.or_else(|| self.instructions[self.async_start(link)?].called().next())
    }

    /// Where the value at a node of an instruction comes from. What the shapes of an inconsistent
    /// module do not have is [`Source::Defined`].
    pub fn source(&self, calls: &Calls, id: InstructionId, index: &ShapeIndex) -> Source {
        let instruction = &self.instructions[id];
        let path = &index.0[..];
        let here = |operand| self.operand_source(instruction, operand, index.clone());
        let take = |operand, from: &[u32], rest: &[u32]| {
            self.operand_source(instruction, operand, ShapeIndex([from, rest].concat()))
        };
        match (&instruction.opcode, path) {
            (Opcode::Parameter, _) => self.parameter_source(calls, instruction.computation),
            (Opcode::Tuple, [at, rest @ ..]) => take(*at, &[], rest),
            (Opcode::GetTupleElement, _) => match instruction.tuple_index() {
                Some(at) => take(0, &[at], path),
                None => Source::Defined,
            },
            (
                Opcode::Bitcast
                | Opcode::OptBarrier
                | Opcode::Domain
                | Opcode::AddDependency
                | Opcode::AllReduceDone,
                _,
            )
            | (Opcode::Copy, [_, ..]) => here(0),
            (Opcode::Call, _) => match instruction.called().next() {
                Some(computation) => self.root_source(computation, index.clone()),
                None => Source::Defined,
            },
            (Opcode::While, _) => match instruction.computations("body") {
                [body] => Source::While { body: *body },
                _ => Source::Defined,
            },
            (Opcode::Conditional, _) if !instruction.branches().is_empty() => Source::Conditional,
            (Opcode::CopyStart, [1, rest @ ..]) | (Opcode::Send, [0, rest @ ..]) => {
                take(0, &[], rest)
            }
            (Opcode::CopyDone, _) => take(0, &[0], path),
            (Opcode::RecvDone, [0, rest @ ..]) => take(0, &[0], rest),
            (Opcode::AllGatherStart | Opcode::CollectivePermuteStart, [0, rest @ ..]) => {
                self.collective_operand(instruction, rest)
            }
            (Opcode::AllGatherDone | Opcode::CollectivePermuteDone, _)
                if !(path.is_empty() && instruction.shape.is_tuple()) =>
            {
                take(0, &[1], path)
            }
            (Opcode::AsyncStart | Opcode::AsyncUpdate | Opcode::AsyncDone, _) => {
                self.async_source(id, path)
            }
            _ => Source::Defined,
        }
    }

    /// A node of an operand; a new value where the operand has no such node.
    fn operand_source(&self, instruction: &Instruction, operand: u32, index: ShapeIndex) -> Source {
        let of = instruction.operands.get(operand as usize);
        match of.and_then(|id| self.instructions[*id].shape.at(&index)) {
            Some(_) => Source::Operand { operand, index },
            None => Source::Defined,
        }
    }

    /// A node of a root; a new value where the root has no such node.
    fn root_source(&self, computation: ComputationId, index: ShapeIndex) -> Source {
        match self.instructions[self.root(computation)].shape.at(&index) {
            Some(_) => Source::Root { computation, index },
            None => Source::Defined,
        }
    }

    fn parameter_source(&self, calls: &Calls, computation: ComputationId) -> Source {
        let passes = |caller: &InstructionId| {
            let opcode = &self.instructions[*caller].opcode;
            matches!(
                opcode,
                Opcode::Call | Opcode::While | Opcode::Conditional | Opcode::AsyncStart
            )
        };
        let called = calls.callers.get(computation).is_some_and(|of| of.iter().any(passes));
        if called { Source::Parameter } else { Source::Defined }
    }

    /// Node `{0}+rest` of a collective's start: its operand, or one operand per element. A table that
    /// no operand has is the start's own.
    fn collective_operand(&self, start: &Instruction, rest: &[u32]) -> Source {
        let joined = start.shape.at(&ShapeIndex::one(0)).is_some_and(Shape::is_tuple);
        let whole = start.operands.first().map(|id| self.instructions[*id].shape.is_tuple());
        match rest {
            [at, below @ ..] if joined && whole == Some(false) => {
                self.operand_source(start, *at, ShapeIndex(below.to_vec()))
            }
            [] if joined => Source::Defined,
            _ => self.operand_source(start, 0, ShapeIndex(rest.to_vec())),
        }
    }

    /// A node of a link of an asynchronous chain. Tables of pointers are its own (22.6); a result
    /// that an earlier link has is taken from there: it is the same value.
    fn async_source(&self, id: InstructionId, path: &[u32]) -> Source {
        let link = &self.instructions[id];
        if link.shape.at(&ShapeIndex(path.to_vec())).is_none_or(Shape::is_tuple) {
            return Source::Defined;
        }
        let root = |index: &[u32]| match self.async_callee(id) {
            Some(callee) => self.root_source(callee, ShapeIndex(index.to_vec())),
            None => Source::Defined,
        };
        let earlier = |index: Vec<u32>| {
            let before = &self.instructions[*link.operands.first()?].shape;
            let index = ShapeIndex(index);
            let leaf = before.at(&index).is_some_and(|shape| !shape.is_tuple());
            leaf.then_some(Source::Operand { operand: 0, index })
        };
        match (&link.opcode, path) {
            (Opcode::AsyncStart, [0, at, rest @ ..]) => {
                self.operand_source(link, *at, ShapeIndex(rest.to_vec()))
            }
            (Opcode::AsyncStart, [1, rest @ ..]) => root(rest),
            (Opcode::AsyncUpdate, [first, rest @ ..]) => {
                if let Some(source) = earlier(path.to_vec()) {
                    return source;
                }
                match (first, rest) {
                    (0, [at, rest @ ..]) => {
                        let before = link.operands.first();
                        let bound =
                            before.map_or(0, |id| bound_operands(&self.instructions[*id].shape));
                        match at.checked_sub(bound).and_then(|at| at.checked_add(1)) {
                            Some(at) => self.operand_source(link, at, ShapeIndex(rest.to_vec())),
                            None => Source::Defined,
                        }
                    }
                    (1, rest) => root(rest),
                    _ => Source::Defined,
                }
            }
            (Opcode::AsyncDone, path) => {
                earlier([&[1], path].concat()).unwrap_or_else(|| root(path))
            }
            _ => Source::Defined,
        }
    }
}

/// How many operands of its computation are bound at a link of an asynchronous chain, by its shape.
pub(crate) fn bound_operands(link: &Shape) -> u32 {
    match link.at(&ShapeIndex::one(0)) {
        Some(Shape::Tuple(parts)) => u32::try_from(parts.len()).unwrap_or(u32::MAX),
        _ => 0,
    }
}

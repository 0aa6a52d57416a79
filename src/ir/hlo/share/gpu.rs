//! The hints of GPU compilers (spec/xla-memory.md 5.3).

use std::collections::BTreeSet;
use std::sync::PoisonError;

use super::{Question, Sharing, is_element};
use crate::ir::hlo::{Array, Instruction, InstructionId, Opcode, ShapeIndex};

impl Sharing<'_> {
    /// The hint's answer, if it has one.
    pub(super) fn hint(&self, q: &Question, slots: &[usize]) -> Option<bool> {
        let op = &self.module.instructions[q.user];
        match op.opcode {
            Opcode::AllReduce | Opcode::CollectiveBroadcast => {
                Some(same_size(q) && (op.operands.len() == 1 || is_element(q.user_index, slots)))
            }
            Opcode::CustomCall => Some(same_size(q) && library_call(op, slots, q.user_index)),
            Opcode::Fusion => Some(same_size(q) && self.gpu_fusion(q, slots).unwrap_or(false)),
            _ => None,
        }
    }

    /// The walk through a fusion from the operand to the output; `None` is no.
    fn gpu_fusion(&self, q: &Question, slots: &[usize]) -> Option<bool> {
        let fused = self.module.fused(q.user)?;
        let root = self.module.root(fused);
        let parameters = self.fused_parameters(q.user, slots)?;
        if self.is_sorted(root, &parameters, q.user_index) {
            return Some(true);
        }
        let mut last = self.walked.lock().unwrap_or_else(PoisonError::into_inner);
        let walk = match last.take() {
            Some(walk) if (walk.fusion, &walk.index) == (q.user, q.user_index) => walk,
            _ => self.walk(q.user, root, q.user_index)?,
        };
        let flows = slots.iter().filter_map(|slot| walk.flows.get(*slot));
        let all = flows.fold(Flow::default(), |all, flow| Flow {
            stops: all.stops || flow.stops,
            arrives: all.arrives || flow.arrives,
            arrives_elsewhere: all.arrives_elsewhere || flow.arrives_elsewhere,
        });
        let may = !all.stops && all.arrives && (walk.is_elementwise || !all.arrives_elsewhere);
        *last = Some(walk);
        Some(may)
    }

    /// Where all parameters of a fusion flow, seen from one of its outputs.
    fn walk(&self, fusion: InstructionId, root: InstructionId, index: &ShapeIndex) -> Option<Walk> {
        let out = Output::of(self, fusion, root, index)?;
        let fused = &self.module.computations[self.module.fused(fusion)?];
        let inside = fused.instructions.iter().copied();
        let stopped = inside.filter(|at| {
            let mut users = self.uses[*at].iter().map(|(user, _)| *user);
            let is_first = |user| out.hero == Some(user);
            !is_first(*at) && users.any(|user| !is_first(user) && !self.is_step(&out, *at, user))
        });
        let stopped = self.sources(&out, stopped.collect());
        // The hero is computed before anything is written; what is made of it comes from elsewhere.
        let arriving = match out.hero == Some(out.instruction) {
            true => BTreeSet::new(),
            false => self.sources(&out, vec![out.instruction]),
        };
        let top = &self.module.instructions[root];
        let outputs = if top.opcode == Opcode::Tuple { &top.operands[..] } else { &[] };
        let others = outputs.iter().copied().filter(|other| *other != out.instruction).collect();
        let elsewhere = self.sources(&out, others);
        let flows = fused.parameters.iter().map(|parameter| Flow {
            stops: stopped.contains(parameter),
            arrives: arriving.contains(parameter),
            arrives_elsewhere: elsewhere.contains(parameter),
        });
        Some(Walk {
            fusion,
            index: index.clone(),
            flows: flows.collect(),
            is_elementwise: self.elementwise.everywhere(self.module, out.instruction),
        })
    }

    /// These and all that they are made of, as far as the hero: it ends the way of its operands.
    fn sources(&self, out: &Output, mut todo: Vec<InstructionId>) -> BTreeSet<InstructionId> {
        let mut sources = todo.iter().copied().collect::<BTreeSet<_>>();
        while let Some(at) = todo.pop() {
            for &operand in &self.module.instructions[at].operands {
                if out.hero != Some(operand) && sources.insert(operand) {
                    todo.push(operand);
                }
            }
        }
        sources
    }

    /// True when `user` reads of `at` only the elements that it, or the output, writes.
    fn is_step(&self, out: &Output, at: InstructionId, user: InstructionId) -> bool {
        let op = &self.module.instructions[user];
        let slots = self.slots(at, user);
        match op.opcode {
            Opcode::Copy => false,
            Opcode::Bitcast | Opcode::Tuple => true,
            Opcode::Scatter => {
                out.scatter == Some(user)
                    && matches!(slots[..], [one] if one < op.operands.len() / 2)
            }
            Opcode::DynamicSlice => slots == [0] && self.is_same_window(out.update, user),
            Opcode::DynamicUpdateSlice if out.update == Some(user) => {
                slots.iter().all(|slot| *slot < 2)
            }
            _ => self.is_elementwise_on(user, &slots),
        }
    }

    /// True when the slice reads the window of the same array that the update writes.
    fn is_same_window(&self, update: Option<InstructionId>, slice: InstructionId) -> bool {
        let Some(update) = update.map(|u| &self.module.instructions[u]) else { return false };
        let slice = &self.module.instructions[slice];
        let ([base, written, at @ ..], [read, from @ ..]) =
            (&update.operands[..], &slice.operands[..])
        else {
            return false;
        };
        let written = self.module.instructions[*written].shape.array();
        let size = |(a, b): (&Array, &Array)| {
            a.dims.iter().map(|dim| dim.size).eq(b.dims.iter().map(|dim| dim.size))
                || (a.elements() == Some(1) && b.elements() == Some(1))
        };
        base == read && at == from && written.zip(slice.shape.array()).is_some_and(size)
    }

    /// True when the root sorts what stands in the only slot and puts it out at that node.
    fn is_sorted(
        &self,
        root: InstructionId,
        parameters: &[InstructionId],
        index: &ShapeIndex,
    ) -> bool {
        let op = &self.module.instructions[root];
        let [parameter] = parameters else { return false };
        let slots = self.slots(*parameter, root);
        op.opcode == Opcode::Sort
            && self.only_user(*parameter) == Some(root)
            && slots.len() == 1
            && (is_element(index, &slots) || (index.is_top() && op.operands.len() == 1))
    }
}

/// Where the parameters of a fusion flow, seen from one of its outputs.
#[derive(Debug)]
pub(super) struct Walk {
    fusion: InstructionId,
    index: ShapeIndex,
    /// By parameter.
    flows: Vec<Flow>,
    /// True when the output is made element by element: others may then be made beside it.
    is_elementwise: bool,
}

/// Where a parameter flows.
#[derive(Clone, Copy, Debug, Default)]
struct Flow {
    /// Somewhere to an op that reads other elements than it writes.
    stops: bool,
    /// To the output.
    arrives: bool,
    /// To another output.
    arrives_elsewhere: bool,
}

/// The output of a fusion that is to take the bytes.
struct Output {
    instruction: InstructionId,
    /// The output, if it is a dynamic-update-slice.
    update: Option<InstructionId>,
    /// The scatter that makes the output.
    scatter: Option<InstructionId>,
    /// The reduction that is computed before all outputs.
    hero: Option<InstructionId>,
}

impl Output {
    fn of(
        rules: &Sharing,
        fusion: InstructionId,
        root: InstructionId,
        index: &ShapeIndex,
    ) -> Option<Self> {
        let ops = &rules.module.instructions;
        let element = |at: InstructionId, step: &u32| {
            let is_tuple = ops[at].opcode == Opcode::Tuple;
            ops[at].operands.get(*step as usize).copied().filter(|_| is_tuple)
        };
        let instruction = index.0.iter().try_fold(root, element)?;
        let is = |id: InstructionId, opcode| (ops[id].opcode == opcode).then_some(id);
        let below_bitcast =
            is(instruction, Opcode::Bitcast).and_then(|b| ops[b].operands.first().copied());
        let fused = &rules.module.computations[ops[root].computation];
        let reduces = ops[fusion].raw("kind") == Some("kInput");
        let last =
            fused.instructions.iter().rev().copied().find(|i| ops[*i].opcode == Opcode::Reduce);
        Some(Self {
            instruction,
            update: is(instruction, Opcode::DynamicUpdateSlice),
            scatter: is(below_bitcast.unwrap_or(instruction), Opcode::Scatter),
            hero: last.filter(|_| reduces),
        })
    }
}

/// True for arrays in one memory space with as many elements of the same size.
fn same_size(q: &Question) -> bool {
    let arrays = q.from.array().zip(q.to.array());
    arrays.is_some_and(|(from, to)| {
        from.memory_space() == to.memory_space()
            && from.elements().is_some_and(|count| Some(count) == to.elements())
            && from.bytes() == to.bytes()
    })
}

/// Calls of libraries that work in place: the matrix that is added to a product, and the matrix that
/// is factored.
fn library_call(op: &Instruction, slots: &[usize], output: &ShapeIndex) -> bool {
    match op.custom_call_target().unwrap_or_default() {
        target if target.starts_with("__cublas$lt$matmul") => {
            let is_workspace = *output == ShapeIndex::one(1);
            slots == [2] && !is_workspace && adds(op.raw("backend_config").unwrap_or_default())
        }
        "__cusolver$cholesky" => slots == [0] && *output == ShapeIndex::one(0),
        _ => false,
    }
}

/// True when the config says a `beta` other than 0.
fn adds(config: &str) -> bool {
    let text = config.replace('\\', "");
    let value =
        text.split_once("\"beta\"").and_then(|(_, rest)| rest.trim_start().strip_prefix(':'));
    let number = value.unwrap_or_default().trim_start_matches([' ', '"', '-']);
    number
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .any(|digit| matches!(digit, '1'..='9'))
}

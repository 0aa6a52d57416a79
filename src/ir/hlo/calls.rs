//! Who calls whom, and which computations are executed in time (spec/xla-memory.md 2.4).

use super::{ComputationId, DEPTH, InstructionId, Module, Opcode};
use crate::diag::{Code, Diagnostic};
use crate::model::IdVec;

/// Whose rules about sharing bytes hold, and which alignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Platform {
    /// No hints; 64 bytes.
    #[default]
    Cpu,
    /// The hints of 5.3; 256 bytes.
    Gpu,
}

/// The call graph. Recursion is refused when it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// Callers of each computation, in text order, each once. The links of an asynchronous chain
    /// behind its start are no callers, whether or not they repeat `calls=`.
    pub callers: IdVec<ComputationId, Vec<InstructionId>>,
    /// True for the entry and what it reaches by call, while, conditional and async-start.
    pub scoped: IdVec<ComputationId, bool>,
    /// True for those called directly by `fusion`: they have no values of their own (22.2).
    pub fused: IdVec<ComputationId, bool>,
    /// All computations, callees before callers.
    pub post_order: Vec<ComputationId>,
}

impl Calls {
    /// The call graph of a module.
    ///
    /// # Errors
    ///
    /// `HloRecursion` when a computation calls itself, also by way of others; `HloNestingTooDeep` when
    /// calls are nested more than [`DEPTH`] deep.
    pub fn of(module: &Module) -> Result<Self, Diagnostic> {
        let count = module.computations.len();
        let mut callers = IdVec::filled(Vec::new(), count);
        let mut fused = IdVec::filled(false, count);
        for &caller in module.computations.iter().flat_map(|c| &c.instructions) {
            for callee in module.calls(caller) {
                let of: &mut Vec<InstructionId> = &mut callers[callee];
                if of.last() != Some(&caller) {
                    of.push(caller);
                }
                fused[callee] |= module.instructions[caller].opcode == Opcode::Fusion;
            }
        }
        let post_order = post_order(module)?;
        let mut scoped = IdVec::filled(false, count);
        scoped[module.entry] = true;
        for &computation in post_order.iter().rev() {
            if !scoped[computation] {
                continue;
            }
            for &caller in &module.computations[computation].instructions {
                if module.instructions[caller].opcode.runs_callees() {
                    module.calls(caller).for_each(|callee| scoped[callee] = true);
                }
            }
        }
        Ok(Self { callers, scoped, fused, post_order })
    }
}

impl Opcode {
    /// True when the called computations are part of the schedule (spec 2.4).
    pub fn runs_callees(&self) -> bool {
        matches!(self, Self::Call | Self::While | Self::Conditional | Self::AsyncStart)
    }
}

impl Module {
    /// The computations that an instruction calls; none for the links of an asynchronous chain behind
    /// its start.
    pub fn calls(&self, instruction: InstructionId) -> impl Iterator<Item = ComputationId> {
        let instruction = &self.instructions[instruction];
        let link = matches!(instruction.opcode, Opcode::AsyncUpdate | Opcode::AsyncDone);
        instruction.called().filter(move |_| !link)
    }
}

/// All computations, callees before callers.
fn post_order(module: &Module) -> Result<Vec<ComputationId>, Diagnostic> {
    let calls = |computation: ComputationId| -> Vec<(InstructionId, ComputationId)> {
        let body = module.computations[computation].instructions.iter();
        body.flat_map(|&i| module.calls(i).map(move |callee| (i, callee))).collect()
    };
    let count = module.computations.len();
    let mut order = Vec::with_capacity(count);
    let mut heights = IdVec::<ComputationId, Option<usize>>::filled(None, count);
    let mut open = IdVec::<ComputationId, bool>::filled(false, count);
    for start in module.computations.ids() {
        let mut stack = Vec::new();
        if heights[start].is_none() {
            open[start] = true;
            stack.push((start, calls(start), 0));
        }
        while let Some((at, callees, next)) = stack.last_mut() {
            let at = *at;
            if let Some(&(caller, callee)) = callees.get(*next) {
                *next += 1;
                if open[callee] {
                    return Err(recursion(module, caller, callee));
                }
                if heights[callee].is_none() {
                    open[callee] = true;
                    stack.push((callee, calls(callee), 0));
                }
                continue;
            }
            let below = callees.iter().filter_map(|(caller, c)| Some((heights[*c]?, *caller)));
            let below = below.max();
            let height = below.map_or(0, |(height, _)| height + 1);
            if let (true, Some((_, caller))) = (height > DEPTH, below) {
                let message = format!("calls are nested more than {DEPTH} deep");
                let loc = module.instructions[caller].loc;
                return Err(Diagnostic::error(Code::HloNestingTooDeep, message)
                    .at(loc, "this call is the first too many, counted from the innermost"));
            }
            heights[at] = Some(height);
            open[at] = false;
            order.push(at);
            stack.pop();
        }
    }
    Ok(order)
}

fn recursion(module: &Module, caller: InstructionId, callee: ComputationId) -> Diagnostic {
    let callee = &module.computations[callee];
    let message = format!("`{}` calls itself", callee.name);
    Diagnostic::error(Code::HloRecursion, message)
        .at(module.instructions[caller].loc, format!("calls `{}`, from inside of it", callee.name))
        .at(callee.loc, "the computation")
        .help("HLO has no recursion: write a loop with `while`")
}

impl Platform {
    /// Bytes to which allocations are aligned (9.1).
    pub fn alignment(self) -> u64 {
        match self {
            Self::Cpu => 64,
            Self::Gpu => 256,
        }
    }
}

//! HLO text as a problem: what every instruction reads and writes, for the judge.
//!
//! The program is lowered from the text alone. It shares with the planner what an op means
//! (`ir::hlo`), but neither its values nor its live ranges (ARCHITECTURE 1: the judge does not know
//! the accused). A buffer is a node of a shape that an instruction makes anew; what only passes a
//! value on (a tuple element, what a loop leaves alone) is a name for it. Computations are executed where
//! they are called; a loop runs its condition, then body and condition in turn; instructions that
//! start and finish asynchronous work hold their operands and results in between.

mod flow;
mod lower;
mod names;
mod origins;
mod relations;
mod windows;

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::ir::hlo::{Calls, InstructionId, Module, Platform, Sequences, Sharing};
use crate::model::{BufferId, Capacity, Function, Problem, Scope, ScopeId};

/// A module as a problem of one function, all its buffers in one scope without capacity.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The problem.
    pub problem: Problem,
    /// The buffer of every node that is made anew: nodes in pre-order.
    pub buffers: BTreeMap<(InstructionId, u32), BufferId>,
}

/// Instructions that are executed when all calls are taken, at most.
const MAX_EXECUTED: usize = 8_000_000;

/// Lowers a module.
///
/// # Errors
/// `hlo::unbounded` and `hlo::size_overflow` for a size that nobody knows, `hlo::nesting_too_deep` for
/// calls that expand to more than 8,000,000 instructions.
pub fn lower(
    module: &Module,
    calls: &Calls,
    order: &Sequences,
    platform: Platform,
) -> Result<Lowered, Diagnostic> {
    let mut problem = Problem { name: module.name.clone(), ..Problem::default() };
    let scope = problem.scopes.push(memory(platform));
    let (function, buffers) = lower::module(module, calls, order, platform, scope)?;
    problem.functions.push(function);
    Ok(Lowered { problem, buffers })
}

fn memory(platform: Platform) -> Scope {
    Scope {
        name: "memory".to_owned(),
        capacity: Capacity::Unbounded,
        alignment: platform.alignment(),
        round_up: false,
        reserved: Vec::new(),
        partitions: Vec::new(),
        source: None,
        loc: None,
    }
}

/// What is being built.
struct Lowering<'m> {
    module: &'m Module,
    calls: &'m Calls,
    order: &'m Sequences,
    sharing: Sharing<'m>,
    alignment: u64,
    scope: ScopeId,
    function: Function,
    buffers: BTreeMap<(InstructionId, u32), BufferId>,
    relations: relations::Relations,
    origins: origins::Origins<'m>,
    executed: usize,
}

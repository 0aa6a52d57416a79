//! Every line of a trace under one number: calls first, then lines of core programs.

use super::watch::LineId;
use crate::diag::Loc;
use crate::model::trace::{CoreLine, Instruction, Trace};

/// All lines.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    calls: usize,
    core: Vec<&'t CoreLine>,
    trace: &'t Trace,
    /// The number of the first line of each program.
    firsts: Vec<u32>,
}

impl<'t> Lines<'t> {
    /// Of a trace.
    pub fn of(trace: &'t Trace) -> Self {
        let mut core = Vec::new();
        let mut firsts = Vec::with_capacity(trace.programs.len());
        for program in &trace.programs {
            firsts.push(number(trace.ops.len() + core.len()));
            collect(&program.lines, &mut core);
        }
        Self { calls: trace.ops.len(), core, trace, firsts }
    }

    /// The first line of a program, in the order of a depth-first walk over its lines.
    pub fn first(&self, program: usize) -> LineId {
        LineId(self.firsts.get(program).copied().unwrap_or(0))
    }

    /// What the author calls the line.
    pub fn label(&self, id: LineId) -> &str {
        match self.core_line(id) {
            Some(line) => &line.label,
            None => self.trace.ops.get(id.0 as usize).map_or("?", |op| &op.label),
        }
    }

    /// Where it is written.
    pub fn loc(&self, id: LineId) -> Option<Loc> {
        match self.core_line(id) {
            Some(line) => line.loc,
            None => self.trace.ops.get(id.0 as usize).and_then(|op| op.loc),
        }
    }

    /// The line of a core program, if it is one.
    pub fn core_line(&self, id: LineId) -> Option<&'t CoreLine> {
        (id.0 as usize).checked_sub(self.calls).and_then(|at| self.core.get(at)).copied()
    }

    /// The position of a call in the trace, if it is one.
    pub fn call(&self, id: LineId) -> Option<usize> {
        Some(id.0 as usize).filter(|&at| at < self.calls)
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.calls + self.core.len()
    }

    /// True for a trace without lines.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

// Recursion over the nesting of loops and branches, which readers limit.
fn collect<'t>(lines: &'t [CoreLine], all: &mut Vec<&'t CoreLine>) {
    for line in lines {
        all.push(line);
        match &line.instruction {
            Instruction::Loop { body, .. } => collect(body, all),
            Instruction::If { then, otherwise, .. } => {
                collect(then, all);
                collect(otherwise, all);
            }
            _ => {}
        }
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

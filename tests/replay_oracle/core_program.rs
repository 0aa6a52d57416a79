//! Small programs of one core, as plain lists, and the traces that say the same.

use memplan::model::trace::{
    Call, CoreLine, CoreProgram, Instruction, PipeName, Place, Rotation, Sym, Trace, TraceOp, Val,
    Whole,
};

/// Pipes by number; the first is the scalar pipe, which issues and is strong.
pub(crate) const PIPES: [PipeName; 4] = [PipeName::S, PipeName::V, PipeName::Mte2, PipeName::Mte3];
pub(crate) const S: usize = 0;
/// Cells of memory, and the bytes of one.
pub(crate) const CELLS: usize = 10;
pub(crate) const CELL: u64 = 32;

/// Some cells in a row, and the cells of a value that are to be in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) value: u16,
    pub(crate) from: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Reads, then writes.
    Work {
        pipe: usize,
        reads: Vec<Cells>,
        writes: Vec<Cells>,
    },
    /// Copies cells; the value is the one that is expected at the source.
    Move {
        pipe: usize,
        from: Cells,
        to: usize,
    },
    Set {
        from: usize,
        to: usize,
        id: u32,
    },
    Wait {
        from: usize,
        to: usize,
        id: u32,
    },
    /// Of one pipe, not S.
    Barrier(usize),
    /// Of all pipes.
    Drain,
}

/// What S issues, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) ops: Vec<Op>,
}

impl Op {
    /// The pipe in whose queue it is; none for a barrier of all.
    pub(crate) fn pipe(&self) -> Option<usize> {
        match *self {
            Self::Work { pipe, .. } | Self::Move { pipe, .. } | Self::Barrier(pipe) => Some(pipe),
            Self::Set { from, .. } => Some(from),
            Self::Wait { to, .. } => Some(to),
            Self::Drain => None,
        }
    }

    pub(crate) fn reads(&self) -> &[Cells] {
        match self {
            Self::Work { reads, .. } => reads,
            Self::Move { from, .. } => std::slice::from_ref(from),
            _ => &[],
        }
    }

    /// Cells that are written: position and number.
    pub(crate) fn writes(&self) -> Vec<(usize, usize)> {
        match self {
            Self::Work { writes, .. } => writes.iter().map(|w| (w.at, w.len)).collect(),
            Self::Move { from, to, .. } => vec![(*to, from.len)],
            _ => Vec::new(),
        }
    }

    pub(crate) fn works(&self) -> bool {
        matches!(self, Self::Work { .. } | Self::Move { .. })
    }
}

impl Program {
    /// One kernel that runs the program, written at `base` bytes of the memory.
    pub(crate) fn trace(&self, base: u64) -> Trace {
        let mut trace = Trace { devices: 1, ..Trace::default() };
        let mut sym = |text: &str| trace.names.intern(text);
        let (process, thread, body) = (sym("p0"), sym("h0"), sym("body"));
        let (core, scope) = (sym("aiv0"), sym("ub"));
        let lines = (self.ops.iter().enumerate())
            .map(|(n, op)| CoreLine {
                label: format!("i{n}"),
                core,
                instruction: instruction(op, base, scope, &mut sym),
                loc: None,
            })
            .collect();
        let kernel = Call::Kernel {
            stream: None,
            name: None,
            r: Vec::new(),
            w: Vec::new(),
            rw: Vec::new(),
            cost: None,
            body: Some(body),
            device: None,
        };
        trace.programs.push(CoreProgram { name: body, lines });
        let thread = (process, thread);
        trace.ops.push(TraceOp {
            label: "k".into(),
            thread,
            call: kernel,
            expect: None,
            loc: None,
        });
        trace
    }
}

fn instruction(op: &Op, base: u64, scope: Sym, sym: &mut impl FnMut(&str) -> Sym) -> Instruction {
    let mut place = |at: usize, len: usize, value: Option<(u16, usize)>| Place {
        at: Whole::Scope(scope),
        base: base + at as u64 * CELL,
        stride: 0,
        modulo: 1,
        of: None,
        len: len as u64 * CELL,
        val: value.map(|(v, _)| Val { name: sym(&format!("v{v}")), version: 1 }),
        voff: value.map_or(0, |(_, from)| from as u64 * CELL),
    };
    let mut cells = |c: &Cells| place(c.at, c.len, Some((c.value, c.from)));
    let one = |id: u32| Rotation { ids: vec![id], of: None };
    match op {
        Op::Work { pipe, reads, writes } => Instruction::Exec {
            pipe: PIPES[*pipe],
            name: None,
            r: reads.iter().map(&mut cells).collect(),
            w: writes.iter().map(&mut cells).collect(),
            inplace: false,
            accumulate: false,
            cost: None,
        },
        Op::Move { pipe, from, to } => {
            let src = cells(from);
            let dst = place(*to, from.len, None);
            Instruction::Copy { pipe: PIPES[*pipe], src, dst, cost: None }
        }
        Op::Set { from, to, id } => {
            Instruction::Set { pipe: PIPES[*from], peer: PIPES[*to], id: one(*id) }
        }
        Op::Wait { from, to, id } => {
            Instruction::Wait { pipe: PIPES[*from], peer: PIPES[*to], id: one(*id) }
        }
        Op::Barrier(pipe) => Instruction::Barrier { pipe: Some(PIPES[*pipe]) },
        Op::Drain => Instruction::Barrier { pipe: None },
    }
}

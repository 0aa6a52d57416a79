//! Programs of cores: instructions on pipes, flags, barriers, loops, branches (5.17).

use super::{Sym, Val};
use crate::diag::Loc;

/// A pipe of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names of the hardware")]
pub enum PipeName {
    S,
    V,
    M,
    Mte1,
    Mte2,
    Mte3,
    Mte4,
    Mte5,
    V2,
    Fix,
}

/// What a kernel runs: lines of one or more cores. Lines of one core are in its program order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoreProgram {
    /// Its name; kernels name it as their `body`.
    pub name: Sym,
    /// The lines in the order written.
    pub lines: Vec<CoreLine>,
}

/// One line of a core program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreLine {
    /// What the author calls it; a number where he does not.
    pub label: String,
    /// The core: `aiv0`, `aiv1`, `aic0`. Lines in a loop or branch are of its core.
    pub core: Sym,
    /// What it does.
    pub instruction: Instruction,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// Where an operand of an instruction lies.
///
/// The address is `base + stride * (trip mod modulo)`, with the trip of `of`, counted from each
/// entry of that loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The memory, or a pointer of the trace.
    pub at: Whole,
    /// Bytes from its start.
    pub base: u64,
    /// Bytes from trip to trip.
    pub stride: u64,
    /// Trips after which the address is the same again; at least 1.
    pub modulo: u64,
    /// The loop whose trips count; none: the innermost one.
    pub of: Option<Sym>,
    /// Bytes.
    pub len: u64,
    /// The value in them.
    pub val: Option<Val>,
    /// The byte of the value that lies at the address.
    pub voff: u64,
}

/// A memory that an instruction can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whole {
    /// A memory of the core: `ub`, `l1`, `l0a`, ..
    Scope(Sym),
    /// Something in device memory, by the pointer that the trace has to it.
    Global(Sym),
}

/// Flag ids by trip: `ids[trip mod ids.len()]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// At least one.
    pub ids: Vec<u32>,
    /// The loop whose trips count; none: the innermost one.
    pub of: Option<Sym>,
}

/// What a line of a core program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Bytes move, and values with them. Both sides are contiguous and equally long.
    Copy {
        /// Who moves.
        pipe: PipeName,
        /// From here.
        src: Place,
        /// To here.
        dst: Place,
        /// Time units; none: by the machine's cost table.
        cost: Option<u64>,
    },
    /// Something is computed: all reads come before all writes.
    Exec {
        /// Who computes.
        pipe: PipeName,
        /// For reports.
        name: Option<Sym>,
        /// What is read.
        r: Vec<Place>,
        /// What is written.
        w: Vec<Place>,
        /// Pairs (read, write) that may be the same bytes.
        inplace: bool,
        /// True for a matrix product that adds to what is in its result (the M-M exemption of 13.4).
        accumulate: bool,
        /// Time units; none: by the machine's cost table.
        cost: Option<u64>,
    },
    /// `set_flag(pipe, peer, id)`.
    Set {
        /// The pipe that fires it.
        pipe: PipeName,
        /// The pipe that waits for it.
        peer: PipeName,
        /// Which.
        id: Rotation,
    },
    /// `wait_flag(pipe, peer, id)`.
    Wait {
        /// The pipe that fires it.
        pipe: PipeName,
        /// The pipe that waits for it.
        peer: PipeName,
        /// Which.
        id: Rotation,
    },
    /// `pipe_barrier(pipe)`; none: `PIPE_ALL`.
    Barrier {
        /// The pipe, or all of the core.
        pipe: Option<PipeName>,
    },
    /// A cross-core flag is raised.
    XSet {
        /// The pipe that it is queued on.
        pipe: PipeName,
        /// Who is meant: 0, 1, 2 or 4.
        mode: u8,
        /// The id.
        flag: u32,
    },
    /// A cross-core flag is awaited.
    XWait {
        /// The pipe that is blocked.
        pipe: PipeName,
        /// Who is meant: 0, 1, 2 or 4.
        mode: u8,
        /// The id.
        flag: u32,
    },
    /// A loop.
    Loop {
        /// Its name; none where nothing refers to it.
        name: Option<Sym>,
        /// Trips.
        n: u64,
        /// True when it may also run not at all.
        may_be_zero: bool,
        /// What it runs.
        body: Vec<CoreLine>,
    },
    /// A branch. Equal conditions take equal sides; one inside a loop is chosen anew in each trip.
    If {
        /// The condition.
        cond: Sym,
        /// What runs when it holds.
        then: Vec<CoreLine>,
        /// What runs when it does not.
        otherwise: Vec<CoreLine>,
    },
}

impl PipeName {
    /// All, in the order of the hardware's numbers.
    pub const ALL: [Self; 10] = [
        Self::S,
        Self::V,
        Self::M,
        Self::Mte1,
        Self::Mte2,
        Self::Mte3,
        Self::Mte4,
        Self::Mte5,
        Self::V2,
        Self::Fix,
    ];

    /// `MTE2`, `V`, ..
    pub fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::V => "V",
            Self::M => "M",
            Self::Mte1 => "MTE1",
            Self::Mte2 => "MTE2",
            Self::Mte3 => "MTE3",
            Self::Mte4 => "MTE4",
            Self::Mte5 => "MTE5",
            Self::V2 => "V2",
            Self::Fix => "FIX",
        }
    }

    /// The pipe of that name, upper or lower case.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pipe| pipe.name().eq_ignore_ascii_case(name))
    }
}

//! What a machine is asked to do: calls of hosts, tasks of streams, programs of cores
//! (runtime-model 9.2), as values without serde.

mod arguments;
mod call;
mod core;
mod host;
mod names;

pub use self::arguments::{
    Advice, AllocKind, Attribute, CopyKind, InfoKind, Location, MemoryFlags, PageClass,
    PoolAttribute, Register, ReusePolicy,
};
pub use self::call::Call;
pub use self::core::{CoreLine, CoreProgram, Instruction, PipeName, Place, Rotation, Whole};
pub use self::host::{Primitive, Section, SectionSize};
pub use self::names::{Names, Sym};

use super::machine::Mode;
use crate::diag::Loc;

/// A trace: who there is, and what they do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Its name, for reports: the file's.
    pub name: String,
    /// All names that occur in it.
    pub names: Names,
    /// The mode that it asks for.
    pub mode: Option<Mode>,
    /// The machine that it asks for: a chip or product name of the table, such as `910B3`.
    pub machine: Option<Sym>,
    /// Changes of single numbers of the machine: dotted key and value as written, with places.
    pub settings: Vec<Setting>,
    /// Processes in the order named; `p0` always exists.
    pub processes: Vec<Sym>,
    /// Devices; at least 1.
    pub devices: u32,
    /// Whether missing edges are races or owed (13.1); none: by what the trace carries.
    pub assume_sync: Option<AssumeSync>,
    /// What happens, in the order written. The order of two lines of one thread is the order in
    /// which the thread does them; lines of different threads have no order between them.
    pub ops: Vec<TraceOp>,
    /// Programs that kernels name as their bodies.
    pub programs: Vec<CoreProgram>,
    /// Findings that the author expects, by the last part of their code, with their counts.
    pub expect_findings: Option<Vec<(String, u64)>>,
    /// Faults to inject (9.6).
    pub injections: Vec<Injection>,
    /// What has to be where when everything is over.
    pub outputs: Vec<Output>,
    /// Ranges that have to hold a number of elements.
    pub packed: Vec<Packed>,
}

/// A value that is wanted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The bytes, and the value in them.
    pub span: Span,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// A range with the elements that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// How many.
    pub elements: u64,
    /// Bits of each.
    pub bits: u64,
    /// Bytes of the range.
    pub len: u64,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// One number of the machine that the trace changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Such as `soma.policy`.
    pub key: String,
    /// As written: a number of bytes, a word, `true`.
    pub value: String,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// What a level without sync means (13.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssumeSync {
    /// No level carries sync: missing edges are owed.
    None,
    /// Every level carries all of its sync: a missing edge is a race.
    Full,
}

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceOp {
    /// What the author calls it; a number where he does not.
    pub label: String,
    /// The process and the thread in it that do it.
    pub thread: (Sym, Sym),
    /// What is done.
    pub call: Call,
    /// What the author expects the call to answer; `None`: that it succeeds.
    pub expect: Option<Expect>,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// The answer that the author expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Success.
    Ok,
    /// An error: the name of a code (`InvalidValue`) or of a class (`invalid_argument`).
    Error(String),
    /// Success, and this value, as printed: `-2`, `16 MiB`, `device 0`.
    Value(String),
}

/// A logical value: the content that a write makes and a read wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Val {
    /// The name in front of the `@`.
    pub name: Sym,
    /// The number behind it; 0 where none is written.
    pub version: u64,
}

/// Bytes of something that the trace has a pointer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The pointer.
    pub p: Sym,
    /// Bytes from it.
    pub off: u64,
    /// How many; all that follow where none is written.
    pub len: Option<u64>,
    /// The value in them.
    pub val: Option<Val>,
    /// The byte of the value that lies at `off`.
    pub voff: u64,
}

/// A failure that the run has to make (9.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// What fails.
    pub fault: Fault,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// The faults of 9.6. Counts are from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The n-th allocation of physical memory fails.
    FailAlloc(u64),
    /// The n-th mapping fails.
    FailMap(u64),
    /// The n-th change of a section's protection fails.
    FailProtect(u64),
    /// The n-th transfer between memories fails.
    DmaError(u64),
    /// The n-th acknowledgement of a prefetch does not come.
    AckTimeout(u64),
    /// No page is swapped out.
    SwapRefused,
    /// The host has so many pages (of the UVM page size).
    HostOom(u64),
    /// The page at this byte of a managed range is swapped out before the line of this number runs.
    Evict {
        /// The range.
        p: Sym,
        /// The byte.
        off: u64,
        /// The line, counted from 0.
        at: usize,
    },
    /// An actor runs only when nobody else can.
    Slow(Sym),
    /// The process ends before the line of this number runs, without a word.
    Crash {
        /// The process.
        process: Sym,
        /// The line, counted from 0.
        at: usize,
    },
    /// No record of this event is seen by anybody.
    LostEvent(Sym),
    /// Entries of one batch happen in the opposite order.
    ReorderBatch,
    /// Prefetches of this range do nothing.
    DropPrefetch(Sym),
    /// Attribute queries answer with what was before the last change.
    StaleAttr,
}

impl Trace {
    /// The name as written.
    pub fn text(&self, sym: Sym) -> &str {
        self.names.text(sym)
    }
}

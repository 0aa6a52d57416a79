//! What the planner answers: a verdict with its reasons.

use crate::diag::{Diagnostic, Loc};

use super::{BufferId, FunctionPlan, Live, OpId, PipeId, ScopeId, Step};

/// The verdict of a scope, a function or a command, worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// A plan; no smaller peak exists at level `lifetime` with all hard relations.
    Optimal,
    /// A plan that fits; a smaller peak may exist.
    Feasible,
    /// The budget ran out.
    Undecided,
    /// The one heuristic asked for found none; says nothing about existence.
    NotFound,
    /// No plan exists at the lowest level allowed; a proof.
    Infeasible,
}

/// Who may share bytes (ARCHITECTURE 4), strictest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReuseLevel {
    /// Live ranges disjoint and no pair whose sharing ties two pipes together.
    Pipe,
    /// As `pipe`, and any pair that does not live in one common loop.
    Loop,
    /// As `loop`, and a single may take a multi-buffer's place by becoming multi-buffered.
    Slot,
    /// Live ranges disjoint.
    Lifetime,
}

/// How a scope was planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything has bytes of its own: the aligned sum fits.
    Sequential,
    /// Buffers share bytes.
    Reuse,
}

/// What ended a search before it closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitedBy {
    /// The node budget: repeats.
    Nodes,
    /// The clock: does not repeat.
    Time,
    /// Ctrl-C.
    Interrupt,
}

/// The largest sum of bytes alive at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// The step at which it occurs first.
    pub at: Step,
    /// The op at that step, in program form.
    pub op: Option<OpId>,
    /// A word for the step.
    pub step_name: Option<String>,
    /// The sum in bytes, in-place and exclusive pairs counted once, sizes rounded where the scope
    /// says so.
    pub bytes: u64,
    /// The buffers that make it, largest first, with their bytes (all slots).
    pub buffers: Vec<(BufferId, u64)>,
}

/// How one rung of the ladder ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// A plan that fits.
    Found,
    /// A proof that there is none at this level.
    Refuted,
    /// None found; the budget or the method was at its end.
    GaveUp,
    /// Not tried, or broke down; the reason.
    Skipped(String),
}

/// One rung of the ladder that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The level; none in sequential mode or where levels do not apply.
    pub level: Option<ReuseLevel>,
    /// The solver.
    pub solver: String,
    /// How it ended.
    pub end: AttemptEnd,
    /// The peak of its best packing.
    pub peak: Option<u64>,
    /// Its best lower bound at its level.
    pub bound: u64,
    /// Nodes opened.
    pub nodes: u64,
    /// A remark: model size, why it stopped.
    pub note: Option<String>,
}

/// Two buffers that share bytes at different times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// The buffer that is alive first.
    pub first: BufferId,
    /// The other.
    pub second: BufferId,
    /// The strictest level that allows the pair; none where levels do not apply.
    pub level: Option<ReuseLevel>,
    /// True when the sharing makes one pipe wait for another in a way that the data flow does not,
    /// or the input puts a price on it.
    pub stall: bool,
    /// The pipes that the sharing ties together; empty when it ties none.
    pub pipes: Vec<PipeId>,
    /// What it costs by the cost model; 0 when it does not stall.
    pub cost: u64,
    /// Why the input puts a price on it.
    pub why: Option<String>,
    /// True for an in-place pair.
    pub inplace: bool,
}

/// A change of the input that makes it fit; checked by solving again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The change.
    pub change: Change,
    /// Bytes given up: what the change takes from the buffer.
    pub cost: u64,
    /// The peak with the change.
    pub peak: u64,
    /// The level with the change; none in sequential mode.
    pub level: Option<ReuseLevel>,
}

/// One change of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Fewer slots for a buffer.
    Slots {
        /// The buffer.
        buffer: BufferId,
        /// Slots now.
        from: u32,
        /// Slots then.
        to: u32,
    },
    /// A smaller buffer; no larger size fits.
    Size {
        /// The buffer.
        buffer: BufferId,
        /// Bytes of a slot now.
        from: u64,
        /// The largest that fits.
        to: u64,
    },
    /// A larger scope.
    Capacity {
        /// Bytes then; the smallest for which a plan is known.
        to: u64,
        /// True when no smaller capacity works.
        proven: bool,
    },
    /// A pinned buffer that may lie elsewhere.
    Unpin {
        /// The buffer.
        buffer: BufferId,
    },
    /// A lower reuse level.
    Level {
        /// The level at which it fits.
        to: ReuseLevel,
    },
}

/// Why a scope does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// True when no plan exists; false when none was found.
    pub impossible: bool,
    /// Bytes that the buffers may use: of the scope, or of their owner's partition.
    pub available: u64,
    /// The bytes required, and which number that is.
    pub requires: u64,
    /// `max_load`, `lower_bound` or `heuristic peak`.
    pub requires_is: &'static str,
    /// Buffers of a proof: drop any one and the rest fits, or no longer shows it.
    pub core: Vec<BufferId>,
    /// The smallest capacity that did work, when one was found.
    pub works_at: Option<u64>,
    /// Changes that make it fit, cheapest first.
    pub advice: Vec<Advice>,
}

/// The answer for one scope of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopeAnswer {
    /// The scope.
    pub scope: ScopeId,
    /// Buffers in it, in order, with their live ranges as used.
    pub buffers: Vec<(BufferId, Vec<Live>)>,
    /// The verdict.
    pub verdict: Verdict,
    /// Largest end of a placed buffer; none without a plan.
    pub peak: Option<u64>,
    /// The largest sum alive at once.
    pub max_load: Load,
    /// The best proven bound on the peak at level `lifetime`, at least `max_load`.
    pub lower_bound: u64,
    /// Sum of the costs of stalling reuses.
    pub reuse_cost: u64,
    /// The best proven bound on that sum at the level of the plan.
    pub reuse_cost_bound: u64,
    /// How it was planned.
    pub mode: Mode,
    /// The level of the plan; none in sequential mode or where levels do not apply.
    pub level: Option<ReuseLevel>,
    /// The solver whose packing it is.
    pub strategy: String,
    /// One sentence: the error when there is no plan, else the reason for the level.
    pub message: Option<String>,
    /// Things to know that are not errors.
    pub warnings: Vec<String>,
    /// Nodes opened in all.
    pub nodes: u64,
    /// What ended the search early.
    pub limited_by: Option<LimitedBy>,
    /// Pairs that share bytes.
    pub reuse: Vec<Reuse>,
    /// Every rung tried.
    pub attempts: Vec<Attempt>,
    /// Why it does not fit.
    pub overflow: Option<Overflow>,
}

/// How a warning begins that says what the judge has against a plan of the compiler's pass.
pub const REFUTED: &str = "refuted: ";

impl ScopeAnswer {
    /// True when the judge has refuted the plan. The verdict is then that of whoever made the plan.
    pub fn refuted(&self) -> bool {
        self.warnings.iter().any(|w| w.starts_with(REFUTED))
    }
}

/// The answer for one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionAnswer {
    /// The function's name.
    pub name: String,
    /// The function's place in [`crate::model::Problem::functions`].
    pub index: usize,
    /// The fingerprint of the problem it answers.
    pub fingerprint: String,
    /// The worst verdict of its scopes.
    pub verdict: Verdict,
    /// What the analysis has to say about the program, whatever the plan.
    pub warnings: Vec<Diagnostic>,
    /// An error that belongs to no scope.
    pub message: Option<String>,
    /// What the compiler's pass reports, word for word; under `--strategy hivm` alone.
    pub errors: Vec<PassError>,
    /// The scopes it uses, in the order of the problem.
    pub scopes: Vec<ScopeAnswer>,
    /// The placements of the scopes that have a plan.
    pub plan: FunctionPlan,
    /// Allocations of an HLO module that are no heap; none elsewhere.
    pub allocations: Vec<Allocation>,
}

/// What an allocation of an HLO module is for (spec/xla-memory.md 9.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AllocationKind {
    /// A node of a parameter of the entry.
    Parameter,
    /// A constant.
    Constant,
    /// Bytes that hold a result at the end.
    Output,
    /// Of a computation that runs in threads of its own.
    ThreadLocal,
    /// A table of pointers.
    Tuple,
    /// Anything else outside of the heaps.
    Temporary,
}

/// An allocation of an HLO module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// What it is for.
    pub kind: AllocationKind,
    /// Its bytes.
    pub size: u64,
    /// Its memory space.
    pub memory_space: u32,
    /// The number of the parameter and its node, such as `(0, "{1}")`.
    pub parameter: Option<(u32, String)>,
    /// True for a parameter that an output lies on.
    pub aliased: bool,
    /// The values in it.
    pub values: Vec<String>,
}

impl AllocationKind {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parameter => "parameter",
            Self::Constant => "constant",
            Self::Output => "output",
            Self::ThreadLocal => "thread-local",
            Self::Tuple => "tuple",
            Self::Temporary => "temporary",
        }
    }
}

/// An error of the compiler's pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassError {
    /// Its text.
    pub text: String,
    /// The op that it is reported on.
    pub loc: Option<Loc>,
    /// The location that the text gives for that op: `"file":2:3`.
    pub printed_loc: Option<String>,
}

/// The answer for one input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// One for each function planned.
    pub functions: Vec<FunctionAnswer>,
}

impl FunctionAnswer {
    /// True when the judge has refuted the plan of one of its scopes.
    pub fn refuted(&self) -> bool {
        self.scopes.iter().any(ScopeAnswer::refuted)
    }
}

impl Answer {
    /// The worst verdict; `None` when there was nothing to plan.
    pub fn verdict(&self) -> Option<Verdict> {
        self.functions.iter().map(|f| f.verdict).max()
    }
}

impl Verdict {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Feasible => "feasible",
            Self::Undecided => "undecided",
            Self::NotFound => "not-found",
            Self::Infeasible => "infeasible",
        }
    }

    /// The verdict of that word.
    pub fn find(name: &str) -> Option<Self> {
        let all =
            [Self::Optimal, Self::Feasible, Self::Undecided, Self::NotFound, Self::Infeasible];
        all.into_iter().find(|v| v.name() == name)
    }

    /// True when there is a plan.
    pub fn has_plan(self) -> bool {
        matches!(self, Self::Optimal | Self::Feasible)
    }
}

impl ReuseLevel {
    /// All levels from the strictest down.
    pub const ALL: [Self; 4] = [Self::Pipe, Self::Loop, Self::Slot, Self::Lifetime];

    /// The word of the command line and of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pipe => "pipe",
            Self::Loop => "loop",
            Self::Slot => "slot",
            Self::Lifetime => "lifetime",
        }
    }

    /// The number that the documents give this level; `loop` has none.
    pub fn document_number(self) -> Option<u8> {
        match self {
            Self::Pipe => Some(2),
            Self::Loop => None,
            Self::Slot => Some(1),
            Self::Lifetime => Some(0),
        }
    }
}

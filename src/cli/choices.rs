//! The words that options take.

use clap::ValueEnum;

use crate::model::ReuseLevel;
use crate::plan;

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// For whom the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A person.
    Human,
    /// A machine: JSON, described by `memplan schema report`.
    Json,
    /// A table program: the rows of `memplan bench`.
    Csv,
    /// A document: a summary for a pull request, or the tables of `memplan bench`.
    Markdown,
    /// Code scanning: SARIF 2.1.0.
    Sarif,
    /// A test report: JUnit XML, a test for each function.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
}

impl Format {
    /// True where the command of that name has it.
    pub(super) fn fits(self, command: &str) -> bool {
        let checks = matches!(command, "solve" | "verify" | "replay");
        match self {
            Self::Human | Self::Json => true,
            Self::Csv => command == "bench",
            Self::Markdown => checks || matches!(command, "bench" | "diff" | "what-if"),
            Self::Sarif | Self::Junit | Self::Github => checks || command == "diff",
        }
    }

    /// True where the report of that command carries its diagnostics, so that stderr need not.
    pub(super) fn carries(self, command: &str) -> bool {
        match self {
            Self::Human | Self::Csv => false,
            Self::Json => true,
            // The tables of the other commands carry nothing else.
            Self::Markdown => matches!(command, "solve" | "verify" | "replay" | "diff"),
            Self::Sarif | Self::Junit | Self::Github => self.fits(command),
        }
    }
}

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum From {
    /// A TOML spec.
    Spec,
    /// Rows `id,lower,upper,size`.
    Csv,
    /// MLIR text of the HIVM dialect.
    #[value(alias = "mlir")]
    Hivm,
    /// XLA's HLO text.
    Hlo,
    /// JSON packing problems with pools, constraints and reuse costs.
    Dsa,
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    /// A plan file.
    Plan,
    /// Rows `id,lower,upper,size,offset`.
    Csv,
    /// The input with its addresses filled in.
    Mlir,
    /// The compiler's memory_info JSON.
    MemoryInfo,
}

/// The order in which the instructions of an HLO module are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
    /// That of the text.
    Given,
    /// The best of `list`, `dfs` and `post` by XLA's own measure.
    Default,
    /// Greedy: what frees most comes first.
    List,
    /// Depth first, the heaviest operand first.
    Dfs,
    /// Breadth first.
    Bfs,
    /// Operands before users, from the root.
    Post,
    /// As `post`, without looking at memory.
    Trivial,
    /// The best of all of these, improved by search.
    Best,
}

/// Whose rules hold for an HLO module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Platform {
    /// What the text looks like.
    Auto,
    /// Allocations of 64 bytes.
    Cpu,
    /// Allocations of 256 bytes, and fusions that may write over their operands.
    Gpu,
}

/// A pass over an HLO module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Pass {
    /// Memory spaces from outside of fusions to their inside.
    Propagate,
    /// Placement annotations to transfers.
    Annotate,
    /// Donated parameters to outputs of the same size.
    Alias,
    /// Copies where values would share bytes wrongly.
    AddCopies,
    /// Copies that nobody needs, away.
    Copies,
    /// Instructions into the best order.
    Schedule,
    /// The plan, for its peak.
    Plan,
    /// The statistics.
    Statistics,
    /// All of these in this order; `add-copies` only where there is no schedule.
    All,
}

/// Which of the two sibling passes of the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum HivmPass {
    /// hivm-plan-memory.
    #[default]
    Base,
    /// hivm-plan-memory-regbase.
    Regbase,
}

/// Whose live ranges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Liveness {
    /// Sound ones.
    #[default]
    Strict,
    /// Those of the compiler's pass, with its mistakes.
    Compat,
}

/// A reuse level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Level {
    /// No pair that ties two pipes together.
    #[value(alias = "2")]
    Pipe,
    /// And any pair that does not live in one common loop.
    Loop,
    /// And singles on the slots of multi-buffers.
    #[value(alias = "1")]
    Slot,
    /// Live ranges disjoint.
    #[value(alias = "0")]
    Lifetime,
}

/// What to refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Deny {
    /// Warnings too.
    Warnings,
}

/// Of what a schema is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Schema {
    /// The TOML spec.
    Spec,
    /// The plan file.
    Plan,
    /// The trace.
    Trace,
    /// The machine file.
    Machine,
    /// The config file `memplan.toml`.
    Config,
    /// The budget file of the gate.
    Budget,
    /// The JSON reports.
    Report,
}

/// Where a plan is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Runtime {
    /// The pipes of cores.
    Pipes,
    /// One allocation.
    Svm,
    /// Addresses, a handle, a mapping.
    Vmm,
    /// Managed memory.
    Uvm,
    /// A stream-ordered pool.
    Soma,
}

/// Whose behaviour counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Mode {
    /// What the documents promise.
    Spec,
    /// What the public source does, quirks included.
    Source,
}

impl std::convert::From<Level> for ReuseLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Pipe => Self::Pipe,
            Level::Loop => Self::Loop,
            Level::Slot => Self::Slot,
            Level::Lifetime => Self::Lifetime,
        }
    }
}

impl std::convert::From<Liveness> for plan::Liveness {
    fn from(liveness: Liveness) -> Self {
        match liveness {
            Liveness::Strict => Self::Strict,
            Liveness::Compat => Self::Compat,
        }
    }
}

//! The command line, as clap reads it. No I/O here: opening files and looking at terminals comes
//! after.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand};
use clap_complete::Shell;

pub(super) use super::choices::{
    Color, Deny, Emit, Format, From, HivmPass, Level, Liveness, Mode, Order, Pass, Platform,
    Runtime, Schema,
};
use super::config::{ConfigArgs, Layers};
use super::schedule::schedule;
use super::seconds::seconds;
pub(super) use super::shard::Shard;
pub(super) use super::what_if::WhatIfArgs;
use crate::bench::external::External;
use crate::bench::generate::{self, Kind};
use crate::plan::Strategy;
use crate::verify::trace::Schedule;

/// Examples come first: they are what most people look for.
fn template() -> String {
    format!(
        "{{about-with-newline}}\n{EXAMPLES}\n\n{{usage-heading}} {{usage}}\n\n{{all-args}}\n\n{EXITS}\n"
    )
}

const EXAMPLES: &str = "\
Examples:
  memplan solve kernel.toml                      plan, check, explain
  memplan solve kernel.toml -o kernel.plan.toml  and keep the plan
  memplan solve kernel.mlir -o planned.mlir      the same kernel with its addresses
  memplan solve specs/ --format json             every input of a folder, for machines
  memplan verify kernel.toml --plan kernel.plan.toml
  memplan replay run.jsonl --schedule skew       races, leaks and stale data of a trace
  memplan bench specs/ --levels pipe,loop,slot   strategies side by side
  memplan explain memplan::plan::overflow";

const EXITS: &str = "\
Exit codes:
  0  yes: planned and checked; the plan is right
  1  no: it does not fit, no plan was found, the plan is wrong
  2  the question is broken: input, command line, or a defect of memplan
  3  do not know: the budget ran out first
Several inputs: any 2, else any 1, else any 3, else 0.
Options of a team stand in `memplan.toml`, or in variables such as MEMPLAN_LEVEL (docs/CI.md).";

const BENCH_EXITS: &str = "\
What does not fit is a row, not a failure, and so is a wrong plan from outside. Exit codes:
  0  yes
  1  no: `auto` or `optimal` lost to another planner (no plan where the other has one that the judge
     accepts; for `optimal` also a higher peak); a row is worse than in the baseline (the verdict; or peak or
     reuse cost is higher and the other not lower)
  2  the question is broken: input, command line, or a defect of memplan";

/// A memory planner for accelerator kernels and graphs: offsets with a verdict, a proof and a replay.
#[derive(Debug, Parser)]
#[command(name = "memplan", version, help_template = template(), max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub(super) struct Global {
    /// When to use colour (NO_COLOR and CLICOLOR_FORCE are honoured by `auto`).
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    pub(super) color: Color,
    /// Print verdicts and errors only.
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    pub(super) quiet: bool,
    /// Print everything: all rows, all attempts.
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Output")]
    pub(super) verbose: u8,
    /// For whom the answer is.
    #[arg(
        long,
        global = true,
        value_name = "FORMAT",
        default_value = "human",
        help_heading = "Output"
    )]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Plan memory: offsets with a verdict, checked before they are shown.
    Solve(SolveArgs),
    /// Check a plan, whoever made it.
    Verify(VerifyArgs),
    /// Run a trace on a model of the machine and say what is wrong.
    Replay(ReplayArgs),
    /// Compare strategies side by side.
    #[command(after_help = BENCH_EXITS)]
    Bench(BenchArgs),
    /// Put the instructions of an HLO module into an order that needs less memory.
    Schedule(ScheduleArgs),
    /// What an HLO module needs, by the names that XLA prints, and what makes its peak.
    Stats(StatsArgs),
    /// Run memory passes over an HLO module, and say what they did.
    Convert(ConvertArgs),
    /// What changed between two plans, reports or inputs, and which buffers did it.
    Diff(DiffArgs),
    /// What would happen with fewer slots, another tile, another target, less memory.
    #[command(after_help = super::what_if::EXITS)]
    WhatIf(WhatIfArgs),
    /// Draw the memory: a page (`-o x.html`), the map alone (`-o x.svg`), a trace.
    Report(ReportArgs),
    /// Explain a code.
    Explain(ExplainArgs),
    /// Show what follows from an input: order, live ranges, pipes, load.
    Inspect(InspectArgs),
    /// Print a JSON Schema.
    Schema(SchemaArgs),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page.
    Man,
}

/// What to read.
#[derive(Clone, Debug, Args)]
pub(super) struct InputArgs {
    /// Files, folders (walked in sorted order), or `-` for standard input.
    #[arg(value_name = "INPUT", required = true)]
    pub(super) inputs: Vec<String>,
    /// The format of the inputs, where name and content do not tell.
    #[arg(long, value_name = "FORMAT", help_heading = "Input")]
    pub(super) from: Option<From>,
    /// The name of standard input in messages; its extension chooses the reader.
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(super) stdin_name: Option<String>,
    /// A chip (`ascend910b`, `Ascend910B1`, ..) or a target file, instead of the spec's own.
    #[arg(long, value_name = "NAME|FILE", help_heading = "Input")]
    pub(super) target: Option<String>,
    /// A profile of the target, instead of the input's own; no option, set by `what-if`.
    #[arg(skip)]
    pub(super) profile: Option<String>,
    /// Only the function of this name.
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(super) function: Option<String>,
    /// Another capacity: `196608`, `192KiB`, `ub=192KiB`; may be repeated.
    #[arg(long, value_name = "[SCOPE=]SIZE", value_delimiter = ',', help_heading = "Input")]
    pub(super) capacity: Vec<String>,
    /// Which of the compiler's passes HIVM text is for.
    #[arg(long, value_name = "PASS", default_value = "base", help_heading = "HIVM")]
    pub(super) hivm_pass: HivmPass,
    /// Options of that pass under its own names: `mem-plan-mode=global-work-space-plan`, ..
    #[arg(long, value_name = "K=V,..", help_heading = "HIVM")]
    pub(super) hivm_options: Vec<String>,
    /// In which order the instructions of an HLO module are executed [default: given; for `schedule`
    /// best].
    #[arg(long, value_name = "ORDER", help_heading = "HLO")]
    pub(super) order: Option<Order>,
    /// Whose alignment and rules about sharing hold for an HLO module.
    #[arg(long, value_name = "WHOSE", default_value = "auto", help_heading = "HLO")]
    pub(super) platform: Platform,
    /// What the files of the inputs say.
    #[arg(skip)]
    pub(super) layers: Layers,
}

/// `memplan solve`.
#[derive(Debug, Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Write the plan here; with several inputs, a folder.
    #[arg(short, long, value_name = "FILE|DIR", help_heading = "Plan")]
    pub(super) output: Option<PathBuf>,
    /// What to write: `plan` (default), `csv` (default for an output named `*.csv`), for HIVM text
    /// `mlir` (default for `*.mlir`) or `memory-info` (default for `*.json`). Without `-o` it replaces
    /// the answer on stdout.
    #[arg(long, value_name = "WHAT", help_heading = "Plan")]
    pub(super) emit: Option<Emit>,
    /// Who places.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "auto",
        help = format!("Who places: {}", Strategy::names().join(", ")),
        help_heading = "Plan"
    )]
    pub(super) strategy: String,
    #[command(flatten)]
    pub(super) plan: PlanArgs,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
}

/// How to plan, whoever does.
#[derive(Clone, Debug, Args)]
pub(super) struct PlanArgs {
    /// Whose live ranges: sound ones, or those of the compiler's pass (`--strategy hivm` implies them).
    #[arg(long, value_name = "WHOSE", default_value = "strict", help_heading = "HIVM")]
    pub(super) liveness: Liveness,
    /// Do not let buffers share below this level: `pipe` (2), `loop`, `slot` (1), `lifetime` (0).
    #[arg(long, value_name = "LEVEL", help_heading = "Plan")]
    pub(super) level: Option<Level>,
    /// Search nodes for each question that a level asks [default: 20000, fewer where
    /// many buffers are related, up to 50 times as many where they are plain rectangles]; answers repeat.
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(super) nodes: Option<u64>,
    /// Wall time for each input, such as 2.5; answers limited by it do not repeat.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Budget")]
    pub(super) time: Option<std::time::Duration>,
    /// Seed of the noise in heuristics and search.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Budget")]
    pub(super) seed: u64,
    /// Threads; the answer does not depend on it. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Budget")]
    pub(super) jobs: Option<u16>,
}

/// `memplan verify`.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// The plan: a plan file, a CSV with offsets or the compiler's `memory_info` JSON. With several inputs,
    /// a folder in which `solve -o` wrote. Without it, the pins and offsets of the input are the plan;
    /// where there are none, `--budget` and `--baseline` look at the plan that `solve` makes.
    #[arg(long, value_name = "FILE|DIR", help_heading = "Check")]
    pub(super) plan: Option<PathBuf>,
    /// `warnings`: exit 1 on warnings too.
    #[arg(long, value_name = "WHAT", help_heading = "Check")]
    pub(super) deny: Option<Deny>,
    #[command(flatten)]
    pub(super) gate: GateArgs,
    /// Who places where `--budget` and `--baseline` look at inputs without a plan.
    #[arg(long, value_name = "NAME", default_value = "auto", help_heading = "Plan")]
    pub(super) strategy: String,
    #[command(flatten)]
    pub(super) planning: PlanArgs,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
}

/// What a team holds its kernels to.
#[derive(Clone, Debug, Args)]
pub(super) struct GateArgs {
    /// What each kernel may take in each scope: peak, level, stalls, owed edges (docs/GATE.md).
    #[arg(long, value_name = "FILE", help_heading = "Gate")]
    pub(super) budget: Option<PathBuf>,
    /// Write what the kernels take into the budget file instead of holding them to it.
    #[arg(long, help_heading = "Gate")]
    pub(super) update_budget: bool,
    /// What they were: a plan, a report (`--format json` of `solve` or `verify`), an older input, or a folder
    /// of such files. Says what changed, what that did, and which buffers did it.
    #[arg(long, value_name = "OLD", help_heading = "Gate")]
    pub(super) baseline: Option<PathBuf>,
    /// Only the I-th of N parts of the inputs.
    #[arg(long, value_name = "I/N", help_heading = "Gate")]
    pub(super) shard: Option<Shard>,
    /// Remembers inputs that were found good, so that they are skipped while nothing has changed. Safe to
    /// delete.
    #[arg(long, value_name = "DIR", help_heading = "Gate")]
    pub(super) cache: Option<PathBuf>,
}

/// How things are run.
#[derive(Clone, Debug, Args)]
pub(super) struct RunArgs {
    /// A chip or product (`910B3`, `950`, ..) or a machine file, instead of the
    /// input's own.
    #[arg(long, value_name = "NAME|FILE", help_heading = "Run")]
    pub(super) machine: Option<String>,
    /// Whose behaviour counts, whatever the trace says.
    #[arg(long, value_name = "MODE", help_heading = "Run")]
    pub(super) mode: Option<Mode>,
    /// In which order things happen where nothing orders them: `canonical`, `skew`, `random[:RUNS]`,
    /// `pct[:RUNS,DEPTH]`, `exhaustive[:BOUND]`, or an order that a report prints.
    #[arg(long, value_name = "ORDER", default_value = "canonical", value_parser = schedule, help_heading = "Run")]
    pub(super) schedule: Schedule,
    /// Write a timeline for trace viewers (Chrome, Perfetto) here.
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub(super) export_trace: Option<PathBuf>,
}

/// What plans are replayed on.
#[derive(Clone, Debug, Args)]
pub(super) struct PlaceArgs {
    #[command(flatten)]
    pub(super) run: RunArgs,
    /// Also place the plan's device memory (workspaces, arenas) in these device runtimes, run it there
    /// and compare: `svm`, `vmm`, `uvm`, `soma`. `pipes` is what is always done: cores and their pipes.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', help_heading = "Run")]
    pub(super) runtime: Vec<Runtime>,
}

/// `memplan replay`.
#[derive(Debug, Args)]
pub(super) struct ReplayArgs {
    /// Traces (TOML or JSON Lines), folders of them, or `-` for standard input.
    #[arg(value_name = "TRACE", required = true)]
    pub(super) traces: Vec<String>,
    /// The name of standard input in messages.
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(super) stdin_name: Option<String>,
    #[command(flatten)]
    pub(super) run: RunArgs,
    /// Seed of random orders.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Run")]
    pub(super) seed: u64,
    /// `warnings`: exit 1 on warnings too.
    #[arg(long, value_name = "WHAT", help_heading = "Check")]
    pub(super) deny: Option<Deny>,
}

/// `memplan bench`.
#[derive(Debug, Args)]
#[command(mut_arg("inputs", |inputs| inputs.required(false).required_unless_present("generate")))]
pub(super) struct BenchArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Who is compared; the first is what the others' times are relative to.
    #[arg(
        long,
        value_name = "NAME,..",
        value_delimiter = ',',
        default_value = "auto,optimal,hivm,first-fit,greedy-size",
        help = format!(
            "Who is compared, the first sets the pace: {}",
            Strategy::names().join(", ")
        ),
        help_heading = "Compare"
    )]
    pub(super) strategies: Vec<String>,
    /// Also run `auto` with each of these as its lowest level.
    #[arg(long, value_name = "LEVEL,..", value_delimiter = ',', help_heading = "Compare")]
    pub(super) levels: Vec<Level>,
    /// Another planner beside ours, such as 'mm=minimalloc --input={in} --output={out}
    /// --capacity={capacity}'; may be repeated. It reads and writes CSV (docs/FORMATS.md), runs without a
    /// shell in a temporary folder, is killed after `--time` (60 seconds without), and its plan is
    /// checked. Without a capacity it is asked for the smallest peak that ours have found.
    #[arg(long, value_name = "NAME=CMD", help_heading = "Compare")]
    pub(super) external: Vec<External>,
    #[arg(
        long,
        value_name = "KIND,N,SEED",
        help = format!(
            "An instance made to measure, such as perfect,60,1 or near:10,60,1 (10 percent left out); may \
             be repeated. Kinds: {}",
            Kind::names().join(", ")
        ),
        help_heading = "Input"
    )]
    pub(super) generate: Vec<generate::Order>,
    /// Only write what `--generate` makes into this folder, as CSV.
    #[arg(
        short,
        long,
        value_name = "DIR",
        requires = "generate",
        conflicts_with = "inputs",
        help_heading = "Input"
    )]
    pub(super) output: Option<PathBuf>,
    /// An earlier `--format json` of this command: say what changed.
    #[arg(long, value_name = "FILE", help_heading = "Compare")]
    pub(super) baseline: Option<PathBuf>,
    #[command(flatten)]
    pub(super) plan: PlanArgs,
}

/// `memplan schedule`.
#[derive(Debug, Args)]
pub(super) struct ScheduleArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Write the module in its new order here.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Orders that the search for `best` may try.
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(super) nodes: Option<u64>,
}

/// `memplan stats`.
#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
}

/// `memplan convert`.
#[derive(Debug, Args)]
pub(super) struct ConvertArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// What to do; may be repeated.
    #[arg(long = "pass", value_name = "NAME", required = true, help_heading = "Passes")]
    pub(super) passes: Vec<Pass>,
    /// Write the module here; without it and with `--format human`, the report alone is printed.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
}

/// `memplan diff`.
#[derive(Debug, Args)]
#[command(mut_arg("inputs", |inputs| inputs.num_args(2).value_names(["A", "B"])))]
pub(super) struct DiffArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    pub(super) planning: PlanArgs,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
}

/// `memplan report`.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Where to draw: a page for `*.html`, the map alone for `*.svg`.
    #[arg(
        short,
        long,
        value_name = "FILE",
        help_heading = "Output",
        required_unless_present = "export_trace"
    )]
    pub(super) output: Option<PathBuf>,
    /// The plan to draw, as `verify` takes it, instead of the one that `solve` makes.
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(super) plan: Option<PathBuf>,
    /// Who places.
    #[arg(long, value_name = "NAME", default_value = "auto", help_heading = "Plan")]
    pub(super) strategy: String,
    #[command(flatten)]
    pub(super) planning: PlanArgs,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
}

/// `memplan explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The code: `memplan::plan::overflow`, `plan::overflow` or `overflow`.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub(super) code: Option<String>,
    /// All codes.
    #[arg(long)]
    pub(super) all: bool,
}

/// `memplan inspect`.
#[derive(Debug, Args)]
pub(super) struct InspectArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Only what there is to say about the buffers of this name: why they live so long, and who keeps them
    /// from sharing. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(super) buffer: Vec<String>,
}

/// `memplan schema`.
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Of what.
    #[arg(default_value = "spec")]
    pub(super) of: Schema,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}

//! The command line, as clap reads it. No I/O here: opening files and looking at terminals comes
//! after.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::model::ReuseLevel;
use crate::plan::{DEFAULT_NODES, Strategy};

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
  memplan solve specs/ --format json             every spec of a folder, for machines
  memplan verify kernel.toml --plan kernel.plan.toml
  memplan explain memplan::plan::overflow";

const EXITS: &str = "\
Exit codes:
  0  yes: planned and checked; the plan is right
  1  no: it does not fit, no plan was found, the plan is wrong
  2  the question is broken: input, command line, or a defect of memplan
  3  do not know: the budget ran out first
Several inputs: any 2, else any 1, else any 3, else 0.";

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
        env = "MEMPLAN_FORMAT",
        help_heading = "Output"
    )]
    pub(super) format: Format,
}

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
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Plan memory: offsets with a verdict, checked before they are shown.
    Solve(SolveArgs),
    /// Check a plan, whoever made it.
    Verify(VerifyArgs),
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
    /// Only the function of this name.
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(super) function: Option<String>,
    /// Another capacity: `196608`, `192KiB`, `ub=192KiB`; may be repeated.
    #[arg(long, value_name = "[SCOPE=]SIZE", help_heading = "Input")]
    pub(super) capacity: Vec<String>,
}

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum From {
    /// A TOML spec.
    Spec,
    /// Rows `id,lower,upper,size`.
    Csv,
    /// HIVM text; not read by this version yet.
    #[value(hide = true, alias = "mlir")]
    Hivm,
    /// HLO text; not read by this version yet.
    #[value(hide = true)]
    Hlo,
    /// dsa JSON; not read by this version yet.
    #[value(hide = true)]
    Dsa,
}

/// `memplan solve`.
#[derive(Debug, Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Write the plan here; with several inputs, a folder.
    #[arg(short, long, value_name = "FILE|DIR", help_heading = "Plan")]
    pub(super) output: Option<PathBuf>,
    /// What to write: `plan` (default), or `csv` (default for an output named `*.csv`). Without
    /// `-o` it replaces the answer on stdout.
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
    /// Do not let buffers share below this level: `pipe` (2), `loop`, `slot` (1), `lifetime` (0).
    #[arg(long, value_name = "LEVEL", help_heading = "Plan")]
    pub(super) level: Option<Level>,
    /// Search nodes for each scope; answers repeat.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODES, help_heading = "Budget")]
    pub(super) nodes: u64,
    /// Wall time for each input, such as 2.5; answers limited by it do not repeat.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Budget")]
    pub(super) time: Option<std::time::Duration>,
    /// Seed of the randomised heuristics.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Budget")]
    pub(super) seed: u64,
    /// Threads; the answer does not depend on it. Default: one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Budget")]
    pub(super) jobs: Option<u16>,
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    /// A plan file.
    Plan,
    /// Rows `id,lower,upper,size,offset`.
    Csv,
    /// Rewritten MLIR; not written by this version yet.
    #[value(hide = true)]
    Mlir,
    /// memory_info JSON; not written by this version yet.
    #[value(hide = true)]
    MemoryInfo,
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

/// `memplan verify`.
#[derive(Debug, Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// The plan: a plan file, or a CSV with offsets. With several inputs, a folder in which `solve -o`
    /// wrote. Without it, the pins and offsets of the input are the plan.
    #[arg(long, value_name = "FILE|DIR", help_heading = "Check")]
    pub(super) plan: Option<PathBuf>,
    /// `warnings`: exit 1 on warnings too.
    #[arg(long, value_name = "WHAT", help_heading = "Check")]
    pub(super) deny: Option<Deny>,
}

/// What to refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Deny {
    /// Warnings too.
    Warnings,
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
}

/// `memplan schema`.
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Of what.
    #[arg(default_value = "spec")]
    pub(super) of: Schema,
}

/// Of what a schema is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Schema {
    /// The TOML spec.
    Spec,
    /// The plan file.
    Plan,
    /// The JSON reports.
    Report,
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

/// `2.5` as a duration, in integers.
fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let bad = || format!("`{text}` is not a number of seconds, such as 10 or 2.5");
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() && part.is_empty() || !digits(whole) || !digits(part) || part.len() > 9 {
        return Err(bad());
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| bad())? };
    let nanos: u32 = format!("{part:0<9}").parse().map_err(|_| bad())?;
    Ok(std::time::Duration::new(whole, nanos))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn seconds_are_decimal() {
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        assert_eq!(seconds(".25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("10"), Ok(Duration::from_secs(10)));
        for bad in ["", ".", "-1", "1e3", "nan", "1.0000000001", "99999999999999999999"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}

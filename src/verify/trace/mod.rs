//! A trace is run on the machine and watched (runtime-model sections 6 and 9).

mod cell;
mod checker;
mod found;
mod lives;
mod owing;
mod places;
mod report;
mod runs;
mod severity;
mod shadow;
mod timeline;
mod words;

use self::checker::Role;
use self::report::Report;
use self::runs::Stage;
use crate::model::machine::{Machine, Mode};
use crate::model::trace::{AssumeSync, Call, Trace, TraceOp};
use crate::model::{Finding, OwedEdge, Timeline};
use crate::runtime::counters::Counters;
use crate::runtime::lines::Lines;
use crate::runtime::memory::Bank;
use crate::runtime::pipes::code::Code;
pub use crate::runtime::pipes::code::Trips;
use crate::runtime::run::Setup;

/// How a trace is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whose behaviour counts, whatever the trace says.
    pub mode: Option<Mode>,
    /// In which order things happen where nothing orders them.
    pub schedule: Schedule,
    /// Seed of random schedules.
    pub seed: u64,
    /// How many trips of the loops of core programs are run.
    pub trips: Trips,
}

/// The orders of 9.5.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// The order written.
    #[default]
    Canonical,
    /// Each actor in turn as late, and as early, as possible.
    Skew,
    /// So many random orders.
    Random {
        /// Runs.
        runs: u64,
    },
    /// Random priorities with `depth - 1` changes.
    Pct {
        /// Runs.
        runs: u64,
        /// Depth of the bugs that are looked for; at least 1.
        depth: u64,
    },
    /// All orders with at most so many switches away from an actor that could go on.
    Exhaustive {
        /// Switches.
        bound: u64,
    },
    /// This order, as a report prints it.
    Replay(String),
}

/// What a run leaves behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replayed {
    /// All findings, in the order of the trace.
    pub findings: Vec<Finding>,
    /// Edges that the trace does not have, at levels that carry no sync.
    pub owed: Vec<OwedEdge>,
    /// Where the time goes.
    pub timeline: Timeline,
    /// What was counted.
    pub counters: Counters,
    /// The orders that were run: a word and a number.
    pub schedule: String,
    /// How many orders were run.
    pub runs: u64,
    /// True when these are all orders that matter (6.5).
    pub complete: bool,
    /// What calls answered, by label, where they answer with a value.
    pub answers: Vec<(String, String)>,
    /// For each pool: its name, the most that it had handed out, the most that it held, in bytes.
    pub pools: Vec<(String, u64, u64)>,
    /// The most that was in use of the memory of any device, in bytes.
    pub device_peak: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { mode: None, schedule: Schedule::Canonical, seed: 0, trips: Trips::Needed }
    }
}

/// Runs a trace on a machine and says what is wrong.
pub fn trace(trace: &Trace, machine: &Machine, options: &Options) -> Replayed {
    let mode = options.mode.or(trace.mode).unwrap_or_default();
    let lines = Lines::of(trace);
    let codes: Vec<Code> = trace
        .programs
        .iter()
        .enumerate()
        .map(|(n, program)| Code::of(program, lines.first(n), options.trips))
        .collect();
    let roles = roles(trace);
    let setup = Setup { trace, lines: &lines, codes: &codes, machine, mode };
    let stage = Stage { setup, roles };
    let mut said = stage.canonical();
    // What nothing orders yet is owed: other orders than the one written would say no more.
    if trace.assume_sync != Some(AssumeSync::None) {
        stage.others(&mut said, &options.schedule, options.seed);
        stage.witnesses(&mut said);
    }
    if codes.iter().any(|code| code.bounded) {
        let words = "a loop has more states than were run: the verdict holds for its first trips";
        said.bounded.push(words.to_owned());
    }
    let other = match mode {
        Mode::Spec => Mode::Source,
        Mode::Source => Mode::Spec,
    };
    let parted = if said.first.quirks.is_empty() {
        None
    } else {
        Some(runs::in_mode(trace, &lines, &codes, machine, other, &stage.roles))
    };
    let report = Report { trace, lines: &lines, said: &said, mode };
    let static_found = places::check(trace, &lines, machine);
    let mut findings = report.findings(static_found, parted.as_ref(), options);
    let owed = if trace.assume_sync == Some(AssumeSync::None) {
        owing::take(trace, &mut findings)
    } else {
        Vec::new()
    };
    findings.extend(report.expectation(&findings));
    let timeline = timeline::of(trace, &lines, &said.first, codes.iter().any(|code| code.cut));
    Replayed {
        findings,
        owed,
        timeline,
        counters: said.first.counters,
        schedule: runs::told(options, said.runs),
        runs: said.runs,
        complete: said.complete && said.bounded.is_empty(),
        answers: std::mem::take(&mut said.first.answers),
        pools: std::mem::take(&mut said.first.high),
        device_peak: (0..trace.devices.max(1))
            .map(|device| said.first.memory.high(Bank::Device(device)))
            .max()
            .unwrap_or(0),
    }
}

/// What the lines do, by line; those of programs come behind and are kernels.
fn roles(trace: &Trace) -> Vec<Role> {
    let role = |op: &TraceOp| match &op.call {
        Call::Memcpy { stream: Some(_), .. }
        | Call::MemcpyBatch { stream: Some(_), .. }
        | Call::Memset { stream: Some(_), .. } => Role::Copy,
        Call::Kernel { .. } => Role::Kernel,
        _ => Role::Other,
    };
    trace.ops.iter().map(role).collect()
}

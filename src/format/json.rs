//! The envelope of every JSON report, and diagnostics in it.
//!
//! `format_version` is `MAJOR.MINOR`: a minor step adds keys, a major step changes what is there.
//! Bytes and steps are integers; nothing here is a float or a wall time, but in
//! `bench`.

use schemars::JsonSchema;
use serde::Serialize;

use super::json_bench::Bench;
use super::json_explain::Explain;
use super::json_gate::Changes;
use super::json_hlo::{Convert, Diff, Schedule, Stats};
use super::json_inspect::Inspect;
use super::json_replay::Replay;
use super::json_solve::Solve;
use super::json_verify::Verify;
use super::json_whatif::WhatIf;
use super::picture::Written;

/// The version of the JSON reports.
pub const FORMAT_VERSION: &str = "1.3";

/// What every report has around its body.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Envelope<B> {
    /// The version of the format: `1.3`.
    pub format_version: &'static str,
    /// Who wrote the report.
    pub tool: Tool,
    /// The command that was run.
    pub command: &'static str,
    /// The worst verdict: for `solve` `optimal`, `feasible`, `undecided`, `not-found` or
    /// `infeasible`; for `verify`, `replay` and `bench` `accept` or `reject`; null when there was nothing to judge.
    pub verdict: Option<&'static str>,
    /// Errors, warnings and notes about the inputs and the answer.
    pub diagnostics: Vec<Diagnostic>,
    /// What the command has to say.
    #[serde(flatten)]
    pub body: B,
}

/// Who wrote the report.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Tool {
    /// `memplan`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// A message about an input or an answer.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// The stable code, such as `memplan::spec::unknown_key`.
    pub code: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// A lower-case fragment with names and numbers.
    pub message: String,
    /// Places; the first is the main one.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Option<String>,
}

/// A place with a word about it.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Label {
    /// `file:line:column` of its first character, counted from 1.
    pub loc: String,
    /// `file:line:column` one past its last character.
    pub end: String,
    /// What is there; may be empty.
    pub text: String,
}

/// Any report; only its schema is of use.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "memplan report")]
pub enum Report {
    /// `memplan solve --format json`.
    Solve(Envelope<Solve>),
    /// `memplan verify --format json`.
    Verify(Envelope<Verify>),
    /// `memplan replay --format json`.
    Replay(Box<Envelope<Replay>>),
    /// `memplan inspect --format json`.
    Inspect(Envelope<Inspect>),
    /// `memplan bench --format json`.
    Bench(Box<Envelope<Bench>>),
    /// `memplan schedule --format json`.
    Schedule(Envelope<Schedule>),
    /// `memplan stats --format json`.
    Stats(Box<Envelope<Stats>>),
    /// `memplan convert --format json`.
    Convert(Box<Envelope<Convert>>),
    /// `memplan diff --format json` of two HLO modules.
    Diff(Box<Envelope<Diff>>),
    /// `memplan diff --format json` of anything else.
    Changes(Box<Envelope<Changes>>),
    /// `memplan report --format json`.
    Pictures(Envelope<Written>),
    /// `memplan what-if --format json`.
    WhatIf(Envelope<WhatIf>),
    /// `memplan explain --format json`.
    Explain(Envelope<Explain>),
}

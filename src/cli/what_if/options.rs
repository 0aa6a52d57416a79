//! The options of `memplan what-if`, as clap reads them.

use clap::Args;

use super::words::{Scale, Slots, scale, slots};
use crate::cli::args::{InputArgs, Level, Order, PlanArgs, Platform};

/// What the exit codes mean, and what is varied where nobody asks.
pub(in crate::cli) const EXITS: &str = "\
Without any of the variants: each multi-buffer with one slot less, halves of each dimension,
the other profiles of the target, each level; for HLO the best order and both platforms; none of
them with `--min-capacity`.
What does not fit, or cannot be planned, is a row, not a failure. Exit codes:
  0  yes: answered
  2  the question is broken: input, command line, or a defect of memplan";

/// `memplan what-if`.
#[derive(Debug, Args)]
pub(in crate::cli) struct WhatIfArgs {
    #[command(flatten)]
    pub(in crate::cli) input: InputArgs,
    /// Find the smallest capacity of each scope that works, with proof.
    #[arg(long, help_heading = "Variants")]
    pub(in crate::cli) min_capacity: bool,
    /// Another number of slots: `-1` and `3` for each multi-buffer in turn, `tile=1`, `tile=-1`,
    /// `*=1` for all multi-buffers at once.
    #[arg(
        long,
        value_name = "[BUFFER=]N,..",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = slots,
        help_heading = "Variants"
    )]
    pub(in crate::cli) slots: Vec<Slots>,
    /// A dimension scaled: `m=1/2,2` for one that buffers declare with `scales`, `64=32` for every
    /// dimension of 64 elements; may be repeated.
    #[arg(
        long,
        value_name = "DIM=FACTOR,..",
        value_parser = scale,
        help_heading = "Variants"
    )]
    pub(in crate::cli) scale: Vec<Scale>,
    /// Another chip or target file.
    #[arg(long, value_name = "NAME|FILE,..", value_delimiter = ',', help_heading = "Variants")]
    pub(in crate::cli) with_target: Vec<String>,
    /// Another profile of the target; `physical` for none.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', help_heading = "Variants")]
    pub(in crate::cli) with_profile: Vec<String>,
    /// Another capacity: `96KiB`, `ub=96KiB`.
    #[arg(long, value_name = "[SCOPE=]SIZE,..", value_delimiter = ',', help_heading = "Variants")]
    pub(in crate::cli) with_capacity: Vec<String>,
    /// Another lowest level.
    #[arg(long, value_name = "LEVEL,..", value_delimiter = ',', help_heading = "Variants")]
    pub(in crate::cli) with_level: Vec<Level>,
    /// The kernel of another file runs after it, in one function.
    #[arg(long, value_name = "OTHER", help_heading = "Variants")]
    pub(in crate::cli) fuse: Vec<String>,
    /// HLO: another order of the instructions.
    #[arg(long, value_name = "ORDER,..", value_delimiter = ',', help_heading = "Variants")]
    pub(in crate::cli) with_order: Vec<Order>,
    /// HLO: another platform's rules.
    #[arg(long, value_name = "WHOSE,..", value_delimiter = ',', help_heading = "Variants")]
    pub(in crate::cli) with_platform: Vec<Platform>,
    /// Every combination of the variants instead of one after the other.
    #[arg(long, help_heading = "Variants")]
    pub(in crate::cli) cross: bool,
    #[command(flatten)]
    pub(in crate::cli) planning: PlanArgs,
}

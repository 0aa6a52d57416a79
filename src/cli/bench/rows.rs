//! Rows, sums and losses as the JSON of `format`.

use std::time::Duration;

use crate::bench::{self, Answered, Entry, Outcome, Tally};
use crate::cli::args::BenchArgs;
use crate::format::json_bench::{Levels, Loss, Row, Settings, Strategy, WRONG, seconds};
use crate::model::ReuseLevel;
use crate::plan::Liveness;
use crate::report::words;

/// What the command line asks for.
pub(super) fn settings(args: &BenchArgs) -> Settings {
    let plan = &args.plan;
    Settings {
        nodes: plan.nodes,
        time: plan.time.map(seconds),
        seed: plan.seed,
        level: plan.level.map(|level| ReuseLevel::from(level).name().to_owned()),
        liveness: match plan.liveness.into() {
            Liveness::Strict => "strict".to_owned(),
            Liveness::Compat => "compat".to_owned(),
        },
        capacity: args.input.capacity.clone(),
        target: args.input.target.clone(),
        external: args.external.iter().map(|e| format!("{}={}", e.name, e.command)).collect(),
    }
}

/// What all rows of one input have in common.
pub(super) struct Common<'a> {
    /// The input.
    pub(super) input: &'a str,
    /// Its known optimum.
    pub(super) optimum: Option<u64>,
    /// How long it took to read.
    pub(super) reading: Duration,
    /// How long the process took to begin.
    pub(super) startup: Duration,
}

/// A row of an input.
pub(super) fn row(common: &Common<'_>, row: &bench::Row) -> Row {
    let blank = Row {
        input: common.input.to_owned(),
        function: row.function.clone(),
        scope: row.scope.clone(),
        capacity: row.capacity,
        optimum: common.optimum,
        buffers: row.buffers,
        max_load: None,
        lower_bound: None,
        strategy: row.entry.clone(),
        peak: None,
        excess: None,
        reuse_cost: None,
        reuse_cost_bound: None,
        verdict: None,
        nodes: None,
        seconds: None,
        mode: None,
        level: None,
        stalls: None,
        fits: false,
        refuted: false,
        limited_by: None,
        read_seconds: seconds(common.reading),
        startup_seconds: seconds(common.startup),
        replay_seconds: None,
        note: None,
    };
    match &row.outcome {
        Outcome::Skipped(why) => Row { note: Some(why.clone()), ..blank },
        Outcome::Answered(answered) => filled(blank, answered),
    }
}

fn filled(blank: Row, a: &Answered) -> Row {
    let fits = a.fits();
    Row {
        max_load: Some(a.max_load),
        lower_bound: Some(a.lower_bound),
        peak: a.peak,
        excess: a.peak.map(|peak| peak.saturating_sub(a.lower_bound)),
        reuse_cost: fits.then_some(a.reuse_cost),
        reuse_cost_bound: a.reuse_cost_bound.filter(|_| fits),
        verdict: Some(if a.refuted.is_some() && !fits { WRONG } else { a.verdict.name() }),
        nodes: a.nodes,
        seconds: Some(seconds(a.planning)),
        mode: fits.then(|| words::mode(a.mode)),
        level: a.level.map(ReuseLevel::name),
        stalls: a.stalls.filter(|_| fits),
        fits,
        refuted: a.refuted.is_some(),
        limited_by: a.limited_by.map(words::limited_by),
        replay_seconds: Some(seconds(a.replay)),
        note: a.refuted.clone().or_else(|| a.message.clone()),
        ..blank
    }
}

/// The sums of an entry.
pub(super) fn strategy(entry: &Entry, tally: &Tally) -> Strategy {
    let [pipe, in_loop, slot, lifetime] = tally.levels;
    Strategy {
        strategy: entry.name.clone(),
        level: entry.level.map(ReuseLevel::name),
        scopes: tally.scopes,
        skipped: tally.skipped,
        fits: tally.fits,
        refuted: tally.refuted,
        optimal: tally.optimal,
        peak: tally.peak,
        lower_bound: tally.lower_bound,
        stalls: tally.stalls,
        levels: Levels { sequential: tally.sequential, pipe, in_loop, slot, lifetime },
        mean_excess: None,
        worst_excess: None,
        speed: None,
        seconds: seconds(tally.planning),
    }
}

/// A loss in an input.
pub(super) fn loss(input: &str, loss: bench::Loss) -> Loss {
    Loss {
        input: input.to_owned(),
        function: loss.function,
        scope: loss.scope,
        strategy: loss.entry,
        to: loss.to,
        peak: loss.peak,
        their_peak: loss.their_peak,
    }
}

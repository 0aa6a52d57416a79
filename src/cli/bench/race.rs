//! One input: read, planned by every entry, judged.

use std::time::{Duration, Instant};

use crate::bench::{self, Contest, Entry, Loss, Row};
use crate::cli::args::InputArgs;
use crate::cli::input::{self, Item, Loaded, Ready};
use crate::cli::judge;
use crate::model::{Answer, FunctionPlan};
use crate::plan::{Options, Progress, Question};

/// One input after all entries have run.
pub(super) struct Ran {
    /// The input.
    pub(super) loaded: Loaded,
    /// How long it took to read.
    pub(super) reading: Duration,
    /// Scope by scope a row for each entry; nothing for a broken input.
    pub(super) rows: Vec<Row>,
    /// Who lost.
    pub(super) losses: Vec<Loss>,
}

/// Reads an input and lets every entry plan it, one after the other.
pub(super) fn race(
    item: Item,
    args: &InputArgs,
    limit: u64,
    entries: &[Entry],
    options: &Options,
    on: &(dyn Fn(&Progress) + Sync),
) -> Ran {
    let start = Instant::now();
    let loaded = input::load(item, args, limit);
    let reading = start.elapsed();
    let Ok(ready) = &loaded.outcome else {
        return Ran { loaded, reading, rows: Vec::new(), losses: Vec::new() };
    };
    let columns = entries.iter().map(|entry| column(ready, entry, options, on));
    let mut columns: Vec<_> = columns.map(Vec::into_iter).collect();
    let (mut rows, mut losses) = (Vec::new(), Vec::new());
    loop {
        let mut scope: Vec<Row> = columns.iter_mut().filter_map(Iterator::next).collect();
        if scope.is_empty() {
            break;
        }
        bench::share_bounds(entries, ready.kernels.is_some(), &mut scope);
        losses.extend(bench::lost(entries, &scope, options.level.is_some()));
        rows.append(&mut scope);
    }
    Ran { loaded, reading, rows, losses }
}

/// The rows of one entry.
fn column(
    ready: &Ready,
    entry: &Entry,
    options: &Options,
    on: &(dyn Fn(&Progress) + Sync),
) -> Vec<Row> {
    let problem = &ready.problem;
    if entry.is_hivm() && ready.kernels.is_none() {
        return bench::skip(problem, entry, "the compiler's pass reads HIVM text alone");
    }
    if let (false, Some(defect)) = (entry.is_hivm(), ready.defects.first()) {
        return bench::skip(problem, entry, &defect.message);
    }
    let accepts = |index: usize, plan: &FunctionPlan| judge::accepts(problem, index, plan);
    let faults = |answer: &Answer| judge::judge(problem, answer).faults;
    let question = Question { problem, kernels: ready.kernels.as_ref(), judge: &accepts };
    bench::measure(&Contest { question, judge: &faults }, entry, options, on)
}

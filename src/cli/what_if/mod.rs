//! `memplan what-if`.

mod axes;
mod minimum;
mod one;
mod options;
mod present;
mod suits;
mod variants;
mod words;

pub(super) use options::{EXITS, WhatIfArgs};

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::args::{Global, InputArgs};
use super::exit::Exit;
use super::input::{Item, Loaded};
use super::streams::{self, Streams};
use super::{input, jobs, planning, progress};
use crate::diag::Sources;
use crate::plan::Options;
use one::Run;
use present::Report;

/// Plans variants of every input.
pub(super) fn run(args: &WhatIfArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::default();
    let prepared = input::limit()
        .and_then(|limit| Ok((limit, planning::options(&args.planning, "strategy", "auto")?)));
    let (limit, options) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            report.broken(&[error], &Sources::default(), streams);
            return report.end(global, streams);
        }
    };
    let others: Vec<Loaded> = args
        .fuse
        .iter()
        .map(|name| input::load(Item::file(name), &alone(&args.input), limit))
        .collect();
    for other in &others {
        if let Err(errors) = &other.outcome {
            report.broken(errors, &other.sources, streams);
        }
    }
    if report.is_broken() {
        return report.end(global, streams);
    }
    progress::on_interrupt(&Arc::clone(&options.cancel));
    let line = progress::Line::new(streams::progress_is_seen(global));
    for item in input::collect(&args.input, limit) {
        let loaded = input::load(item.clone(), &args.input, limit).strict();
        let input = Input { item, loaded, others: &others, limit };
        work(args, &input, &options, &line, &mut report, streams);
    }
    drop(line);
    report.end(global, streams)
}

/// One input, read, and what its variants are made from.
struct Input<'a> {
    item: Item,
    loaded: Loaded,
    others: &'a [Loaded],
    limit: u64,
}

/// Plans the variants of one input.
fn work(
    args: &WhatIfArgs,
    input: &Input<'_>,
    options: &Options,
    line: &progress::Line,
    report: &mut Report,
    streams: &mut Streams,
) {
    let sources = &input.loaded.sources;
    let ready = match &input.loaded.outcome {
        Ok(ready) => ready,
        Err(errors) => {
            line.aside(|| report.broken(errors, sources, streams));
            return;
        }
    };
    let axes = match axes::axes(args, &input.loaded, ready, input.others) {
        Ok(axes) => axes,
        Err(error) => {
            line.aside(|| report.broken(&[error], sources, streams));
            return;
        }
    };
    line.aside(|| {
        report.tell(&ready.warnings, sources, streams);
        report.tell(&axes.notes, sources, streams);
    });
    let threads = options.jobs;
    let sweep = axes::asked(args) || !args.min_capacity;
    if sweep {
        let variants = match variants::variants(&axes, ready, args.cross) {
            Ok(variants) => variants,
            Err(error) => {
                line.aside(|| report.broken(&[error], sources, streams));
                return;
            }
        };
        let count = variants.len();
        let options = Options { jobs: (threads / count.max(1)).max(1), ..options.clone() };
        let run = Run { args, input, ready, options: &options };
        let begun = AtomicUsize::new(0);
        let mut all = Vec::with_capacity(count);
        jobs::in_order(
            variants,
            threads,
            |variant| {
                line.input(begun.fetch_add(1, Ordering::Relaxed) + 1, count);
                let planned = run.plan(&variant, &|progress| line.show(progress));
                (variant, planned)
            },
            |planned| all.push(planned),
        );
        line.aside(|| report.add(ready, all, sources, streams));
    }
    if args.min_capacity {
        let run = Run { args, input, ready, options };
        let text = minimum::by_text(&run);
        let options = Options { jobs: 1, ..options.clone() };
        let run = Run { options: &options, ..run };
        jobs::in_order(
            (0..ready.problem.functions.len()).collect(),
            threads,
            |index| minimum::minimum(&run, text.as_ref(), index),
            |minimum| line.aside(|| report.add_minimum(minimum, sources, streams)),
        );
    }
}

/// The options of inputs, less those that are about one function or its scopes.
fn alone(args: &InputArgs) -> InputArgs {
    InputArgs { function: None, capacity: Vec::new(), ..args.clone() }
}

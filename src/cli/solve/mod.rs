//! `memplan solve`.

mod one;
mod passlog;
mod present;
mod rewritten;
mod write;

pub(super) use one::{Explain, solve as one};
pub(super) use write::in_folder;

use std::path::Path;
use std::sync::Arc;

use super::args::{Format, Global, InputArgs, Order, SolveArgs};
use super::exit::Exit;
use super::placing::Stage;
use super::streams::{self, Streams};
use super::{input, jobs, output, planning, progress};
use crate::diag::{Diagnostic, Sources};
use crate::diagnose;

/// Plans every input.
pub(super) fn run(args: &SolveArgs, global: &Global, streams: &mut Streams) -> Exit {
    let prepared = input::limit()
        .and_then(|limit| Ok((limit, planning::options(&args.plan, "strategy", &args.strategy)?)));
    let (limit, mut options) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return refuse(&error, global, streams),
    };
    let mut sources = Sources::default();
    let stage = match Stage::of(&args.place, args.plan.seed, limit, &mut sources) {
        Ok(stage) => stage,
        Err(errors) => {
            let mut report = present::Report::new(0);
            report.broken(&errors, "", &sources, streams);
            return report.end(global, streams);
        }
    };
    let items = input::collect(&args.input, limit);
    let plans = match write::Output::of(args, global, items.len()) {
        Ok(plans) => plans,
        Err(error) => return refuse(&error, global, streams),
    };
    if let Some(path) = &args.place.run.export_trace
        && let Err(error) = output::spares(path, items.iter().map(|i| Path::new(&i.name)))
    {
        return refuse(&error, global, streams);
    }
    // Inputs side by side; the threads that are left go to the functions of each.
    let threads = options.jobs;
    options.jobs = (threads / items.len().max(1)).max(1);
    progress::on_interrupt(&Arc::clone(&options.cancel));
    let line = progress::Line::new(streams::progress_is_seen(global));
    let mut report = present::Report::new(items.len());
    jobs::in_order(
        items,
        threads,
        |item| {
            let again = item.clone();
            let loaded = input::load(item, &args.input, limit);
            let mut solved = one(loaded, &options, &stage, Explain::All, &|p| line.show(p));
            if solved.may_be_reordered() && args.input.order.is_none() {
                let best = InputArgs { order: Some(Order::Best), ..args.input.clone() };
                let other = input::load(again, &best, limit);
                let other = one(other, &options, &stage, Explain::Failures, &|p| line.show(p));
                diagnose::order(&mut solved.answer, "best", &other.answer);
            }
            solved
        },
        |solved| line.aside(|| report.add(solved, &plans, global, streams)),
    );
    drop(line);
    if let Some(path) = &args.place.run.export_trace {
        report.export(path, streams);
    }
    report.end(global, streams)
}

/// Ends a run that cannot begin.
fn refuse(error: &Diagnostic, global: &Global, streams: &mut Streams) -> Exit {
    if global.format != Format::Human {
        let report = present::Report::refused(error);
        return report.end(global, streams);
    }
    streams.diagnostic(error, &Sources::default());
    Exit::Broken
}

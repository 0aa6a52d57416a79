//! `memplan schedule`.

use std::path::Path;

use super::tell::{Read, Report};
use crate::analyze::hlo::Analysis;
use crate::cli::args::{self, Global, InputArgs, ScheduleArgs};
use crate::cli::exit::Exit;
use crate::cli::input::{self, Copies};
use crate::cli::output;
use crate::cli::streams::Streams;
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::json_hlo::{Order, Schedule, Scheduled};
use crate::ir::hlo;
use crate::report::human;
use crate::schedule::{self, Budget};

/// Orders every module.
pub(crate) fn run(args: &ScheduleArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::new(streams);
    let mut body = Schedule::default();
    // The text's own order is what the others are compared with.
    let given = InputArgs { order: None, ..args.input.clone() };
    let modules = report.read(&given, Copies::AsWritten);
    if let (Some(path), true) = (&args.output, modules.len() > 1) {
        let message = format!("{} inputs, but `{}` is one file", modules.len(), path.display());
        report.broken(&[Diagnostic::error(Code::ConfigBadOption, message)], &Sources::default());
    } else {
        for read in modules {
            match one(&read, args) {
                Ok((scheduled, finding)) => {
                    // Where the better order is written, it is no longer a finding.
                    let finding = finding.filter(|_| args.output.is_none());
                    report.tell(finding.as_slice(), &read.sources);
                    body.functions.push(scheduled);
                }
                Err(error) => report.broken(&[error], &read.sources),
            }
        }
    }
    report.end("schedule", global, body, |streams, body| human::schedule(streams.view, body))
}

fn one(read: &Read, args: &ScheduleArgs) -> Result<(Scheduled, Option<Diagnostic>), Diagnostic> {
    let wanted = input::order(args.input.order.unwrap_or(args::Order::Best));
    let budget = args.nodes.map_or_else(Budget::default, |steps| Budget { steps });
    let module = &read.text.module;
    // Of what has no bound there is no peak to compare.
    Analysis::text(module, read.text.options)?.sized()?;
    let found = schedule::schedule(module, read.text.options, wanted, budget)?;
    if let Some(path) = &args.output {
        write(path, &hlo::print(&module.in_order(&found.sequences)))?;
    }
    let finding = schedule::peak_high(module, &found);
    let order = |measured: &schedule::Measured| Order {
        order: measured.order.name().to_owned(),
        peak: measured.exact,
        peak_xla: measured.xla,
    };
    let scheduled = Scheduled {
        name: module.name.clone(),
        input: read.name.clone(),
        orders: found.orders.iter().map(order).collect(),
        chosen: found.chosen.name().to_owned(),
        peak_before: found.peak_before,
        peak_after: found.peak_after,
        proven: found.proven,
    };
    Ok((scheduled, finding))
}

fn write(path: &Path, text: &str) -> Result<(), Diagnostic> {
    output::write(path, text)
}

//! `memplan bench`.

mod baseline;
mod generated;
mod present;
mod process;
mod race;
mod rows;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::args::{BenchArgs, Global};
use super::exit::Exit;
use super::streams::{self, Streams};
use super::{input, planning, progress};
use crate::bench::Entry;
use crate::diag::{Code, Diagnostic};
use crate::plan::Options;
use baseline::Earlier;
use race::{Course, Field};

/// Runs every planner on every input; `began` is when the process did.
pub(super) fn run(
    args: &BenchArgs,
    global: &Global,
    began: Instant,
    streams: &mut Streams,
) -> Exit {
    let mut report = present::Report::new(args);
    if let Some(folder) = &args.output {
        return generated::write(&args.generate, folder, report, global, streams);
    }
    let plan = match prepare(args) {
        Ok(plan) => plan,
        Err(error) => {
            report.broken(&[error], &crate::diag::Sources::default(), streams);
            return report.end(None, global, streams);
        }
    };
    let Prepared { limit, entries, options, earlier } = plan;
    let items = input::collect(&args.input, limit);
    let count = items.len() + args.generate.len();
    let courses =
        items.into_iter().map(|item| Course { item, args: args.input.clone(), optimum: None });
    let made = args.generate.iter().map(|order| generated::course(order, &args.input));
    progress::on_interrupt(&Arc::clone(&options.cancel));
    let line = progress::Line::new(streams::progress_is_seen(global));
    let show = |p: &crate::plan::Progress| line.show(p);
    let field = Field { entries: &entries, options: &options, limit, on: &show };
    report.enter(&entries, began.elapsed());
    // One after the other: side by side they would take each other's time.
    for (at, course) in courses.chain(made).enumerate() {
        line.input(at + 1, count);
        if options.cancel.load(Ordering::Relaxed) {
            line.aside(|| report.cut_short(count - at, streams));
            break;
        }
        let ran = field.race(course);
        line.aside(|| report.add(ran, &entries, &options, streams));
    }
    drop(line);
    report.end(earlier, global, streams)
}

/// What must be right before a run can begin.
struct Prepared {
    limit: u64,
    entries: Vec<Entry>,
    options: Options,
    earlier: Option<Earlier>,
}

fn prepare(args: &BenchArgs) -> Result<Prepared, Diagnostic> {
    let limit = input::limit()?;
    let mut entries: Vec<Entry> = Vec::new();
    let mut base = None;
    for name in &args.strategies {
        let options = planning::options(&args.plan, "strategies", name.trim())?;
        entries.push(Entry::of(options.strategy));
        base.get_or_insert(options);
    }
    entries.extend(args.levels.iter().map(|level| Entry::at((*level).into())));
    entries.extend(args.external.iter().cloned().map(Entry::outside));
    for (at, entry) in entries.iter().enumerate() {
        if entries[..at].iter().any(|before| before.name == entry.name) {
            let message = format!("`{}` is to run twice", entry.name);
            return Err(Diagnostic::error(Code::ConfigBadOption, message).help("name it once"));
        }
    }
    let Some(options) = base else {
        let message = "`--strategies` names none";
        return Err(Diagnostic::error(Code::ConfigBadOption, message));
    };
    let earlier = args.baseline.as_deref().map(|path| baseline::read(path, limit)).transpose()?;
    Ok(Prepared { limit, entries, options, earlier })
}

//! `memplan bench`.

mod baseline;
mod present;
mod race;
mod rows;

use std::sync::Arc;

use super::args::{BenchArgs, Global};
use super::exit::Exit;
use super::streams::{self, Streams};
use super::{input, jobs, planning, progress};
use crate::bench::Entry;
use crate::diag::{Code, Diagnostic};
use crate::plan::Options;
use baseline::Earlier;

/// Runs every strategy on every input.
pub(super) fn run(args: &BenchArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = present::Report::new(args);
    let plan = match prepare(args) {
        Ok(plan) => plan,
        Err(error) => {
            report.broken(&[error], &crate::diag::Sources::default(), streams);
            return report.end(None, global, streams);
        }
    };
    let Prepared { limit, entries, options, earlier } = plan;
    let items = input::collect(&args.input, limit);
    progress::on_interrupt(&Arc::clone(&options.cancel));
    let line = progress::Line::new(streams::progress_is_seen(global));
    report.enter(&entries);
    jobs::in_order(
        items,
        options.jobs,
        |item| race::race(item, &args.input, limit, &entries, &options, &|p| line.show(p)),
        |ran| line.aside(|| report.add(ran, &entries, &options, streams)),
    );
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
    for (at, entry) in entries.iter().enumerate() {
        if entries[..at].contains(entry) {
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

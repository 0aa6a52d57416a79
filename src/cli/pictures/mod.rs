//! `memplan report`.

mod drawn;
mod output;

use std::sync::Arc;

use super::args::{Format, Global, ReportArgs};
use super::exit::Exit;
use super::placing::Stage;
use super::streams::{self, Streams};
use super::{input, jobs, planning, progress};
use crate::diag::{Diagnostic, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::picture::Written;
use crate::model::Verdict;
use crate::plan::Options;
use crate::report::json;
use drawn::Subject;
use output::Output;

/// Draws the memory of all inputs: one page, one drawing, one trace.
pub(super) fn run(args: &ReportArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::default();
    let mut sources = Sources::default();
    let prepared = match prepare(args, &mut sources) {
        Ok(prepared) => prepared,
        Err(errors) => {
            report.broken(&errors, &sources, streams);
            return report.end(&Written::default(), global, streams);
        }
    };
    let items = input::collect(&args.input, prepared.limit);
    if let Err(error) = prepared.output.fits(&items, args) {
        report.broken(&[error], &sources, streams);
        return report.end(&Written::default(), global, streams);
    }
    // Inputs side by side; the threads that are left go to the functions of each.
    let threads = prepared.options.jobs;
    let jobs = (threads / items.len().max(1)).max(1);
    let options = Options { jobs, ..prepared.options };
    progress::on_interrupt(&Arc::clone(&options.cancel));
    let line = progress::Line::new(streams::progress_is_seen(global));
    let mut subjects = Vec::new();
    jobs::in_order(
        items,
        threads,
        |item| {
            let loaded = input::load(item, &args.input, prepared.limit);
            drawn::of(loaded, args, &options, &prepared.stage, prepared.limit, &|p| line.show(p))
        },
        |subject| line.aside(|| report.add(subject, &mut subjects, streams)),
    );
    drop(line);
    let written = match prepared.output.write(&subjects) {
        Ok(written) => written,
        Err(error) => {
            report.broken(&[error], &Sources::default(), streams);
            Written::default()
        }
    };
    report.end(&written, global, streams)
}

struct Prepared {
    limit: u64,
    options: Options,
    stage: Stage,
    output: Output,
}

fn prepare(args: &ReportArgs, sources: &mut Sources) -> Result<Prepared, Vec<Diagnostic>> {
    let one = |error| vec![error];
    let output = Output::of(args).map_err(one)?;
    let limit = input::limit().map_err(one)?;
    let options = planning::options(&args.planning, "strategy", &args.strategy).map_err(one)?;
    let stage = Stage::of(&args.place, args.planning.seed, limit, sources)?;
    Ok(Prepared { limit, options, stage, output })
}

/// What is said beside the picture.
#[derive(Default)]
struct Report {
    exit: Exit,
    verdict: Option<Verdict>,
    rejected: bool,
    diagnostics: Vec<JsonDiagnostic>,
}

impl Report {
    fn tell(&mut self, diagnostics: &[Diagnostic], sources: &Sources, streams: &mut Streams) {
        for diagnostic in diagnostics {
            streams.diagnostic(diagnostic, sources);
            self.diagnostics.push(json::diagnostic(diagnostic, sources));
        }
    }

    /// Something that cannot be answered.
    fn broken(&mut self, errors: &[Diagnostic], sources: &Sources, streams: &mut Streams) {
        self.tell(errors, sources, streams);
        self.exit = self.exit.and(Exit::Broken);
    }

    /// Takes in an input, to be drawn if it can be.
    fn add(&mut self, subject: Subject, to: &mut Vec<Subject>, streams: &mut Streams) {
        let sources = &subject.loaded.sources;
        let ready = match &subject.loaded.outcome {
            Ok(ready) => ready,
            Err(errors) => return self.broken(errors, sources, streams),
        };
        self.tell(&ready.warnings, sources, streams);
        self.tell(&subject.told, sources, streams);
        if subject.defect {
            self.exit = self.exit.and(Exit::Broken);
            return;
        }
        if subject.rejected() {
            self.rejected = true;
            self.exit = self.exit.and(Exit::No);
        }
        if subject.ours {
            let verdict = subject.answer.verdict();
            self.exit = self.exit.and(verdict.map_or(Exit::Yes, Exit::from));
            self.verdict = self.verdict.max(verdict);
        }
        to.push(subject);
    }

    /// Ends the report.
    fn end(self, written: &Written, global: &Global, streams: &mut Streams) -> Exit {
        let verdict = match (self.rejected, self.verdict) {
            (true, _) => Some("reject"),
            (false, Some(verdict)) => Some(verdict.name()),
            (false, None) => (written.functions > 0).then_some("accept"),
        };
        if global.format == Format::Json {
            streams.json(&json::envelope("report", verdict, self.diagnostics, written));
        } else {
            streams.answer(&output::lines(written, verdict));
            streams.count();
        }
        self.exit
    }
}

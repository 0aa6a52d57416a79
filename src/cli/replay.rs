//! `memplan replay`.

use std::path::Path;

use super::args::{Deny, Format, Global, ReplayArgs};
use super::exit::Exit;
use super::input::{self, Codes, Item};
use super::streams::Streams;
use super::{findings, jobs, output, placing};
use crate::diag::{Code, Diagnostic, Severity, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_replay::Replay as Body;
use crate::front::{machine, trace};
use crate::model::{Finding, Problem, Remark, Timeline};
use crate::report::context::{Input, Replay};
use crate::report::{ci, human, json, words};
use crate::verify::trace::Replayed;

/// A trace after its replay.
struct Done {
    name: String,
    sources: Sources,
    outcome: Result<(String, Replayed), Vec<Diagnostic>>,
}

/// Replays every trace.
pub(super) fn run(args: &ReplayArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::default();
    let limit = match input::limit() {
        Ok(limit) => limit,
        Err(error) => {
            report.broken(&[error], "", &Sources::default(), streams);
            return report.end(global, streams);
        }
    };
    let items = input::collect_traces(&args.traces, args.stdin_name.as_deref(), limit);
    if let Some(path) = &args.run.export_trace
        && let Err(error) = output::spares(path, items.iter().map(|i| Path::new(&i.name)))
    {
        report.broken(&[error], "", &Sources::default(), streams);
        return report.end(global, streams);
    }
    jobs::in_order(
        items,
        jobs::threads(None),
        |item| one(item, args, limit),
        |done| report.add(done, args, global, streams),
    );
    if let Some(path) = &args.run.export_trace {
        report.export(path, streams);
    }
    report.end(global, streams)
}

fn one(item: Item, args: &ReplayArgs, limit: u64) -> Done {
    let mut sources = Sources::default();
    let name = item.name.clone();
    let outcome = replay(item, args, limit, &mut sources);
    Done { name, sources, outcome }
}

/// Reads a trace and its machine, and runs it.
fn replay(
    item: Item,
    args: &ReplayArgs,
    limit: u64,
    sources: &mut Sources,
) -> Result<(String, Replayed), Vec<Diagnostic>> {
    let file = input::read_item(item, limit, Codes::TRACE, sources).map_err(|error| vec![error])?;
    let trace = trace::read(sources, file)?;
    let mut machine = match super::machine::asked(&args.run, limit, sources)? {
        Some(machine) => machine,
        None => {
            let name = trace.machine.map_or(machine::DEFAULT, |name| trace.text(name));
            machine::named(name, None).map_err(|error| vec![error])?
        }
    };
    machine::apply(&mut machine, &trace.settings)?;
    let options = super::machine::options(&args.run, args.seed);
    let replayed = crate::verify::trace::trace(&trace, &machine, &options);
    Ok((machine.name, replayed))
}

/// The report being made.
#[derive(Default)]
struct Report {
    exit: Exit,
    judged: usize,
    broken: usize,
    rejected: usize,
    diagnostics: Vec<JsonDiagnostic>,
    body: Body,
    /// For the formats of CI: each trace, and what belongs to none.
    cases: Vec<ci::Case>,
    general: Vec<Remark>,
    timelines: Vec<(String, Timeline)>,
}

impl Report {
    fn broken(
        &mut self,
        errors: &[Diagnostic],
        name: &str,
        sources: &Sources,
        streams: &mut Streams,
    ) {
        let mut remarks = Vec::new();
        for error in errors {
            streams.diagnostic(error, sources);
            self.diagnostics.push(json::diagnostic(error, sources));
            remarks.push(ci::of_diagnostic(name, error, sources));
        }
        if name.is_empty() {
            self.general.append(&mut remarks);
        } else {
            let (input, outcome) = (name.to_owned(), ci::Outcome::Broken);
            self.cases.push(ci::Case { input, outcome, remarks, ..ci::Case::default() });
        }
        self.broken += 1;
        self.exit = self.exit.and(Exit::Broken);
    }

    fn add(&mut self, done: Done, args: &ReplayArgs, global: &Global, streams: &mut Streams) {
        let Done { name, sources, outcome } = done;
        let (machine, mut replayed) = match outcome {
            Ok(done) => done,
            Err(errors) => return self.broken(&errors, &name, &sources, streams),
        };
        let exit = judge(&replayed.findings, args.deny);
        self.exit = self.exit.and(exit);
        let accepted = exit == Exit::Yes;
        self.rejected += usize::from(!accepted);
        let problem = Problem::default();
        let input = Input { name: &name, sources: &sources, problem: &problem };
        let seen = Replay {
            machine: &machine,
            findings: &replayed.findings,
            owed: &replayed.owed,
            timeline: &replayed.timeline,
            counters: replayed.counters.rows(),
            schedule: &replayed.schedule,
            runs: replayed.runs,
            complete: replayed.complete,
            answers: &replayed.answers,
        };
        if global.format == Format::Json {
            json::add_replay(input, &seen, &mut self.body);
        } else if findings::kind(global.format).is_some() {
            self.cases.push(case(input, &seen, exit));
        } else {
            let mut text = human::replay(streams.view, input, &seen, accepted);
            if self.judged > 0 && !streams.view.quiet {
                text.insert(0, '\n');
            }
            streams.answer(&text);
        }
        self.judged += 1;
        if args.run.export_trace.is_some() {
            self.timelines.push((name, std::mem::take(&mut replayed.timeline)));
        }
    }

    /// Writes the timelines of all traces that were run.
    fn export(&mut self, path: &Path, streams: &mut Streams) {
        if self.timelines.is_empty() {
            return;
        }
        let written = placing::export(path, &self.timelines);
        if let Err(error) = written {
            streams.diagnostic(&error, &Sources::default());
            self.diagnostics.push(json::diagnostic(&error, &Sources::default()));
            self.general.push(ci::of_diagnostic("", &error, &Sources::default()));
            self.exit = self.exit.and(Exit::Broken);
        }
    }

    fn end(self, global: &Global, streams: &mut Streams) -> Exit {
        let verdict = match (self.judged, self.rejected) {
            (0, _) => None,
            (_, 0) => Some("accept"),
            _ => Some("reject"),
        };
        if global.format == Format::Json {
            streams.json(&json::envelope("replay", verdict, self.diagnostics, self.body));
        } else if let Some(kind) = findings::kind(global.format) {
            let (exit, cases, general) = (self.exit.code(), self.cases, self.general);
            let run = ci::Run { command: "replay", exit, cases, general };
            streams.answer(&ci::render(kind, &run));
        } else {
            if self.judged + self.broken > 1 {
                let accepted = self.judged - self.rejected;
                let text = human::judged(accepted, self.rejected, self.broken);
                streams.answer(&format!("\n{text}"));
            }
            streams.count();
        }
        self.exit
    }
}

/// A trace as a case of a report for CI.
fn case(input: Input<'_>, seen: &Replay<'_>, exit: Exit) -> ci::Case {
    let mut remarks: Vec<Remark> = seen.findings.iter().map(|f| ci::remark(input, f)).collect();
    remarks.extend(ci::of_owed(input.name, input.sources, seen.owed));
    let runs = words::count(usize::try_from(seen.runs).unwrap_or(usize::MAX), "run");
    let ticks = words::number(seen.timeline.makespan);
    ci::Case {
        input: input.name.to_owned(),
        outcome: match exit {
            Exit::Yes => ci::Outcome::Accepted,
            Exit::Unknown => ci::Outcome::Undecided,
            Exit::No => ci::Outcome::Rejected,
            Exit::Broken => ci::Outcome::Broken,
        },
        remarks,
        summary: Some(format!("{runs} on {}, {ticks} ticks", seen.machine)),
        ..ci::Case::default()
    }
}

/// No where something is wrong; unknown where all that counts is that a limit was reached.
fn judge(findings: &[Finding], deny: Option<Deny>) -> Exit {
    let least = match deny {
        Some(Deny::Warnings) => Severity::Warning,
        None => Severity::Error,
    };
    let mut counted = findings.iter().filter(|f| f.severity >= least).peekable();
    match (counted.peek().is_none(), counted.all(|f| f.code == Code::ReplayBounded)) {
        (true, _) => Exit::Yes,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::No,
    }
}

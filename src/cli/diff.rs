//! `memplan diff`: two plans, reports or inputs, by the engine of the gate.

use std::path::Path;

use super::args::{DiffArgs, Format, Global};
use super::exit::Exit;
use super::gate::{Failed, How, Side, nothing_in, of_plan, of_plan_alone, side};
use super::input::{self, Loaded};
use super::modules;
use super::placing::Stage;
use super::streams::Streams;
use super::{findings, jobs, planning};
use crate::diag::{Diagnostic, Severity, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_gate::Changes;
use crate::gate::{self, Limits};
use crate::model::{Comparison, Kernel, Remark};
use crate::report::ci::{Kind, Run, of_diagnostic, render};
use crate::report::{human, json};

/// Compares two sides.
pub(super) fn run(args: &DiffArgs, global: &Global, streams: &mut Streams) -> Exit {
    let [a, b] = match <[String; 2]>::try_from(args.input.inputs.clone()) {
        Ok(sides) => sides,
        // The parser takes two.
        Err(_) => return Exit::Broken,
    };
    if [&a, &b].into_iter().all(|path| input::is_module(path, args.input.from)) {
        return modules::diff(args, global, streams);
    }
    let mut report = Report { exit: Exit::Yes, diagnostics: Vec::new(), remarks: Vec::new() };
    let compared = compared(args, (&a, &b), &mut report, streams);
    let (kernels, comparisons, remarks) = compared.unwrap_or_default();
    match global.format {
        Format::Json => {
            let changes = json::changes(&comparisons);
            let body = Changes { a, b, changes, findings: json::gate_findings(&remarks) };
            streams.json(&json::envelope("diff", None, report.diagnostics, body));
        }
        Format::Human => {
            if report.exit == Exit::Yes {
                streams.answer(&human::changes(streams.view, &comparisons, &remarks));
            }
            streams.count();
        }
        format => {
            let gate = remarks.clone();
            report.remarks.extend(remarks);
            let (exit, least) = (report.exit.code(), Severity::Error);
            let run = Run::of("diff", exit, least, &kernels, report.remarks, &comparisons);
            match findings::kind(format) {
                Some(Kind::Markdown) if report.exit == Exit::Yes => {
                    streams.answer(&human::gate_markdown(&comparisons, &gate));
                }
                Some(kind) => streams.answer(&render(kind, &run)),
                None => {}
            }
        }
    }
    report.exit
}

struct Report {
    exit: Exit,
    diagnostics: Vec<JsonDiagnostic>,
    remarks: Vec<Remark>,
}

impl Report {
    fn broken(&mut self, errors: &[Diagnostic], sources: &Sources, streams: &mut Streams) {
        for error in errors {
            streams.diagnostic(error, sources);
            self.diagnostics.push(json::diagnostic(error, sources));
            self.remarks.push(of_diagnostic("", error, sources));
        }
        self.exit = self.exit.and(Exit::Broken);
    }
}

type Compared = (Vec<Kernel>, Vec<Comparison>, Vec<Remark>);

fn compared(
    args: &DiffArgs,
    (a, b): (&str, &str),
    report: &mut Report,
    streams: &mut Streams,
) -> Option<Compared> {
    match kernels(args, a, b) {
        Ok((old, mut new)) => {
            // Two files are two states of one input, whatever they are called.
            let mut names: Vec<&str> = old.iter().map(|k| k.input.as_str()).collect();
            names.dedup();
            if let [name] = names.as_slice()
                && new.iter().all(|k| k.input == new[0].input)
            {
                let name = (*name).to_owned();
                new.iter_mut().for_each(|k| k.input.clone_from(&name));
            }
            let (mut comparisons, mut remarks) =
                gate::against_baseline(&old, &new, &Limits::default(), true);
            // Nobody is refused here: that is for `verify --baseline`.
            remarks.iter_mut().for_each(|r| r.severity = Severity::Note);
            if !Path::new(b).is_dir() {
                comparisons.iter_mut().for_each(|c| b.clone_into(&mut c.input));
                remarks.iter_mut().for_each(|r| b.clone_into(&mut r.input));
            }
            Some((new, comparisons, remarks))
        }
        Err((errors, sources)) => {
            report.broken(&errors, &sources, streams);
            None
        }
    }
}

/// The kernels of both sides.
fn kernels(args: &DiffArgs, a: &str, b: &str) -> Result<(Vec<Kernel>, Vec<Kernel>), Failed> {
    let fail = |error: Diagnostic| (vec![error], Sources::default());
    let limit = input::limit().map_err(fail)?;
    let options = planning::options(&args.planning, "strategy", "auto").map_err(fail)?;
    let mut sources = Sources::default();
    let stage = match Stage::of(&args.place, args.planning.seed, limit, &mut sources) {
        Ok(stage) => stage,
        Err(errors) => return Err((errors, sources)),
    };
    let threads = jobs::threads(args.planning.jobs);
    let how =
        How { args: &args.input, options: &options, stage: &stage, limit, threads, memory: None };
    let (old, new) = (side(a, how)?, side(b, how)?);
    let one = |side: Side, other: &str| match side {
        Side::Folder(kernels, folder) if kernels.is_empty() => {
            let help = "plans in folders are compared by `verify INPUT... --plan B --baseline A`";
            Err(fail(nothing_in(&folder).help(help)))
        }
        Side::Kernels(kernels) | Side::Folder(kernels, _) => Ok(kernels),
        Side::Plan(path) => plan(&path, other, how),
    };
    Ok((one(old, b)?, one(new, a)?))
}

/// A plan is measured on the problem of the other side, where that is an input.
fn plan(path: &Path, other: &str, how: How<'_>) -> Result<Vec<Kernel>, Failed> {
    let Some(item) = input::problem_file(other, how.args.from) else {
        return of_plan_alone(path, how.limit);
    };
    let Loaded { outcome, sources, .. } = input::load(item, how.args, how.limit).strict();
    match outcome {
        Ok(ready) => of_plan(path, &path.display().to_string(), &ready, how.stage, how.limit),
        Err(errors) => Err((errors, sources)),
    }
}

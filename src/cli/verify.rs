//! `memplan verify`.

use std::path::{Path, PathBuf};

use super::args::{Deny, Emit, Format, Global, VerifyArgs};
use super::exit::Exit;
use super::input::{self, Codes, Loaded, Ready, Toml};
use super::placing::{self, Shown, Stage};
use super::solve::in_folder;
use super::streams::Streams;
use super::{jobs, owing, plans};
use crate::diag::{Code, Diagnostic, Severity, Sources};
use crate::format;
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_verify::Verify;
use crate::front::csv;
use crate::model::{Finding, Plan, Problem, Timeline};
use crate::report::context::Input;
use crate::report::{human, json};
use crate::verify;

/// Checks a plan for every input.
pub(super) fn run(args: &VerifyArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::default();
    let limit = match input::limit() {
        Ok(limit) => limit,
        Err(error) => {
            report.broken(&[error], &Sources::default(), streams);
            return report.end(global, streams);
        }
    };
    let mut sources = Sources::default();
    let stage = match Stage::of(&args.place, args.planning.seed, limit, &mut sources) {
        Ok(stage) => stage,
        Err(errors) => {
            report.broken(&errors, &sources, streams);
            return report.end(global, streams);
        }
    };
    let items = input::collect(&args.input, limit);
    let several = items.len() > 1;
    jobs::in_order(
        items,
        jobs::threads(None),
        |item| check(input::load(item, &args.input, limit).strict(), args, &stage, limit, several),
        |(loaded, judged)| report.add(&loaded, judged, args, global, streams),
    );
    if let Some(path) = &args.place.run.export_trace
        && let Err(error) = placing::export(path, &report.timelines)
    {
        report.broken(&[error], &Sources::default(), streams);
    }
    report.end(global, streams)
}

/// Reads the plan of an input and judges it.
fn check(
    mut loaded: Loaded,
    args: &VerifyArgs,
    stage: &Stage,
    limit: u64,
    several: bool,
) -> (Loaded, Judged) {
    let Ok(Ready { problem, .. }) = &loaded.outcome else { return (loaded, Judged::default()) };
    let (name, below) = (&loaded.name, &loaded.below);
    let plan = match plan_path(args, below, several) {
        Ok(Some(path)) => read_plan(&path, problem, limit, &mut loaded.sources),
        Ok(None) => plans::of_pins(problem).ok_or_else(|| vec![nothing_to_verify(name)]),
        Err(error) => Err(vec![error]),
    };
    match plan {
        Ok(mut plan) => {
            if let Some(only) = &args.input.function {
                plan.functions.retain(|f| f.name == *only);
            }
            let mut findings = verify::verify(problem, &plan);
            let shown = stage.show(problem, &plan);
            findings.extend(shown.findings());
            (loaded, Judged { findings, shown })
        }
        Err(errors) => {
            loaded.outcome = Err(errors);
            (loaded, Judged::default())
        }
    }
}

/// What is said about one input.
#[derive(Default)]
struct Judged {
    findings: Vec<Finding>,
    shown: Shown,
}

fn nothing_to_verify(name: &str) -> Diagnostic {
    let message = format!("`{name}` places nothing, and no plan is given");
    Diagnostic::error(Code::ConfigBadOption, message).help("give a plan with `--plan FILE`")
}

/// The plan file of an input: the one given, or the one of a folder that `solve -o` fills.
fn plan_path(
    args: &VerifyArgs,
    below: &Path,
    several: bool,
) -> Result<Option<PathBuf>, Diagnostic> {
    let Some(path) = &args.plan else { return Ok(None) };
    if path.is_dir() {
        let ways =
            [Emit::Plan, Emit::Csv, Emit::MemoryInfo].map(|what| in_folder(path, below, what));
        let found = ways.iter().find(|p| p.exists()).unwrap_or(&ways[0]);
        return Ok(Some(found.clone()));
    }
    if several {
        let message = format!("several inputs, but `{}` is one plan", path.display());
        return Err(Diagnostic::error(Code::ConfigBadOption, message)
            .help("give a folder of plans, as `solve -o DIR/` writes it"));
    }
    Ok(Some(path.clone()))
}

fn read_plan(
    path: &Path,
    problem: &Problem,
    limit: u64,
    sources: &mut Sources,
) -> Result<Plan, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let is_csv = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    let codes = if is_csv { Codes::CSV } else { Codes::PLAN };
    let file = input::read_file(path, limit, codes, sources).map_err(|error| vec![error])?;
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        let text = sources.get(file).map_or("", |s| &s.text);
        let info = format::memory_info::read(text).map_err(|why| {
            let message = format!("`{name}` is not a memory_info file: {why}");
            vec![Diagnostic::error(Code::VerifyPlanSyntax, message)]
        })?;
        return Ok(plans::of_memory_info(info, problem));
    }
    if is_csv {
        let rows = csv::read(sources, file)?.problem;
        return plans::of_rows(&rows, problem).ok_or_else(|| vec![nothing_to_verify(&name)]);
    }
    let names = plans::function_names(problem);
    let functions: Vec<&str> = names.iter().map(String::as_str).collect();
    let plan = format::plan::read(sources, file, &functions).map_err(|errors| {
        let text = sources.get(file).map_or("", |s| &s.text);
        if input::toml(text) == Toml::Spec {
            let message = format!("`{name}` is a spec, not a plan");
            return vec![Diagnostic::error(Code::VerifyPlanSyntax, message)];
        }
        errors
    })?;
    Ok(plans::renamed(plan, problem))
}

/// The report being made.
#[derive(Default)]
struct Report {
    exit: Exit,
    judged: usize,
    broken: usize,
    rejected: usize,
    diagnostics: Vec<JsonDiagnostic>,
    body: Verify,
    timelines: Vec<(String, Timeline)>,
}

impl Report {
    fn broken(&mut self, errors: &[Diagnostic], sources: &Sources, streams: &mut Streams) {
        self.tell(errors, sources, streams);
        self.broken += 1;
        self.exit = self.exit.and(Exit::Broken);
    }

    fn tell(&mut self, diagnostics: &[Diagnostic], sources: &Sources, streams: &mut Streams) {
        for diagnostic in diagnostics {
            streams.diagnostic(diagnostic, sources);
            self.diagnostics.push(json::diagnostic(diagnostic, sources));
        }
    }

    fn add(
        &mut self,
        loaded: &Loaded,
        Judged { findings, shown }: Judged,
        args: &VerifyArgs,
        global: &Global,
        streams: &mut Streams,
    ) {
        let ready = match &loaded.outcome {
            Ok(ready) => ready,
            Err(errors) => return self.broken(errors, &loaded.sources, streams),
        };
        self.tell(&ready.warnings, &loaded.sources, streams);
        let least = match args.deny {
            Some(Deny::Warnings) => Severity::Warning,
            None => Severity::Error,
        };
        let worst = findings.iter().map(|f| f.severity);
        let worst = worst.chain(ready.warnings.iter().map(|w| w.severity)).max();
        let accepted = worst.is_none_or(|worst| worst < least);
        if !accepted {
            self.rejected += 1;
            // What the judge could not decide is no "no".
            let decided = |f: &Finding| f.severity >= least && f.code != Code::VerifyUndecided;
            let no =
                findings.iter().any(decided) || ready.warnings.iter().any(|w| w.severity >= least);
            self.exit = self.exit.and(if no { Exit::No } else { Exit::Unknown });
        }
        let problem = &ready.problem;
        let name = |timeline| (loaded.name.clone(), timeline);
        self.timelines.extend(shown.timelines().into_iter().map(name));
        let input = Input { name: &loaded.name, sources: &loaded.sources, problem };
        if global.format == Format::Json {
            self.body.findings.extend(json::findings(input, &findings));
            let body = &mut self.body;
            let sums = (&mut body.owed, &mut body.timelines);
            body.makespan = owing::add(input, &shown.owed, sums, &mut body.counters);
            body.runtimes.extend(json::placed(input.name, &owing::placed(&shown)));
        } else {
            let mut text = human::verify(streams.view, input, &findings, accepted);
            // A plan that is wrong owes nothing: it is to be replaced.
            if accepted {
                text.push_str(&owing::text(streams.view, &shown.owed));
            }
            text.push_str(&human::placed(streams.view, &owing::placed(&shown)));
            if self.judged > 0 && !streams.view.quiet {
                text.insert(0, '\n');
            }
            streams.answer(&text);
        }
        self.judged += 1;
    }

    fn end(self, global: &Global, streams: &mut Streams) -> Exit {
        let verdict = match (self.judged, self.rejected) {
            (0, _) => None,
            (_, 0) => Some("accept"),
            _ => Some("reject"),
        };
        if global.format == Format::Json {
            streams.json(&json::envelope("verify", verdict, self.diagnostics, self.body));
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

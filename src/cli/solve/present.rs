//! What a run over several inputs says.

use std::path::Path;

use super::one::Solved;
use super::passlog;
use super::write::Output;
use crate::cli::args::{Format, Global};
use crate::cli::codes;
use crate::cli::exit::Exit;
use crate::cli::findings;
use crate::cli::kernels;
use crate::cli::owing;
use crate::cli::placing;
use crate::cli::streams::Streams;
use crate::diag::{Diagnostic, Severity, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_solve::Solve;
use crate::model::{Finding, Kernel, Problem, Remark, Timeline, Verdict};
use crate::report::context::Input;
use crate::report::{ci, human, json};

/// The report being made.
pub(super) struct Report {
    inputs: usize,
    exit: Exit,
    verdicts: Vec<Option<Verdict>>,
    broken: usize,
    diagnostics: Vec<JsonDiagnostic>,
    body: Solve,
    /// Everything said, and what the kernels take, for the formats of CI.
    remarks: Vec<Remark>,
    kernels: Vec<Kernel>,
    timelines: Vec<(String, Timeline)>,
}

impl Report {
    /// A report about so many inputs.
    pub(super) fn new(inputs: usize) -> Self {
        Self {
            inputs,
            exit: Exit::Yes,
            verdicts: Vec::new(),
            broken: 0,
            diagnostics: Vec::new(),
            body: Solve::default(),
            remarks: Vec::new(),
            kernels: Vec::new(),
            timelines: Vec::new(),
        }
    }

    /// The report of a run that could not begin.
    pub(super) fn refused(error: &Diagnostic) -> Self {
        let diagnostics = vec![json::diagnostic(error, &Sources::default())];
        let remarks = vec![ci::of_diagnostic("", error, &Sources::default())];
        Self { exit: Exit::Broken, diagnostics, remarks, ..Self::new(0) }
    }

    /// Something that cannot be answered.
    pub(super) fn broken(
        &mut self,
        errors: &[Diagnostic],
        name: &str,
        sources: &Sources,
        streams: &mut Streams,
    ) {
        self.tell(errors, name, sources, streams);
        self.broken += 1;
        self.exit = self.exit.and(Exit::Broken);
    }

    /// Writes the timelines of all plans.
    pub(super) fn export(&mut self, path: &Path, streams: &mut Streams) {
        if let Err(error) = placing::export(path, &self.timelines) {
            self.broken(&[error], "", &Sources::default(), streams);
        }
    }

    /// Adds an input: tells it, and writes its plan.
    pub(super) fn add(
        &mut self,
        solved: Solved,
        output: &Output,
        global: &Global,
        streams: &mut Streams,
    ) {
        let loaded = &solved.loaded;
        let sources = &loaded.sources;
        let ready = match &loaded.outcome {
            Ok(ready) => ready,
            Err(errors) => {
                self.broken(errors, &loaded.name, sources, streams);
                return;
            }
        };
        let problem = &ready.problem;
        self.tell(&ready.warnings, &loaded.name, sources, streams);
        self.tell(&solved.warnings, &loaded.name, sources, streams);
        streams.aside(&passlog::lines(&solved.answer, sources));
        if let Some(kernels) = &ready.kernels {
            streams.aside(&passlog::sizes(&solved.answer, problem, &kernels.options));
        }
        let verdict = solved.answer.verdict();
        self.exit = self.exit.and(verdict.map_or(Exit::Yes, Exit::from));
        let input = Input { name: &loaded.name, sources, problem };
        let name = |timeline| (loaded.name.clone(), timeline);
        self.timelines.extend(solved.shown.timelines().into_iter().map(name));
        let found = solved.shown.findings();
        if found.iter().any(|f| f.severity == Severity::Error) {
            self.exit = self.exit.and(Exit::No);
        }
        let told = |f: &Finding| Diagnostic {
            severity: f.severity,
            ..Diagnostic::error(f.code, f.message.clone()).maybe_at(f.loc, "")
        };
        let told: Vec<Diagnostic> = found.iter().map(told).collect();
        self.say(&told, sources, streams);
        if global.format == Format::Json {
            let body = &mut self.body;
            body.functions.extend(json::functions(input, &solved.answer));
            let sums = (&mut body.owed, &mut body.timelines);
            body.makespan = owing::add(input, &solved.shown.owed, sums, &mut body.counters);
            body.runtimes.extend(json::placed(input.name, &owing::placed(&solved.shown)));
            let codes = codes::of(problem, &solved.answer);
            self.say(&codes, sources, streams);
        } else if findings::kind(global.format).is_some() {
            self.remarks.extend(found.iter().map(|f| ci::remark(input, f)));
            self.remarks.extend(codes::remarks(input, &solved.answer));
            let owed = &solved.shown.owed;
            let notes = owed.iter().flat_map(|o| ci::of_owed(input.name, sources, &o.edges));
            self.remarks.extend(notes);
            self.kernels.extend(kernels::of(input, &solved.answer, owed, true));
        }
        let written = self.write(&solved, problem, output, streams);
        if global.format == Format::Human {
            let mut text = human::solve(streams.view, input, &solved.answer);
            text.push_str(&owing::text(streams.view, &solved.shown.owed));
            text.push_str(&owing::prices(streams.view, &solved.answer, &solved.shown.owed));
            text.push_str(&human::placed(streams.view, &owing::placed(&solved.shown)));
            if !self.verdicts.is_empty() && !streams.view.quiet {
                text.insert(0, '\n');
            }
            match (output.replaces_answer(), written) {
                (true, Some(plan)) => streams.answer(&plan),
                // Without a plan the reason is worth telling, but stdout is for plans.
                (true, None) => streams.aside(&text),
                (false, _) => streams.answer(&text),
            }
        }
        self.verdicts.push(verdict);
    }

    /// Writes the plan of an input, if there is a whole one and it is right.
    fn write(
        &mut self,
        solved: &Solved,
        problem: &Problem,
        output: &Output,
        streams: &mut Streams,
    ) -> Option<String> {
        if !solved.bugs.is_empty() {
            self.tell(&solved.bugs, &solved.loaded.name, &solved.loaded.sources, streams);
            self.exit = self.exit.and(Exit::Broken);
            return None;
        }
        let planned = solved.answer.functions.iter().all(|f| f.verdict.has_plan());
        if !planned || !output.wanted() {
            return None;
        }
        match output.write(solved, problem) {
            Ok(text) => text,
            Err(error) => {
                self.tell(&[error], &solved.loaded.name, &solved.loaded.sources, streams);
                self.exit = self.exit.and(Exit::Broken);
                None
            }
        }
    }

    /// Tells diagnostics in every format.
    fn tell(
        &mut self,
        diagnostics: &[Diagnostic],
        name: &str,
        sources: &Sources,
        streams: &mut Streams,
    ) {
        self.say(diagnostics, sources, streams);
        self.remarks.extend(diagnostics.iter().map(|d| ci::of_diagnostic(name, d, sources)));
    }

    /// Tells them to people and in JSON; the formats of CI have them as remarks with more in them.
    fn say(&mut self, diagnostics: &[Diagnostic], sources: &Sources, streams: &mut Streams) {
        for diagnostic in diagnostics {
            streams.diagnostic(diagnostic, sources);
            self.diagnostics.push(json::diagnostic(diagnostic, sources));
        }
    }

    /// Ends the report.
    pub(super) fn end(self, global: &Global, streams: &mut Streams) -> Exit {
        if global.format == Format::Json {
            let verdict = self.verdicts.iter().flatten().max().map(|v| v.name());
            streams.json(&json::envelope("solve", verdict, self.diagnostics, self.body));
        } else if let Some(kind) = findings::kind(global.format) {
            let (exit, least) = (self.exit.code(), Severity::Error);
            let run = ci::Run::of("solve", exit, least, &self.kernels, self.remarks, &[]);
            streams.answer(&ci::render(kind, &run));
        } else {
            if self.inputs > 1 {
                let text = human::summary(&self.verdicts, self.broken);
                streams.answer(&format!("\n{text}"));
            }
            streams.count();
        }
        self.exit
    }
}

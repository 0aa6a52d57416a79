//! What a run over several inputs says.

use super::one::Solved;
use super::passlog;
use super::write::Output;
use crate::cli::args::{Format, Global};
use crate::cli::codes;
use crate::cli::exit::Exit;
use crate::cli::owing;
use crate::cli::streams::Streams;
use crate::diag::{Diagnostic, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_solve::Solve;
use crate::model::{Problem, Verdict};
use crate::report::context::Input;
use crate::report::{human, json};

/// The report being made.
pub(super) struct Report {
    inputs: usize,
    exit: Exit,
    verdicts: Vec<Option<Verdict>>,
    broken: usize,
    diagnostics: Vec<JsonDiagnostic>,
    body: Solve,
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
        }
    }

    /// The report of a run that could not begin.
    pub(super) fn refused(error: &Diagnostic) -> Self {
        let diagnostics = vec![json::diagnostic(error, &Sources::default())];
        Self { exit: Exit::Broken, diagnostics, ..Self::new(0) }
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
                self.tell(errors, sources, streams);
                self.broken += 1;
                self.exit = self.exit.and(Exit::Broken);
                return;
            }
        };
        let problem = &ready.problem;
        self.tell(&ready.warnings, sources, streams);
        self.tell(&solved.warnings, sources, streams);
        streams.aside(&passlog::lines(&solved.answer, sources));
        if let Some(kernels) = &ready.kernels {
            streams.aside(&passlog::sizes(&solved.answer, problem, &kernels.options));
        }
        let verdict = solved.answer.verdict();
        self.exit = self.exit.and(verdict.map_or(Exit::Yes, Exit::from));
        let input = Input { name: &loaded.name, sources, problem };
        if global.format == Format::Json {
            let body = &mut self.body;
            body.functions.extend(json::functions(input, &solved.answer));
            let sums = (&mut body.owed, &mut body.timelines);
            body.makespan = owing::add(input, &solved.owed, sums, &mut body.counters);
            let codes = codes::of(problem, &solved.answer);
            self.tell(&codes, sources, streams);
        }
        let written = self.write(&solved, problem, output, streams);
        if global.format == Format::Human {
            let mut text = human::solve(streams.view, input, &solved.answer);
            text.push_str(&owing::text(streams.view, &solved.owed));
            text.push_str(&owing::prices(streams.view, &solved.answer, &solved.owed));
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
            self.tell(&solved.bugs, &solved.loaded.sources, streams);
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
                self.tell(&[error], &solved.loaded.sources, streams);
                self.exit = self.exit.and(Exit::Broken);
                None
            }
        }
    }

    fn tell(&mut self, diagnostics: &[Diagnostic], sources: &Sources, streams: &mut Streams) {
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

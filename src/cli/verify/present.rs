//! What a run over several inputs says.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::Assessed;
use crate::cli::args::{Deny, Format, Global, VerifyArgs};
use crate::cli::exit::Exit;
use crate::cli::findings;
use crate::cli::gate::Judged;
use crate::cli::streams::Streams;
use crate::cli::subject::Subject;
use crate::cli::{kernels, owing};
use crate::diag::{Code, Diagnostic, Severity, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_verify::{Fragmented, Verify};
use crate::model::{Finding, Kernel, Remark, Timeline};
use crate::report::context::Input;
use crate::report::{ci, human, json};

/// The report being made.
pub(super) struct Report<'a> {
    args: &'a VerifyArgs,
    global: &'a Global,
    exit: Exit,
    judged: usize,
    broken: usize,
    rejected: usize,
    diagnostics: Vec<JsonDiagnostic>,
    body: Verify,
    /// Everything said, where a format of CI asks for it.
    remarks: Vec<Remark>,
    gate: Judged,
    pub(super) timelines: Vec<(String, Timeline)>,
    /// What was found of each input, with its path below the folder that was given.
    pub(super) kernels: Vec<(PathBuf, Kernel)>,
    pub(super) before: Vec<Kernel>,
    /// The inputs that were judged.
    pub(super) read: BTreeSet<String>,
    /// Input and function of plans that are wrong.
    pub(super) refused: BTreeSet<(String, String)>,
}

impl<'a> Report<'a> {
    pub(super) fn new(args: &'a VerifyArgs, global: &'a Global) -> Self {
        Self {
            args,
            global,
            exit: Exit::Yes,
            judged: 0,
            broken: 0,
            rejected: 0,
            diagnostics: Vec::new(),
            body: Verify::default(),
            remarks: Vec::new(),
            gate: Judged::default(),
            timelines: Vec::new(),
            kernels: Vec::new(),
            before: Vec::new(),
            read: BTreeSet::new(),
            refused: BTreeSet::new(),
        }
    }

    /// Something that cannot be judged.
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

    fn tell(
        &mut self,
        diagnostics: &[Diagnostic],
        name: &str,
        sources: &Sources,
        streams: &mut Streams,
    ) {
        for diagnostic in diagnostics {
            streams.diagnostic(diagnostic, sources);
            self.diagnostics.push(json::diagnostic(diagnostic, sources));
            self.remarks.push(ci::of_diagnostic(name, diagnostic, sources));
        }
    }

    /// The severity from which a thing counts as a "no".
    fn least(&self) -> Severity {
        match self.args.deny {
            Some(Deny::Warnings) => Severity::Warning,
            None => Severity::Error,
        }
    }

    pub(super) fn add(&mut self, assessed: Assessed, streams: &mut Streams) {
        let Assessed { name, subject, kernels, before, below, broken } = assessed;
        self.before.extend(before);
        if let Some((errors, sources)) = broken {
            self.broken(&errors, "", &sources, streams);
        }
        let Some(subject) = subject else {
            self.judged += 1;
            self.read.insert(name);
            self.kernels.extend(kernels.into_iter().map(|k| (below.clone(), k)));
            return;
        };
        let loaded = &subject.loaded;
        let ready = match &loaded.outcome {
            Ok(ready) => ready,
            Err(errors) => return self.broken(errors, &loaded.name, &loaded.sources, streams),
        };
        self.tell(&ready.warnings, &loaded.name, &loaded.sources, streams);
        self.tell(&subject.told, &loaded.name, &loaded.sources, streams);
        let accepted = self.verdict(&subject);
        let named = |timeline| (loaded.name.clone(), timeline);
        self.timelines.extend(subject.shown.timelines().into_iter().map(named));
        let input = Input { name: &loaded.name, sources: &loaded.sources, problem: &ready.problem };
        let found = subject.findings.iter().map(|f| ci::remark(input, f));
        self.remarks.extend(found);
        let wrong = subject.findings.iter().filter(|f| f.severity == Severity::Error);
        self.refused.extend(wrong.map(|f| (loaded.name.clone(), f.function.clone())));
        match self.global.format {
            Format::Json => self.collect(input, &subject),
            Format::Human => self.print(input, &subject, accepted, streams),
            _ => {}
        }
        self.judged += 1;
        self.read.insert(name);
        self.kernels.extend(kernels.into_iter().map(|k| (below.clone(), k)));
    }

    /// Whether the plan is accepted; takes it into the exit code.
    fn verdict(&mut self, subject: &Subject) -> bool {
        let least = self.least();
        if subject.defect {
            self.exit = self.exit.and(Exit::Broken);
        }
        if subject.ours {
            let verdict = subject.answer.verdict();
            self.exit = self.exit.and(verdict.map_or(Exit::Yes, Exit::from));
        }
        let warnings = || {
            let ready = subject.loaded.outcome.as_ref().ok();
            ready.into_iter().flat_map(|r| &r.warnings).chain(&subject.told).map(|w| w.severity)
        };
        let worst = subject.findings.iter().map(|f| f.severity).chain(warnings()).max();
        let accepted = worst.is_none_or(|worst| worst < least);
        if !accepted {
            self.rejected += 1;
            // What the judge could not decide is no "no".
            let decided = |f: &Finding| f.severity >= least && f.code != Code::VerifyUndecided;
            // Why we have no plan ourselves is in the verdict already.
            let told = subject.told.iter().filter(|_| !subject.ours);
            let told = told.map(|d| d.severity).any(|severity| severity >= least);
            let no = subject.findings.iter().any(decided)
                || told
                || subject.refuted()
                || (least == Severity::Warning && warnings().any(|s| s == Severity::Warning));
            if !subject.ours || no {
                self.exit = self.exit.and(if no { Exit::No } else { Exit::Unknown });
            }
        }
        accepted
    }

    fn collect(&mut self, input: Input<'_>, subject: &Subject) {
        let body = &mut self.body;
        body.findings.extend(json::findings(input, &subject.findings));
        body.fragmentation.extend(subject.holes.iter().map(|(index, found)| Fragmented {
            input: input.name.to_owned(),
            function: input.problem.functions[*index].name.clone(),
            scope: input.problem.scopes[found.scope].name.clone(),
            found: json::fragmentation(found),
        }));
        let sums = (&mut body.owed, &mut body.timelines);
        body.makespan = owing::add(input, &subject.shown.owed, sums, &mut body.counters);
        body.runtimes.extend(json::placed(input.name, &owing::placed(&subject.shown)));
    }

    fn print(
        &mut self,
        input: Input<'_>,
        subject: &Subject,
        accepted: bool,
        streams: &mut Streams,
    ) {
        // Under a gate the kernels are a table; what is wrong with one is told at once.
        if self.gated() && accepted && !streams.view.verbose {
            return;
        }
        let mut text = human::verify(streams.view, input, &subject.findings, accepted);
        if subject.ours && !accepted {
            text = human::solve(streams.view, input, &subject.answer);
        }
        if accepted && !subject.ours {
            let kernels = kernels::of(input, &subject.answer, &subject.shown.owed, false);
            text.push_str(&human::taken(streams.view, &kernels));
        }
        // Who is in the way of a buffer without a place is a finding.
        let quiet = streams.view.quiet;
        for (index, found) in subject.holes.iter().filter(|(_, f)| !quiet && f.wants.is_none()) {
            let function = &input.problem.functions[*index];
            let scope = &input.problem.scopes[found.scope].name;
            text.push_str(&format!("  {scope}: {}\n", human::fragmentation(function, found)));
        }
        // A plan that is wrong owes nothing: it is to be replaced.
        if accepted {
            text.push_str(&owing::text(streams.view, &subject.shown.owed));
        }
        text.push_str(&human::placed(streams.view, &owing::placed(&subject.shown)));
        if self.judged > 0 && !streams.view.quiet {
            text.insert(0, '\n');
        }
        streams.answer(&text);
    }

    fn gated(&self) -> bool {
        self.args.gate.budget.is_some() || self.args.gate.baseline.is_some()
    }

    /// Takes in what the gate says.
    pub(super) fn judged(&mut self, judged: Judged) {
        let least = self.least();
        if judged.remarks.iter().any(|r| r.severity >= least) {
            self.exit = self.exit.and(Exit::No);
        }
        self.gate = judged;
    }

    /// Ends the report.
    pub(super) fn end(mut self, streams: &mut Streams) -> Exit {
        let kernels: Vec<Kernel> = self.kernels.drain(..).map(|(_, kernel)| kernel).collect();
        let verdict = match (self.judged, self.rejected) {
            (0, _) => None,
            _ if self.exit > Exit::Unknown => Some("reject"),
            (_, 0) => Some("accept"),
            _ if self.exit == Exit::Unknown => Some("undecided"),
            _ => Some("reject"),
        };
        match self.global.format {
            Format::Json => {
                self.body.findings.extend(json::gate_findings(&self.gate.remarks));
                if self.gated() {
                    self.body.kernels.extend(kernels.iter().map(Into::into));
                }
                self.body.changes.extend(json::changes(&self.gate.comparisons));
                streams.json(&json::envelope("verify", verdict, self.diagnostics, self.body));
            }
            Format::Human => {
                if self.gated() && self.judged > 0 {
                    let Judged { comparisons, remarks, .. } = &self.gate;
                    streams.answer(&human::kernels(streams.view, &kernels, remarks));
                    streams.answer(&human::gate(streams.view, comparisons, remarks, self.least()));
                }
                if let Some(path) = &self.gate.updated {
                    streams.answer(&format!("wrote {}\n", path.display()));
                }
                // The gate has its own last word.
                let told = self.gated() && self.broken == 0 && self.rejected == 0;
                if self.judged + self.broken > 1 && !told {
                    let accepted = self.judged - self.rejected;
                    let text = human::judged(accepted, self.rejected, self.broken);
                    streams.answer(&format!("\n{text}"));
                }
                streams.count();
            }
            format => {
                self.remarks.append(&mut self.gate.remarks);
                let (exit, least) = (self.exit.code(), self.least());
                let comparisons = &self.gate.comparisons;
                let run = ci::Run::of("verify", exit, least, &kernels, self.remarks, comparisons);
                if let Some(kind) = findings::kind(format) {
                    streams.answer(&ci::render(kind, &run));
                }
            }
        }
        self.exit
    }
}

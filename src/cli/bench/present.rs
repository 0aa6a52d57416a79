//! What a run of all entries over all inputs says.

use std::time::Duration;

use super::baseline::{self, Earlier};
use super::race::Ran;
use super::rows::{self, Common};
use crate::bench::{Entry, Key, Row, Standing, Tally};
use crate::cli::args::{BenchArgs, Format, Global};
use crate::cli::defect;
use crate::cli::exit::Exit;
use crate::cli::streams::Streams;
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_bench::{Bench, Written};
use crate::plan::{Liveness, Options};
use crate::report::{csv, human, json, sums, words};

/// The report being made.
pub(super) struct Report {
    exit: Exit,
    inputs: usize,
    broken: usize,
    startup: Duration,
    diagnostics: Vec<JsonDiagnostic>,
    entries: Vec<(Entry, Tally)>,
    standings: Vec<(Key, Standing)>,
    body: Bench,
}

impl Report {
    /// An empty report.
    pub(super) fn new(args: &BenchArgs) -> Self {
        Self {
            exit: Exit::Yes,
            inputs: 0,
            broken: 0,
            startup: Duration::ZERO,
            diagnostics: Vec::new(),
            entries: Vec::new(),
            standings: Vec::new(),
            body: Bench { settings: rows::settings(args), ..Bench::default() },
        }
    }

    /// Lets the entries in, some time after the process began.
    pub(super) fn enter(&mut self, entries: &[Entry], startup: Duration) {
        self.entries = entries.iter().map(|e| (e.clone(), Tally::default())).collect();
        self.startup = startup;
    }

    /// Some inputs were not looked at.
    pub(super) fn cut_short(&mut self, left: usize, streams: &mut Streams) {
        let inputs = words::count(left, "input");
        streams.aside(&format!("interrupted: {inputs} left out\n"));
        self.exit = self.exit.and(Exit::Unknown);
    }

    /// Tells of a file that was written.
    pub(super) fn wrote(&mut self, written: Written) {
        self.body.written.push(written);
    }

    /// Tells why something cannot be run.
    pub(super) fn broken(
        &mut self,
        errors: &[Diagnostic],
        sources: &Sources,
        streams: &mut Streams,
    ) {
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

    /// Adds an input.
    pub(super) fn add(
        &mut self,
        ran: Ran,
        entries: &[Entry],
        options: &Options,
        streams: &mut Streams,
    ) {
        let Ran { loaded, optimum, reading, rows, losses, unstarted } = ran;
        let (name, sources) = (&loaded.name, &loaded.sources);
        let ready = match &loaded.outcome {
            Ok(ready) => ready,
            Err(errors) => return self.broken(errors, sources, streams),
        };
        self.tell(&ready.warnings, sources, streams);
        if entries.iter().any(|entry| !entry.is_hivm()) && !ready.defects.is_empty() {
            self.broken(&ready.defects, sources, streams);
        } else {
            self.inputs += 1;
        }
        for (name, why) in unstarted {
            self.cannot_start(&name, &why, streams);
        }
        // Facts that are not ours may lead to wrong plans; ours must not.
        let theirs = ready.kernels.is_some() && options.liveness == Liveness::Compat;
        for entry in entries.iter().filter(|e| e.strategy().is_some() && !e.is_hivm() && !theirs) {
            let wrong = rows.iter().filter(|r| r.entry == entry.name);
            let wrong = wrong.filter_map(|r| Some((r, r.answered()?.refuted.as_ref()?)));
            for (row, why) in wrong {
                let what = format!(
                    "the plan of `{}` by `{}` fails its own check: {why}",
                    row.function, row.entry
                );
                self.tell(&[defect::bug(&what)], sources, streams);
                self.exit = self.exit.and(Exit::Broken);
            }
        }
        for (entry, tally) in &mut self.entries {
            tally.add_rows(entry, &rows);
        }
        if !losses.is_empty() {
            self.exit = self.exit.and(Exit::No);
        }
        self.body.lost.extend(losses.into_iter().map(|loss| rows::loss(name, loss)));
        self.standings.extend(rows.iter().map(|row| standing(name, row)));
        let common = Common { input: name, optimum, reading, startup: self.startup };
        self.body.rows.extend(rows.iter().map(|row| rows::row(&common, row)));
    }

    /// Tells of a planner from outside that could not be started: once, it will be so for all inputs.
    fn cannot_start(&mut self, name: &str, why: &str, streams: &mut Streams) {
        let message = format!("`--external {name}=..`: {why}");
        if self.diagnostics.iter().all(|told| told.message != message) {
            let error = Diagnostic::error(Code::ConfigBadOption, message);
            self.tell(&[error], &Sources::default(), streams);
            self.exit = self.exit.and(Exit::Broken);
        }
    }

    /// Ends the report.
    pub(super) fn end(
        mut self,
        earlier: Option<Earlier>,
        global: &Global,
        streams: &mut Streams,
    ) -> Exit {
        self.body.strategies = self.entries.iter().map(|(e, t)| rows::strategy(e, t)).collect();
        sums::fill(&mut self.body);
        if let Some(earlier) = earlier {
            let (compared, worse) =
                baseline::compare(earlier, &self.body.settings, &self.standings);
            self.body.baseline = Some(compared);
            if worse {
                self.exit = self.exit.and(Exit::No);
            }
        }
        let empty = self.body.rows.is_empty() && self.body.written.is_empty();
        let verdict = match self.exit {
            _ if empty => None,
            Exit::Yes => Some("accept"),
            Exit::Unknown | Exit::No | Exit::Broken => Some("reject"),
        };
        match global.format {
            Format::Json => {
                streams.json(&json::envelope("bench", verdict, self.diagnostics, self.body));
            }
            Format::Csv => {
                if !empty {
                    streams.answer(&csv::rows(&self.body));
                }
            }
            // Findings have formats of their own; `bench` refuses them.
            _ => {
                let table = match global.format {
                    Format::Markdown => human::bench_markdown,
                    _ => human::bench,
                };
                if !empty {
                    streams.answer(&table(streams.view, &self.body, self.inputs, self.broken));
                }
                streams.count();
            }
        }
        self.exit
    }
}

fn standing(input: &str, row: &Row) -> (Key, Standing) {
    let answered = row.answered();
    let key = Key {
        input: input.to_owned(),
        function: row.function.clone(),
        scope: row.scope.clone(),
        entry: row.entry.clone(),
    };
    let standing = Standing {
        verdict: answered.map(|a| a.verdict),
        peak: answered.and_then(|a| a.peak),
        cost: answered.filter(|a| a.fits()).map(|a| a.reuse_cost),
        refuted: answered.is_some_and(|a| a.refuted.is_some()),
    };
    (key, standing)
}

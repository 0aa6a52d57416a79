//! What a run over several inputs says.

use std::collections::BTreeMap;

use super::minimum::Minimum;
use super::one::Planned;
use super::variants::{OUR_FACTS, Variant};
use crate::cli::args::{Format, Global};
use crate::cli::exit::Exit;
use crate::cli::input::Ready;
use crate::cli::streams::Streams;
use crate::diag::{Diagnostic, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_whatif::{Variant as Row, WhatIf};
use crate::report::{human, json};

/// The report being made.
#[derive(Default)]
pub(super) struct Report {
    exit: Exit,
    diagnostics: Vec<JsonDiagnostic>,
    body: WhatIf,
}

impl Report {
    /// Something that cannot be answered.
    pub(super) fn broken(
        &mut self,
        errors: &[Diagnostic],
        sources: &Sources,
        streams: &mut Streams,
    ) {
        self.tell(errors, sources, streams);
        self.exit = self.exit.and(Exit::Broken);
    }

    /// True when something cannot be answered.
    pub(super) fn is_broken(&self) -> bool {
        self.exit == Exit::Broken
    }

    pub(super) fn tell(
        &mut self,
        diagnostics: &[Diagnostic],
        sources: &Sources,
        streams: &mut Streams,
    ) {
        for diagnostic in diagnostics {
            streams.diagnostic(diagnostic, sources);
            self.diagnostics.push(json::diagnostic(diagnostic, sources));
        }
    }

    /// Adds the variants of an input, function by function.
    pub(super) fn add(
        &mut self,
        ready: &Ready,
        all: Vec<(Variant, Planned)>,
        sources: &Sources,
        streams: &mut Streams,
    ) {
        let mut by_function: Vec<Vec<(bool, Row)>> =
            vec![Vec::new(); ready.problem.functions.len()];
        for (variant, planned) in all {
            if !planned.bugs.is_empty() {
                self.broken(&planned.bugs, sources, streams);
            }
            for (index, row) in planned.rows {
                if let Some(rows) = by_function.get_mut(index) {
                    rows.push((variant.part.is_some(), row));
                }
            }
        }
        for rows in by_function {
            self.body.variants.extend(compared(rows));
        }
    }

    /// Adds the smallest capacities of a function.
    pub(super) fn add_minimum(
        &mut self,
        minimum: Minimum,
        sources: &Sources,
        streams: &mut Streams,
    ) {
        if !minimum.bugs.is_empty() {
            self.broken(&minimum.bugs, sources, streams);
        }
        self.body.min_capacity.extend(minimum.rows);
    }

    /// Ends the report.
    pub(super) fn end(self, global: &Global, streams: &mut Streams) -> Exit {
        match global.format {
            Format::Json => {
                streams.json(&json::envelope("what-if", None, self.diagnostics, self.body));
            }
            Format::Markdown => {
                streams.answer(&human::what_if_markdown(&self.body));
                streams.count();
            }
            _ => {
                streams.answer(&human::what_if(streams.view, &self.body));
                streams.count();
            }
        }
        self.exit
    }
}

/// The rows of one function, each with its change against the input as it is: changed functions of HIVM
/// text against the one that is planned by the same facts, which is told where it differs.
fn compared(rows: Vec<(bool, Row)>) -> Vec<Row> {
    let mut as_it_is: BTreeMap<(bool, Option<String>), u64> = BTreeMap::new();
    let mut out: Vec<Row> = Vec::with_capacity(rows.len());
    for (at, (changed, mut row)) in rows.into_iter().enumerate() {
        let first = at == 0 || out.first().is_some_and(|first| first.variant == row.variant);
        let own = row.variant == OUR_FACTS;
        if let (Some(peak), true) = (row.peak, first) {
            as_it_is.insert((false, row.scope.clone()), peak);
            as_it_is.insert((true, row.scope.clone()), peak);
        }
        let base = as_it_is.get(&(changed && !own, row.scope.clone())).copied();
        row.delta = row.peak.zip(base).map(|(peak, base)| {
            let delta = i128::from(peak) - i128::from(base);
            i64::try_from(delta).unwrap_or(if delta < 0 { i64::MIN } else { i64::MAX })
        });
        if own {
            if let Some(peak) = row.peak {
                as_it_is.insert((true, row.scope.clone()), peak);
            }
            let before = out.iter().find(|base| base.scope == row.scope).map(|base| base.peak);
            if before == Some(row.peak) || row.reason.is_some() {
                continue;
            }
        }
        out.push(row);
    }
    out
}

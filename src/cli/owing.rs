//! What plans owe, in the reports of `solve` and `verify`.

use std::collections::BTreeMap;

use super::placing::{Shown, Stage};
use super::plans;
use crate::format::json_replay::{OwedEdge, Timeline};
use crate::model::{Answer, Problem, ReuseLevel};
use crate::report::context::{Arena, Input, Placed};
use crate::report::human::{self, View};
use crate::report::json;
use crate::verify::{self, owed::Owed};

/// What the replays of an answer's plans show; nothing of functions without a whole plan.
pub(super) fn of(problem: &Problem, answer: &Answer, stage: &Stage) -> Shown {
    let mut planned = answer.clone();
    planned.functions.retain(|f| f.verdict.has_plan());
    if planned.functions.is_empty() {
        return Shown::default();
    }
    stage.show(problem, &plans::of(problem, &planned))
}

/// What runtimes make of a plan, for reports.
pub(super) fn placed(shown: &Shown) -> Vec<Placed<'_>> {
    let one = |(runtime, placed): &'_ (&'static str, verify::place::Placed)| {
        let counters = placed.counters.rows();
        let c = &placed.counters;
        (*runtime, counters, c.faults_device + c.faults_host, c.bytes_moved)
    };
    let arena = |a: &'_ verify::place::Arena| (a.planned, a.held, a.per_buffer);
    shown
        .placed
        .iter()
        .map(|pair| {
            let (runtime, counters, faults, moved) = one(pair);
            let arenas = pair.1.arenas.iter().map(|a| {
                let (planned, held, per_buffer) = arena(a);
                Arena { function: &a.function, scope: &a.scope, planned, held, per_buffer }
            });
            Placed {
                runtime,
                arenas: arenas.collect(),
                peak: pair.1.peak,
                saved: pair.1.saved,
                faults,
                moved,
                makespan: pair.1.makespan,
                counters,
            }
        })
        .collect()
}

/// Adds what one input owes to the lists of a report; returns the sum of all makespans.
pub(super) fn add(
    input: Input<'_>,
    owed: &[Owed],
    (edges, timelines): (&mut Vec<OwedEdge>, &mut Vec<Timeline>),
    counters: &mut BTreeMap<&'static str, u64>,
) -> u64 {
    for one in owed {
        timelines.push(json::timeline(input.name, &one.timeline, edges.len()));
        edges.extend(json::owed(input.name, input.sources, &one.edges));
        for (name, count, _) in one.counters.rows().into_iter().filter(|row| row.1 > 0) {
            let sum = counters.entry(name).or_insert(0);
            *sum = sum.saturating_add(count);
        }
    }
    timelines.iter().fold(0, |sum, t| sum.saturating_add(t.makespan))
}

/// The same for people.
pub(super) fn text(view: View, owed: &[Owed]) -> String {
    let named = owed.len() > 1;
    let mut out = String::new();
    for one in owed {
        out.push_str(&human::owed(view, &one.edges, &one.timeline, named));
        if one.bounded && !one.edges.is_empty() && !view.quiet {
            out.push_str("  not every path was walked: there may be more\n");
        }
    }
    out
}

/// What each plan below level `pipe` costs.
pub(super) fn prices(view: View, answer: &Answer, owed: &[Owed]) -> String {
    let mut out = String::new();
    for one in owed.iter().filter(|_| !view.quiet) {
        let mut functions = answer.functions.iter().filter(|f| f.name == one.timeline.function);
        let scopes = functions.next().map_or(&[][..], |f| f.scopes.as_slice());
        let level: Option<ReuseLevel> = scopes.iter().filter_map(|s| s.level).max();
        if let Some(line) = human::price(level, &one.edges, &one.timeline) {
            out.push_str(&format!("{line}\n"));
        }
    }
    out
}

//! Replays.

use crate::format::json_replay::{Answer, Replay as Json, Run};
use crate::report::context::{Input, Replay};

/// Adds a trace to the report.
pub fn add_replay(input: Input<'_>, replay: &Replay<'_>, to: &mut Json) {
    let first = to.traces.is_empty();
    let judged = &mut to.judged;
    judged.findings.extend(super::findings(input, replay.findings));
    judged.timelines.push(super::timeline(input.name, replay.timeline, judged.owed.len()));
    judged.owed.extend(super::owed(input.name, input.sources, replay.owed));
    judged.makespan = judged.makespan.saturating_add(replay.timeline.makespan);
    let counters = &mut judged.counters;
    for (name, count, _) in &replay.counters {
        let all = counters.entry(*name).or_default();
        // The highest of several inputs is no sum.
        let high = name.ends_with("_high");
        *all = if high { (*all).max(*count) } else { all.saturating_add(*count) };
    }
    to.schedule = first.then(|| replay.schedule.to_owned());
    to.runs = to.runs.saturating_add(replay.runs);
    to.complete = (first || to.complete) && replay.complete;
    to.answers.extend(replay.answers.iter().map(|(op, value)| Answer {
        input: input.name.to_owned(),
        op: op.clone(),
        value: value.clone(),
    }));
    to.traces.push(Run {
        input: input.name.to_owned(),
        machine: replay.machine.to_owned(),
        schedule: replay.schedule.to_owned(),
        runs: replay.runs,
        complete: replay.complete,
        makespan: replay.timeline.makespan,
        counters: replay.counters.iter().map(|(name, count, _)| (*name, *count)).collect(),
    });
}

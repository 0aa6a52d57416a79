//! Replays.

use crate::format::json_replay::{Answer, Replay as Json, Run};
use crate::report::context::{Input, Replay};

/// Adds a trace to the report.
pub fn add_replay(input: Input<'_>, replay: &Replay<'_>, to: &mut Json) {
    let first = to.traces.is_empty();
    let judged = &mut to.judged;
    judged.findings.extend(super::findings(input, replay.findings));
    let owed = judged.owed.get_or_insert_default();
    let before = u64::try_from(owed.len()).unwrap_or(u64::MAX);
    owed.extend(super::owed(input, replay.owed));
    let mut timeline = super::timeline(input, replay.timeline);
    // Positions are those of the whole list.
    for [at, _] in &mut timeline.delays {
        *at = at.saturating_add(before);
    }
    judged.timelines.get_or_insert_default().push(timeline);
    judged.makespan = judged.makespan.max(Some(replay.timeline.makespan));
    let counters = judged.counters.get_or_insert_default();
    for (name, count, _) in &replay.counters {
        let all = counters.entry(*name).or_default();
        *all = all.saturating_add(*count);
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

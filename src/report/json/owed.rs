//! Owed edges and timelines.

use crate::format::json_replay::{OwedEdge as JsonEdge, Timeline as JsonTimeline};
use crate::model::{OwedEdge, Timeline};
use crate::report::context::Input;

/// The owed edges of one input.
pub fn owed(input: Input<'_>, edges: &[OwedEdge]) -> Vec<JsonEdge> {
    let edge = |edge: &OwedEdge| JsonEdge {
        input: input.name.to_owned(),
        function: edge.function.clone(),
        scope: edge.scope.clone(),
        first: edge.first.clone(),
        second: edge.second.clone(),
        buffers: [edge.first_buffer.clone(), edge.second_buffer.clone()],
        bytes: edge.bytes.iter().map(|b| [b.start, b.end]).collect(),
        pipes: [edge.pipes.0.clone(), edge.pipes.1.clone()],
        stall: edge.stall,
        distance: edge.distance,
        edge: edge.edge.clone(),
        locs: [input.place(edge.first_loc), input.place(edge.second_loc)],
    };
    edges.iter().map(edge).collect()
}

/// The timeline of a function or trace.
pub fn timeline(input: Input<'_>, timeline: &Timeline) -> JsonTimeline {
    let position = |at: usize| u64::try_from(at).unwrap_or(u64::MAX);
    JsonTimeline {
        input: input.name.to_owned(),
        function: timeline.function.clone(),
        makespan: timeline.makespan,
        without_reuse: timeline.without_reuse,
        prefix: timeline.prefix,
        delays: timeline.delays.iter().map(|(at, ticks)| [position(*at), *ticks]).collect(),
    }
}

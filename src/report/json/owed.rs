//! Owed edges and timelines.

use crate::diag::{Loc, Sources};
use crate::format::json_replay as json;
use crate::model::{OwedEdge, Timeline};

/// The owed edges of one input.
pub fn owed(name: &str, sources: &Sources, edges: &[OwedEdge]) -> Vec<json::OwedEdge> {
    let place = |loc: Option<Loc>| loc.map(|loc| sources.place(loc));
    edges
        .iter()
        .map(|e| json::OwedEdge {
            input: name.to_owned(),
            function: e.function.clone(),
            scope: e.scope.clone(),
            first: e.first.clone(),
            second: e.second.clone(),
            first_buffer: e.first_buffer.clone(),
            second_buffer: e.second_buffer.clone(),
            bytes: e.bytes.iter().map(|b| [b.start, b.end]).collect(),
            pipes: [e.pipes.0.clone(), e.pipes.1.clone()],
            stall: e.stall,
            distance: e.distance,
            edge: e.edge.clone(),
            first_loc: place(e.first_loc),
            second_loc: place(e.second_loc),
        })
        .collect()
}

/// A timeline whose owed edges stand after `before` others in the report's list.
pub fn timeline(name: &str, timeline: &Timeline, before: usize) -> json::Timeline {
    let shifted = timeline.delays.iter().map(|&(at, lost)| (before.saturating_add(at), lost));
    json::Timeline {
        input: name.to_owned(),
        function: timeline.function.clone(),
        makespan: timeline.makespan,
        without_reuse: timeline.without_reuse,
        prefix: timeline.prefix,
        delays: shifted.collect(),
    }
}

//! The timeline of a replay as columns.

use super::names::Names;
use crate::format::picture::Pipes;
use crate::model::{OwedEdge, Slice, Timeline};
use crate::report::words;

/// Slices of a timeline that a page shows at most: those that start first.
const MOST: usize = 40_000;

/// A timeline; `owed` are the edges that its delays point at.
pub(super) fn pipes(timeline: &Timeline, owed: &[OwedEdge]) -> Option<Pipes> {
    if timeline.slices.is_empty() {
        return None;
    }
    let mut slices: Vec<&Slice> = timeline.slices.iter().collect();
    slices.sort_by_key(|s| s.start);
    let left_out = slices.len().saturating_sub(MOST);
    slices.truncate(MOST);
    let (mut tracks, mut names) = (Names::default(), Names::default());
    // Tracks in the order in which the program uses them.
    timeline.slices.iter().for_each(|s| _ = tracks.at(&words::name(&s.track)));
    let mut pipes = Pipes { makespan: timeline.makespan, left_out, ..Pipes::default() };
    for slice in &slices {
        pipes.track.push(tracks.at(&words::name(&slice.track)));
        pipes.name.push(names.at(&words::name(&slice.name)));
        pipes.start.push(slice.start);
        pipes.end.push(slice.end);
    }
    pipes.tracks = tracks.words();
    pipes.words = names.words();
    let waits = timeline.delays.iter().filter(|(_, ticks)| *ticks > 0);
    pipes.waits = waits.filter_map(|(at, ticks)| wait(&slices, owed.get(*at)?, *ticks)).collect();
    Some(pipes)
}

/// Between which slices an edge shows first: the op that is waited for ends, then the other starts.
fn wait(slices: &[&Slice], edge: &OwedEdge, ticks: u64) -> Option<[u64; 3]> {
    let is = |slice: &Slice, op: &str, pipe: &str| {
        slice.name == op && slice.track.rsplit('.').next() == Some(pipe)
    };
    let firsts = slices.iter().enumerate().filter(|(_, s)| is(s, &edge.first, &edge.pipes.0));
    for (first, slice) in firsts {
        let after =
            |(_, s): &(usize, &&Slice)| s.start >= slice.end && is(s, &edge.second, &edge.pipes.1);
        if let Some((second, _)) = slices.iter().enumerate().find(after) {
            let at = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
            return Some([at(first), at(second), ticks]);
        }
    }
    None
}

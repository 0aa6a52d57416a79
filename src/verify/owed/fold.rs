//! Edges between instances become edges between ops (13.1, step 8).

use std::collections::BTreeMap;

use super::order::Edge;
use super::tape::{Path, Pipes};
use crate::model::{BufferId, ByteRange, OpId, OwedEdge, Step};
use crate::runtime::clock::ActorId;
use crate::verify::case::{Case, bytes};
use crate::verify::objects::scope;

/// What makes two edges one; sorted as the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    first: Step,
    second: Step,
    distance: u64,
    actors: (ActorId, ActorId),
}

/// The edges of all paths.
#[derive(Default)]
pub(super) struct Folded {
    edges: BTreeMap<Key, Facts>,
}

struct Facts {
    ops: (OpId, OpId),
    buffers: (BufferId, BufferId),
    bytes: Vec<ByteRange>,
}

impl Folded {
    /// Adds an edge of a path.
    pub(super) fn add(&mut self, case: &Case<'_>, path: &Path, edge: &Edge) -> Option<Key> {
        let key = key(case, path, edge)?;
        let first = path.stages.get(edge.first as usize)?;
        let second = path.stages.get(edge.second as usize)?;
        let facts = self.edges.entry(key).or_insert_with(|| Facts {
            ops: (first.op, second.op),
            buffers: edge.before.buffers,
            bytes: Vec::new(),
        });
        let home = scope(case, facts.buffers.0);
        if scope(case, edge.before.buffers.0) == home {
            let inside = edge.before.bytes.iter();
            facts.bytes.extend(
                inside.map(|&(lo, hi)| bytes(lo.saturating_sub(home), hi.saturating_sub(home))),
            );
            if facts.bytes.len() > MAX_RANGES {
                facts.bytes = union(std::mem::take(&mut facts.bytes));
            }
        }
        Some(key)
    }

    /// The position of each edge in the list.
    pub(super) fn places(&self) -> BTreeMap<Key, usize> {
        self.edges.keys().enumerate().map(|(at, &key)| (key, at)).collect()
    }

    /// The list.
    pub(super) fn list(self, case: &Case<'_>, pipes: &Pipes) -> Vec<OwedEdge> {
        self.edges.into_iter().map(|(key, facts)| owed(case, pipes, key, facts)).collect()
    }
}

/// Ranges of an edge that are kept before they are joined.
const MAX_RANGES: usize = 64;

fn key(case: &Case<'_>, path: &Path, edge: &Edge) -> Option<Key> {
    let first = path.stages.get(edge.first as usize)?;
    let second = path.stages.get(edge.second as usize)?;
    // The innermost common loop; its bodies are counted over the whole path.
    let (a, b) = (&case.order.loops_of_op[first.op], &case.order.loops_of_op[second.op]);
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let count = |begun: &[u64]| common.checked_sub(1).and_then(|at| begun.get(at)).copied();
    let distance = match (count(&first.begun), count(&second.begun)) {
        (Some(a), Some(b)) => b.saturating_sub(a),
        _ => 0,
    };
    Some(Key {
        first: case.order.ops[first.op],
        second: case.order.ops[second.op],
        distance,
        actors: (first.epoch.actor, second.epoch.actor),
    })
}

fn owed(case: &Case<'_>, pipes: &Pipes, key: Key, facts: Facts) -> OwedEdge {
    let (a, b) = (&case.function.ops[facts.ops.0], &case.function.ops[facts.ops.1]);
    let name = |id: BufferId| case.buffer(id).name.clone();
    let stall = key.actors.0 != key.actors.1;
    OwedEdge {
        function: case.function.name.clone(),
        scope: case.scope(facts.buffers.0).name.clone(),
        first: a.name.clone(),
        second: b.name.clone(),
        first_buffer: name(facts.buffers.0),
        second_buffer: name(facts.buffers.1),
        bytes: union(facts.bytes),
        pipes: (pipes.name(key.actors.0).to_owned(), pipes.name(key.actors.1).to_owned()),
        stall,
        distance: key.distance,
        edge: remedy(pipes, key.actors, (&a.name, &b.name), key.distance),
        first_loc: a.loc,
        second_loc: b.loc,
    }
}

/// What would order two stages.
pub(super) fn remedy(
    pipes: &Pipes,
    (from, to): (ActorId, ActorId),
    (first, second): (&str, &str),
    distance: u64,
) -> String {
    let trips = match distance {
        0 => String::new(),
        1 => " of the next trip".to_owned(),
        n => format!(" {n} trips later"),
    };
    let (p, q) = (pipes.name(from), pipes.name(to));
    if from == to {
        format!("pipe_barrier({p}) before {second}{trips}")
    } else if pipes.none(from) || pipes.none(to) {
        format!("{first} complete before {second}{trips}")
    } else {
        format!("set_flag({p}, {q}) after {first}, wait_flag({p}, {q}) before {second}{trips}")
    }
}

/// Sorted, disjoint, nothing empty.
fn union(mut ranges: Vec<ByteRange>) -> Vec<ByteRange> {
    ranges.sort_unstable();
    let mut out: Vec<ByteRange> = Vec::new();
    for range in ranges.into_iter().filter(|r| !r.is_empty()) {
        match out.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => out.push(range),
        }
    }
    out
}

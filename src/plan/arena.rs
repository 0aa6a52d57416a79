//! The parts of a scope that are packed on their own: one for each owner's partition, and the rest.

use std::ops::Range;

use crate::model::{BufferId, ByteRange, Function, Problem, ScopeId};

/// A part of a scope with the buffers that lie in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena {
    /// The owner; none for the part that belongs to nobody.
    pub owner: Option<String>,
    /// Bytes from offset 0 of the scope to the end of the part; none when unbounded.
    pub capacity: Option<u64>,
    /// Bytes below the capacity that may not be used: sorted, disjoint.
    pub reserved: Vec<Range<u64>>,
    /// The buffers.
    pub buffers: Vec<BufferId>,
}

impl Arena {
    /// The arenas of a scope that have buffers, the unowned one first.
    pub fn of(problem: &Problem, function: &Function, scope: ScopeId) -> Vec<Self> {
        let s = &problem.scopes[scope];
        let mut owners: Vec<&str> = s.partitions.iter().map(|p| p.owner.as_str()).collect();
        owners.sort_unstable();
        owners.dedup();
        let reserved = s.reserved.iter().map(|r| r.range);
        let mut arenas = Vec::new();
        for owner in std::iter::once(None).chain(owners.into_iter().map(Some)) {
            let mine = |id: &BufferId| {
                let b = &function.buffers[*id];
                b.scope == scope && b.owner.as_deref() == owner
            };
            let buffers: Vec<BufferId> = function.buffers.ids().filter(mine).collect();
            if buffers.is_empty() {
                continue;
            }
            let others = s.partitions.iter().filter(|p| Some(p.owner.as_str()) != owner);
            let mut taken: Vec<ByteRange> =
                reserved.clone().chain(others.map(|p| p.range)).collect();
            let mut capacity = s.bytes();
            if owner.is_some() {
                let own = s.partitions.iter().filter(|p| Some(p.owner.as_str()) == owner);
                let own: Vec<ByteRange> = own.map(|p| p.range).collect();
                let end = own.iter().map(|r| r.end).max().unwrap_or(0);
                capacity = Some(end);
                let mut from = 0;
                for range in own {
                    taken.push(ByteRange::new(from, range.start));
                    from = range.end;
                }
            }
            arenas.push(Self {
                owner: owner.map(str::to_owned),
                capacity,
                reserved: joined(taken),
                buffers,
            });
        }
        arenas
    }
}

fn joined(mut ranges: Vec<ByteRange>) -> Vec<Range<u64>> {
    ranges.sort_unstable();
    let mut out: Vec<Range<u64>> = Vec::new();
    for range in ranges.into_iter().filter(|r| !r.is_empty()) {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range.start..range.end),
        }
    }
    out
}

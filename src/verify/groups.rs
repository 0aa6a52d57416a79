//! Colocated buffers: several names for the same bytes.

use crate::model::{BufferId, Function, IdVec, Index, RelationKind};

/// Which group a buffer belongs to; buffers without `colocate` are groups of one.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    of: IdVec<BufferId, (u32, u64)>,
    len: usize,
}

impl Groups {
    /// Follows the `colocate` relations. Deltas that contradict each other cannot all be met, so
    /// one of them is a finding of its own; here the first one found counts.
    pub(super) fn of(function: &Function) -> Self {
        let n = function.buffers.len();
        let mut near: Vec<Vec<(usize, i128)>> = vec![Vec::new(); n];
        for relation in &function.relations {
            let RelationKind::Colocate { delta } = relation.kind else { continue };
            let (a, b) = (relation.first.at(), relation.second.at());
            if a < n && b < n {
                near[a].push((b, i128::from(delta)));
                near[b].push((a, -i128::from(delta)));
            }
        }
        let mut place: Vec<Option<(u32, i128)>> = vec![None; n];
        let mut len: usize = 0;
        for root in 0..n {
            if place[root].is_some() {
                continue;
            }
            let group = u32::try_from(len).unwrap_or(u32::MAX);
            place[root] = Some((group, 0));
            let mut members = vec![(root, 0i128)];
            let mut next = 0;
            while let Some(&(here, base)) = members.get(next) {
                next += 1;
                for &(there, delta) in &near[here] {
                    if place[there].is_none() {
                        place[there] = Some((group, base + delta));
                        members.push((there, base + delta));
                    }
                }
            }
            // The lowest member becomes the base.
            let low = members.iter().map(|&(_, d)| d).min().unwrap_or(0);
            for (member, d) in members {
                place[member] = Some((group, d - low));
            }
            len += 1;
        }
        let cut = |d: i128| u64::try_from(d).unwrap_or(u64::MAX);
        let of = place.into_iter().map(|p| p.map_or((0, 0), |(g, d)| (g, cut(d)))).collect();
        Self { of, len }
    }

    /// How many groups there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The group of a buffer.
    pub(super) fn group(&self, buffer: BufferId) -> u32 {
        self.of[buffer].0
    }

    /// Bytes from the start of the group to the start of the buffer.
    pub(super) fn lead(&self, buffer: BufferId) -> u64 {
        self.of[buffer].1
    }

    /// True for two buffers that must be the same bytes.
    pub(super) fn same(&self, a: BufferId, b: BufferId) -> bool {
        self.group(a) == self.group(b)
    }
}

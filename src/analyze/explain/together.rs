//! Buffers that must lie on the same bytes.

use std::collections::BTreeMap;

use crate::model::{BufferId, Function, Relation, RelationKind};

/// The groups of a function: colocated buffers, and those that take over from each other.
#[derive(Clone, Debug, Default)]
pub struct Together<'a> {
    /// The group and the offset in it of each buffer that is in one.
    pub of: BTreeMap<BufferId, (usize, u64)>,
    /// The members of each group, in the order of the input.
    pub members: Vec<Vec<BufferId>>,
    /// The relations that tie each group, in the order of the input.
    pub relations: Vec<Vec<&'a Relation>>,
}

impl<'a> Together<'a> {
    /// The groups that relations make.
    pub fn of(function: &'a Function) -> Self {
        let mut ties: BTreeMap<BufferId, Vec<(BufferId, i128)>> = BTreeMap::new();
        let delta = |r: &Relation| match r.kind {
            RelationKind::Colocate { delta } => Some(i128::from(delta)),
            RelationKind::Handover => Some(0),
            _ => None,
        };
        for relation in &function.relations {
            let Some(delta) = delta(relation) else { continue };
            ties.entry(relation.first).or_default().push((relation.second, delta));
            ties.entry(relation.second).or_default().push((relation.first, -delta));
        }
        let mut groups = Self { of: BTreeMap::new(), members: Vec::new(), relations: Vec::new() };
        for &first in ties.keys() {
            if groups.of.contains_key(&first) {
                continue;
            }
            let mut found: BTreeMap<BufferId, i128> = BTreeMap::from([(first, 0)]);
            let mut todo = vec![(first, 0)];
            while let Some((id, at)) = todo.pop() {
                for (other, delta) in ties.get(&id).into_iter().flatten() {
                    if !found.contains_key(other) {
                        found.insert(*other, at + delta);
                        todo.push((*other, at + delta));
                    }
                }
            }
            let low = found.values().copied().min().unwrap_or(0);
            let group = groups.members.len();
            let place = |at: i128| u64::try_from(at - low).unwrap_or(u64::MAX);
            groups.members.push(found.keys().copied().collect());
            groups.relations.push(Vec::new());
            groups.of.extend(found.into_iter().map(|(id, at)| (id, (group, place(at)))));
        }
        for relation in function.relations.iter().filter(|r| delta(r).is_some()) {
            let group = groups.of[&relation.first].0;
            groups.relations[group].push(relation);
        }
        groups
    }
}

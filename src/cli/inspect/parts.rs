//! Who makes the peak of a scope, and what the scope is made of.

use std::collections::{BTreeMap, BTreeSet};

use super::scene::Scene;
use crate::format::json_inspect::{Contributor, Part};
use crate::model::{BufferId, Scope, Step};

/// Contributors listed, at most.
pub(super) const MAX_CONTRIBUTORS: usize = 100;

/// The buffers alive at the peak, the largest first; those `taken` are counted with others.
pub(super) fn contributors(
    scene: Scene<'_>,
    here: &[BufferId],
    at: Step,
    taken: &BTreeSet<BufferId>,
) -> Vec<Contributor> {
    let groups = scene.reasons.together();
    let mut alive: Vec<BufferId> = here.iter().copied().filter(|id| scene.alive(*id, at)).collect();
    alive.sort_by_key(|id| (std::cmp::Reverse(scene.bytes(*id)), *id));
    // Of buffers on the same bytes the largest stands for all.
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    let row = |id: BufferId| {
        let buffer = &scene.function.buffers[id];
        let group = groups.of.get(&id).map(|(group, _)| *group);
        Contributor {
            id: id.0,
            name: buffer.name.clone(),
            bytes: scene.bytes(id),
            shared: taken.contains(&id) || group.is_some_and(|group| !seen.insert(group)),
            temporary: scene.temporary(id),
            owner: buffer.owner.clone(),
            loc: scene.place(buffer.loc),
        }
    };
    alive.into_iter().map(row).collect()
}

/// The rows of temporaries, owners and reserved bytes beside that of all other buffers.
pub(super) fn parts(scope: &Scope, contributors: &[Contributor]) -> Vec<Part> {
    let mut out = Vec::new();
    let plain = Part { kind: "buffers", name: None, bytes: 0, buffers: 0, partition: None };
    let add = |part: &mut Part, c: &Contributor| {
        part.buffers += 1;
        if !c.shared {
            part.bytes = part.bytes.saturating_add(c.bytes);
        }
    };
    let mut buffers = plain;
    let mut temporaries =
        Part { kind: "temporaries", name: None, bytes: 0, buffers: 0, partition: None };
    let mut owners: BTreeMap<&str, Part> = BTreeMap::new();
    let owner = |name: &str, partition| Part {
        kind: "owner",
        name: Some(name.to_owned()),
        bytes: 0,
        buffers: 0,
        partition,
    };
    for partition in &scope.partitions {
        owners.insert(&partition.owner, owner(&partition.owner, Some(partition.range.len())));
    }
    for c in contributors {
        match &c.owner {
            Some(name) => add(owners.entry(name).or_insert_with(|| owner(name, None)), c),
            None if c.temporary => add(&mut temporaries, c),
            None => add(&mut buffers, c),
        }
    }
    out.push(buffers);
    out.extend((temporaries.buffers > 0).then_some(temporaries));
    out.extend(owners.into_values());
    let reserved = |r: &crate::model::Reserved| Part {
        kind: "reserved",
        name: r.why.clone(),
        bytes: r.range.len(),
        buffers: 0,
        partition: None,
    };
    out.extend(scope.reserved.iter().map(reserved));
    out
}

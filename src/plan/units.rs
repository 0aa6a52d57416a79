//! Buffers that are the same bytes by decision: each group becomes one buffer of a function of its own,
//! which is analysed and planned like any other.
//!
//! Whether a group may be one buffer is not asked here: the judge replays the plan on the program as
//! it was written.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    AccessMode, Buffer, BufferId, Function, IdVec, Index, LoopId, OpId, Order, Placement, Relation,
    RelationKind, ValueKind,
};

/// A function in which groups of buffers are one.
#[derive(Clone, Debug)]
pub(super) struct Units {
    /// The function.
    pub(super) function: Function,
    /// The buffer of [`Self::function`] that each buffer of the old one has become.
    pub(super) of: IdVec<BufferId, BufferId>,
    /// True when some group has members with different numbers of slots.
    pub(super) unequal: bool,
}

/// Makes each group one buffer: as large as its largest member, with as many slots as the one that
/// has most. Groups of one, across scopes, or with pins, are left out.
pub(super) fn merge(function: &Function, groups: &[Vec<BufferId>]) -> Units {
    let mut head: IdVec<BufferId, BufferId> = function.buffers.ids().collect();
    let mut unequal = false;
    for group in groups {
        let Some(&first) = group.iter().min() else { continue };
        let b = |id: BufferId| &function.buffers[id];
        let fits = group.iter().all(|&id| b(id).scope == b(first).scope && b(id).pin.is_none());
        if !fits {
            continue;
        }
        unequal |= group.iter().any(|&id| b(id).slots != b(first).slots);
        for &id in group {
            head[id] = first;
        }
    }
    let mut of: IdVec<BufferId, BufferId> = head.clone();
    let mut buffers: IdVec<BufferId, Buffer> = IdVec::new();
    for (id, &first) in head.enumerate() {
        let buffer = &function.buffers[id];
        if id == first {
            of[id] = buffers.push(buffer.clone());
        } else {
            of[id] = of[first];
            join(&mut buffers[of[first]], buffer);
        }
    }
    let mut out = Function { buffers, ..function.clone() };
    for value in out.values.iter_mut() {
        if let ValueKind::Buffer(buffer) = &mut value.kind {
            *buffer = of[*buffer];
        }
    }
    fresh(function, &of, &mut out);
    out.relations = relations(function, &of);
    Units { function: out, of, unequal }
}

/// A fresh member: itself, the op, the loops around it.
type Made<'a> = (BufferId, OpId, &'a [LoopId]);

fn join(into: &mut Buffer, other: &Buffer) {
    if other.size > into.size {
        (into.size, into.shape) = (other.size, other.shape.clone());
    }
    if other.slots > into.slots {
        (into.slots, into.rotates_in) = (other.slots, other.rotates_in);
    }
    into.alignment = into.alignment.max(other.alignment);
    into.unique |= other.unique;
    into.preload |= other.preload;
}

/// A member that is made anew says nothing about what the others hold. Only the first of a group in
/// one and the same loop tells that nothing of the trip before is needed.
fn fresh(old: &Function, of: &IdVec<BufferId, BufferId>, out: &mut Function) {
    let order = Order::of(old);
    let mut members: IdVec<BufferId, BTreeSet<BufferId>> =
        IdVec::filled(BTreeSet::new(), out.buffers.len());
    for (id, unit) in of.enumerate() {
        members[*unit].insert(id);
    }
    // For each unit: the loops around the fresh members, and the first of them.
    let mut places: BTreeMap<BufferId, Vec<Made<'_>>> = BTreeMap::new();
    for (op, body) in old.ops.enumerate() {
        for access in body.accesses.iter().filter(|a| a.mode == AccessMode::Fresh) {
            if let ValueKind::Buffer(buffer) = old.values[access.value].kind {
                let loops = order.loops_of_op[op].as_slice();
                places.entry(of[buffer]).or_default().push((buffer, op, loops));
            }
        }
    }
    let mut keep: BTreeSet<(OpId, BufferId)> = BTreeSet::new();
    for (unit, list) in &places {
        if members[*unit].len() == 1 {
            keep.extend(list.iter().map(|(_, op, _)| (*op, *unit)));
            continue;
        }
        let seen: BTreeSet<BufferId> = list.iter().map(|(buffer, ..)| *buffer).collect();
        let Some((_, _, around)) = list.first() else { continue };
        if seen == members[*unit] && list.iter().all(|(_, _, loops)| loops == around) {
            let first = list.iter().min_by_key(|(_, op, _)| order.ops[*op]);
            keep.extend(first.map(|(_, op, _)| (*op, *unit)));
        }
    }
    for at in 0..out.ops.len() {
        let op = OpId::new(at);
        let values = &out.values;
        out.ops[op].accesses.retain(|access| match values[access.value].kind {
            ValueKind::Buffer(unit) if access.mode == AccessMode::Fresh => {
                keep.contains(&(op, unit))
            }
            _ => true,
        });
    }
}

fn relations(function: &Function, of: &IdVec<BufferId, BufferId>) -> Vec<Relation> {
    let mut out: Vec<Relation> = Vec::new();
    let mut seen: BTreeSet<(RelationKind, BufferId, BufferId)> = BTreeSet::new();
    for relation in &function.relations {
        let (first, second) = (of[relation.first], of[relation.second]);
        if first != second && seen.insert((relation.kind, first, second)) {
            out.push(Relation { first, second, ..relation.clone() });
        }
    }
    out
}

impl Units {
    /// Every buffer a unit of its own.
    pub(super) fn alone(function: &Function) -> Self {
        let of = function.buffers.ids().collect();
        Self { function: function.clone(), of, unequal: false }
    }

    /// The placements of the old function's buffers.
    pub(super) fn expand(&self, old: &Function, placements: &[Placement]) -> Vec<Placement> {
        let by_unit: BTreeMap<u32, &Placement> =
            placements.iter().filter_map(|p| Some((p.id?, p))).collect();
        let mut out = Vec::new();
        for (id, unit) in self.of.enumerate() {
            let Some(placement) = by_unit.get(&unit.0) else { continue };
            out.push(Placement {
                name: old.buffers[id].name.clone(),
                id: Some(id.0),
                ..(*placement).clone()
            });
        }
        out
    }
}

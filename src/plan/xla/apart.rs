//! The plan in which only what must share bytes does.

use crate::model::{
    BufferId, FunctionPlan, IdVec, Index, Placement, Problem, RelationKind, ScopeId,
};

/// Gives every must-alias group of the (first) function bytes of its own, one after the other in each
/// scope. If the judge refuses this plan, it is the module that is wrong.
pub fn apart(problem: &Problem) -> FunctionPlan {
    let Some(function) = problem.functions.first() else { return FunctionPlan::default() };
    let mut leader: IdVec<BufferId, BufferId> = function.buffers.ids().collect();
    for relation in &function.relations {
        if relation.kind == RelationKind::Handover {
            let (a, b) = (find(&mut leader, relation.first), find(&mut leader, relation.second));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut size: IdVec<BufferId, u64> = IdVec::filled(0, function.buffers.len());
    for (id, buffer) in function.buffers.enumerate() {
        let of = find(&mut leader, id);
        size[of] = size[of].max(buffer.size.0);
    }
    let mut end: IdVec<ScopeId, u64> = IdVec::filled(0, problem.scopes.len());
    let mut offset: IdVec<BufferId, u64> = IdVec::filled(0, function.buffers.len());
    let mut placements = Vec::with_capacity(function.buffers.len());
    for (id, buffer) in function.buffers.enumerate() {
        let of = find(&mut leader, id);
        if of == id {
            let end = &mut end[buffer.scope];
            let start = end.checked_next_multiple_of(buffer.alignment.max(1)).unwrap_or(*end);
            offset[id] = start;
            *end = start.saturating_add(size[id]);
        }
        placements.push(Placement {
            name: buffer.name.clone(),
            id: u32::try_from(id.at()).ok(),
            scope: Some(problem.scopes[buffer.scope].name.clone()),
            offsets: vec![offset[of]],
            loc: None,
        });
    }
    FunctionPlan { name: function.name.clone(), fingerprint: None, placements }
}

/// The first buffer of a group.
fn find(leader: &mut IdVec<BufferId, BufferId>, mut at: BufferId) -> BufferId {
    while leader[at] != at {
        let above = leader[leader[at]];
        leader[at] = above;
        at = above;
    }
    at
}

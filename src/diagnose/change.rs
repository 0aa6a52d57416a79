//! What a change does to a problem.

use crate::model::{
    Buffer, BufferId, Change, Function, Problem, Relation, RelationKind, Scope, ScopeId,
};

/// The problem with a change made to the function at `index`; `scope` is the memory that did not fit.
///
/// `None` for what cannot be made in a problem: [`Change::Level`], [`Change::Order`] and [`Change::Planner`]
/// change the question, and a buffer that is the same bytes as another cannot change alone.
pub fn apply(problem: &Problem, index: usize, scope: ScopeId, change: &Change) -> Option<Problem> {
    let mut out = problem.clone();
    let function = out.functions.get_mut(index)?;
    match change {
        Change::Unpin { buffer } => {
            buffer_mut(function, *buffer)?.pin.take()?;
        }
        Change::Share { buffer } => buffer_mut(function, *buffer)?.unique = false,
        Change::Relax { kind, first, second } => {
            let same = |r: &Relation| {
                r.kind == *kind
                    && ((r.first, r.second) == (*first, *second)
                        || (r.second, r.first) == (*first, *second))
            };
            function.relations.retain(|r| !same(r));
        }
        Change::Align { buffer, to, .. } => buffer_mut(function, *buffer)?.alignment = *to,
        Change::Slots { buffer, to, .. } => {
            if tied(function, *buffer) {
                return None;
            }
            let buffer = buffer_mut(function, *buffer)?;
            buffer.slots = *to;
            if *to == 1 {
                buffer.rotates_in = None;
            }
        }
        Change::Size { buffer, to, .. } => {
            let buffer = buffer_mut(function, *buffer)?;
            buffer.size.0 = *to;
            buffer.shape = None;
        }
        Change::Reserved { range, .. } => {
            scope_mut(&mut out, scope)?.reserved.retain(|r| r.range != *range);
        }
        Change::Partition { owner, .. } => {
            let mine = |b: &&mut Buffer| b.scope == scope && b.owner.as_ref() == Some(owner);
            function.buffers.iter_mut().filter(mine).for_each(|b| b.owner = None);
            scope_mut(&mut out, scope)?.partitions.retain(|p| p.owner != *owner);
        }
        Change::Move { buffer, to, .. } => {
            if tied(function, *buffer) {
                return None;
            }
            let alignment = out.scopes.get(*to)?.alignment;
            let buffer = buffer_mut(function, *buffer)?;
            buffer.scope = *to;
            buffer.alignment = buffer.alignment.max(alignment);
            (buffer.pin, buffer.owner) = (None, None);
        }
        Change::Capacity { to, .. } => scope_mut(&mut out, scope)?.resize(*to),
        Change::Level { .. } | Change::Order { .. } | Change::Planner { .. } => return None,
    }
    Some(out)
}

fn buffer_mut(function: &mut Function, id: BufferId) -> Option<&mut Buffer> {
    function.buffers.get(id)?;
    Some(&mut function.buffers[id])
}

fn scope_mut(problem: &mut Problem, id: ScopeId) -> Option<&mut Scope> {
    problem.scopes.get(id)?;
    Some(&mut problem.scopes[id])
}

/// True for a buffer that must be the same bytes as another: what one is, the other is, too.
pub(super) fn tied(function: &Function, id: BufferId) -> bool {
    function.relations.iter().any(|r| {
        matches!(r.kind, RelationKind::Colocate { .. } | RelationKind::Handover)
            && (r.first == id || r.second == id)
    })
}

//! Who holds bytes when most are in use: hidden memory is told apart.

use std::collections::BTreeMap;

use crate::model::{ByteRange, Function, Holder, HolderKind, Problem, ScopeAnswer};

/// The sums of a scope, largest first; workspaces of the function last, which lie elsewhere.
pub(super) fn holders(
    problem: &Problem,
    function: &Function,
    answer: &ScopeAnswer,
    scopes: &[(usize, u64, usize)],
) -> Vec<Holder> {
    let scope = &problem.scopes[answer.scope];
    let (mut plain, mut hidden) = ((0u64, 0), (0u64, 0));
    let mut own: Option<&str> = None;
    for (id, bytes) in &answer.max_load.buffers {
        let buffer = &function.buffers[*id];
        let sum = if buffer.temporary { &mut hidden } else { &mut plain };
        *sum = (sum.0.saturating_add(*bytes), sum.1 + 1);
        own = own.or(buffer.owner.as_deref());
    }
    let mut out = Vec::new();
    let mut add = |kind, bytes, buffers| {
        if bytes > 0 {
            out.push(Holder { kind, bytes, buffers });
        }
    };
    add(HolderKind::Buffers, plain.0, plain.1);
    add(HolderKind::Temporaries, hidden.0, hidden.1);
    let inside = ByteRange::new(0, scope.bytes().unwrap_or(u64::MAX));
    let len = |range: ByteRange| range.overlap(inside).map_or(0, ByteRange::len);
    // The part of the owner at fault is what its buffers have; those of others are held back from it.
    let mut owners: BTreeMap<&str, u64> = BTreeMap::new();
    for part in scope.partitions.iter().filter(|p| Some(p.owner.as_str()) != own) {
        *owners.entry(&part.owner).or_default() += len(part.range);
    }
    for (owner, bytes) in owners {
        let theirs = function.buffers.iter();
        let theirs =
            theirs.filter(|b| b.scope == answer.scope && b.owner.as_deref() == Some(owner));
        add(HolderKind::Owner(owner.to_owned()), bytes, theirs.count());
    }
    for reserved in &scope.reserved {
        add(HolderKind::Reserved(reserved.why.clone()), len(reserved.range), 0);
    }
    out.sort_by_key(|h| std::cmp::Reverse(h.bytes));
    for &(at, bytes, buffers) in scopes.iter().filter(|(_, bytes, _)| *bytes > 0) {
        let Some(other) = problem.scopes.iter().nth(at) else { continue };
        if at != answer.scope.0 as usize && other.name.starts_with("workspace:") {
            let kind = HolderKind::Workspace(other.name.clone());
            out.push(Holder { kind, bytes, buffers });
        }
    }
    out
}

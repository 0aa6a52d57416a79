//! Pairs of tightly coupled buffers that may share in spite of being unique (HIVM spec, section 7,
//! rule 4).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::Facts;
use super::marks::coupling;
use super::nest::Nest;
use super::traceback::Roots;
use crate::ir::hivm::PassKind;
use crate::ir::mlir::{Function, OpId, ValueId};
use crate::plan::hivm::pass::is_planned;

/// First and last op that touches buffers of an id.
type Ranges = BTreeMap<i64, (OpId, OpId)>;

/// Ids `a < b` that at least one function has both of, with disjoint ranges in every such function.
pub(super) fn allowed(facts: &Facts<'_>) -> BTreeSet<(i64, i64)> {
    if facts.options.pass == PassKind::Base || marked_ids(facts.function).len() < 2 {
        return BTreeSet::new();
    }
    let mut allowed = BTreeSet::new();
    let mut refused = BTreeSet::new();
    for function in facts.chunk.functions.iter().filter(|f| is_planned(f)) {
        let ranges = ranges(function);
        for (&a, &(a_first, a_last)) in &ranges {
            let greater = (Bound::Excluded(a), Bound::Unbounded);
            for (&b, &(b_first, b_last)) in ranges.range(greater) {
                let disjoint = a_last < b_first || b_last < a_first;
                let set = if disjoint { &mut allowed } else { &mut refused };
                set.insert((a, b));
            }
        }
    }
    allowed.difference(&refused).copied().collect()
}

fn marked_ids(function: &Function) -> BTreeSet<i64> {
    let marks = function.ops.enumerate().filter(|(_, op)| op.name == "annotation.mark");
    marks.filter_map(|(id, _)| coupling(function, id)).collect()
}

fn ranges(function: &Function) -> Ranges {
    let mut ranges = Ranges::new();
    if marked_ids(function).len() < 2 {
        return ranges;
    }
    let (roots, nest) = (Roots::new(function), Nest::new(function));
    for (id, op) in function.ops.enumerate().filter(|(_, op)| op.name == "annotation.mark") {
        let Some(coupled) = coupling(function, id) else { continue };
        let Some(alloc) = op.operands.first().and_then(|o| roots.alloc(o.value)) else { continue };
        let Some((first, last)) = reach(function, &nest, alloc) else { continue };
        let range = ranges.entry(coupled).or_insert((first, last));
        *range = (range.0.min(first), range.1.max(last));
    }
    ranges
}

/// The alloc and all users through any memref result.
fn reach(function: &Function, nest: &Nest, alloc: ValueId) -> Option<(OpId, OpId)> {
    let def = function.def_op(alloc)?;
    let mut range = (def, def);
    let mut pending = vec![alloc];
    let mut seen = BTreeSet::from([alloc]);
    while let Some(value) = pending.pop() {
        for &user in &nest.users[value] {
            range = (range.0.min(user), range.1.max(user));
            for &result in &function.ops[user].results {
                if function.ty(result).memref().is_some() && seen.insert(result) {
                    pending.push(result);
                }
            }
        }
    }
    Some(range)
}

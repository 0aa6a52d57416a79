//! The anchor loop of a buffer (HIVM spec, section 4.9): the outermost loop along the chain of
//! yields that uses it directly.

use super::nest::{ancestors, enclosing_loop, yielded};
use super::time::is_terminator;
use crate::ir::mlir::{Function, OpId, Operand, ValueId};

/// The anchor loop of a planned alloc's result.
pub(super) fn anchor(function: &Function, alloc: ValueId) -> Option<OpId> {
    let mut value = alloc;
    let mut best = None;
    // Every step goes on with a result of an op around the last one.
    loop {
        let def = function.def_op(value)?;
        let Some(around) = enclosing_loop(function, def) else { return best };
        if is_used_directly(function, value, around) {
            best = Some(around);
        }
        let found = best.or(Some(around));
        let n = if function.ops[around].name == "scf.while" { 1 } else { 0 };
        let passed = yielded(function, around, n);
        if passed.is_empty() {
            return found;
        }
        if let Some(at) = position(passed, value) {
            match function.ops[around].results.get(at) {
                Some(&result) if function.ops[around].name == "scf.for" => value = result,
                _ => return found,
            }
            continue;
        }
        let branch = ancestors(function, def).find(|&o| function.ops[o].name == "scf.if");
        match branch.and_then(|branch| result_of_branch(function, branch, value)) {
            Some(result) => value = result,
            None => return found,
        }
    }
}

fn position(passed: &[Operand], value: ValueId) -> Option<usize> {
    passed.iter().position(|o| o.value == value)
}

/// The result of `scf.if` that a value of one of its branches becomes.
fn result_of_branch(function: &Function, branch: OpId, value: ValueId) -> Option<ValueId> {
    let at = [0, 1].iter().find_map(|&n| position(yielded(function, branch, n), value))?;
    function.ops[branch].results.get(at).copied()
}

/// True when an op of the loop, in no `scf.for` or `scf.while` inside it, uses the value.
fn is_used_directly(function: &Function, value: ValueId, around: OpId) -> bool {
    function.values[value].uses.iter().map(|u| u.op).any(|user| {
        let name = function.ops[user].name.as_str();
        let is_for_or_while =
            |op: OpId| matches!(function.ops[op].name.as_str(), "scf.for" | "scf.while");
        let nearest = ancestors(function, user).find(|&o| o == around || is_for_or_while(o));
        !is_terminator(name) && name != "annotation.mark" && nearest == Some(around)
    })
}

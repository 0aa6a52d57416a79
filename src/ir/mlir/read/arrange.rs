//! Clauses of the custom form, brought into MLIR's operand order.

use super::allocs::segments;
use super::build::Draft;
use crate::diag::Loc;
use crate::ir::mlir::groups::{Arity, Group, ambiguous, distribute, groups};
use crate::ir::mlir::{Operand, Role};

/// Operands with the word in front of them: `ins`, `outs`, `pad_value`; empty without one.
pub(super) struct Clause<'t> {
    pub(super) word: &'t str,
    pub(super) operands: Vec<Operand>,
}

/// What operands of a clause are to the op.
fn role(word: &str) -> Role {
    match word {
        "outs" => Role::Out,
        "temp_buffer" | "temp_buffers" => Role::Temp,
        _ => Role::In,
    }
}

/// Puts the operands of the clauses into a draft, in the order of the op's groups (Appendix A),
/// else as written.
pub(super) fn arrange(name: &str, clauses: Vec<Clause<'_>>, loc: Loc, d: &mut Draft) {
    let first = d.operands.len();
    let arranged = groups(name).and_then(|table| by_group(table, &clauses));
    match arranged {
        Some(counts) => {
            let table = groups(name).unwrap_or_default();
            for (group, list) in table.iter().zip(&counts) {
                d.operands.extend(list.iter().map(|o| Operand { role: group.role, ..*o }));
            }
            if ambiguous(table) && d.operands.len() > first {
                let counts: Vec<usize> = counts.iter().map(Vec::len).collect();
                segments(d, &counts, loc);
            }
        }
        None => {
            for clause in clauses {
                let role = role(clause.word);
                d.operands.extend(clause.operands.iter().map(|o| Operand { role, ..*o }));
            }
        }
    }
}

/// The operands of each group; none if the clauses do not fit the table.
fn by_group(table: &[Group], clauses: &[Clause<'_>]) -> Option<Vec<Vec<Operand>>> {
    let mut lists: Vec<Option<Vec<Operand>>> = vec![None; table.len()];
    let mut rest: [Vec<Operand>; 3] = Default::default();
    for clause in clauses {
        let named = table.iter().position(|g| g.name == clause.word && g.role == Role::In);
        match (named, clause.word) {
            (Some(at), _) => lists[at].get_or_insert_default().extend(&clause.operands),
            (None, "ins" | "" | "outs" | "temp_buffer" | "temp_buffers") => {
                rest[role(clause.word) as usize].extend(&clause.operands);
            }
            _ => return None,
        }
    }
    // A destination that the text lists first inside `ins`.
    let [ins, outs, _] = &mut rest;
    let single = table.first().is_some_and(|g| g.role == Role::Out && g.arity == Arity::One);
    if single && outs.is_empty() && !ins.is_empty() {
        outs.push(ins.remove(0));
    }
    for role in [Role::In, Role::Out, Role::Temp] {
        let open = |(at, group): &(usize, &Group)| group.role == role && lists[*at].is_none();
        let open: Vec<(usize, &Group)> = table.iter().enumerate().filter(open).collect();
        let shapes: Vec<Group> = open.iter().map(|(_, group)| **group).collect();
        let mut operands = std::mem::take(&mut rest[role as usize]).into_iter();
        for ((at, _), count) in open.iter().zip(distribute(operands.len(), &shapes)?) {
            lists[*at] = Some(operands.by_ref().take(count).collect());
        }
        if operands.next().is_some() {
            return None;
        }
    }
    Some(lists.into_iter().map(Option::unwrap_or_default).collect())
}

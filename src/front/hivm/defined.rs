//! Values that are used before the op that defines them, in the order in which control comes by.

use crate::diag::{Code, Diagnostic};
use crate::ir::mlir::{Def, Function, OpId};

/// So many are told.
const MOST: usize = 10;

/// Uses that stand before the definition in one block, or inside an op that does. Between blocks
/// the order of the text says nothing.
pub(super) fn check(function: &Function) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for value in function.values.iter() {
        let Def::Result(def, _) = value.def else { continue };
        for u in &value.uses {
            let Some(user) = beside(function, def, u.op) else { continue };
            // Ids are in the order of the text, and so are the ops of a block.
            if user > def || errors.len() >= MOST {
                continue;
            }
            let used = function.ops[u.op].operands.get(u.operand as usize).map(|o| o.loc);
            let message = format!("`%{}` is used before it is defined", value.name);
            let d = Diagnostic::error(Code::HivmUndefinedValue, message);
            errors.push(d.maybe_at(used, "used here").at(value.loc, "defined here"));
        }
    }
    errors
}

/// The op of the definition's block that is, or holds, the user.
fn beside(function: &Function, def: OpId, user: OpId) -> Option<OpId> {
    let block = function.ops[def].block;
    let mut here = user;
    while function.ops[here].block != block {
        here = function.parent(here)?;
    }
    Some(here)
}

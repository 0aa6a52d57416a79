//! Who uses a value (4.2).

use super::{Use, Values};
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{Instruction, InstructionId, Module, Opcode, ShapeIndex};

/// Uses of all values together. Only huge tuples that are passed whole to many instructions come
/// near it.
const LIMIT: usize = 1 << 23;

/// Adds the uses of all values, by text order of the users.
pub(super) fn add_uses(module: &Module, values: &mut Values) -> Result<(), Diagnostic> {
    let mut count = 0;
    for &user in module.computations.iter().flat_map(|c| &c.instructions) {
        let instruction = &module.instructions[user];
        if values.nodes.paths(user).is_empty() {
            continue;
        }
        for (slot, &operand) in (0..).zip(&instruction.operands) {
            let nodes = values.nodes.paths(operand);
            // Only the table of pointers is read by these.
            let top = matches!(instruction.opcode, Opcode::GetTupleElement | Opcode::Copy);
            let nodes = if top { nodes.get(..1).unwrap_or_default() } else { nodes };
            let mut found = Vec::new();
            for (index, at) in nodes.iter().zip(&values.at[operand]) {
                for &value in at {
                    if is_use(module, values, user, instruction, slot, index, value) {
                        found.push((value, index.clone()));
                    }
                }
            }
            count += found.len();
            if count > LIMIT {
                let message = format!(
                    "the values of this module have more than {LIMIT} uses: `{}` and others take \
                     whole tuples",
                    instruction.name
                );
                return Err(Diagnostic::error(Code::HloTooLarge, message)
                    .at(instruction.loc, "the last one counted")
                    .help("pass the elements that are needed"));
            }
            for (value, index) in found {
                values.values[value].uses.push(Use { user, operand: slot, index });
            }
        }
    }
    Ok(())
}

/// Tuples and domains pass values on; they use them only to carry them out of their computation.
fn is_use(
    module: &Module,
    values: &Values,
    user: InstructionId,
    instruction: &Instruction,
    slot: u32,
    index: &ShapeIndex,
    value: super::ValueId,
) -> bool {
    let out = match instruction.opcode {
        Opcode::Tuple => ShapeIndex::one(slot).join(index),
        Opcode::Domain => index.clone(),
        _ => return true,
    };
    module.is_root(user) && values.at(user, &out).contains(&value)
}

//! Instructions whose values are those of their operands, or lie on them.

use super::super::read::{Read, error};
use super::super::{Instruction, InstructionId, Module, Opcode, Shape};
use super::fit::{Wanted, elements, misshapen, same_nodes, whole};
use crate::diag::Code;

pub(super) fn check(module: &Module, id: InstructionId) -> Read<()> {
    let instruction = &module.instructions[id];
    let like = |slot: usize| match module.operand_at(instruction, slot) {
        Some(operand) => whole(instruction, &Wanted::of(format!("operand {slot}"), operand)),
        None => Ok(()),
    };
    match instruction.opcode {
        Opcode::Tuple => each(module, instruction, &instruction.shape, instruction.operands.len()),
        Opcode::GetTupleElement => element(module, instruction),
        Opcode::Copy
        | Opcode::OptBarrier
        | Opcode::Domain
        | Opcode::AddDependency
        | Opcode::DynamicUpdateSlice
        | Opcode::SetDimensionSize => like(0),
        Opcode::RaggedAllToAll | Opcode::TriangularSolve => like(1),
        // Four operands: one in place, or four permutes in one.
        Opcode::CollectivePermute if instruction.operands.len() == 4 => like(1)
            .or_else(|error| each(module, instruction, &instruction.shape, 4).map_err(|_| error)),
        Opcode::Bitcast => match module.operand_at(instruction, 0) {
            Some(operand) if !same_nodes(&operand.shape, &instruction.shape) => like(0),
            _ => Ok(()),
        },
        Opcode::Scatter => one_or_each(module, instruction, (instruction.operands.len() - 1) / 2),
        Opcode::Sort => one_or_each(module, instruction, instruction.operands.len()),
        _ => Ok(()),
    }
}

/// A shape is a tuple of the shapes of the first `count` operands.
pub(super) fn each(
    module: &Module,
    instruction: &Instruction,
    shape: &Shape,
    count: usize,
) -> Read<()> {
    let parts = match shape {
        Shape::Tuple(parts) if parts.len() == count => parts,
        _ => return Err(misshapen(instruction, &format!("a tuple of {count}"))),
    };
    for (slot, part) in parts.iter().enumerate() {
        if let Some(operand) = module.operand_at(instruction, slot) {
            let wanted = Wanted::of(format!("operand {slot}"), operand);
            wanted.fits(instruction, &format!("element {slot}"), part)?;
        }
    }
    Ok(())
}

/// The shape is that of the one operand, or a tuple of those of the first `count`.
pub(super) fn one_or_each(module: &Module, instruction: &Instruction, count: usize) -> Read<()> {
    match (module.operand_at(instruction, 0), count, &instruction.shape) {
        // A tuple of one is written for one operand as well.
        (Some(operand), 1, Shape::Array(_)) => {
            whole(instruction, &Wanted::of("operand 0", operand))
        }
        (Some(operand), 1, shape) if super::fit::fits(shape, &operand.shape) => Ok(()),
        (_, count, shape) => each(module, instruction, shape, count),
    }
}

fn element(module: &Module, instruction: &Instruction) -> Read<()> {
    let Some(tuple) = module.operand_at(instruction, 0) else { return Ok(()) };
    let parts = match &tuple.shape {
        Shape::Tuple(parts) => parts,
        other => {
            let message = format!(
                "`{}` takes an element of `{}`, which is no tuple",
                instruction.name, tuple.name
            );
            let error = error(Code::HloBadShape, message, instruction.loc, "takes an element")
                .at(tuple.loc, super::fit::short(other));
            return Err(error.into());
        }
    };
    let Some(index) = instruction.raw("index") else {
        let message = format!("`{}` does not say which element it takes", instruction.name);
        let error = error(Code::HloSyntax, message, instruction.loc, "needs an index")
            .help("write `index=0` behind the operand");
        return Err(error.into());
    };
    let part = index.parse().ok().and_then(|index: usize| parts.get(index));
    let Some(part) = part else {
        let message =
            format!("`{}` has {} elements: there is no element {index}", tuple.name, parts.len());
        let place = instruction.place_of("index");
        let error = error(Code::HloBadShape, message, place, "no such element")
            .at(tuple.loc, format!("{} elements", parts.len()));
        return Err(error.into());
    };
    let what = format!("element {index} of `{}`", tuple.name);
    whole(instruction, &Wanted { what, shape: part, loc: tuple.loc })
}

/// The elements of a start: the first is like the operand, or a tuple of all.
pub(super) fn start(module: &Module, instruction: &Instruction, expected: &str) -> Read<()> {
    let parts = elements(instruction, 2, expected)?;
    let count = instruction.operands.len();
    match (parts.first(), module.operand_at(instruction, 0)) {
        (Some(part), Some(operand)) if count == 1 && !part.is_tuple() => {
            Wanted::of("operand 0", operand).fits(instruction, "element 0", part)
        }
        (Some(part), Some(operand)) if count == 1 && super::fit::fits(part, &operand.shape) => {
            Ok(())
        }
        (Some(part), _) => each(module, instruction, part, count),
        _ => Ok(()),
    }
}

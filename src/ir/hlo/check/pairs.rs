//! Starts and dones of the ops that have their own.

use super::super::read::{Read, error};
use super::super::{Instruction, InstructionId, Module, Opcode, Shape, ShapeIndex};
use super::fit::{Wanted, elements, whole};
use super::forms::{one_or_each, start};
use crate::diag::Code;

pub(super) fn check(module: &Module, id: InstructionId) -> Read<()> {
    let instruction = &module.instructions[id];
    match instruction.opcode {
        Opcode::CopyStart => {
            let expected = "`(destination, source, context)`";
            let parts = elements(instruction, 2, expected)?;
            let Some(operand) = module.operand_at(instruction, 0) else { return Ok(()) };
            let wanted = Wanted::of("operand 0", operand);
            parts
                .iter()
                .take(2)
                .enumerate()
                .try_for_each(|(at, part)| wanted.fits(instruction, &format!("element {at}"), part))
        }
        Opcode::AllGatherStart => start(module, instruction, "`(operands, results)`"),
        Opcode::AllReduceStart => one_or_each(module, instruction, instruction.operands.len()),
        Opcode::CollectivePermuteStart => {
            elements(instruction, 2, "`(operand, result, ..)`").map(|_| ())
        }
        Opcode::Send => {
            let parts = elements(instruction, 2, "`(data, context, token)`")?;
            match (parts.first(), module.operand_at(instruction, 0)) {
                (Some(part), Some(data)) => {
                    Wanted::of("operand 0", data).fits(instruction, "element 0", part)
                }
                _ => Ok(()),
            }
        }
        Opcode::Recv => elements(instruction, 2, "`(data, context, token)`").map(|_| ()),
        Opcode::CopyDone => done(module, instruction, &Opcode::CopyStart, 0),
        Opcode::AllGatherDone => done(module, instruction, &Opcode::AllGatherStart, 1),
        Opcode::CollectivePermuteDone => {
            done(module, instruction, &Opcode::CollectivePermuteStart, 1)
        }
        Opcode::AllReduceDone => {
            let start = linked(module, instruction, &Opcode::AllReduceStart)?;
            whole(instruction, &Wanted::of(format!("`{}`", start.name), start))
        }
        Opcode::SendDone => linked(module, instruction, &Opcode::Send).map(|_| ()),
        Opcode::RecvDone => {
            let start = linked(module, instruction, &Opcode::Recv)?;
            let parts = elements(instruction, 2, "`(data, token)`")?;
            match (parts.first(), part(start, 0)) {
                (Some(data), Some(wanted)) => wanted.fits(instruction, "element 0", data),
                _ => Err(super::fit::misshapen(start, "`(data, context, token)`")),
            }
        }
        _ => Ok(()),
    }
}

/// A part of a start.
fn part(start: &Instruction, at: u32) -> Option<Wanted<'_>> {
    let shape = start.shape.at(&ShapeIndex::one(at))?;
    Some(Wanted { what: format!("element {at} of `{}`", start.name), shape, loc: start.loc })
}

/// The done is like element `at` of its start.
fn done(module: &Module, instruction: &Instruction, start: &Opcode, at: u32) -> Read<()> {
    let start = linked(module, instruction, start)?;
    match part(start, at) {
        Some(wanted) => whole(instruction, &wanted),
        None => Err(no_start(instruction, start)),
    }
}

/// The start of a done; where a loop carries it from one turn to the next, what stands for it.
fn linked<'m>(module: &'m Module, done: &Instruction, start: &Opcode) -> Read<&'m Instruction> {
    let Some(operand) = module.operand_at(done, 0) else {
        return Err(no_start(done, done));
    };
    let stands = carries(&operand.opcode) && matches!(operand.shape, Shape::Tuple(_))
        || (carries(&operand.opcode) && *start == Opcode::AllReduceStart);
    if operand.opcode == *start || stands { Ok(operand) } else { Err(no_start(done, operand)) }
}

/// True for instructions through which a start reaches a done in another computation.
pub(super) fn carries(opcode: &Opcode) -> bool {
    matches!(opcode, Opcode::GetTupleElement | Opcode::Parameter | Opcode::OptBarrier)
}

/// The operand of a done is none of its starts.
pub(super) fn no_start(done: &Instruction, operand: &Instruction) -> super::super::read::Error {
    let message = format!(
        "`{}` ends what `{}` should have started, but that is `{}`",
        done.name, operand.name, operand.opcode
    );
    error(Code::HloBadCall, message, done.loc, "has no start")
        .at(operand.loc, "starts nothing that this ends")
        .into()
}

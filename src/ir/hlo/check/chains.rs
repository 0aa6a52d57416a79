//! Asynchronous chains: `async-start`, any number of `async-update`, `async-done` (spec 2.5).

use super::super::read::{Error, Errors, Read, error};
use super::super::{Computation, Instruction, InstructionId, Module, Opcode, Shape};
use super::control::{callee, gives, takes, unfit};
use super::fit::{Wanted, elements, fits};
use super::pairs::{carries, no_start};
use crate::diag::Code;
use crate::model::IdVec;

const EXPECTED: &str = "`((operands), result, ..)`";

/// Where a chain stands behind one of its links.
#[derive(Clone, Copy)]
struct Link<'m> {
    computation: &'m Computation,
    /// How many parameters have their operand; `None` when a loop has carried the chain here.
    bound: Option<usize>,
}

pub(super) fn check(module: &Module, errors: &mut Errors) {
    let mut links = IdVec::filled(None, module.instructions.len());
    let mut bad = IdVec::filled(false, module.instructions.len());
    for &id in module.computations.iter().flat_map(|c| &c.instructions) {
        // Those in front of it first: text that is not scheduled may have any order.
        let mut todo = vec![id];
        while let Some(&at) = todo.last() {
            if errors.full() {
                return;
            }
            let instruction = &module.instructions[at];
            let waits = instruction.operands.first().copied().filter(|&operand| {
                chained(&module.instructions[operand].opcode)
                    && matches!(instruction.opcode, Opcode::AsyncUpdate | Opcode::AsyncDone)
                    && links[operand].is_none()
                    && !bad[operand]
            });
            if let Some(operand) = waits {
                todo.push(operand);
                continue;
            }
            todo.pop();
            if links[at].is_some() || bad[at] || !chained_or_done(&instruction.opcode) {
                continue;
            }
            let broken = instruction.operands.first().is_some_and(|&operand| bad[operand]);
            match link(module, instruction, &links) {
                Ok(link) => links[at] = Some(link),
                Err(error) => {
                    bad[at] = true;
                    if !broken {
                        errors.push(error);
                    }
                }
            }
        }
    }
}

fn chained(opcode: &Opcode) -> bool {
    matches!(opcode, Opcode::AsyncStart | Opcode::AsyncUpdate)
}

fn chained_or_done(opcode: &Opcode) -> bool {
    chained(opcode) || *opcode == Opcode::AsyncDone
}

fn link<'m>(
    module: &'m Module,
    instruction: &Instruction,
    links: &IdVec<InstructionId, Option<Link<'m>>>,
) -> Read<Link<'m>> {
    if instruction.opcode == Opcode::AsyncStart {
        let computation = callee(module, instruction, "calls")?;
        let bound = bind(module, instruction, computation, 0, &instruction.operands)?;
        let link = Link { computation, bound: Some(bound) };
        return shaped(module, instruction, link);
    }
    let before = before(module, instruction, links)?;
    let added = instruction.operands.get(1..).unwrap_or_default();
    let bound = match before.bound {
        Some(bound) => Some(bind(module, instruction, before.computation, bound, added)?),
        None => None,
    };
    let link = Link { bound, ..before };
    match instruction.opcode {
        Opcode::AsyncUpdate => shaped(module, instruction, link),
        _ => done(module, instruction, link),
    }
}

/// The chain that an update or a done goes on with.
fn before<'m>(
    module: &'m Module,
    instruction: &Instruction,
    links: &IdVec<InstructionId, Option<Link<'m>>>,
) -> Read<Link<'m>> {
    let operand = instruction.operands.first().copied();
    let Some(operand) = operand else { return Err(no_start(instruction, instruction)) };
    let says = instruction.attribute("calls").is_some();
    let said = if says { Some(callee(module, instruction, "calls")?) } else { None };
    match (links[operand], said) {
        (Some(link), Some(said)) if !std::ptr::eq(link.computation, said) => {
            let message = format!(
                "`{}` goes on with `{}`, but says `{}`",
                instruction.name, link.computation.name, said.name
            );
            Err(unfit(instruction, "calls", link.computation, message))
        }
        (Some(link), _) => Ok(link),
        (None, Some(computation)) if carries(&module.instructions[operand].opcode) => {
            Ok(Link { computation, bound: None })
        }
        (None, _) => Err(no_start(instruction, &module.instructions[operand])),
    }
}

/// Gives operands to the parameters from `first` on; how many have one then.
fn bind(
    module: &Module,
    instruction: &Instruction,
    computation: &Computation,
    first: usize,
    operands: &[InstructionId],
) -> Read<usize> {
    let bound = first.saturating_add(operands.len());
    let parameters = computation.parameters.len();
    if bound > parameters {
        let message = format!(
            "`{}` has {parameters} parameters, but the chain of `{}` gives it {bound}",
            computation.name, instruction.name
        );
        return Err(unfit(instruction, "calls", computation, message));
    }
    for (number, &operand) in (first..).zip(operands) {
        let given = Wanted::of(format!("operand {number}"), &module.instructions[operand]);
        takes(module, (instruction, "calls"), computation, number, &given)?;
    }
    Ok(bound)
}

/// A start or an update has the shape of a chain. The result may come in with a later link.
fn shaped<'m>(module: &Module, instruction: &Instruction, link: Link<'m>) -> Read<Link<'m>> {
    let parts = elements(instruction, 1, EXPECTED)?;
    let Some(Shape::Tuple(operands)) = parts.first() else {
        return Err(super::fit::misshapen(instruction, EXPECTED));
    };
    let parameters = &link.computation.parameters;
    let bound = link.bound.unwrap_or(0);
    if operands.len() < bound || operands.len() > parameters.len() {
        return Err(super::fit::misshapen(instruction, EXPECTED));
    }
    for (number, (shape, &parameter)) in operands.iter().zip(parameters).enumerate() {
        let what = format!("parameter {number} of `{}`", link.computation.name);
        let wanted = Wanted::of(what, &module.instructions[parameter]);
        wanted.fits(instruction, &format!("operand {number}"), shape)?;
    }
    match parts.get(1) {
        Some(result) if !late(result) => {
            gives(module, (instruction, "calls"), link.computation, result)?;
        }
        _ => {}
    }
    Ok(link)
}

/// True for the shape that stands for a result which comes in with a later link.
fn late(result: &Shape) -> bool {
    *result == Shape::Tuple(Vec::new())
}

/// A done gives what the computation gives, once that has all it needs.
fn done<'m>(module: &Module, instruction: &Instruction, link: Link<'m>) -> Read<Link<'m>> {
    let parameters = link.computation.parameters.len();
    if link.bound.is_some_and(|bound| bound < parameters) {
        return Err(unbound(instruction, link));
    }
    gives(module, (instruction, "calls"), link.computation, &instruction.shape)?;
    let before = module.operand_at(instruction, 0);
    match before.map(|before| (before, &before.shape)) {
        Some((before, Shape::Tuple(parts))) => match parts.get(1) {
            Some(result) if !late(result) && !fits(result, &instruction.shape) => {
                Err(super::fit::misshapen(before, EXPECTED))
            }
            _ => Ok(link),
        },
        Some((before, _)) => Err(super::fit::misshapen(before, EXPECTED)),
        None => Ok(link),
    }
}

fn unbound(done: &Instruction, link: Link<'_>) -> Error {
    let message = format!(
        "`{}` ends a chain that gave `{}` {} of its {} operands",
        done.name,
        link.computation.name,
        link.bound.unwrap_or(0),
        link.computation.parameters.len()
    );
    error(Code::HloBadCall, message, done.loc, "ends too early")
        .at(link.computation.loc, "this computation")
        .into()
}

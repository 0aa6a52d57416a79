//! Computations fit the instructions that call them.

use super::super::read::{Error, Read, error};
use super::super::{
    AttributeValue, Computation, ComputationId, Instruction, InstructionId, Module, Opcode, Shape,
};
use super::fit::{Wanted, fits, short};
use crate::diag::Code;

pub(super) fn check(module: &Module, id: InstructionId) -> Read<()> {
    let instruction = &module.instructions[id];
    match instruction.opcode {
        Opcode::While => repeat(module, instruction),
        Opcode::Conditional => branches(module, instruction),
        Opcode::Call => whole(module, instruction, "to_apply"),
        Opcode::Fusion => whole(module, instruction, "calls"),
        _ => Ok(()),
    }
}

/// The one computation that an attribute names.
pub(super) fn callee<'m>(
    module: &'m Module,
    instruction: &Instruction,
    key: &str,
) -> Read<&'m Computation> {
    match instruction.attribute(key) {
        Some(AttributeValue::Computation(id)) => Ok(&module.computations[*id]),
        Some(AttributeValue::Computations(ids)) if ids.len() == 1 => {
            Ok(&module.computations[ids.first().copied().unwrap_or(module.entry)])
        }
        Some(_) => {
            let message = format!("`{key}` of `{}` must name one computation", instruction.name);
            Err(error(
                Code::HloBadCall,
                message,
                instruction.place_of(key),
                "names none or several",
            ))
        }
        None => {
            let message = format!("`{}` does not say what it calls", instruction.name);
            let error = error(Code::HloBadCall, message, instruction.loc, "calls nothing");
            Err(error.help(format!("write `{key}=` and the name of a computation")).into())
        }
    }
}

/// What a call and a computation disagree on.
pub(super) fn unfit(
    instruction: &Instruction,
    key: &str,
    computation: &Computation,
    message: impl Into<String>,
) -> Error {
    error(Code::HloBadCall, message, instruction.place_of(key), "called here")
        .at(computation.loc, "this computation")
        .into()
}

/// Parameter `number` of a computation takes a shape.
pub(super) fn takes(
    module: &Module,
    (instruction, key): (&Instruction, &str),
    computation: &Computation,
    number: usize,
    given: &Wanted<'_>,
) -> Read<()> {
    let Some(&parameter) = computation.parameters.get(number) else { return Ok(()) };
    let parameter = &module.instructions[parameter];
    if fits(&parameter.shape, given.shape) {
        return Ok(());
    }
    let message = format!(
        "parameter {number} of `{}` is {}, but {} of `{}` is {}",
        computation.name,
        short(&parameter.shape),
        given.what,
        instruction.name,
        short(given.shape)
    );
    Err(error(Code::HloBadCall, message, instruction.place_of(key), "called here")
        .at(parameter.loc, short(&parameter.shape))
        .into())
}

/// The root of a computation has a shape.
pub(super) fn gives(
    module: &Module,
    (instruction, key): (&Instruction, &str),
    computation: &Computation,
    wanted: &Shape,
) -> Read<()> {
    let root = &module.instructions[computation.root];
    if fits(&root.shape, wanted) {
        return Ok(());
    }
    let message = format!(
        "`{}` gives {}, but `{}` needs {}",
        computation.name,
        short(&root.shape),
        instruction.name,
        short(wanted)
    );
    Err(error(Code::HloBadCall, message, instruction.place_of(key), "called here")
        .at(root.loc, short(&root.shape))
        .into())
}

/// The number of parameters of a computation.
pub(super) fn count(
    instruction: &Instruction,
    key: &str,
    computation: &Computation,
    given: usize,
) -> Read<()> {
    let parameters = computation.parameters.len();
    if parameters == given {
        return Ok(());
    }
    let message = format!(
        "`{}` has {parameters} parameters, but `{}` gives it {given}",
        computation.name, instruction.name
    );
    Err(unfit(instruction, key, computation, message))
}

/// The operands are the parameters, the root is the result.
fn whole(module: &Module, instruction: &Instruction, key: &str) -> Read<()> {
    let computation = callee(module, instruction, key)?;
    count(instruction, key, computation, instruction.operands.len())?;
    for number in 0..instruction.operands.len() {
        if let Some(operand) = module.operand_at(instruction, number) {
            let given = Wanted::of(format!("operand {number}"), operand);
            takes(module, (instruction, key), computation, number, &given)?;
        }
    }
    gives(module, (instruction, key), computation, &instruction.shape)
}

fn repeat(module: &Module, instruction: &Instruction) -> Read<()> {
    let Some(init) = module.operand_at(instruction, 0) else { return Ok(()) };
    super::fit::whole(instruction, &Wanted::of("the operand", init))?;
    for key in ["condition", "body"] {
        let computation = callee(module, instruction, key)?;
        count(instruction, key, computation, 1)?;
        let given = Wanted::of("the operand", init);
        takes(module, (instruction, key), computation, 0, &given)?;
    }
    let condition = callee(module, instruction, "condition")?;
    let root = &module.instructions[condition.root];
    if short(&root.shape) != "pred[]" {
        let message =
            format!("the condition `{}` gives {}, not pred[]", condition.name, short(&root.shape));
        let error =
            error(Code::HloBadCall, message, instruction.place_of("condition"), "called here")
                .at(root.loc, short(&root.shape));
        return Err(error.into());
    }
    let body = callee(module, instruction, "body")?;
    gives(module, (instruction, "body"), body, &instruction.shape)
}

/// The branches of a conditional, and the keys that name them.
fn named(instruction: &Instruction) -> Vec<(&'static str, ComputationId)> {
    let of = |key: &'static str| instruction.computations(key).iter().map(move |&id| (key, id));
    let pair = of("true_computation").chain(of("false_computation"));
    of("branch_computations").chain(pair).collect()
}

fn branches(module: &Module, instruction: &Instruction) -> Read<()> {
    let branches = named(instruction);
    let missing = |key| instruction.attribute(key).is_none();
    let half = missing("true_computation") != missing("false_computation");
    if branches.is_empty() || half {
        let message = format!("`{}` does not say what its branches are", instruction.name);
        let error = error(Code::HloBadCall, message, instruction.loc, "without branches").help(
            "write `branch_computations={..}`, or `true_computation=` and `false_computation=`",
        );
        return Err(error.into());
    }
    if instruction.operands.len() != branches.len() + 1 {
        let message = format!(
            "`{}` has {} branches, but {} operands behind the first",
            instruction.name,
            branches.len(),
            instruction.operands.len().saturating_sub(1)
        );
        let error = error(Code::HloBadCall, message, instruction.loc, "one operand a branch");
        return Err(error);
    }
    if let Some(chooser) = module.operand_at(instruction, 0) {
        let shape = short(&chooser.shape);
        if shape != "pred[]" && shape != "s32[]" {
            let message = format!(
                "`{}` chooses its branch by {shape}, not by pred[] or s32[]",
                instruction.name
            );
            return Err(error(Code::HloBadShape, message, instruction.loc, "chooses a branch")
                .at(chooser.loc, shape)
                .into());
        }
    }
    for (number, (key, id)) in branches.into_iter().enumerate() {
        let computation = &module.computations[id];
        count(instruction, key, computation, 1)?;
        if let Some(operand) = module.operand_at(instruction, number + 1) {
            let given = Wanted::of(format!("operand {}", number + 1), operand);
            takes(module, (instruction, key), computation, 0, &given)?;
        }
        gives(module, (instruction, key), computation, &instruction.shape)?;
    }
    Ok(())
}

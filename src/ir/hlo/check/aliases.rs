//! Outputs that lie on parameters, results that lie on operands (spec 6, 13).

use std::collections::BTreeMap;

use super::super::read::{Error, Errors, Read, error};
use super::super::{Alias, Instruction, Module, Opcode, Shape, ShapeIndex, aliasing};
use super::fit::short;
use crate::diag::Code;

pub(super) fn check(module: &Module, errors: &mut Errors) {
    let mut outputs = BTreeMap::new();
    let mut parameters = BTreeMap::new();
    for alias in &module.aliases {
        if let Err(error) = fits(module, alias) {
            errors.push(error);
        }
        if let Some(before) = outputs.insert(&alias.output, alias) {
            errors.push(twice(alias, before, format!("output {} is aliased twice", alias.output)));
        }
        if let Some(before) = parameters.insert((alias.parameter, &alias.index), alias) {
            let message = format!("two outputs are aliased with {}", named(alias));
            errors.push(twice(alias, before, message));
        }
    }
    for donor in &module.donors {
        let both = parameters.get(&(donor.parameter, &donor.index));
        errors.check(match both {
            Some(alias) => {
                let message = format!("{} is a donor and has an alias", named(alias));
                Err(error(Code::HloBadAlias, message, module.loc, "a donor of this module")
                    .at(alias.loc, "its alias")
                    .into())
            }
            None => {
                parameter(module, donor.parameter, &donor.index).map(|_| ()).map_err(|message| {
                    error(Code::HloBadAlias, message, module.loc, "a donor of this")
                })
            }
        });
    }
    annotated(module, errors);
}

/// The parameter's part of an alias, for a message.
fn named(alias: &Alias) -> String {
    match alias.index.is_top() {
        true => format!("parameter {}", alias.parameter),
        false => format!("parameter {} at {}", alias.parameter, alias.index),
    }
}

fn twice(alias: &Alias, before: &Alias, message: String) -> Error {
    error(Code::HloBadAlias, message, alias.loc, "again here").at(before.loc, "first here").into()
}

/// A part of an entry parameter, or why there is none.
fn parameter<'m>(module: &'m Module, number: u32, index: &ShapeIndex) -> Result<&'m Shape, String> {
    let parameters = &module.entry().parameters;
    let Some(&parameter) = parameters.get(number as usize) else {
        return Err(format!(
            "there is no parameter {number}: `{}` has {}",
            module.entry().name,
            parameters.len()
        ));
    };
    let whole = &module.instructions[parameter].shape;
    whole
        .at(index)
        .ok_or_else(|| format!("parameter {number} is {} and has no part {index}", short(whole)))
}

/// Both sides are there, and have the same size.
fn fits(module: &Module, alias: &Alias) -> Read<()> {
    let bad = |message, label: &str| Err(error(Code::HloBadAlias, message, alias.loc, label));
    let root = &module.instructions[module.entry().root];
    let Some(output) = root.shape.at(&alias.output) else {
        let message =
            format!("the output is {} and has no part {}", short(&root.shape), alias.output);
        return bad(message, "no such output");
    };
    let given = match parameter(module, alias.parameter, &alias.index) {
        Ok(given) => given,
        Err(message) => return bad(message, "no such parameter"),
    };
    if output.is_tuple() || given.is_tuple() {
        let message = format!("the alias of output {} is about a tuple", alias.output);
        return bad(message, "name the elements, one by one");
    }
    match (output.bytes(8), given.bytes(8)) {
        (Some(output), Some(given)) if output != given => {
            let message = format!(
                "output {} has {output} bytes, but {} has {given}",
                alias.output,
                named(alias)
            );
            bad(message, "sizes differ")
        }
        _ => Ok(()),
    }
}

/// `output_to_operand_aliasing` names parts that are there.
fn annotated(module: &Module, errors: &mut Errors) {
    const KEY: &str = "output_to_operand_aliasing";
    for instruction in module.instructions.iter() {
        let Some(text) = instruction.raw(KEY) else { continue };
        let bad =
            |message| error(Code::HloBadAlias, message, instruction.place_of(KEY), "this alias");
        let Some(pairs) = aliasing::read(text) else {
            let message = format!("`{KEY}` of `{}` cannot be read", instruction.name);
            errors.push(
                bad(message).help("write `{{0}: (1, {})}`: output, operand, its part").into(),
            );
            continue;
        };
        for pair in pairs {
            let operand = module.operand_at(instruction, pair.operand as usize);
            let given = operand.and_then(|operand| operand.shape.at(&pair.operand_index));
            let message = match (instruction.shape.at(&pair.output_index), given) {
                (None, Some(_)) if comes_late(instruction, &pair.output_index) => continue,
                (None, _) => format!("has no output {}", pair.output_index),
                (_, None) => format!("has no operand {} at {}", pair.operand, pair.operand_index),
                _ => continue,
            };
            errors.push(bad(format!("`{}` {message}", instruction.name)));
        }
    }
}

/// True for a part of the result of an asynchronous chain that a later link brings in.
fn comes_late(instruction: &Instruction, output: &ShapeIndex) -> bool {
    let result = ShapeIndex::one(1);
    let late = instruction.shape.at(&result).is_none_or(|shape| *shape == Shape::Tuple(Vec::new()));
    let chain = matches!(instruction.opcode, Opcode::AsyncStart | Opcode::AsyncUpdate);
    chain && late && output.below(&result).is_some()
}

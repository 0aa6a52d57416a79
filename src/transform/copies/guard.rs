//! Outputs that lie on parameters of a scheduled module which are still read when they are made.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Note;
use super::add::add_outputs;
use super::remove::remove_some;
use crate::diag::Diagnostic;
use crate::ir::hlo::{InstructionId, Module, Opcode, Platform, ShapeIndex};

/// Copies those of these aliased outputs to their parameters at the end which cannot be made in their
/// place. A module without a schedule is left as it is: [`super::add`] copies there.
///
/// # Errors
/// Those of the analyses; the module is unchanged then.
pub(in super::super) fn guard(
    module: &mut Module,
    outputs: &BTreeSet<ShapeIndex>,
    platform: Platform,
) -> Result<Vec<Note>, Diagnostic> {
    if !module.is_scheduled || outputs.is_empty() {
        return Ok(Vec::new());
    }
    // On trial all are copied; what cannot be removed again is needed.
    let mut trial = module.clone();
    let notes = add_outputs(&mut trial, outputs);
    let ours = notes.iter().filter_map(|note| match note {
        Note::CopyAdded { copy, .. } => Some(copy.clone()),
        _ => None,
    });
    let ours: BTreeSet<String> = ours.collect();
    let made: BTreeMap<ShapeIndex, String> = outputs
        .iter()
        .filter_map(|output| {
            let copy = &trial.instructions[producer(&trial, output)];
            (copy.opcode == Opcode::Copy).then(|| (output.clone(), copy.name.clone()))
        })
        .collect();
    remove_some(&mut trial, platform, |name| ours.contains(name))?;
    let left: BTreeSet<&str> = trial.instructions.iter().map(|i| i.name.as_str()).collect();
    let needed = made.into_iter().filter(|(_, copy)| left.contains(copy.as_str()));
    let needed: BTreeSet<ShapeIndex> = needed.map(|(output, _)| output).collect();
    Ok(match needed.is_empty() {
        true => Vec::new(),
        false => add_outputs(module, &needed),
    })
}

/// What makes an output: the way through tuples from the root.
fn producer(module: &Module, output: &ShapeIndex) -> InstructionId {
    let mut at = module.entry().root;
    for &step in &output.0 {
        let instruction = &module.instructions[at];
        match instruction.operands.get(step as usize) {
            Some(&next) if instruction.opcode == Opcode::Tuple => at = next,
            _ => break,
        }
    }
    at
}

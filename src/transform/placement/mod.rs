//! Placement annotations become the calls that later passes know (spec/xla-memory.md 12).
//!
//! ```text
//!   custom-call(x), target annotate_device_placement      custom-call(x), target MoveToHost
//!   frontend_attributes={_xla_buffer_placement=...}   ->
//! ```

#[cfg(test)]
mod tests;

use super::edit::{At, Editor};
use super::{Note, Report};
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{
    Attribute, AttributeValue, ComputationId, Instruction, InstructionId, Module, Opcode,
    post_order,
};

const ANNOTATION: &str = "annotate_device_placement";
const KEY: &str = "_xla_buffer_placement";

/// The placements and the targets that stand for them.
const TARGETS: &[(&str, &str)] = &[
    ("pinned_host", "MoveToHost"),
    ("unpinned_host", "MoveToHost"),
    ("device", "MoveToDevice"),
    ("vmem", "PinToDeviceSram"),
    ("pinned_device", "PinToDevice"),
];

/// Turns the annotations outside of fusions into internal calls: the same operand, its shape, the
/// annotation's sharding and metadata. Unknown placements are left alone.
///
/// # Errors
/// `HloBadPlacement` when an annotation does not have exactly one operand; the module is unchanged
/// then.
pub fn run(module: &mut Module) -> Result<Report, Diagnostic> {
    let fused = super::fused(module);
    let mut found = Vec::new();
    for id in module.computations.ids().filter(|&id| !fused[id]) {
        found.extend(annotations(module, id)?);
    }
    let mut notes = Vec::new();
    if found.is_empty() {
        return Ok(Report::of(notes));
    }
    let mut edit = Editor::new(module);
    for Annotation { call, placement, target } in found {
        let old = &edit.module().instructions[call];
        // Read now: the operand may have been an annotation itself, replaced a moment ago.
        let operands: Vec<InstructionId> = old.operands.first().copied().into_iter().collect();
        let shape =
            operands.first().map_or(&old.shape, |&of| &edit.module().instructions[of].shape);
        let (shape, attributes) = (shape.clone(), attributes(old, target));
        let from = old.name.clone();
        let new = edit.add(
            At::Before(call),
            Opcode::CustomCall.name(),
            Opcode::CustomCall,
            shape,
            operands,
            attributes,
        );
        edit.replace(call, new);
        edit.remove(call);
        let to = edit.module().instructions[new].name.clone();
        notes.push(Note::Placed { from, to, placement, target });
    }
    edit.finish();
    Ok(Report::of(notes))
}

/// What is wrong with the annotations of a module, without changing it.
pub fn findings(module: &Module) -> Vec<Diagnostic> {
    let fused = super::fused(module);
    let known = module.computations.ids().filter(|&id| !fused[id]);
    known.filter_map(|id| annotations(module, id).err()).collect()
}

struct Annotation {
    call: InstructionId,
    placement: &'static str,
    target: &'static str,
}

fn annotations(module: &Module, computation: ComputationId) -> Result<Vec<Annotation>, Diagnostic> {
    let is = |&id: &InstructionId| annotated(&module.instructions[id]).is_some();
    if !module.computations[computation].instructions.iter().any(is) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for call in post_order(module, computation) {
        let instruction = &module.instructions[call];
        let Some(&(placement, target)) = annotated(instruction) else { continue };
        let operands = instruction.operands.len();
        if operands != 1 {
            let name = &instruction.name;
            let message = format!(
                "`{name}` places a buffer in `{placement}` but has {operands} operands, not one"
            );
            return Err(Diagnostic::error(Code::HloBadPlacement, message)
                .at(instruction.loc, "which of them is to be placed?")
                .help("annotate every buffer by a call of its own"));
        }
        found.push(Annotation { call, placement, target });
    }
    Ok(found)
}

/// The known placement that an instruction asks for.
fn annotated(instruction: &Instruction) -> Option<&'static (&'static str, &'static str)> {
    let is_call = instruction.opcode == Opcode::CustomCall;
    if !is_call || instruction.custom_call_target() != Some(ANNOTATION) {
        return None;
    }
    let wanted = frontend_attribute(instruction.raw("frontend_attributes")?, KEY)?;
    TARGETS.iter().find(|(placement, _)| *placement == wanted)
}

fn attributes(old: &Instruction, target: &str) -> Vec<Attribute> {
    let mut out = vec![Attribute {
        name: "custom_call_target".to_owned(),
        value: AttributeValue::Raw(format!("\"{target}\"")),
        loc: old.loc,
    }];
    let kept = old.attributes.iter().filter(|a| a.name == "sharding" || a.name == "metadata");
    out.extend(kept.cloned());
    out
}

/// The value of a key in `{a="x",b="y"}`. Values may hold braces, commas and escaped quotes, inside
/// of quotes or, as `xla.sdy.meshes={...}`, inside of braces.
fn frontend_attribute(text: &str, key: &str) -> Option<String> {
    let inside = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    super::split_top(inside).into_iter().find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        (name.trim() == key).then(|| value.trim().trim_matches('"').to_owned())
    })
}

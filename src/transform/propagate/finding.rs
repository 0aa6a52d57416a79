//! Memory spaces that disagree across a fusion's boundary.

use super::callee;
use crate::diag::{Code, Diagnostic};
use crate::ir::hlo::{Instruction, InstructionId, Module, Opcode, Shape, ShapeIndex};
use crate::model::IdVec;

/// How far a path is shown from computation to computation.
const STEPS: usize = 8;

/// The users of every instruction.
type Users = IdVec<InstructionId, Vec<InstructionId>>;

/// Every leaf of a fusion whose memory space inside is another one than outside, with the way
/// inwards; fusions inside of fusions too.
pub fn findings(module: &Module) -> Vec<Diagnostic> {
    let all = module.computations.iter().flat_map(|c| &c.instructions);
    let (users, mut found) = (module.users(), Vec::new());
    for &id in all.filter(|&&id| module.instructions[id].opcode == Opcode::Fusion) {
        let fusion = &module.instructions[id];
        let Some(callee) = callee(module, fusion) else { continue };
        for (&operand, &parameter) in fusion.operands.iter().zip(&callee.parameters) {
            found.extend(operand_mismatch(module, &users, fusion, operand, parameter));
        }
        found.extend(root_mismatch(module, fusion, callee.root));
    }
    found
}

fn operand_mismatch(
    module: &Module,
    users: &Users,
    fusion: &Instruction,
    operand: InstructionId,
    parameter: InstructionId,
) -> Option<Diagnostic> {
    let (outer, inner) = (&module.instructions[operand], &module.instructions[parameter]);
    let (index, outside, inside) = difference(&outer.shape, &inner.shape)?;
    let names = (&fusion.name, &outer.name, &inner.name);
    let (fused, from, to) = names;
    let message = format!(
        "`{from}`{index} lies in memory space {outside}, but fusion `{fused}` reads it as `{to}` in \
         memory space {inside}"
    );
    let mut finding = Diagnostic::warning(Code::HloSpaceMismatch, message)
        .at(outer.loc, format!("memory space {outside}"))
        .at(fusion.loc, "goes into this fusion")
        .at(inner.loc, format!("memory space {inside}"));
    for step in inwards(module, users, parameter) {
        let instruction = &module.instructions[step];
        let space = instruction.shape.at(&index).map_or(0, Shape::memory_space);
        finding = finding.at(instruction.loc, format!("and from there here: memory space {space}"));
    }
    Some(finding.help("`memplan convert --pass propagate` gives both the space outside"))
}

fn root_mismatch(module: &Module, fusion: &Instruction, root: InstructionId) -> Option<Diagnostic> {
    let inner = &module.instructions[root];
    let (index, outside, inside) = difference(&fusion.shape, &inner.shape)?;
    let message = format!(
        "fusion `{}`{index} lies in memory space {outside}, but its root `{}` in memory space {inside}",
        fusion.name, inner.name
    );
    Some(
        Diagnostic::warning(Code::HloSpaceMismatch, message)
            .at(fusion.loc, format!("memory space {outside}"))
            .at(inner.loc, format!("memory space {inside}"))
            .help("`memplan convert --pass propagate` gives both the space outside"),
    )
}

/// The first leaf where spaces differ: outside's, inside's.
fn difference(outside: &Shape, inside: &Shape) -> Option<(ShapeIndex, u32, u32)> {
    outside.leaves().into_iter().find_map(|(index, leaf)| {
        let (out, inn) = (leaf.array()?, inside.at(&index)?.array()?);
        let (out, inn) = (out.memory_space(), inn.memory_space());
        (out != inn).then_some((index, out, inn))
    })
}

/// The parameters of nested fusions that a fused parameter is handed to, one after the other.
fn inwards(module: &Module, users: &Users, parameter: InstructionId) -> Vec<InstructionId> {
    let (mut out, mut at) = (Vec::new(), parameter);
    while out.len() < STEPS {
        let next = users[at].iter().find_map(|&id| {
            let user = &module.instructions[id];
            let slot = user.operands.iter().position(|&operand| operand == at)?;
            callee(module, user)?.parameters.get(slot).copied()
        });
        let Some(next) = next else { break };
        out.push(next);
        at = next;
    }
    out
}

//! Modules for the tests of the passes.

pub(super) mod meaning;

use std::collections::BTreeMap;

use crate::diag::Sources;
use crate::ir::hlo::{InstructionId, Module, Opcode, Shape, ShapeIndex, parse};
use crate::model::Index;

/// Reads HLO text.
pub(super) fn read(text: &str) -> Module {
    let mut sources = Sources::default();
    let file = sources.add("test.hlo", text);
    match parse(&sources, file) {
        Ok(module) => module,
        Err(errors) => {
            let messages: Vec<&String> = errors.iter().map(|error| &error.message).collect();
            panic!("{messages:?} in\n{text}")
        }
    }
}

/// A shape as HLO writes it, without tiles.
pub(super) fn shape(text: &str) -> Shape {
    let module = read(&format!("HloModule m\n\nENTRY e {{\n  ROOT p = {text} parameter(0)\n}}\n"));
    module.instructions[module.entry().root].shape.clone()
}

/// The instruction of that name.
pub(super) fn id(module: &Module, name: &str) -> InstructionId {
    let found = module.instructions.ids().find(|&id| module.instructions[id].name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

/// The memory space of a leaf.
pub(super) fn space(module: &Module, name: &str, index: &[u32]) -> u32 {
    let shape = &module.instructions[id(module, name)].shape;
    shape.at(&ShapeIndex::from(index)).map_or(u32::MAX, Shape::memory_space)
}

/// How many instructions of that opcode there are.
pub(super) fn count(module: &Module, opcode: &Opcode) -> usize {
    module.instructions.iter().filter(|i| i.opcode == *opcode).count()
}

/// The operands of an instruction, by name.
pub(super) fn operands<'m>(module: &'m Module, name: &str) -> Vec<&'m str> {
    let operands = module.instructions[id(module, name)].operands.iter();
    operands.map(|&operand| module.instructions[operand].name.as_str()).collect()
}

/// Checks what every pass keeps: instructions are numbered in text order and in one computation each,
/// roots and parameters are in theirs, operands come first, names differ.
pub(super) fn check(module: &Module) {
    let text: Vec<InstructionId> =
        module.computations.iter().flat_map(|c| &c.instructions).copied().collect();
    let numbers: Vec<usize> = text.iter().map(|id| id.at()).collect();
    assert_eq!(numbers, (0..module.instructions.len()).collect::<Vec<_>>(), "text order");
    let mut names: BTreeMap<&str, InstructionId> = BTreeMap::new();
    for (id, computation) in module.computations.enumerate() {
        assert!(computation.instructions.contains(&computation.root), "the root is there");
        for (number, parameter) in computation.parameters.iter().enumerate() {
            let parameter = &module.instructions[*parameter];
            assert_eq!(parameter.parameter.map(|n| n as usize), Some(number));
            assert_eq!(parameter.computation, id);
        }
        for &at in &computation.instructions {
            let instruction = &module.instructions[at];
            assert_eq!(instruction.computation, id, "{}", instruction.name);
            let before = instruction.operands.iter().chain(instruction.control_predecessors());
            for &operand in before {
                assert!(operand < at, "{} runs before its operand", instruction.name);
                assert_eq!(module.instructions[operand].computation, id);
            }
            let other = names.insert(&instruction.name, at);
            assert_eq!(other, None, "two instructions are called {}", instruction.name);
        }
    }
}

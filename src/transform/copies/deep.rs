//! Copies of single leaves of a value that may be a tuple.

use std::collections::BTreeSet;

use super::super::edit::{At, Editor};
use crate::ir::hlo::{Attribute, AttributeValue, InstructionId, Opcode, Shape, ShapeIndex};

/// A copy that was made: the leaf, the copy, its source.
pub(super) struct Made {
    pub(super) index: ShapeIndex,
    pub(super) copy: InstructionId,
    pub(super) source: InstructionId,
}

/// A value rebuilt with copies of some leaves.
pub(super) struct Rebuilt {
    /// The value to use.
    pub(super) value: InstructionId,
    /// Its elements, if it is a tuple.
    elements: Vec<InstructionId>,
    pub(super) made: Vec<Made>,
}

/// Rebuilds `value` in the place of `at` with copies of the array leaves `leaves`. Recursive in the
/// nesting of the shape, which the reader limits to 256.
pub(super) fn rebuild(
    edit: &mut Editor<'_>,
    at: At,
    value: InstructionId,
    leaves: &BTreeSet<ShapeIndex>,
) -> Rebuilt {
    let mut made = Vec::new();
    let (value, elements) = walk(edit, at, value, &ShapeIndex::TOP, leaves, &mut made);
    Rebuilt { value, elements, made }
}

fn walk(
    edit: &mut Editor<'_>,
    at: At,
    value: InstructionId,
    index: &ShapeIndex,
    leaves: &BTreeSet<ShapeIndex>,
    made: &mut Vec<Made>,
) -> (InstructionId, Vec<InstructionId>) {
    let shape = edit.module().instructions[value].shape.clone();
    let Shape::Tuple(parts) = &shape else {
        if !leaves.contains(index) {
            return (value, Vec::new());
        }
        let metadata = edit.module().instructions[value].attributes.iter();
        let metadata = metadata.filter(|a| a.name == "metadata").cloned().collect();
        let copy = edit.add(at, "copy", Opcode::Copy, shape, vec![value], metadata);
        made.push(Made { index: index.clone(), copy, source: value });
        return (copy, Vec::new());
    };
    let mut elements = Vec::new();
    for (step, part) in (0..).zip(parts) {
        let below = index.child(step);
        let element = element(edit, at, value, step, part);
        let copied =
            leaves.range(below.clone()..).next().is_some_and(|l| l.below(&below).is_some());
        elements.push(match copied {
            true => walk(edit, at, element, &below, leaves, made).0,
            false => element,
        });
    }
    let tuple = edit.add(at, "tuple", Opcode::Tuple, shape, elements.clone(), Vec::new());
    (tuple, elements)
}

/// One element of a tuple: the operand of the instruction `tuple` that made it, else read from it.
fn element(
    edit: &mut Editor<'_>,
    at: At,
    of: InstructionId,
    step: u32,
    shape: &Shape,
) -> InstructionId {
    let tuple = &edit.module().instructions[of];
    if tuple.opcode == Opcode::Tuple
        && let Some(&operand) = tuple.operands.get(step as usize)
    {
        return operand;
    }
    let index = Attribute {
        name: "index".to_owned(),
        value: AttributeValue::Raw(step.to_string()),
        loc: tuple.loc,
    };
    let opcode = Opcode::GetTupleElement;
    edit.add(at, "get-tuple-element", opcode, shape.clone(), vec![of], vec![index])
}

/// Gives the users that `old` had before it was rebuilt to what it was rebuilt as: those that read an
/// element get the element itself.
pub(super) fn hand_over(
    edit: &mut Editor<'_>,
    old: InstructionId,
    users: &[InstructionId],
    new: &Rebuilt,
) {
    for &user in users {
        let reader = &edit.module().instructions[user];
        let read = reader.tuple_index().filter(|_| reader.opcode == Opcode::GetTupleElement);
        match read.and_then(|at| new.elements.get(at as usize)) {
            Some(&element) => {
                edit.replace(user, element);
                edit.remove(user);
            }
            None => edit.replace_in(user, old, new.value),
        }
    }
    if edit.module().is_root(old) {
        let computation = edit.module().instructions[old].computation;
        edit.set_root(computation, new.value);
    }
    edit.remove(new.value);
}

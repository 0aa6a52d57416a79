//! Shapes that fit each other.

use super::super::read::{Error, Read, error};
use super::super::{Instruction, Shape};
use crate::diag::{Code, Loc};

/// True when both shapes are the same but for layouts and memory spaces. An unbounded dimension fits
/// all sizes.
pub(super) fn fits(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Array(a), Shape::Array(b)) => {
            let same = |(a, b): (&super::super::Dim, &super::super::Dim)| {
                a.size == b.size || a.size.is_none() || b.size.is_none()
            };
            a.element == b.element
                && a.dims.len() == b.dims.len()
                && a.dims.iter().zip(&b.dims).all(same)
        }
        (Shape::Tuple(a), Shape::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| fits(a, b))
        }
        (a, b) => a == b,
    }
}

/// True when both shapes have the same nodes, whatever the arrays.
pub(super) fn same_nodes(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Tuple(a), Shape::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_nodes(a, b))
        }
        (a, b) => !a.is_tuple() && !b.is_tuple(),
    }
}

/// The text of a shape for a message: without layouts, long tuples cut.
pub(super) fn short(shape: &Shape) -> String {
    const MOST: usize = 60;
    let text = shape.text(false, false).to_string();
    match text.get(..MOST) {
        Some(start) if text.len() > MOST + 3 => format!("{start}..."),
        _ => text,
    }
}

/// A shape that an instruction should have, and what it is.
pub(super) struct Wanted<'s> {
    /// Such as "operand 0".
    pub(super) what: String,
    pub(super) shape: &'s Shape,
    /// Where that is written.
    pub(super) loc: Loc,
}

impl<'s> Wanted<'s> {
    pub(super) fn of(what: impl Into<String>, instruction: &'s Instruction) -> Self {
        Self { what: what.into(), shape: &instruction.shape, loc: instruction.loc }
    }

    /// An error unless `shape`, a part of an instruction's called `part`, fits.
    pub(super) fn fits(&self, instruction: &Instruction, part: &str, shape: &Shape) -> Read<()> {
        if fits(shape, self.shape) {
            return Ok(());
        }
        let message = format!(
            "{part} of `{}` is {}, but {} is {}",
            instruction.name,
            short(shape),
            self.what,
            short(self.shape)
        );
        Err(error(Code::HloBadShape, message, instruction.loc, short(shape))
            .at(self.loc, short(self.shape))
            .into())
    }
}

/// The whole shape of an instruction must fit.
pub(super) fn whole(instruction: &Instruction, wanted: &Wanted<'_>) -> Read<()> {
    wanted.fits(instruction, "the shape", &instruction.shape)
}

/// The shape of an instruction is none that its opcode can have.
pub(super) fn misshapen(instruction: &Instruction, expected: &str) -> Error {
    let message = format!(
        "the shape of `{}` is {}, but `{}` makes {expected}",
        instruction.name,
        short(&instruction.shape),
        instruction.opcode
    );
    error(Code::HloBadShape, message, instruction.loc, short(&instruction.shape))
}

/// The elements of a tuple, at least `least` of them.
pub(super) fn elements<'i>(
    instruction: &'i Instruction,
    least: usize,
    expected: &str,
) -> Read<&'i [Shape]> {
    match &instruction.shape {
        Shape::Tuple(parts) if parts.len() >= least => Ok(parts),
        _ => Err(misshapen(instruction, expected)),
    }
}

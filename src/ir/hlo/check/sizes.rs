//! Bytes fit 64 bits.

use super::super::read::{Errors, error};
use super::super::{Module, Shape};
use crate::diag::Code;

pub(super) fn check(module: &Module, errors: &mut Errors) {
    for instruction in module.instructions.iter() {
        if let Some(array) = too_large(&instruction.shape) {
            let message = format!("the size of `{}` does not fit 64 bits", instruction.name);
            errors.push(error(Code::HloSizeOverflow, message, instruction.loc, array.to_string()));
        }
    }
}

/// An array whose bytes do not fit; recursion is as deep as the shape, which has a limit.
fn too_large(shape: &Shape) -> Option<&Shape> {
    match shape {
        Shape::Array(array) => {
            let bounded = array.dims.iter().all(|dim| dim.size.is_some());
            (bounded && array.bytes().is_none()).then_some(shape)
        }
        Shape::Tuple(parts) => parts.iter().find_map(too_large),
        Shape::Token | Shape::Opaque => None,
    }
}

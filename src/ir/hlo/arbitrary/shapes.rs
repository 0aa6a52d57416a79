//! Shapes of generated instructions, as shapes and as text.

use super::Writer;
use crate::ir::hlo::{Array, Dim, ElementType, Layout, Shape};

/// Few, so that many values have the same.
pub(super) const DIMS: [&[u64]; 7] = [&[], &[8], &[32], &[4, 8], &[8, 4], &[8, 8], &[2, 4, 8]];

/// Of elements, the most common first.
pub(super) const ELEMENTS: [ElementType; 6] = [
    ElementType::F32,
    ElementType::F32,
    ElementType::F32,
    ElementType::S32,
    ElementType::Bf16,
    ElementType::Pred,
];

/// The memory space of the host.
pub(super) const HOST: u32 = 5;

impl Writer<'_> {
    /// An array in the default layout.
    pub(super) fn array(&self, element: ElementType, dims: &[u64]) -> Shape {
        let rank = u32::try_from(dims.len()).unwrap_or(0);
        let minor_to_major = (0..rank).rev().collect();
        let layout = self.has_layouts && rank > 0;
        Shape::Array(Array {
            element,
            dims: dims.iter().map(|size| Dim { size: Some(*size), dynamic: false }).collect(),
            layout: layout.then(|| Layout { minor_to_major, ..Layout::default() }),
        })
    }

    /// Some array.
    pub(super) fn any_array(&mut self) -> Shape {
        let element = self.choices.of(&ELEMENTS).copied().unwrap_or(ElementType::F32);
        let dims = self.choices.of(&DIMS).copied().unwrap_or_default();
        self.array(element, dims)
    }

    /// The same array elsewhere; an array without layout stays where it is.
    pub(super) fn in_space(shape: &Shape, space: u32) -> Shape {
        let mut shape = shape.clone();
        if let Shape::Array(Array { layout: Some(layout), .. }) = &mut shape {
            layout.memory_space = space;
        }
        shape
    }
}

/// The type of the elements of an array.
pub(super) fn element(shape: &Shape) -> ElementType {
    shape.array().map_or(ElementType::F32, |array| array.element)
}

/// The sizes of an array.
pub(super) fn dims(shape: &Shape) -> Vec<u64> {
    shape.array().map(|a| a.dims.iter().filter_map(|dim| dim.size).collect()).unwrap_or_default()
}

/// True for an array in the default memory space.
pub(super) fn is_near(shape: &Shape) -> bool {
    shape.array().is_some() && shape.memory_space() == 0
}

/// True for an array without dimensions in the default memory space.
pub(super) fn is_scalar(shape: &Shape) -> bool {
    is_near(shape) && dims(shape).is_empty()
}

/// The elements of a tuple; of all else the shape itself.
pub(super) fn parts(shape: &Shape) -> &[Shape] {
    match shape {
        Shape::Tuple(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

/// How many leaves come before element `at` of a tuple.
pub(super) fn leaves_before(shape: &Shape, at: usize) -> usize {
    parts(shape).iter().take(at).map(|part| part.leaves().len()).sum()
}

/// The shape as XLA prints it.
pub(super) fn text(shape: &Shape) -> String {
    shape.text(true, true).to_string()
}

/// A list with every fifth index in a comment, as XLA prints it.
pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    let numbered = items.enumerate().map(|(at, item)| match at {
        0 => item,
        _ if at % 5 == 0 => format!(", /*index={at}*/{item}"),
        _ => format!(", {item}"),
    });
    numbered.collect()
}

/// Numbers with commas between.
pub(super) fn commas(items: impl Iterator<Item = impl ToString>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}

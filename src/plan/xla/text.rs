//! `buffer-assignment.txt` as XLA writes it (spec/xla-memory.md 9.5, 22.7).

use std::fmt::Write;

use super::{Allocation, Assignment};
use crate::analyze::hlo::{Analysis, ValueId};
use crate::ir::hlo::{Array, Shape};

/// The text of an assignment, values by their ids.
pub fn assignment_text(analysis: &Analysis<'_>, assignment: &Assignment) -> String {
    assignment_text_with_ids(analysis, assignment, &|value| u64::from(value.0))
}

/// The text of an assignment whose values have other ids: XLA's, for one, which are not in the text of a
/// module.
pub fn assignment_text_with_ids(
    analysis: &Analysis<'_>,
    assignment: &Assignment,
    id: &dyn Fn(ValueId) -> u64,
) -> String {
    let mut out = String::from("BufferAssignment:\n");
    for (number, allocation) in assignment.allocations.iter().enumerate() {
        let _ = writeln!(out, "allocation {number}: {}:", head(analysis, allocation));
        let mut values: Vec<_> =
            allocation.values.iter().map(|placed| (id(placed.value), placed)).collect();
        values.sort_unstable_by_key(|(id, _)| *id);
        for (id, placed) in values {
            let value = &analysis.values.values[placed.value];
            let born = &value.definition;
            let instruction = &analysis.module.instructions[born.instruction];
            let Some(shape) = instruction.shape.at(&born.index) else { continue };
            let index = match born.index.is_top() && !shape.is_tuple() {
                true => String::new(),
                false => born.index.to_string(),
            };
            let phi = if value.is_phi { " (phi)" } else { "" };
            let _ = writeln!(
                out,
                " value: <{id} {}{index}{phi} @{}> (size={},offset={}): {}",
                instruction.name,
                shape.memory_space(),
                placed.size,
                placed.offset,
                shape_text(shape, true),
            );
        }
    }
    out
}

/// What an allocation is.
fn head(analysis: &Analysis<'_>, allocation: &Allocation) -> String {
    let module = analysis.module;
    let mut out = format!("size {}", allocation.size);
    if allocation.memory_space != 0 {
        let _ = write!(out, ", color {}", allocation.memory_space);
    }
    if let Some((number, index)) = &allocation.parameter {
        let parameter = module.entry().parameters.get(*number as usize);
        let shape = parameter.and_then(|&at| module.instructions[at].shape.at(index));
        let shape = shape.map_or_else(String::new, |shape| shape_text(shape, false));
        let _ = write!(out, ", parameter {number}, shape |{shape}| at ShapeIndex {index}");
    }
    let root = module.root(module.entry);
    let result = analysis.values.at[root].first().into_iter().flatten();
    let mut result = result.filter(|value| allocation.holds(**value));
    if result.next().is_some() {
        let shape = shape_text(&module.instructions[root].shape, false);
        let _ = write!(out, ", output shape is |{shape}|");
    }
    let words = [
        (allocation.constant, ", constant"),
        (allocation.thread_local, ", thread-local"),
        (allocation.live_out, ", maybe-live-out"),
        (allocation.is_temp(), ", preallocated-temp"),
    ];
    out.extend(words.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word));
    out
}

/// A shape as XLA prints it, with or without layouts; in a tuple every fifth element says its number.
pub fn shape_text(shape: &Shape, layouts: bool) -> String {
    enum Step<'s> {
        Shape(&'s Shape),
        Text(&'static str),
        Number(usize),
    }
    let mut out = String::new();
    let mut todo = vec![Step::Shape(shape)];
    while let Some(step) = todo.pop() {
        match step {
            Step::Text(text) => out.push_str(text),
            Step::Number(number) => {
                let _ = write!(out, "/*index={number}*/");
            }
            Step::Shape(Shape::Array(array)) => array_text(&mut out, array, layouts),
            Step::Shape(Shape::Token) => out.push_str("token[]"),
            Step::Shape(Shape::Opaque) => out.push_str("opaque[]"),
            Step::Shape(Shape::Tuple(parts)) => {
                todo.push(Step::Text(")"));
                for (at, part) in parts.iter().enumerate().rev() {
                    todo.push(Step::Shape(part));
                    if at > 0 && at.is_multiple_of(5) {
                        todo.push(Step::Number(at));
                    }
                    todo.push(Step::Text(if at == 0 { "(" } else { ", " }));
                }
                if parts.is_empty() {
                    todo.push(Step::Text("("));
                }
            }
        }
    }
    out
}

fn array_text(out: &mut String, array: &Array, layouts: bool) {
    out.push_str(array.element.name());
    let dims = array.dims.iter().map(|dim| match (dim.size, dim.dynamic) {
        (Some(size), true) => format!("<={size}"),
        (Some(size), false) => size.to_string(),
        (None, _) => "?".to_owned(),
    });
    let _ = write!(out, "[{}]", dims.collect::<Vec<_>>().join(","));
    let Some(layout) = array.layout.as_ref().filter(|_| layouts) else { return };
    let order: Vec<String> = layout.minor_to_major.iter().map(u32::to_string).collect();
    let mut tags = String::new();
    for tile in &layout.tiles {
        if !tags.starts_with('T') {
            tags.push('T');
        }
        let sizes = tile.iter().map(|size| size.map_or("*".to_owned(), |size| size.to_string()));
        let _ = write!(tags, "({})", sizes.collect::<Vec<_>>().join(","));
    }
    tags.extend(layout.tags.iter().map(String::as_str));
    if let Some(bits) = layout.element_bits {
        let _ = write!(tags, "E({bits})");
    }
    if layout.memory_space != 0 {
        let _ = write!(tags, "S({})", layout.memory_space);
    }
    for split in &layout.split_configs {
        let indices: Vec<String> = split.indices.iter().map(u64::to_string).collect();
        let _ = write!(tags, "SC({}:{})", split.dim, indices.join(","));
    }
    let colon = if tags.is_empty() { "" } else { ":" };
    if !(order.is_empty() && tags.is_empty()) {
        let _ = write!(out, "{{{}{colon}{tags}}}", order.join(","));
    }
}

impl Allocation {
    /// True when the value lies in it.
    fn holds(&self, value: ValueId) -> bool {
        self.values.binary_search_by_key(&value, |placed| placed.value).is_ok()
    }
}

//! `buffer-assignment.txt` as XLA writes it (spec/xla-memory.md 9.5, 22.7).

use std::fmt::Write;

use super::{Allocation, Assignment};
use crate::analyze::hlo::{Analysis, ValueId};

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
                shape.text(true, true),
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
        let shape = shape.map_or_else(String::new, |shape| shape.text(false, true).to_string());
        let _ = write!(out, ", parameter {number}, shape |{shape}| at ShapeIndex {index}");
    }
    let root = module.root(module.entry);
    let result = analysis.values.at[root].first().into_iter().flatten();
    let mut result = result.filter(|value| allocation.holds(**value));
    if result.next().is_some() {
        let shape = module.instructions[root].shape.text(false, true);
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

impl Allocation {
    /// True when the value lies in it.
    fn holds(&self, value: ValueId) -> bool {
        self.values.binary_search_by_key(&value, |placed| placed.value).is_ok()
    }
}

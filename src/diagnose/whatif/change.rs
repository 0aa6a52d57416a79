//! One change of a function, or several in a row.

use super::factor::Factor;
use super::scaled::{resized, scaled};
use super::slots::with_slots;
use crate::model::{BufferId, Function, Problem};

/// A change of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A buffer has so many slots.
    Slots {
        /// The buffer.
        buffer: BufferId,
        /// Slots then.
        to: u32,
    },
    /// A dimension is scaled.
    Scale {
        /// The dimension.
        dimension: String,
        /// By how much.
        by: Factor,
    },
    /// Every dimension of so many elements has another number of them.
    Resize {
        /// Elements now.
        from: u64,
        /// Elements then.
        to: u64,
    },
}

/// The problem with one of its functions (by its index) alone, changed.
///
/// # Errors
/// Why there is no such problem, as a fragment.
pub fn changed(problem: &Problem, index: usize, changes: &[Change]) -> Result<Problem, String> {
    let mut function = problem.functions.get(index).ok_or("there is no such function")?.clone();
    if function.buffers.iter().any(|b| b.coupling.is_some()) {
        return Err("two functions share its buffers".to_owned());
    }
    for change in changes {
        function = apply(&function, change)?;
    }
    Ok(problem.with(function))
}

fn apply(function: &Function, change: &Change) -> Result<Function, String> {
    match change {
        Change::Slots { buffer, to } => with_slots(function, *buffer, *to),
        Change::Scale { dimension, by } => scaled(function, dimension, *by),
        Change::Resize { from, to } => resized(function, *from, *to),
    }
}

//! What there is to vary.

use crate::model::{BufferId, Function};

/// Buffers with several slots, the largest first.
pub fn multi_buffers(function: &Function) -> Vec<BufferId> {
    let several = function.buffers.enumerate().filter(|(_, b)| b.slots > 1 && b.coupling.is_none());
    let mut all: Vec<BufferId> = several.map(|(id, _)| id).collect();
    all.sort_by_key(|id| {
        let b = &function.buffers[*id];
        (std::cmp::Reverse(b.size.0.saturating_mul(b.slots.into())), *id)
    });
    all
}

/// The names of dimensions that buffers grow with, in the order in which they first appear.
pub fn dimensions(function: &Function) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for growth in &function.growth {
        if !names.contains(&growth.dimension) {
            names.push(growth.dimension.clone());
        }
    }
    names
}

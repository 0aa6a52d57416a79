//! Breadth first: whatever is ready, first come, first served (spec/xla-memory.md 10.4).

use std::collections::VecDeque;

use super::graph::Graph;
use crate::diag::Diagnostic;
use crate::ir::hlo::Module;

/// The breadth-first order of a computation.
///
/// # Errors
///
/// `HloCycle` when instructions wait for each other.
pub(crate) fn bfs(module: &Module, graph: &Graph) -> Result<Vec<u32>, Diagnostic> {
    let mut waits = graph.waits();
    let ready = (0_u32..).zip(&waits).filter(|(_, count)| **count == 0);
    let mut ready: VecDeque<u32> = ready.map(|(place, _)| place).collect();
    let mut order = Vec::with_capacity(graph.len());
    while let Some(place) = ready.pop_front() {
        order.push(place);
        for next in graph.after(place) {
            waits[next as usize] -= 1;
            if waits[next as usize] == 0 {
                ready.push_back(next);
            }
        }
    }
    graph.complete(module, order, &waits)
}

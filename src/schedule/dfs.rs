//! Depth first, the operand with the most demands first (spec/xla-memory.md 10.3).

use super::graph::Graph;
use crate::diag::Diagnostic;
use crate::ir::hlo::{InstructionId, Module, Opcode};
use crate::model::IdVec;

/// The depth-first order of a computation. `post` is its post-order, `defined` the bytes that each
/// instruction of the module defines.
///
/// # Errors
///
/// `HloCycle` when instructions wait for each other.
pub(crate) fn dfs(
    module: &Module,
    graph: &Graph,
    post: &[u32],
    defined: &IdVec<InstructionId, u64>,
) -> Result<Vec<u32>, Diagnostic> {
    let demands = demands(module, graph, post, defined);
    let name = |place: u32| module.instructions[graph.ids[place as usize]].name.as_str();
    // Larger demands first, then smaller names.
    let key = |place: u32| (std::cmp::Reverse(demands[place as usize]), name(place));
    let below = |place: u32| {
        let mut operands = graph.operands[place as usize].clone();
        operands.sort_by(|&a, &b| key(a).cmp(&key(b)));
        let mut control = graph.control_before[place as usize].clone();
        control.sort_by(|&a, &b| key(a).cmp(&key(b)));
        operands.extend(control);
        operands
    };
    let places = 0..u32::try_from(graph.len()).unwrap_or(u32::MAX);
    let unreached = |&place: &u32| place != graph.root && graph.after(place).next().is_none();
    let starts = places.filter(unreached).chain((graph.len() > 0).then_some(graph.root));
    let order = visit(graph, starts, below);
    // Those after the root by control alone are reached by no start.
    let mut waits = vec![1; graph.len()];
    order.iter().for_each(|&place| waits[place as usize] = 0);
    graph.complete(module, order, &waits)
}

/// The places in the order in which a walk from the starts leaves them. A cycle is walked once.
pub(crate) fn visit(
    graph: &Graph,
    starts: impl Iterator<Item = u32>,
    below: impl Fn(u32) -> Vec<u32>,
) -> Vec<u32> {
    let mut seen = vec![false; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    for start in starts {
        let mut path: Vec<(u32, std::vec::IntoIter<u32>)> = Vec::new();
        if !std::mem::replace(&mut seen[start as usize], true) {
            path.push((start, below(start).into_iter()));
        }
        while let Some((place, rest)) = path.last_mut() {
            match rest.next() {
                Some(next) if std::mem::replace(&mut seen[next as usize], true) => {}
                Some(next) => path.push((next, below(next).into_iter())),
                None => {
                    order.push(*place);
                    path.pop();
                }
            }
        }
    }
    order
}

/// What each instruction demands: extra users and bytes below it, both capped.
fn demands(
    module: &Module,
    graph: &Graph,
    post: &[u32],
    defined: &IdVec<InstructionId, u64>,
) -> Vec<(u64, u64)> {
    let count = graph.len() as u64;
    let mut demands = vec![(0_u64, 0_u64); graph.len()];
    let mut running = 0_u64;
    for &place in post {
        let id = graph.ids[place as usize];
        if matches!(module.instructions[id].opcode, Opcode::Parameter | Opcode::Constant) {
            continue;
        }
        running = running.saturating_add(defined[id]);
        let users = graph.users[place as usize].len() as u64;
        let (mut extra, mut total) = (users.saturating_sub(1), defined[id]);
        for &operand in &graph.operands[place as usize] {
            let (more, bytes) = demands[operand as usize];
            extra = extra.saturating_add(more);
            total = total.saturating_add(bytes);
        }
        demands[place as usize] = (extra.min(count), total.min(running));
    }
    demands
}

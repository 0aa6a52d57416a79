//! Buffers that two cores share: the core that owns one decides where it lies, the other core's
//! function takes those addresses (HIVM spec 2.9).

use std::collections::BTreeMap;

use super::{Question, hivm};
use crate::model::{BufferId, FunctionAnswer, Verdict};

/// Gives the buffers of the other core the offsets of their owners, module by module; a function
/// in which that goes wrong is `undecided`.
pub(super) fn exchange(question: &Question<'_>, answers: &mut [FunctionAnswer]) {
    let Some(kernels) = question.kernels else { return };
    let chunk = |index: usize| kernels.functions[index].chunk;
    let mut owned: BTreeMap<(usize, u32), Vec<u64>> = BTreeMap::new();
    for answer in answers.iter() {
        let function = &question.problem.functions[answer.index];
        for placement in &answer.plan.placements {
            let Some(id) = placement.id.map(BufferId) else { continue };
            let consumer = kernels.functions[answer.index].consumers.contains(&id);
            let coupling = function.buffers.get(id).and_then(|b| b.coupling);
            if let (Some(coupling), false) = (coupling, consumer) {
                owned.insert((chunk(answer.index), coupling), placement.offsets.clone());
            }
        }
    }
    for answer in answers.iter_mut() {
        take(question, answer, &owned);
    }
}

fn take(
    question: &Question<'_>,
    answer: &mut FunctionAnswer,
    owned: &BTreeMap<(usize, u32), Vec<u64>>,
) {
    let Some(kernels) = question.kernels else { return };
    let kernel = &kernels.functions[answer.index];
    let function = &question.problem.functions[answer.index];
    let mut changed = Vec::new();
    for placement in &mut answer.plan.placements {
        let Some(id) = placement.id.map(BufferId).filter(|id| kernel.consumers.contains(id)) else {
            continue;
        };
        let buffer = &function.buffers[id];
        let Some(theirs) = buffer.coupling.and_then(|c| owned.get(&(kernel.chunk, c))) else {
            continue;
        };
        if placement.offsets != *theirs {
            placement.offsets.clone_from(theirs);
            changed.push(buffer.scope);
        }
    }
    if changed.is_empty() {
        return;
    }
    let right = (question.judge)(answer.index, &answer.plan);
    for scope in answer.scopes.iter_mut().filter(|s| changed.contains(&s.scope)) {
        let mine =
            answer.plan.placements.iter().filter(|p| {
                p.id.is_some_and(|id| function.buffers[BufferId(id)].scope == scope.scope)
            });
        let mine: Vec<_> = mine.cloned().collect();
        scope.reuse.clear();
        if right {
            let peak = hivm::peak(question.problem, answer.index, &mine);
            scope.peak = Some(peak);
            scope.verdict = Verdict::Feasible;
            scope.message = Some("coupled buffers lie where their owner has put them".to_owned());
        } else {
            scope.verdict = Verdict::Undecided;
            let why = "the owner lets coupled buffers share that are alive together here";
            scope.message = Some(why.to_owned());
        }
    }
    answer.verdict = answer.scopes.iter().map(|s| s.verdict).max().unwrap_or(answer.verdict);
}

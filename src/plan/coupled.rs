//! Buffers that two cores share: the core that owns one decides where it lies, the other core's
//! function takes those addresses (HIVM spec 2.9).

use std::collections::BTreeMap;

use super::instance::Scene;
use super::{Options, Question, hivm, ladder};
use crate::analyze;
use crate::model::{
    BufferId, FunctionAnswer, Placement, Problem, Relation, RelationKind, ScopeId, Verdict,
    fingerprint,
};

/// The problem with what one core's program asks of the other's memory: buffers that are alive
/// together on the consumer's side lie apart on the owner's. None where nobody asks.
pub(super) fn restricted(question: &Question<'_>) -> Option<Problem> {
    let kernels = question.kernels?;
    let mut asked: Vec<(usize, u32, u32)> = Vec::new();
    for (index, kernel) in kernels.functions.iter().enumerate() {
        if kernel.consumers.len() < 2 {
            continue;
        }
        let function = &question.problem.functions[index];
        let live = analyze::facts(question.problem, function).live;
        for (n, &a) in kernel.consumers.iter().enumerate() {
            for &b in &kernel.consumers[n + 1..] {
                let together = live[a].iter().any(|x| live[b].iter().any(|y| x.meets(*y)));
                let ids = (function.buffers[a].coupling, function.buffers[b].coupling);
                if let ((Some(a), Some(b)), true) = (ids, together) {
                    asked.push((kernel.chunk, a, b));
                }
            }
        }
    }
    if asked.is_empty() {
        return None;
    }
    let mut problem = question.problem.clone();
    for (index, kernel) in kernels.functions.iter().enumerate() {
        let function = &mut problem.functions[index];
        for &(_, a, b) in asked.iter().filter(|(chunk, ..)| *chunk == kernel.chunk) {
            let owned = |id: u32| {
                let mut all = function.buffers.enumerate();
                let mine = |b: &BufferId| !kernel.consumers.contains(b);
                all.find(|(n, buffer)| buffer.coupling == Some(id) && mine(n)).map(|(n, _)| n)
            };
            if let (Some(first), Some(second)) = (owned(a), owned(b)) {
                let why = Some("the other core needs both at once".to_owned());
                let kind = RelationKind::Separate;
                function.relations.push(Relation { kind, first, second, why, loc: None });
            }
        }
    }
    Some(problem)
}

/// Gives the buffers of the other core the offsets of their owners, module by module; a function
/// in which that goes wrong is `undecided`.
pub(super) fn exchange(question: &Question<'_>, options: &Options, answers: &mut [FunctionAnswer]) {
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
        // Plans are for the program as it was written, whatever was asked of them besides.
        let written = fingerprint(question.problem, &question.problem.functions[answer.index]);
        answer.fingerprint.clone_from(&written);
        answer.plan.fingerprint = Some(written);
        take(question, options, answer, &owned);
    }
}

/// Plans the rest of the scopes around the buffers of the other core, which stay where they are.
fn around(
    question: &Question<'_>,
    options: &Options,
    answer: &mut FunctionAnswer,
    scopes: &[ScopeId],
) -> bool {
    let Some(kernels) = question.kernels else { return false };
    let mut function = question.problem.functions[answer.index].clone();
    for id in &kernels.functions[answer.index].consumers {
        let placed = answer.plan.placements.iter().find(|p| p.id == Some(id.0));
        let buffer = &mut function.buffers[*id];
        if let Some(placed) = placed.filter(|p| p.offsets.len() == buffer.slots as usize) {
            buffer.pin = Some(placed.offsets.clone());
        }
    }
    let problem = question.problem.with(function);
    let function = &problem.functions[0];
    let facts = analyze::facts(&problem, function);
    let mut plan = answer.plan.clone();
    for &scope in scopes {
        let scene = Scene { problem: &problem, function, facts: &facts, scope };
        let (found, placements) = ladder::scope(&scene, options, &|_| ());
        if !found.verdict.has_plan() {
            return false;
        }
        plan.placements
            .retain(|p| p.id.is_none_or(|id| function.buffers[BufferId(id)].scope != scope));
        plan.placements.extend(placements);
        if let Some(known) = answer.scopes.iter_mut().find(|s| s.scope == scope) {
            (known.level, known.mode) = (found.level, found.mode);
        }
    }
    plan.placements.sort_by_key(|p| p.id);
    let right = (question.judge)(answer.index, &plan);
    if right {
        answer.plan = plan;
    }
    right
}

/// True when buffers that must lie apart do.
pub(super) fn respected(problem: &Problem, index: usize, placements: &[Placement]) -> bool {
    let function = &problem.functions[index];
    let bytes = |id: BufferId| {
        let size = function.buffers[id].size.0;
        let mine = placements.iter().filter(move |p| p.id == Some(id.0));
        mine.flat_map(|p| &p.offsets).map(move |&o| (o, o.saturating_add(size)))
    };
    let apart = function.relations.iter().filter(|r| r.kind == RelationKind::Separate);
    apart
        .into_iter()
        .all(|r| bytes(r.first).all(|(a, b)| bytes(r.second).all(|(c, d)| b <= c || d <= a)))
}

fn take(
    question: &Question<'_>,
    options: &Options,
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
    let right =
        (question.judge)(answer.index, &answer.plan) || around(question, options, answer, &changed);
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

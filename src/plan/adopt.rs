//! A plan from outside as an answer: its peak, load, bound and who shares with whom, measured by the same
//! rules as our own, so that whoever compares, draws or explains plans need not know who made them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use memplan_packing::bounds::Bounds;

use super::answer::load_of;
use super::instance::{Scene, Sharing, build, rounded};
use super::reuse::{MAX_LISTED, reuse};
use super::{Arena, Question, xla};
use crate::analyze;
use crate::model::{
    Answer, BufferId, Function, FunctionAnswer, FunctionPlan, Load, Mode, Placement, Plan, Problem,
    ReuseLevel, ScopeAnswer, ScopeId, Step, Verdict, fingerprint,
};

/// The word for whoever made the plan, where a solver would stand.
const GIVEN: &str = "given";

/// Measures a plan. Whether it is right is the judge's business: the verdict of a scope says only that all
/// of its buffers have a place below the capacity (`optimal` where the peak is as small as the bound that
/// the loads alone prove), and `not-found` otherwise. Functions without a plan are left out.
pub fn adopt(question: &Question<'_>, plan: &Plan) -> Answer {
    let problem = question.problem;
    let mut plans: BTreeMap<&str, VecDeque<&FunctionPlan>> = BTreeMap::new();
    let only = problem.functions.first().filter(|_| problem.functions.len() == 1);
    for plan in &plan.functions {
        // A plan may leave the name of the only function out.
        let name = if plan.name.is_empty() { only.map_or("", |f| &f.name) } else { &plan.name };
        plans.entry(name).or_default().push_back(plan);
    }
    let functions = problem.functions.iter().enumerate().filter_map(|(index, function)| {
        // Where names repeat, the order counts.
        let plan = plans.get_mut(function.name.as_str())?.pop_front()?;
        Some(one(question, index, function, plan))
    });
    Answer { functions: functions.collect() }
}

fn one(
    question: &Question<'_>,
    index: usize,
    function: &Function,
    plan: &FunctionPlan,
) -> FunctionAnswer {
    let problem = question.problem;
    let plan = resolved(function, plan);
    let facts = analyze::facts(problem, function);
    let scopes: Vec<ScopeAnswer> = match question.module {
        Some(module) => xla::adopted(module, &plan),
        None => {
            let used: BTreeSet<ScopeId> = function.buffers.iter().map(|b| b.scope).collect();
            let scene = |scope| Scene { problem, function, facts: &facts, scope };
            used.into_iter().map(|id| scope(&scene(id), &plan.placements)).collect()
        }
    };
    FunctionAnswer {
        name: function.name.clone(),
        index,
        fingerprint: fingerprint(problem, function),
        verdict: scopes.iter().map(|s| s.verdict).max().unwrap_or(Verdict::Optimal),
        warnings: facts.warnings.clone(),
        message: None,
        errors: Vec::new(),
        scopes,
        plan,
        allocations: question.module.map(|m| m.allocations.clone()).unwrap_or_default(),
    }
}

/// The plan with the ordinal of every buffer; what names nothing is left out.
fn resolved(function: &Function, plan: &FunctionPlan) -> FunctionPlan {
    let mut ids: BTreeMap<&str, VecDeque<BufferId>> = BTreeMap::new();
    for (id, buffer) in function.buffers.enumerate() {
        ids.entry(&buffer.name).or_default().push_back(id);
    }
    let mut taken: BTreeSet<BufferId> = BTreeSet::new();
    let mut known = |p: &Placement| {
        let id = match p.id {
            Some(id) => BufferId(id),
            None => ids.get_mut(p.name.as_str())?.pop_front()?,
        };
        let there = function.buffers.get(id).is_some() && taken.insert(id);
        there.then(|| Placement { id: Some(id.0), ..p.clone() })
    };
    let mut placements: Vec<Placement> = plan.placements.iter().filter_map(&mut known).collect();
    placements.sort_by_key(|p| p.id);
    FunctionPlan { placements, ..plan.clone() }
}

fn scope(scene: &Scene<'_>, placements: &[Placement]) -> ScopeAnswer {
    let (problem, function) = (scene.problem, scene.function);
    let mine = || function.buffers.enumerate().filter(|(_, b)| b.scope == scene.scope);
    let here = |p: &&Placement| {
        let buffer = p.id.and_then(|id| function.buffers.get(BufferId(id)));
        buffer.is_some_and(|b| b.scope == scene.scope)
    };
    let placed: Vec<Placement> = placements.iter().filter(here).cloned().collect();
    let peak = placed.iter().map(|p| end(problem, function, p)).max();
    // Every partition has a load and a bound of its own, as in the planner.
    let (mut load, mut lower_bound) = (nothing(), 0);
    for arena in Arena::of(problem, function, scene.scope) {
        let Ok(hard) = build(scene, &arena, Sharing::Hard) else { continue };
        let bounds = Bounds::new(&hard.instance);
        lower_bound = lower_bound.max(bounds.lower_bound).max(bounds.max_load.sum);
        if bounds.max_load.sum >= load.bytes {
            load = load_of(scene, &bounds.max_load, &hard);
        }
    }
    let mut warnings = Vec::new();
    let reuses = if placed.len() <= MAX_LISTED {
        reuse(scene, &placed)
    } else {
        warnings.push(format!("the reuse list is left out above {MAX_LISTED} buffers"));
        Vec::new()
    };
    let complete = placed.len() == mine().count();
    let within = match (peak, problem.scopes[scene.scope].bytes()) {
        (Some(peak), Some(capacity)) => peak <= capacity,
        _ => true,
    };
    let level: Option<ReuseLevel> = reuses.iter().filter_map(|r| r.level).max();
    ScopeAnswer {
        scope: scene.scope,
        buffers: mine().map(|(id, _)| (id, scene.facts.live[id].clone())).collect(),
        verdict: verdict(complete && within, peak, lower_bound),
        peak,
        max_load: load,
        lower_bound,
        reuse_cost: reuses.iter().map(|r| r.cost).fold(0, u64::saturating_add),
        reuse_cost_bound: 0,
        mode: if reuses.is_empty() && warnings.is_empty() { Mode::Sequential } else { Mode::Reuse },
        level,
        strategy: GIVEN.to_owned(),
        message: None,
        warnings,
        nodes: 0,
        limited_by: None,
        reuse: reuses,
        attempts: Vec::new(),
        overflow: None,
        diagnosis: None,
    }
}

fn nothing() -> Load {
    Load { at: Step(0), op: None, step_name: None, bytes: 0, buffers: Vec::new() }
}

/// The end of a buffer's last byte.
fn end(problem: &Problem, function: &Function, placement: &Placement) -> u64 {
    let id = placement.id.map(BufferId);
    let size = id.and_then(|id| function.buffers.get(id)).map_or(0, |b| rounded(problem, b));
    placement.offsets.iter().map(|offset| offset.saturating_add(size)).max().unwrap_or(0)
}

/// What is known of a plan by its numbers alone.
pub(super) fn verdict(fits: bool, peak: Option<u64>, lower_bound: u64) -> Verdict {
    match peak {
        _ if !fits => Verdict::NotFound,
        Some(peak) if peak > lower_bound => Verdict::Feasible,
        _ => Verdict::Optimal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Buffer, Bytes, Capacity, IdVec, Live, Scope};
    use crate::plan::{Options, solve};

    fn problem(capacity: u64) -> Problem {
        let scope = Scope {
            name: "ub".to_owned(),
            capacity: Capacity::Bytes(capacity),
            alignment: 32,
            round_up: true,
            reserved: Vec::new(),
            partitions: Vec::new(),
            source: None,
            loc: None,
        };
        let buffer = |name: &str, size, live: [u64; 2]| {
            let live = vec![Live { start: Step(live[0]), end: Step(live[1]) }];
            Buffer::given(name.to_owned(), ScopeId(0), Bytes(size), 32, live)
        };
        let all = [buffer("a", 40, [0, 2]), buffer("b", 64, [1, 3]), buffer("c", 32, [2, 4])];
        let mut buffers: IdVec<BufferId, Buffer> = IdVec::default();
        all.into_iter().for_each(|b| {
            buffers.push(b);
        });
        let mut scopes: IdVec<ScopeId, Scope> = IdVec::default();
        scopes.push(scope);
        let function = Function { name: "f".to_owned(), buffers, ..Function::default() };
        Problem { scopes, functions: vec![function], ..Problem::default() }
    }

    #[test]
    fn our_own_plan_is_measured_as_we_report_it() {
        let problem = problem(192);
        let question = Question::of(&problem);
        let ours = solve(&question, &Options::default(), &|_| ());
        let plan = Plan { functions: vec![ours.functions[0].plan.clone()] };
        let given = adopt(&question, &plan);
        let (a, b) = (&ours.functions[0].scopes[0], &given.functions[0].scopes[0]);
        assert_eq!((a.peak, &a.max_load, a.verdict), (b.peak, &b.max_load, b.verdict));
        assert_eq!(a.reuse, b.reuse);
    }

    #[test]
    fn a_plan_that_leaves_a_buffer_out_or_passes_the_capacity_is_none() {
        let problem = problem(128);
        let place = |name: &str, offset| Placement {
            name: name.to_owned(),
            id: None,
            scope: None,
            offsets: vec![offset],
            loc: None,
        };
        let verdict = |placements: Vec<Placement>| {
            let plan = FunctionPlan { name: "f".to_owned(), fingerprint: None, placements };
            let answer = adopt(&Question::of(&problem), &Plan { functions: vec![plan] });
            (answer.functions[0].verdict, answer.functions[0].scopes[0].peak)
        };
        let whole = vec![place("a", 0), place("b", 64), place("c", 0)];
        assert_eq!(verdict(whole.clone()), (Verdict::Optimal, Some(128)));
        assert_eq!(verdict(whole[..2].to_vec()), (Verdict::NotFound, Some(128)));
        let high = vec![place("a", 0), place("b", 96), place("c", 0)];
        assert_eq!(verdict(high), (Verdict::NotFound, Some(160)));
    }
}

//! The pass's outcome as an answer of the house: offsets in bytes, levels by their names, the pass's
//! own words beside the true bounds.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::pass::{Cause, Failed, Outcome, Planned};
use super::{Failure, How, Input, Lowered, Runs, Success, from_facts, place, unwritten};
use crate::analyze::{self, Facts};
use crate::diag::Loc;
use crate::ir::hivm::{Kernels, PassOptions};
use crate::ir::mlir::{self, OpId};
use crate::model::{
    BufferId, FunctionAnswer, FunctionPlan, Live, Mode, Overflow, PassError, Placement, Problem,
    ReuseLevel, ScopeAnswer, ScopeId, Verdict, fingerprint,
};
use crate::plan::instance::{Scene, rounded};
use crate::plan::{Options, Question, Strategy, ladder, reuse};

/// What the pass says about a function, in any case.
#[derive(Clone)]
struct Told<'a> {
    problem: &'a Problem,
    index: usize,
    facts: Facts,
    /// The live ranges of the pass.
    live: BTreeMap<BufferId, Vec<Live>>,
    warnings: &'a [String],
    name: &'static str,
    /// What the judge says about a plan of the function.
    judge: &'a (dyn Fn(usize, &FunctionPlan) -> bool + Sync),
}

/// The answer for a function under `--strategy hivm`.
pub(in crate::plan) fn answer(
    question: &Question<'_>,
    index: usize,
    runs: &Runs,
    options: &Options,
) -> FunctionAnswer {
    let problem = question.problem;
    let function = &problem.functions[index];
    let mut told = Told {
        problem,
        index,
        facts: analyze::facts(problem, function),
        live: BTreeMap::new(),
        warnings: &[],
        name: options.strategy.name(),
        judge: question.judge,
    };
    match (question.kernels, runs.of(index)) {
        (Some(kernels), Some(Outcome::Planned(planned))) => {
            let ids = ids(kernels, index, &planned.lowered);
            told.live = lives(&planned.lowered, &ids);
            told.warnings = &planned.warnings;
            let left = unwritten(ir(kernels, index), planned);
            if left.is_empty() || !runs.is_rewritten(index) {
                told.planned(&planned.success, &planned.lowered.input, &ids)
            } else {
                told.unwritten(kernels, planned, &left)
            }
        }
        (Some(kernels), Some(Outcome::Failed(failed))) => told.failed(kernels, failed),
        // A function that the pass skips has nothing to say.
        (Some(_), _) => told.nothing(),
        (None, _) => told.abstracted(options),
    }
}

/// The tree of a function of the problem.
pub(in crate::plan) fn ir(kernels: &Kernels, index: usize) -> &mlir::Function {
    let kernel = &kernels.functions[index];
    &kernels.file.chunks[kernel.chunk].functions[kernel.function]
}

/// The buffers of the problem for those of the pass, by their allocs. Both see the same allocs, but
/// where blocks do not stand as they run, in another order, and the pass also those that never run.
pub(in crate::plan) fn ids(
    kernels: &Kernels,
    index: usize,
    lowered: &Lowered,
) -> Vec<Option<BufferId>> {
    let makers = kernels.functions[index].makers.iter().copied();
    let known: BTreeMap<OpId, BufferId> = makers.zip((0..).map(BufferId)).collect();
    lowered.buffers.iter().map(|op| known.get(op).copied()).collect()
}

/// Inclusive entries as half-open steps; a buffer that is never killed ends before it begins.
fn lives(lowered: &Lowered, ids: &[Option<BufferId>]) -> BTreeMap<BufferId, Vec<Live>> {
    let step = |n: i64| u64::try_from(n).unwrap_or(0);
    let mut out = BTreeMap::new();
    for (id, life) in ids.iter().zip(&lowered.lives) {
        let Some(id) = id else { continue };
        let live = life.map(|(start, end)| Live::new(step(start), step(end.saturating_add(1))));
        out.insert(*id, live.into_iter().collect());
    }
    out
}

/// The placements of a successful attempt in the order of the buffers; `ids` are those of the pass's.
pub(in crate::plan) fn placements(
    problem: &Problem,
    index: usize,
    ids: &[Option<BufferId>],
    success: &Success,
) -> Vec<Placement> {
    let function = &problem.functions[index];
    let mut out = Vec::new();
    for (id, offsets) in ids.iter().zip(&success.offsets) {
        let (Some(offsets), &Some(id)) = (offsets, id) else { continue };
        let buffer = &function.buffers[id];
        out.push(Placement {
            name: buffer.name.clone(),
            id: Some(id.0),
            scope: Some(problem.scopes[buffer.scope].name.clone()),
            offsets: offsets.iter().map(|bits| bits.div_ceil(8)).collect(),
            loc: None,
        });
    }
    out.sort_by_key(|p| p.id);
    out
}

/// The largest `offset + size`, sizes rounded where the scope says so.
pub(in crate::plan) fn peak(problem: &Problem, index: usize, placements: &[Placement]) -> u64 {
    let function = &problem.functions[index];
    let ends = placements.iter().filter_map(|p| {
        let buffer = function.buffers.get(BufferId(p.id?))?;
        let size = rounded(problem, buffer);
        Some(p.offsets.iter().max()?.saturating_add(size))
    });
    ends.max().unwrap_or(0)
}

/// The pass's level by its name here.
pub(in crate::plan) fn level(how: How) -> (Mode, Option<ReuseLevel>) {
    match how {
        How::Sequential => (Mode::Sequential, None),
        How::PipeOnly | How::Levels(3..) => (Mode::Reuse, Some(ReuseLevel::Pipe)),
        How::Levels(2) => (Mode::Reuse, Some(ReuseLevel::Loop)),
        How::Levels(1) => (Mode::Reuse, Some(ReuseLevel::Slot)),
        How::Levels(0) => (Mode::Reuse, Some(ReuseLevel::Lifetime)),
    }
}

/// The pass's name of a scope.
pub(in crate::plan) fn space(scope: &str) -> &str {
    match scope {
        "l1" => "cbuf",
        "l0c" => "cc",
        "l0a" => "ca",
        "l0b" => "cb",
        other => other.strip_prefix("workspace:").unwrap_or(other),
    }
}

impl Told<'_> {
    fn scene(&self, scope: ScopeId) -> Scene<'_> {
        let function = &self.problem.functions[self.index];
        Scene { problem: self.problem, function, facts: &self.facts, scope }
    }

    fn scopes(&self) -> Vec<ScopeId> {
        let function = &self.problem.functions[self.index];
        let used = |id: &ScopeId| function.buffers.iter().any(|b| b.scope == *id);
        self.problem.scopes.ids().filter(used).collect()
    }

    /// A scope with the true bounds and without a plan.
    fn empty(&self, scope: ScopeId) -> ScopeAnswer {
        let mut answer = ladder::bounds(&self.scene(scope));
        let space = space(&self.problem.scopes[scope].name);
        let mine = format!(" in {space} address space");
        answer.verdict = Verdict::NotFound;
        answer.strategy = self.name.to_owned();
        answer.warnings = self.warnings.iter().filter(|w| w.contains(&mine)).cloned().collect();
        for (id, live) in &mut answer.buffers {
            if let Some(own) = self.live.get(id) {
                live.clone_from(own);
            }
        }
        answer
    }

    fn finish(
        &self,
        scopes: Vec<ScopeAnswer>,
        placements: Vec<Placement>,
        errors: Vec<PassError>,
        message: Option<String>,
    ) -> FunctionAnswer {
        let function = &self.problem.functions[self.index];
        let fingerprint = fingerprint(self.problem, function);
        let worst = scopes.iter().map(|s| s.verdict).max().unwrap_or(Verdict::Optimal);
        FunctionAnswer {
            name: function.name.clone(),
            index: self.index,
            verdict: if message.is_some() { worst.max(Verdict::NotFound) } else { worst },
            warnings: Vec::new(),
            message,
            errors,
            scopes,
            plan: FunctionPlan {
                name: function.name.clone(),
                fingerprint: Some(fingerprint.clone()),
                placements,
            },
            allocations: Vec::new(),
            fingerprint,
        }
    }

    fn nothing(&self) -> FunctionAnswer {
        self.finish(Vec::new(), Vec::new(), Vec::new(), None)
    }

    /// A problem that was not read from HIVM text: its facts instead of the pass's (Appendix C).
    fn abstracted(&mut self, options: &Options) -> FunctionAnswer {
        let function = &self.problem.functions[self.index];
        let largest_first = matches!(options.strategy, Strategy::Hivm { largest_first: true });
        let pass = PassOptions { largest_first, ..PassOptions::default() };
        let input = from_facts(self.problem, function, &self.facts, &pass);
        match place(&input) {
            Ok(success) => {
                let warnings: Vec<String> =
                    success.scopes.iter().filter_map(|s| s.warning.clone()).collect();
                let told = Told { warnings: &warnings, ..self.clone() };
                let ids: Vec<_> = function.buffers.ids().map(Some).collect();
                told.planned(&success, &input, &ids)
            }
            Err(failure) => {
                let scope = input.scopes[failure.scope].name.clone();
                let text = failure.message.clone();
                let error = PassError { text, loc: function.loc, printed_loc: None };
                self.overflow(&failure, &scope, &failure.warnings, error)
            }
        }
    }

    fn planned(
        &self,
        success: &Success,
        input: &Input,
        ids: &[Option<BufferId>],
    ) -> FunctionAnswer {
        let placements = placements(self.problem, self.index, ids, success);
        let right = OnceCell::new();
        let scopes = self.scopes().into_iter().map(|scope| {
            let mut answer = self.empty(scope);
            let name = space(&self.problem.scopes[scope].name);
            let of = |p: &&super::Placed| {
                let scope = &input.scopes[p.scope].name;
                scope.trim_start_matches('%') == name.trim_start_matches('%')
            };
            let how = success.scopes.iter().find(of).map(|placed| placed.how);
            let function = &self.problem.functions[self.index];
            let here = |id: BufferId| function.buffers.get(id).is_some_and(|b| b.scope == scope);
            let mine = placements.iter().filter(|p| p.id.is_some_and(|b| here(BufferId(b))));
            let mine: Vec<Placement> = mine.cloned().collect();
            // Where the other core owns all buffers of a scope, the pass does not plan it here.
            let wanted = function.buffers.iter().filter(|b| b.scope == scope).count();
            if how.is_none() && mine.iter().filter(|p| !p.offsets.is_empty()).count() < wanted {
                return answer;
            }
            let peak = peak(self.problem, self.index, &mine);
            (answer.mode, answer.level) = how.map_or((Mode::Sequential, None), level);
            answer.peak = Some(peak);
            let met = peak == answer.lower_bound;
            // What the pass merges in place may need less than the program without merging. A plan that
            // overwrites data says nothing about the bound.
            if peak < answer.lower_bound && *right.get_or_init(|| self.judged(&placements)) {
                answer.lower_bound = peak;
            }
            answer.reuse = reuse::reuse(&self.scene(scope), &placements);
            answer.reuse_cost = answer.reuse.iter().map(|r| r.cost).fold(0, u64::saturating_add);
            answer.verdict = if met { Verdict::Optimal } else { Verdict::Feasible };
            answer
        });
        let scopes: Vec<ScopeAnswer> = scopes.collect();
        self.finish(scopes, placements, Vec::new(), None)
    }

    fn judged(&self, placements: &[Placement]) -> bool {
        let name = self.problem.functions[self.index].name.clone();
        let plan = FunctionPlan { name, fingerprint: None, placements: placements.to_vec() };
        (self.judge)(self.index, &plan)
    }

    fn unwritten(
        &self,
        kernels: &Kernels,
        planned: &Planned,
        left: &[super::BufferNo],
    ) -> FunctionAnswer {
        let function = ir(kernels, self.index);
        let errors = left.iter().map(|&buffer| {
            let op = planned.lowered.buffers[buffer as usize];
            let ir = &function.ops[op];
            PassError {
                text: format!("'{}' op error: read before first write", ir.name),
                loc: Some(name_loc(ir)),
                printed_loc: ir.printed_loc.clone(),
            }
        });
        let errors: Vec<PassError> = errors.collect();
        self.refused(errors)
    }

    /// No scope has a plan, for a reason that belongs to none.
    fn refused(&self, errors: Vec<PassError>) -> FunctionAnswer {
        let scopes = self.scopes().into_iter().map(|id| self.empty(id)).collect();
        let texts: Vec<&str> = errors.iter().map(|e| e.text.as_str()).collect();
        let message = texts.join("\n");
        self.finish(scopes, Vec::new(), errors, Some(message))
    }

    fn failed(&mut self, kernels: &Kernels, failed: &Failed) -> FunctionAnswer {
        let function = ir(kernels, self.index);
        let warnings = failed.warnings.clone();
        let on_function = |text: &str| PassError {
            text: text.to_owned(),
            loc: Some(function.loc),
            printed_loc: function.printed_loc.clone(),
        };
        match &failed.cause {
            Cause::NoDevice => self.refused(vec![on_function("")]),
            Cause::Simt(text) => self.refused(vec![on_function(text)]),
            Cause::Fatal(fatal) => {
                let ir = &function.ops[fatal.at];
                let texts = fatal.error.iter().chain([&fatal.message]);
                let errors = texts.map(|text| PassError {
                    text: text.clone(),
                    loc: Some(name_loc(ir)),
                    printed_loc: ir.printed_loc.clone(),
                });
                self.refused(errors.collect())
            }
            Cause::Overflow(failure, lowered) => {
                self.live = lives(lowered, &ids(kernels, self.index, lowered));
                let scope = lowered.input.scopes[failure.scope].name.clone();
                let error = on_function(&failure.message);
                self.overflow(failure, &scope, &warnings, error)
            }
        }
    }

    fn overflow(
        &self,
        failure: &Failure,
        failing: &str,
        warnings: &[String],
        error: PassError,
    ) -> FunctionAnswer {
        let told = Told { warnings, ..self.clone() };
        let scopes = told.scopes().into_iter().map(|id| {
            let mut answer = told.empty(id);
            let name = space(&told.problem.scopes[id].name);
            if name.trim_start_matches('%') == failing.trim_start_matches('%') {
                answer.message = Some(failure.message.clone());
                answer.overflow = Some(Overflow {
                    impossible: false,
                    available: failure.capacity / 8,
                    requires: failure.need.div_ceil(8),
                    requires_is: "height of the pass's last try",
                    core: Vec::new(),
                    works_at: None,
                    advice: Vec::new(),
                });
            } else {
                answer.message =
                    Some(format!("not planned: the pass gives up the function at {failing}"));
            }
            answer
        });
        let scopes: Vec<ScopeAnswer> = scopes.collect();
        told.finish(scopes, Vec::new(), vec![error], None)
    }
}

/// The place of an op as the compiler prints it: where its name begins.
fn name_loc(op: &mlir::Op) -> Loc {
    op.loc
}

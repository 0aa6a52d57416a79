//! The outcomes of the pass for all functions of a text.

use super::{Cause, Given, How, Outcome, exchange, run_on};
use crate::ir::hivm::{Kernels, PassOptions};
use crate::plan::{Liveness, Options, Question, Strategy};

/// Steps of the pass's machine for a candidate: about a tenth of a second an attempt.
const CANDIDATE_STEPS: u64 = 500_000;

/// What the pass makes of every function of the problem, in its order; nothing for a problem that
/// was not read from HIVM text.
#[derive(Debug, Default)]
pub struct Runs {
    outcomes: Vec<Outcome>,
    /// True for functions of a module in which all are planned: the pass rewrites no other.
    rewritten: Vec<bool>,
    /// With `plan-memory-strategy=largest-first`, where that may differ.
    largest: Vec<Option<Outcome>>,
}

impl Runs {
    /// Runs the pass where somebody will ask for it.
    pub(in crate::plan) fn new(question: &Question<'_>, options: &Options) -> Self {
        let compared = matches!(options.strategy, Strategy::Auto | Strategy::Optimal);
        let wanted = compared
            || matches!(options.strategy, Strategy::Hivm { .. })
            || options.liveness == Liveness::Compat;
        let Some(kernels) = question.kernels.filter(|_| wanted) else { return Self::default() };
        let (outcomes, rewritten) = outcomes(kernels, options);
        let second = outcomes.iter().zip(&kernels.functions).map(|(outcome, kernel)| {
            (compared && reorders(outcome)).then(|| {
                let chunk = &kernels.file.chunks[kernel.chunk];
                let target = kernels.targets.get(kernel.chunk);
                let pass = PassOptions { largest_first: true, ..kernels.options.clone() };
                run_on(chunk, kernel.function, &pass, target, given(kernels, options))
            })
        });
        let largest = second.collect();
        Self { outcomes, rewritten, largest }
    }

    /// True when the pass goes on to rewrite the function.
    pub(in crate::plan) fn is_rewritten(&self, index: usize) -> bool {
        self.rewritten.get(index).copied().unwrap_or(true)
    }

    /// The outcome for a function of the problem with the largest buffers first, where that may differ.
    pub(in crate::plan) fn largest(&self, index: usize) -> Option<&Outcome> {
        self.largest.get(index)?.as_ref()
    }

    /// The outcome for a function of the problem.
    pub(in crate::plan) fn of(&self, index: usize) -> Option<&Outcome> {
        self.outcomes.get(index)
    }
}

/// Who asks for the pass's plan as one candidate among others does not wait long for it.
fn given<'a>(kernels: &'a Kernels, options: &Options) -> Given<'a> {
    let alone = matches!(options.strategy, Strategy::Hivm { .. });
    Given { capacities: &kernels.capacities, patience: (!alone).then_some(CANDIDATE_STEPS) }
}

/// True where the order of the buffers mattered.
fn reorders(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Planned(planned) => {
            planned.success.scopes.iter().any(|s| s.how != How::Sequential)
        }
        Outcome::Failed(failed) => matches!(failed.cause, Cause::Overflow(..)),
        Outcome::Skipped(_) => false,
    }
}

/// Unlike the pass, which stops at the first function that it cannot plan, all functions are run;
/// coupled buffers are exchanged in modules of which all functions are planned.
fn outcomes(kernels: &Kernels, options: &Options) -> (Vec<Outcome>, Vec<bool>) {
    let largest = matches!(options.strategy, Strategy::Hivm { largest_first: true });
    let pass = PassOptions {
        largest_first: kernels.options.largest_first || largest,
        ..kernels.options.clone()
    };
    let mut all = Vec::with_capacity(kernels.functions.len());
    let mut module: Vec<Outcome> = Vec::new();
    let mut rewritten = Vec::with_capacity(kernels.functions.len());
    for (at, kernel) in kernels.functions.iter().enumerate() {
        let chunk = &kernels.file.chunks[kernel.chunk];
        let target = kernels.targets.get(kernel.chunk);
        module.push(run_on(chunk, kernel.function, &pass, target, given(kernels, options)));
        let last = kernels.functions.get(at + 1).is_none_or(|next| next.chunk != kernel.chunk);
        if last {
            // The pass goes on only when it has planned them all.
            let planned = module.iter().all(|o| !matches!(o, Outcome::Failed(_)));
            if planned {
                exchange(&mut module);
            }
            rewritten.extend(module.iter().map(|_| planned));
            all.append(&mut module);
        }
    }
    (all, rewritten)
}

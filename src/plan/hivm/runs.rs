//! The outcomes of the pass for all functions of a text.

use super::{Outcome, exchange, run_on};
use crate::ir::hivm::{Kernels, PassOptions};
use crate::plan::{Options, Question, Strategy};

/// What the pass makes of every function of the problem, in its order; nothing for a problem that
/// was not read from HIVM text.
#[derive(Debug, Default)]
pub struct Runs {
    outcomes: Vec<Outcome>,
}

impl Runs {
    /// Runs the pass where somebody will ask for it.
    pub(in crate::plan) fn new(question: &Question<'_>, options: &Options) -> Self {
        let wanted = matches!(options.strategy, Strategy::Hivm { .. } | Strategy::Auto)
            || options.liveness == crate::plan::Liveness::Compat;
        match question.kernels.filter(|_| wanted) {
            Some(kernels) => Self { outcomes: outcomes(kernels, options) },
            None => Self::default(),
        }
    }

    /// The outcome for a function of the problem.
    pub(in crate::plan) fn of(&self, index: usize) -> Option<&Outcome> {
        self.outcomes.get(index)
    }
}

/// Unlike the pass, which stops at the first function that it cannot plan, all functions are run;
/// coupled buffers are exchanged in modules of
/// which all functions are planned.
fn outcomes(kernels: &Kernels, options: &Options) -> Vec<Outcome> {
    let largest = matches!(options.strategy, Strategy::Hivm { largest_first: true });
    let pass = PassOptions {
        largest_first: kernels.options.largest_first || largest,
        ..kernels.options.clone()
    };
    let mut all = Vec::with_capacity(kernels.functions.len());
    let mut module: Vec<Outcome> = Vec::new();
    for (at, kernel) in kernels.functions.iter().enumerate() {
        let chunk = &kernels.file.chunks[kernel.chunk];
        let target = kernels.targets.get(kernel.chunk);
        module.push(run_on(chunk, kernel.function, &pass, target, &kernels.capacities));
        let last = kernels.functions.get(at + 1).is_none_or(|next| next.chunk != kernel.chunk);
        if last {
            // The pass exchanges only when it has planned them all.
            if module.iter().all(|o| !matches!(o, Outcome::Failed(_))) {
                exchange(&mut module);
            }
            all.append(&mut module);
        }
    }
    all
}

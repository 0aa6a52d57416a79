//! One variant: read again where the text means something else, changed, planned, judged.

use super::Input;
use super::axes::{Part, Whole};
use super::variants::Variant;
use crate::cli::args::{InputArgs, WhatIfArgs};
use crate::cli::input::{self, Ready};
use crate::cli::{defect, judge};
use crate::diag::Diagnostic;
use crate::diagnose::whatif;
use crate::format::json_whatif::Variant as Row;
use crate::model::{Answer, FunctionPlan, Problem};
use crate::plan::{self, Liveness, Options, Progress, Question};
use crate::report::json;

/// What all variants of an input have in common.
pub(super) struct Run<'a> {
    pub(super) args: &'a WhatIfArgs,
    pub(super) input: &'a Input<'a>,
    pub(super) ready: &'a Ready,
    pub(super) options: &'a Options,
}

/// A variant after planning.
#[derive(Debug, Default)]
pub(super) struct Planned {
    /// Its rows, each with the index of its function; those of a variant that cannot be planned have a
    /// reason.
    pub(super) rows: Vec<(usize, Row)>,
    /// What is wrong with our own plans.
    pub(super) bugs: Vec<Diagnostic>,
}

impl Run<'_> {
    /// Plans a variant.
    pub(super) fn plan(&self, variant: &Variant, on: &(dyn Fn(&Progress) + Sync)) -> Planned {
        self.planned(variant, on).unwrap_or_else(|why| self.refused(variant, &why))
    }

    /// A row with the reason for each function that the variant is about.
    fn refused(&self, variant: &Variant, why: &str) -> Planned {
        let functions = self.ready.problem.functions.iter().enumerate();
        let about = |at: usize| variant.part.as_ref().is_none_or(|(index, _)| *index == at);
        let rows = functions.filter(|(at, _)| about(*at)).map(|(at, f)| {
            let input = &self.input.loaded.name;
            (at, json::refused(input, Some(&f.name), &variant.name, why.to_owned()))
        });
        Planned { rows: rows.collect(), bugs: Vec::new() }
    }

    fn planned(
        &self,
        variant: &Variant,
        on: &(dyn Fn(&Progress) + Sync),
    ) -> Result<Planned, String> {
        let mut options = self.options.clone();
        let mut args = self.args.input.clone();
        let mut again = false;
        for whole in &variant.whole {
            again |= set(whole, &mut args, &mut options);
        }
        let loaded = again.then(|| {
            let item = self.input.item.clone();
            input::load(item, &args, self.input.limit).strict()
        });
        let ready = match &loaded {
            None => self.ready,
            Some(loaded) => match &loaded.outcome {
                Ok(ready) => ready,
                Err(errors) => return Err(first(errors)),
            },
        };
        let asks_for_a_target =
            variant.whole.iter().any(|w| matches!(w, Whole::Target(_) | Whole::Profile(_)));
        if asks_for_a_target && ready.problem.target.is_none() && ready.target.is_none() {
            return Err("the input has scopes of its own, and takes no target".to_owned());
        }
        match &variant.part {
            None => self.whole(variant, ready, &options, on),
            Some((index, parts)) => {
                let problem = self.part(ready, *index, parts)?;
                let answer = plan::solve(&Question::of(&problem), &options, on);
                self.judged(variant, &problem, &answer, *index)
            }
        }
    }

    /// The problem with one function alone, as another one.
    fn part(&self, ready: &Ready, index: usize, parts: &[Part]) -> Result<Problem, String> {
        let mut problem = whatif::changed(&ready.problem, index, &[])?;
        for part in parts {
            problem = match part {
                Part::Changes(changes) => whatif::changed(&problem, 0, changes)?,
                Part::Fuse(other, theirs) => {
                    let other = self.input.others.get(*other).map(|other| &other.outcome);
                    let Some(Ok(other)) = other else {
                        return Err("the other input cannot be read".to_owned());
                    };
                    if other.module.is_some() {
                        return Err("the other input is an HLO module".to_owned());
                    }
                    whatif::fused((&problem, 0), (&other.problem, *theirs))?
                }
            };
        }
        Ok(problem)
    }

    /// A variant of the whole input, with what its text says beside the problem.
    fn whole(
        &self,
        variant: &Variant,
        ready: &Ready,
        options: &Options,
        on: &(dyn Fn(&Progress) + Sync),
    ) -> Result<Planned, String> {
        let problem = &ready.problem;
        let accepts = |index: usize, plan: &FunctionPlan| judge::accepts(problem, index, plan);
        let question = Question {
            problem,
            kernels: ready.kernels.as_ref(),
            module: ready.module.as_deref(),
            judge: &accepts,
        };
        let answer = plan::solve(&question, options, on);
        let faults = judge::judge(problem, &answer).faults;
        let theirs = ready.module.is_some()
            || (ready.kernels.is_some() && options.liveness == Liveness::Compat);
        if let Some(fault) = faults.first().filter(|_| theirs) {
            // What is not of our making: `solve` says more about it.
            return Err(format!("the plan is wrong: {}", fault.message));
        }
        let rows = answer.functions.iter().flat_map(|f| {
            let rows = json::variants(&self.input.loaded.name, &variant.name, problem, f);
            rows.into_iter().map(|row| (f.index, row))
        });
        Ok(Planned { rows: rows.collect(), bugs: faults.iter().take(5).map(bug).collect() })
    }

    /// The rows of a function that is another one, under the name that it has in the input.
    fn judged(
        &self,
        variant: &Variant,
        problem: &Problem,
        answer: &Answer,
        index: usize,
    ) -> Result<Planned, String> {
        let faults = judge::judge(problem, answer).faults;
        let name = self.ready.problem.functions.get(index).map(|f| f.name.clone());
        let rows = answer.functions.iter().flat_map(|f| {
            let rows = json::variants(&self.input.loaded.name, &variant.name, problem, f);
            rows.into_iter().map(|row| (f.index, row))
        });
        let rows = rows.map(|(_, row)| (index, Row { function: name.clone(), ..row }));
        Ok(Planned { rows: rows.collect(), bugs: faults.iter().take(5).map(bug).collect() })
    }
}

/// Sets what a variant asks for; true when the input has to be read again.
fn set(whole: &Whole, args: &mut InputArgs, options: &mut Options) -> bool {
    match whole {
        Whole::Target(name) => args.target = Some(name.clone()),
        Whole::Profile(name) => args.profile = Some(name.clone()),
        Whole::Capacity(option) => args.capacity.push(option.clone()),
        Whole::Order(order) => args.order = Some(*order),
        Whole::Platform(platform) => args.platform = *platform,
        Whole::Level(level) => {
            options.level = Some((*level).into());
            return false;
        }
    }
    true
}

/// The first of the errors that keep a variant from being read.
fn first(errors: &[Diagnostic]) -> String {
    match errors {
        [] => "it cannot be read".to_owned(),
        [one] => one.message.clone(),
        [one, rest @ ..] => format!("{} (and {} more)", one.message, rest.len()),
    }
}

/// A plan of ours that the judge refuses.
pub(super) fn bug(fault: &crate::model::Finding) -> Diagnostic {
    let what = format!(
        "the plan of `{}` fails its own check: {} [{}]",
        fault.function,
        fault.message,
        fault.code.name()
    );
    defect::bug(&what)
}

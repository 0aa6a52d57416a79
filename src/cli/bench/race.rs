//! One input: read, planned by every entry, judged.

use std::time::{Duration, Instant};

use super::process::{self, Limits};
use crate::bench::external::{self, Case, External};
use crate::bench::{self, Contest, Entry, Loss, Outcome, Row};
use crate::cli::args::InputArgs;
use crate::cli::input::{self, Item, Loaded, Ready};
use crate::cli::judge;
use crate::model::{Answer, FunctionPlan, ReuseLevel, ScopeId};
use crate::plan::{Options, Progress, Question};

/// What the entries race over.
pub(super) struct Course {
    /// The input.
    pub(super) item: Item,
    /// How it is read.
    pub(super) args: InputArgs,
    /// The smallest peak, where it is known by construction.
    pub(super) optimum: Option<u64>,
}

/// Who races, and how.
pub(super) struct Field<'a> {
    /// The entries.
    pub(super) entries: &'a [Entry],
    /// The options of the run.
    pub(super) options: &'a Options,
    /// Bytes that may be read from a file.
    pub(super) limit: u64,
    /// Hears where the planner is.
    pub(super) on: &'a (dyn Fn(&Progress) + Sync),
}

/// One input after all entries have run.
pub(super) struct Ran {
    /// The input.
    pub(super) loaded: Loaded,
    /// Its known optimum.
    pub(super) optimum: Option<u64>,
    /// How long it took to read.
    pub(super) reading: Duration,
    /// Scope by scope a row for each entry; nothing for a broken input.
    pub(super) rows: Vec<Row>,
    /// Who lost.
    pub(super) losses: Vec<Loss>,
    /// Planners from outside that could not be started, and why.
    pub(super) unstarted: Vec<(String, String)>,
}

/// The question that an input is.
fn asked<'a>(
    ready: &'a Ready,
    judge: &'a (dyn Fn(usize, &FunctionPlan) -> bool + Sync),
) -> Question<'a> {
    Question {
        problem: &ready.problem,
        kernels: ready.kernels.as_ref(),
        module: ready.module.as_deref(),
        judge,
    }
}

impl Field<'_> {
    /// Reads an input and lets every entry plan it, one after the other.
    pub(super) fn race(&self, course: Course) -> Ran {
        let Course { item, args, optimum } = course;
        let start = Instant::now();
        let loaded = input::load(item, &args, self.limit);
        let reading = start.elapsed();
        let options = loaded.own.options(self.options);
        let (mut rows, mut losses, mut unstarted) = (Vec::new(), Vec::new(), Vec::new());
        let field = Field { options: &options, ..*self };
        if let Ok(ready) = &loaded.outcome {
            let ours = field.entries.iter().filter(|e| e.external().is_none());
            let mut columns: Vec<_> =
                ours.map(|entry| field.column(ready, entry).into_iter()).collect();
            for place in bench::places(&asked(ready, &|_, _| false)) {
                let mut scope: Vec<Row> = columns.iter_mut().filter_map(Iterator::next).collect();
                field.outsiders(ready, place, &mut scope, &mut unstarted);
                bench::share_bounds(field.entries, ready.kernels.is_some(), &mut scope);
                let limited = options.level.is_some();
                losses.extend(bench::lost(field.entries, &scope, limited));
                rows.append(&mut scope);
            }
        }
        Ran { loaded, optimum, reading, rows, losses, unstarted }
    }

    /// The rows of one entry of ours.
    fn column(&self, ready: &Ready, entry: &Entry) -> Vec<Row> {
        let problem = &ready.problem;
        let accepts = |index: usize, plan: &FunctionPlan| judge::accepts(problem, index, plan);
        let faults = |answer: &Answer| judge::judge(problem, answer).faults;
        let question = asked(ready, &accepts);
        if entry.is_hivm() && ready.kernels.is_none() {
            return bench::skip(&question, entry, "the compiler's pass reads HIVM text alone");
        }
        if let (false, Some(defect)) = (entry.is_hivm(), ready.defects.first()) {
            return bench::skip(&question, entry, &defect.message);
        }
        bench::measure(&Contest { question, judge: &faults }, entry, self.options, self.on)
    }

    /// Adds the rows of the planners from outside about one scope to those of ours.
    fn outsiders(
        &self,
        ready: &Ready,
        place: (usize, ScopeId),
        rows: &mut Vec<Row>,
        unstarted: &mut Vec<(String, String)>,
    ) {
        let outsiders = || self.entries.iter().filter_map(|e| Some((e, e.external()?)));
        if outsiders().next().is_none() {
            return;
        }
        let problem = &ready.problem;
        let level = self.options.level.unwrap_or(ReuseLevel::Lifetime);
        let case = match ready.defects.first() {
            Some(defect) => Err(defect.message.clone()),
            // Values that share bytes in place are no rows of a CSV.
            None if ready.module.is_some() => {
                Err("the heaps of HLO modules are not CSV".to_owned())
            }
            None => Case::of(&Question::of(problem), place.0, place.1, level),
        };
        // Without a capacity: what is known to be enough, so that nobody is asked for the impossible.
        let best = rows.iter().filter_map(|r| r.answered()?.sound_peak()).min();
        for (entry, external) in outsiders() {
            let outcome = match &case {
                Err(why) => Outcome::Skipped(why.clone()),
                Ok(case) => {
                    let capacity = case.capacity().or(best).unwrap_or(case.max_load);
                    self.show(ready, place, external, case);
                    match self.call(external, case, capacity) {
                        Ok(ran) => {
                            let levels = !problem.pipes.is_empty();
                            external::row(case, Some(level).filter(|_| levels), ran)
                        }
                        Err(why) => {
                            unstarted.push((external.name.clone(), why.clone()));
                            Outcome::Skipped(why)
                        }
                    }
                }
            };
            rows.push(bench::blank(problem, place, entry, outcome));
        }
    }

    fn call(
        &self,
        external: &External,
        case: &Case,
        capacity: u64,
    ) -> Result<external::Ran, String> {
        let limits = Limits {
            time: self.options.time.unwrap_or(process::PATIENCE),
            bytes: self.limit,
            cancel: &self.options.cancel,
        };
        process::run(external, case, capacity, limits)
    }

    fn show(&self, ready: &Ready, place: (usize, ScopeId), external: &External, case: &Case) {
        (self.on)(&Progress {
            function: ready.problem.functions[place.0].name.clone(),
            scope: format!("{} by {}", ready.problem.scopes[place.1].name, external.name),
            level: None,
            solver: "external",
            nodes: 0,
            best: None,
            bound: case.lower_bound,
        });
    }
}

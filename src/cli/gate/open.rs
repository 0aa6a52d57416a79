//! The gate of one run.

use std::path::{Path, PathBuf};

use super::baseline::{Failed, How, Side, in_plans, of_plan, side};
use super::cached::{self, Cached};
use super::names::relative;
use crate::cli::args::{Format, Global, VerifyArgs};
use crate::cli::cache::Cache;
use crate::cli::input::{self, Codes, Item, Ready};
use crate::cli::placing::Stage;
use crate::cli::{jobs, output};
use crate::diag::{Diagnostic, Sources};
use crate::format::budget::{self, BudgetFile};
use crate::gate::{self, Budget};
use crate::model::{Comparison, Kernel, Remark};
use crate::plan::Options;

/// What kernels are held to.
pub(in crate::cli) struct Gate<'a> {
    args: &'a VerifyArgs,
    budget: Option<BudgetFile>,
    before: Option<Side>,
    cache: Option<Cache>,
    limit: u64,
}

/// What the gate says.
#[derive(Default)]
pub(in crate::cli) struct Judged {
    /// What has changed since the baseline.
    pub(in crate::cli) comparisons: Vec<Comparison>,
    /// What is over budget, or worse than it was.
    pub(in crate::cli) remarks: Vec<Remark>,
    /// The budget file that was written.
    pub(in crate::cli) updated: Option<PathBuf>,
}

impl<'a> Gate<'a> {
    /// Reads budget and baseline.
    ///
    /// # Errors
    /// Those of the files.
    pub(in crate::cli) fn open(
        args: &'a VerifyArgs,
        global: &Global,
        options: &Options,
        stage: &Stage,
        limit: u64,
    ) -> Result<Self, Failed> {
        let gate = &args.gate;
        let budget = match &gate.budget {
            // A budget that is to be written need not be there.
            Some(path) if gate.update_budget && !path.exists() => None,
            Some(path) => Some(read_budget(path, limit)?),
            None => None,
        };
        let threads = jobs::threads(args.planning.jobs);
        let how = How { args: &args.input, options, stage, limit, threads };
        let before = match &gate.baseline {
            Some(path) => Some(side(&path.display().to_string(), how)?),
            None => None,
        };
        // What is printed in full is made in full.
        let short = global.format != Format::Json && global.verbose == 0;
        let traced = args.place.run.export_trace.is_some();
        let plans = matches!(before, Some(Side::Plan(_) | Side::Folder(..)));
        let cache = gate.cache.as_deref().filter(|_| short && !traced && !plans && wanted(args));
        Ok(Self { args, budget, before, cache: cache.map(Cache::open), limit })
    }

    /// True where kernels are held to something, so that inputs without a plan are planned.
    pub(in crate::cli) fn wanted(&self) -> bool {
        wanted(self.args)
    }

    /// What the cache knows of an input.
    pub(in crate::cli) fn cached(&self, item: &Item, plan: Option<&Path>) -> Option<Cached> {
        cached::look(self.cache.as_ref()?, self.args, item, plan)
    }

    /// What the cache was good for; for `-v`.
    pub(in crate::cli) fn of_cache(&self) -> Option<String> {
        self.cache.as_ref().map(Cache::told)
    }

    /// Remembers that an input is good.
    pub(in crate::cli) fn remember(&self, cached: Option<Cached>, kernels: &[Kernel]) {
        if let (Some(cache), Some(cached)) = (&self.cache, &cached) {
            cached::keep(cache, cached, kernels);
        }
    }

    /// The kernels of an input as a plan of the baseline has them.
    ///
    /// # Errors
    /// Those of the plan file.
    pub(in crate::cli) fn before(
        &self,
        name: &str,
        below: &Path,
        ready: &Ready,
        stage: &Stage,
    ) -> Result<Vec<Kernel>, Failed> {
        let path = match &self.before {
            Some(Side::Plan(path)) => Some(path.clone()),
            Some(Side::Folder(_, folder)) => in_plans(folder, below),
            Some(Side::Kernels(_)) | None => None,
        };
        match path {
            Some(path) => of_plan(&path, name, ready, stage, self.limit),
            None => Ok(Vec::new()),
        }
    }

    /// Holds kernels, each with the path of its input below the folder that was given, to what there is.
    ///
    /// # Errors
    /// When the budget file cannot be written.
    pub(in crate::cli) fn judge(
        &self,
        kernels: &[(PathBuf, Kernel)],
        before: &[Kernel],
    ) -> Result<Judged, Diagnostic> {
        let mut judged = Judged::default();
        let asked = &self.args.gate;
        let whole = asked.shard.is_none() && self.args.input.function.is_none();
        let default = Budget::default();
        let budget = self.budget.as_ref().map_or(&default, |file| &file.budget);
        if let Some(path) = &asked.budget {
            let folder = path.parent().unwrap_or(Path::new(""));
            let named: Vec<Kernel> = kernels
                .iter()
                .map(|(_, k)| Kernel { input: relative(&k.input, folder), ..k.clone() })
                .collect();
            if asked.update_budget {
                let text = budget::updated(self.budget.as_ref(), &named, whole);
                output::write(path, &text)?;
                judged.updated = Some(path.clone());
            } else {
                let remarks = gate::against_budget(&named, budget, whole);
                judged.remarks.extend(remarks.into_iter().map(|r| renamed(r, &named, kernels)));
            }
        }
        let new: Vec<Kernel> = match &self.before {
            Some(Side::Folder(..)) => {
                let below = |(below, k): &(PathBuf, Kernel)| Kernel {
                    input: below.display().to_string(),
                    ..k.clone()
                };
                kernels.iter().map(below).collect()
            }
            _ => kernels.iter().map(|(_, k)| k.clone()).collect(),
        };
        let old: Vec<Kernel> = match &self.before {
            None => return Ok(judged),
            Some(Side::Kernels(old)) => old.clone(),
            Some(Side::Plan(_)) => before.to_vec(),
            Some(Side::Folder(old, _)) => {
                // Plans were measured under the names of the inputs.
                let below = |k: &Kernel| {
                    let at = kernels.iter().find(|(_, new)| new.input == k.input);
                    let input =
                        at.map_or(k.input.clone(), |(below, _)| below.display().to_string());
                    Kernel { input, ..k.clone() }
                };
                old.iter().cloned().chain(before.iter().map(below)).collect()
            }
        };
        let (comparisons, remarks) = gate::against_baseline(&old, &new, budget, whole);
        judged.comparisons = comparisons;
        judged.remarks.extend(remarks.into_iter().map(|r| renamed(r, &new, kernels)));
        Ok(judged)
    }
}

fn wanted(args: &VerifyArgs) -> bool {
    args.gate.budget.is_some() || args.gate.baseline.is_some()
}

/// A remark under the name that the input was given by.
fn renamed(remark: Remark, named: &[Kernel], kernels: &[(PathBuf, Kernel)]) -> Remark {
    let at = named.iter().position(|k| k.input == remark.input);
    let input = at.map_or(remark.input.clone(), |at| kernels[at].1.input.clone());
    Remark { input, ..remark }
}

fn read_budget(path: &Path, limit: u64) -> Result<BudgetFile, Failed> {
    let mut sources = Sources::default();
    let fail = |error: Diagnostic| (vec![error], Sources::default());
    let file = input::read_file(path, limit, Codes::BUDGET, &mut sources).map_err(fail)?;
    budget::read(&sources, file).map_err(|errors| (errors, sources))
}

//! The gate of one run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::baseline::{Failed, How, Side, in_plans, nothing_in, of_plan, side};
use super::cached::{self, Cached, Memory};
use crate::cli::args::{Format, Global, VerifyArgs};
use crate::cli::cache::Cache;
use crate::cli::input::{self, Codes, Item, Ready};
use crate::cli::placing::Stage;
use crate::cli::{defect, jobs, output};
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::budget;
use crate::gate::{self, Base, Limits};
use crate::model::{Comparison, Kernel, Remark};
use crate::plan::Options;

/// What kernels are held to.
pub(in crate::cli) struct Gate<'a> {
    args: &'a VerifyArgs,
    /// The text of the budget file, where there is one.
    text: Option<String>,
    limits: Limits,
    before: Option<Side>,
    cache: Option<Cache>,
    limit: u64,
}

/// What kernels are a part of.
#[derive(Clone, Copy)]
pub(in crate::cli) struct Parts<'a> {
    /// The names of the inputs that were judged.
    pub(in crate::cli) read: &'a BTreeSet<String>,
    /// Input and function of plans that are wrong.
    pub(in crate::cli) refused: &'a BTreeSet<(String, String)>,
    /// The inputs of other parts.
    pub(in crate::cli) others: &'a [Item],
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
        let (text, limits) = match &gate.budget {
            // A budget that is to be written need not be there.
            Some(path) if gate.update_budget && !path.exists() => (None, limits(path, None)),
            Some(path) => {
                let (text, budget) = read_budget(path, limit)?;
                (Some(text), limits(path, Some(budget)))
            }
            None => (None, Limits::default()),
        };
        // What is printed in full is made in full.
        let short = global.format != Format::Json && global.verbose == 0;
        let traced = args.place.run.export_trace.is_some();
        let cache = gate.cache.as_deref().filter(|_| short && !traced && wanted(args));
        let cache = cache.map(Cache::open);
        let threads = jobs::threads(args.planning.jobs);
        let memory = cache.as_ref().map(|cache| memory(cache, args));
        let how = How { args: &args.input, options, stage, limit, threads, memory };
        let before = match &gate.baseline {
            Some(path) => Some(side(&path.display().to_string(), how)?),
            None => None,
        };
        Ok(Self { args, text, limits, before, cache, limit })
    }

    /// True where kernels are held to something, so that inputs without a plan are planned.
    pub(in crate::cli) fn wanted(&self) -> bool {
        wanted(self.args)
    }

    /// What the cache knows of an input.
    pub(in crate::cli) fn cached(&self, item: &Item, plan: Option<&Path>) -> Option<Cached> {
        let problem_is_needed = match &self.before {
            Some(Side::Plan(_)) => true,
            Some(Side::Folder(_, folder)) => in_plans(folder, &item.below).is_some(),
            Some(Side::Kernels(_)) | None => false,
        };
        let cache = self.cache.as_ref().filter(|_| !problem_is_needed)?;
        cached::look(memory(cache, self.args), item, plan)
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
        parts: Parts<'_>,
    ) -> Result<Judged, Diagnostic> {
        let Parts { read, refused, others } = parts;
        let mut judged = Judged::default();
        let limits = Limits { elsewhere: self.elsewhere(read), ..self.limits.clone() };
        let asked = &self.args.gate;
        let whole = asked.shard.is_none() && self.args.input.function.is_none();
        let new: Vec<Kernel> = kernels.iter().map(|(_, k)| k.clone()).collect();
        if let Some(path) = &asked.budget {
            if asked.update_budget {
                let right = right(&new, refused);
                let text = gate::updated(self.text.as_deref(), &limits, &right);
                let text = text.map_err(|why| defect::bug(&why))?;
                let written = parsed(path, &text)
                    .ok_or_else(|| defect::bug("the budget file cannot be read any more"))?;
                output::write(path, &text)?;
                // What a pattern says is not written anew.
                let limits = Limits { budget: written, ..limits.clone() };
                let left = gate::against_budget(&new, &limits, whole).into_iter();
                judged.remarks.extend(left.filter(|r| r.code == Code::GateOverBudget));
                judged.updated = Some(path.clone());
            } else {
                judged.remarks.extend(gate::against_budget(&new, &limits, whole));
            }
        }
        let old: Vec<Kernel> = match &self.before {
            None => return Ok(judged),
            Some(Side::Kernels(old)) => {
                // What another part of the inputs is has not moved into this one.
                let plain = Base::default();
                let away: BTreeSet<String> = others.iter().map(|i| plain.name(&i.name)).collect();
                let here = |k: &&Kernel| !away.contains(&plain.name(&k.input));
                old.iter().filter(here).cloned().collect()
            }
            Some(Side::Plan(_)) => before.to_vec(),
            Some(Side::Folder(old, folder)) => {
                if old.is_empty() && before.is_empty() && whole && !new.is_empty() {
                    return Err(nothing_in(folder));
                }
                let away: BTreeSet<&Path> = others.iter().map(|i| i.below.as_path()).collect();
                let old = old.iter().filter(|k| !away.contains(Path::new(&k.input)));
                // What lies at the same place in both folders is the same input.
                let here = |k: &Kernel| {
                    let at =
                        kernels.iter().find(|(below, _)| below.as_os_str() == k.input.as_str());
                    let input = match at {
                        Some((_, new)) => new.input.clone(),
                        None => folder.join(&k.input).display().to_string(),
                    };
                    Kernel { input, ..k.clone() }
                };
                old.map(here).chain(before.iter().cloned()).collect()
            }
        };
        // Files that are given one by one are no whole folder.
        let folders = self.args.input.inputs.iter().any(|input| Path::new(input).is_dir());
        let whole = whole && (folders || !matches!(self.before, Some(Side::Folder(..))));
        let (comparisons, remarks) = gate::against_baseline(&old, &new, &limits, whole);
        judged.comparisons = comparisons;
        judged.remarks.extend(remarks);
        Ok(judged)
    }

    /// Inputs of the budget that exist although this run has not read them.
    fn elsewhere(&self, read: &BTreeSet<String>) -> BTreeSet<String> {
        let Some(path) = &self.args.gate.budget else { return BTreeSet::new() };
        let folder = path.parent().unwrap_or(Path::new(""));
        let Limits { budget, base, .. } = &self.limits;
        let read: BTreeSet<String> = read.iter().map(|name| base.name(name)).collect();
        let entries = budget.entries.iter().filter(|e| !e.is_pattern());
        let is_away = |input: &&String| {
            let file = folder.join(input);
            !read.contains(&base.name(&file.display().to_string())) && file.exists()
        };
        entries.filter_map(|e| e.input.as_ref()).filter(is_away).cloned().collect()
    }
}

/// Kernels without the numbers of plans that are wrong: those are nobody's budget.
fn right(kernels: &[Kernel], refused: &BTreeSet<(String, String)>) -> Vec<Kernel> {
    let mut right = kernels.to_vec();
    for kernel in &mut right {
        if refused.contains(&(kernel.input.clone(), kernel.name.clone())) {
            kernel.scopes.iter_mut().for_each(|scope| scope.peak = None);
        }
    }
    right
}

fn memory<'a>(cache: &'a Cache, args: &'a VerifyArgs) -> Memory<'a> {
    Memory {
        cache,
        input: &args.input,
        strategy: &args.strategy,
        planning: &args.planning,
        place: &args.place,
    }
}

fn wanted(args: &VerifyArgs) -> bool {
    args.gate.budget.is_some() || args.gate.baseline.is_some()
}

/// A budget, seen from the folder of its file.
fn limits(path: &Path, budget: Option<budget::Budget>) -> Limits {
    let here = std::env::current_dir().unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    Limits {
        budget: budget.unwrap_or_default(),
        base: Base::new(&here, folder),
        ..Limits::default()
    }
}

/// The budget of a text that was written here.
fn parsed(path: &Path, text: &str) -> Option<budget::Budget> {
    let mut sources = Sources::default();
    let file = sources.add(path.display().to_string(), text);
    budget::read(&sources, file).ok()
}

fn read_budget(path: &Path, limit: u64) -> Result<(String, budget::Budget), Failed> {
    let mut sources = Sources::default();
    let fail = |error: Diagnostic| (vec![error], Sources::default());
    let file = input::read_file(path, limit, Codes::BUDGET, &mut sources).map_err(fail)?;
    match budget::read(&sources, file) {
        Ok(budget) => Ok((sources.get(file).map_or("", |s| &s.text).to_owned(), budget)),
        Err(errors) => Err((errors, sources)),
    }
}

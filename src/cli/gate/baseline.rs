//! What kernels were: a report, a plan, an older input, or a folder of such files.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::cached::{self, Cached, Memory};
use crate::cli::args::{Emit, InputArgs};
use crate::cli::input::{self, Codes, Item, Ready, Toml};
use crate::cli::placing::Stage;
use crate::cli::solve::in_folder;
use crate::cli::subject::{self, Wanted};
use crate::cli::{jobs, kernels};
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::memory_info::MemoryInfo;
use crate::format::{self, baseline};
use crate::model::{FunctionPlan, Kernel, KernelBuffer, KernelScope, Plan, fingerprint};
use crate::plan::Options;
use crate::report::context::Input;

/// One side of a comparison.
pub(in crate::cli) enum Side {
    /// Kernels with all that is known of them.
    Kernels(Vec<Kernel>),
    /// A plan, which needs a problem to be measured.
    Plan(PathBuf),
    /// The kernels of the inputs of a folder by their paths below it, and the folder, in which plans may lie.
    Folder(Vec<Kernel>, PathBuf),
}

/// Errors and the texts that they point into.
pub(in crate::cli) type Failed = (Vec<Diagnostic>, Sources);

/// How sides are read.
#[derive(Clone, Copy)]
pub(in crate::cli) struct How<'a> {
    pub(in crate::cli) args: &'a InputArgs,
    pub(in crate::cli) options: &'a Options,
    pub(in crate::cli) stage: &'a Stage,
    pub(in crate::cli) limit: u64,
    pub(in crate::cli) threads: usize,
    /// Where inputs that were good before are remembered.
    pub(in crate::cli) memory: Option<Memory<'a>>,
}

/// Reads one side.
///
/// # Errors
/// Those of its files.
pub(in crate::cli) fn side(path: &str, how: How<'_>) -> Result<Side, Failed> {
    let place = Path::new(path);
    if place.is_dir() {
        let kernels = inputs(path, how, true)?;
        if kernels.is_empty() {
            let reports = reports(place, how.limit)?;
            if !reports.is_empty() {
                return Ok(Side::Kernels(reports));
            }
        }
        return Ok(Side::Folder(kernels, place.to_owned()));
    }
    let mut sources = Sources::default();
    let extension = place.extension().and_then(OsStr::to_str).unwrap_or_default();
    let json = extension.eq_ignore_ascii_case("json");
    if json || extension.eq_ignore_ascii_case("toml") {
        let read = input::read_file(place, how.limit, Codes::PLAN, &mut sources);
        let file = read.map_err(|error| (vec![error], Sources::default()))?;
        let text = sources.get(file).map_or("", |s| &s.text);
        if json && baseline::is_report(text) {
            return match baseline::read(&sources, file) {
                Ok(kernels) => Ok(Side::Kernels(kernels)),
                Err(error) => Err((vec![error], sources)),
            };
        }
        if json && let Ok(info) = format::memory_info::read(text) {
            return Ok(Side::Kernels(displayed(path, &info)));
        }
        if !json && input::toml(text) == Toml::Plan {
            return Ok(Side::Plan(place.to_owned()));
        }
    }
    inputs(path, how, false).map(Side::Kernels)
}

/// The kernels of the reports in a folder, such as those of the parts of one run.
fn reports(folder: &Path, limit: u64) -> Result<Vec<Kernel>, Failed> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_json = |p: &PathBuf| p.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).filter(is_json).collect();
    paths.sort();
    let mut kernels = Vec::new();
    for path in paths {
        let mut sources = Sources::default();
        let read = input::read_file(&path, limit, Codes::PLAN, &mut sources);
        let file = read.map_err(|error| (vec![error], Sources::default()))?;
        if !baseline::is_report(sources.get(file).map_or("", |s| &s.text)) {
            continue;
        }
        match baseline::read(&sources, file) {
            Ok(read) => kernels.extend(read),
            Err(error) => return Err((vec![error], sources)),
        }
    }
    Ok(kernels)
}

/// A folder in which there is nothing to compare with.
pub(in crate::cli) fn nothing_in(folder: &Path) -> Diagnostic {
    let message =
        format!("there is no input, report or plan to compare with in `{}`", folder.display());
    Diagnostic::error(Code::ConfigNoInput, message)
}

/// The kernels of older inputs.
fn inputs(path: &str, how: How<'_>, folder: bool) -> Result<Vec<Kernel>, Failed> {
    let args = InputArgs { inputs: vec![path.to_owned()], ..how.args.clone() };
    let mut items = input::collect(&args, how.limit);
    if folder {
        // A folder of plans alone has no inputs.
        items.retain(|item| !item.below.as_os_str().is_empty());
    }
    let mut out = Vec::new();
    let mut failed: Option<Failed> = None;
    jobs::in_order(
        items,
        how.threads,
        |item| {
            let below = item.below.clone();
            let found = older(item, &args, how);
            found.map(|kernels| (below, kernels))
        },
        |found| match found {
            Ok((below, kernels)) => out.extend(kernels.into_iter().map(|k| match folder {
                true => Kernel { input: below.display().to_string(), ..k },
                false => k,
            })),
            // `--function` is for one of many files.
            Err((errors, _))
                if folder && errors.iter().all(|e| e.code == Code::ConfigUnknownFunction) => {}
            Err(errors) => {
                failed.get_or_insert(errors);
            }
        },
    );
    match failed {
        Some(failed) => Err(failed),
        None => Ok(out),
    }
}

/// The kernels of one older input.
fn older(item: Item, args: &InputArgs, how: How<'_>) -> Result<Vec<Kernel>, Failed> {
    let cached = how.memory.and_then(|memory| cached::look(memory, &item, None));
    if let Some(Cached { kernels: Some(kernels), .. }) = &cached {
        return Ok(kernels.clone());
    }
    let wanted = Wanted {
        plan: None,
        planning: Some(how.options),
        stage: how.stage,
        limit: how.limit,
        function: args.function.as_deref(),
        measured: true,
    };
    let subject = subject::of(input::load(item, args, how.limit), &wanted);
    let clean = subject.is_clean();
    let sources = subject.loaded.sources;
    let ready = match &subject.loaded.outcome {
        Ok(ready) => ready,
        Err(errors) => return Err((errors.clone(), sources)),
    };
    let input = Input { name: &subject.loaded.name, sources: &sources, problem: &ready.problem };
    let kernels = kernels::of(input, &subject.answer, &subject.shown.owed, subject.ours);
    if let (Some(memory), Some(cached)) = (how.memory, &cached)
        && clean
        && ready.warnings.is_empty()
    {
        cached::keep(memory.cache, cached, &kernels);
    }
    Ok(kernels)
}

/// The kernels of a display of the compiler. Its live ranges are in steps of its own.
fn displayed(path: &str, info: &[MemoryInfo]) -> Vec<Kernel> {
    let bytes = |bits: u64| bits.div_ceil(8);
    let kernel = |info: &MemoryInfo| {
        let scopes = info.record.iter().map(|record| {
            let buffer = |b: &format::memory_info::Buffer| KernelBuffer {
                name: b.name().to_owned(),
                size: Some(bytes(b.extent)),
                slots: u32::try_from(b.offset.len()).ok(),
                live: None,
                offsets: b.offset.clone(),
                place: None,
            };
            let buffers: Vec<KernelBuffer> = record.memory_info_array.iter().map(buffer).collect();
            KernelScope {
                name: scope_name(&record.scope).to_owned(),
                peak: peak(&buffers),
                buffers,
                ..KernelScope::default()
            }
        });
        Kernel {
            input: path.to_owned(),
            name: info.header.kernel_name.clone(),
            scopes: scopes.collect(),
            ..Kernel::default()
        }
    };
    info.iter().map(kernel).collect()
}

/// Our name of a scope of the compiler's.
fn scope_name(space: &str) -> &str {
    match space {
        "cbuf" => "l1",
        "cc" => "l0c",
        "ca" => "l0a",
        "cb" => "l0b",
        other => other,
    }
}

fn peak(buffers: &[KernelBuffer]) -> Option<u64> {
    let ends = buffers
        .iter()
        .flat_map(|b| b.offsets.iter().map(|offset| offset.saturating_add(b.size.unwrap_or(0))));
    ends.max()
}

/// The kernels of a plan file: measured on the problem where the plan was made for it. Else only its names
/// and offsets are known.
///
/// # Errors
/// Those of the file.
pub(in crate::cli) fn of_plan(
    path: &Path,
    name: &str,
    ready: &Ready,
    stage: &Stage,
    limit: u64,
) -> Result<Vec<Kernel>, Failed> {
    let mut sources = Sources::default();
    let plan = match subject::read_plan(path, &ready.problem, limit, &mut sources) {
        Ok(plan) => plan,
        Err(errors) => return Err((errors, sources)),
    };
    // Where names repeat, the order counts.
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut is_made_for = |f: &FunctionPlan| {
        let nth = seen.entry(f.name.clone()).or_default();
        let mut functions = ready.problem.functions.iter().filter(|of| of.name == f.name);
        let of = functions.nth(*nth);
        *nth += 1;
        of.is_some_and(|of| f.fingerprint == Some(fingerprint(&ready.problem, of)))
    };
    let told = |f| {
        let made_for_it = is_made_for(&f);
        (f, made_for_it)
    };
    let told: Vec<(FunctionPlan, bool)> = plan.functions.into_iter().map(told).collect();
    let strangers: BTreeSet<String> =
        told.iter().filter(|(_, is)| !is).map(|(f, _)| f.name.clone()).collect();
    let (known, other): (Vec<FunctionPlan>, Vec<FunctionPlan>) =
        told.into_iter().map(|(f, _)| f).partition(|f| !strangers.contains(&f.name));
    let plan = Plan { functions: known };
    let answer = subject::measured(ready, &plan);
    let shown = stage.show(&ready.problem, &plan);
    let input = Input { name, sources: &sources, problem: &ready.problem };
    let mut kernels = kernels::of(input, &answer, &shown.owed, false);
    kernels.extend(other.into_iter().map(|f| named(name, f)));
    Ok(kernels)
}

/// What a plan says by itself.
fn named(input: &str, plan: FunctionPlan) -> Kernel {
    let mut scopes: Vec<KernelScope> = Vec::new();
    for placement in plan.placements {
        let name = placement.scope.unwrap_or_default();
        let at = scopes.iter().position(|s| s.name == name).unwrap_or_else(|| {
            scopes.push(KernelScope { name, ..KernelScope::default() });
            scopes.len() - 1
        });
        scopes[at].buffers.push(KernelBuffer {
            name: placement.name,
            slots: u32::try_from(placement.offsets.len()).ok(),
            offsets: placement.offsets,
            ..KernelBuffer::default()
        });
    }
    Kernel {
        input: input.to_owned(),
        name: plan.name,
        fingerprint: plan.fingerprint,
        scopes,
        ..Kernel::default()
    }
}

/// The plan of an input in a folder of plans, if it is there.
pub(in crate::cli) fn in_plans(folder: &Path, below: &Path) -> Option<PathBuf> {
    let ways = [Emit::Plan, Emit::Csv, Emit::MemoryInfo].map(|what| in_folder(folder, below, what));
    ways.into_iter().find(|path| path.exists())
}

/// The kernels of a plan by its own words, where no problem is at hand.
///
/// # Errors
/// Those of the file.
pub(in crate::cli) fn of_plan_alone(path: &Path, limit: u64) -> Result<Vec<Kernel>, Failed> {
    let mut sources = Sources::default();
    let fail = |error: Diagnostic| (vec![error], Sources::default());
    let file = input::read_file(path, limit, Codes::PLAN, &mut sources).map_err(fail)?;
    match format::plan::read(&sources, file, &[]) {
        Ok(plan) => {
            let name = path.display().to_string();
            Ok(plan.functions.into_iter().map(|f| named(&name, f)).collect())
        }
        Err(errors) => Err((errors, sources)),
    }
}

//! `memplan verify`.

mod present;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{Emit, Format, Global, VerifyArgs};
use super::exit::Exit;
use super::gate::{Cached, Failed, Gate, Parts};
use super::input::{self, Item};
use super::log::Level;
use super::placing::{self, Stage};
use super::solve::in_folder;
use super::streams::{self, Streams};
use super::subject::{self, Subject, Wanted};
use super::{jobs, kernels, output, planning, progress};
use crate::diag::{Code, Diagnostic, Sources};
use crate::model::Kernel;
use crate::plan::Options;
use crate::report::context::Input;
use present::Report;

/// Checks a plan for every input, and holds it to budget and baseline.
pub(super) fn run(args: &VerifyArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::new(args, global);
    let mut sources = Sources::default();
    let prepared = match prepare(args, &mut sources) {
        Ok(prepared) => prepared,
        Err(errors) => {
            report.broken(&errors, "", &sources, streams);
            return report.end(streams);
        }
    };
    let Prepared { limit, options, stage } = &prepared;
    let items = input::collect(&args.input, *limit);
    let (items, others) = match args.gate.shard {
        Some(shard) => shard.split(items),
        None => (items, Vec::new()),
    };
    if let Some(path) = &args.place.run.export_trace
        && let Err(error) = output::spares(
            path,
            items.iter().map(|i| Path::new(&i.name)).chain(args.plan.as_deref()),
        )
    {
        report.broken(&[error], "", &Sources::default(), streams);
        return report.end(streams);
    }
    progress::on_interrupt(&Arc::clone(&options.cancel));
    let gate = match Gate::open(args, global, &prepared.options, stage, *limit) {
        Ok(gate) => gate,
        Err((errors, sources)) => {
            report.broken(&errors, "", &sources, streams);
            return report.end(streams);
        }
    };
    let several = items.len() > 1;
    let threads = jobs::threads(args.planning.jobs);
    let line = progress::Line::new(streams::progress_is_seen(global));
    jobs::in_order(
        items,
        threads,
        |item| assess(item, args, global, &prepared, &gate, several),
        |assessed| {
            line.aside(|| {
                if assessed.subject.is_none() {
                    streams.log(Level::Debug, || format!("`{}` was good before", assessed.name));
                }
                report.add(assessed, streams);
            });
        },
    );
    drop(line);
    if let Some(told) = gate.of_cache() {
        streams.log(Level::Info, || told);
    }
    if let Some(path) = &args.place.run.export_trace
        && let Err(error) = placing::export(path, &report.timelines)
    {
        report.broken(&[error], "", &Sources::default(), streams);
    }
    let parts = Parts { read: &report.read, refused: &report.refused, others: &others };
    match gate.judge(&report.kernels, &report.before, parts) {
        Ok(judged) => report.judged(judged),
        Err(error) => report.broken(&[error], "", &Sources::default(), streams),
    }
    report.end(streams)
}

struct Prepared {
    limit: u64,
    options: Options,
    stage: Stage,
}

fn prepare(args: &VerifyArgs, sources: &mut Sources) -> Result<Prepared, Vec<Diagnostic>> {
    let one = |error| vec![error];
    let limit = input::limit().map_err(one)?;
    if args.gate.update_budget && args.gate.budget.is_none() {
        let error = Diagnostic::error(Code::ConfigBadOption, "`--update-budget` without a budget");
        return Err(vec![error.help("say which file with `--budget memplan-budget.toml`")]);
    }
    let options = planning::options(&args.planning, "strategy", &args.strategy).map_err(one)?;
    // Inputs side by side: each is planned by one thread.
    let options = Options { jobs: 1, ..options };
    let stage = Stage::of(&args.place, args.planning.seed, limit, sources)?;
    Ok(Prepared { limit, options, stage })
}

/// One input after the check.
#[derive(Default)]
struct Assessed {
    name: String,
    /// The input and its plan; none where it is known to be good.
    subject: Option<Subject>,
    kernels: Vec<Kernel>,
    /// The same functions as a plan of the baseline has them.
    before: Vec<Kernel>,
    /// Its path below the folder that was given.
    below: PathBuf,
    /// Why the plan of the baseline cannot be read.
    broken: Option<Failed>,
}

fn assess(
    item: Item,
    args: &VerifyArgs,
    global: &Global,
    prepared: &Prepared,
    gate: &Gate,
    several: bool,
) -> Assessed {
    let (name, below) = (item.name.clone(), item.below.clone());
    let plan = match plan_path(args, &below, several) {
        Ok(plan) => plan,
        Err(error) => {
            let mut loaded = input::load(item, &args.input, prepared.limit);
            loaded.outcome = Err(vec![error]);
            let subject = Some(Subject::broken(loaded));
            return Assessed { name, subject, below, ..Assessed::default() };
        }
    };
    let cached = gate.cached(&item, plan.as_deref());
    if let Some(Cached { kernels: Some(kernels), .. }) = &cached {
        return Assessed { name, kernels: kernels.clone(), below, ..Assessed::default() };
    }
    let loaded = input::load(item, &args.input, prepared.limit);
    // What a plan takes is told, but with `-q`.
    let told = global.format != Format::Human || !global.quiet;
    let wanted = Wanted {
        plan,
        planning: gate.wanted().then_some(&prepared.options),
        stage: &prepared.stage,
        limit: prepared.limit,
        function: args.input.function.as_deref(),
        measured: gate.wanted() || told,
    };
    let subject = subject::of(loaded, &wanted);
    let (mut kernels, mut before, mut broken) = (Vec::new(), Vec::new(), None);
    if let Ok(ready) = &subject.loaded.outcome {
        let sources = &subject.loaded.sources;
        let input = Input { name: &subject.loaded.name, sources, problem: &ready.problem };
        kernels = kernels::of(input, &subject.answer, &subject.shown.owed, subject.ours);
        match gate.before(&subject.loaded.name, &below, ready, &prepared.stage) {
            Ok(kernels) => before = kernels,
            Err(failed) => broken = Some(failed),
        }
        if subject.is_clean() && ready.warnings.is_empty() {
            gate.remember(cached, &kernels);
        }
    }
    Assessed { name, subject: Some(subject), kernels, before, below, broken }
}

/// The plan file of an input: the one given, or the one of a folder that `solve -o` fills.
fn plan_path(
    args: &VerifyArgs,
    below: &Path,
    several: bool,
) -> Result<Option<PathBuf>, Diagnostic> {
    let Some(path) = &args.plan else { return Ok(None) };
    if path.is_dir() {
        let ways =
            [Emit::Plan, Emit::Csv, Emit::MemoryInfo].map(|what| in_folder(path, below, what));
        let found = ways.iter().find(|p| p.exists()).unwrap_or(&ways[0]);
        return Ok(Some(found.clone()));
    }
    if several {
        let message = format!("several inputs, but `{}` is one plan", path.display());
        return Err(Diagnostic::error(Code::ConfigBadOption, message)
            .help("give a folder of plans, as `solve -o DIR/` writes it"));
    }
    Ok(Some(path.clone()))
}

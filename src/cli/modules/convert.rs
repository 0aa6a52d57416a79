//! `memplan convert`.

use super::facts;
use super::tell::{Read, Report};
use crate::cli::args::{self, ConvertArgs, Global};
use crate::cli::exit::Exit;
use crate::cli::input::Copies;
use crate::cli::output;
use crate::cli::streams::Streams;
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::json_hlo::{Convert, Measures, Pass};
use crate::ir::hlo::{self, Module};
use crate::report::human;
use crate::report::words;
use crate::schedule::{self, Budget, Order};
use crate::transform::{self, Options};

/// Runs passes over one module.
pub(crate) fn run(args: &ConvertArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::new(streams);
    let mut body = Convert::default();
    let modules = report.read(&args.input, Copies::AsWritten);
    match <[Read; 1]>::try_from(modules) {
        Ok([read]) => {
            report.tell(&transform::findings(&read.text.module), &read.sources);
            match one(&read, args) {
                Ok((converted, text)) => {
                    body = converted;
                    let written = args.output.as_deref().map(|path| output::write(path, &text));
                    if let Some(Err(error)) = written {
                        report.broken(&[error], &Sources::default());
                    }
                }
                Err(error) => report.broken(&[error], &read.sources),
            }
        }
        Err(modules) if modules.is_empty() => report.exit = report.exit.and(Exit::Broken),
        Err(modules) => {
            let message = format!("{} inputs, but one module is converted", modules.len());
            let error = Diagnostic::error(Code::ConfigBadOption, message);
            report.broken(&[error], &Sources::default());
        }
    }
    report.end("convert", global, body, |streams, body| human::convert(streams.view, body))
}

fn one(read: &Read, args: &ConvertArgs) -> Result<(Convert, String), Diagnostic> {
    let mut module = read.text.module.clone();
    let before = measures(&module, read)?;
    let mut passes = Vec::new();
    for &pass in &args.passes {
        for step in steps(pass, &module) {
            passes.push(run_step(&mut module, step, read)?);
        }
    }
    let after = measures(&module, read)?;
    let text = hlo::print(&module);
    Ok((Convert { name: module.name, passes, before, after }, text))
}

/// One thing to do.
#[derive(Clone, Copy)]
enum Step {
    Transform(transform::Pass),
    Schedule,
    Plan,
    Statistics,
}

/// What a pass of the command line is; `all` in the order of the document.
fn steps(pass: args::Pass, module: &Module) -> Vec<Step> {
    let one = |pass| vec![Step::Transform(pass)];
    match pass {
        args::Pass::Propagate => one(transform::Pass::Propagate),
        args::Pass::Annotate => one(transform::Pass::Annotate),
        args::Pass::Alias => one(transform::Pass::Alias),
        args::Pass::AddCopies => one(transform::Pass::AddCopies),
        args::Pass::Copies => one(transform::Pass::Copies),
        args::Pass::Schedule => vec![Step::Schedule],
        args::Pass::Plan => vec![Step::Plan],
        args::Pass::Statistics => vec![Step::Statistics],
        args::Pass::All => {
            let passes = transform::Pass::all(module).iter().copied().map(Step::Transform);
            passes.chain([Step::Schedule, Step::Plan, Step::Statistics]).collect()
        }
    }
}

fn run_step(module: &mut Module, step: Step, read: &Read) -> Result<Pass, Diagnostic> {
    let options = Options { platform: read.text.options.platform, ..Options::default() };
    let (name, changed, notes) = match step {
        Step::Transform(pass) => {
            let report = transform::run(module, pass, &options)?;
            let notes = report.notes.iter().map(ToString::to_string).collect();
            (pass.name(), report.changed, notes)
        }
        Step::Schedule => {
            let (changed, notes) = order(module, read)?;
            ("schedule", changed, notes)
        }
        Step::Plan => ("plan", false, plan(module, read)?),
        Step::Statistics => ("statistics", false, statistics(module, read)?),
    };
    Ok(Pass { pass: name.to_owned(), changed, notes })
}

/// The best order.
fn order(module: &mut Module, read: &Read) -> Result<(bool, Vec<String>), Diagnostic> {
    let found = schedule::schedule(module, read.text.options, Order::Best, Budget::default())?;
    let ordered = module.in_order(&found.sequences);
    let changed = ordered != *module;
    *module = ordered;
    let peak = |bytes: u64| words::bytes(bytes);
    let note = format!(
        "order {}: peak {} before, {} after",
        found.chosen.name(),
        peak(found.peak_before),
        peak(found.peak_after)
    );
    Ok((changed, vec![note]))
}

/// XLA's plan of the heaps.
fn plan(module: &Module, read: &Read) -> Result<Vec<String>, Diagnostic> {
    let analysis = crate::analyze::hlo::Analysis::text(module, read.text.options)?;
    let assignment = facts::assignment(&analysis)?;
    let heap = |heap: &crate::plan::xla::HeapTrace| {
        format!(
            "heap of memory space {}: {} for {} values",
            heap.memory_space,
            words::bytes(heap.heap.size),
            heap.heap.chunks.len()
        )
    };
    Ok(assignment.heaps.iter().map(heap).collect())
}

fn statistics(module: &Module, read: &Read) -> Result<Vec<String>, Diagnostic> {
    let of = facts::statistics(&read.name, module, read.text.options, &read.sources)?;
    Ok(human::totals(&of.memory))
}

fn measures(module: &Module, read: &Read) -> Result<Measures, Diagnostic> {
    let of = transform::Measures::of(module);
    let (peak, temp) = facts::peak_and_temp(module, read.text.options)?;
    Ok(Measures {
        peak,
        copies: of.copies,
        copy_bytes: of.copy_bytes,
        aliases: of.aliases,
        spaced: of.spaced,
        temp,
    })
}

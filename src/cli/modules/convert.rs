//! `memplan convert`.

use super::facts;
use super::tell::{Read, Report};
use crate::cli::args::{self, ConvertArgs, Global, InputArgs};
use crate::cli::exit::Exit;
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
    let modules = report.read(&InputArgs { order: args.input.order, ..args.input.clone() });
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
    for &pass in args.passes.iter().flat_map(|pass| each(pass)) {
        passes.push(step(&mut module, pass, read)?);
    }
    let after = measures(&module, read)?;
    let text = hlo::print(&module);
    Ok((Convert { name: module.name, passes, before, after }, text))
}

/// `all` in the order of the document.
fn each(pass: &args::Pass) -> &[args::Pass] {
    use args::Pass::{Alias, All, Annotate, Copies, Plan, Propagate, Schedule, Statistics};
    match pass {
        All => &[Propagate, Annotate, Alias, Copies, Schedule, Plan, Statistics],
        one => std::slice::from_ref(one),
    }
}

fn step(module: &mut Module, pass: args::Pass, read: &Read) -> Result<Pass, Diagnostic> {
    let (name, of) = match pass {
        args::Pass::Propagate => ("propagate", Some(transform::Pass::Propagate)),
        args::Pass::Annotate => ("annotate", Some(transform::Pass::Annotate)),
        args::Pass::Alias => ("alias", Some(transform::Pass::Alias)),
        args::Pass::AddCopies => ("add-copies", Some(transform::Pass::AddCopies)),
        args::Pass::Copies => ("copies", Some(transform::Pass::Copies)),
        args::Pass::Schedule => ("schedule", None),
        args::Pass::Plan => ("plan", None),
        args::Pass::Statistics | args::Pass::All => ("statistics", None),
    };
    let options = Options { platform: read.text.options.platform, ..Options::default() };
    let (changed, notes) = match (of, pass) {
        (Some(of), _) => {
            let report = transform::run(module, of, &options)?;
            (report.changed, report.notes.iter().map(ToString::to_string).collect())
        }
        (None, args::Pass::Schedule) => order(module, read)?,
        (None, args::Pass::Plan) => (false, plan(module, read)?),
        (None, _) => (false, statistics(module, read)?),
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

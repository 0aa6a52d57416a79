//! `memplan inspect`.

mod aliases;
mod ask;
mod buffers;
mod exclusive;
mod facts;
mod groups;
mod heaps;
mod load;
mod pairs;
mod parts;
mod scene;
mod sharing;
mod steps;
#[cfg(test)]
mod tests;

use super::args::{Format, Global, InspectArgs};
use super::exit::Exit;
use super::streams::Streams;
use super::{input, jobs};
use crate::diag::{Diagnostic, Sources};
use crate::format::json::Diagnostic as JsonDiagnostic;
use crate::format::json_inspect::Inspect;
use crate::report::context::Input;
use crate::report::{human, json};

/// Shows what follows from every input.
pub(super) fn run(args: &InspectArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut exit = Exit::Yes;
    let mut diagnostics: Vec<JsonDiagnostic> = Vec::new();
    let mut body = Inspect::default();
    let ask = ask::Ask { buffers: &args.buffer, all: streams.view.verbose };
    let mut missing = ask::Missing::new(&ask);
    let mut tell = |all: &[Diagnostic], sources: &Sources, streams: &mut Streams| {
        for diagnostic in all {
            streams.diagnostic(diagnostic, sources);
            diagnostics.push(json::diagnostic(diagnostic, sources));
        }
    };
    match input::limit() {
        Err(error) => {
            tell(&[error], &Sources::default(), streams);
            exit = Exit::Broken;
        }
        Ok(limit) => jobs::in_order(
            input::collect(&args.input, limit),
            jobs::threads(None),
            |item| input::load(item, &args.input, limit).strict(),
            |loaded| match &loaded.outcome {
                Err(errors) => {
                    tell(errors, &loaded.sources, streams);
                    exit = exit.and(Exit::Broken);
                }
                Ok(ready) => {
                    tell(&ready.warnings, &loaded.sources, streams);
                    let (name, sources) = (&loaded.name, &loaded.sources);
                    let input = Input { name, sources, problem: &ready.problem };
                    missing.look(&ready.problem);
                    for function in ready.problem.functions.iter().filter(|f| ask.wants(f)) {
                        let (mut facts, warnings) = facts::function(input, function, &ask);
                        tell(&warnings, sources, streams);
                        if let Some(planned) = &ready.module {
                            heaps::add(planned, &mut facts);
                        }
                        body.functions.push(facts);
                    }
                }
            },
        ),
    }
    let unknown = missing.errors();
    if !unknown.is_empty() {
        tell(&unknown, &Sources::default(), streams);
        exit = exit.and(Exit::Broken);
    }
    if global.format == Format::Json {
        streams.json(&json::envelope("inspect", None, diagnostics, body));
    } else {
        let text = human::inspect(streams.view, &body);
        streams.answer(&text);
        streams.count();
    }
    exit
}

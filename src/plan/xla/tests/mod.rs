//! Buffer assignment of HLO text written for the purpose, and of modules that nobody chose.

mod decisions;
mod properties;
mod statistics;
mod text;

use super::heap::choose_best;
use super::{Assignment, assign};
use crate::analyze::hlo::{Analysis, Options, ValueId};
use crate::diag::{Diagnostic, Sources};
use crate::ir::hlo::{Module, Platform, Sharing, parse};

pub(super) fn read(text: &str) -> Module {
    let mut sources = Sources::default();
    let file = sources.add("test.hlo", text);
    parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
}

/// A scheduled module of one computation.
pub(super) fn entry(body: &str) -> Module {
    read(&format!("HloModule m, is_scheduled=true\nENTRY e {{\n{body}\n}}\n"))
}

pub(super) fn analyse(module: &Module, platform: Platform) -> Analysis<'_> {
    let options = Options { platform, async_start_extension: false };
    Analysis::text(module, options).unwrap_or_else(|error| panic!("{error:#?}"))
}

pub(super) fn attempt(analysis: &Analysis<'_>) -> Result<Assignment, Diagnostic> {
    let platform = analysis.options.platform;
    let sharing = Sharing::new(analysis.module, platform);
    assign(analysis, &sharing, &mut |_, events| choose_best(events, platform.alignment()))
}

pub(super) fn assigned(analysis: &Analysis<'_>) -> Assignment {
    attempt(analysis).unwrap_or_else(|error| panic!("{error:#?}"))
}

/// What lies in each allocation, by name: `p, n | t{} | temp: x@0, y@64`.
pub(super) fn layout(analysis: &Analysis<'_>) -> String {
    let name = |value: ValueId| analysis.values.name(analysis.module, value);
    let allocations = assigned(analysis).allocations;
    let texts = allocations.iter().map(|allocation| {
        let temp = allocation.is_temp();
        let values = allocation.values.iter().map(|placed| match temp {
            true => format!("{}@{}", name(placed.value), placed.offset),
            false => name(placed.value),
        });
        let values = values.collect::<Vec<_>>().join(", ");
        if temp { format!("temp: {values}") } else { values }
    });
    texts.collect::<Vec<_>>().join(" | ")
}

/// The layout of a scheduled module of one computation.
pub(super) fn layout_of(body: &str) -> String {
    let module = entry(body);
    layout(&analyse(&module, Platform::Cpu))
}

//! What is asked about a module again and again.

use crate::analyze::hlo::{Analysis, Metric, Options, ValueId, minimum_memory};
use crate::diag::{Diagnostic, Sources};
use crate::format::json_hlo::{Memory, ModuleStats, PeakValue, Space};
use crate::ir::hlo::{Module, Sharing};
use crate::plan::xla::{Assignment, MemoryStats, assign, heap, peak_values, stats};

/// XLA's plan of a module.
pub(super) fn assignment(analysis: &Analysis<'_>) -> Result<Assignment, Diagnostic> {
    let alignment = analysis.options.platform.alignment();
    let sharing = Sharing::new(analysis.module, analysis.options.platform);
    assign(analysis, &sharing, &mut |_, events| heap::choose_best(events, alignment))
}

/// The peak of the order of the text, values that must share counted once, and the bytes of
/// temporaries in XLA's plan.
pub(super) fn peak_and_temp(module: &Module, options: Options) -> Result<(u64, u64), Diagnostic> {
    let analysis = Analysis::text(module, options)?;
    analysis.sized()?;
    let sharing = Sharing::new(module, options.platform);
    let peak = minimum_memory(&analysis, &sharing, Metric::Exact);
    let of = stats(&assignment(&analysis)?);
    Ok((peak, of.temp_size_in_bytes.saturating_add(of.host_temp_size_in_bytes)))
}

/// The statistics of a module.
pub(super) fn statistics(
    input: &str,
    module: &Module,
    options: Options,
    sources: &Sources,
) -> Result<ModuleStats, Diagnostic> {
    let analysis = Analysis::text(module, options)?;
    analysis.sized()?;
    let assignment = assignment(&analysis)?;
    let of = stats(&assignment);
    let peak = peak_values(&analysis, &assignment);
    let value = |value: &crate::plan::xla::PeakValue| {
        let allocation = &assignment.allocations[value.allocation];
        let kind = match allocation {
            a if a.parameter.is_some() => "parameter",
            a if a.constant => "constant",
            a if a.live_out => "output",
            _ => "temp",
        };
        let (op_name, loc) = origin(module, &analysis, value.value, sources);
        PeakValue {
            name: analysis.values.name(module, value.value),
            size: value.bytes,
            kind: kind.to_owned(),
            memory_space: allocation.memory_space,
            op_name,
            loc,
        }
    };
    let space = |(&memory_space, of): (&u32, &crate::plan::xla::SpaceStats)| Space {
        memory_space,
        total: of.total,
        temp: of.temp,
        allocations: assignment
            .allocations
            .iter()
            .filter(|a| a.memory_space == memory_space)
            .count() as u64,
    };
    Ok(ModuleStats {
        name: module.name.clone(),
        input: input.to_owned(),
        memory: memory(&of),
        spaces: of.spaces.iter().map(space).collect(),
        peak: peak.values.iter().map(value).collect(),
        peak_at: peak.at.map(|at| module.instructions[at].name.clone()),
    })
}

/// The operation of the source program that a value comes from, and where it is written: there if the
/// dump says it, else in the dump.
fn origin(
    module: &Module,
    analysis: &Analysis<'_>,
    value: ValueId,
    sources: &Sources,
) -> (Option<String>, Option<String>) {
    let at = analysis.values.values[value].definition.instruction;
    let place = module.place(at).unwrap_or_default();
    let written = place.file.map(|file| match place.line {
        Some(line) => format!("{file}:{line}"),
        None => file,
    });
    let here = || sources.place(module.instructions[at].loc);
    (place.op_name, Some(written.unwrap_or_else(here)))
}

fn memory(of: &MemoryStats) -> Memory {
    Memory {
        generated_code_size_in_bytes: of.generated_code_size_in_bytes,
        argument_size_in_bytes: of.argument_size_in_bytes,
        output_size_in_bytes: of.output_size_in_bytes,
        alias_size_in_bytes: of.alias_size_in_bytes,
        temp_size_in_bytes: of.temp_size_in_bytes,
        host_generated_code_size_in_bytes: of.host_generated_code_size_in_bytes,
        host_argument_size_in_bytes: of.host_argument_size_in_bytes,
        host_output_size_in_bytes: of.host_output_size_in_bytes,
        host_alias_size_in_bytes: of.host_alias_size_in_bytes,
        host_temp_size_in_bytes: of.host_temp_size_in_bytes,
        peak_memory_in_bytes: of.peak_memory_in_bytes,
        total_size_in_bytes: of.total_size_in_bytes,
        total_allocation_bytes: of.total_allocation_bytes,
        indefinite_allocations: of.indefinite_allocations,
        peak_unpadded_heap_bytes: of.peak_unpadded_heap_bytes,
    }
}

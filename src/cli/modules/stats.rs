//! `memplan stats`.

use super::facts;
use super::tell::Report;
use crate::cli::args::{Global, StatsArgs};
use crate::cli::exit::Exit;
use crate::cli::input::Copies;
use crate::cli::streams::Streams;
use crate::format::json_hlo::{Memory, Stats};
use crate::ir::hlo::Calls;
use crate::report::human;
use crate::schedule;
use crate::transform;

/// Shows what every module needs.
pub(crate) fn run(args: &StatsArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::new(streams);
    let mut body = Stats::default();
    for read in report.read(&args.input, Copies::Added) {
        let (module, options) = (&read.text.module, read.text.options);
        report.tell(&transform::findings(module), &read.sources);
        let scalars = Calls::of(module).ok().and_then(|c| schedule::scalars_not_folded(module, &c));
        report.tell(scalars.as_slice(), &read.sources);
        match facts::statistics(&read.name, module, options, &read.sources) {
            Ok(stats) => body.functions.push(stats),
            Err(error) => report.broken(&[error], &read.sources),
        }
    }
    for module in &body.functions {
        add(&mut body.memory, &module.memory);
    }
    let most = body.functions.iter().max_by_key(|m| m.memory.peak_memory_in_bytes);
    body.peak = most.map(|module| module.peak.clone()).unwrap_or_default();
    report.end("stats", global, body, |streams, body| human::stats(streams.view, body))
}

fn add(sum: &mut Memory, more: &Memory) {
    let parts: [(&mut u64, u64); 15] = [
        (&mut sum.generated_code_size_in_bytes, more.generated_code_size_in_bytes),
        (&mut sum.argument_size_in_bytes, more.argument_size_in_bytes),
        (&mut sum.output_size_in_bytes, more.output_size_in_bytes),
        (&mut sum.alias_size_in_bytes, more.alias_size_in_bytes),
        (&mut sum.temp_size_in_bytes, more.temp_size_in_bytes),
        (&mut sum.host_generated_code_size_in_bytes, more.host_generated_code_size_in_bytes),
        (&mut sum.host_argument_size_in_bytes, more.host_argument_size_in_bytes),
        (&mut sum.host_output_size_in_bytes, more.host_output_size_in_bytes),
        (&mut sum.host_alias_size_in_bytes, more.host_alias_size_in_bytes),
        (&mut sum.host_temp_size_in_bytes, more.host_temp_size_in_bytes),
        (&mut sum.peak_memory_in_bytes, more.peak_memory_in_bytes),
        (&mut sum.total_size_in_bytes, more.total_size_in_bytes),
        (&mut sum.total_allocation_bytes, more.total_allocation_bytes),
        (&mut sum.indefinite_allocations, more.indefinite_allocations),
        (&mut sum.peak_unpadded_heap_bytes, more.peak_unpadded_heap_bytes),
    ];
    for (sum, more) in parts {
        *sum = sum.saturating_add(more);
    }
}

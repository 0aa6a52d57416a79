//! `memplan stats`.

use crate::format::json_hlo::{Memory, ModuleStats, PeakValue, Stats};
use crate::report::human::style::{BOLD, DIM, paint};
use crate::report::human::table::{Side, Table};
use crate::report::human::view::View;
use crate::report::words;

/// Rows of the table of values unless everything is asked for.
const ROWS: usize = 15;

/// The totals of every module and what makes its peak.
pub fn stats(view: View, body: &Stats) -> String {
    let mut out = String::new();
    for (at, module) in body.functions.iter().enumerate() {
        if at > 0 && !view.quiet {
            out.push('\n');
        }
        one(view, module, &mut out);
    }
    out
}

fn one(view: View, module: &ModuleStats, out: &mut String) {
    let memory = &module.memory;
    let at = module
        .peak_at
        .as_ref()
        .map_or_else(String::new, |name| format!(" at `{}`", words::name(name)));
    out.push_str(&format!(
        "{}: `{}`: peak {}{at}\n",
        paint(BOLD, words::name(&module.input)),
        words::name(&module.name),
        words::bytes(memory.peak_memory_in_bytes),
    ));
    for (name, bytes) in rows(memory) {
        // The rows that users add up are there even when they are 0.
        let always = ["argument", "output", "alias", "temp"].iter().any(|w| name.starts_with(w));
        if bytes > 0 || always || view.verbose {
            out.push_str(&format!("  {name:<36}{:>16}\n", words::number(bytes)));
        }
    }
    if view.quiet {
        return;
    }
    if module.spaces.len() > 1 || module.spaces.iter().any(|s| s.memory_space != 0) {
        let mut table = Table::new(&[
            ("memory space", Side::Right),
            ("bytes", Side::Right),
            ("temporaries", Side::Right),
            ("allocations", Side::Right),
        ]);
        for space in &module.spaces {
            table.row(vec![
                space.memory_space.to_string(),
                words::number(space.total),
                words::number(space.temp),
                space.allocations.to_string(),
            ]);
        }
        table.print(2, out);
    }
    peak(view, &module.peak, out);
}

fn peak(view: View, values: &[PeakValue], out: &mut String) {
    if values.is_empty() {
        return;
    }
    let shown = if view.verbose { values.len() } else { values.len().min(ROWS) };
    let mut table = Table::new(&[
        ("alive at the peak", Side::Left),
        ("bytes", Side::Right),
        ("kind", Side::Left),
        ("where", Side::Left),
        ("op_name", Side::Left),
    ]);
    for value in &values[..shown] {
        table.row(vec![
            words::name(&value.name),
            words::number(value.size),
            value.kind.clone(),
            value.loc.as_deref().map(words::name).unwrap_or_default(),
            value.op_name.as_deref().map(words::name).unwrap_or_default(),
        ]);
    }
    table.print(2, out);
    if shown < values.len() {
        let rest = values[shown..].iter().fold(0_u64, |sum, v| sum.saturating_add(v.size));
        let line = format!("and {} more, {} (-v)", values.len() - shown, words::bytes(rest));
        out.push_str(&format!("  {}\n", paint(DIM, line)));
    }
}

/// The totals that are not 0, a line each.
pub fn totals(memory: &Memory) -> Vec<String> {
    let peak = ("peak_memory_in_bytes", memory.peak_memory_in_bytes);
    let all = rows(memory).into_iter().chain([peak]).filter(|(_, bytes)| *bytes > 0);
    all.map(|(name, bytes)| format!("{name:<36}{:>16}", words::number(bytes))).collect()
}

/// The totals by their names, in the order in which XLA prints them.
pub(super) fn rows(memory: &Memory) -> [(&'static str, u64); 14] {
    [
        ("argument_size_in_bytes", memory.argument_size_in_bytes),
        ("output_size_in_bytes", memory.output_size_in_bytes),
        ("alias_size_in_bytes", memory.alias_size_in_bytes),
        ("temp_size_in_bytes", memory.temp_size_in_bytes),
        ("generated_code_size_in_bytes", memory.generated_code_size_in_bytes),
        ("host_argument_size_in_bytes", memory.host_argument_size_in_bytes),
        ("host_output_size_in_bytes", memory.host_output_size_in_bytes),
        ("host_alias_size_in_bytes", memory.host_alias_size_in_bytes),
        ("host_temp_size_in_bytes", memory.host_temp_size_in_bytes),
        ("host_generated_code_size_in_bytes", memory.host_generated_code_size_in_bytes),
        ("total_size_in_bytes", memory.total_size_in_bytes),
        ("total_allocation_bytes", memory.total_allocation_bytes),
        ("indefinite_allocations", memory.indefinite_allocations),
        ("peak_unpadded_heap_bytes", memory.peak_unpadded_heap_bytes),
    ]
}

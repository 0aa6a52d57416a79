//! What device runtimes make of a plan.

use super::table::{Side, Table};
use super::view::View;
use crate::report::context::Placed;
use crate::report::words;

/// A line for each arena in each runtime; nothing where there is none.
pub fn placed(view: View, placed: &[Placed<'_>]) -> String {
    if placed.is_empty() || view.quiet {
        return String::new();
    }
    let mut table = Table::new(&[
        ("runtime", Side::Left),
        ("function", Side::Left),
        ("scope", Side::Left),
        ("planned", Side::Right),
        ("held", Side::Right),
        ("one block a buffer", Side::Right),
        ("device peak", Side::Right),
        ("faults", Side::Right),
        ("moved", Side::Right),
        ("ticks", Side::Right),
    ]);
    for one in placed {
        for (at, arena) in one.arenas.iter().enumerate() {
            // Numbers of the whole run stand in its first row.
            let once = |n: u64| if at == 0 { words::number(n) } else { String::new() };
            table.row(vec![
                if at == 0 { one.runtime.to_owned() } else { String::new() },
                words::name(arena.function),
                words::name(arena.scope),
                words::number(arena.planned),
                words::number(arena.held),
                arena.per_buffer.map_or_else(String::new, words::number),
                once(one.peak),
                once(one.faults),
                once(one.moved),
                once(one.makespan),
            ]);
        }
    }
    let mut out = "\nin device runtimes (bytes; each function run twice):\n".to_owned();
    table.print(2, &mut out);
    for one in placed {
        if one.arenas.is_empty() {
            out.push_str(&format!("  {}: the plan has no device memory\n", one.runtime));
        }
        if one.saved > 0 {
            let bytes = words::number(one.saved);
            out.push_str(&format!(
                "  {}: {bytes} bytes saved by taking turns on one handle\n",
                one.runtime
            ));
        }
    }
    out
}

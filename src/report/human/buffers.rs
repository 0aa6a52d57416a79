//! The table of buffers of a scope.

use super::table::{Side, Table};
use super::view::View;
use crate::model::{Function, FunctionAnswer, Live, ScopeAnswer};
use crate::report::context::{Input, offsets};
use crate::report::words;

/// Offsets and live ranges listed in one cell; more are counted.
const LISTED: usize = 4;

/// Prints name, size, slots, offsets, live ranges and source line of every buffer.
pub(super) fn print(
    view: View,
    input: Input<'_>,
    function: &Function,
    f: &FunctionAnswer,
    answer: &ScopeAnswer,
    out: &mut String,
) {
    if answer.buffers.is_empty() {
        return;
    }
    let offsets = offsets(function, &f.plan.placements);
    let mut table = Table::new(&[
        ("buffer", Side::Left),
        ("size", Side::Right),
        ("slots", Side::Right),
        ("offset", Side::Left),
        ("live", Side::Left),
        ("line", Side::Right),
    ]);
    let shown = view.rows(answer.buffers.len());
    for (id, live) in &answer.buffers[..shown] {
        let buffer = &function.buffers[*id];
        let placed = offsets.get(&id.0).copied().unwrap_or_default();
        let slots = u64::from(buffer.slots);
        let promoted = placed.len() as u64 > slots;
        let slots =
            if promoted { format!("{slots} -> {}", placed.len()) } else { slots.to_string() };
        table.row(vec![
            words::name(&buffer.name),
            words::bytes(buffer.size.0),
            slots,
            list(placed, |o| words::number(*o)),
            list(live, range),
            input.line(buffer.loc),
        ]);
    }
    table.print(2, out);
    more(answer.buffers.len() - shown, "buffer", out);
}

/// `[0, 3)`.
pub(super) fn range(live: &Live) -> String {
    format!("[{}, {})", live.start.0, live.end.0)
}

/// A list that does not grow without end.
pub(super) fn list<T>(items: &[T], word: impl Fn(&T) -> String) -> String {
    if items.is_empty() {
        return "-".to_owned();
    }
    let mut words: Vec<String> = items.iter().take(LISTED).map(word).collect();
    if items.len() > LISTED {
        words.push(format!(".. ({} in all)", items.len()));
    }
    words.join(", ")
}

/// Says how many rows were left out.
pub(super) fn more(left: usize, what: &str, out: &mut String) {
    if left > 0 {
        let what = words::count(left, what);
        out.push_str(&format!("  .. and {what} more (-v or --format json shows all)\n"));
    }
}

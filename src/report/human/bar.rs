//! A bar of use: `[██████▒░░]`, taken, reserved, free.

use crate::model::{ByteRange, Scope};

/// Cells of a bar.
const CELLS: u64 = 40;

/// The bar of a scope with a capacity; `None` where there is none or nothing to show.
pub(super) fn bar(scope: &Scope, peak: u64) -> Option<String> {
    let capacity = scope.bytes().filter(|bytes| *bytes > 0)?;
    let edge = |cell: u64| {
        let at = u128::from(cell) * u128::from(capacity) / u128::from(CELLS);
        u64::try_from(at).unwrap_or(u64::MAX)
    };
    let cell = |cell: u64| {
        let bytes = ByteRange::new(edge(cell), edge(cell + 1));
        let reserved = scope.reserved.iter().filter_map(|r| r.range.overlap(bytes));
        let reserved: u64 = reserved.map(ByteRange::len).sum();
        if reserved.saturating_mul(2) > bytes.len() {
            '▒'
        } else if bytes.start < peak {
            '█'
        } else {
            '░'
        }
    };
    Some(format!("[{}]", (0..CELLS).map(cell).collect::<String>()))
}

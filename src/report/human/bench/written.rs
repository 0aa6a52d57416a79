//! Instances in files.

use super::super::table::{Side, Table};
use crate::format::json_bench::Bench;
use crate::report::words;

/// One line for each.
pub(super) fn table(bench: &Bench) -> Table {
    let mut table = Table::new(&[
        ("file", Side::Left),
        ("buffers", Side::Right),
        ("capacity", Side::Right),
        ("optimum", Side::Right),
    ]);
    let number = |n: Option<u64>| n.map_or("-".to_owned(), |n| n.to_string());
    for w in &bench.written {
        table.row(vec![
            words::name(&w.file),
            w.buffers.to_string(),
            number(w.capacity),
            number(w.optimum),
        ]);
    }
    table
}

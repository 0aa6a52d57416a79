//! Rows as CSV, for table programs.

use crate::format::json_bench::Bench;

/// The rows of `memplan bench`, with the keys of its JSON as the header; of one that wrote files, those.
pub fn rows(bench: &Bench) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // A row is flat, and memory does not fail.
    for row in &bench.rows {
        let _ = writer.serialize(row);
    }
    for file in &bench.written {
        let _ = writer.serialize(file);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

//! A measurement, run by hand: `cargo test --release --lib ir::mlir::tests::speed -- --ignored`.

use std::time::Instant;

use super::ATTENTION;
use crate::diag::FileId;
use crate::ir::mlir::parse;

#[test]
#[ignore = "a measurement"]
fn fifty_megabytes() {
    let one = ATTENTION.split_once("// -----").map_or("", |(first, _)| first);
    let functions = one.split_once("func.func @attention").map_or("", |(_, rest)| rest);
    let functions = functions.split_once("\n}\n#spec").map_or("", |(functions, _)| functions);
    let count = 50_000_000 / functions.len();
    let body = format!("func.func @attention{functions}\n").repeat(count);
    let text = one.replacen(&format!("func.func @attention{functions}\n"), &body, 1);
    let start = Instant::now();
    let parsed = parse(FileId(0), &text);
    let functions = parsed.file.chunks[0].functions.len();
    eprintln!("{} bytes, {functions} functions: {:?}", text.len(), start.elapsed());
    assert!(parsed.errors.is_empty());
}

//! Tests of the reader.

mod attention;
mod forms;
mod messages;
mod show;
mod speed;
mod survival;
mod syntax;
mod typing;

use super::{Function, Parsed, parse};
use crate::diag::FileId;

/// Our own long text.
const ATTENTION: &str = include_str!("../../../../tests/files/mlir/attention.mlir");

/// Reads a text that has no errors.
fn read(text: &str) -> Parsed {
    let parsed = parse(FileId(0), text);
    let words = |d: &crate::diag::Diagnostic| {
        let place = d.labels.first().map(|l| &text[l.loc.start as usize..]);
        format!("{}: {}", d.message, place.unwrap_or_default().lines().next().unwrap_or_default())
    };
    let errors: Vec<String> = parsed.errors.iter().map(words).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    parsed
}

/// Reads a text with one function.
fn function(text: &str) -> Function {
    let mut parsed = read(text);
    let mut functions: Vec<Function> =
        parsed.file.chunks.iter_mut().flat_map(|c| c.functions.drain(..)).collect();
    assert_eq!(functions.len(), 1, "{text}");
    functions.remove(0)
}

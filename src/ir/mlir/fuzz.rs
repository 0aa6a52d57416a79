//! What must hold for any bytes; called by tests and by the fuzz target.

use super::{Function, parse};
use crate::diag::{FileId, Severity};

/// Reads the bytes as MLIR text; true when there was nothing wrong with them.
///
/// # Panics
///
/// When the reader breaks a promise: that is what a fuzzer looks for.
pub fn check(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let parsed = parse(FileId(0), &text);
    assert!(parsed.errors.len() <= 20);
    for error in &parsed.errors {
        assert_eq!(error.severity, Severity::Error);
        assert!(!error.labels.is_empty(), "{error:?}");
        for label in &error.labels {
            let (start, end) = (label.loc.start as usize, label.loc.end as usize);
            assert!(text.get(start..end).is_some(), "{start}..{end} {error:?}");
        }
    }
    let functions = parsed.file.chunks.iter().flat_map(|chunk| &chunk.functions);
    functions.for_each(|f| whole(f, &text));
    parsed.errors.is_empty()
}

/// Every id leads somewhere, and uses and operands tell the same story.
fn whole(f: &Function, text: &str) {
    let mut uses: Vec<usize> = vec![0; f.values.len()];
    for (id, op) in f.ops.enumerate() {
        assert!(text.get(op.loc.start as usize..op.loc.end as usize).is_some());
        assert!(f.blocks[op.block].ops.contains(&id) || f.blocks[op.block].ops.len() > 64);
        let passed = op.successors.iter().flat_map(|s| &s.args);
        let all: Vec<_> = op.operands.iter().map(|o| &o.value).chain(passed).collect();
        for (at, value) in all.iter().enumerate() {
            uses[value.0 as usize] += 1;
            let known = &f.values[**value].uses;
            let here = known.iter().any(|u| u.op == id && u.operand as usize == at);
            assert!(here || known.len() > 64, "%{}", f.values[**value].name);
        }
        for successor in &op.successors {
            assert!(f.blocks.get(successor.block).is_some());
        }
        for region in &op.regions {
            assert_eq!(f.regions[*region].op, Some(id));
        }
        assert!(op.results.iter().all(|v| f.def_op(*v) == Some(id)));
        // Walking up ends.
        let mut parent = f.parent(id);
        while let Some(op) = parent {
            assert!(op < id);
            parent = f.parent(op);
        }
    }
    for (value, count) in f.values.iter().zip(uses) {
        assert_eq!(value.uses.len(), count, "%{}", value.name);
    }
    for (id, region) in f.regions.enumerate() {
        assert!(!region.blocks.is_empty());
        assert!(region.blocks.iter().all(|block| f.blocks[*block].region == id));
    }
    assert_eq!(f.body.is_some(), f.body_start.is_some());
}

//! What must hold for any bytes; called by a smoke test and by the fuzz target.

use crate::diag::{Loc, Sources};
use crate::front::errors::MAX_ERRORS;
use crate::model::trace::{CoreLine, Instruction, Trace};

/// Reads any bytes as a trace; the trace, where they are one.
///
/// # Panics
/// When the reader breaks a promise: that is what a fuzzer looks for.
pub fn check(bytes: &[u8]) -> Option<Trace> {
    let text = String::from_utf8_lossy(bytes);
    let mut sources = Sources::default();
    let file = sources.add("fuzz.toml", text.as_ref());
    let place = |loc: Loc| {
        let (start, end) = (loc.start as usize, loc.end as usize);
        assert!(text.get(start..end).is_some(), "{loc:?}");
    };
    match super::read(&sources, file) {
        Ok(trace) => {
            assert!(trace.devices > 0 && !trace.processes.is_empty());
            trace.ops.iter().filter_map(|op| op.loc).for_each(place);
            for program in &trace.programs {
                lines(&program.lines, 0);
            }
            Some(trace)
        }
        Err(errors) => {
            assert!((1..=MAX_ERRORS).contains(&errors.len()), "{} errors", errors.len());
            for error in &errors {
                let name = error.code.name();
                let own = name.contains("::trace_") || name.ends_with("::machine_unknown");
                assert!(own, "{error:?}");
                error.labels.iter().for_each(|label| place(label.loc));
            }
            None
        }
    }
}

fn lines(all: &[CoreLine], depth: usize) {
    assert!(depth <= super::MAX_DEPTH);
    for line in all {
        match &line.instruction {
            Instruction::Loop { body, .. } => lines(body, depth + 1),
            Instruction::If { then, otherwise, .. } => {
                lines(then, depth + 1);
                lines(otherwise, depth + 1);
            }
            Instruction::Set { id, .. } | Instruction::Wait { id, .. } => {
                assert!(!id.ids.is_empty());
            }
            _ => {}
        }
    }
}

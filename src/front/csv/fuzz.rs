//! What must hold for any bytes; called by a smoke test and by the fuzz target.

use crate::diag::Sources;
use crate::model::Problem;

/// Reads any bytes as a CSV.
///
/// # Panics
/// When the reader breaks a promise: that is what a fuzzer looks for.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut sources = Sources::default();
    let file = sources.add("fuzz.csv", text.as_ref());
    let diagnostics = match super::read(&sources, file) {
        Ok(read) => {
            check_problem(&read.problem);
            check_places(&read.problem, &text);
            read.warnings
        }
        Err(errors) => {
            assert!(
                (1..=crate::front::errors::MAX_ERRORS).contains(&errors.len()),
                "{}",
                errors.len()
            );
            errors
        }
    };
    for diagnostic in &diagnostics {
        assert!(diagnostic.code.name().starts_with("memplan::csv::"));
        for label in &diagnostic.labels {
            let (start, end) = (label.loc.start as usize, label.loc.end as usize);
            assert_eq!(label.loc.file, file);
            assert!(text.get(start..end).is_some(), "{start}..{end} of {} bytes", text.len());
        }
    }
}

fn check_problem(problem: &Problem) {
    assert_eq!((problem.scopes.len(), problem.pipes.len()), (1, 0));
    assert!(!problem.functions.is_empty());
    for function in &problem.functions {
        assert!(!function.buffers.is_empty());
        assert_eq!(function.buffers.len(), function.values.len());
        let mut room = 0u64;
        for buffer in function.buffers.iter() {
            assert!(!buffer.name.is_empty() && buffer.alignment > 0 && buffer.slots == 1);
            let live = buffer.live.as_deref().unwrap_or_default();
            assert!(!live.is_empty() && live.iter().all(|l| l.start < l.end));
            // Disjoint and not touching.
            assert!(live.windows(2).all(|w| w[0].end < w[1].start));
            let need = buffer.size.0.checked_add(buffer.alignment);
            room = need.and_then(|need| room.checked_add(need)).unwrap_or_else(|| {
                unreachable!("the sizes of {} do not fit 64 bits", function.name)
            });
        }
    }
}

/// The place of a buffer is its name as written, whatever the quotes.
fn check_places(problem: &Problem, text: &str) {
    for buffer in problem.functions.iter().flat_map(|f| f.buffers.iter()) {
        let Some(loc) = buffer.loc else { continue };
        let start = loc.start as usize;
        let written = text.get(start..loc.end as usize).unwrap_or_default();
        let quoted = text.get(..start).is_some_and(|before| before.ends_with('"'));
        let value = if quoted { written.replace("\"\"", "\"") } else { written.to_owned() };
        assert_eq!(value.trim(), buffer.name);
    }
}

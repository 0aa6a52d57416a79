//! What must hold for any bytes; called by a smoke test and by the fuzz target.

use crate::diag::Sources;
use crate::model::{Problem, RelationKind};

/// Reads any bytes as a document.
///
/// # Panics
/// When the reader breaks a promise: that is what a fuzzer looks for.
pub fn check(bytes: &[u8]) -> Option<Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut sources = Sources::default();
    let file = sources.add("fuzz.json", text.as_ref());
    let (problem, diagnostics) = match super::read(&sources, file) {
        Ok(read) => {
            check_problem(&read.problem);
            (Some(read.problem), read.warnings)
        }
        Err(errors) => {
            let most = crate::front::errors::MAX_ERRORS;
            assert!((1..=most).contains(&errors.len()), "{}", errors.len());
            (None, errors)
        }
    };
    for diagnostic in &diagnostics {
        assert!(diagnostic.code.name().starts_with("memplan::dsa::"));
        for label in &diagnostic.labels {
            let (start, end) = (label.loc.start as usize, label.loc.end as usize);
            assert_eq!(label.loc.file, file);
            assert!(text.get(start..end).is_some(), "{start}..{end} of {} bytes", text.len());
        }
    }
    problem
}

fn check_problem(problem: &Problem) {
    assert!(problem.pipes.is_empty());
    for (at, scope) in problem.scopes.enumerate() {
        assert_eq!(problem.scope(&scope.name), Some(at), "two pools `{}`", scope.name);
        let ranges: Vec<_> = scope.reserved.iter().map(|r| r.range).collect();
        assert!(ranges.iter().all(|r| r.start < r.end));
        assert!(ranges.windows(2).all(|w| w[0].end < w[1].start));
    }
    assert_eq!(problem.functions.len(), 1);
    for function in &problem.functions {
        let mut room = 0u64;
        for buffer in function.buffers.iter() {
            assert!(problem.scopes.get(buffer.scope).is_some());
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
        for relation in &function.relations {
            let [a, b] = [relation.first, relation.second].map(|id| &function.buffers[id]);
            assert_ne!(relation.first, relation.second);
            match relation.kind {
                RelationKind::Colocate { delta } => assert_eq!((a.scope, delta), (b.scope, 0)),
                RelationKind::Cost { cost } => assert!(cost > 0),
                RelationKind::Separate | RelationKind::Exclusive => {}
                RelationKind::Inplace | RelationKind::Handover => {
                    unreachable!("no document has in-place pairs")
                }
            }
        }
    }
}

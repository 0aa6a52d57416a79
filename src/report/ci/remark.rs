//! Findings, diagnostics and owed edges as remarks, which outlive their texts.

use crate::diag::{Code, Diagnostic, Loc, Place, Severity, Sources};
use crate::model::{Evidence, Finding, OwedEdge, Remark, Witness};
use crate::report::context::Input;
use crate::report::words;

/// A finding of the judge or of a replay.
pub fn remark(input: Input<'_>, finding: &Finding) -> Remark {
    let evidence = finding.evidence.as_deref();
    Remark {
        code: finding.code,
        severity: finding.severity,
        message: finding.message.clone(),
        help: None,
        input: input.name.to_owned(),
        function: Some(finding.function.clone()).filter(|name| !name.is_empty()),
        scope: finding.scope.clone(),
        buffers: finding.buffers.clone(),
        place: finding.loc.and_then(|loc| input.sources.span(loc)),
        related: evidence.map_or_else(Vec::new, |e| related(e, input.sources)),
        witness: witness(finding, evidence),
    }
}

/// The two sides of what a replay saw, where they are written.
fn related(evidence: &Evidence, sources: &Sources) -> Vec<(Place, String)> {
    let side = |word: &str, witness: &Option<Witness>| {
        let witness = witness.as_ref()?;
        let place = sources.span(witness.loc?)?;
        Some((place, format!("{word}: {} ({})", witness.what, witness.actor)))
    };
    let sides = [side("first", &evidence.earlier), side("then", &evidence.later)];
    sides.into_iter().flatten().collect()
}

fn witness(finding: &Finding, evidence: Option<&Evidence>) -> Option<String> {
    let mut parts: Vec<String> = finding.witness.clone().into_iter().collect();
    if let Some(evidence) = evidence {
        parts.extend(evidence.missing.iter().map(|m| format!("missing: {m}")));
        parts.extend(evidence.schedule.iter().map(|s| format!("--schedule '{s}'")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// A diagnostic of a reader or of the planner. Its first label is the place, the others are related.
pub fn of_diagnostic(name: &str, diagnostic: &Diagnostic, sources: &Sources) -> Remark {
    let place = |loc: Loc| sources.span(loc);
    let mut labels = diagnostic.labels.iter();
    let first = labels.next();
    let mut message = diagnostic.message.clone();
    if let Some(text) = first.map(|l| &l.text).filter(|text| !text.is_empty()) {
        message.push_str(&format!(" ({text})"));
    }
    Remark {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message,
        help: diagnostic.help.clone(),
        input: name.to_owned(),
        function: None,
        scope: None,
        buffers: Vec::new(),
        place: first.and_then(|l| place(l.loc)),
        related: labels.filter_map(|l| Some((place(l.loc)?, l.text.clone()))).collect(),
        witness: None,
    }
}

/// What a placement owes: one note for each function and scope, in the order of the edges. A report
/// that listed hundreds of edges would hide what matters; JSON has them all.
pub fn of_owed(name: &str, sources: &Sources, edges: &[OwedEdge]) -> Vec<Remark> {
    let mut groups: Vec<(&OwedEdge, usize)> = Vec::new();
    for edge in edges {
        let same = |(first, _): &&mut (&OwedEdge, usize)| {
            (&first.function, &first.scope) == (&edge.function, &edge.scope)
        };
        match groups.iter_mut().find(same) {
            Some((_, count)) => *count += 1,
            None => groups.push((edge, 1)),
        }
    }
    let note = |(edge, count): (&OwedEdge, usize)| Remark {
        code: Code::VerifyOwedEdge,
        severity: Severity::Note,
        message: format!(
            "the placement in `{}` owes {}; the first: `{}` before `{}`",
            edge.scope,
            words::count(count, "edge"),
            edge.first,
            edge.second
        ),
        help: Some(edge.edge.clone()).filter(|edge| !edge.is_empty()),
        input: name.to_owned(),
        function: Some(edge.function.clone()).filter(|name| !name.is_empty()),
        scope: Some(edge.scope.clone()),
        buffers: vec![edge.first_buffer.clone(), edge.second_buffer.clone()],
        place: edge.first_loc.and_then(|loc| sources.span(loc)),
        related: edge
            .second_loc
            .and_then(|loc| Some((sources.span(loc)?, format!("`{}`", edge.second))))
            .into_iter()
            .collect(),
        witness: None,
    };
    groups.into_iter().map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::replayed;

    #[test]
    fn both_sides_of_what_a_replay_saw_are_kept() {
        let case = replayed::case();
        let replay = case.replay();
        let error = replay.findings.iter().find(|f| f.evidence.is_some()).expect("evidence");
        let remark = remark(case.input(), error);
        let related: Vec<String> =
            remark.related.iter().map(|(place, word)| format!("{place}: {word}")).collect();
        assert_eq!(
            related,
            [
                "run.toml:2:1: first: kernel `r` reads a@1[0, 4194304) (stream B)",
                "run.toml:4:1: then: pool_alloc `c` (stream C)"
            ]
        );
        let witness = remark.witness.unwrap_or_default();
        assert!(witness.starts_with("missing: op 7 (stream B) before op 10"), "{witness}");
        assert!(witness.ends_with("--schedule 'A:3 C:2 B:2'"), "{witness}");
        assert_eq!((remark.function, remark.input.as_str()), (None, "run.toml"));
    }

    #[test]
    fn owed_edges_are_one_note_for_each_scope() {
        let case = replayed::case();
        let edge = case.replay().owed[0].clone();
        let other = OwedEdge { scope: "l1".to_owned(), ..edge.clone() };
        let input = case.input();
        let notes = of_owed(input.name, input.sources, &[edge.clone(), other, edge]);
        let words: Vec<&str> = notes.iter().map(|n| n.message.as_str()).collect();
        assert_eq!(
            words,
            [
                "the placement in `ub` owes 2 edges; the first: `st` before `v1`",
                "the placement in `l1` owes 1 edge; the first: `st` before `v1`"
            ]
        );
        assert_eq!(notes[0].related.len(), 1);
    }
}

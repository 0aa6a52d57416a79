//! What a trace owes that says that it carries no synchronisation (13.1).

use crate::diag::Code;
use crate::model::trace::Trace;
use crate::model::{Finding, OwedEdge, Witness};

/// Takes the races out of the findings: each is an edge that is owed.
pub(super) fn take(trace: &Trace, findings: &mut Vec<Finding>) -> Vec<OwedEdge> {
    let mut owed = Vec::new();
    findings.retain(|finding| match edge(trace, finding) {
        Some(edge) => {
            owed.push(edge);
            false
        }
        None => true,
    });
    owed
}

fn edge(trace: &Trace, finding: &Finding) -> Option<OwedEdge> {
    let races =
        [Code::ReplayRaceRaw, Code::ReplayRaceWar, Code::ReplayRaceWaw, Code::ReplaySamePipe];
    let evidence = finding.evidence.as_ref().filter(|_| races.contains(&finding.code))?;
    let (earlier, later) = (evidence.earlier.as_ref()?, evidence.later.as_ref()?);
    let buffer = finding.buffers.first().cloned().unwrap_or_default();
    let track = |w: &Witness| w.actor.rsplit('.').next().unwrap_or_default().to_owned();
    Some(OwedEdge {
        function: trace.name.clone(),
        scope: finding.scope.clone().unwrap_or_default(),
        first: earlier.op.clone(),
        second: later.op.clone(),
        first_buffer: buffer.clone(),
        second_buffer: buffer,
        bytes: finding.bytes.into_iter().collect(),
        pipes: (track(earlier), track(later)),
        stall: earlier.actor != later.actor,
        distance: 0,
        edge: evidence.missing.clone().unwrap_or_default(),
        first_loc: earlier.loc,
        second_loc: later.loc,
    })
}

//! The facts of a function as a report.

use super::ask::Ask;
use super::scene::{Scene, range};
use super::{aliases, buffers, groups, load, pairs, sharing, steps};
use crate::analyze::{self, explain::Reasons};
use crate::diag::Diagnostic;
use crate::format::json_inspect::Function as Report;
use crate::format::json_inspect::{LeftOut, Rederived};
use crate::model::{self, Function};
use crate::report::context::Input;

/// What follows from a function, and warnings about it.
pub(super) fn function(
    input: Input<'_>,
    function: &Function,
    ask: &Ask<'_>,
) -> (Report, Vec<Diagnostic>) {
    let facts = analyze::facts(input.problem, function);
    let reasons = Reasons::new(input.problem, function, &facts);
    let scene = Scene { input, function, facts: &facts, reasons: &reasons };
    let scopes = load::scopes(scene);
    let asked = sharing::subjects(scene, ask, &scopes);
    let told = sharing::tell(scene, &asked, ask);
    let (near_misses, more_misses) = pairs::near_misses(scene);
    let aliases = aliases::aliases(scene);
    let rederived = reasons.rederived().into_iter().map(|r| Rederived {
        id: r.buffer.0,
        given: r.given.iter().map(range).collect(),
        derived: r.derived.iter().map(range).collect(),
    });
    let report = Report {
        name: function.name.clone(),
        input: input.name.to_owned(),
        fingerprint: model::fingerprint(input.problem, function),
        steps: steps::steps(scene),
        moments: steps::moments(scene),
        buffers: buffers::buffers(scene, &aliases),
        aliases,
        together: groups::together(scene),
        inplace: pairs::inplace(scene),
        near_misses,
        sharing: told.sharing,
        conflicts: told.conflicts,
        rederived: rederived.collect(),
        selected: ask.named(function).into_iter().map(|id| id.0).collect(),
        left_out: LeftOut {
            near_misses: more_misses,
            sharing: told.untold,
            conflicts: told.unlisted,
        },
        scopes,
    };
    (report, facts.warnings)
}

//! `cost_model` and `objective`: what sharing costs, and what is to be minimised.

use super::buffers::Buffers;
use super::constraints::{pair, relation};
use super::document::Document;
use super::json::Object;
use crate::diag::{Code, Diagnostic, Loc};
use crate::front::errors::shown;
use crate::model::{Function, Objective, RelationKind};

/// Reads the prices of sharing into the function; free pairs are left out.
pub(super) fn penalties(
    document: &mut Document,
    problem: &Object<'_>,
    buffers: &Buffers,
    function: &mut Function,
) {
    let Some(model) = problem.get("cost_model").filter(|value| !value.is_null()) else { return };
    let Some(model) = model.object("`cost_model`", &mut document.errors) else { return };
    document.unknown("the cost model", &model, &["reuse_penalties"]);
    let mut sum = 0u64;
    for value in model.list("reuse_penalties", &mut document.errors) {
        let what = "a reuse penalty";
        let Some((pair, loc, why)) = pair(document, value, what, buffers) else { continue };
        let Some(object) = value.object(what, &mut document.errors) else { continue };
        let errors = &mut document.errors;
        let Some(cost) = object.need("cost", what, errors) else { continue };
        let at = cost.loc();
        let Some(cost) = cost.number("the cost", errors) else { continue };
        match sum.checked_add(cost) {
            Some(more) => sum = more,
            None => {
                let message = "with this penalty the costs add up to more than 64 bits";
                errors.push(Diagnostic::error(Code::DsaSizeOverflow, message).at(at, ""));
                return;
            }
        }
        if cost > 0 {
            function.relations.push(relation(RelationKind::Cost { cost }, pair, loc, why));
        }
    }
}

/// What the document wants to be minimised. Terms that are not minimised are told.
pub(super) fn objective(
    document: &mut Document,
    problem: &Object<'_>,
    function: &mut Function,
) -> Objective {
    let costly = function.relations.iter().any(|r| matches!(r.kind, RelationKind::Cost { .. }));
    let Some(value) = problem.get("objective").filter(|value| !value.is_null()) else {
        return if costly { Objective::CostThenPeak } else { Objective::Peak };
    };
    let Some(object) = value.object("`objective`", &mut document.errors) else {
        return Objective::Peak;
    };
    document.unknown("the objective", &object, &["terms", "aggregation"]);
    if let Some(value) = object.get("aggregation").filter(|value| !value.is_null()) {
        let word = value.text("the aggregation", &mut document.errors);
        if let Some(word) = word.filter(|word| word != "lexicographic") {
            let message = format!("terms are minimised in their order, not as `{}`", shown(&word));
            document.not_minimised(message, value.loc());
        }
    }
    let (mut cost, mut peak) = (false, false);
    for value in object.list("terms", &mut document.errors) {
        let Some(word) = value.text("a term", &mut document.errors) else { continue };
        match word.as_str() {
            // The capacity is hard: nothing overflows it.
            "capacity_overflow" => {}
            "total_peak" | "max_peak" => peak = true,
            "reuse_cost" if peak => {
                cost = true;
                let message = "the reuse cost is minimised before the peak all the same";
                document.not_minimised(message.to_owned(), value.loc());
            }
            "reuse_cost" => cost = true,
            "bank_cost" => {
                document.not_minimised("`bank_cost` is not minimised".to_owned(), value.loc());
            }
            other => {
                let message = format!("`{}` is not known and not minimised", shown(other));
                document.not_minimised(message, value.loc());
            }
        }
    }
    if cost {
        return Objective::CostThenPeak;
    }
    if costly {
        let message = "the reuse penalties do not count: `reuse_cost` is not among the terms";
        document.not_minimised(message.to_owned(), value.loc());
        function.relations.retain(|r| !matches!(r.kind, RelationKind::Cost { .. }));
    }
    Objective::Peak
}

impl Document {
    fn not_minimised(&mut self, message: String, loc: Loc) {
        self.warn(Code::DsaObjective, message, Some(loc));
    }
}

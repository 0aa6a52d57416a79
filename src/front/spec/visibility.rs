//! Carries and results stand for something only in some places; a use elsewhere is an error.

use super::context::Context;
use super::regions::{Place, Regions};
use crate::diag::{Code, Diagnostic, Loc};
use crate::model::{Function, OpId, Order, Step, ValueId, ValueKind};

/// Checks every use of a carry or result.
pub(crate) fn check(
    context: &mut Context,
    function: &Function,
    regions: &Regions,
    places: &[Place],
) {
    let order = Order::of(function);
    let checker = Checker { function, regions, order: &order };
    for (at, op) in function.ops.iter().enumerate() {
        let id: OpId = crate::model::Index::new(at);
        let place = places.get(at).copied().unwrap_or(Place::Top);
        for access in &op.accesses {
            checker.value(context, access.value, place, order.ops[id], access.loc);
        }
    }
    for (id, l) in function.loops.enumerate() {
        let steps = order.loops[id];
        let around = regions.parent(Place::Loop(id)).unwrap_or(Place::Top);
        for carry in &l.carries {
            let loc = function.values[carry.value].loc;
            checker.value(context, carry.init, around, steps.begin, loc);
            checker.value(context, carry.next, Place::Loop(id), steps.end, loc);
        }
    }
    for (id, branch) in function.branches.enumerate() {
        let steps = order.branches[id];
        for result in &branch.results {
            let loc = function.values[result.value].loc;
            checker.value(context, result.then, Place::Then(id), steps.middle, loc);
            checker.value(context, result.otherwise, Place::Else(id), steps.end, loc);
        }
    }
}

struct Checker<'a> {
    function: &'a Function,
    regions: &'a Regions,
    order: &'a Order,
}

impl Checker<'_> {
    /// Checks the use of a value in region `place` at `step`.
    fn value(
        &self,
        context: &mut Context,
        value: ValueId,
        place: Place,
        step: Step,
        loc: Option<Loc>,
    ) {
        let mut todo = vec![value];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            let ok = match &self.function.values[id].kind {
                ValueKind::Buffer(_) => true,
                ValueKind::View { base, .. } => {
                    todo.push(*base);
                    true
                }
                ValueKind::Select(of) => {
                    todo.extend(of);
                    true
                }
                ValueKind::Carry(l, _) => self.regions.path(place).contains(&Place::Loop(*l)),
                ValueKind::LoopResult(l, _) => {
                    let around = self.regions.parent(Place::Loop(*l));
                    self.after(place, step, around, self.order.loops[*l].end)
                }
                ValueKind::BranchResult(b, _) => {
                    let around = self.regions.parent(Place::Then(*b));
                    self.after(place, step, around, self.order.branches[*b].end)
                }
            };
            if !ok {
                let name = &self.function.values[id].name;
                let d = Diagnostic::error(
                    Code::SpecUnknownName,
                    format!("`{name}` stands for nothing here"),
                );
                let d = d.maybe_at(loc, "used here");
                let d = d.maybe_at(self.function.values[id].loc, "defined here");
                context.error(d.help(
                    "a carry is seen inside its loop; a result after its loop or branch, in the \
                     same region or deeper",
                ));
            }
        }
    }

    /// True when `place` is in the region `around` or deeper, and `step` comes after `end`.
    fn after(&self, place: Place, step: Step, around: Option<Place>, end: Step) -> bool {
        let around = around.unwrap_or(Place::Top);
        self.regions.path(place).contains(&around) && step > end
    }
}

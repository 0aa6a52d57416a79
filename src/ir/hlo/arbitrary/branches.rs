//! Conditionals and calls.

use super::{Scope, Storage, Value, Writer, shapes};
use crate::ir::hlo::{ElementType, Shape};

impl Scope {
    /// A conditional of two to four branches that return the same shape in fresh bytes.
    pub(super) fn conditional(&mut self, w: &mut Writer, size: usize) -> Option<Value> {
        let branches = 2 + w.choices.below(3);
        let by_predicate = branches == 2 && w.choices.once_in(2);
        let element = if by_predicate { ElementType::Pred } else { ElementType::S32 };
        let selector = w.array(element, &[]);
        let selector = self.scalar(w, &selector);
        let shape = match w.choices.below(3) {
            0 => w.any_array(),
            count => Shape::Tuple((0..count).map(|_| w.any_array()).collect()),
        };
        let mut operands = vec![selector];
        let mut names = Vec::new();
        for _ in 0..branches {
            let one = if w.choices.once_in(3) { self.pick_array(w, |_| true) } else { None };
            let operand = one.unwrap_or_else(|| {
                let parts = (0..2).filter_map(|_| self.pick_array(w, |_| true));
                let parts = parts.collect::<Vec<_>>();
                self.tuple(w, &parts)
            });
            let mut scope = Scope { depth: self.depth + 1, ..Scope::default() };
            scope.outside(w, &operand);
            scope.steps(w, size);
            let root = scope.fresh_root(w, &shape);
            names.push(w.computation("branch", &scope, &root));
            operands.push(operand);
        }
        let names = names.iter().map(|name| w.at(name)).collect::<Vec<_>>();
        let attributes = match (&names[..], by_predicate) {
            ([yes, no], true) => format!("true_computation={yes}, false_computation={no}"),
            _ => format!("branch_computations={{{}}}", names.join(", ")),
        };
        let operands = operands.iter().collect::<Vec<_>>();
        let result = self.op(w, shape, "conditional", &operands, &attributes);
        self.results(w, result)
    }

    /// A call that returns something fresh, and perhaps one of its operands.
    pub(super) fn call(&mut self, w: &mut Writer, size: usize) -> Option<Value> {
        let operands = (0..1 + w.choices.below(3)).filter_map(|_| self.pick_array(w, |_| true));
        let operands = operands.collect::<Vec<_>>();
        let mut scope = Scope { depth: self.depth + 1, ..Scope::default() };
        operands.iter().for_each(|operand| scope.outside(w, operand));
        scope.steps(w, size);
        let shape = w.any_array();
        let fresh = scope.fresh_root(w, &shape);
        let passed = scope.parameters.first().cloned().filter(|_| w.choices.once_in(2));
        let root = match &passed {
            Some(passed) => scope.tuple(w, &[fresh, passed.clone()]),
            None => fresh,
        };
        let name = w.computation("called_computation", &scope, &root);
        let attributes = format!("to_apply={}", w.at(&name));
        let operands = operands.iter().collect::<Vec<_>>();
        let mut result = self.op(w, root.shape.clone(), "call", &operands, &attributes);
        if let (Some(_), Some(first), Some(last)) =
            (&passed, operands.first(), result.leaves.last_mut())
        {
            *last = first.leaves.first().copied().unwrap_or(*last);
        }
        self.results(w, result)
    }

    /// A parameter whose bytes belong to the caller, with the elements of a tuple.
    fn outside(&mut self, w: &mut Writer, operand: &Value) {
        let read_only = Storage { read_only: true, ..Storage::default() };
        let parameter = self.parameter(w, operand.shape.clone(), &read_only);
        match parameter.shape.is_tuple() {
            true => {
                let elements = self.elements(w, &parameter);
                self.pool.extend(elements);
            }
            false => self.pool.push(parameter),
        }
    }

    /// The root of a computation: fresh bytes of that shape.
    fn fresh_root(&mut self, w: &mut Writer, shape: &Shape) -> Value {
        self.finish_all(w);
        let mut taken = Vec::new();
        let mut parts = Vec::new();
        for part in shapes::parts(shape) {
            parts.push(self.fresh_result(w, part, &mut taken));
        }
        match (&parts[..], shape.is_tuple()) {
            ([one], false) => one.clone(),
            _ => self.tuple(w, &parts),
        }
    }
}

//! Fusions.

use super::{Scope, Storage, Value, Writer, shapes};
use crate::ir::hlo::{ElementType, Shape};

impl Scope {
    /// A fusion; its results are in the pool when it is a tuple.
    pub(super) fn fusion_step(&mut self, w: &mut Writer) -> Option<Value> {
        match w.choices.below(6) {
            0 | 1 => self.loop_fusion(w, false),
            2 => self.loop_fusion(w, true),
            3 => self.product_fusion(w),
            4 => self.chained_updates(w),
            _ => self.update_fusion(w),
        }
    }

    /// Element-wise ops, with a reduction at the end or not, with one output or several.
    fn loop_fusion(&mut self, w: &mut Writer, reduces: bool) -> Option<Value> {
        let operands = (0..1 + w.choices.below(3)).filter_map(|_| self.pick_array(w, |_| true));
        let operands = operands.collect::<Vec<_>>();
        let first = operands.first()?.shape.clone();
        let mut inner = inside(w, &operands);
        for _ in 0..1 + w.choices.below(4) {
            let made = match w.choices.below(8) {
                0 => Some(inner.filled(w, &first)),
                1 => inner.nested(w),
                2 => inner.flattened(w),
                _ => inner.elementwise(w),
            };
            inner.pool.extend(made);
        }
        let mut outputs = Vec::new();
        if reduces {
            outputs.extend(inner.reduce(w));
        }
        let sizes = shapes::dims(&first);
        for value in inner.pool.iter().skip(operands.len()).rev() {
            let is_output = shapes::dims(&value.shape) == sizes && value.shape.array().is_some();
            let is_more = outputs.is_empty() || (outputs.len() < 3 && w.choices.once_in(3));
            let is_new = outputs.iter().all(|other| other.leaves != value.leaves);
            if is_output && is_more && is_new && !inner.is_parameter(value) {
                outputs.push(value.clone());
            }
        }
        if outputs.is_empty() {
            let value = inner.pool.first()?.clone();
            outputs.push(inner.op(w, value.shape.clone(), "copy", &[&value], ""));
        }
        let kind = if reduces { "kInput" } else { "kLoop" };
        let fused = inner.fused(w, &outputs, kind);
        let shape = shape_of(&outputs);
        let fusion = self.op(w, shape, "fusion", &operands.iter().collect::<Vec<_>>(), &fused);
        self.results(w, fusion)
    }

    /// A matrix product, to which an array is added.
    fn product_fusion(&mut self, w: &mut Writer) -> Option<Value> {
        let a = self.pick_array(w, |shape| matches!(shapes::dims(shape)[..], [m, n] if m == n))?;
        let b = self.pick_array(w, |shape| *shape == a.shape)?;
        let operands = [&a, &a, &b];
        let mut inner = inside(w, &operands.map(Value::clone));
        let [x, y, z] = [0, 1, 2].map(|at| inner.parameters.get(at).cloned());
        let attributes = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
        let shape = a.shape.clone();
        let product = inner.op(w, shape.clone(), "dot", &[&x?, &y?], attributes);
        let word = if shapes::element(&shape) == ElementType::Pred { "or" } else { "add" };
        let root = inner.op(w, shape.clone(), word, &[&product, &z?], "");
        let fused = inner.fused(w, &[root], "kOutput");
        Some(self.op(w, shape, "fusion", &operands, &fused))
    }

    /// A fusion in a fusion.
    fn nested(&mut self, w: &mut Writer) -> Option<Value> {
        let a = self.pick_array(w, |_| true)?;
        let mut inner = inside(w, std::slice::from_ref(&a));
        let root = inner.elementwise(w)?;
        let shape = root.shape.clone();
        let fused = inner.fused(w, &[root], "kLoop");
        Some(self.op(w, shape, "fusion", &[&a], &fused))
    }

    /// Writes the computation of a fusion with these outputs; gives back the attributes.
    pub(super) fn fused(&mut self, w: &mut Writer, outputs: &[Value], kind: &str) -> String {
        let root = match outputs {
            [one] => one.clone(),
            several => self.tuple(w, several),
        };
        let name = w.computation("fused_computation", self, &root);
        format!("kind={kind}, calls={}", w.at(&name))
    }

    fn is_parameter(&self, value: &Value) -> bool {
        self.parameters.iter().any(|parameter| parameter.leaves == value.leaves)
    }

    /// Elements of a tuple go to the pool; an array is given back.
    pub(super) fn results(&mut self, w: &mut Writer, value: Value) -> Option<Value> {
        if !value.shape.is_tuple() {
            return Some(value);
        }
        let elements = self.elements(w, &value);
        self.pool.extend(elements);
        None
    }
}

/// The inside of a fusion of these operands.
pub(super) fn inside(w: &mut Writer, operands: &[Value]) -> Scope {
    let mut scope = Scope { depth: super::DEPTH, ..Scope::default() };
    for operand in operands {
        let parameter = scope.parameter(w, operand.shape.clone(), &Storage::default());
        scope.pool.push(parameter);
    }
    scope
}

pub(super) fn shape_of(outputs: &[Value]) -> Shape {
    match outputs {
        [one] => one.shape.clone(),
        several => Shape::Tuple(several.iter().map(|output| output.shape.clone()).collect()),
    }
}

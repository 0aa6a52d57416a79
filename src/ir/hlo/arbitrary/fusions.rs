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

    /// An array updated in place in a fusion: alone or beside another output, directly or through a
    /// bitcast, in a nested fusion or after reading the same window.
    fn update_fusion(&mut self, w: &mut Writer) -> Option<Value> {
        let old = self.pick_array(w, |shape| !shapes::dims(shape).is_empty())?;
        let old = self.own(w, &old);
        Some(self.updated_by_fusion(w, &old))
    }

    /// The array, which may be overwritten, after an update in place by a fusion.
    pub(super) fn updated_by_fusion(&mut self, w: &mut Writer, old: &Value) -> Value {
        let shape = old.shape.clone();
        let window = w.window(&shape);
        let (update, index) = (self.some(w, &window), self.index(w));
        let beside = if w.choices.once_in(3) { self.pick_array(w, |_| true) } else { None };
        let operands = [old.clone(), update, index].into_iter().chain(beside).collect::<Vec<_>>();
        let mut inner = inside(w, &operands);
        let parameters = inner.parameters.clone();
        let [base, update, index, rest @ ..] = &parameters[..] else { return old.clone() };
        let root = match w.choices.below(4) {
            0 => {
                let mut nested = inside(w, &parameters[..3]);
                let [base, update, index] = &nested.parameters.clone()[..] else {
                    return old.clone();
                };
                let root = nested.write(w, base, update, index);
                let fused = nested.fused(w, &[root], "kLoop");
                inner.op(
                    w,
                    shape.clone(),
                    "fusion",
                    &[&parameters[0], &parameters[1], &parameters[2]],
                    &fused,
                )
            }
            1 => {
                // Read the window, change it, write it back.
                let starts = vec![index; shapes::dims(&shape).len()];
                let sizes = shapes::commas(shapes::dims(&window).iter());
                let slice = [&[base], &starts[..]].concat();
                let sizes = format!("dynamic_slice_sizes={{{sizes}}}");
                let slice = inner.op(w, window, "dynamic-slice", &slice, &sizes);
                let word = match shapes::element(&shape) {
                    ElementType::Pred => "xor",
                    _ => "add",
                };
                let sum = inner.op(w, slice.shape.clone(), word, &[&slice, update], "");
                inner.write(w, base, &sum, index)
            }
            2 => {
                let same = inner.forward(w, shape.clone(), "bitcast", &[base]);
                let written = inner.write(w, &same, update, index);
                inner.forward(w, shape.clone(), "bitcast", &[&written])
            }
            _ => inner.write(w, base, update, index),
        };
        let mut outputs = vec![root];
        for other in rest {
            outputs.push(inner.op(w, other.shape.clone(), "copy", &[other], ""));
        }
        let fused = inner.fused(w, &outputs, "kLoop");
        let others = operands.iter().skip(1).collect::<Vec<_>>();
        if outputs.len() == 1 {
            return self.in_place(w, old, "fusion", &others, &fused);
        }
        // The first output has the bytes of the array, the others their own.
        let mut fusion =
            self.op(w, shape_of(&outputs), "fusion", &operands.iter().collect::<Vec<_>>(), &fused);
        if let ([first, ..], [bytes]) = (&mut fusion.leaves[..], &old.leaves[..]) {
            *first = *bytes;
            self.storages[*bytes].users.clear();
        }
        let mut elements = self.elements(w, &fusion);
        if elements.is_empty() {
            return old.clone();
        }
        let first = elements.remove(0);
        self.pool.extend(elements);
        first
    }

    /// Two updates one after the other: not in place.
    fn chained_updates(&mut self, w: &mut Writer) -> Option<Value> {
        let old = self.pick_array(w, |shape| !shapes::dims(shape).is_empty())?;
        let window = w.window(&old.shape);
        let operands = [old, self.some(w, &window), self.index(w)];
        let mut inner = inside(w, &operands);
        let [base, update, index] = &inner.parameters.clone()[..] else { return None };
        let once = inner.write(w, base, update, index);
        let twice = inner.write(w, &once, update, index);
        let shape = twice.shape.clone();
        let fused = inner.fused(w, &[twice], "kLoop");
        Some(self.op(w, shape, "fusion", &operands.iter().collect::<Vec<_>>(), &fused))
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

    /// A dynamic-update-slice in a fusion, where nobody keeps account of bytes.
    fn write(&mut self, w: &mut Writer, base: &Value, update: &Value, index: &Value) -> Value {
        let starts = vec![index; shapes::dims(&base.shape).len()];
        let operands = [&[base, update], &starts[..]].concat();
        self.op(w, base.shape.clone(), "dynamic-update-slice", &operands, "")
    }

    /// Writes the computation of a fusion with these outputs; gives back the attributes.
    fn fused(&mut self, w: &mut Writer, outputs: &[Value], kind: &str) -> String {
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
fn inside(w: &mut Writer, operands: &[Value]) -> Scope {
    let mut scope = Scope { depth: super::DEPTH, ..Scope::default() };
    for operand in operands {
        let parameter = scope.parameter(w, operand.shape.clone(), &Storage::default());
        scope.pool.push(parameter);
    }
    scope
}

fn shape_of(outputs: &[Value]) -> Shape {
    match outputs {
        [one] => one.shape.clone(),
        several => Shape::Tuple(several.iter().map(|output| output.shape.clone()).collect()),
    }
}

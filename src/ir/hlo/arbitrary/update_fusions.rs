//! Fusions that update an array.

use super::fusions::{inside, shape_of};
use super::{Scope, Value, Writer, shapes};
use crate::ir::hlo::ElementType;

impl Scope {
    /// An array updated in place in a fusion: alone or beside another output, directly or through a
    /// bitcast, in a nested fusion or after reading the same window.
    pub(super) fn update_fusion(&mut self, w: &mut Writer) -> Option<Value> {
        let old = self.pick_array(w, |shape| !shapes::dims(shape).is_empty())?;
        let old = self.own(w, &old);
        Some(self.updated_by_fusion(w, &old))
    }

    /// The array, which may be overwritten, after an update in place by a fusion.
    pub(super) fn updated_by_fusion(&mut self, w: &mut Writer, old: &Value) -> Value {
        let window = w.window(&old.shape);
        let (update, index) = (self.some(w, &window), self.index(w));
        let beside = if w.choices.once_in(3) { self.pick_array(w, |_| true) } else { None };
        let operands = [old.clone(), update, index].into_iter().chain(beside).collect::<Vec<_>>();
        let mut inner = inside(w, &operands);
        let parameters = inner.parameters.clone();
        let [base, update, index, rest @ ..] = &parameters[..] else { return old.clone() };
        let mut outputs = vec![match w.choices.below(4) {
            0 => inner.nested_update(w, [base, update, index]),
            1 => inner.update_after_read(w, [base, update, index]),
            2 => {
                let same = inner.forward(w, base.shape.clone(), "bitcast", &[base]);
                let written = inner.write(w, &same, update, index);
                inner.forward(w, base.shape.clone(), "bitcast", &[&written])
            }
            _ => inner.write(w, base, update, index),
        }];
        for other in rest {
            outputs.push(inner.op(w, other.shape.clone(), "copy", &[other], ""));
        }
        let fused = inner.fused(w, &outputs, "kLoop");
        if outputs.len() == 1 {
            let others = operands.iter().skip(1).collect::<Vec<_>>();
            return self.in_place(w, old, "fusion", &others, &fused);
        }
        // The first output has the bytes of the array, the others their own.
        let operands = operands.iter().collect::<Vec<_>>();
        let mut fusion = self.op(w, shape_of(&outputs), "fusion", &operands, &fused);
        if let ([first, ..], [bytes]) = (&mut fusion.leaves[..], &old.leaves[..]) {
            *first = *bytes;
            self.storages[*bytes].users.clear();
        }
        let mut elements = self.elements(w, &fusion).into_iter();
        let first = elements.next().unwrap_or_else(|| old.clone());
        self.pool.extend(elements);
        first
    }

    /// Two updates one after the other: not in place.
    pub(super) fn chained_updates(&mut self, w: &mut Writer) -> Option<Value> {
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

    /// In a fusion: the update in a fusion of its own.
    fn nested_update(&mut self, w: &mut Writer, operands: [&Value; 3]) -> Value {
        let mut inner = inside(w, &operands.map(Value::clone));
        let root = match &inner.parameters.clone()[..] {
            [base, update, index] => inner.write(w, base, update, index),
            _ => return operands[0].clone(),
        };
        let shape = root.shape.clone();
        let fused = inner.fused(w, &[root], "kLoop");
        self.op(w, shape, "fusion", &operands, &fused)
    }

    /// In a fusion: the window is read, changed, and written back.
    fn update_after_read(&mut self, w: &mut Writer, operands: [&Value; 3]) -> Value {
        let [base, update, index] = operands;
        let starts = vec![index; shapes::dims(&base.shape).len()];
        let sizes = shapes::commas(shapes::dims(&update.shape).iter());
        let attributes = format!("dynamic_slice_sizes={{{sizes}}}");
        let slice = [&[base], &starts[..]].concat();
        let slice = self.op(w, update.shape.clone(), "dynamic-slice", &slice, &attributes);
        let is_pred = shapes::element(&base.shape) == ElementType::Pred;
        let word = if is_pred { "xor" } else { "add" };
        let sum = self.op(w, slice.shape.clone(), word, &[&slice, update], "");
        self.write(w, base, &sum, index)
    }

    /// In a fusion, where nobody keeps account of bytes: a dynamic-update-slice.
    fn write(&mut self, w: &mut Writer, base: &Value, update: &Value, index: &Value) -> Value {
        let starts = vec![index; shapes::dims(&base.shape).len()];
        let operands = [&[base, update], &starts[..]].concat();
        self.op(w, base.shape.clone(), "dynamic-update-slice", &operands, "")
    }
}

//! Ops that only forward what they get.

use super::{Scope, Value, Writer, shapes};
use crate::ir::hlo::Shape;

impl Scope {
    /// A tuple, an element of one, a barrier, or the same bytes under another shape.
    pub(super) fn tuple_step(&mut self, w: &mut Writer) -> Option<Value> {
        match w.choices.below(4) {
            0 => {
                let count = w.choices.below(4);
                let parts = (0..count).filter_map(|_| self.pick(w, |_| true)).collect::<Vec<_>>();
                let is_flat = parts.iter().all(|part| part.leaves.len() < 4);
                is_flat.then(|| self.tuple(w, &parts))
            }
            1 => {
                let tuple = self.pick(w, |value| value.shape.is_tuple())?;
                let at = w.choices.below(shapes::parts(&tuple.shape).len());
                let part = shapes::parts(&tuple.shape).get(at)?.clone();
                let call = w.call("get-tuple-element", &[&tuple], &format!("index={at}"));
                let name = self.line(w, "gte", &part, &call);
                let value = tuple.element(at, name)?;
                self.read(&value.name, &[&value]);
                Some(value)
            }
            2 => {
                let value = self.pick(w, |value| !value.leaves.is_empty())?;
                Some(self.forward(w, value.shape.clone(), "opt-barrier", &[&value]))
            }
            _ => self.flattened(w),
        }
    }

    /// The bytes of an array as a list.
    pub(super) fn flattened(&mut self, w: &mut Writer) -> Option<Value> {
        let value = self.pick_array(w, |shape| shapes::dims(shape).len() > 1)?;
        let size = shapes::dims(&value.shape).iter().product();
        let flat = w.array(shapes::element(&value.shape), &[size]);
        Some(self.forward(w, flat, "bitcast", &[&value]))
    }

    /// A tuple of these values.
    pub(super) fn tuple(&mut self, w: &mut Writer, parts: &[Value]) -> Value {
        let shape = Shape::Tuple(parts.iter().map(|part| part.shape.clone()).collect());
        self.forward(w, shape, "tuple", &parts.iter().collect::<Vec<_>>())
    }
}
